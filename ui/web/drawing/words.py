"""Help on every term and figure a page shows: what it is, why it counts, how it is computed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Help:
    """One entry: three short answers."""

    what: str
    why: str
    how: str

    def __str__(self) -> str:
        return f"**What** {self.what}\n\n**Why** {self.why}\n\n**How** {self.how}"


TERM_HELP = {
    "raw_xev": Help(
        "Expected points of the eleven, and of each bench player times the chance that he comes in.",
        "It is what the squad scores on average, before the armband.",
        "Match scores from team ratings are dealt to players by line: minutes, goals, assists, clean sheets, cards.",
    ),
    "captaincy_uplift": Help(
        "What the armband adds.",
        "One score counts twice, and where the rules let it move, a poor start can be repaired.",
        "Optimal stopping over the kick-off slots, net of the auto-subs and vice that a first change gives up.",
    ),
    "cs_corr_bonus": Help(
        "What goalkeeper and defenders of one team add, or cost, by keeping a clean sheet together.",
        "Together they swing: welcome when you chase, unwelcome when you lead.",
        "For each stack of two or more: weight × pay of a clean sheet × p(1 − p) × (men − 1).",
    ),
    "progression_carry": Help(
        "What these players are worth in the rounds you will keep them for.",
        "A player whose team goes out costs a transfer.",
        "Typical points × the chance that his team plays in each later round, discounted, to the next free rebuild.",
    ),
    "ownership_leverage": Help(
        "What the field owns that you do not, or what you own that it does not.",
        "A leader loses ground on popular players he misses; a chaser gains it on rare ones he has.",
        "Protect: −w × exposure × ceiling of each template player missed. Gain: +w × ceiling × (1 − exposure) of each "
        "differential owned.",
    ),
    "variance_term": Help(
        "The price, or the prize, of swing.",
        "Ahead, swing can only hurt; behind, it is the only way past.",
        "k × variance of the squad's points, shared matches and the armband included; the sign is the objective's.",
    ),
    "feasibility_penalty": Help(
        "What breaks the rules of the round.",
        "An illegal squad is never ranked.",
        "0 for a legal squad; otherwise the line that brings the score to 0.",
    ),
    "preferences": Help(
        "Your own soft wishes.",
        "They tilt between near equals and never decide.",
        "A few tenths of a point for each wish that is met.",
    ),
    "transfer_cost": Help(
        "Points for transfers beyond the free ones.",
        "They are taken off your score.",
        "The game's hit × transfers beyond the free ones, from the squad you start with.",
    ),
}
FIGURE_HELP = {
    "expected": Help(
        "Points this round, on average.",
        "It is the first thing to ask of a squad.",
        "Expected points of eleven and bench, plus what the armband adds.",
    ),
    "range": Help(
        "The points lie in this range eight times in ten.",
        "A narrow range protects, a wide one chases.",
        "The variance of the squad, with players of one match moving together; the central 80 % of a normal curve.",
    ),
    "k": Help(
        "How strongly swing counts.",
        "The further ahead or behind you are for the rounds left, the more it matters.",
        "Fitness changes by k × variance; beyond 0.05 it would swamp expected points.",
    ),
    "w": Help(
        "How strongly ownership counts.",
        "It sets how much you mind missing what the field has, or like having what it lacks.",
        "The weight of ownership leverage in the fitness.",
    ),
    "eo": Help(
        "Exposure of the field: how many times his points count for the average manager.",
        "It is what you are up against when you leave him out.",
        "Owned × chance that an owner starts him, plus the share that captains him.",
    ),
}

GLOSSARY = {
    "θ (theta)": "What you play for: protect a lead, gain on a deficit, or neutral, the most points.",
    "xEV": "Expected points of a player in a round: what he scores on average, over all that may happen.",
    "EO": "Effective ownership: how many times a player's points count for the average manager. 142% means that most "
    "own him and many captain him.",
    "8 in 10": "The range in which the points land eight times in ten.",
    "Swing": "How far points spread around what is expected. Players of one match swing together.",
    "Ladder": "Where the armband may move after a match: who wears it first, at how many points he keeps it, who is "
    "next.",
    "Template": "A player so popular that missing him hurts: EO of 15% or more, or captained by one in twenty.",
    "Differential": "A player under 5% EO who starts and can score much.",
    "Hit": "Points that the game takes for a transfer beyond the free ones.",
    "Roll": "To make no transfer and keep the free one for the next round.",
    "Booster": "A chip of the game: wildcard, bench boost, free hit, triple captain and their like.",
    "Kept": "What a transfer or a booster that is not used in a plan is worth later, as measured on past seasons.",
    "Close call": "Forecasts were shaken many times and planned anew; another first move won often.",
}
"""The words of the product in plain English; nothing on the first screen needs them."""


def term_help(name: str) -> str:
    """Return the help of a term; a term of a user's own spec says so."""
    found = TERM_HELP.get(name)
    return str(found) if found else "A term of your own spec: see the Fitness page."

"""What the data page says about facts and rules: age, checksum, what is missing, stale or confirmed. Pure.

world_facts(name, world, manifest, bundled)        -> WorldFacts
stale_warnings(facts, snapshot, title, now)        -> sentences
missing_facts(snapshot)                            -> sentences
rulebook_table(rules)                              -> DataFrame
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import pandas as pd

from data.rules import GameRules
from data.sources.refresh import fetched_at, span_in_words
from data.worlds.snapshot import Snapshot
from data.worlds.world import World

SHOWN_DIGITS = 12
"""Of a checksum: enough to tell any two worlds apart."""

STALE_AFTER = timedelta(hours=24)
"""Prices and statuses of a live game change every day."""


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """A world at hand, in figures."""

    name: str
    title: str
    origin: str  # "Bundled", "Fetched" or "Imported"
    players: int
    teams: int
    rounds: tuple[int, ...]
    fetched: datetime | None
    known_until: datetime  # deadline of the last round that can be opened
    checksum: str


def world_facts(name: str, world: World, manifest: str, *, bundled: bool) -> WorldFacts:
    """Return a world in figures; its manifest holds the checksum of every table."""
    fetched = fetched_at(world.sources)
    rounds = world.tables["rounds"]
    last = rounds.loc[rounds["round"] == world.rounds[-1], "deadline"].iloc[0]
    return WorldFacts(
        name=name,
        title=world.title,
        origin="Bundled" if bundled else "Fetched" if fetched else "Imported",
        players=len(world.tables["players"]),
        teams=len(world.tables["teams"]),
        rounds=world.rounds,
        fetched=fetched,
        known_until=last.to_pydatetime(),
        checksum=hashlib.sha256(manifest.encode()).hexdigest()[:SHOWN_DIGITS],
    )


def age_in_words(facts: WorldFacts, now: datetime) -> str:
    """Return how old a world's facts are."""
    if facts.fetched is not None:
        return f"fetched {span_in_words(now - facts.fetched)} ago"
    return f"known up to {facts.known_until:%d %b %Y}"


def stale_warnings(
    facts: WorldFacts, snapshot: Snapshot, title: str, now: datetime, *, where: str = "below"
) -> tuple[str, ...]:
    """Return sentences about facts that are too old for a decision; `title` is what managers call the round.

    `where` says on the page that shows them where they can be refreshed.
    """
    said = []
    if facts.fetched and now - facts.fetched > STALE_AFTER and snapshot.deadline > now:
        said.append(
            f"These facts are {span_in_words(now - facts.fetched)} old and the deadline of {title} is in "
            f"{span_in_words(snapshot.deadline - now)}. Refresh them {where}."
        )
    if now > facts.known_until:
        gone = span_in_words(now - facts.known_until)
        tail = f"{'Refresh them' if facts.fetched else 'For the coming round refresh a live source'} {where}."
        said.append(f"The last deadline in these facts passed {gone} ago: nothing after it is known. {tail}")
    return tuple(said)


def rulebook_table(rules: GameRules) -> pd.DataFrame:
    """Return one row per section of a rulebook: what it says, whether the official rules confirm it, where."""
    table = pd.DataFrame(_sections(rules), columns=["Section", "Rule", "Confirmed", "Source"])
    return table.assign(Confirmed=np.where(table["Confirmed"], "Yes", "No"))


def missing_facts(snapshot: Snapshot) -> Iterator[str]:
    """Yield what the models would like to know of this round and do not, as sentences."""
    past = sorted(snapshot.fixtures.loc[snapshot.fixtures["round"] < snapshot.round, "round"].unique().tolist())
    for column, words in (("points", "Points"), ("appearances", "Minutes"), ("events", "Event counts")):
        known = set(getattr(snapshot, column)["round"].tolist())
        absent = [str(number) for number in past if number not in known]
        if absent:
            yield f"{words} of round {', '.join(absent)} are not known."
    if snapshot.coming.empty:
        yield "No match of this round is known yet."
    idle = snapshot.teams["code"][~snapshot.teams["code"].isin([*snapshot.coming["home"], *snapshot.coming["away"]])]
    if len(idle) and not snapshot.coming.empty:
        yield f"Teams without a match in this round: {', '.join(idle)}."
    if not snapshot.players["owned"].gt(0).any():
        yield "Nobody's ownership is known, so exposure rests on prices and points alone."
    if snapshot.results.empty:
        yield "No earlier result is known: all teams are taken as average."


def _sections(rules: GameRules) -> Iterator[tuple[str, str, bool, str]]:
    squad, captaincy, transfers = rules.squad, rules.captaincy, rules.transfers
    shape = ", ".join(f"{count} {position}" for position, count in squad.shape.items())
    yield "Squad", f"{shape}; {', '.join(squad.formations)}", squad.confirmed, squad.source
    armband = f"×{captaincy.multiplier}, {captaincy.mode.value.replace('_', ' ')}"
    yield "Captaincy", armband, captaincy.confirmed, captaincy.source
    hits = f"a hit costs {transfers.hit_cost}; prices {'fixed' if transfers.prices_fixed else 'change'}"
    yield "Transfers", hits, transfers.confirmed, transfers.source
    subs = "on" if rules.autosubs.enabled else "off"
    yield "Automatic substitutions", subs, rules.autosubs.confirmed, rules.autosubs.source
    for stage in rules.stages:
        first, last = stage.rounds
        span = f"round {first}" if first == last else f"rounds {first} to {last}"
        told = f"{span}: budget {stage.budget:g}, {stage.team_cap} per team, {stage.free_transfers} free transfers"
        yield f"Stage: {stage.title.replace('{round}', '…')}", told, stage.confirmed, stage.source
    for name, line in rules.scoring.items():
        pays = line.points if isinstance(line.points, int) else ", ".join(f"{p} {n:+d}" for p, n in line.points.items())
        yield f"Scoring: {name.replace('_', ' ')}", str(pays), line.confirmed, line.source
    if rules.scouting is not None:
        rare = rules.scouting
        told = f"{rare.points:+d} from {rare.points_above + 1} points on, owned by less than {rare.owned_below:.0%}"
        yield "Scouting bonus", told, rare.confirmed, rare.source
    for booster in rules.boosters.values():
        yield f"Booster: {booster.title}", str(booster.effect).replace("_", " "), booster.confirmed, booster.source

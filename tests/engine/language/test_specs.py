"""The shipped specs are the formula; malformed ones get an error that points at the place, and nothing else."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import SpecError
from engine.language.spec import SPECS, Spec, load_spec, read_spec, shipped_names, shipped_spec
from tests.cases.objectives.spec_cases import WORDS, a_scene

BAD = sorted((Path(__file__).parent / "specs_bad").glob("*.fitness"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SPECS.glob("*.fitness"))}
MUTANTS = 200
FUZZ_SECONDS = 60
WORD = re.compile(r"[A-Za-z_]+|[0-9.]+|[^\sA-Za-z0-9_]")


def shipped(name: str) -> Spec:
    return shipped_spec(name, vocabulary=WORDS)


def terms_of(name: str, **parameters: float) -> dict[str, list[float]]:
    score = shipped(name).evaluate(a_scene(), parameters)
    return {term: [round(float(value), 9) for value in values] for term, values in score.terms.items()}


def test_the_six_specs_ship() -> None:
    assert shipped_names() == ("gain", "neutral", "protect", "rank", "seed-gain", "seed-protect")


def test_an_unknown_spec_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match="Did you mean protect"):
        shipped("protekt")
    with pytest.raises(SpecError, match="No shipped spec"):
        shipped("../specs/gain")


@pytest.mark.parametrize("name", ["protect", "neutral", "gain", "seed-protect", "seed-gain"])
def test_the_lines_are_those_of_the_formula_in_its_order(name: str) -> None:
    assert shipped(name).terms == (
        "raw_xev", "captaincy_uplift", "cs_corr_bonus", "progression_carry", "ownership_leverage", "variance_term",
        "feasibility_penalty", "preferences", "transfer_cost",
    )  # fmt: skip


def test_the_seeds_protect_covers_the_template_and_damps_the_swing() -> None:
    terms = terms_of("seed-protect")
    # Missed template: .5·10 + .2·8 = 6.6, .4·12 = 4.8, none; at w = .3.
    assert terms["ownership_leverage"] == [-1.98, -1.44, 0]
    assert terms["variance_term"] == [-8, -6, -4]
    assert terms["cs_corr_bonus"] == [-0.4, -0.2, 0]
    assert terms["progression_carry"] == [10, 8, 6]
    assert terms["transfer_cost"] == [0, -3, -6]


def test_the_seeds_gain_hunts_rare_ceilings_and_wants_the_swing() -> None:
    terms = terms_of("seed-gain")
    # Owned differentials: 10·.98 + ½·12·.96 = 15.56, 9·.99 = 8.91, none; at w = .04.
    assert terms["ownership_leverage"] == [0.6224, 0.3564, 0]
    assert terms["variance_term"] == [8, 6, 4]
    assert terms["cs_corr_bonus"] == [1, 0.5, 0]


def test_protect_goes_along_with_the_field_and_gain_against_it() -> None:
    assert terms_of("protect")["ownership_leverage"] == [8.8, 4.8, 0.8]
    assert terms_of("protect", w=0.5)["ownership_leverage"] == [4.4, 2.4, 0.4]
    assert terms_of("protect")["variance_term"] == [-8, -6, -4]
    assert terms_of("gain")["ownership_leverage"] == [-4.4, -2.4, -0.4]
    assert terms_of("gain")["variance_term"] == [4, 3, 2]


@pytest.mark.parametrize(("name", "kappa"), [("protect", 0.02), ("gain", -0.01)])
def test_protect_and_gain_are_the_two_sides_of_rank(name: str, kappa: float) -> None:
    halves = shipped(name).evaluate(a_scene()).total
    whole = shipped("rank").evaluate(a_scene(), {"kappa": kappa}).total
    assert np.ptp(halves - whole) == pytest.approx(0.0, abs=1e-9)  # but for what is the same for every squad


def test_neutral_takes_a_quarter_of_both() -> None:
    terms = terms_of("neutral")
    assert terms["ownership_leverage"] == [round(-1.98 / 4 + 0.6224 / 4, 9), round(-1.44 / 4 + 0.3564 / 4, 9), 0]
    assert terms["variance_term"] == [-2, -1.5, -1]
    assert terms["cs_corr_bonus"] == [0, 0, 0]


def test_rank_follows_the_sign_of_kappa() -> None:
    assert terms_of("rank")["variance_term"] == [-2, -4, -6]
    assert terms_of("rank", kappa=-0.01)["variance_term"] == [1, 2, 3]


def test_a_squad_scores_differently_for_a_leader_and_a_chaser() -> None:
    protect, gain = (shipped(name).evaluate(a_scene()).total for name in ("protect", "gain"))
    assert (protect != gain).all()


@pytest.mark.parametrize("name", TEXTS)
def test_a_squad_that_breaks_a_rule_is_disqualified(name: str) -> None:
    score = shipped(name).evaluate(a_scene(feasible=[True, False, True]))
    assert score.disqualified.tolist() == [False, True, False]
    assert score.total[1] == 0.0
    assert sum(score.terms.values())[1] == pytest.approx(0.0, abs=1e-9)
    assert score.terms["feasibility_penalty"].tolist()[::2] == [0.0, 0.0]


@pytest.mark.parametrize("name", TEXTS)
def test_the_search_ends_when_it_stalls(name: str) -> None:
    assert not shipped(name).stops({"stalled": 39})
    assert shipped(name).stops({"stalled": 40})


@pytest.mark.parametrize("name", TEXTS)
def test_every_spec_says_where_it_deviates(name: str) -> None:
    assert "Where it deviates, and why:" in TEXTS[name]


def check_precise(error: SpecError, text: str) -> None:
    """The error stands at a character of the text, or at the start of an empty line."""
    lines = text.split("\n")
    assert error.line is not None
    assert error.column is not None
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= max(1, len(lines[error.line - 1]))
    assert f":{error.line}:{error.column}: " in str(error)
    assert str(error).splitlines()[-1].strip("^ ") == ""


def test_the_corpus_is_large_enough() -> None:
    assert len(BAD) >= 30


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_malformed_spec_is_refused_at_the_place_its_first_line_states(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    place, phrase = text.split("\n")[0].removeprefix("-- ").split(" ", 1)
    with pytest.raises(SpecError) as caught:
        read_spec(path, vocabulary=WORDS)
    check_precise(caught.value, text)
    assert f"{caught.value.line}:{caught.value.column}" == place
    assert phrase in str(caught.value)
    assert str(caught.value).startswith(f"{path.name}:{place}: ")


def mutated(text: str, rng: random.Random) -> str:
    """Return the text with one word of its block deleted, doubled, swapped or misspelt."""
    words = list(WORD.finditer(re.sub(r"--[^\n]*", lambda remark: " " * len(remark[0]), text)))
    at = rng.randrange(len(words) - 1)
    word, after = words[at], words[at + 1]
    kind = rng.choice(["delete", "double", "swap", "misspell"])
    new = {
        "delete": "",
        "double": f"{word[0]} {word[0]}",
        "swap": after[0] + text[word.end() : after.start()] + word[0],
        "misspell": word[0][:1] + "q" + word[0][1:],
    }[kind]
    return text[: word.start()] + new + text[after.end() if kind == "swap" else word.end() :]


def refusal(text: str) -> SpecError | None:
    try:
        load_spec(text, file="mutant.fitness", vocabulary=WORDS)
    except SpecError as error:
        return error
    return None


def test_two_hundred_mutants_of_the_shipped_specs_are_refused_precisely() -> None:
    rng, refused, accepted = random.Random(7), set[str](), 0
    while len(refused) < MUTANTS:
        text = mutated(TEXTS[rng.choice(sorted(TEXTS))], rng)
        error = refusal(text)
        if error is None:
            accepted += 1
        elif text not in refused:
            check_precise(error, text)
            refused.add(text)
    # What still loads is a spec of its own right: a block renamed, a weight or a sign changed, a gate left out.
    assert accepted < 2 * MUTANTS


LANGUAGE = """fitness T { } ( ) gate metric parameter maximize penalize reward terminate when per record tick
    aggregate transform as and or not : = ? , . + - * / < == sum avg squad.variance agent.price starter xev feasible
    engine.stalled value dt 0 1 .5 1e308 1e-308 clamp sqrt max -- __class__ é"""
PIECES = st.sampled_from([*LANGUAGE.split(), "\n", "\t", "\r", "\0"])
TREES = st.recursive(
    st.sampled_from(["squad.variance", "squad.price", "world.round", "engine.nodes", "0", "1", "1e200", "-3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "<", "==", "and", "or"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
        inner.map(lambda one: f"sqrt({one})"),
        inner.map(lambda one: f"(not {one})"),
        st.tuples(inner, inner).map(lambda parts: f"max({', '.join(parts)})"),
    ),
    max_leaves=12,
)


def score_or_refuse(load: Callable[[], Spec], text: str) -> None:
    """Whatever the text: a finite score whose lines sum to it, or a `SpecError` with its place."""
    try:
        score = load().evaluate(a_scene())
    except SpecError as error:
        check_precise(error, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    else:
        assert np.isfinite(score.total).all()
        np.testing.assert_allclose(sum(score.terms.values()), score.total, rtol=1e-9, atol=1e-9)


def try_text(text: str) -> None:
    score_or_refuse(lambda: load_spec(text, file="fuzz.fitness", vocabulary=WORDS), text)


@given(st.text())
@settings(max_examples=50, deadline=None)
def test_any_text_scores_or_is_refused(text: str) -> None:
    try_text(text)


@given(st.lists(PIECES, max_size=40).map(" ".join))
@settings(max_examples=100, deadline=None)
def test_any_mix_of_words_scores_or_is_refused(text: str) -> None:
    try_text(text)


@given(TREES, TREES)
@settings(max_examples=100, deadline=None)
def test_any_expression_scores_or_is_refused(metric: str, gate: str) -> None:
    try_text(f"fitness T {{ gate g = {gate} metric m = {metric} maximize m: 2 penalize price: 1 }}")


@given(st.binary(max_size=200), st.integers(0, 2_000))
@settings(max_examples=50, deadline=None)
def test_any_bytes_in_a_file_score_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, at: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "junk.fitness"
    whole = TEXTS["gain"].encode()
    path.write_bytes(whole[:at] + junk + whole[at:])
    score_or_refuse(lambda: read_spec(path, vocabulary=WORDS), path.read_bytes().decode("utf-8", errors="replace"))


@pytest.mark.soak
def test_a_minute_of_fuzzing_finds_no_other_exception() -> None:
    rng, runs, end = random.Random(11), 0, time.monotonic() + FUZZ_SECONDS
    while time.monotonic() < end:
        text = TEXTS[rng.choice(sorted(TEXTS))]
        for _ in range(rng.randint(1, 6)):
            text = mutated(text, rng) if rng.random() < 0.8 else spliced(text, rng)
        try_text(text)
        runs += 1
    assert runs > 1_000


def spliced(text: str, rng: random.Random) -> str:
    """Return the text with a few random bytes in place of some of its own."""
    at, length = rng.randrange(len(text)), rng.randint(0, 20)
    return text[:at] + rng.randbytes(rng.randint(0, 6)).decode("latin-1") + text[at + length :]

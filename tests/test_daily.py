"""Cases of a test that every run tries are named by how they begin: what fits no case is refused, not left unseen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

CASES = """
import pytest

@pytest.mark.daily("gain", "neutral-2")
@pytest.mark.parametrize("round_number", [1, 2])
@pytest.mark.parametrize("theta", ["protect", "neutral", "gain"])
def test_theta(theta, round_number):
    pass
"""
NO_CASES = """
import pytest

@pytest.mark.daily("gain")
def test_gain():
    pass
"""
FILES = {
    "test_fitting.py": CASES,
    "test_renamed.py": CASES.replace('"gain", "neutral', '"Gain", "neutral'),
    "test_no_cases.py": NO_CASES,
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of test files made by hand when they are collected."""
    folder: Path = tmp_path_factory.mktemp("by_hand")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  daily\n  soak\n", encoding="utf-8")
    asked = ["-q", "--collect-only", "-p", "tests.conftest", "-c", folder / "pytest.ini", "-m", "not soak", folder]
    return subprocess.run([sys.executable, "-m", "pytest", *asked], cwd=ROOT, capture_output=True, text=True).stdout


def test_cases_that_no_daily_name_fits_are_left_to_the_long_counts(collected: str) -> None:
    names = [line.rpartition("::")[2] for line in collected.splitlines() if line.startswith("test_fitting.py::")]
    assert names == ["test_theta[neutral-2]", "test_theta[gain-1]", "test_theta[gain-2]"]


def test_a_daily_name_that_fits_no_case_is_refused(collected: str) -> None:
    told = "test_theta names Gain as daily, but no case of it begins so. Its cases are protect-1, protect-2, neutral-1"
    assert told in collected


def test_a_test_without_cases_has_none_to_name(collected: str) -> None:
    assert "test_gain names gain as daily, but no case of it begins so. Its cases are none." in collected
    assert "2 errors" in collected

"""What we stand on: every library has its licence told and its version pinned, and the pins are audited."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata

import pytest

from data.worlds.library import BUNDLED
from data.worlds.world import open_world
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
USED = [re.split(r"[^\w-]", asked)[0] for asked in (*PROJECT["dependencies"], *EXTRAS["peers"], *EXTRAS["cluster"])]
FAMILIES = ("BSD", "MIT", "Apache", "LGPL", "EPL")


def told() -> dict[str, str]:
    """Return the licences that are told, by library."""
    text = (BUNDLED / "wc2026" / "SOURCES.md").read_text(encoding="utf-8").partition("## Licences of the libraries")[2]
    rows = re.findall(r"^\| (\w[\w-]*).*\| ([\w.-]+) \|$", text, re.MULTILINE)
    return {name: licence for name, licence in rows if name != "library"}


def declared(name: str) -> str:
    """Return what an installed library says of its licence, in whichever field it does."""
    known = metadata(name)
    kinds = [kind for kind in known.get_all("Classifier") or [] if kind.startswith("License")]
    return " ".join([known.get("License-Expression") or known.get("License") or "", *kinds])


@pytest.mark.parametrize("name", USED)
def test_the_licence_of_every_library_is_told_as_it_says_itself(name: str) -> None:
    family = next(family for family in FAMILIES if told()[name].startswith(family))
    assert family in declared(name)


def test_no_library_is_told_of_that_is_not_used() -> None:
    assert set(told()) - {"CBC"} == set(USED)


def test_every_library_and_its_installer_have_an_exact_version() -> None:
    pins = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().split())
    known = {name.lower().replace("_", "-") for name in pins}
    assert {*map(str.lower, USED), "pip", "setuptools"} <= known
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "pip-audit" in workflow
    assert "--requirement constraints.txt" in workflow


@pytest.mark.parametrize("world", sorted(path.name for path in BUNDLED.iterdir() if (path / "world.toml").exists()))
def test_every_bundled_world_tells_the_licences_of_its_facts(world: str) -> None:
    assert "## Licences of the facts" in open_world(BUNDLED / world).sources

"""Requirements and description in pyproject.toml, and what other files repeat of them."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]


def group(name: str) -> set[str]:
    """The requirements of a group, with the groups that it includes."""
    parts = SETTINGS["dependency-groups"][name]
    included = [group(part["include-group"]) for part in parts if isinstance(part, dict)]
    return {part for part in parts if isinstance(part, str)}.union(*included)


def test_the_tests_have_the_requirements_of_every_extra():
    needed = {text for extra in PROJECT["optional-dependencies"].values() for text in extra}
    assert needed - group("test-all") == set()
    assert group("test") < group("test-all")


def test_people_who_install_the_program_see_no_group_of_developers():
    (name,) = set(packages_distributions()["explorer"])
    of_the_core = {"arrow"} if name == "corpus-explorer-core" else set()
    assert set(metadata(name).get_all("Provides-Extra")) == {*PROJECT["optional-dependencies"], *of_the_core}
    assert not set(SETTINGS["dependency-groups"]) & set(PROJECT["optional-dependencies"])


def test_the_description_is_that_of_the_citation():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    head, _, rest = text.partition("\nkeywords:\n")
    assert PROJECT["keywords"] == re.findall(r"^  - (.+)$", rest.partition("\nreferences:")[0], re.MULTILINE)
    assert PROJECT["authors"] == [{"name": name} for name in re.findall(r"^  - name: (.+)$", head, re.MULTILINE)]


def test_every_version_of_python_that_is_named_is_tested():
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert PROJECT["requires-python"] == f">={named[0]}"
    # Whether the tests pass on the newest version is seen there first.
    assert set(named) <= set(re.findall(r'\bpython: "(3\.\d+)"', workflow))

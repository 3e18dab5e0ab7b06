"""The version is written in three places, and printed and stored by the program."""

import re
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import explorer
from explorer.version import VERSION

ROOT = Path(__file__).resolve().parent.parent


def declared() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def test_the_packaging_files_agree():
    found = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))
    assert found is not None and found[1] == declared()


def test_the_installed_program_has_this_version():
    (name,) = set(packages_distributions()["explorer"])
    assert name in ("corpus-explorer", "corpus-explorer-core")
    assert version(name) == VERSION == explorer.__version__ == declared()


def test_the_changelog_begins_with_the_next_release():
    """A development version comes before the release that the changelog describes as unreleased."""
    title = re.search(r"^## (\S+?)(, unreleased)?$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert title is not None
    release, _, development = declared().partition(".dev")
    assert title[1] == release
    assert bool(title[2]) == bool(development)

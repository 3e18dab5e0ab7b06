"""The version is written in three places, and printed and stored by the program."""

import re
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import explorer
from explorer.version import VERSION, install_command

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


def test_packages_are_installed_from_the_source():
    """The name is free on PyPI, so nothing may tell people to install it from there."""
    texts = [*ROOT.glob("explorer/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/**/*.ipynb")]
    texts += [ROOT / "README.md", *ROOT.glob("resources/guide/*.md"), *ROOT.glob("packaging/cluster/*.yaml")]
    told = re.compile(r"pipx? install ['\"]?corpus-explorer(?!-core-\*)[^\n]*")
    assert [(path.name, told.findall(text)) for path in texts if told.search(text := path.read_text("utf-8"))] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for path in texts for found in NAMED.findall(path.read_text("utf-8")) for name in found.split(",")}
    assert {"serve", "mcp", "cluster", "cloud"} <= extras <= set(project["optional-dependencies"])
    assert install_command("mcp") == "pip install '.[mcp]'" and project["name"] == "corpus-explorer"


NAMED = re.compile(r"""(?:pip install '\.|install_command\(")\[?([a-z,]+)(?:\]'|"\))""")

"""The manual pages: every command has one, with all its options, and troff reads it without a warning."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from explorer.cli.commands import COMMANDS
from explorer.cli.described import described

_spec = importlib.util.spec_from_file_location(
    "man_pages", Path(__file__).resolve().parents[2] / "packaging" / "man_pages.py"
)
assert _spec is not None and _spec.loader is not None
man_pages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(man_pages)
PAGES = man_pages.man_pages()


def test_every_command_has_a_page():
    assert set(PAGES) == {"corpus-explorer.1", *(f"corpus-explorer-{command.name}.1" for command in COMMANDS)}


@pytest.mark.parametrize("command", described(), ids=lambda command: command.name)
def test_a_page_has_every_section_and_option(command):
    page = PAGES["-".join(filter(None, ("corpus-explorer", command.name))) + ".1"]
    for title in ("NAME", "SYNOPSIS", "OPTIONS", "ENVIRONMENT", "EXIT STATUS"):
        assert page.count(f'\n.SH "{title}"\n') == 1
    for word in command.options:
        for name in word.names:
            assert "\\fB" + name.replace("-", "\\-") + "\\fR" in page
    assert page.isascii()


def test_the_pages_that_a_wheel_installs_have_all_commands_and_options():
    """Run `make man` after a command or an option was added or removed."""
    installed = Path(__file__).resolve().parents[2] / "packaging" / "man"
    assert {path.name for path in installed.iterdir()} == set(PAGES)
    for name, page in PAGES.items():
        assert options_of((installed / name).read_text(encoding="utf-8")) == options_of(page), name


def options_of(page):
    return re.findall(r"\\fB(\\-[^ ]*)\\fR", page)


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_troff_has_no_warning(tmp_path):
    man_pages.main(tmp_path)
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", *sorted(tmp_path.iterdir())],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_a_page_is_shown_as_its_help(tmp_path):
    man_pages.main(tmp_path)
    shown = subprocess.run(
        ["groff", "-man", "-Tutf8", "-P-cbou", tmp_path / "corpus-explorer-count.1"],
        capture_output=True, encoding="utf-8", timeout=60, check=True,
    ).stdout  # fmt: skip
    words = " ".join(shown.replace("‐\n", "").split())
    for part in ("count how often texts occur", "--match {text,tokens,regex}", "CORPUS_EXPLORER_DATA", "SEE ALSO"):
        assert part in words

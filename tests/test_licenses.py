"""What the program is made of: written and read again, and of installed packages."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.licenses import FILE, Component, installed_components, licenses_text, own_components, read_licenses

WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True)
# Whatever is in a text of a license, such as a line of the kind that separates the parts.
TEXTS = st.text(st.sampled_from("ab: =\n"), max_size=30).map(str.strip) | st.sampled_from(
    ["a\n" + "=" * 99 + "\nb", "é\n\nß"]
)
COMPONENTS = st.builds(Component, WORDS, WORDS, st.text(st.sampled_from("AB -:.0"), max_size=9).map(str.strip), TEXTS)


@given(st.lists(COMPONENTS, max_size=5, unique_by=lambda each: (each.name, each.version)))
def test_what_is_written_is_read(components):
    assert read_licenses(licenses_text(components, ["A note.\n  that is indented"])) == components


def test_an_installed_program_names_what_it_needs():
    first, *others = installed_components("corpus-explorer")
    assert first.name == "corpus-explorer" and "Apache License" in first.text
    found = {each.name.lower().replace("_", "-"): each for each in others}
    # What it needs itself, what that needs, and nothing that only tests or extras need.
    assert {"numpy", "shiboken6", "pyside6-essentials", "pyarrow"} <= set(found)
    assert not {"pytest", "hypothesis", "sphinx"} & set(found)
    assert "OpenBLAS" in found["numpy"].text and [*found] == sorted(found)


def test_nothing_is_made_up_for_what_is_not_installed():
    assert installed_components("no-such-distribution") == []


@pytest.mark.parametrize("place", [FILE, f"../Resources/{FILE}"], ids=["folder", "application of macOS"])
def test_a_bundle_reads_its_own_file(monkeypatch, tmp_path, place):
    made = [Component("one", "1.0", "MIT", "the text")]
    for folder in ("MacOS", "Resources"):
        (tmp_path / folder).mkdir()
    (tmp_path / "MacOS" / place).write_text(licenses_text(made), encoding="utf-8")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "MacOS" / "corpus-explorer"))
    assert own_components() != made
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_components() == made

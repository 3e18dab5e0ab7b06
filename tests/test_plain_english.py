"""The turns that docs/style.md advises against are found, in prose, Python and Cython; `make check` looks for them."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "packaging" / "english.py"


@pytest.fixture(scope="module")
def english():
    spec = importlib.util.spec_from_file_location("english", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses are looked up by the name of the module.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "english", module)
        spec.loader.exec_module(module)
        yield module


def test_a_turn_is_reported_with_its_file_and_line(english, tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nIt stands in the log.\n", encoding="utf-8")
    monkeypatch.setattr(english, "ROOT", tmp_path)
    monkeypatch.setattr(english, "texts", lambda: [path])
    assert english.problems() == ["a.md:3: “stands”; better: occurs, is, represents"]


def test_every_kind_of_file_is_read(english):
    found = english.texts()
    assert {path.suffix for path in found} == {".md", ".py", ".pyi", ".pyx", ".pxd"} and len(found) > 1_000
    assert not {"style.md", "plain-english.md"} & {path.name for path in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It stands in the log.", ["stands"]),
        ("The index is no folder.", ["is no"]),
        ("There is no index. It is no longer open, and the value is None.", []),
        ("The error says so.", ["says"]),
        ("Four tokens a line, at most 20 times a second.", ["tokens a line"]),
        ("The token behind it; the storage behind the seam.", ["behind"]),
        ("A colour, tokenised ANEW; `colour` is code.", ["anew", "colour", "tokenised"]),
        ("The work was cancelled.", []),
    ],
)
def test_turns(english, text, expected):
    found = [slip.found.lower() for slip in english.slips(iter([english.Passage(1, text)]))]
    assert sorted(found) == expected


def test_passages_of_python(english, tmp_path):
    path = tmp_path / "a.py"
    path.write_text('"""Doc string."""\n\nx = "one word"  # first\n# second\n# third\ny = "word"\n', encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in english.passages(path) if passage.text}
    assert found == {(1, "Doc string."), (3, "one word"), (3, "first second third")}


def test_passages_of_cython(english, tmp_path):
    path = tmp_path / "a.pyx"
    path.write_text('"""Doc\nstring."""\ncdef int x = 0  # first\n\n# second\nname = "# none"\n', encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in english.passages(path) if passage.text}
    assert found == {(1, "Doc\nstring."), (3, "first"), (5, "second")}


def test_passages_of_markdown(english, tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nA [link](a/colour.md).\n\n```sh\ncode\n```\n\nEnd.\n", encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in english.passages(path) if passage.text.strip()}
    assert found == {(1, "# Title"), (3, "A [link]."), (9, "End.")}

"""The project's texts use none of the turns that docs/style.md advises against."""

from pathlib import Path

import pytest

from tests.support.english import Passage, passages, slips

ROOT = Path(__file__).parents[1]

QUOTING = ("style.md", "plain-english.md")
"""Pages of docs/ that quote what the style advises against, beside what to write instead."""
UNFINISHED: dict[str, int] = {}
"""Files that are not rewritten yet, each with the number of its turns to avoid. The list may only shrink."""


def texts() -> list[Path]:
    """Every file with text for readers, by path."""
    found = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    found += [path for path in (ROOT / "docs").rglob("*.md") if path.name not in QUOTING]
    found += (ROOT / "resources" / "guide").glob("*.md")
    found += (ROOT / "explorer").rglob("*.py")
    found += (path for path in (ROOT / "_fastsa").iterdir() if path.suffix in {".py", ".pyi", ".pyx", ".pxd"})
    return sorted(found)


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_plain_english(path):
    name = path.relative_to(ROOT).as_posix()
    found = [f"{name}:{slip.line}: “{slip.found}”; better: {slip.instead}" for slip in slips(passages(path))]
    allowed = UNFINISHED.get(name, 0)
    assert len(found) <= allowed, "\n".join(found)
    assert found or not allowed, f"{name} is in plain English: take it out of UNFINISHED"


def test_unfinished_files_exist():
    assert sorted(name for name in UNFINISHED if not (ROOT / name).is_file()) == []


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
def test_turns(text, expected):
    found = [slip.found.lower() for slip in slips(iter([Passage(1, text)]))]
    assert sorted(found) == expected


def test_passages_of_python(tmp_path):
    path = tmp_path / "a.py"
    path.write_text('"""Doc string."""\n\nx = "one word"  # first\n# second\n# third\ny = "word"\n', encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in passages(path) if passage.text}
    assert found == {(1, "Doc string."), (3, "one word"), (3, "first second third")}


def test_passages_of_cython(tmp_path):
    path = tmp_path / "a.pyx"
    path.write_text('"""Doc\nstring."""\ncdef int x = 0  # first\n\n# second\nname = "# none"\n', encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in passages(path) if passage.text}
    assert found == {(1, "Doc\nstring."), (3, "first"), (5, "second")}


def test_passages_of_markdown(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nA [link](a/colour.md).\n\n```sh\ncode\n```\n\nEnd.\n", encoding="utf-8")
    found = {(passage.line, passage.text.strip()) for passage in passages(path) if passage.text.strip()}
    assert found == {(1, "# Title"), (3, "A [link]."), (9, "End.")}

"""The project's English as a list of turns to avoid, and the texts of its files (see docs/style.md).

python packaging/english.py   prints each turn to avoid with its file and line, and fails if there is one
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class Turn(NamedTuple):
    """A turn that the project avoids: a regular expression, and what to write instead."""

    pattern: str
    instead: str


ROOT = Path(__file__).resolve().parent.parent
QUOTING = ("style.md", "plain-english.md")
"""Pages of docs/ that quote what the style advises against, beside what to write instead."""

_UNIT = "span|text|source|line|token|query|row|key|suffix|page|match|document|pixel|word|core|inch|panel|phrase"
_THING = "tokens|documents|texts|lines?|numbers?|buttons?|columns?|rows?|pages?|points?|keys"

TURNS = (
    Turn(r"stands?(?!-in)|stood", "occurs, is, represents"),
    Turn(r"says?|said|saying", "reports, states, shows"),
    Turn(r"behind(?! (the|this|that|one|a|its) (seam|protocol|interface|backend))", "after, next to, of"),
    Turn(r"anew", "again"),
    Turn(r"so many", "a number of, n"),
    Turn(r"(?<!there )(is|are|was|were) no(?! longer| more than| less than| larger| smaller)", "is not a"),
    Turn(r"(?<!there )(is|are|was|were) (?-i:none)", "does not exist, is not one"),
    Turn(r"of before", "earlier, previous"),
    Turn(rf"({_THING}) an? ({_UNIT})", "per"),
    Turn(r"lies|lay (in|at|on|under|where)", "is, is stored"),
    Turn(r"at the most", "at most"),
    Turn(r"some (\d|ten|hundred|thousand)", "about"),
    Turn(r"mend(s|ed|ing)?", "fix, repair"),
    Turn(r"will do", "is enough, matches"),
    Turn(r"commonest", "most common"),
    Turn(r"looks? after|looked after|looking after", "watches, manages"),
    Turn(r"tells? of|told of", "reports"),
    Turn(r"(go|goes|going|went) on", "continues"),
    Turn(r"taken off|takes? off|comes? off", "subtracted, removed"),
    Turn(r"blanks", "spaces"),
    Turn(r"one and the same", "the same"),
    Turn(r"again and again", "repeatedly"),
    Turn(r"shall", "will, must"),
    Turn(r"pull over", "drag"),
    Turn(r"the person('s)?", "the user"),
    Turn(r"colour\w*", "color"),
    Turn(r"neighbour\w*", "neighbor"),
    Turn(r"behaviour\w*", "behavior"),
    Turn(r"favour\w*|honour\w*", "favor, honor"),
    Turn(r"licence\w*", "license"),
    Turn(r"centre\w*", "center"),
    Turn(r"grey\w*", "gray"),
    Turn(r"catalogue\w*|dialogue\w*", "catalog, dialog"),
    Turn(r"labell(ed|ing)|modell(ed|ing)|travell\w+", "labeled, modeled, travel"),
    Turn(r"analys(e|ed|er|ing)", "analyze"),
    Turn(
        r"\w*(token|local|recogn|organ|normal|vector|summar|optim|minim|maxim|serial|initial|capital|general|"
        r"synchron|character|emphas|real|final|util)is(e|es|ed|er|ing|ation)",
        "-ize",
    ),
    Turn(r"whilst|amongst|artefact\w*|judgement\w*", "while, among, artifact, judgment"),
)

_CODE = re.compile(r"``[^`]*``|`[^`]*`|\{\w+[^{}]*\}|^ +\*{0,2}\w+(?:, \*{0,2}\w+)*(?=:|$)", re.MULTILINE)

_ANY = re.compile(
    r"\b(?:" + "|".join(f"(?P<t{number}>{turn.pattern})" for number, turn in enumerate(TURNS)) + r")\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Passage:
    """A text that people read, and the line of its file at which it begins."""

    line: int
    text: str


@dataclass(frozen=True)
class Slip:
    """A turn to avoid that a file contains, and what to write instead."""

    line: int
    found: str
    instead: str


def slips(passages: Iterator[Passage]) -> list[Slip]:
    """The turns to avoid in some passages; names of parameters, fields in braces and words in backquotes pass."""
    found = []
    for passage in passages:
        text = " ".join(_CODE.sub("`…`", passage.text).split())
        for match in _ANY.finditer(text):
            found.append(Slip(passage.line, match[0], TURNS[int((match.lastgroup or "t0")[1:])].instead))
    return found


def passages(path: Path) -> Iterator[Passage]:
    """The texts of a file that people read: prose, docstrings, comments and strings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return _prose(text)
    return _of_python(text) if path.suffix == ".py" else _of_cython(text)


def _prose(text: str) -> Iterator[Passage]:
    """Paragraphs of Markdown, without blocks of code and addresses."""
    text = re.sub(r"^```.*?^```", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        yield Passage(line, paragraph)
        line += paragraph.count("\n")


def _of_python(text: str) -> Iterator[Passage]:
    """Comments, joined where they are on lines of their own, and all strings, docstrings among them."""
    comment, began, last = "", 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        if token.start[0] != last + 1:
            yield Passage(began, comment)
            comment, began = "", token.start[0]
        comment, last = f"{comment} {token.string.lstrip('# ')}", token.start[0]
    yield Passage(began, comment)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Passage(node.lineno, node.value)


def _of_cython(text: str) -> Iterator[Passage]:
    """Strings in three quotes, and comments, which Python's own parser cannot find in Cython."""
    comment, began, last = "", 0, 0
    for found in re.finditer(r'"""(.*?)"""|"[^"\n]*"|\'[^\'\n]*\'|#([^\n]*)', text, re.DOTALL):
        line = text.count("\n", 0, found.start()) + 1
        if found[1] is not None:
            yield Passage(line, found[1])
        elif found[2] is not None:
            if line != last + 1:
                yield Passage(began, comment)
                comment, began = "", line
            comment, last = f"{comment} {found[2]}", line
    yield Passage(began, comment)


def texts() -> list[Path]:
    """Every file with text for readers, by path."""
    found = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    found += [path for path in (ROOT / "docs").rglob("*.md") if path.name not in QUOTING]
    found += (ROOT / "resources" / "guide").glob("*.md")
    found += (ROOT / "explorer").rglob("*.py")
    found += (path for path in (ROOT / "_fastsa").iterdir() if path.suffix in {".py", ".pyi", ".pyx", ".pxd"})
    return sorted(found)


def problems() -> list[str]:
    """A line for each turn to avoid, with its file and line."""
    return [
        f"{path.relative_to(ROOT).as_posix()}:{slip.line}: “{slip.found}”; better: {slip.instead}"
        for path in texts()
        for slip in slips(passages(path))
    ]


if __name__ == "__main__":
    sys.exit("\n".join(problems()) or 0)

"""Texts with a word per line: CoNLL-U, and the vertical format of Sketch Engine and the Corpus Workbench."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from explorer.documents.content import Content
from explorer.documents.record import Document
from explorer.i18n import tr

_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?")
_NEW_PARAGRAPH = re.compile(r"#\s*newpar\b")
_NUMBER = re.compile(r"(\d+)(?:-(\d+)|(\.\d+))?")
_TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)((?:\s[^<>]*?)?)(/?)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_DOCUMENTS = ("doc", "text")
_PARAGRAPHS = ("p", "div", "head", "par", "lg")
_COLUMNS = 10
_LOOKED_AT = 50
_ENTITY = re.compile("&(?:lt|gt|amp|quot|apos);")


@dataclass
class _Text:
    """A document while its words are read."""

    metadata: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    before: str = ""
    problem: str = ""

    def word(self, form: str, space: str = " ") -> None:
        """A word, and what separates it from the next one."""
        if self.parts:
            self.parts.append(self.before)
        self.parts.append(form)
        self.before = space

    def paragraph(self) -> None:
        """A paragraph begins or ends."""
        self.before = "\n"

    def document(self, place: int) -> Document:
        """The document as it was read."""
        return Document("".join(self.parts), self.metadata, place, self.problem)


def begins_as_conllu(beginning: str) -> bool:
    """Whether the first line of a text that is not a comment has the ten columns of a word."""
    first = next((line for line in _lines(beginning) if line.strip() and not line.startswith("#")), "")
    columns = first.split("\t")
    return len(columns) == _COLUMNS and _NUMBER.fullmatch(columns[0]) is not None


def begins_as_vertical(beginning: str) -> bool:
    """Whether a text begins with the tag of a document or corpus on a line of its own, and words in columns follow."""
    first, *others = [line for line in _lines(beginning) if line.strip()][:_LOOKED_AT] or [""]
    tag = _TAG.fullmatch(first.strip())
    return tag is not None and tag[2] in (*_DOCUMENTS, "corpus") and any("\t" in line for line in others)


def read_conllu(content: Content) -> Iterator[Document]:
    """Read the running text of CoNLL-U; `# newdoc` begins a document."""
    for text in content.texts():
        found = _conllu(text)
        yield from (each.document(place) for place, each in enumerate(found))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _conllu(text: str) -> Iterator[_Text]:
    now, is_begun, inside = _Text(), False, 0
    for number, line in enumerate(_lines(text), 1):
        if line.startswith("#"):
            if new := _NEW_DOCUMENT.fullmatch(line):
                if is_begun:
                    yield now
                now, is_begun = _Text({"id": new[1].strip()} if new[1] else {}), True
            elif _NEW_PARAGRAPH.match(line):
                now.paragraph()
        elif not line.strip():
            inside = 0
        else:
            is_begun = True
            inside = _conllu_word(now, line.split("\t"), number, inside)
    if is_begun:
        yield now


def _conllu_word(now: _Text, cells: list[str], number: int, inside: int) -> int:
    """Add the word of a line, unless it is empty or a part of a longer one; returns the last number of the latter."""
    id_ = _NUMBER.fullmatch(cells[0])
    if id_ is None or len(cells) < 2:
        now.problem = now.problem or tr("line {line:,} is not a word of CoNLL-U", line=number)
        return inside
    if id_[3] or (not id_[2] and int(id_[1]) <= inside):
        return inside
    is_joined = len(cells) > 9 and "SpaceAfter=No" in cells[9].rstrip().split("|")
    now.word(cells[1], "" if is_joined else " ")
    return int(id_[2]) if id_[2] else inside


def read_vertical(content: Content) -> Iterator[Document]:
    """Read the running text of a vertical file; `<doc>` or `<text>` begins a document with its attributes."""
    for text in content.texts():
        yield from (each.document(place) for place, each in enumerate(_vertical(text)))


def _vertical(text: str) -> Iterator[_Text]:
    now, element = _Text(), ""
    for line in _lines(text):
        tag = _TAG.fullmatch(line.rstrip())
        if tag is None:
            form = line.partition("\t")[0].strip()
            if form:
                now.word(_ENTITY.sub(lambda found: html.unescape(found[0]), form))
            continue
        name = tag[2].lower()
        # Of a text inside a document, or the other way round, the outer one is a document.
        if name in _DOCUMENTS and name == (element or name):
            element = name
            if now.parts or (tag[1] and now.metadata):
                yield now
            now = _Text({} if tag[1] else _attributes(tag[3]))
        elif name == "g":
            now.before = ""
        elif name in _PARAGRAPHS:
            now.paragraph()
    if now.parts or now.metadata:
        yield now


def _attributes(text: str) -> dict[str, str]:
    return {found[1]: html.unescape(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(text)}

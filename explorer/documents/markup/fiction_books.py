"""Electronic books in FictionBook (FB2): the text between the tags, with the notes after it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate

from explorer.documents.chapters import Headed, Heading
from explorer.documents.content import Content
from explorer.documents.markup.html_pages import WITHOUT_MARKUP
from explorer.documents.markup.xml_documents import XmlText, collected
from explorer.documents.record import Document

ENDINGS = (".fb2",)
_ROOT = re.compile(r"<(?:\w+:)?FictionBook[\s>]")
_WITHIN = 1 << 15
"""Characters at the beginning that have the description of the book; a picture of the cover is at the end."""
_NAMES = ("first-name", "middle-name", "last-name")
_TAG = re.compile(r"<[^>]*>")
_DATE = re.compile(r"<date\s[^>]*?value\s*=\s*[\"']([^\"']+)")


def read(content: Content) -> Iterator[Document]:
    """Read the text of a book."""
    for text in content.texts():
        content.note(WITHOUT_MARKUP, "")
        yield from collected(text, _Book).headed(_metadata(text[:_WITHIN])).documents(content.reading.per)


class _Book(XmlText):
    """The text of a book with the titles of its sections; a body after the first one, of notes, is one chapter."""

    def __init__(self, inline: frozenset[str], unseen: frozenset[str]) -> None:
        super().__init__(inline, unseen)
        self._bodies = self._depth_of_sections = 0
        self._begun: list[tuple[int, int]] = []
        self._titles: dict[int, tuple[int, int]] = {}
        self._title = -1

    def start(self, tag: str, joined: bool = False) -> None:
        """An element begins."""
        name = tag.rpartition(":")[2]
        self._bodies += name == "body"
        self._depth_of_sections += name == "section"
        if (name == "section" and self._bodies == 1) or (name == "body" and self._bodies > 1):
            self._begun.append((max(1, self._depth_of_sections), len(self.parts)))
        is_note = self._bodies > 1 and self._depth_of_sections
        if name == "title" and self._begun and not is_note and len(self._begun) - 1 not in self._titles:
            self._title = len(self.parts)
        super().start(tag, joined)

    def end(self, tag: str) -> None:
        """An element ends."""
        name = tag.rpartition(":")[2]
        self._depth_of_sections -= name == "section"
        if name == "title" and self._title >= 0:
            self._titles[len(self._begun) - 1] = (self._title, len(self.parts))
            self._title = -1
        super().end(tag)

    def headed(self, metadata: Mapping[str, str]) -> Headed:
        """The text of the book, with a heading for each section."""
        places = [0, *accumulate(map(len, self.parts))]
        headings = [
            Heading(level, places[begin], self._words(*self._titles.get(number, (0, 0))))
            for number, (level, begin) in enumerate(self._begun)
        ]
        return Headed("".join(self.parts), headings, metadata=metadata)

    def _words(self, begin: int, end: int) -> str:
        return " ".join("".join(self.parts[begin:end]).split())


def begins_as_fb2(beginning: str) -> bool:
    """Whether a text begins as a book does."""
    return _ROOT.search(beginning) is not None and beginning.lstrip().startswith("<")


def _metadata(beginning: str) -> dict[str, str]:
    """What the book states about itself, not about its file or its original."""
    about = beginning.partition("<title-info>")[2].partition("</title-info>")[0]
    names = [_name(author.partition("</author>")[0]) for author in about.split("<author>")[1:]]
    date = _DATE.search(about)
    found = {
        "title": _element(about, "book-title"),
        "author": "; ".join(filter(None, names)),
        "date": html.unescape(date[1]) if date else _element(about, "date"),
        "language": _element(about, "lang"),
    }
    return {name: value for name, value in found.items() if value}


def _name(author: str) -> str:
    parts = [_element(author, name) for name in _NAMES]
    return " ".join(filter(None, parts)) or _element(author, "nickname")


def _element(markup: str, name: str) -> str:
    found = re.search(rf"<{name}(?:\s[^>]*)?>(.*?)</{name}>", markup, re.DOTALL)
    return " ".join(html.unescape(_TAG.sub("", found[1])).split()) if found else ""

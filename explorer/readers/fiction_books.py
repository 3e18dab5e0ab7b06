"""Electronic books in FictionBook (FB2): the text between the tags, with the notes after it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from explorer.readers.content import Content
from explorer.readers.html_pages import WITHOUT_MARKUP
from explorer.readers.record import Document
from explorer.readers.xml_documents import xml_text

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
        yield Document(xml_text(text), _metadata(text[:_WITHIN]))


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

"""Dumps of wikis: the articles in the XML that MediaWiki exports, without markup.

A dump is parsed while it is read, so that memory does not grow with its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from explorer.core.files.streams import BrokenStreamError, chunks
from explorer.documents.content import Content
from explorer.documents.record import Document
from explorer.documents.skipped import OTHER_PAGES, REDIRECTS
from explorer.documents.web.wikitext import USUAL_NAMES, plain_text
from explorer.i18n import tr

_MOST_TEXT = 1 << 24
"""Characters of a page: MediaWiki saves up to 2 MB."""
_MOST_FIELD, _MOST_NAME = 1 << 16, 100
_MOST_TAG = 1 << 22
"""Bytes of a tag or comment, which the parser holds until its end."""
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?<mediawiki[\s>]")
_ARTICLES = "0"
_FILES, _CATEGORIES = "6", "14"


def is_dump(head: bytes, name: str) -> bool:
    """Whether a file begins with the root of MediaWiki's export."""
    del name
    return _BEGINS.match(head) is not None


def read(content: Content) -> Iterator[Document]:
    """Read the articles of a dump; redirects and pages of other namespaces are counted."""
    dump = _Dump()
    place = 0
    for part in chunks(content.stream):
        content.reached()
        for page in dump.fed(part):
            yield replace(_document(page, dump), place=place)
            place += 1
    dump.end()


def _document(page: _Page, dump: _Dump) -> Document:
    title = page.get("title")
    if reason := _why_no_article(page):
        return Document("", problem=f"{reason}: {title}", skipped=OTHER_PAGES)
    if page.is_redirect:
        return Document("", problem=title or tr("a page without a title"), skipped=REDIRECTS)
    found = {name: page.get(name) for name in ("title", "id", "timestamp")}
    metadata = {**found, "language": dump.language}
    text = plain_text(page.get("text"), dump.without_text)
    return Document(text, {name: value for name, value in metadata.items() if value})


def _why_no_article(page: _Page) -> str:
    """Why a page is not an article; "" if it is one."""
    if page.get("ns") not in ("", _ARTICLES):
        return tr("namespace {name}", name=page.get("ns"))
    if page.get("model") not in ("", "wikitext"):
        return tr("content of the model {name}", name=page.get("model"))
    if page.sizes.get("text", 0) > _MOST_TEXT:
        return tr("it has more than {most} million characters", most=_MOST_TEXT >> 20)
    return ""


@dataclass
class _Page:
    """A page while it is read: its fields by their names, and those of its last revision."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    is_redirect: bool = False

    def add(self, name: str, text: str) -> None:
        most = _MOST_TEXT if name == "text" else _MOST_FIELD
        size = self.sizes[name] = self.sizes.get(name, 0) + len(text)
        if size <= most:
            self.fields.setdefault(name, []).append(text)
        elif name in self.fields:
            self.fields[name].clear()

    def clear(self, name: str) -> None:
        self.fields.pop(name, None)
        self.sizes.pop(name, None)

    def get(self, name: str) -> str:
        return "".join(self.fields.get(name, ())).strip()


_OF_PAGE = {"title", "ns", "id"}
_OF_REVISION = {"timestamp", "model", "text"}


class _Dump:
    """The pages of a dump, as far as it has been fed."""

    def __init__(self) -> None:
        self.language = ""
        self._names = {_FILES: "", _CATEGORIES: ""}
        self._in_namespace = ""
        self._path: list[str] = []
        self._page = _Page()
        self._pages: list[_Page] = []
        self._fed = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._parser.StartDoctypeDeclHandler = self._refuse_entities

    @property
    def without_text(self) -> frozenset[str]:
        """The names that files and categories have in this wiki."""
        return USUAL_NAMES | {name.strip().lower() for name in self._names.values() if name.strip()}

    def fed(self, data: bytes) -> list[_Page]:
        """The pages that end in these bytes."""
        self._pages = []
        self._parse(data, False)
        self._fed += len(data)
        if self._fed - self._parser.CurrentByteIndex > _MOST_TAG:
            raise BrokenStreamError(tr("is damaged: it has a tag of more than {most} MB", most=_MOST_TAG >> 20), False)
        return self._pages

    def end(self) -> None:
        """Require that nothing is missing."""
        self._parse(b"", True)

    def _parse(self, data: bytes, is_end: bool) -> None:
        try:
            self._parser.Parse(data, is_end)
        except expat.ExpatError as error:
            if is_end:
                raise BrokenStreamError(tr("is cut short: it ends within the XML of the dump"), True) from error
            raise BrokenStreamError(
                tr("is damaged: it is not well-formed XML ({error})", error=error), False
            ) from error

    def _refuse_entities(self, *_: object) -> None:
        raise BrokenStreamError(tr("is damaged: it declares a document type, which dumps do not have"), False)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = len(self._path)
        self._path.append(name if depth < 5 else "")
        if depth == 0:
            self.language = attributes.get("xml:lang", "")[:40]
        elif name == "page" and depth == 1:
            self._page = _Page()
        elif name == "redirect" and depth == 2:
            self._page.is_redirect = True
        elif name == "revision" and depth == 2:
            # Of a dump with the history of pages, the last revision in the file is read.
            for each in _OF_REVISION:
                self._page.clear(each)
        elif name == "namespace" and depth == 3:
            self._in_namespace = attributes.get("key", "")

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == "page" and len(self._path) == 1:
            self._pages.append(self._page)
            self._page = _Page()
        self._in_namespace = ""

    def _data(self, text: str) -> None:
        depth = len(self._path)
        name = self._path[-1] if self._path else ""
        if depth == 4 and name in _OF_REVISION and self._path[1:3] == ["page", "revision"]:
            self._page.add(name, text)
        elif self._in_namespace in self._names:
            self._names[self._in_namespace] = (self._names[self._in_namespace] + text)[:_MOST_NAME]
        elif depth == 3 and name in _OF_PAGE and self._path[1] == "page":
            self._page.add(name, text)

"""Electronic books (EPUB): the pages of a book in reading order, without its table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from explorer.core.files.encoding import NotTextError, decode_text
from explorer.core.files.signatures import BOOK, is_format
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.chapters import Headed, Heading
from explorer.documents.content import PEEKED, Content
from explorer.documents.declared import declared_set
from explorer.documents.markup.html_pages import html_pieces
from explorer.documents.office.properties import Properties
from explorer.documents.office.xml_parts import Attributes, Begin, End, PartError, PartReader, value_of
from explorer.documents.office.zip_package import ZipPackage
from explorer.documents.read_settings import CHAPTER
from explorer.documents.record import Document

ENDINGS = (".epub",)
is_epub = is_format(BOOK, ENDINGS)
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FIELDS = {"dc:title": "title", "dc:creator": "author", "dc:date": "date", "dc:language": "language"}
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml")
_OLD_CONTENTS = "application/x-dtbncx+xml"
_BETWEEN = "\n\n"
_OF_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""How fonts are changed, so that nobody takes them out of a book: no copy protection of its text."""


def read(content: Content) -> Iterator[Document]:
    """Read the text of a book."""
    with ZipPackage(content, "EPUB") as package:
        book = _book_of(package)
        per = content.reading.per
        entries = _contents(package, book) if per == CHAPTER else []
        text = _Joined()
        try:
            for name, page in _pages(package, book.pages()):
                text.add(page, [entry for entry in entries if entry.page == name])
        except BrokenStreamError:
            if content.skip_bad and text.parts:
                yield from text.headed(book.stated()).documents(per)
            raise
        yield from text.headed(book.stated()).documents(per)


def refuse_locked(content: Content) -> None:
    """Raise NotTextError for a book with copy protection; reading a damaged one reports what is wrong."""
    with suppress(BrokenStreamError), ZipPackage(content, "EPUB") as package:
        if _ENCRYPTION in package:
            locked = _locked(package)
            if any(name in locked for name in _book_of(package).pages()):
                raise package.protected()


def _book_of(package: ZipPackage) -> _Book:
    container = _Container()
    _read_part(package, _CONTAINER, container)
    book = _Book(posixpath.dirname(container.path))
    _read_part(package, container.path, book)
    return book


def _locked(package: ZipPackage) -> set[str]:
    """The names of the files in a book that are encrypted."""
    encryption = _Encryption()
    if _ENCRYPTION in package:
        _read_part(package, _ENCRYPTION, encryption)
    return encryption.names


@dataclass(frozen=True)
class _Entry:
    """An entry of the table of contents: its level, from 1, and where it leads."""

    level: int
    page: str
    anchor: str
    title: str


class _Joined:
    """The text of the pages, with the headings that the table of contents has."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._headings: list[Heading] = []
        self._size = 0

    def add(self, page: str, entries: Sequence[_Entry]) -> None:
        """Add a page; `entries`: what leads to it."""
        for anchor, text in html_pieces(page, {entry.anchor for entry in entries} - {""}):
            self._headings += [
                Heading(entry.level, self._size, entry.title) for entry in entries if entry.anchor == anchor
            ]
            if text:
                self.parts.append(text)
                self._size += len(text) + len(_BETWEEN)

    def headed(self, metadata: Mapping[str, str]) -> Headed:
        """The text of the book."""
        return Headed(_BETWEEN.join(self.parts), self._headings, metadata=metadata)


def _contents(package: ZipPackage, book: _Book) -> list[_Entry]:
    """The table of contents; each page is an entry if the book has none."""
    for name in book.contents:
        if name in package:
            found = _Contents(posixpath.dirname(name))
            _read_part(package, name, found)
            if found.entries:
                return found.entries
    return [_Entry(1, page, "", "") for page in book.pages()]


def _pages(package: ZipPackage, names: list[str]) -> Iterator[tuple[str, str]]:
    locked = _locked(package)
    for name in names:
        if name in locked:
            raise package.protected()
        data = package.read(name)
        try:
            text = decode_text(data, declared=declared_set(data[:PEEKED], ".xhtml")).text
        except NotTextError as error:
            raise package.broken(f"{name}: {error}") from error
        yield name, text


def _read_part(package: ZipPackage, name: str, reader: PartReader) -> None:
    try:
        reader.read(package.chunks(name))
    except PartError as error:
        raise package.broken(f"{name}: {error}") from error


class _Container(PartReader):
    """The path of the file that lists the pages of the book; the first one if there are several."""

    def __init__(self) -> None:
        super().__init__()
        self.path = ""

    def _add(self, attributes: Attributes) -> None:
        self.path = self.path or value_of(attributes, "full-path")

    begins: Mapping[str, Begin] = {"rootfile": _add}


class _Book(Properties):
    """What a book states about itself, and its pages."""

    def __init__(self, folder: str) -> None:
        super().__init__(_FIELDS)
        self._folder = folder
        self._names: dict[str, str] = {}
        self._order: list[str] = []
        self.contents: list[str] = []
        self.begins = {**self.begins, "opf:item": _Book._add, "opf:itemref": _Book._show}

    def _add(self, attributes: Attributes) -> None:
        is_contents = "nav" in value_of(attributes, "properties").split()
        kind, name = value_of(attributes, "media-type"), _address(self._folder, value_of(attributes, "href"))[0]
        if is_contents or kind == _OLD_CONTENTS:
            self.contents.insert(0 if is_contents else len(self.contents), name)
        elif kind in _PAGES:
            self._names[value_of(attributes, "id")] = name

    def _show(self, attributes: Attributes) -> None:
        self._order.append(value_of(attributes, "idref"))

    def pages(self) -> list[str]:
        """The names of the pages in reading order, each once."""
        return list(dict.fromkeys(self._names[id] for id in self._order if id in self._names))


def _address(folder: str, link: str) -> tuple[str, str]:
    """The name of the file to which a link leads, and the anchor in it."""
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/"), unquote(anchor)


class _Contents(PartReader):
    """The entries of a table of contents, of EPUB 3 (a page with lists) or of EPUB 2 (NCX)."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.entries: list[_Entry] = []
        self._folder = folder
        self._level = 0
        self._title: list[str] = []
        self._link = ""

    def text(self, text: str) -> None:
        """Take a piece of a title."""
        self._title.append(text)

    def _begin_nav(self, attributes: Attributes) -> bool:
        """Lists of pages and of landmarks are not read."""
        return value_of(attributes, "type", "toc") != "toc"

    def _deeper(self, _: Attributes) -> None:
        self._level += 1

    def _higher(self) -> None:
        self._level -= 1

    def _begin_title(self, attributes: Attributes) -> None:
        self._title, self.takes_text = [], True
        self._link = value_of(attributes, "href")

    def _end_title(self) -> None:
        self.takes_text = False

    def _end_link(self) -> None:
        self._end_title()
        self._add()

    def _lead(self, attributes: Attributes) -> None:
        self._link = value_of(attributes, "src")
        self._add()

    def _add(self) -> None:
        # The title of the whole table is outside of its lists.
        if self._level and self._link:
            page, anchor = _address(self._folder, self._link)
            self.entries.append(_Entry(self._level, page, anchor, " ".join("".join(self._title).split())))

    unread = frozenset({"pageList", "navList"})
    begins: Mapping[str, Begin] = {
        "nav": _begin_nav,
        "ol": _deeper,
        "navPoint": _deeper,
        "a": _begin_title,
        "text": _begin_title,
        "content": _lead,
    }
    ends: Mapping[str, End] = {
        "ol": _higher,
        "navPoint": _higher,
        "a": _end_link,
        "text": _end_title,
    }


class _Encryption(PartReader):
    """The names of the files of a book that are encrypted."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self._is_of_fonts = False

    def _choose(self, attributes: Attributes) -> None:
        self._is_of_fonts = value_of(attributes, "Algorithm") in _OF_FONTS

    def _add(self, attributes: Attributes) -> None:
        if not self._is_of_fonts:
            self.names.add(unquote(value_of(attributes, "URI")))

    begins: Mapping[str, Begin] = {"EncryptionMethod": _choose, "CipherReference": _add}

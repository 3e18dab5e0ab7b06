"""Electronic books (EPUB): the pages of a book in reading order, without its table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from explorer.files.encoding import NotTextError, decode_text
from explorer.files.signatures import BOOK, is_format
from explorer.files.streams import BrokenStreamError
from explorer.readers.content import PEEKED, Content
from explorer.readers.declared import declared_set
from explorer.readers.html_pages import html_text
from explorer.readers.properties import Properties
from explorer.readers.record import Document
from explorer.readers.xml_parts import Attributes, Begin, PartError, PartReader, value_of
from explorer.readers.zip_package import ZipPackage

ENDINGS = (".epub",)
is_epub = is_format(BOOK, ENDINGS)
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FIELDS = {"dc:title": "title", "dc:creator": "author", "dc:date": "date", "dc:language": "language"}
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml")
_OF_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""How fonts are changed, so that nobody takes them out of a book: no copy protection of its text."""


def read(content: Content) -> Iterator[Document]:
    """Read the text of a book."""
    with ZipPackage(content, "EPUB") as package:
        container = _Container()
        _read_part(package, _CONTAINER, container)
        book = _Book(posixpath.dirname(container.path))
        _read_part(package, container.path, book)
        texts: list[str] = []
        try:
            texts.extend(_pages(package, book.pages()))
        except BrokenStreamError:
            if content.skip_bad and any(texts):
                yield Document("\n\n".join(filter(None, texts)), book.stated())
            raise
        yield Document("\n\n".join(filter(None, texts)), book.stated())


def _pages(package: ZipPackage, names: list[str]) -> Iterator[str]:
    encryption = _Encryption()
    if _ENCRYPTION in package:
        _read_part(package, _ENCRYPTION, encryption)
    for name in names:
        if name in encryption.names:
            raise package.protected()
        data = package.read(name)
        try:
            text = decode_text(data, declared=declared_set(data[:PEEKED], ".xhtml")).text
        except NotTextError as error:
            raise package.broken(f"{name}: {error}") from error
        yield html_text(text)


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
        self.begins = {**self.begins, "opf:item": _Book._add, "opf:itemref": _Book._show}

    def _add(self, attributes: Attributes) -> None:
        is_contents = "nav" in value_of(attributes, "properties").split()
        if value_of(attributes, "media-type") in _PAGES and not is_contents:
            path = unquote(value_of(attributes, "href").partition("#")[0])
            name = posixpath.normpath(posixpath.join("/", self._folder, path)).lstrip("/")
            self._names[value_of(attributes, "id")] = name

    def _show(self, attributes: Attributes) -> None:
        self._order.append(value_of(attributes, "idref"))

    def pages(self) -> list[str]:
        """The names of the pages in reading order, each once."""
        return list(dict.fromkeys(self._names[id] for id in self._order if id in self._names))


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

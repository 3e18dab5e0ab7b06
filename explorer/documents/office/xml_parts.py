"""Parts of documents in XML: what is done at the beginning and the end of each element, and with its text.

Parts declare no entities, as the formats of office documents demand. Nothing is loaded from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.parsers import expat

from explorer.i18n import tr

Attributes = Mapping[str, str]
Begin = Callable[[Any, Attributes], object]
"""Called with the reader and the attributes; if it returns true, nothing of the element is read."""
End = Callable[[Any], object]

_OPEN_XML = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    f"{_OPEN_XML}wordprocessingml/2006/main": "w",
    f"{_STRICT}wordprocessingml/main": "w",
    f"{_OPEN_XML}drawingml/2006/main": "a",
    f"{_STRICT}drawingml/main": "a",
    f"{_OPEN_XML}drawingml/2006/diagram": "dgm",
    f"{_STRICT}drawingml/diagram": "dgm",
    f"{_OPEN_XML}presentationml/2006/main": "p",
    f"{_STRICT}presentationml/main": "p",
    f"{_OPEN_XML}officeDocument/2006/math": "m",
    f"{_STRICT}officeDocument/math": "m",
    f"{_OPEN_XML}markup-compatibility/2006": "mc",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://www.idpf.org/2007/opf": "opf",
    "http://www.gribuser.ru/xml/fictionbook/2.0": "fb",
    **{
        f"{_OPEN_DOCUMENT}{name}:1.0": name
        for name in ("office", "text", "table", "presentation", "meta", "manifest", "script", "form")
    },
    f"{_OPEN_DOCUMENT}drawing:1.0": "draw",
    f"{_OPEN_DOCUMENT}svg-compatible:1.0": "svg",
}


class PartError(ValueError):
    """A part that is not well-formed XML, or declares entities."""


class PartReader:
    """What is done with the elements of a part; names have the usual prefix of their namespace.

    begins: What is done where an element begins.
    ends: What is done where an element ends.
    unread: Elements of which nothing is read.
    takes_text: Whether text is taken now.
    """

    begins: Mapping[str, Begin] = {}
    ends: Mapping[str, End] = {}
    unread: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.takes_text = False

    def text(self, text: str) -> None:
        """Take text."""
        raise NotImplementedError

    def read(self, parts: Iterable[bytes]) -> None:
        """Read a part.

        Raises `PartError` if it is not well-formed XML, or declares entities. What precedes the fault has been read.
        """
        parser = expat.ParserCreate(namespace_separator=" ")
        walk = _Walk(self)
        parser.buffer_text = True
        parser.StartElementHandler = walk.start
        parser.EndElementHandler = walk.end
        parser.CharacterDataHandler = walk.data
        parser.EntityDeclHandler = parser.SkippedEntityHandler = _refuse
        try:
            for piece in parts:
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        except (expat.ExpatError, LookupError, UnicodeError) as error:
            # The declared character set is unknown, or one that the parser cannot use.
            raise PartError(str(error)) from error


def value_of(attributes: Attributes, name: str, otherwise: str = "") -> str:
    """Find an attribute, whatever its namespace is.

    name: The name without a prefix.
    otherwise: The value if the element does not have it.
    """
    return next((value for full, value in attributes.items() if full.rpartition(" ")[2] == name), otherwise)


def _short_name(full: str) -> str:
    """The name of an element with the usual prefix of its namespace; none for other namespaces."""
    namespace, _, name = full.rpartition(" ")
    prefix = _PREFIXES.get(namespace, "")
    return f"{prefix}:{name}" if prefix else name


def _nothing(*_: object) -> None:
    """Nothing is done."""


def _skip(*_: object) -> bool:
    """Nothing of the element is read."""
    return True


def _refuse(name: str, *_: object) -> None:
    raise PartError(tr('it has the entity "{name}", which such files never have', name=name))


class _Walk:
    """The elements of a part, in order: those in which nothing is read are counted, to find their end."""

    def __init__(self, reader: PartReader) -> None:
        self._reader = reader
        self._unread = 0
        self._begins: dict[str, Begin] = {}
        self._ends: dict[str, End] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        if self._unread:
            self._unread += 1
            return
        begin = self._begins.get(name)
        if begin is None:
            begin = self._begins[name] = self._begin_of(_short_name(name))
        if begin(self._reader, attributes):
            self._unread = 1

    def _begin_of(self, name: str) -> Begin:
        return _skip if name in self._reader.unread else self._reader.begins.get(name, _nothing)

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
            return
        end = self._ends.get(name)
        if end is None:
            end = self._ends[name] = self._reader.ends.get(_short_name(name), _nothing)
        end(self._reader)

    def data(self, text: str) -> None:
        if self._reader.takes_text and not self._unread:
            self._reader.text(text)

"""Parallel texts (TMX, XLIFF): the segments of one language, each with its id and dates.

Without a choice, the language is the one of the first segment with text, which is the source of the translations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from explorer.documents.content import Content
from explorer.documents.damaged import broken_file
from explorer.documents.markup.markup import root_of
from explorer.documents.markup.xml_documents import parse_xml
from explorer.documents.record import Document
from explorer.i18n import mark, tr

ENDINGS = (".tmx", ".xlf", ".xliff", ".sdlxliff", ".mqxliff")
OTHER_LANGUAGES = mark("files of which one language is read")
_ROOTS = ("tmx", "xliff")
_TEXTS = ("seg", "source", "target")
_UNITS = ("tu", "trans-unit", "unit")
_CODES = ("bpt", "ept", "ph", "it", "ut", "alt-trans", "matches", "ignorable", "seg-source", "note", "notes", "header")
"""Elements without text of a segment: formatting of other programs, proposals, and what is between segments."""
_DATES = {"creationdate": "date", "changedate": "changed"}
_BASIC = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z")


def read(content: Content) -> Iterator[Document]:
    """Read the segments of one language."""
    for text in content.texts():
        found = _Segments()
        try:
            parse_xml(text, found.start, found.end, found.data)
        except expat.ExpatError as error:
            yield from _of_language(content, found.segments)
            raise broken_file(_name_of(text), error) from error
        yield from _of_language(content, found.segments)


def begins_as_parallel(beginning: str) -> bool:
    """Whether the first element is that of TMX or XLIFF."""
    return beginning.lstrip()[:1] == "<" and root_of(beginning)[0] in _ROOTS


def _name_of(text: str) -> str:
    return "XLIFF" if root_of(text)[0] == "xliff" else "TMX"


def _of_language(content: Content, segments: list[_Segment]) -> Iterator[Document]:
    languages = list(dict.fromkeys(segment.language for segment in segments))
    wanted = content.reading.language or (languages[0] if languages else "")
    chosen = [segment for segment in segments if is_language(segment.language, wanted)]
    others = [name for name in languages if not is_language(name, wanted)]
    if others:
        shown = tr("{language}, and not {others}", language=wanted or tr("unknown"), others=", ".join(others))
        content.note(OTHER_LANGUAGES, shown)
    for place, segment in enumerate(chosen):
        yield Document(segment.text, segment.metadata, place)


def is_language(code: str, wanted: str) -> bool:
    """Whether a language is the wanted one, or a variety of it.

    Examples
    --------
    >>> is_language("de-AT", "DE"), is_language("den", "de")
    (True, False)
    """
    code, wanted = code.lower().replace("_", "-"), wanted.lower().replace("_", "-")
    return code == wanted or (bool(wanted) and code.startswith(f"{wanted}-"))


@dataclass(frozen=True)
class _Segment:
    """A segment in one language."""

    language: str
    text: str
    metadata: dict[str, str]


@dataclass
class _Segments:
    """The segments while the elements of a document are met."""

    segments: list[_Segment] = field(default_factory=list)
    _languages: dict[str, str] = field(default_factory=dict)
    _unit: dict[str, str] = field(default_factory=dict)
    _about: dict[str, str] = field(default_factory=dict)
    _parts: list[str] | None = None
    _unseen: int = 0
    _file: str = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition(":")[2]
        if self._unseen or name in _CODES:
            self._unseen += 1
            return
        if name in ("xliff", "file"):
            self._begin_file(name, attributes)
        elif name in _UNITS:
            self._unit = self._about = {**self._file_facts(), **_facts(attributes)}
        elif name == "tuv":
            self._languages["seg"] = attributes.get("xml:lang") or attributes.get("lang", "")
            self._about = {**self._unit, **_facts(attributes)}
        elif name in _TEXTS:
            self._parts = []

    def _begin_file(self, name: str, attributes: dict[str, str]) -> None:
        for role, names in (("source", ("srcLang", "source-language")), ("target", ("trgLang", "target-language"))):
            if found := next((attributes[each] for each in names if each in attributes), ""):
                self._languages[role] = found
        if name == "file":
            self._file = attributes.get("original", "")

    def _file_facts(self) -> dict[str, str]:
        return {"file": self._file} if self._file else {}

    def end(self, tag: str) -> None:
        """An element ends."""
        if self._unseen:
            self._unseen -= 1
            return
        name = tag.rpartition(":")[2]
        if name in _TEXTS and self._parts is not None:
            text = " ".join("".join(self._parts).split())
            language = self._languages.get(name, "")
            if text:
                self.segments.append(_Segment(language, text, {**self._about, "language": language}))
            self._parts = None

    def data(self, text: str) -> None:
        """Text between tags."""
        if self._parts is not None and not self._unseen:
            self._parts.append(text)


def _facts(attributes: dict[str, str]) -> dict[str, str]:
    """Id and dates of a unit."""
    found = {}
    if number := attributes.get("tuid") or attributes.get("id"):
        found["id"] = number
    for name, field_name in _DATES.items():
        if name in attributes:
            found[field_name] = _BASIC.sub(r"\1-\2-\3T\4:\5:\6Z", attributes[name])
    return found

"""Packages of Office Open XML (DOCX, PPTX): relations, properties, and alternatives of content."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from explorer.documents.office.blocks import BlockReader
from explorer.documents.office.properties import Properties
from explorer.documents.office.xml_parts import Attributes, Begin, End, PartError, PartReader, value_of
from explorer.documents.office.zip_package import ZipPackage

_OF_PACKAGE = ""
_DOCUMENT, _PROPERTIES = "officeDocument", "core-properties"


@dataclass(frozen=True)
class Relation:
    """A part to which another part refers.

    id: The id by which the other part names it.
    type: The last word of its type, such as "footnotes".
    """

    id: str
    type: str
    part: str


class OpenXml:
    """A package of Office Open XML."""

    def __init__(self, package: ZipPackage) -> None:
        self.package = package

    def main_part(self, usual: str) -> str:
        """Find the part with the text.

        usual: The name that it usually has, for packages that do not name it.
        Raises `BrokenStreamError` if the list of parts is damaged.
        """
        return next((found.part for found in self.relations(_OF_PACKAGE) if found.type == _DOCUMENT), usual)

    def relations(self, part: str) -> list[Relation]:
        """Find the parts to which a part refers; addresses outside the package are excluded.

        part: The name of the part; "" for the package.
        Raises `BrokenStreamError` if the list of relations is damaged.
        """
        folder, name = posixpath.split(part)
        where = posixpath.join(folder, "_rels", f"{name}.rels")
        if where not in self.package:
            return []
        found = _Relations(folder)
        self.read(where, found)
        return found.found

    def read(self, part: str, reader: PartReader) -> None:
        """Read a part.

        Raises `BrokenStreamError` if the part is missing or damaged. What precedes the damage has been read.
        """
        try:
            reader.read(self.package.chunks(part))
        except PartError as error:
            raise self.package.broken(f"{part}: {error}") from error

    def metadata(self) -> dict[str, str]:
        """Read what the document states about itself.

        Returns: The title, the author, the date and the language, as far as they are stated.
        Raises `BrokenStreamError` if the part with the properties is damaged.
        """
        found = Properties(
            {"dc:title": "title", "dc:creator": "author", "dcterms:created": "date", "dc:language": "language"}
        )
        for relation in self.relations(_OF_PACKAGE):
            if relation.type == _PROPERTIES and relation.part in self.package:
                self.read(relation.part, found)
        return found.stated()


class _Relations(PartReader):
    def __init__(self, folder: str) -> None:
        super().__init__()
        self.found: list[Relation] = []
        self._folder = folder

    def add(self, attributes: Attributes) -> None:
        if value_of(attributes, "TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", self._folder, value_of(attributes, "Target")))
            kind = value_of(attributes, "Type").rpartition("/")[2]
            self.found.append(Relation(value_of(attributes, "Id"), kind, target.lstrip("/")))

    # Its namespace has no usual prefix.
    begins: Mapping[str, Begin] = {"Relationship": add}


class WithAlternatives(BlockReader):
    """Reads the first of several alternatives, such as a text box and its copy for older programs."""

    def __init__(self) -> None:
        super().__init__()
        self._chosen: list[bool] = []

    def _begin_alternatives(self, _: Attributes) -> None:
        self._chosen.append(False)

    def _choose(self, _: Attributes) -> bool:
        """Whether an alternative is not read."""
        if not self._chosen:
            return False
        was_chosen, self._chosen[-1] = self._chosen[-1], True
        return was_chosen

    def _end_alternatives(self) -> None:
        self._chosen.pop()

    begins: Mapping[str, Begin] = {
        "mc:AlternateContent": _begin_alternatives,
        "mc:Choice": _choose,
        "mc:Fallback": _choose,
    }
    ends: Mapping[str, End] = {"mc:AlternateContent": _end_alternatives}

"""How files become texts, where a person may choose: declared once for the library, the commands and the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.derive.kinds import Choice, Flag, Text
from explorer.derive.question import Question, setting
from explorer.i18n import mark

FILE, CHAPTER, CUE = "file", "chapter", "cue"


@dataclass(frozen=True)
class ReadSettings(Question):
    """How files become texts."""

    title: ClassVar = mark("Reading of files")

    per: str = setting(
        FILE,
        Choice({FILE: mark("File"), CHAPTER: mark("Chapter"), CUE: mark("Cue")}),
        mark("A document per"),
        mark("one document per file, per chapter of books and documents with headings, or per cue of subtitles"),
    )
    keep_headers: bool = setting(
        False,
        Flag(),
        mark("Keep running headers"),
        mark("keep running headers, footers and page numbers of PDF documents"),
    )
    fix_encoding: bool = setting(
        False,
        Flag(),
        mark("Repair wrongly decoded lines"),
        mark("repair lines that were decoded in a wrong character set before they were stored, such as cafÃ© for café"),
    )
    ids: str = setting(
        "",
        Text(metavar="TYPE"),
        mark("Type of token ids"),
        mark("type of the token ids in .bin files that have no .idx file, such as uint16"),
    )
    eos: str = setting(
        "",
        Text(metavar="T"),
        mark("End of documents"),
        mark("token that ends a document in a row of token ids, or its id"),
    )
    language: str = setting(
        "",
        Text(metavar="CODE"),
        mark("Language"),
        mark("language that is read of TMX and XLIFF; the first one if there is none"),
    )

    @property
    def parameters(self) -> dict[str, Any]:
        """The settings that differ from their defaults, as an index records them."""
        return {each.name: each.kind.saved(value) for each, value in self.changed()}


AS_USUAL = ReadSettings()

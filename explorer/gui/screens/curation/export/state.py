"""What the tab of exports shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.gui.asking.state import TabState
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell, percent
from explorer.gui.presenting.hints import no_index
from explorer.gui.screens.curation.export.handed import Handed
from explorer.gui.screens.curation.export.work import MOST_ROWS, ExportAnswer, ExportRule, Preview
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr, trn

HEADER = (mark("Document"), mark("Why"), mark("Tokens"), mark("Cuts"), mark("Tokens cut"))
TIPS = (
    mark("The number of the document"),
    mark("What found the cuts"),
    mark("Tokens of the whole document"),
    mark("How many parts of it go"),
    mark("Tokens that go, and their share of the document"),
)
FORMATS = {
    "cleaned": (mark("Cleaned texts"), mark("The rows of the source without what is cut, as JSON Lines or Parquet")),
    "annotated": (
        mark("Marked rows"),
        mark("Whole rows, with what is to be cut in sa_remove_ranges, as bsade does"),
    ),
    "byterange": (mark("Byte ranges"), mark("The files of deduplicate-text-datasets")),
    "ranges": (mark("Token ranges"), mark("Places in the index's own files of tokens, without texts")),
}
"""The formats, by their names in the library: what they are called, and what they are for."""


@dataclass(frozen=True, eq=False)
class ExportState(TabState[ExportRule, ExportAnswer]):
    """What is cut, the documents, and one of them.

    handed: What other tabs handed over.
    row: The row of the document that is shown; -1 for none.
    """

    handed: tuple[Handed, ...] = ()
    row: int = -1
    preview: Answer[Preview] = field(default_factory=Answer[Preview])

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the documents: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if self.answer.awaited:
            return tr("Reading what goes …"), ""
        return tr("Nothing to cut yet"), tr("Find repeats in the tab Duplicates, then choose Preview and export there.")

    @property
    def found(self) -> ExportAnswer | None:
        """What goes, once something was handed over."""
        return self.answer.value if self.handed else None

    @property
    def headline(self) -> tuple[str, str, str]:
        """How much goes, in a sentence; see `Headline`."""
        if (answer := self.found) is None:
            return "", "", ""
        counts = answer.counts
        share = percent(counts.tokens_removed / max(1, counts.tokens))
        return tr("{share} of the tokens are cut", share=share), share, ""

    @property
    def told(self) -> str:
        """What cutting comes to."""
        if (answer := self.found) is None:
            return ""
        counts = answer.counts
        told = tr("{cut} of {total} tokens", cut=numeral(counts.tokens_removed), total=numeral(counts.tokens))
        parts = [
            tr("{tokens}, in {cuts}", tokens=told, cuts=trn("{n:,} cut", "{n:,} cuts", counts.ranges)),
            trn("{n:,} document touched", "{n:,} documents touched", counts.documents_touched),
            trn("{n:,} document becomes empty", "{n:,} documents become empty", counts.documents_emptied),
        ]
        if len(answer.rows) == MOST_ROWS:
            parts.append(tr("listed are the {n} of which most goes", n=numeral(MOST_ROWS)))
        if len(answer.kept["cuts"]) < len(self.handed) and self.answer.current is not None:
            parts.append(tr("too much to be kept when the program closes"))
        return " · ".join(parts)

    @property
    def ready(self) -> bool:
        """Whether something can be written."""
        current = self.answer.current
        return bool(self.handed) and current is not None and bool(len(current.ranges))

    @property
    def whole_documents(self) -> bool:
        """Whether all that goes are whole documents, which an index can subtract."""
        current = self.answer.current
        return self.ready and current is not None and current.counts.documents_emptied == current.counts.ranges

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tuple(map(tr, HEADER))

    @property
    def tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        return tuple(map(tr, TIPS))

    @property
    def table(self) -> tuple[tuple[Cell, ...], ...]:
        """The documents of which most goes."""
        return tuple(
            (
                Cell(numeral(row.number), right=True),
                Cell(cell_text(", ".join(row.why))),
                Cell(numeral(row.tokens), right=True, muted=True),
                Cell(numeral(row.cuts), right=True),
                Cell(numeral(row.cut), right=True, bar=row.cut / max(1, row.tokens)),
            )
            for row in (self.found.rows if self.found else ())
        )

    @property
    def about_preview(self) -> str:
        """Which part of which document is shown, and where its text is from."""
        shown = self.preview.value
        if shown is None:
            return tr("Choose a document to see what goes")
        told = [tr("Document {number}", number=numeral(shown.number))]
        if len(shown.text) < shown.characters:
            told.append(
                tr(
                    "characters {first} to {last} of {total}",
                    first=numeral(shown.first + 1),
                    last=numeral(shown.first + len(shown.text)),
                    total=numeral(shown.characters),
                )
            )
        if not shown.original:
            told.append(tr("spelled by its tokens: its source is gone or has changed"))
        return " · ".join(told)

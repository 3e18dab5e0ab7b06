"""What the tab of keywords shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.analyses.breakdown.facets import Facet
from explorer.analyses.keywords.keyness import KEYNESS
from explorer.analyses.keywords.table import KeywordRecord
from explorer.gui.asking.table import ShownColumn, TableState, declared, rank_column
from explorer.gui.presenting.hints import why_no_fields
from explorer.gui.screens.statistics.keywords.work import INDEX, REST, KeywordAnswer, KeywordRule, shown_measure
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, numeral, tr, trn

TITLES = (mark("More frequent here"), mark("Less frequent here"))
_COLUMNS = ("count", "per_million", "reference_per_million", "documents", "d_a", "log_ratio")
# Each table has the column of its side.
_EVENNESS = mark(
    "D_A: how evenly it is spread over the documents of the side where it is more frequent, 1 for an even word, "
    "near 0 for one that is in few of many documents. Measured up to 30 million tokens, or if a minimum D_A is chosen"
)


@dataclass(frozen=True, eq=False)
class KeywordState(TableState[KeywordRule, KeywordAnswer]):
    """What is compared, and the keywords.

    values: The values of the chosen field; None while they are not known.
    """

    working = mark("Comparing …")

    values: Facet | None = None

    @property
    def open(self) -> tuple[str, str] | None:
        """What the words are compared with."""
        return None if self.rule.complete else (tr("Which words are typical here?"), self._asked_for)

    @property
    def _asked_for(self) -> str:
        if self.rule.reference == REST:
            none = tr("The documents of this index have no metadata. Compare with another index or a word list.")
            why_not = "" if self.corpus is None else why_no_fields(self.corpus, none)
            return why_not or tr("Choose a metadata field and a value: its documents are compared with all others.")
        if self.rule.reference == INDEX:
            return tr("Choose another index: the words of this one are compared with its words.")
        return tr("Choose a word list: lines of rank, frequency and word, separated by tabs, in UTF-8.")

    @property
    def without_value(self) -> str:
        """What excludes the documents without a value of the field; "" if there are none."""
        # Their number is that of all documents less those that are listed by value.
        values = self.values
        number = 0 if values is None else values.of - sum(bar.documents for bar in values.bars)
        told = trn("Exclude {n:,} document without a value", "Exclude {n:,} documents without a value", number)
        return told if number else ""

    @property
    def against(self) -> str:
        """The name of the folder or file that is compared with; "" for none."""
        return cell_text(Path(self.rule.against).name) if self.rule.against else ""

    @property
    def headline(self) -> tuple[str, str, str]:
        """What is compared, in a sentence; see `Headline`."""
        answer = self.found
        if answer is None or answer.found is None:
            return "", "", ""
        found, number = answer.found, numeral(answer.found.total)
        return (
            tr(
                "{total} words against {others} of {reference}",
                total=number,
                others=numeral(found.reference_total),
                reference=cell_text(found.reference),
            ),
            number,
            tr(
                "N = {n}; {tested} words tested",
                n=numeral(found.total + found.reference_total),
                tested=numeral(found.tested),
            ),
        )

    @property
    def columns(self) -> tuple[ShownColumn, ...]:
        """The columns of both tables, whose words have the title of their side."""
        form, *numbers = declared(KeywordRecord, ("form", *_COLUMNS))
        even = (each._replace(tip=tr(_EVENNESS)) if each.name == "d_a" else each for each in numbers)
        name = shown_measure(self.measure)
        measured = KEYNESS[name]
        measure = ShownColumn(measured.label, f"{measured.formula} ({measured.source})", name)
        return rank_column(), form, *even, measure

    def side_header(self, positive: bool) -> tuple[str, ...]:
        """The columns of one of the two tables."""
        rank, _, *numbers = (each.title for each in self.columns)
        return rank, tr(TITLES[0 if positive else 1]), *numbers

    @property
    def measure(self) -> str:
        """The measure by which what is shown is sorted."""
        return self.rule.measure if self.found is None else self.found.rule.measure

    @property
    def cells(self) -> str:
        """The four cells of the chosen row, or what to do."""
        answer = self.found
        if answer is None or not 0 <= self.row < len(answer.told):
            return tr("Choose a row to see its four cells and its lines")
        return answer.told[self.row]

"""What the tab of collocates shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.errors import CorpusError
from explorer.gui.answer import Answer
from explorer.gui.hints import told
from explorer.gui.screens.search.collocates_work import CollocateAnswer, CollocateQuestion, CollocateRule, about_row
from explorer.gui.text_positions import cell_text
from explorer.gui.word_index import offer
from explorer.i18n import mark, numeral, tr, trn
from explorer.statistics.association import ASSOCIATIONS

HEADER = (mark("Near the match"), mark("Expected"), mark("In all"))
HEADER_TIPS = (
    mark("The place in this list"),
    mark("The word, in lower case, or the token"),
    mark("O₁₁: how often it is in the windows, each time counted once"),
    mark("E₁₁: how often it would be there if the query made no difference"),
    mark("C₁: how often it occurs outside the matches, in the windows and elsewhere"),
)
_NUMBERS = ("observed", "expected", "count")


@dataclass(frozen=True, eq=False)
class CollocatesState:
    """The words near the query.

    Attributes
    ----------
    question
        Whose neighbors; None without a query.
    rule
        How they are counted.
    answer
        The collocates.
    row
        The chosen row, by the order of the measure; -1 for none.
    sort
        The column that the table is sorted by, and whether from the greatest on.
    reading
        Whether lines are shown beside the table; otherwise the network.
    error
        Why something beside the collocates failed.
    """

    question: CollocateQuestion | None = None
    rule: CollocateRule = field(default_factory=CollocateRule)
    answer: Answer[CollocateAnswer] = field(default_factory=Answer[CollocateAnswer])
    row: int = -1
    sort: tuple[int, bool] = (0, False)
    reading: bool = False
    error: CorpusError | None = None

    @property
    def current(self) -> bool:
        """Whether the answer is about this query and this rule."""
        found = self.answer.current
        return found is not None and found.question is self.question and found.rule == self.rule

    @property
    def listed(self) -> CollocateAnswer | None:
        """The collocates that are shown."""
        value = self.answer.value
        if value is None or value.found is None or self.question is None or self.question.why_not:
            return None
        return value

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to an earlier question."""
        return self.answer.value is not None and not self.current

    @property
    def missing(self) -> bool:
        """Whether the words of the index have to be made first."""
        found = self.answer.current
        return found is not None and found.found is None

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the table: a line, and what to do."""
        if self.question is None:
            return "", ""
        if self.question.why_not:
            return tr("No collocates for this query"), self.question.why_not
        if self.missing:
            assert self.answer.value is not None
            return offer(self.answer.value.bytes, tr("Tokens can be counted without it."))
        if self.listed is not None:
            return self._none
        return (tr("Counting …"), "") if self.answer.awaited else ("", "")

    @property
    def _none(self) -> tuple[str, str]:
        """What the table is empty for."""
        answer = self.listed
        assert answer is not None and answer.found is not None
        found, words = answer.found, answer.rule.words
        title = tr("No collocates")
        if not found.node_count + found.total:
            return title, tr("There are no words to count.") if words else tr("There are no tokens to count.")
        if not found.node_count:
            # The text search also finds parts of words, so there can be lines and no word.
            return title, tr("The query does not occur as whole words. The lines have it inside words, or cut in "
                             "another way.") if words else tr(
                "The query does not occur as these tokens. With a space before it, it is other tokens.")  # fmt: skip
        if not found.window_tokens:
            return title, tr("Nothing else is in the windows. Try wider ones.")
        return title, tr("None is in the windows often enough. Try a smaller number in “At least”.")

    @property
    def facts(self) -> str:
        """What was counted, in a sentence."""
        answer = self.listed
        if answer is None or answer.found is None:
            return ""
        found, words = answer.found, answer.rule.words
        hits = trn("{n:,} hit", "{n:,} hits", found.node_count)
        near = trn("{n:,} collocate", "{n:,} collocates", len(found))
        shown = tr("the first {n:,} shown", n=len(answer.rows)) if len(answer.rows) < len(found) else ""
        window = (
            trn("{n:,} word in the windows", "{n:,} words in the windows", found.window_tokens)
            if words
            else trn("{n:,} token in the windows", "{n:,} tokens in the windows", found.window_tokens)
        )
        how = (
            tr("whole words in any case, from the word index; the other tabs search the text")
            if words
            else tr("the tokens of the query as typed; the other tabs search the text")
        )
        return " · ".join(part for part in (hits, near, shown, window, f"N = {numeral(found.total)}", how) if part)

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns; an arrow is at the one that sorts."""
        answer = self.listed
        rule = self.rule if answer is None else answer.rule
        unit = tr("Word") if rule.words else tr("Token")
        names = ["#", unit, *map(tr, HEADER), *(ASSOCIATIONS[name].label for name in rule.measures)]
        column, down = self.sort
        # In the order of the measure, the arrow is at the measure.
        at, arrow = (5, "↓") if self.sort == (0, False) else (column, "↓" if down else "↑")
        names[at] = f"{names[at]} {arrow}"
        return tuple(names)

    @property
    def header_tips(self) -> tuple[str, ...]:
        """What the columns mean."""
        rule = self.rule if self.listed is None else self.listed.rule
        rows = (ASSOCIATIONS[name] for name in rule.measures)
        return (*map(tr, HEADER_TIPS), *(f"{row.formula} ({row.source})" for row in rows))

    @property
    def order(self) -> tuple[int, ...]:
        """The rows in the order of the table."""
        answer = self.listed
        if answer is None:
            return ()
        column, down = self.sort
        places = range(len(answer.rows))
        if column == 0:
            return tuple(reversed(places)) if down else tuple(places)
        if column == 1:
            return tuple(sorted(places, key=lambda row: answer.rows[row].form or "", reverse=down))
        name = (*_NUMBERS, *answer.rule.measures)[column - 2]
        known = [row for row in places if getattr(answer.rows[row], name) is not None]
        known.sort(key=lambda row: getattr(answer.rows[row], name), reverse=down)
        # What is unknown comes last in either direction.
        return (*known, *(row for row in places if getattr(answer.rows[row], name) is None))

    @property
    def formula(self) -> str:
        """The measure of the chosen row, its formula and its cells; or what to do."""
        answer = self.listed
        if answer is None or answer.found is None or not 0 <= self.row < len(answer.rows):
            return tr("Choose a row to see its formula, its four cells and its lines")
        return about_row(answer.rows[self.row], answer.found, answer.rule.measure)

    @property
    def lines_button(self) -> str:
        """What shows the lines of the chosen row; "" without one."""
        answer = self.listed
        if answer is None or not 0 <= self.row < len(answer.rows):
            return ""
        return trn("Show {n:,} line", "Show {n:,} lines", answer.rows[self.row].observed)

    @property
    def query(self) -> str:
        """The phrase, as it is drawn."""
        return "" if self.listed is None else cell_text(self.listed.question.text)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        failed = self.answer.error or self.error
        return "" if failed is None else told(failed)

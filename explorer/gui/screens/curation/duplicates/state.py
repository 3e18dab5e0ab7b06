"""What the tab of duplicates shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.repeats.question import ORDERS, RepeatsQuestion
from explorer.gui.asking.state import TabState
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import percent
from explorer.gui.presenting.requests import ExportCuts
from explorer.gui.screens.curation.duplicates.work import CopiesAnswer, CopiesCurve
from explorer.i18n import mark, numeral, tr, trn

RUNS = "runs"
LISTED = {**ORDERS, RUNS: mark("Self-repeats")}
"""What is listed: passages in one of their orders, or stretches that repeat themselves."""


@dataclass(frozen=True, eq=False)
class CopiesState(TabState[DuplicatesQuestion, CopiesAnswer]):
    """What is cut, and the curve.

    listed: What is listed: passages in one of their orders, or stretches that repeat themselves.
    curve: How much goes at each length.
    """

    working = mark("Looking for what repeats …")

    listed: str = RepeatsQuestion.by
    curve: Answer[CopiesCurve] = field(default_factory=Answer[CopiesCurve])

    @property
    def repeats(self) -> RepeatsQuestion:
        """Which passages are listed; with those of any order are the stretches."""
        by = RepeatsQuestion.by if self.listed == RUNS else self.listed
        return RepeatsQuestion.of(length=self.rule.length, by=by)

    @property
    def headline(self) -> tuple[str, str, str]:
        """What goes, in a sentence; see `Headline`."""
        if (answer := self.found) is None:
            return "", "", ""
        found, length = answer.found, numeral(answer.rule.length)
        if not found.tokens_removed:
            return tr("No repeat of {length} tokens or more is to be removed", length=length), length, ""
        share = percent(found.tokens_removed / found.tokens)
        told = tr(
            "Removing repeats of {length} tokens or more shortens the corpus by {share}", length=length, share=share
        )
        return told, share, ""

    @property
    def told(self) -> str:
        """What cutting comes to."""
        if (answer := self.found) is None:
            return ""
        found = answer.found
        parts = [
            tr(
                "{tokens} of {total} tokens, in {passages}",
                tokens=numeral(found.tokens_removed),
                total=numeral(found.tokens),
                passages=trn("{n:,} passage", "{n:,} passages", len(found)),
            ),
            trn("{n:,} document touched", "{n:,} documents touched", found.documents_touched),
            trn("{n:,} document becomes empty", "{n:,} documents become empty", found.documents_emptied),
        ]
        if found.bytes_removed is not None:
            parts.insert(1, tr("{size} MB of text", size=numeral(found.bytes_removed / 1e6, ",.2f")))
        if answer.rule.never:
            parts.append(trn("{n:,} passage never removed", "{n:,} passages never removed", len(answer.rule.never)))
        return " · ".join(parts)

    @property
    def cuts(self) -> ExportCuts | None:
        """What goes, for the export; None while that is not known."""
        if (answer := self.answer.current) is None:
            return None
        title = tr("Repeats of {length} tokens", length=numeral(answer.rule.length))
        return ExportCuts(title, answer.found.ranges, answer.found.asked, answer.rule.length)

    @property
    def about_curve(self) -> str:
        """What the curves leave out of account; "" for nothing."""
        cut = self.rule.in_force
        if not (cut.gap or cut.prefer or cut.never):
            return ""
        return tr("The curve leaves gaps, preferred copies and passages that are never removed out of account.")

"""What the plot of agreement by effective n shows, and its values in words. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from explorer.analyses.agreement.chart import drawn, n_axis, n_name
from explorer.analyses.agreement.dips import TAIL, Step
from explorer.analyses.agreement.figure import AgreementFigure, Bin, Series
from explorer.chart import Axis
from explorer.gui.screens.agreement.sentences import dip_words, percent, percents
from explorer.gui.screens.agreement.state import Look
from explorer.gui.style.text_positions import short_text
from explorer.i18n import counted, tr

_MOST_NAMED = 4
"""Other sources whose values are listed with those of a bin."""


@dataclass(frozen=True, eq=False)
class Plotted:
    """What is drawn.

    figure: The figure of the chosen source.
    place: Its place among the sources, which gives the shape of its marks.
    others: The other sources: place, name and figure.
    look: What is shown beside the ∞-gram.
    """

    figure: AgreementFigure
    place: int = 0
    others: tuple[tuple[int, str, AgreementFigure], ...] = ()
    look: Look = field(default_factory=Look)

    def series(self, figure: AgreementFigure) -> Series:
        """The line of a source: all of its tokens, or the sparse ones."""
        return figure.sparse if self.look.sparse else figure.infgram

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The bins of the chosen source."""
        return drawn(self.series(self.figure))

    @cached_property
    def steps(self) -> dict[int, Step]:
        """Dips by the effective n that they lead to. Only the line of all tokens is tested."""
        return {} if self.look.sparse else {step.after: step for step in self.figure.steps if step.is_dip}

    @cached_property
    def axis(self) -> Axis:
        """The axis of effective n, as on paper."""
        return n_axis([self.figure, *(figure for _, _, figure in self.others)])

    def bin_at(self, x: float) -> Bin | None:
        """The bin at a place of the axis; None if it has no tokens."""
        # Bars are centered on whole numbers, so rounding finds the bar, also in the gaps and above it.
        return next((b for b in self.bins if b.effective_n == round(x)), None)

    def words(self, found: Bin) -> tuple[str, str]:
        """The values of a bin: a heading, and lines."""
        heading = tr("n = {n}: {share}", n=n_name(found.effective_n), share=percent(found.agreement))
        ends = percents(found.low, found.high)
        lines = [tr("of {tokens}, 95% interval {ends}", tokens=counted("token", found.tokens), ends=ends)]
        if step := self.steps.get(found.effective_n):
            lines.append(dip_words(step))
        for _, name, figure in self.others[:_MOST_NAMED]:
            bins = drawn(self.series(figure))
            other = next((b for b in bins if b.effective_n == found.effective_n), None)
            share = percent(other.agreement) if other is not None else "–"
            lines.append(tr("{name}: {share}", name=short_text(name, 28) or tr("text"), share=share))
        return heading, "\n".join([*lines, tr("Click to mark these tokens below")])

    def range_of(self, found: Bin) -> tuple[int, int]:
        """The effective n of a bin, first and last: the tail has many."""
        n = found.effective_n
        # Of all tokens, also while only sparse ones are drawn: a brush knows effective n and nothing else.
        largest = max((b.effective_n for b in self.figure.infgram.bins), default=n)
        return n, max(n, largest) if n == TAIL else n

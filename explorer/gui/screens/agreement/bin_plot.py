"""One panel of agreement over named bins: by count of the context, by a model's probability."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from explorer.agreement.compare import FEW_IN_BIN
from explorer.agreement.figure import Bin
from explorer.analyses.agreement.chart import bins_axis, count_range, tenth
from explorer.gui.screens.agreement.panels import TokenAxis, draw_bins, make_panel, show_axis
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import qcolor
from explorer.gui.widgets.plot_area import PlotArea, style_panel
from explorer.i18n import counted, tr


class BinPlot(PlotArea):
    """name: the name of a bin; tip: its tool tip."""

    def __init__(self, title: str, bottom: str, name: Callable[[int], str], tip: Any, parent: Any = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        self._given: tuple[Bin, ...] = ()
        self._bins: tuple[Bin, ...] = ()
        self._name, self._tip = name, tip
        self._bottom = bottom
        self._axis = TokenAxis()
        self.restyle()
        when_restyled(self, self.restyle)

    @cached_property
    def _panel(self) -> Any:
        """Created when there is something to draw: it takes 20 ms."""
        panel = make_panel(self, self._axis, self._bottom)
        style_panel(panel)
        return panel

    @property
    def bins(self) -> tuple[Bin, ...]:
        """What is drawn."""
        return self._bins

    def show_bins(self, bins: tuple[Bin, ...]) -> None:
        """Draw new figures, or none."""
        self._given, self._bins = bins, tuple(b for b in bins if b.tokens)
        if self._is_made():
            self._panel.clear()
        # A plot is a picture to a screen reader: its description holds every bin in words.
        self.setAccessibleDescription("; ".join(self._tip(0, 0, b).replace("\n", ": ") for b in self._bins))
        if not self._bins:
            return
        # Empty bins are not drawn, but keep their place on the axis: a gap is information.
        draw_bins(self._panel, self._axis, self._bins, self._tip, lambda b: b.tokens >= FEW_IN_BIN)
        show_axis(self._panel, bins_axis("", [(b.effective_n, self._name(b.effective_n)) for b in bins]))
        self.updateGeometry()

    def restyle(self) -> None:
        """Apply the theme's colors."""
        self.setBackground(qcolor("surface"))
        if self._is_made():
            style_panel(self._panel)
            # pyqtgraph keeps brushes and pens in its items, so a new theme means new items.
            self.show_bins(self._given)

    def _is_made(self) -> bool:
        # Asking the property would make the panel; `cached_property` stores it here once it is made.
        return "_panel" in self.__dict__


def count_plot() -> BinPlot:
    """Agreement by how often the context occurs, in powers of ten (the paper's Figure 7)."""
    return BinPlot(tr("Agreement by context count"), tr("Occurrences of the context"), count_range, _count_tip)


def neural_plot() -> BinPlot:
    """Agreement of the ∞-gram by a neural model's probability (the paper's Figure 4)."""
    return BinPlot(
        tr("Agreement by a model's probability"), tr("Probability from the neural model"), tenth, _neural_tip
    )


def _neural_tip(x: float, y: float, data: Any) -> str:
    return tr(
        "model probabilities {effective_n}\n{tokens}, the ∞-gram agrees on {agreement:.1%} (95%: {low:.1%} "
        "to {high:.1%})",
        effective_n=tenth(data.effective_n),
        tokens=counted("token", data.tokens),
        agreement=data.agreement,
        low=data.low,
        high=data.high,
    )


def _count_tip(x: float, y: float, data: Any) -> str:
    return tr(
        "contexts that occur {first:,} to {last:,} times\n{tokens}, agreement "
        "{agreement:.1%} (95%: {low:.1%} to {high:.1%})",
        first=10**data.effective_n,
        last=10 ** (data.effective_n + 1) - 1,
        tokens=counted("token", data.tokens),
        agreement=data.agreement,
        low=data.low,
        high=data.high,
    )

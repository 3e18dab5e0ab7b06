"""Which tokens are selected, by effective n or by position, and how many."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.agreement.brush import Brush, Marked
from explorer.gui.screen import label, named
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import counted, mark, tr

_HINT = mark("Click a bar or drag across the text to highlight tokens in both.")
_HOW = mark("Shift-click extends the range to another bar. You can also drag across the strip.")


class MarkBar(QWidget):
    """`brushed(Brush)`: a range of effective n was chosen, or the selection was cleared."""

    brushed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.low = named(NumberBox(minimum=0, maximum=9_999_999), tr("Lowest effective n to highlight"))
        self.high = named(NumberBox(minimum=0, maximum=9_999_999), tr("Highest effective n to highlight"))
        for box in (self.low, self.high):
            # The least effective n is 1, so 0 means that none is chosen.
            box.setSpecialValueText("–")
            box.valueChanged.connect(lambda _: self._choose())
        self.clear = QPushButton(tr("Clear"))
        self.clear.clicked.connect(lambda: self.brushed.emit(Brush()))
        self.says = label(tr(_HINT), "muted")
        self.says.setToolTip(f"{tr(_HINT)} {tr(_HOW)}")
        # It may be cut off, but only once it has a line of its own.
        self.says.setMinimumWidth(1)
        layout = FlowLayout(self, gap=8)
        for widget in (
            label(tr("Highlight effective n"), "muted"),
            self.low,
            label(tr("to"), "muted"),
            self.high,
            self.clear,
            self.says,
        ):
            layout.addWidget(widget)

    def _choose(self) -> None:
        low = self.low.value()
        # Who types the lower end first would have a range from 5 to 0 for a moment.
        self.brushed.emit(Brush(low, max(low, self.high.value())) if low else Brush())

    def choose_n(self, first: int, last: int, extend: bool) -> None:
        """Mark the effective n of one bar, or extend the marked range to it.

        Parameters
        ----------
        first
            The smallest effective n of the bar.
        last
            The largest effective n of the bar.
        extend
            Whether to extend the range; otherwise the bar alone is marked, or unmarked if it is marked already.
        """
        low, high = self.low.value(), self.high.value()
        if extend and low:
            self.brushed.emit(Brush(min(low, first), max(high, last)))
        else:
            self.brushed.emit(Brush() if (low, high) == (first, last) else Brush(first, last))

    def show_brush(self, brush: Brush) -> None:
        """Show the range of a brush."""
        # The two values are one range: it must not be reported when only one of them is set.
        with QSignalBlocker(self.low), QSignalBlocker(self.high):
            self.low.setValue(brush.low)
            self.high.setValue(brush.high)
        self.clear.setEnabled(not brush.empty)
        if brush.empty:
            self.says.setText(tr(_HINT))

    def show_marked(self, marked: Marked, tokens: int) -> None:
        """Show what is marked, and of how many tokens.

        Parameters
        ----------
        marked
            The marked tokens.
        tokens
            The number of all tokens.
        """
        if not marked.tokens:
            self.says.setText(tr("No tokens are highlighted."))
            return
        ns = f"{marked.smallest_n}" + (
            tr(" to {largest_n}", largest_n=marked.largest_n) if marked.largest_n > marked.smallest_n else ""
        )
        self.says.setText(
            tr(
                "{tokens:,} of {all_tokens} ({share:.1%}), effective n {ns}: {agreeing:.1%} agree",
                tokens=marked.tokens,
                all_tokens=counted("token", tokens),
                share=marked.tokens / max(1, tokens),
                ns=ns,
                agreeing=marked.agreeing / marked.tokens,
            )
        )

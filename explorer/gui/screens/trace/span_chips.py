"""A button for each of several overlapping spans, and one for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from explorer.gui.screens.trace.describe import longest_text
from explorer.gui.text_positions import cell_text
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.i18n import counted, tr
from explorer.trace.trace import Trace

_LONGEST = 32
ALL = -1


class SpanChips(QWidget):
    """Hidden while there are fewer than two. `chosen(int)`: the number of a span of the trace, or ALL."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=6)
        self._group = QButtonGroup(self)
        self.buttons: list[QPushButton] = []
        self.hide()

    def show_spans(self, trace: Trace | None, numbers: Sequence[int]) -> None:
        """Offer some spans of a trace; initially all are chosen.

        Parameters
        ----------
        trace
            The traced text; None for none.
        numbers
            Numbers of the spans. One alone is not offered.
        """
        self.buttons = []
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.setVisible(len(numbers) > 1)
        if trace is None or len(numbers) < 2:
            return
        self._add(tr("All ({count})", count=len(numbers)), tr("Show the documents of all these spans"), ALL)
        for number in numbers:
            span = trace.spans[number]
            text = cell_text(trace.text[span.start : span.end])
            # Spans that overlap differ at their ends.
            ending = cell_text(trace.text[span.start : span.end], ending=True, most=_LONGEST)
            hint = tr("Show only the documents of this span: {text}", text=text)
            self._add(f"{ending}   {counted('hit', span.count)}", hint, number)

    def _add(self, text: str, hint: str, number: int) -> None:
        button = QPushButton(caption(text))
        button.setProperty("role", "chip")
        button.setCheckable(True)
        button.setChecked(number == ALL)
        button.setToolTip(tip(hint))
        button.clicked.connect(lambda: self.chosen.emit(number))
        self._group.addButton(button)
        self._row.addWidget(button)
        self.buttons.append(button)


class LongestButton(QPushButton):
    """Shows the longest passage of a trace; checked while it is chosen, hidden if there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "chip")
        self.setCheckable(True)
        self.setToolTip(tr("Mark the longest passage that occurs in the corpus and list its documents"))

    def show_passage(self, trace: Trace | None) -> None:
        """Show the longest passage of a trace."""
        self.setVisible(trace is not None and trace.longest_passage is not None)
        if trace is not None:
            self.setText(longest_text(trace))

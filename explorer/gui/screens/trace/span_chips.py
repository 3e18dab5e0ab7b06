"""A button for each of several spans that overlap."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.gui.text_positions import cell_text, short_text
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.trace.trace import Trace
from explorer.words import numeral, tr

_LONGEST = 40


class SpanChips(QWidget):
    """Hidden while there are fewer than two. `chosen(int)`: the number of a span of the trace."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=6)
        self.hide()

    def show_spans(self, trace: Trace | None, numbers: Sequence[int]) -> None:
        """Offer these spans of a trace."""
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.setVisible(len(numbers) > 1)
        if trace is None or len(numbers) < 2:
            return
        for number in numbers:
            span = trace.spans[number]
            text = cell_text(trace.text[span.start : span.end])
            button = QPushButton(caption(f"{short_text(text, _LONGEST)}   {numeral(span.count)} ×"))
            button.setProperty("role", "chip")
            button.setToolTip(tip(tr("Only the documents of this span: {text}", text=text)))
            button.clicked.connect(lambda _=False, number=number: self.chosen.emit(number))
            self._row.addWidget(button)

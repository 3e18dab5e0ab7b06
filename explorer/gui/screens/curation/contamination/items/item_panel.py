"""An item beside the document that has most of it, with what they share marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analyses.contamination.chart import shares_chart
from explorer.gui.charts.view import ChartView
from explorer.gui.document.state import HitMark
from explorer.gui.document.text import DocumentText
from explorer.gui.screens.curation.contamination.items.item_presenter import ItemState
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.screen import label, named
from explorer.gui.style.direction import reads_right_to_left
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.layouts.panel import Panel
from explorer.gui.widgets.layouts.scroll_areas import at_least
from explorer.gui.widgets.layouts.splitter import Splitter
from explorer.i18n import numeral, tr


class ItemPanel(Panel):
    """What was found on top, both texts, and the share by length.

    presenter: What the tab does; its `item` reads the item.
    """

    def __init__(self, presenter: ContaminationPresenter) -> None:
        self._presenter = presenter
        self.open = push_button(tr("Open the document"), "quiet", "document")
        self.cleared, self.leaked = (
            push_button(tr("Not a leak"), "quiet"),
            push_button(tr("Mark as leaked"), "", "flag"),
        )
        super().__init__(footer=(self.open, self.cleared, self.leaked))
        self.footer_row.insertStretch(1, 1)
        for button, leaked in ((self.cleared, False), (self.leaked, True)):
            button.setCheckable(True)
            button.setToolTip(tr("Your mark is kept beside what was measured, and never counted in it"))
            # The check mark is that of the state, which a click changes.
            button.clicked.connect(lambda _, leaked=leaked: self._mark(leaked))
        self.told = label("", "muted")
        self.told.setWordWrap(True)
        self.told.setContentsMargins(16, 8, 16, 4)
        self.item_title, self.document_title = Label(tr("Benchmark item")), Label("")
        self.item = named(DocumentText(), tr("Benchmark item"))
        self.document = named(DocumentText(), tr("Document"))
        self.plot = ChartView(tr("Share of the question in matches of at least each length"), high=10)
        texts = Splitter(Qt.Orientation.Horizontal)
        for title, text in ((self.item_title, self.item), (self.document_title, self.document)):
            texts.addWidget(_under(title, text))
        self.body.addWidget(self.told)
        self.body.addWidget(texts, 1)
        self.body.addWidget(self.plot)
        at_least(self, 26, 22)
        item = presenter.item
        self.open.clicked.connect(item.open_document)
        # Drawn once by hand: `watch` reports changes only.
        self._draw(item.state, None)
        item.watch(self._draw)

    def _mark(self, leaked: bool) -> None:
        self._presenter.verdicts.mark(leaked)
        self.draw_verdict()

    def draw_verdict(self) -> None:
        """Show the verdict by the thresholds, and the user's mark."""
        item, bench = self._presenter.item.state, self._presenter.state
        row = item.row - bench.first
        parts = [] if item.view.value is None else [bench.verdict_of(row), item.told]
        self.told.setText(" · ".join(filter(None, parts)) or item.told)
        mark = bench.marked.get(row)
        self.cleared.setChecked(mark is False)
        self.leaked.setChecked(mark is True)
        for button in (self.cleared, self.leaked):
            button.setEnabled(bool(parts))

    # `before` is None for the first state, of which everything is drawn.

    def _draw(self, state: ItemState, before: ItemState | None) -> None:
        self.draw_verdict()
        self.open.setEnabled(state.document is not None)
        if before is not None and state.view.value is before.view.value:
            return
        view, number = state.view.value, state.document
        self.document_title.setText("" if number is None else tr("Document {number}", number=numeral(number)))
        shares = () if view is None else tuple(view.shares.tolist())
        self.plot.show_chart(shares_chart("", shares) if shares else None)
        question = "" if view is None else view.found.item.question
        answer = "" if view is None else view.found.item.answer
        title = tr("Reference answer")
        both = f"{question}\n\n{title}\n{answer}" if answer else question
        _show(self.item, both, (0, 0) if view is None else view.span, (0, 0))
        _show(self.document, *(("", (0, 0), (0, 0)) if view is None else (view.text, view.match, view.answer)))


def _under(title: Label, text: DocumentText) -> QWidget:
    half = QWidget()
    column = QVBoxLayout(half)
    column.setContentsMargins(16, 4, 8, 4)
    title.setProperty("role", "muted")
    column.addWidget(title)
    column.addWidget(text, 1)
    return half


def _show(widget: DocumentText, text: str, match: tuple[int, int], answer: tuple[int, int]) -> None:
    widget.show_text(text, reads_right_to_left(text))
    marks = [HitMark(*span, strong) for span, strong in ((answer, False), (match, True)) if span[0] < span[1]]
    widget.show_marks(tuple(marks), centered=True)

"""A traced text and a document side by side: what both have is filled, what one has alone is dotted or struck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.screen import Notice, label
from explorer.gui.screens.trace.side_state import SidePresenter, SideState
from explorer.gui.screens.trace.side_text import RunMap, SideText
from explorer.gui.screens.trace.side_work import SideAnswer, sides_of
from explorer.gui.theme import qcolor, scaled
from explorer.gui.untrusted import tip
from explorer.gui.widgets.buttons import icon_button, push_button
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.key_cap import KeyCap
from explorer.gui.widgets.number_filter import NumberFilter
from explorer.gui.widgets.painted_runs import heights_of, scroll_to
from explorer.gui.widgets.panel import Panel
from explorer.i18n import mark, tr

_SAMPLES = (
    (mark("same words, 3 or more in a row"), "same"),
    (mark("only in your text"), "dotted"),
    (mark("only in the document"), "struck"),
)


class Sample(QWidget):
    """One entry of the legend: words in the look that they explain."""

    def __init__(self, text: str, look: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._look = text, look
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._text) + scaled(10), metrics.height() + scaled(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, filled, dotted or struck."""
        painter = QPainter(self)
        # In the colors and kinds of line of `side_text`: a sample must look like what it explains.
        area = self.rect().adjusted(scaled(3), 1, -scaled(3), -2)
        if self._look == "same":
            painter.fillRect(self.rect().adjusted(0, 1, 0, -1), qcolor("rel2"))
        painter.setPen(qcolor("text" if self._look == "same" else "muted"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._text)
        if self._look == "dotted":
            painter.setPen(QPen(qcolor("muted"), scaled(2), Qt.PenStyle.DotLine))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
        elif self._look == "struck":
            painter.setPen(QPen(qcolor("muted"), 1))
            painter.drawLine(area.left(), area.center().y() + 1, area.right(), area.center().y() + 1)
        painter.end()


class SideBySide(QWidget):
    """Draws a comparison; the page tells it what to draw.

    Parameters
    ----------
    presenter
        What it shows, and what is done with it.
    parent
        Qt's parent.
    """

    def __init__(self, presenter: SidePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.back = push_button(tr("All documents"), "quiet", "chevron-left")
        self.title = ElidedLabel()
        self.level = label("", "muted")
        self.figures = tuple(_fact() for _ in range(3))
        self.place = label("", "muted")
        self.previous = icon_button("chevron-up", tr("Previous difference (Shift+F7)"))
        self.next = icon_button("chevron-down", tr("Next difference (F7)"))
        self.copy = icon_button("copy", tr("Copy the document's text"))
        self.open = icon_button("document", tr("Open the document"))
        self.notice = Notice()
        self.left = SideText(False, tr("Your text"))
        self.right = SideText(True, tr("Document"))
        self.left_facts, self.right_facts = label("", "muted"), label("", "muted")
        self.left_title, self.right_title = ElidedLabel(tr("Your text")), ElidedLabel()
        self.left_panel = _panel(self.left_title, self.left_facts)
        self.right_panel = _panel(self.right_title, self.right_facts, self.copy, self.open)
        self.map = RunMap(self.left)
        # Heights of the same words in both texts, in pixels. None after a change of the layout, until the next scroll.
        self._anchors: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        # True while this widget scrolls: the bar that it moves signals, too, and must not move the first one.
        self._following = False
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(scaled(8))
        head.addWidget(self.back)
        head.addWidget(self.title, 1)
        head.addWidget(self.level)
        numbers = QWidget()
        flow = FlowLayout(numbers, gap=scaled(12))
        for part in self.figures:
            flow.addWidget(part)
        flow.addWidget(_together(self.place, self.previous, self.next))
        texts = QHBoxLayout()
        texts.setSpacing(scaled(8))
        self.left_panel.hold(self.left)
        self.right_panel.hold(self.right)
        texts.addWidget(self.left_panel, 1)
        texts.addWidget(self.map)
        texts.addWidget(self.right_panel, 1)
        legend = QWidget()
        samples = FlowLayout(legend, gap=scaled(12))
        for text, look in _SAMPLES:
            samples.addWidget(Sample(tr(text), look))
        for keys, text in (("F7", tr("next difference")), ("Esc", tr("back to all documents"))):
            samples.addWidget(_together(KeyCap(keys), label(text, "muted")))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(8))
        column.addLayout(head)
        column.addWidget(numbers)
        column.addWidget(self.notice)
        column.addLayout(texts, 1)
        column.addWidget(legend)

    def _connect(self) -> None:
        presenter = self.presenter
        self.back.clicked.connect(presenter.close)
        self.previous.clicked.connect(lambda: presenter.step(-1))
        self.next.clicked.connect(lambda: presenter.step(1))
        self.open.clicked.connect(presenter.open)
        self.copy.clicked.connect(self._copy)
        for text in (self.left, self.right):
            text.escaped.connect(presenter.close)
            # Heights hold for one layout only: another width breaks the lines elsewhere.
            text.laid_out.connect(self._forget_anchors)
        self.left.verticalScrollBar().valueChanged.connect(lambda _: self._follow(self.left, self.right))
        self.right.verticalScrollBar().valueChanged.connect(lambda _: self._follow(self.right, self.left))

    def _copy(self) -> None:
        # What is compared: of a long document, the part around the passage.
        QGuiApplication.clipboard().setText(self.right.text())

    def _forget_anchors(self) -> None:
        self._anchors = None

    # Scrolling: what both texts have stays level.

    def _heights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The heights of the ends of all runs, in both texts."""
        if self._anchors is None:
            # Runs ascend in both texts, as interpolation needs. Both beginnings and both ends are level, too.
            found = [np.append(heights_of(text, text.same.ravel()), _height(text)) for text in (self.left, self.right)]
            self._anchors = (np.append(0.0, found[0]), np.append(0.0, found[1]))
        return self._anchors

    def _follow(self, moved: SideText, other: SideText) -> None:
        """Scroll the other text so that the runs in the upper third of the view are level."""
        # Without common runs nothing can be level, and each text is scrolled by itself.
        if self._following or not len(moved.same) or not self.isVisible():
            return
        mine, theirs = self._heights() if moved is self.left else self._heights()[::-1]
        third = moved.viewport().height() / 3
        self._following = True
        try:
            place = float(np.interp(moved.verticalScrollBar().value() + third, mine, theirs))
            other.verticalScrollBar().setValue(round(place - third))
        finally:
            self._following = False

    # `before` is None for the first state, of which everything is drawn.

    def draw(self, state: SideState, before: SideState | None = None) -> None:
        """Draw a comparison.

        Parameters
        ----------
        state
            The new state.
        before
            The state that was drawn before; None for the first one, of which everything is drawn.
        """
        found = state.answer.value
        self.title.setText(tr("Answer against {title}", title=state.title))
        self.level.setText(state.level)
        self.right_title.setText(state.title)
        self._draw_figures(state)
        self.notice.show_text(state.notice)
        # To lay out two texts is the slow part, so only another comparison does it; a step frames and scrolls.
        if before is None or found is not before.answer.value:
            self._draw_texts(found)
        for text in (self.left, self.right):
            text.frame(state.difference)
        # Only a step scrolls. A state that is drawn for another reason must not move what the user has scrolled to.
        if found is not None and state.difference >= 0 and (before is None or before.difference != state.difference):
            self._reveal(state.difference)
        can_step = found is not None and len(found.comparison.differences) > 0
        for button in (self.previous, self.next):
            button.setEnabled(can_step)
        for button in (self.copy, self.open):
            button.setEnabled(found is not None)

    def _draw_figures(self, state: SideState) -> None:
        figures = state.figures
        # The three widgets stay; they are hidden while there is no comparison.
        for number, part in enumerate(self.figures):
            part.setVisible(number < len(figures))
            if number < len(figures):
                part.show_number(figures[number].number, figures[number].words)
                part.setToolTip(tip(figures[number].hint))
                part.setAccessibleDescription(figures[number].hint)
        self.place.setText(state.place)
        self.left_facts.setText(state.left_facts)
        self.right_facts.setText(state.right_facts)

    def _draw_texts(self, found: SideAnswer | None) -> None:
        empty = np.empty((0, 2), np.int64)
        if found is None:
            self.left.show_text("", empty, empty)
            self.right.show_text("", empty, empty)
        else:
            sides = sides_of(found.comparison)
            self.left.show_text(found.left, sides.same_left, sides.only_left)
            self.right.show_text(found.right, sides.same_right, sides.only_right)
        self._forget_anchors()
        self.map.forget()

    def _reveal(self, number: int) -> None:
        """Scroll both texts to a difference."""
        self._following = True
        try:
            for text in (self.left, self.right):
                scroll_to(text, int(text.only[number, 0]))
        finally:
            self._following = False


def _together(*parts: QWidget) -> QWidget:
    """Parts that are never on two lines."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(scaled(6))
    for part in parts:
        row.addWidget(part)
    return made


def _panel(title: ElidedLabel, *actions: QWidget) -> Panel:
    """A panel whose title gives way to the facts beside it."""
    title.setProperty("role", "heading")
    panel = Panel("", (title, *actions))
    panel.title.hide()
    panel.header_row.setStretchFactor(title, 1)
    return panel


def _fact() -> NumberFilter:
    """A number with its words, which is not a filter."""
    made = NumberFilter("", "")
    made.setCheckable(False)
    return made


def _height(text: SideText) -> float:
    # As in `Minimap`: a document shorter than the view has less height than the view, whose end is level here.
    return float(text.verticalScrollBar().maximum() + text.viewport().height())

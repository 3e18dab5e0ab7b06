"""A traced text and a document side by side: what both have is filled, what one has alone is dotted or struck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screens.screen import Notice
from explorer.gui.screens.trace.beside.parts import SideColumn, SideHead, side_legend
from explorer.gui.screens.trace.beside.state import SidePresenter, SideState
from explorer.gui.screens.trace.beside.text import RunMap, SideText
from explorer.gui.screens.trace.beside.work import SideAnswer, sides_of
from explorer.gui.style.theme import scaled
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.texts.painted_runs import heights_of, scroll_to
from explorer.i18n import tr


class SideBySide(QWidget):
    """Draws a comparison; the page tells it what to draw.

    presenter: What it shows, and what is done with it.
    """

    def __init__(self, presenter: SidePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.head = SideHead(presenter)
        self.notice = Notice()
        self.copy = icon_button("copy", tr("Copy the document's text"))
        self.open = icon_button("document", tr("Open the document"))
        self.left = SideColumn(SideText(False, tr("Your text")))
        self.right = SideColumn(SideText(True, tr("Document")), self.copy, self.open)
        self.map = RunMap(self.left.text)
        # Heights of the same words in both texts, in pixels. None after a change of the layout, until the next scroll.
        self._anchors: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        # True while this widget scrolls: the bar that it moves signals, too, and must not move the first one.
        self._following = False
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        texts = QHBoxLayout()
        texts.setSpacing(scaled(8))
        texts.addWidget(self.left, 1)
        texts.addWidget(self.map)
        texts.addWidget(self.right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(8))
        column.addWidget(self.head)
        column.addWidget(self.notice)
        column.addLayout(texts, 1)
        column.addWidget(side_legend())

    def _connect(self) -> None:
        presenter, left, right = self.presenter, self.left.text, self.right.text
        self.open.clicked.connect(presenter.open)
        self.copy.clicked.connect(self._copy)
        for text in (left, right):
            text.escaped.connect(presenter.close)
            # Heights hold for one layout only: another width breaks the lines elsewhere.
            text.laid_out.connect(self._forget_anchors)
        left.verticalScrollBar().valueChanged.connect(lambda _: self._follow(left, right))
        right.verticalScrollBar().valueChanged.connect(lambda _: self._follow(right, left))

    def _copy(self) -> None:
        # What is compared: of a long document, the part around the passage.
        QGuiApplication.clipboard().setText(self.right.text.text())

    def _forget_anchors(self) -> None:
        self._anchors = None

    # Scrolling: what both texts have stays level.

    def _heights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The heights of the ends of all runs, in both texts."""
        if self._anchors is None:
            # Runs ascend in both texts, as interpolation needs. Both beginnings and both ends are level, too.
            found = [np.append(heights_of(text, text.same.ravel()), _height(text)) for text in self._texts]
            self._anchors = (np.append(0.0, found[0]), np.append(0.0, found[1]))
        return self._anchors

    def _follow(self, moved: SideText, other: SideText) -> None:
        """Scroll the other text so that the runs in the upper third of the view are level."""
        # Without common runs nothing can be level, and each text is scrolled by itself.
        if self._following or not len(moved.same) or not self.isVisible():
            return
        mine, theirs = self._heights() if moved is self.left.text else self._heights()[::-1]
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

        before: The state that was drawn before; None for the first one, of which everything is drawn.
        """
        found = state.answer.value
        self.head.draw(state)
        self.left.tell(tr("Your text"), state.left_facts)
        self.right.tell(state.title, state.right_facts)
        self.notice.show_text(state.notice)
        # To lay out two texts is the slow part, so only another comparison does it; a step frames and scrolls.
        if before is None or found is not before.answer.value:
            self._draw_texts(found)
        for text in self._texts:
            text.frame(state.difference)
        # Only a step scrolls. A state that is drawn for another reason must not move what the user has scrolled to.
        if found is not None and state.difference >= 0 and (before is None or before.difference != state.difference):
            self._reveal(state.difference)
        for button in (self.copy, self.open):
            button.setEnabled(found is not None)

    def _draw_texts(self, found: SideAnswer | None) -> None:
        left, right = self._texts
        if found is None:
            left.show_text("")
            right.show_text("")
        else:
            ours, theirs = sides_of(found.comparison, found.held)
            left.show_text(found.left, ours)
            right.show_text(found.right, theirs)
        self._forget_anchors()
        self.map.forget()

    def _reveal(self, number: int) -> None:
        """Scroll both texts to a difference."""
        self._following = True
        try:
            for text in self._texts:
                scroll_to(text, int(text.between[number, 0]))
        finally:
            self._following = False

    @property
    def _texts(self) -> tuple[SideText, SideText]:
        return self.left.text, self.right.text


def _height(text: SideText) -> float:
    # As in `Minimap`: a document shorter than the view has less height than the view, whose end is level here.
    return float(text.verticalScrollBar().maximum() + text.viewport().height())

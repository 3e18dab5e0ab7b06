"""The picture of a word tree: zoom with the wheel or + and −, drag to move, arrow keys from branch to branch."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from explorer.gui.screens.next_token.tree_layout import Drawing, Word, draw_tree
from explorer.gui.screens.next_token.tree_painting import Marks, TextWidths, paint_tree, word_area
from explorer.gui.screens.next_token.tree_presenter import TreePresenter
from explorer.gui.screens.next_token.tree_state import Spot, TreeState
from explorer.gui.screens.screen import text_order
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.theme import em
from explorer.i18n import numeral, tr

SMALLEST, LARGEST, STEP = 0.4, 4.0, 1.2
_FITTED = 1.3
"""The largest zoom that is chosen by itself, on a large screen."""
_LEAST_FITTED = 0.9
"""The least: letters stay about as large as the text size that was chosen, and a tall tree is dragged."""
_NEARLY = 0.8
"""A tree that would fit with little smaller letters is shown whole."""
_CUT = 3.0
"""Em above and below that a tree may lack and stay in the middle."""


class TreeView(QWidget):
    """Draws the presenter's tree, and hands on what a user does with its branches.

    `looked(bool)`: the view was zoomed or moved (True), or shows the whole tree again.
    """

    looked = Signal(bool)

    def __init__(self, presenter: TreePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.drawing: Drawing | None = None
        self._widths = TextWidths()
        self.zoom = 1.0
        self._middle = QPointF()
        self._looked = False
        self._dragged: QPointF | None = None
        self._hovered: Spot | None = None
        # Texts of the corpus run as they are written, also in a right-to-left window.
        text_order(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Word tree"))
        keep_least(self, wide=20, high=9)

    def sizeHint(self) -> QSize:
        """Room for the usual number of branches."""
        return QSize(em(70), em(24))

    def draw(self, state: TreeState, before: TreeState) -> None:
        """Draw what differs."""
        if state.answer.value is not before.answer.value:
            self._place(state)
            # Who looks at a part keeps looking at it when branches open; another tree begins as a whole.
            if not self._looked or state.root != before.root or state.side is not before.side:
                self.fit()
        if state.chosen != before.chosen:
            self._tell(state.chosen)
        self.update()

    def _place(self, state: TreeState) -> None:
        found = state.answer.value
        self.drawing = None if found is None else draw_tree(found, em(1), self._widths, self.width() - 2 * em(1))

    def replace(self) -> None:
        """Place the words again, after the size of the text has changed."""
        self._widths = TextWidths()
        self._place(self.presenter.state)
        self.fit()

    def _tell(self, spot: Spot | None) -> None:
        """Describe the chosen branch to assistive technology."""
        word = self._word(spot)
        if word is None:
            self.setAccessibleDescription("")
            return
        share = numeral(word.node.share, ".1%")
        self.setAccessibleDescription(
            tr("{word}: {count}, {share} of its parent", word=word.node.joined, count=word.count, share=share)
        )
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _word(self, spot: Spot | None) -> Word | None:
        return None if spot is None or self.drawing is None else self.drawing.word(spot)

    def fit(self) -> None:
        """Show the whole tree, but not much larger than the text; of a tall one, what fits in readable letters."""
        self._looked = False
        if self.drawing is not None:
            left, top, right, bottom = self.drawing.box
            room = min(self.width() / max(1.0, right - left), self.height() / max(1.0, bottom - top))
            self.zoom = min(_FITTED, room if room > _NEARLY else _LEAST_FITTED)
            if left > -right / 2:
                # It grows to the right: from the left edge.
                x = -left * self.zoom
            elif right < -left / 2:
                x = self.width() - right * self.zoom
            else:
                # Both sides: the root in the middle of them, as far as they fit.
                x = (self.width() - (left + right) * self.zoom) / 2
            # In the middle, or from the top, where the most frequent branch is, if much of it does not fit.
            spare = (self.height() - (bottom - top) * self.zoom) / 2
            y = (spare if spare > -em(_CUT) else 0.0) - top * self.zoom
            self._middle = QPointF(x, y)
        self.looked.emit(False)
        self.update()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out.

        factor: How much larger the picture becomes.
        at: The place in the view that stays where it is; None for the middle.
        """
        center = QPointF(self.rect().center()) if at is None else at
        zoom = min(LARGEST, max(SMALLEST, self.zoom * factor))
        middle = center - (center - self._middle) * (zoom / self.zoom)
        # First: who is told that the picture moved asks for the zoom.
        self.zoom = zoom
        self._move_to(middle)

    def _move_to(self, middle: QPointF) -> None:
        self._middle = middle
        self._looked = True
        self.looked.emit(True)
        self.update()

    def place_of(self, word: Word) -> QRectF:
        """Where a word with its count is, in the widget."""
        area = word_area(word)
        return QRectF(self._middle + area.topLeft() * self.zoom, area.size() * self.zoom)

    def _at(self, place: QPointF) -> Word | None:
        words = self.drawing.words if self.drawing is not None else ()
        return next((word for word in words if self.place_of(word).contains(place)), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the whole tree in the new size, unless the user looks at a part."""
        super().resizeEvent(event)
        if not self._looked:
            if event.size().width() != event.oldSize().width():
                self._place(self.presenter.state)
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self.zoom_by(STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a branch, or begin to move the picture."""
        if event.button() == Qt.MouseButton.LeftButton:
            word = self._at(event.position())
            self.presenter.choose(word.spot if word is not None else None)
            self._dragged = event.position() if word is None else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the picture, or mark what the pointer is over."""
        if self._dragged is not None:
            self._move_to(self._middle + event.position() - self._dragged)
            self._dragged = event.position()
            return
        word = self._at(event.position())
        hovered = word.spot if word is not None else None
        if hovered != self._hovered:
            self._hovered = hovered
            self.setCursor(Qt.CursorShape.PointingHandCursor if word else Qt.CursorShape.OpenHandCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open or close the branch that was clicked."""
        moved, self._dragged = self._dragged is not None, None
        word = self._at(event.position())
        # Only a leaf opens at a click: on a branch with branches, the click has chosen it already.
        if not moved and word is not None and event.button() == Qt.MouseButton.LeftButton and word.rest:
            self.presenter.toggle(word.spot)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Continue from a branch."""
        word = self._at(event.position())
        if word is not None:
            self.presenter.go_on(word.spot)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a branch."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        word = self._word(self.presenter.state.chosen) if keyboard else self._at(QPointF(event.pos()))
        if word is None:
            return
        self.presenter.choose(word.spot)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not word.spot.before:
            menu.addAction(tr("Append to your text"), lambda: self.presenter.go_on(word.spot))
        menu.addAction(tr("Show lines"), lambda: self.presenter.show_lines(word.spot))
        if word.spot in self.presenter.state.opened:
            menu.addAction(tr("Close branch"), lambda: self.presenter.toggle(word.spot))
        elif word.rest:
            menu.addAction(tr("Open branch"), lambda: self.presenter.toggle(word.spot))
        menu.popup(self.mapToGlobal(self.place_of(word).bottomLeft().toPoint()) if keyboard else event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from branch to branch; Enter appends, Space opens, + − 0 zoom."""
        chosen = self.presenter.state.chosen
        actions: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Plus: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Equal: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Minus: lambda: self.zoom_by(1 / STEP),
            Qt.Key.Key_0: self.fit,
        }
        if chosen is not None:
            go_on = lambda: self.presenter.go_on(chosen)  # noqa: E731 - one row of the table below
            actions |= {Qt.Key.Key_Return: go_on, Qt.Key.Key_Enter: go_on}
            actions[Qt.Key.Key_Space] = lambda: self.presenter.toggle(chosen)
        key = event.key()
        if key in actions:
            actions[key]()
        elif not self._step(key):
            super().keyPressEvent(event)

    def _step(self, key: int) -> bool:
        """Choose the nearest branch in a direction; False for other keys, and where there is none."""
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        if key not in steps or self.drawing is None or not self.drawing.words:
            return False
        found = nearest(self.drawing, self._word(self.presenter.state.chosen), *steps[Qt.Key(key)])
        if found is not None:
            self.presenter.choose(found.spot)
            self._bring_into_view(found)
        return found is not None

    def _bring_into_view(self, word: Word) -> None:
        area, view = self.place_of(word), QRectF(self.rect()).adjusted(8, 8, -8, -8)
        dx = max(0.0, view.left() - area.left()) - max(0.0, area.right() - view.right())
        dy = max(0.0, view.top() - area.top()) - max(0.0, area.bottom() - view.bottom())
        if dx or dy:
            self._move_to(self._middle + QPointF(dx, dy))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tree where the user has moved it."""
        if self.drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # An awaited tree keeps the old one in sight.
        painter.setOpacity(0.4 if self.presenter.state.answer.dimmed else 1.0)
        painter.translate(self._middle)
        painter.scale(self.zoom, self.zoom)
        seen = QRectF(-self._middle / self.zoom, QSizeF(self.size()) / self.zoom)
        paint_tree(painter, self.drawing, Marks(self.presenter.state.chosen, self._hovered, self.hasFocus()), seen)
        painter.end()


def nearest(drawing: Drawing, word: Word | None, dx: int, dy: int) -> Word | None:
    """The branch that an arrow key goes to.

    word: The branch that is chosen; None for none, which is the root.
    dx, dy: The direction: one of them is 1 or -1.
    Returns: The branch; None if there is none in that direction.
    """
    if word is None:
        first = [other for other in drawing.words if len(other.spot.path) == 1 and (not dx or other.side == dx)]
        return min(first, key=lambda other: abs(other.y), default=None)
    path = word.spot.path
    if dy:
        column = [
            other
            for other in drawing.words
            if other.side == word.side and len(other.spot.path) == len(path) and (other.y - word.y) * dy > 0
        ]
        return min(column, key=lambda other: abs(other.y - word.y), default=None)
    if dx == word.side:
        children = [other for other in drawing.words if other.side == word.side and other.spot.path[:-1] == path]
        return min(children, key=lambda other: abs(other.y - word.y), default=None)
    return drawing.word(Spot(word.spot.before, path[:-1])) if len(path) > 1 else None

"""A text with the marks of its trace: what is under the pointer, what is selected, what a right click offers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from explorer.gui.screens.trace.documents.choice import Mark
from explorer.gui.screens.trace.text.hover_card import HoverCard
from explorer.gui.screens.trace.text.marks import Pick, TextMarks
from explorer.gui.screens.trace.text.word_selection import WordSelection
from explorer.gui.widgets.texts.prose_edit import ProseEdit
from explorer.i18n import tr


class TracedText(ProseEdit):
    """A text with marks. `marks`: what is marked in it.

    `mark_clicked(int)`: the passage of the mark that was clicked, or -1 outside all of them. `part_selected(str)`: the
    user selected this text. `escaped`: Esc. `copy_wanted`, `search_wanted`, `hide_wanted` (Pick): from the menu of a
    passage.
    """

    mark_clicked = Signal(int)
    escaped = Signal()
    part_selected = Signal(str)
    copy_wanted = Signal(object)
    search_wanted = Signal(object)
    hide_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks = TextMarks(self)
        self.selecting = WordSelection(self)
        self.selecting.rested.connect(self.part_selected)
        self.hover = HoverCard(self, self.marks)

    @property
    def is_complete(self) -> bool:
        """Whether all of the text is there; a very long one is written part by part."""
        return True

    def show_marks(self, marks: tuple[Mark, ...], text: str) -> None:
        """Mark runs of the text.

        text: The text that they are runs of. If another one is shown, nothing is marked.
        """
        self.hover.hide()
        self.marks.show(marks, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins, to distinguish it from dragging."""
        self.hover.hide()
        super().mousePressEvent(event)
        self.selecting.press(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select whole words while the pointer is dragged."""
        super().mouseMoveEvent(event)
        self.selecting.drag()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click without dragging chooses a passage."""
        # First Qt, which decides whether something is selected.
        super().mouseReleaseEvent(event)
        pressed = self.selecting.is_pressed
        selected = self.selecting.release()
        if event.button() == Qt.MouseButton.LeftButton and pressed and not selected:
            mark = self.marks.under(event.position().toPoint())
            self.mark_clicked.emit(-1 if mark is None else mark.passage)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the choice."""
        self.hover.hide()
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the passage under the pointer, above what Qt offers for the text."""
        menu = self.createStandardContextMenu()
        pick = self.marks.pick(event.pos())
        if pick is not None:
            first = menu.actions()[0]
            menu.insertActions(first, passage_actions(self, pick, menu))
            menu.insertSeparator(first)
        # Not `exec`, which would not return while the menu is open: the menu deletes itself when it closes.
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def passage_actions(text: TracedText, pick: Pick, menu: QMenu) -> list[QAction]:
    """Make the actions of a passage.

    Returns: Copy, search, hide.
    """
    found = []
    for name, wanted in (
        (tr("Copy passage with source"), text.copy_wanted),
        (tr("Search this passage"), text.search_wanted),
        (tr("Hide this passage"), text.hide_wanted),
    ):
        action = QAction(name, menu)
        action.triggered.connect(partial(wanted.emit, pick))
        found.append(action)
    return found

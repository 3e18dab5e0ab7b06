"""The Edit menu: acts on what has the focus, and states why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from explorer.gui.chrome.actions import ActionBook
from explorer.gui.presenting.requests import Edit, EditFocus, Request
from explorer.i18n import mark, tr

_KEYS = {
    Edit.UNDO: QKeySequence.StandardKey.Undo,
    Edit.REDO: QKeySequence.StandardKey.Redo,
    Edit.CUT: QKeySequence.StandardKey.Cut,
    Edit.COPY: QKeySequence.StandardKey.Copy,
    Edit.PASTE: QKeySequence.StandardKey.Paste,
    Edit.SELECT_ALL: QKeySequence.StandardKey.SelectAll,
}
_CHANGES = (Edit.UNDO, Edit.REDO, Edit.CUT, Edit.PASTE)
_NOTHING = {Edit.UNDO: mark("Nothing to undo here"), Edit.REDO: mark("Nothing to redo here")}
Text = QLineEdit | QPlainTextEdit | QTextEdit


class EditDesk(QObject):
    """Does what the Edit menu offers.

    window: The window; what had the focus in it last is what the menu acts on.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._last: QWidget | None = None
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        # To a method of a QObject: Qt ends the connection when the window is deleted.
        application.focusChanged.connect(self._note)

    def _note(self, _: QWidget | None, now: QWidget | None) -> None:
        # A menu that is opened by keyboard takes the focus, and the palette is a window of its own.
        if now is not None and now.window() is self._window and not isinstance(now, QMenuBar | QMenu):
            self._last = now

    @property
    def target(self) -> QWidget | None:
        """What had the focus last, if it is still in view."""
        last = self._last
        if last is None or not shiboken6.isValid(last) or not last.isVisible():
            return None
        # A field for a number gives the focus to no part of it, but what is typed is in one.
        return last.lineEdit() if isinstance(last, QAbstractSpinBox) else last

    def why_not(self, edit: Edit) -> str:
        """Why something cannot be done now, in a sentence; "" if it can."""
        target = self.target
        if isinstance(target, Text) and not _lends_keys(target, edit):
            return _why_not_in_text(target, edit)
        if target is not None and _own_way(target, edit) is not None:
            return ""
        if target is not None and edit in _NOTHING and any(_shortcuts(target, edit)):
            return tr(_NOTHING[edit])
        if isinstance(target, QAbstractItemView):
            return _why_not_in_list(target, edit)
        return tr("Put the cursor in a text or a table first")

    def offer(self, book: ActionBook) -> None:
        """Gray out the entries of the menu that can do nothing now.

        book: The commands; those that act on the focus are offered again.
        """
        for spec in book.commands:
            if isinstance(spec.does, EditFocus):
                book.offer(spec.id, self.why_not(spec.does.edit))

    def do(self, edit: Edit) -> None:
        """Do it; nothing if it cannot be done."""
        target = self.target
        if target is None or self.why_not(edit):
            return
        own = None if isinstance(target, Text) and not _lends_keys(target, edit) else _own_way(target, edit)
        if own is not None:
            own()
        elif isinstance(target, QAbstractItemView) and edit is Edit.COPY:
            QGuiApplication.clipboard().setText(str(target.currentIndex().data() or ""))
        else:
            methods = {Edit.UNDO: "undo", Edit.REDO: "redo", Edit.CUT: "cut", Edit.COPY: "copy", Edit.PASTE: "paste"}
            getattr(target, methods.get(edit, "selectAll"))()

    def routes(self) -> Mapping[type[Request], Callable[[Any], object]]:
        """The requests that are taken here, and what they do."""
        return {EditFocus: lambda request: self.do(request.edit)}


def _lends_keys(text: Text, edit: Edit) -> bool:
    """Whether the key changes what is around a text: one that is only read, or a number of which nothing was typed."""
    lends = edit in _CHANGES and text.isReadOnly()
    if isinstance(text.parentWidget(), QAbstractSpinBox):
        lends = edit in _NOTHING and bool(_why_not_in_text(text, edit))
    return lends and _own_way(text, edit) is not None


def _own_way(target: QWidget, edit: Edit) -> Callable[[], object] | None:
    """What the key of the entry does in a part of the window, as for lines that were deleted; None if it has none."""
    # A table of lines has its keys in a dictionary of its own, by their names.
    keys = getattr(target, "keys", None)
    if isinstance(keys, dict):
        for key in QKeySequence.keyBindings(_KEYS[edit]):
            if (act := keys.get(key.toString())) is not None:
                return cast(Callable[[], object], act)
    return next((key.activated.emit for key in _shortcuts(target, edit) if key.isEnabled()), None)


def _shortcuts(target: QWidget, edit: Edit) -> Iterator[QShortcut]:
    """The keys of the entry that a part of the window has, also those that are off, the nearest first."""
    bindings = QKeySequence.keyBindings(_KEYS[edit])
    part: QWidget | None = target
    while part is not None:
        # On the part itself, or on one around it that lends its shortcuts to what is in it.
        for shortcut in part.findChildren(QShortcut, options=Qt.FindChildOption.FindDirectChildrenOnly):
            around = shortcut.context() == Qt.ShortcutContext.WidgetWithChildrenShortcut
            if shortcut.key() in bindings and (part is target or around):
                yield shortcut
        part = part.parentWidget()


def _why_not_in_text(text: Text, edit: Edit) -> str:
    if edit in _CHANGES and text.isReadOnly():
        return tr("This text cannot be changed")
    reasons = {
        **{each: tr(words) for each, words in _NOTHING.items()},
        Edit.CUT: tr("Select some text first"),
        Edit.COPY: tr("Select some text first"),
        Edit.PASTE: tr("There is no text on the clipboard"),
        Edit.SELECT_ALL: tr("The text is empty"),
    }
    if edit is Edit.PASTE:
        possible = bool(QGuiApplication.clipboard().text())
    else:
        possible = _possible_in_line(text, edit) if isinstance(text, QLineEdit) else _possible_in_lines(text, edit)
    return "" if possible else reasons[edit]


def _possible_in_line(field: QLineEdit, edit: Edit) -> bool:
    if edit is Edit.UNDO:
        return field.isUndoAvailable()
    if edit is Edit.REDO:
        return field.isRedoAvailable()
    return bool(field.text()) if edit is Edit.SELECT_ALL else field.hasSelectedText()


def _possible_in_lines(text: QPlainTextEdit | QTextEdit, edit: Edit) -> bool:
    if edit is Edit.UNDO:
        return text.document().isUndoAvailable()
    if edit is Edit.REDO:
        return text.document().isRedoAvailable()
    return not text.document().isEmpty() if edit is Edit.SELECT_ALL else text.textCursor().hasSelection()


def _why_not_in_list(view: QAbstractItemView, edit: Edit) -> str:
    if edit is Edit.COPY:
        return "" if view.currentIndex().isValid() else tr("Choose a row first")
    if edit is Edit.SELECT_ALL:
        single = view.selectionMode() in (
            QAbstractItemView.SelectionMode.SingleSelection,
            QAbstractItemView.SelectionMode.NoSelection,
        )
        return tr("Only one row can be chosen here") if single else ""
    return tr("The rows of this table cannot be changed here")

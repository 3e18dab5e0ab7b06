"""The button in a field: the field makes room for it, also one that Qt itself made."""

from __future__ import annotations

import gc

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit
from pytestqt.qtbot import QtBot

from explorer.gui.widgets.fields.end_button import add_clear_button


def _edit_of_a_shortcut() -> QKeySequenceEdit:
    # As in the settings: nobody keeps the field, which Qt made, in Python.
    edit = QKeySequenceEdit(QKeySequence("Ctrl+K"))
    field = edit.findChild(QLineEdit)
    assert field is not None
    add_clear_button(field)
    return edit


def _margin(edit: QKeySequenceEdit) -> int:
    field = edit.findChild(QLineEdit)
    assert field is not None
    return field.textMargins().right()


def test_the_field_of_a_shortcut_makes_room_after_a_collection_of_garbage(qtbot: QtBot) -> None:
    edit = _edit_of_a_shortcut()
    qtbot.addWidget(edit)
    edit.show()
    gc.collect()
    assert _margin(edit) > 0
    edit.clear()
    assert _margin(edit) == 0
    edit.setKeySequence(QKeySequence("Ctrl+L"))
    assert _margin(edit) > 0


def test_it_ends_quietly_with_its_field(qtbot: QtBot) -> None:
    edit = _edit_of_a_shortcut()
    edit.show()
    gc.collect()
    with qtbot.waitSignal(edit.destroyed):
        edit.deleteLater()

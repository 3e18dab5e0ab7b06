"""Marks, notes and sets of lines: their keys, the facts and actions in the footer, and the signs in the rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QInputDialog, QMenu

from explorer.gui.project.desk import ProjectDesk
from explorer.gui.project.state import ProjectState
from explorer.gui.screens.screen import label, offer
from explorer.gui.screens.search.lines.actions import LineActions
from explorer.gui.screens.search.lines.table import KwicTable
from explorer.gui.screens.search.lines.table_footer import TableFooter
from explorer.gui.screens.search.marks.note_editor import NoteEditor
from explorer.gui.screens.search.marks.set_list import SetsPopover
from explorer.gui.screens.search.marks.state import MarksState
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import SearchState
from explorer.gui.widgets.fields.buttons import push_button
from explorer.i18n import tr, trn
from explorer.project.tables import place_of

_KEYS = (("M", "mark"), ("N", "note"), ("Del", "delete"), ("Ctrl+Z", "undo"), ("Ctrl+Shift+Z", "redo"))


class LineMarks:
    """What can be done with the selected lines of a table.

    footer: Gets the facts and the buttons.
    """

    def __init__(self, presenter: SearchPresenter, actions: LineActions, table: KwicTable, footer: TableFooter) -> None:
        self._presenter, self._marks = presenter, presenter.marks
        self._edits = presenter.edits
        self._table = table
        self.marked, self.notes = label("", "strong"), label("", "muted")
        self.delete_button = push_button("", "quiet", "close")
        self.delete_button.setToolTip(
            tr("Leave the selected lines out of the list and of exports; Ctrl+Z brings them back")
        )
        self.note_button = push_button(tr("Add note"), "quiet", "pencil")
        self.save_button = push_button(tr("Save as set …"))
        self.sets_button = push_button(tr("Sets"))
        self.sets = SetsPopover(presenter, self.sets_button, actions.ask_set)
        self.editor = NoteEditor(self.note_button, self._save_note)
        # Back to the lines, from which the next key is typed.
        self.editor.closed.connect(table.setFocus)
        # The lines for which the editor was opened: the selection may change while the note is written.
        self._noted: tuple[int, ...] = ()
        for fact in (self.marked, self.notes):
            footer.add_fact(fact)
        self._footer = footer
        for button, picture in (
            (self.delete_button, "close"),
            (self.note_button, "pencil"),
            (self.save_button, "download"),
            (self.sets_button, "list"),
        ):
            footer.add_action(button, picture)
        # Before they get their words, which would be taken for their tips.
        self.offer_lines()
        self._connect()

    def _connect(self) -> None:
        self.delete_button.clicked.connect(self.delete)
        self.note_button.clicked.connect(self.note)
        self.save_button.clicked.connect(self.save_set)
        self.sets_button.clicked.connect(self.sets.toggle)
        # Keys of the table alone: in fields, letters are text.
        self._table.keys = {QKeySequence(key).toString(): getattr(self, name) for key, name in _KEYS}
        delegate = self._table.delegate
        delegate.fill_of, delegate.signs_of = self._fill, self._signs

    def _selected(self) -> list[int]:
        """The selected lines; without any, the current one."""
        current = self._table.current_line()
        return self._table.selected_lines() or ([current] if current >= 0 else [])

    def mark(self) -> None:
        """Mark the selected lines, or remove their marks."""
        self._edits.toggle_mark(self._selected())

    def note(self) -> None:
        """Open the editor on the note of the selected lines."""
        lines = self._selected()
        state = self._marks.state
        if not lines or state.why_not:
            self._presenter.say(state.why_not or tr("Select lines first."))
            return
        self._noted = tuple(lines)
        # The note of the first one; without its row, which is still being read, the editor begins empty.
        row = self._table.row_of(lines[0])
        note = "" if row is None else state.note_on(place_of(row.line))
        about = trn("Line {first:,}", "{n:,} lines", len(lines), first=lines[0] + 1)
        self.editor.edit(note, about)

    def _save_note(self, text: str) -> None:
        self._edits.note(self._noted, text)

    def delete(self) -> None:
        """Delete the selected lines from the list."""
        self._edits.delete(self._selected())

    def undo(self) -> None:
        """Undo the last mark, note, deletion or filter."""
        self._marks.undo()

    def redo(self) -> None:
        """Do again what was undone."""
        self._marks.redo()

    def save_set(self) -> None:
        """Ask for a name, and save the marked lines, or all."""
        state = self._marks.state
        if state.why_not or not self._table.model().rowCount():
            self._presenter.say(state.why_not or tr("There are no lines to save."))
            return
        number = state.marked
        text = (
            trn("Name of a set of {n:,} marked line", "Name of a set of {n:,} marked lines", number)
            if number
            else tr("Name of a set of all lines")
        )
        usual = "" if state.query is None else state.query.text[:60]
        name, given = QInputDialog.getText(self._table, tr("Save a set"), text, text=usual)
        if given and name.strip():
            self._presenter.sets.save(name)

    def fill_menu(self, menu: QMenu) -> None:
        """Add marking, annotating and deleting to the menu of a line."""
        state = self._marks.state
        # Keys are only shown here: the table takes them itself, also while there is no menu.
        for text, key, act, why_not in (
            (tr("Mark or unmark"), "M", self.mark, state.why_not),
            (tr("Note …"), "N", self.note, state.why_not),
            (state.delete_label, "Del", self.delete, state.why_not_delete),
        ):
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(act)
            offer(action, why_not)

    def draw(self, state: SearchState, before: SearchState | None) -> None:
        """Show the facts, and what can be done.

        before: The one that was drawn before; None for the first.
        """
        if before is None or state.sets is not before.sets:
            self.sets.draw(state.sets)
        marks, old = state.marks, None if before is None else before.marks
        if old is marks:
            return
        for part, text in zip((self.marked, self.notes), marks.facts, strict=True):
            part.setText(text)
            part.setVisible(bool(text))
        self._footer.set_text(self.save_button, marks.save_label)
        self._footer.set_text(self.delete_button, marks.delete_label)
        offer(self.save_button, marks.why_not)
        self.offer_lines()
        # Marks and signs are painted from the state: the model has no cell that changed.
        self._table.viewport().update()

    def offer_lines(self) -> None:
        """Gray out what needs a selected line while there is none."""
        state = self._marks.state
        none = "" if self._selected() else tr("Select lines first.")
        offer(self.delete_button, state.why_not_delete or none)
        offer(self.note_button, state.why_not or none)

    def stay(self, state: MarksState) -> None:
        """Choose the line after deleted ones, once the others are listed."""
        if state.stay >= 0:
            self._table.go_to(state.stay)

    def _fill(self, line: int) -> str:
        row = self._table.row_of(line)
        return "mark_soft" if row is not None and self._marks.state.lines.at(place_of(row.line)).marked else ""

    def _signs(self, line: int) -> Sequence[str]:
        row = self._table.row_of(line)
        return () if row is None else self._marks.state.signs(place_of(row.line))


def follow_project(presenter: SearchPresenter, desk: ProjectDesk) -> None:
    """Keep marks and sets in the project of the window.

    desk: The project, and the open index as it is named there.
    """

    def take(state: ProjectState, before: ProjectState | None) -> None:
        # By identity: the desk also reports that it is saving, which concerns no line.
        if before is None or state.project is not before.project or state.current is not before.current:
            for part in (presenter.sets, presenter.marks):
                part.use_project(state.project, state.current)

    # First: what the project keeps is shown at once, and may be changed from then on.
    for part in (presenter.sets, presenter.marks):
        part.use_store(desk.presenter)
    desk.changed.connect(take)
    # The window may have a project already; the signal reports only what changes from now on.
    take(desk.state, None)

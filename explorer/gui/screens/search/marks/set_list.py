"""The saved sets in a pop-over: each is opened, exported, renamed and deleted there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QGridLayout, QInputDialog, QPushButton, QToolButton, QWidget

from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, offer
from explorer.gui.screens.search.marks.sets_state import SetsState
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.style.direction import isolated
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import em
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import counted, tr
from explorer.project import LineSet

_WIDE_EMS = 34
_SHOWN_NAME = 60


class SetRow(QWidget):
    """One set: its name, lines and index, and what can be done with it.

    fits: Whether it is from the contents of the open index.
    index: The name of its index; "" if the project does not know it.
    """

    def __init__(self, kept: LineSet, fits: bool, index: str) -> None:
        super().__init__()
        self.kept = kept
        name = isolated(short_text(kept.name, _SHOWN_NAME))
        self.name, self.facts = ElidedLabel(name), ElidedLabel()
        self.name.setProperty("role", "strong")
        self.facts.setProperty("role", "muted")
        lines = counted("line", len(kept.lines.listed))
        self.facts.setText(" · ".join(filter(None, (lines, isolated(short_text(index, _SHOWN_NAME))))))
        self.name.setToolTip(tip("\n".join(filter(None, (kept.name, kept.query.text, kept.note)))))
        self.open: QPushButton = push_button(tr("Open"))
        self.open.setAccessibleName(tr("Open “{name}”", name=name))
        self.export: QToolButton = icon_button("export", tr("Export “{name}” …", name=name))
        self.rename: QToolButton = icon_button("pencil", tr("Rename “{name}” …", name=name))
        self.delete: QToolButton = icon_button("trash", tr("Delete “{name}”", name=name))
        for button in (self.open, self.export):
            offer(button, "" if fits else tr("Saved from other contents than the open index has"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(em(0.4))
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.facts, 1, 0)
        for column, action in enumerate((self.open, self.export, self.rename, self.delete), 1):
            grid.addWidget(action, 0, column, 2, 1)


class SetsPopover(Popover):
    """The saved sets of the project.

    anchor: The button that opens it.
    export: Writes a set to a file.
    """

    def __init__(self, presenter: SearchPresenter, anchor: QWidget, export: Callable[[LineSet], object]) -> None:
        super().__init__(anchor, tr("Saved sets"))
        self._presenter, self._export = presenter, export
        self.rows: list[SetRow] = []
        self.none = label(tr("No saved sets yet. Mark lines, and save them as a set."), "muted")
        self.none.setWordWrap(True)
        self.all_lines = push_button(tr("Show all lines of the query"))
        self.all_lines.clicked.connect(self._show_all)
        self.head.addWidget(help_button("search#marks-notes-and-sets", tr("Saved sets"), anchor))
        self.body.addWidget(self.none)
        self.body.addWidget(self.all_lines)
        self.draw(presenter.state.sets)

    def open(self) -> None:
        """Open it with the first set in focus."""
        # A shown set can be left only while there is one.
        self.all_lines.setVisible(self._presenter.state.marks.opened is not None)
        self._content_width()
        super().open()

    def _content_width(self) -> None:
        # At each opening: the size of the text may have been changed meanwhile.
        for part in (self.none, *self.rows):
            part.setMinimumWidth(em(_WIDE_EMS))

    def draw(self, state: SetsState) -> None:
        """List the sets."""
        if self.isVisible():
            # The row with the focus may be one that goes; without a focus in it, the pop-over would close.
            self.setFocus()
        for row in self.rows:
            self.body.removeWidget(row)
            # Deleted in a later turn of the event loop; until then, it must not be seen.
            row.hide()
            row.deleteLater()
        self.rows = [SetRow(kept, fits, state.index_names.get(kept.index, "")) for kept, fits in state.kept]
        for place, row in enumerate(self.rows, self.body.indexOf(self.none) + 1):
            self._connect(row)
            self.body.insertWidget(place, row)
        self.none.setVisible(not self.rows)
        self._content_width()
        if self.isVisible():
            self.fit()

    def _connect(self, row: SetRow) -> None:
        name = row.kept.name
        row.open.clicked.connect(lambda: self._finish(lambda: self._presenter.sets.open(name)))
        row.export.clicked.connect(lambda: self._finish(lambda: self._export(row.kept)))
        row.rename.clicked.connect(lambda: self._rename(name))
        row.delete.clicked.connect(lambda: self._presenter.sets.remove(name))

    def _finish(self, act: Callable[[], object]) -> None:
        """Close, and show lines: they are below the pop-over."""
        self.close()
        act()

    def _show_all(self) -> None:
        self._finish(self._presenter.sets.close)

    def _rename(self, name: str) -> None:
        new, given = QInputDialog.getText(self, tr("Rename the set"), tr("Name"), text=name)
        if given and new.strip() and new.strip() != name:
            self._presenter.sets.rename(name, new)

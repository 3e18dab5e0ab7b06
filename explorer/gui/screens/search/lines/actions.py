"""The menus in which lines are copied and exported, and the dialogs that ask where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from explorer.export.registry import COPIES, LINES, TABLES
from explorer.gui.chrome.save_dialog import ask_where
from explorer.gui.screens.screen import offer
from explorer.gui.screens.search.export_presenter import ExportPresenter, TableToSave
from explorer.gui.style.untrusted import tip
from explorer.i18n import tr, trn
from explorer.project import LineSet

_USUAL_SAMPLE = 100


class LineActions:
    """Fills menus, asks, and hands on what was chosen."""

    def __init__(self, parent: QWidget, presenter: ExportPresenter) -> None:
        self._parent, self.presenter = parent, presenter

    def fill_line_menu(self, menu: QMenu, numbers: Callable[[], Sequence[int]]) -> None:
        """Add copying and exporting to a menu, after what it has already.

        numbers: Gives the numbers of the selected lines when a command is chosen.
        """
        menu.addSeparator()
        self.fill_copy_menu(menu, numbers)
        menu.addSeparator()
        self.fill_export_menu(menu, numbers)

    def fill_copy_menu(self, menu: QMenu, numbers: Callable[[], Sequence[int]]) -> None:
        """Add one entry per format in which lines are copied.

        numbers: Gives the numbers of the selected lines when a command is chosen.
        """
        for form in COPIES:
            action = menu.addAction(tr("Copy as {copy_names}", copy_names=tr(form.label)))
            # `triggered` gives a bool, which must not be taken for the format.
            action.triggered.connect(lambda _=False, form=form.id: self.presenter.copy(numbers(), form))
            _offer_with_lines(menu, action, numbers)

    def fill_export_menu(self, menu: QMenu, selected: Callable[[], Sequence[int]]) -> None:
        """Add exporting of all, of selected and of sampled lines.

        selected: Gives the numbers of the selected lines when a command is chosen.
        """
        menu.addAction(tr("Export all lines …")).triggered.connect(lambda: self.ask_export(None))
        of_selected = menu.addAction("")
        of_selected.triggered.connect(lambda: self.ask_export(selected()))
        menu.aboutToShow.connect(lambda: of_selected.setText(_export_label(len(selected()))))
        _offer_with_lines(menu, of_selected, selected)
        menu.addAction(tr("Export a random sample …")).triggered.connect(self.ask_sample)
        menu.addSeparator()
        all_fields = menu.addAction("")
        all_fields.setCheckable(True)
        all_fields.triggered.connect(self.presenter.fields.choose)
        menu.aboutToShow.connect(lambda: self._offer_fields(all_fields))
        menu.addAction(tr("What the columns mean")).triggered.connect(self.presenter.explain)

    def _offer_fields(self, action: QAction) -> None:
        """Show whether exported lines have all metadata fields, and which these are."""
        corpus, fields = self.presenter.corpus, self.presenter.fields
        names = () if corpus is None else fields.names(corpus)
        action.setText(trn("With the metadata field", "With all {n:,} metadata fields", len(names)))
        action.setChecked(corpus is not None and bool(names) and fields.has_all(corpus))
        action.setToolTip(tip(", ".join(names) or tr("The documents of this index have no metadata fields.")))
        action.setEnabled(bool(names))

    def ask_export(self, numbers: Sequence[int] | None, drawn: bool = False) -> None:
        """Ask for a path and write the lines there; None for all."""
        if not self.presenter.may_export(numbers):
            return
        path = ask_where(self._parent, tr("Export lines"), "concordance", LINES)
        if path is not None:
            self.presenter.export(path, numbers, drawn)

    def ask_set(self, kept: LineSet) -> None:
        """Ask for a path and write a saved set there."""
        path = ask_where(self._parent, tr("Export a set"), kept.name, LINES)
        if path is not None:
            self.presenter.export_set(path, kept)

    def ask_sample(self) -> None:
        """Ask how many lines, and export as many at random."""
        if not self.presenter.may_export(None):
            return
        total = self.presenter.total
        size, given = QInputDialog.getInt(
            self._parent,
            tr("Export a random sample"),
            tr("Number of lines (of {total:,})", total=total),
            min(_USUAL_SAMPLE, total),
            1,
            # The dialog takes numbers of 32 bits.
            min(total, 2**31 - 1),
        )
        if given:
            self.ask_export(self.presenter.sample(size), drawn=True)

    def ask_table(self, table: TableToSave | None) -> None:
        """Ask for a path and write a table there; None: there is nothing to write yet."""
        path = None if table is None else ask_where(self._parent, table.title, table.name, TABLES)
        if path is not None and table is not None:
            self.presenter.save_table(path, table)


def _export_label(number: int) -> str:
    if not number:
        return tr("Export the selected lines …")
    return trn("Export the selected line …", "Export the {n:,} selected lines …", number)


def _offer_with_lines(menu: QMenu, action: QAction, selected: Callable[[], Sequence[int]]) -> None:
    """Gray an action out, with the reason, whenever its menu opens while no line is selected."""
    menu.setToolTipsVisible(True)
    menu.aboutToShow.connect(lambda: offer(action, "" if selected() else tr("Select lines first.")))

"""The menu of saved sets: each can be opened, renamed, exported and deleted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from explorer.gui.direction import isolated
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.text_positions import short_text
from explorer.gui.untrusted import caption, tip
from explorer.i18n import counted, tr
from explorer.project import LineSet


def fill_sets(
    menu: QMenu, presenter: SearchPresenter, parent: QWidget, export: Callable[[LineSet], object] | None = None
) -> None:
    """Fill a menu with the saved sets.

    Parameters
    ----------
    menu
        The menu, which is emptied.
    presenter
        What knows them.
    parent
        The widget over which dialogs open.
    export
        Writes a set to a file; None leaves this out.
    """
    menu.clear()
    menu.setToolTipsVisible(True)
    state = presenter.state.sets
    if presenter.state.marks.opened is not None:
        menu.addAction(tr("Show all lines of the query")).triggered.connect(presenter.sets.close)
        menu.addSeparator()
    for kept, fits in state.kept:
        _fill_set(menu, presenter, parent, kept, fits, export)
    if not state.kept:
        menu.addAction(tr("No saved sets yet")).setEnabled(False)


def _fill_set(
    menu: QMenu,
    presenter: SearchPresenter,
    parent: QWidget,
    kept: LineSet,
    fits: bool,
    export: Callable[[LineSet], object] | None,
) -> None:
    name = kept.name
    shown = caption(isolated(short_text(name, 60)))
    inner = menu.addMenu(f"{shown}\t{counted('line', len(kept.lines.listed))}")
    inner.menuAction().setToolTip(tip("\n".join(filter(None, (kept.query.text, kept.note)))))
    if not fits:
        inner.addAction(tr("Saved from other contents than the open index has")).setEnabled(False)
    # `triggered` gives a bool, which is not meant for these.
    choices: list[tuple[str, Callable[[], object], bool]] = [
        (tr("Open"), lambda: presenter.sets.open(name), fits),
        (tr("Rename …"), lambda: _rename(presenter, name, parent), True),
        (tr("Delete"), lambda: presenter.sets.remove(name), True),
    ]
    if export is not None:
        choices.insert(1, (tr("Export …"), lambda: export(kept), fits))
    for text, act, usable in choices:
        action = inner.addAction(text)
        action.triggered.connect(lambda _=False, act=act: act())
        action.setEnabled(usable)


def _rename(presenter: SearchPresenter, name: str, parent: QWidget) -> None:
    new, given = QInputDialog.getText(parent, tr("Rename the set"), tr("Name"), text=name)
    if given and new.strip() and new.strip() != name:
        presenter.sets.rename(name, new)

"""The Settings screen: pages beside or above their settings, and a field that finds a setting on any page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.app.host import Host, HostedScreen
from explorer.gui.presenting.requests import ChangeSetting, Request, ShowSettings
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.settings.presenter import SettingsPresenter
from explorer.gui.screens.settings.rows import SettingRow, SettingsPage
from explorer.gui.screens.settings.shortcuts import ShortcutsPage
from explorer.gui.screens.settings.state import PAGES, SHORTCUTS, SHOWN, SettingsState
from explorer.gui.style.surfaces import apply_stylesheet, when_restyled
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.end_button import add_clear_button
from explorer.i18n import tr

_LIST_EMS, _LEAST_LIST_EMS, _PAGE_EMS = 17, 13.5, 62
_ABOVE_EMS = 46
"""The width below which the pages are above the settings, in em."""
_NO_LIMIT = (1 << 24) - 1
"""Qt's own largest size of a widget."""
_PREVIEWED = PAGES[0]


class _Rows(QScrollArea):
    """As low as it must be: it gets all the room that is left, and nothing around it has to scroll as well."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class SettingsScreen(HostedScreen):
    """Every change takes effect, and is stored, at once."""

    reads_text = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = SettingsPresenter(self.requested.emit)
        self.host: Host | None = None
        self.shortcuts: ShortcutsPage | None = None
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.presenter.watch(self._draw)

    def _make_widgets(self) -> None:
        hint = tr("Find a setting")
        self.finder = named(QLineEdit(placeholderText=hint), hint)
        add_clear_button(self.finder)
        self.list = named(QListWidget(), tr("Pages"))
        self.list.setProperty("role", "pages")
        self.list.addItems([tr(page) for page in PAGES])
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        # A name that is a pixel too wide is shortened; a bar below the names would only show its end.
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setCurrentRow(0)
        self.pages = [
            SettingsPage(page, [s for s in SHOWN if s.section == page], self.presenter, page == _PREVIEWED)
            for page in PAGES
            if page != SHORTCUTS
        ]
        self.nothing = label(tr("No setting has these words"), "muted")
        self.open_file = QPushButton(tr("Open settings file"))
        self.open_file.setProperty("role", "quiet")

    def _lay_out(self) -> None:
        self.side = QWidget()
        side = QVBoxLayout(self.side)
        side.addWidget(self.finder)
        side.addWidget(self.list, 1)
        content = QWidget()
        rows = QVBoxLayout(content)
        for page in self.pages:
            rows.addWidget(page)
        rows.addWidget(self.nothing)
        rows.addStretch(1)
        self.area = _Rows()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setWidget(content)
        self._content = content
        self._main = QVBoxLayout()
        self._main.addWidget(self.area, 1)
        self._foot = QWidget()
        foot = QHBoxLayout(self._foot)
        sentence = tr(
            "Search, Trace and Agreement settings apply to new windows, all others at once. Undo with Ctrl+Z."
        )
        how = label(sentence, "small")
        how.setWordWrap(True)
        foot.addWidget(how, 1)
        foot.addWidget(self.open_file)
        self._main.addWidget(self._foot)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(0)
        line = QFrame()
        line.setProperty("role", "divider")
        line.setFixedWidth(1)
        self._halves.addWidget(self.side)
        self._halves.addWidget(line)
        self._halves.addLayout(self._main, 1)
        self._fit_to_text()
        when_restyled(self, self._fit_to_text)

    def _fit_to_text(self) -> None:
        self._fit_to_width()
        _leave_room(self.side, self._content, self._foot, self.list.flow() == QListView.Flow.LeftToRight)
        self._main.setContentsMargins(em(1.2), 0, em(1.2), em(0.5))
        self._content.setMaximumWidth(em(_PAGE_EMS))

    def _fit_to_width(self) -> None:
        # In a narrow window with large text, the pages are in two rows above the settings, which need the whole width.
        above = self.width() < em(_ABOVE_EMS)
        way, flow = QBoxLayout.Direction.LeftToRight, QListView.Flow.TopToBottom
        if above:
            way, flow = QBoxLayout.Direction.TopToBottom, QListView.Flow.LeftToRight
        if flow != self.list.flow():
            self._halves.setDirection(way)
            self.list.setFlow(flow)
            self.list.setWrapping(above)
            _lead_on(self._foot, self._content if above else None, self._main)
            _leave_room(self.side, self._content, self._foot, self.list.flow() == QListView.Flow.LeftToRight)
        wide = max(em(_LEAST_LIST_EMS), min(em(_LIST_EMS), self.width() // 4))
        self.side.setMinimumWidth(0 if above else wide)
        self.side.setMaximumWidth(_NO_LIMIT if above else wide)
        # Both rows are seen, so there is nothing to scroll.
        bars = Qt.ScrollBarPolicy
        self.list.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if above else bars.ScrollBarAsNeeded)
        self.list.setMaximumHeight(2 * self.list.sizeHintForRow(0) + em(0.5) if above else _NO_LIMIT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width between pages and settings."""
        super().resizeEvent(event)
        self._fit_to_width()

    def _connect(self) -> None:
        self.finder.textChanged.connect(self.presenter.find)
        self.list.currentRowChanged.connect(lambda row: self.presenter.show_page(PAGES[row]))
        self.open_file.clicked.connect(lambda _=False: open_file(self.host))
        # Fields for text have an undo of their own, which comes first while they have the focus.
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self)
        undo.activated.connect(self.presenter.undo)
        # A change of looks from a menu or another window restyles this one.
        when_restyled(self, self.presenter.refresh)

    def use_host(self, host: Host) -> None:
        """Show the window's settings."""
        self.host = host
        self.presenter.use(host.settings)

    def take(self, request: Request) -> None:
        """Show a page, or one setting."""
        # What was looked for would hide the page that is asked for.
        match request:
            case ShowSettings(page, key):
                self.finder.clear()
                setting = next((known for known in SHOWN if known.key == key), None)
                self.presenter.show_page(setting.section if setting is not None else page or PAGES[0])
                if setting is not None:
                    self.row(key).field.setFocus()
            case _:
                super().take(request)

    def row(self, key: str) -> SettingRow:
        """The row of a setting."""
        return next(row for page in self.pages for row in page.rows if row.setting.key == key)

    def focus_input(self) -> None:
        """Put the cursor in the field that finds settings."""
        self.finder.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the values again: they may have changed meanwhile."""
        super().showEvent(event)
        self.presenter.refresh()

    def session(self) -> dict[str, Any]:
        """Nothing: the settings begin with their first page."""
        return {}

    def _draw(self, state: SettingsState, before: SettingsState) -> None:
        # Only if it differs: setting it would move the cursor while somebody types.
        if state.typed != self.finder.text():
            self.finder.setText(state.typed)
        if state.page != before.page:
            self.list.setCurrentRow(PAGES.index(state.page))
        if state.shows_shortcuts:
            self._make_shortcuts()
        # All pages at every change: a search shows rows of several, and a reset changes many.
        for page in self.pages:
            page.draw(state)
        self.area.setVisible(not state.shows_shortcuts)
        if self.shortcuts is not None:
            self.shortcuts.setVisible(state.shows_shortcuts)
        self.nothing.setVisible(state.nothing_found)

    def _make_shortcuts(self) -> None:
        """The table is made when it is needed: it has dozens of fields."""
        if self.shortcuts is not None or self.host is None:
            return
        settings = self.host.settings

        def tell_keys() -> None:
            # Stored already: what remains is to show the keys everywhere.
            self.requested.emit(ChangeSetting("shortcuts", settings.get("shortcuts")))

        self.shortcuts = ShortcutsPage(settings, self.host.book)
        self.shortcuts.setContentsMargins(em(1.2), em(1.2), em(1.2), em(0.5))
        apply_stylesheet(self.shortcuts)
        self.shortcuts.changed.connect(tell_keys)
        self._main.insertWidget(0, self.shortcuts, 1)


def _leave_room(side: QWidget, content: QWidget, foot: QWidget, above: bool) -> None:
    """Give the parts their margins; below each other, they are close: a low window has room for little else."""
    top = em(0.5 if above else 1.2)
    for part, wide, first, last in (
        (side, em(0.9), top, 0 if above else em(0.9)),
        (content, em(1.2), top, em(1.2)),
        (foot, em(1.2), 0, 0),
    ):
        layout = part.layout()
        assert layout is not None
        layout.setContentsMargins(wide, first, wide, last)


def _lead_on(foot: QWidget, content: QWidget | None, main: QVBoxLayout) -> None:
    """Put the sentence below the settings, or at the end of `content`, where it scrolls with them."""
    rows = main if content is None else content.layout()
    assert rows is not None
    rows.addWidget(foot)


def open_file(host: Host | None) -> None:
    """Open the file of the settings with the system's editor.

    host: What the window offers; without it, nothing happens.
    """
    if host is None:
        return
    # There is no file before the first change.
    host.settings.set("scheme", host.settings.scheme())
    if host.settings.flush():
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(host.settings.path)))

"""The rail: a picture for each screen, at the left edge of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from explorer.gui.icons import icon
from explorer.gui.screen import with_key
from explorer.gui.screens.registry import ScreenSpec
from explorer.gui.surfaces import keep_icon_size
from explorer.i18n import tr


class Rail(QToolBar):
    """Shows the screens in the order of their rows; some are at the lower end. `chosen(str)`: the id of a screen."""

    chosen = Signal(str)

    def __init__(self, screens: Sequence[ScreenSpec]) -> None:
        super().__init__(tr("Screens"), movable=False)
        keep_icon_size(self, 24)
        self.setObjectName("rail")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.screen_actions: dict[str, QAction] = {}
        self._group = QActionGroup(self)
        for spec in screens:
            if not spec.at_bottom:
                self._add(spec)
        if any(spec.at_bottom for spec in screens):
            # A tool bar has no stretch: an empty widget takes the height that is left.
            space = QWidget()
            space.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
            self.addWidget(space)
        for spec in screens:
            if spec.at_bottom:
                self._add(spec)

    def _add(self, spec: ScreenSpec) -> None:
        action = QAction(icon(spec.picture), tr(spec.title), self, checkable=True)
        action.triggered.connect(lambda _: self.chosen.emit(spec.id))
        self._group.addAction(action)
        self.addAction(action)
        self.screen_actions[spec.id] = action

    def check(self, id: str) -> None:
        """Mark the visible screen."""
        self.screen_actions[id].setChecked(True)

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Show the screens' shortcuts in the tool tips; `key` has them by id."""
        for id, action in self.screen_actions.items():
            action.setToolTip(with_key(action.text(), key(id)))

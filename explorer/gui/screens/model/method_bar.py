"""Chooses a method and its settings: four in front, the others in a menu."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QMenu, QWidget

from explorer.gui.screen import label, named
from explorer.gui.screens.model.methods import IN_FRONT, OTHERS, SETTINGS, SHOWN, TITLES, Chosen
from explorer.gui.theme import scaled
from explorer.gui.widgets.buttons import push_button
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import mark, tr

_WEIGHTS = {
    "linear": "n",
    "quadratic": "n²",
    "exponential": "2ⁿ",
    "sigmoid": mark("sigmoid"),
}


class SettingField(QWidget):
    """A label and a field. `changed(object)`: the user chose another value."""

    changed = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._about = SETTINGS[name]
        self.box = named(self._make(), tr(self._about.title))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(6))
        row.addWidget(label(tr(self._about.title), "muted"))
        row.addWidget(self.box)

    def _make(self) -> QComboBox | NumberBox | DecimalBox:
        about = self._about
        if about.choices:
            combo = QComboBox()
            for value in about.choices:
                combo.addItem(tr(_WEIGHTS.get(value, value)), value)
            combo.activated.connect(lambda _: self.changed.emit(combo.currentData()))
            return combo
        if about.decimals:
            decimal = DecimalBox(minimum=about.low, maximum=about.high, decimals=about.decimals, singleStep=0.1)
            decimal.valueChanged.connect(self.changed.emit)
            return decimal
        whole = NumberBox(minimum=int(about.low), maximum=int(about.high))
        if about.nothing:
            whole.setSpecialValueText(tr(about.nothing))
        whole.valueChanged.connect(lambda value: self.changed.emit(None if about.nothing and not value else value))
        return whole

    def show_value(self, value: Any) -> None:
        """Show a value without a signal."""
        # What the state sets is not the user's choice.
        self.box.blockSignals(True)
        if isinstance(self.box, QComboBox):
            self.box.setCurrentIndex(self.box.findData(value))
        elif isinstance(self.box, DecimalBox):
            self.box.setValue(float(value))
        else:
            self.box.setValue(int(value or 0))
        self.box.blockSignals(False)


class MethodBar(QWidget):
    """`chosen(str)`: another method; `entered(str, object)`: another value of a setting."""

    chosen = Signal(str)
    entered = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Chosen | None = None
        self.segments = Segments([tr(TITLES[name]) for name in IN_FRONT], tr("Method"))
        self.more = push_button(tr("More"), "quiet", "chevron-down")
        self.more.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.more.setToolTip(tr("Choose another method"))
        self.fields = {name: SettingField(name) for name in SETTINGS}
        self._row = FlowLayout(self, gap=8)
        for widget in (self.segments, self.more, *self.fields.values()):
            self._row.addWidget(widget)
        for name, each in self.fields.items():
            # A widget that nobody has hidden is shown by its layout.
            each.hide()
            each.changed.connect(partial(self.entered.emit, name))
        self.segments.chosen.connect(lambda number: self.chosen.emit(IN_FRONT[number]))
        self.more.clicked.connect(self._offer)

    def add(self, widget: QWidget) -> None:
        """Put another widget after the settings."""
        self._row.addWidget(widget)

    def _offer(self) -> None:
        menu = QMenu(self.more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in OTHERS:
            entry = menu.addAction(tr(TITLES[name]), partial(self.chosen.emit, name))
            entry.setCheckable(True)
            entry.setChecked(self._shown is not None and self._shown.name == name)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def draw(self, method: Chosen) -> None:
        """Show a method and its settings."""
        if method == self._shown:
            return
        self._shown = method
        # A method of the menu is named by its button, and no segment is in force.
        front = method.name in IN_FRONT
        self.segments.choose(IN_FRONT.index(method.name) if front else -1)
        self.more.setText(tr("More") if front else tr(TITLES[method.name]))
        shown = SHOWN.get(method.name, ())
        for name, each in self.fields.items():
            each.setVisible(name in shown)
            if name in shown:
                each.show_value(method.value(name))


def leave_box() -> QCheckBox:
    """Make the box that leaves the texts out of the corpus."""
    box = QCheckBox(tr("Leave one out"))
    box.setToolTip(tr("For texts of the corpus: score each token as if its own occurrence were not in the corpus"))
    return box

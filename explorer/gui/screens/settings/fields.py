"""The control of a setting: a toggle, a few choices side by side, a list, a number, a font or a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QDir
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPushButton, QWidget

from explorer.gui.screens.screen import named
from explorer.gui.settings.schema import Setting
from explorer.gui.style.untrusted import caption
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.toggle import Toggle
from explorer.gui.widgets.texts.elided_label import ElidedLabel
from explorer.i18n import mark, tr

_MOST_SEGMENTS = 3
_SIZES = (10, 11, 12, 13, 14, 16, 18, 20, 24)
"""Sizes of text in points that are offered."""
_ONE = {"tokens": mark("token"), "documents": mark("document"), "threads": mark("thread")}
"""Units of numbers, for one."""
Put = Callable[[Any], object]
Show = Callable[[Any], object]


def make_field(setting: Setting, put: Put) -> tuple[QWidget, Show]:
    """Make the control of a setting.

    Returns: The control, and what shows a value in it without calling `put`.
    """
    if isinstance(setting.default, bool):
        return _toggle(setting, put)
    if setting.kind == "folder":
        field = FolderField(tr(setting.title), put)
        return field, field.show_folder
    if setting.kind in ("font", "fixed_font"):
        field_of_fonts = FontBox(setting, put)
        return field_of_fonts, field_of_fonts.show_family
    if setting.kind == "text_size":
        return _list(setting, put, ((0, tr("System default")), *((points, f"{points}") for points in _SIZES)))
    if setting.choices and len(setting.choices) <= _MOST_SEGMENTS:
        return _segments(setting, put)
    if setting.choices:
        return _list(setting, put, tuple((value, tr(name)) for value, name in setting.choices))
    return _number(setting, put)


def _toggle(setting: Setting, put: Put) -> tuple[QWidget, Show]:
    toggle = named(Toggle(), tr(setting.title))
    # `clicked` and not `toggled`, which also comes when a value is shown.
    toggle.clicked.connect(lambda: put(toggle.isChecked()))
    return toggle, toggle.setChecked


def _segments(setting: Setting, put: Put) -> tuple[QWidget, Show]:
    values = [value for value, _ in setting.choices]
    segments = Segments([tr(name) for _, name in setting.choices], tr(setting.title))
    # The signal is the user's choice only: showing a value emits nothing.
    segments.chosen.connect(lambda number: put(values[number]))
    return segments, lambda value: segments.choose(values.index(value))


def _list(setting: Setting, put: Put, choices: Sequence[tuple[Any, str]]) -> tuple[QWidget, Show]:
    box = named(QComboBox(), tr(setting.title))
    for value, name in choices:
        box.addItem(name, value)
    # `activated` is the user's choice; `currentIndexChanged` would also come when a value is shown.
    box.activated.connect(lambda _: put(box.currentData()))

    def show(value: Any) -> None:
        # A size that was reached step by step may not be in the list.
        if box.findData(value) < 0:
            box.addItem(f"{value:g}", value)
        box.setCurrentIndex(box.findData(value))

    return box, show


def _number(setting: Setting, put: Put) -> tuple[QWidget, Show]:
    box = named(NumberBox(minimum=setting.low, maximum=setting.high), tr(setting.title))
    if setting.unit:
        one = _ONE.get(setting.unit, setting.unit)

        def name(value: int) -> None:
            box.setSuffix(f" {tr(one if value == 1 else setting.unit)}")

        name(box.value())
        # Also for the number that is shown first.
        box.valueChanged.connect(name)
    # Not for every digit that is typed: 1 on the way to 16 is not meant.
    box.setKeyboardTracking(False)
    box.valueChanged.connect(put)
    return box, box.setValue


class FontBox(QComboBox):
    """Families of fonts; they are listed when the list is opened for the first time, which takes a while."""

    def __init__(self, setting: Setting, put: Put, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fixed = setting.kind == "fixed_font"
        self._listed = False
        self.setAccessibleName(tr(setting.title))
        self.setMinimumContentsLength(18)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.addItem(tr("System default"), "")
        self.activated.connect(lambda _: put(self.currentData()))

    def show_family(self, family: str) -> None:
        """Show the chosen family; "" for the system's."""
        if self.findData(family) < 0:
            self.addItem(family, family)
        self.setCurrentIndex(self.findData(family))

    def list_families(self) -> None:
        """List all families that can be used."""
        if self._listed:
            return
        self._listed = True
        chosen = self.currentData()
        self.clear()
        self.addItem(tr("System default"), "")
        for family in QFontDatabase.families():
            # Private families are parts of the system, not fonts to choose.
            fits = not self._fixed or QFontDatabase.isFixedPitch(family)
            if fits and not QFontDatabase.isPrivateFamily(family):
                self.addItem(family, family)
        self.show_family(chosen)

    def showPopup(self) -> None:
        """Open the list."""
        self.list_families()
        super().showPopup()


class FolderField(QWidget):
    """A folder, a button to choose one, and one to forget it."""

    def __init__(self, name: str, put: Put, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._put, self._folder = put, ""
        self.shown = ElidedLabel()
        self.shown.setProperty("role", "muted")
        self.choose = named(QPushButton(tr("Choose …")), tr("Choose: {name}", name=name))
        self.clear = named(QPushButton(tr("Clear")), tr("Clear: {name}", name=name))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.shown, 1)
        layout.addWidget(self.choose)
        layout.addWidget(self.clear)
        self.choose.clicked.connect(self._choose)
        self.clear.clicked.connect(lambda _=False: put(""))

    def show_folder(self, folder: str) -> None:
        """Show the chosen folder; "" for none."""
        self._folder = folder
        self.shown.setText(caption(QDir.toNativeSeparators(folder)))
        self.clear.setVisible(bool(folder))

    def _choose(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Choose a folder"), self._folder):
            self._put(folder)

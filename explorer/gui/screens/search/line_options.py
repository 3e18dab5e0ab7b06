"""How lines are sorted, sampled, merged and laid out: the bar above the table and the row that it opens."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from explorer.gui.screen import label, named
from explorer.gui.screens.search.work import MOST_WIDTH, Layout
from explorer.gui.untrusted import tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import mark, tr
from explorer.search.arrange import (
    MAX_ARRANGED,
    MAX_SORTED,
    MOST_LEVELS,
    POSITIONS,
    LineSettings,
    SortLevel,
    parse_sort,
)

_PRESETS = (
    (mark("Right context"), "right"),
    (mark("Left context"), "left"),
    (mark("Match"), "M,1R"),
    (mark("Document"), "document"),
    (mark("Random order"), "random"),
    (mark("Index order (fastest)"), "index"),
    (mark("Custom sort …"), ""),
)
_WITHOUT_WORDS = ("document", "random", "index")
"""Orders for which no words need to be read."""
_BY_READING = (("right", mark("Following context")), ("left", mark("Preceding context")))
_PAUSE_MS = 150


def place_name(position: str, right_to_left: bool = False) -> str:
    """Name a word's place.

    Parameters
    ----------
    position
        "1L" to "5R", or "M" for the match.
    right_to_left
        Whether lines run right to left: then "before" and "after" take the place of "left" and "right".

    Returns
    -------
    str
        The name, such as "2nd word left".
    """
    if position == "M":
        return tr("match")
    ordinals = {"1": tr("1st"), "2": tr("2nd"), "3": tr("3rd")}
    number = ordinals.get(position[0]) or tr("{digit}th", digit=position[0])
    if right_to_left:
        return (
            tr("{number} word before", number=number)
            if position[1] == "L"
            else tr("{number} word after", number=number)
        )
    if position[1] == "L":
        return tr("{number} word left", number=number)
    return tr("{number} word right", number=number)


class SortChoice(QWidget):
    """A preset, or up to three levels. `changed()`."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._right_to_left = False
        self._wanted: str | None = None
        self.preset = named(QComboBox(), tr("Sort by"))
        self.preset.setToolTip(
            tr(
                "“Index order” shows the first lines at once. It groups lines by the following token, but not "
                "alphabetically. More than {limit:,} lines are not sorted by right context.",
                limit=MAX_SORTED,
            )
        )
        for text, spec in _PRESETS:
            self.preset.addItem(tr(text), spec)
        self.levels = QWidget()
        row = FlowLayout(self.levels)
        self._levels: list[tuple[QComboBox, QComboBox]] = []
        for number in range(MOST_LEVELS):
            key, way = (
                named(QComboBox(), tr("Level {number}", number=number + 1)),
                named(QComboBox(), tr("Direction of level {number}", number=number + 1)),
            )
            way.addItem("A → Z", False)
            way.addItem("Z → A", True)
            self._levels.append((key, way))
            group = QWidget()
            inside = QHBoxLayout(group)
            inside.setContentsMargins(0, 0, 10, 0)
            name = label(f"{number + 1}", "")
            name.setProperty("level", str(number + 1))
            for widget in (name, key, way):
                inside.addWidget(widget)
            row.addWidget(group)
            for box in (key, way):
                box.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.show_fields(())
        self.levels.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.preset)
        self.preset.currentIndexChanged.connect(self._preset_changed)

    def offer_words(self, why_not: str) -> None:
        """Leave only orders that need no words around hits, for a reason; "" offers all, and restores the order."""
        model = self.preset.model()
        assert isinstance(model, QStandardItemModel)
        for row in range(self.preset.count()):
            if self.preset.itemData(row) not in _WITHOUT_WORDS:
                model.item(row).setEnabled(not why_not)
                self.preset.setItemData(row, tip(why_not) or None, Qt.ItemDataRole.ToolTipRole)
        chosen = self.preset.currentData()
        if why_not and chosen not in _WITHOUT_WORDS:
            self._wanted = chosen
            self._choose("index")
        elif not why_not and self._wanted is not None:
            self._choose(self._wanted)
            self._wanted = None

    def _choose(self, spec: str) -> None:
        """Choose a preset without a signal."""
        with QSignalBlocker(self):
            self.preset.setCurrentIndex(self.preset.findData(spec))

    def _preset_changed(self) -> None:
        self.levels.setVisible(not self.preset.currentData())
        self.changed.emit()

    def show_fields(self, fields: Sequence[str]) -> None:
        """Offer the metadata fields as keys too."""
        for number, (key, _) in enumerate(self._levels):
            with QSignalBlocker(key):
                chosen = key.currentData()
                key.clear()
                key.addItem("—", "")
                for position in POSITIONS:
                    key.addItem(place_name(position, self._right_to_left), position)
                key.addItem(tr("document"), "document")
                for field in fields:
                    key.addItem(field, f"field:{field}")
                default = "1L" if number == 0 and chosen is None else ""
                key.setCurrentIndex(max(0, key.findData(chosen or default)))

    def show_direction(self, right_to_left: bool) -> None:
        """Name the sides of the match by reading order if the lines run right to left: there "right" is before."""
        if right_to_left == self._right_to_left:
            return
        self._right_to_left = right_to_left
        names = dict(_BY_READING) if right_to_left else {spec: text for text, spec in _PRESETS}
        for spec in ("right", "left"):
            self.preset.setItemText(self.preset.findData(spec), tr(names[spec]))
        for key, _ in self._levels:
            for position in POSITIONS:
                key.setItemText(key.findData(position), place_name(position, right_to_left))

    def view(self) -> LineSettings:
        """The chosen order."""
        spec = self.preset.currentData()
        if spec:
            return parse_sort(spec)
        chosen = [
            SortLevel(key.currentData(), bool(way.currentData())) for key, way in self._levels if key.currentData()
        ]
        return LineSettings(sort=tuple(chosen))

    def set_level(self, number: int, key: str, descending: bool = False) -> None:
        """Choose what lines are sorted by on one level.

        Parameters
        ----------
        number
            The level, 0 to 2.
        key
            The key of the order, as `LineSettings` knows it; "" for none.
        descending
            Whether the order is reversed.
        """
        self.preset.setCurrentIndex(self.preset.count() - 1)
        box, way = self._levels[number]
        way.setCurrentIndex(int(descending))
        box.setCurrentIndex(box.findData(key))


class LineOptions(QWidget):
    """Width and unit of the context, font, sample, seed, collapsing.

    `layout_changed()`: the same lines, other cells; `lines_changed()`: other lines.
    """

    layout_changed = Signal()
    lines_changed = Signal()
    font_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.width_box = named(NumberBox(minimum=1, maximum=MOST_WIDTH, value=14), tr("Context on each side"))
        self.unit = named(QComboBox(), tr("Unit of the context"))
        self.unit.addItem(tr("tokens"), False)
        self.unit.addItem(tr("characters"), True)
        self.fixed = QCheckBox(tr("Fixed-width font"))
        self.fixed.setChecked(True)
        self.sample = named(NumberBox(minimum=0, maximum=MAX_ARRANGED, value=0), tr("Sample"))
        self.sample.setSpecialValueText(tr("all lines"))
        self.sample.setGroupSeparatorShown(True)
        self.sample.setToolTip(tr("Number of lines to sample at random (0 = all)"))
        self.seed = named(NumberBox(minimum=0, maximum=999_999, value=0), tr("Seed"))
        self.seed.setToolTip(tr("The same seed gives the same sample"))
        self.collapse = named(NumberBox(minimum=0, maximum=100, value=0, suffix=tr(" tokens")), tr("Merge duplicates"))
        self.collapse.setSpecialValueText(tr("off"))
        self.collapse.setToolTip(tr("Merge lines whose context is identical within this many tokens on each side"))
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.lines_changed)
        row = FlowLayout(self)
        for name, widgets in (
            (tr("Context"), (self.width_box, self.unit)),
            ("", (self.fixed,)),
            (tr("Sample"), (self.sample,)),
            (tr("Seed"), (self.seed,)),
            (tr("Merge duplicates"), (self.collapse,)),
        ):
            group = QWidget()
            group.setMinimumHeight(32)
            inside = QHBoxLayout(group)
            inside.setContentsMargins(0, 0, 12, 0)
            if name:
                inside.addWidget(label(name, "muted"))
            for widget in widgets:
                inside.addWidget(widget)
            row.addWidget(group)
        self.width_box.valueChanged.connect(lambda _: self.layout_changed.emit())
        self.unit.currentIndexChanged.connect(self._unit_changed)
        self.fixed.toggled.connect(self.font_changed)
        for box in (self.sample, self.seed, self.collapse):
            box.valueChanged.connect(lambda _: self._pause.start())

    def _unit_changed(self) -> None:
        with QSignalBlocker(self.width_box):
            self.width_box.setValue(70 if self.unit.currentData() else 14)
        self.layout_changed.emit()

    def layout_of_lines(self, fields: tuple[str, ...]) -> Layout:
        """Width, unit, and these fields as columns."""
        return Layout(self.width_box.value(), bool(self.unit.currentData()), fields)

    def view(self) -> LineSettings:
        """Sample, seed and collapsing."""
        return LineSettings(sample=self.sample.value(), collapse=self.collapse.value(), seed=self.seed.value())

"""How lines are sorted, sampled, merged and laid out: the bar above the table and the row that it opens."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from explorer.gui.screen import label, named, offer
from explorer.gui.screens.search.lines_presenter import LinesPresenter
from explorer.gui.screens.search.lines_state import MOST_ROWS, LinesState
from explorer.gui.screens.search.sorting import CUSTOM, PRESETS, level_choices, needs_words, preset_name
from explorer.gui.screens.search.work import MOST_WIDTH
from explorer.gui.untrusted import tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import tr
from explorer.search.arrange import MAX_ARRANGED, MAX_SORTED, MOST_LEVELS


class SortChoice(QWidget):
    """A preset, or up to three levels, which are in `levels`."""

    def __init__(self, presenter: LinesPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.preset = named(QComboBox(), tr("Sort by"))
        self.preset.setToolTip(
            tr(
                "“Index order” shows the first lines at once. It groups lines by the following token, but not "
                "alphabetically. More than {limit:,} lines are not sorted by right context.",
                limit=MAX_SORTED,
            )
        )
        for text, spec in PRESETS:
            self.preset.addItem(tr(text), spec)
        self.levels = QWidget()
        row = FlowLayout(self.levels)
        self._levels: list[tuple[QComboBox, QComboBox]] = []
        for number in range(MOST_LEVELS):
            row.addWidget(self._make_level(number))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.preset)
        self.draw(presenter.state, None)
        self.levels.hide()
        self.preset.currentIndexChanged.connect(lambda _: presenter.sort_by(self.preset.currentData()))

    def _make_level(self, number: int) -> QWidget:
        key = named(QComboBox(), tr("Level {number}", number=number + 1))
        way = named(QComboBox(), tr("Direction of level {number}", number=number + 1))
        way.addItem("A → Z", False)
        way.addItem("Z → A", True)
        self._levels.append((key, way))
        for box in (key, way):
            box.currentIndexChanged.connect(
                lambda _: self._presenter.sort_level(number, key.currentData(), way.currentData())
            )
        group = QWidget()
        inside = QHBoxLayout(group)
        inside.setContentsMargins(0, 0, 10, 0)
        name = label(f"{number + 1}", "")
        name.setProperty("level", str(number + 1))
        for widget in (name, key, way):
            inside.addWidget(widget)
        return group

    def draw(self, state: LinesState, before: LinesState | None) -> None:
        """Show the order.

        Parameters
        ----------
        state
            The state.
        before
            The one that was drawn before; None for the first.
        """
        if before is None or state.right_to_left != before.right_to_left:
            for row in range(self.preset.count()):
                self.preset.setItemText(row, preset_name(self.preset.itemData(row), state.right_to_left))
        self._offer(state.why_no_words)
        # Without a signal: nobody chose what is set here.
        with QSignalBlocker(self.preset):
            self.preset.setCurrentIndex(self.preset.findData(state.sort.preset))
        same = before is not None and (state.fields, state.right_to_left) == (before.fields, before.right_to_left)
        for (key, way), level in zip(self._levels, state.order.levels, strict=True):
            with QSignalBlocker(key), QSignalBlocker(way):
                if not same:
                    key.clear()
                    for spec, name in level_choices(state.fields, state.right_to_left):
                        key.addItem(name, spec)
                key.setCurrentIndex(max(0, key.findData(level.key)))
                way.setCurrentIndex(int(level.descending))

    def _offer(self, why_no_words: str) -> None:
        """Gray out the orders that the index cannot give, with the reason."""
        model = self.preset.model()
        assert isinstance(model, QStandardItemModel)
        for row in range(self.preset.count()):
            if needs_words(self.preset.itemData(row)):
                model.item(row).setEnabled(not why_no_words)
                self.preset.setItemData(row, tip(why_no_words) or None, Qt.ItemDataRole.ToolTipRole)

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
        self._presenter.sort_by(CUSTOM)
        self._presenter.sort_level(number, key, descending)


class LineOptions(QWidget):
    """Width and unit of the context, font, sample, seed, merging."""

    def __init__(self, presenter: LinesPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.width_box = named(NumberBox(minimum=1, maximum=MOST_WIDTH, value=10), tr("Context on each side"))
        self.unit = named(QComboBox(), tr("Unit of the context"))
        self.unit.addItem(tr("fills its column"), "fill")
        self.unit.addItem(tr("words"), "words")
        self.unit.addItem(tr("characters"), "characters")
        self.rows = named(NumberBox(minimum=1, maximum=MOST_ROWS, value=1), tr("Lines of text per row"))
        self.fixed = QCheckBox(tr("Fixed-width font"))
        self.sample = named(NumberBox(minimum=0, maximum=MAX_ARRANGED, value=0), tr("Sample"))
        self.sample.setSpecialValueText(tr("all lines"))
        self.sample.setGroupSeparatorShown(True)
        self.sample.setToolTip(tr("Number of lines to sample at random (0 = all)"))
        self.seed = named(NumberBox(minimum=0, maximum=999_999, value=0), tr("Seed"))
        self.seed.setToolTip(tr("The same seed gives the same sample"))
        self.collapse = named(NumberBox(minimum=0, maximum=100, value=0, suffix=tr(" tokens")), tr("Merge duplicates"))
        self.collapse.setSpecialValueText(tr("off"))
        self.collapse.setToolTip(tr("Merge lines whose context is identical within this many tokens on each side"))
        self._lay_out()
        self.draw(presenter.state)
        self.width_box.valueChanged.connect(lambda value: presenter.choose(width=value))
        self.unit.currentIndexChanged.connect(lambda _: presenter.choose(unit=self.unit.currentData()))
        self.rows.valueChanged.connect(lambda value: presenter.choose(rows=value))
        self.fixed.toggled.connect(lambda on: presenter.choose(fixed=on))
        self.sample.valueChanged.connect(lambda value: presenter.choose(sample=value))
        self.seed.valueChanged.connect(lambda value: presenter.choose(seed=value))
        self.collapse.valueChanged.connect(lambda value: presenter.choose(collapse=value))

    def _lay_out(self) -> None:
        row = FlowLayout(self)
        for name, widgets in (
            (tr("Context"), (self.unit, self.width_box)),
            (tr("Lines per row"), (self.rows,)),
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

    def draw(self, state: LinesState) -> None:
        """Show the options."""
        options = state.options
        # Each box is set without a signal: the others still show what was chosen before.
        with QSignalBlocker(self.width_box), QSignalBlocker(self.unit), QSignalBlocker(self.fixed):
            self.width_box.setValue(options.width)
            self.width_box.setVisible(options.unit != "fill")
            self.unit.setCurrentIndex(self.unit.findData(options.unit))
            self.fixed.setChecked(options.fixed)
        for box, value in (
            (self.rows, options.rows),
            (self.sample, options.sample),
            (self.seed, options.seed),
            (self.collapse, options.collapse),
        ):
            with QSignalBlocker(box):
                box.setValue(value)
        offer(self.collapse, state.why_no_words)

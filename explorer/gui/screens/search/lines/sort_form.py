"""How lines are ordered, sampled and merged: the pop-over of the sort button."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QRadioButton,
    QWidget,
)

from explorer.analyses.search.arrange import MAX_ARRANGED, MOST_LEVELS
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.screens.search.lines.presenter import LinesPresenter
from explorer.gui.screens.search.lines.sorting import PRESETS, level_choices, needs_words, preset_hint, preset_name
from explorer.gui.screens.search.lines.state import LinesState
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.segments import Segments
from explorer.i18n import mark, tr

_USUAL_SAMPLE, _USUAL_MERGE = 100, 5
_ORDINALS = (mark("First"), mark("Second"), mark("Third"))


def divider() -> QFrame:
    """A line across a pop-over."""
    line = QFrame()
    line.setProperty("role", "divider")
    line.setFixedHeight(1)
    return line


class SortForm(Popover):
    """An order with a name, or up to three levels; a random sample; merging."""

    def __init__(self, presenter: LinesPresenter, anchor: QWidget) -> None:
        super().__init__(anchor, tr("Sort lines"))
        self._presenter = presenter
        self.orders: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.levels: list[tuple[QComboBox, Segments]] = []
        self.sampled = QCheckBox(tr("Random sample of"))
        self.sample = named(NumberBox(minimum=1, maximum=MAX_ARRANGED, value=_USUAL_SAMPLE), tr("Lines in the sample"))
        self.sample.setGroupSeparatorShown(True)
        self.seed = named(NumberBox(minimum=0, maximum=999_999, value=0), tr("Seed"))
        self.seed.setToolTip(tr("The same seed gives the same sample"))
        self.merged = QCheckBox(tr("Merge identical lines"))
        self.collapse = named(NumberBox(minimum=1, maximum=100, value=_USUAL_MERGE), tr("Tokens that are compared"))
        self.merged.setToolTip(tr("Merge lines whose context is identical within this many tokens on each side"))
        self.head.addWidget(help_button("search#lines", tr("Sort lines"), anchor))
        self._add_orders()
        self._add_levels()
        self._add_rest()
        self._connect()
        self.draw(presenter.state, None)

    def _add_orders(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(0, 1)
        grid.setVerticalSpacing(em(0.35))
        for row, (_, preset) in enumerate(PRESETS):
            button = QRadioButton()
            self.orders[preset] = button
            self._group.addButton(button)
            grid.addWidget(button, row, 0)
            grid.addWidget(label(preset_hint(preset), "muted"), row, 1)
            # `clicked` and not `toggled`: `draw` checks buttons, too, and that is not a choice.
            button.clicked.connect(lambda _=False, preset=preset: self._presenter.sort_by(preset))
        self.body.addLayout(grid)
        self.body.addWidget(divider())

    def _add_levels(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(em(0.8))
        for number in range(MOST_LEVELS):
            key = named(QComboBox(), tr("Level {number}", number=number + 1))
            way = Segments(["A–Z", "Z–A"], tr("Direction of level {number}", number=number + 1))
            self.levels.append((key, way))
            grid.addWidget(label(tr(_ORDINALS[number]), "muted"), number, 0)
            grid.addWidget(key, number, 1)
            grid.addWidget(way, number, 2)
            # `activated` comes from the user only, unlike `currentIndexChanged`.
            key.activated.connect(lambda _, number=number: self._choose_level(number))
            way.chosen.connect(lambda _, number=number: self._choose_level(number))
        self.body.addWidget(label(tr("Levels"), "heading"))
        self.body.addLayout(grid)
        self.body.addWidget(divider())

    def _add_rest(self) -> None:
        for parts in (
            (self.sampled, self.sample, label(tr("lines, seed"), "muted"), self.seed),
            (self.merged, label(tr("comparing"), "muted"), self.collapse, label(tr("tokens on each side"), "muted")),
        ):
            row = QHBoxLayout()
            for part in parts:
                row.addWidget(part)
            row.addStretch(1)
            self.body.addLayout(row)

    def _connect(self) -> None:
        # A box keeps its number while it is off; in the options, off is 0.
        choose = self._presenter.choose
        self.sampled.toggled.connect(lambda on: choose(sample=self.sample.value() if on else 0))
        self.sample.valueChanged.connect(lambda value: choose(sample=value) if self.sampled.isChecked() else None)
        self.seed.valueChanged.connect(lambda value: choose(seed=value))
        self.merged.toggled.connect(lambda on: choose(collapse=self.collapse.value() if on else 0))
        self.collapse.valueChanged.connect(lambda value: choose(collapse=value) if self.merged.isChecked() else None)

    def _choose_level(self, number: int) -> None:
        # Both together: a level is one value, and its direction alone means nothing without a key.
        key, way = self.levels[number]
        self._presenter.sort_level(number, key.currentData(), bool(way.current))

    def draw(self, state: LinesState, before: LinesState | None) -> None:
        """Show the order.

        before: The one that was drawn before; None for the first.
        """
        chosen = self.orders.get(state.sort.preset)
        for preset, button in self.orders.items():
            button.setText(preset_name(preset, state.right_to_left))
            offer(button, state.why_no_words if needs_words(preset) else "")
        # By the header of a metadata field, lines have an order that is not in the list.
        self._group.setExclusive(chosen is not None)
        for button in self.orders.values():
            button.setChecked(button is chosen)
        # The choices depend on nothing else. A list that is filled again loses the row that is selected in it.
        same = before is not None and (state.fields, state.right_to_left) == (before.fields, before.right_to_left)
        for (key, way), level in zip(self.levels, state.levels, strict=True):
            with QSignalBlocker(key):
                if not same:
                    key.clear()
                    for spec, name in level_choices(state.fields, state.right_to_left):
                        key.addItem(name, spec)
                key.setCurrentIndex(max(0, key.findData(level.key)))
            way.choose(int(level.descending))
            # Fields need no words: an index without them can still be sorted by its metadata.
            key.setEnabled(not state.why_no_words or bool(state.fields))
        # Blocked, since the state is shown here: the signals would choose it again.
        for check, box, value in (
            (self.sampled, self.sample, state.options.sample),
            (self.merged, self.collapse, state.options.collapse),
        ):
            with QSignalBlocker(check), QSignalBlocker(box):
                check.setChecked(bool(value))
                if value:
                    box.setValue(value)
        with QSignalBlocker(self.seed):
            self.seed.setValue(state.options.seed)
        offer(self.merged, state.why_no_words)

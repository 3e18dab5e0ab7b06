"""What is measured: the groups, the window of MATTR, and the order in which the growth reads documents."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QWidget

from explorer.gui.screen import label, named
from explorer.gui.screens.statistics.growth.presenter import GrowthPresenter
from explorer.gui.screens.statistics.growth.state import GrowthState
from explorer.gui.untrusted import caption
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class GrowthBar(QWidget):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: GrowthPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.by = named(QComboBox(), tr("Group by"))
        self.boxes = {
            name: named(NumberBox(minimum=presenter.LIMITS[name][0], maximum=presenter.LIMITS[name][1]), words)
            for name, words in (("window", tr("MATTR's window")), ("seed", tr("Seed")))
        }
        self.order = Segments((tr("As they are"), tr("Shuffled")), tr("Order of the documents"))
        row = FlowLayout(self, gap=8)
        for name, part in (
            (tr("Group by"), self.by),
            (tr("MATTR's window"), self.boxes["window"]),
            (tr("Growth over documents"), self.order),
        ):
            row.addWidget(together(label(name, "muted"), part))
        self.seed = together(label(tr("Seed"), "muted"), self.boxes["seed"])
        row.addWidget(self.seed)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.by.activated.connect(lambda place: presenter.group_by(("", *presenter.state.fields)[place]))
        self.order.chosen.connect(lambda place: presenter.set(shuffled=place == 1))
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: GrowthState, before: GrowthState | None) -> None:
        """Show what is measured.

        before: The one that was drawn before; None for the first.
        """
        rule, fields = state.rule, ("", *state.fields)
        if before is None or state.corpus is not before.corpus:
            self.by.clear()
            self.by.addItems([tr("whole index"), *map(caption, state.fields)])
        self.by.setCurrentIndex(fields.index(rule.by) if rule.by in fields else 0)
        self.order.choose(1 if rule.shuffled else 0)
        self.seed.setVisible(rule.shuffled)
        for name, box in self.boxes.items():
            box.setValue(getattr(rule, name))

"""What is measured: the parts, the least count, and words that are typed."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from explorer.gui.screen import label, named
from explorer.gui.screens.statistics.dispersion.presenter import SpreadPresenter
from explorer.gui.screens.statistics.dispersion.state import SpreadState
from explorer.gui.screens.statistics.dispersion.work import FIELD, KINDS, SLICES
from explorer.gui.surfaces import keep_least
from explorer.gui.untrusted import caption
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class SpreadBar(QWidget):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: SpreadPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.parts = Segments((tr("Documents"), tr("Field"), tr("Slices")), tr("Over which parts"))
        self.field = named(QComboBox(), tr("Metadata field"))
        self.boxes = {
            name: named(NumberBox(minimum=presenter.LIMITS[name][0], maximum=presenter.LIMITS[name][1]), words)
            for name, words in (("slices", tr("How many slices")), ("min_count", tr("Minimum hits")))
        }
        self.text = named(QLineEdit(), tr("Words that are compared"))
        self.text.setPlaceholderText(tr("Words, with commas …"))
        keep_least(self.text, wide=14)
        row = FlowLayout(self, gap=8)
        self.least = together(label(tr("Min. hits"), "muted"), self.boxes["min_count"])
        parts = (label(tr("Over"), "muted"), self.parts, self.field, self.boxes["slices"], self.least, self.text)
        for part in parts:
            row.addWidget(part)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.parts.chosen.connect(lambda place: presenter.set(parts=KINDS[place]))
        self.field.activated.connect(lambda place: presenter.set(field=presenter.state.fields[place]))
        self.text.textChanged.connect(lambda text: presenter.set(text=text))
        self.text.returnPressed.connect(presenter.run)
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: SpreadState, before: SpreadState | None) -> None:
        """Show what is measured.

        before: The one that was drawn before; None for the first.
        """
        rule = state.rule
        if before is None or state.corpus is not before.corpus:
            self.field.clear()
            self.field.addItems(list(map(caption, state.fields)))
        self.parts.choose(KINDS.index(rule.parts))
        self.field.setVisible(rule.parts == FIELD)
        if rule.field in state.fields:
            self.field.setCurrentIndex(state.fields.index(rule.field))
        self.boxes["slices"].setVisible(rule.parts == SLICES)
        # Typed words are measured however rare they are.
        self.least.setEnabled(not rule.forms)
        for name, box in self.boxes.items():
            box.setValue(getattr(rule, name))
        if self.text.text() != rule.text:
            self.text.setText(rule.text)

"""What is listed: the unit, the length, the least counts, and the text of the forms."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.gui.screen import label, named
from explorer.gui.screens.statistics.words.presenter import WordsPresenter
from explorer.gui.screens.statistics.words.state import WordsState
from explorer.gui.stop_list import StopList
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class RuleBar(QWidget):
    """The settings of the list, in rows that wrap."""

    def __init__(self, presenter: WordsPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.text = QLineEdit()
        self.where = Segments((tr("Contains"), tr("Begins with")), tr("Where the text is"))
        self.unit = Segments((tr("Words"), tr("Tokens")), tr("What is listed"))
        self.boxes = {
            name: named(NumberBox(minimum=presenter.LIMITS[name][0], maximum=presenter.LIMITS[name][1]), words)
            for name, words in (
                ("n", tr("Length n")),
                ("min_count", tr("Minimum hits")),
                ("min_documents", tr("Minimum documents")),
            )
        }
        self.stop = StopList()
        row = FlowLayout(self, gap=8)
        tops: tuple[QWidget, ...] = (self.unit, self.text, self.where)
        for part in tops:
            row.addWidget(part)
        for box in self.boxes.values():
            row.addWidget(together(label(box.accessibleName(), "muted"), box))
        row.addWidget(self.stop)
        self._connect()

    def _connect(self) -> None:
        presenter = self._presenter
        self.unit.chosen.connect(lambda place: presenter.set(words=place == 0))
        self.where.chosen.connect(lambda place: presenter.set(begins=place == 1))
        self.text.textChanged.connect(lambda text: presenter.set(text=text))
        self.stop.chosen.connect(lambda path: presenter.set(stop=path))
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: WordsState) -> None:
        """Show what is listed."""
        # Words are compared whole: a part of one is in no row.
        words = state.rule.words
        named(self.text, tr("Only with whole words") if words else tr("Only with the tokens of"))
        self.text.setPlaceholderText(tr("Whole words …") if words else tr("Tokens of …"))
        self.unit.choose(0 if state.rule.words else 1)
        self.where.choose(1 if state.rule.begins else 0)
        self.stop.show_path(state.rule.stop)
        for name, box in self.boxes.items():
            box.setValue(getattr(state.rule, name))
        if self.text.text() != state.rule.text:
            self.text.setText(state.rule.text)

"""Which copies go: the length, the rule, gaps, and the copy that is preferred."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from explorer.curation.duplicates import RULES
from explorer.gui.screen import label, named
from explorer.gui.screens.curation.duplicates.presenter import DuplicatesPresenter
from explorer.gui.screens.curation.duplicates.state import CopiesState
from explorer.gui.screens.curation.duplicates.work import ALL
from explorer.gui.surfaces import keep_least
from explorer.gui.untrusted import tip
from explorer.gui.widgets.flow_layout import FlowLayout, together
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.segments import Segments
from explorer.i18n import tr


class CopiesBar(QWidget):
    """The settings of the tab, in rows that wrap."""

    def __init__(self, presenter: DuplicatesPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        self.boxes = {
            name: named(NumberBox(minimum=presenter.LIMITS[name][0], maximum=presenter.LIMITS[name][1]), words)
            for name, words in (("length", tr("Shortest repeat")), ("gap", tr("Join gaps up to")))
        }
        self.rule = Segments((tr("Keep one copy"), tr("Keep first only"), tr("Remove all")), tr("Which copies go"))
        for number, told in enumerate(_about_rules()):
            self.rule.button(number).setToolTip(tip(told))
        self.across = QCheckBox(tr("Only across documents"))
        self.across.setToolTip(tr("Repeats within one document stay"))
        self.prefer = named(QLineEdit(), tr("Keep the copy where"))
        self.prefer.setPlaceholderText(tr("field=value"))
        keep_least(self.prefer, wide=10)
        self.prefer.setToolTip(
            tr("Of equal passages, that of a document that meets this condition is kept, such as source=wiki")
        )
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        row = FlowLayout(self, gap=8)
        row.addWidget(
            together(label(tr("Shortest repeat"), "muted"), self.boxes["length"], label(tr("tokens"), "muted"))
        )
        row.addWidget(self.rule)
        row.addWidget(self.across)
        row.addWidget(together(label(tr("Join gaps up to"), "muted"), self.boxes["gap"]))
        self.preferred = together(label(tr("Keep the copy where"), "muted"), self.prefer)
        row.addWidget(self.preferred)

    def _connect(self) -> None:
        presenter = self._presenter
        self.rule.chosen.connect(lambda place: presenter.set(rule=RULES[place]))
        self.across.toggled.connect(lambda on: presenter.set(across=on))
        self.prefer.textChanged.connect(lambda text: presenter.set(prefer=text))
        self.prefer.returnPressed.connect(presenter.run)
        for name, box in self.boxes.items():
            box.valueChanged.connect(lambda value, name=name: presenter.set(**{name: value}))

    def draw(self, state: CopiesState) -> None:
        """Show what is cut."""
        rule = state.rule
        self.rule.choose(RULES.index(rule.rule))
        self.across.setChecked(rule.across)
        for name, box in self.boxes.items():
            box.setValue(getattr(rule, name))
        if self.prefer.text() != rule.prefer:
            self.prefer.setText(rule.prefer)
        # Where no copy is kept, none is the first, and none is preferred.
        self.across.setEnabled(rule.rule != ALL)
        self.preferred.setEnabled(rule.rule != ALL)
        self.preferred.setVisible(bool(state.fields))


def _about_rules() -> tuple[str, ...]:
    return (
        tr("A copy goes if it begins after the end of the first one: text that repeats itself keeps one whole copy"),
        tr("Every copy but the first goes, also one that overlaps with it, as bsade does"),
        tr("Every passage that occurs twice goes, its first copy too, as in Lee et al. (2022)"),
    )

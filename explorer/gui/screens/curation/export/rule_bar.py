"""How texts are written, and what of all that was handed over goes."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from explorer.gui.screens.curation.export.presenter import ExportPresenter
from explorer.gui.screens.curation.export.state import FORMATS, ExportState
from explorer.gui.screens.screen import label, named
from explorer.gui.style.untrusted import caption, tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.layouts.flow_layout import FlowLayout, together
from explorer.i18n import tr


class ExportBar(QWidget):
    """The cuts with a check mark each; below them the format and the buttons that write."""

    def __init__(self, presenter: ExportPresenter) -> None:
        super().__init__()
        self._presenter = presenter
        low, high = presenter.LIMITS["gap"]
        self.gap = named(NumberBox(minimum=low, maximum=high), tr("Join gaps up to"))
        self.format = named(QComboBox(), tr("Format"))
        for name, (title, about) in FORMATS.items():
            self.format.addItem(tr(title), name)
            self.format.setItemData(self.format.count() - 1, tr(about), 3)
        self.flags = {
            "parquet": QCheckBox(tr("Parquet")),
            "packed": QCheckBox(tr("Compress")),
            "sources_only": QCheckBox(tr("Only unchanged sources")),
        }
        self.flags["packed"].setToolTip(tr("Compress files of JSON Lines by Zstandard"))
        self.flags["sources_only"].setToolTip(
            tr("Write nothing if the source of a document that is cut is gone or has changed")
        )
        self.write = push_button(tr("Write to a new folder …"), "primary", "export")
        self.index = push_button(tr("Write a removal index …"))
        self.index.setToolTip(tr("An index of the documents that go, which can be subtracted from this one"))
        self.clear = push_button(tr("Clear"), "quiet", "trash")
        self.handed: list[QCheckBox] = []
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        above, below = QWidget(), QWidget()
        self._cuts, row = FlowLayout(above, gap=12), FlowLayout(below, gap=8)
        row.addWidget(together(label(tr("Format"), "muted"), self.format))
        for flag in self.flags.values():
            row.addWidget(flag)
        row.addWidget(together(label(tr("Join gaps up to"), "muted"), self.gap, label(tr("tokens"), "muted")))
        row.addWidget(self.write)
        row.addWidget(self.index)
        row.addWidget(self.clear)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(above)
        whole.addWidget(below)

    def _connect(self) -> None:
        presenter = self._presenter
        self.gap.valueChanged.connect(lambda value: presenter.set(gap=value))
        self.format.activated.connect(lambda place: presenter.set(format=self.format.itemData(place)))
        for name, flag in self.flags.items():
            flag.toggled.connect(lambda on, name=name: presenter.set(**{name: on}))
        self.clear.clicked.connect(lambda: presenter.hand(()))

    def draw(self, state: ExportState, before: ExportState | None) -> None:
        """Show what is written.

        before: The one that was drawn before; None for the first.
        """
        rule = state.rule
        if before is None or [each.title for each in state.handed] != [each.title for each in before.handed]:
            self._draw_cuts(state)
        for box, each in zip(self.handed, state.handed, strict=True):
            box.setChecked(each.on)
        self.gap.setValue(rule.gap)
        self.format.setCurrentIndex(self.format.findData(rule.format))
        for name, flag in self.flags.items():
            flag.setChecked(getattr(rule, name))
        # A table holds whole rows, and is compressed by itself.
        self.flags["parquet"].setVisible(rule.format == "cleaned")
        texts = rule.format in ("cleaned", "annotated")
        self.flags["packed"].setVisible(texts and not (rule.parquet and rule.format == "cleaned"))
        self.flags["sources_only"].setVisible(rule.format != "ranges")
        self.write.setEnabled(state.ready)
        self.index.setVisible(state.whole_documents)
        self.clear.setVisible(bool(state.handed))

    def _draw_cuts(self, state: ExportState) -> None:
        for box in self.handed:
            self._cuts.removeWidget(box)
            box.deleteLater()
        self.handed = [QCheckBox(caption(each.title)) for each in state.handed]
        for place, box in enumerate(self.handed):
            told = "\n".join(f"{name}: {value}" for name, value in state.handed[place].asked)
            box.setToolTip(tip(told))
            self._cuts.addWidget(box)
            box.setChecked(state.handed[place].on)
            box.toggled.connect(lambda on, place=place: self._presenter.switch(place, on))

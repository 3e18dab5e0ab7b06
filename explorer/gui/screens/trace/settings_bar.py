"""The settings of a trace; every change takes effect at once."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.screen import label
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.i18n import mark, tr
from explorer.trace.settings import TraceSettings

_WORDS = ((mark("OLMoTrace's rule"), "olmotrace"), (mark("whole words"), "unicode"), (mark("off"), "off"))
_RELEVANCE = ((mark("share of the text"), "share"), (mark("OLMoTrace's scale"), "olmotrace"))
_DEFAULTS = TraceSettings()
_OLMOTRACE = TraceSettings(relevance="olmotrace")


class SettingsBar(QWidget):
    """One control per setting; `changed()`: any of them was changed."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.density = DecimalBox(minimum=0.5, maximum=100, decimals=1, singleStep=1, suffix=" %")
        self.min_length = NumberBox(minimum=1, maximum=1000)
        self.max_count = NumberBox(minimum=1, maximum=2_000_000_000, singleStep=1000)
        self.max_count.setGroupSeparatorShown(True)
        self.words = QComboBox()
        for text, name in _WORDS:
            self.words.addItem(tr(text), name)
        self.relevance = QComboBox()
        for text, name in _RELEVANCE:
            self.relevance.addItem(tr(text), name)
        self.documents = NumberBox(minimum=0, maximum=100)
        self.delimiters = QLineEdit()
        self.abbreviations = QCheckBox(tr("Skip abbreviations"))
        self.seed = NumberBox(minimum=0, maximum=999_999)
        self.preset = QPushButton(tr("OLMoTrace defaults"))
        self.preset.setToolTip(tr("Reset all settings to OLMoTrace's defaults"))
        self._lay_out()
        self.set_settings(_DEFAULTS)
        self._pause = QTimer(self, singleShot=True, interval=400)
        self._pause.timeout.connect(self.changed)
        self.delimiters.textEdited.connect(lambda _: self._pause.start())
        self.abbreviations.toggled.connect(lambda _: self.changed.emit())
        for box in (self.density, self.min_length, self.max_count, self.documents, self.seed):
            box.valueChanged.connect(lambda _: self.changed.emit())
        for choice in (self.words, self.relevance):
            choice.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.preset.clicked.connect(self._reset)

    def _lay_out(self) -> None:
        controls = (
            (
                tr("Density"),
                self.density,
                tr("Number of spans to keep, as a share of the text's tokens. The rarest spans are kept."),
                92,
            ),
            (tr("Minimum span length"), self.min_length, tr("Minimum span length in tokens"), 92),
            (tr("Maximum count"), self.max_count, tr("Spans that occur more often than this are dropped"), 120),
            (tr("Word boundaries"), self.words, tr("Where a span may begin and end"), 120),
            (
                tr("Delimiters"),
                self.delimiters,
                tr(r"Delimiters, separated by spaces. A span never continues past one (\n: end of line)"),
                70,
            ),
            (
                tr("Full stops"),
                self.abbreviations,
                tr("Full stops after initials, in abbreviations or in numbers do not end a span"),
                104,
            ),
            (
                tr("Relevance"),
                self.relevance,
                tr(
                    "Share of the text: the share of its best 100 consecutive words that a document contains word for "
                    "word. OLMoTrace's scale: BM25, fitted to OLMoTrace's own corpus; with other corpora it is usually "
                    "low."
                ),
                150,
            ),
            (tr("Documents per span"), self.documents, tr("Number of occurrences to look up per span"), 92),
            (tr("Seed"), self.seed, tr("Seed for choosing the occurrences to look up"), 80),
        )
        flow = FlowLayout(self, gap=12, middle=False)
        for text, widget, hint, width in controls:
            caption = label(text, "muted")
            caption.setBuddy(widget)
            widget.setAccessibleName(text)
            widget.setToolTip(hint)
            widget.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            widget.setMinimumWidth(width)
            flow.addWidget(_column(caption, widget))
        flow.addWidget(_column(label(""), self.preset))

    def settings(self) -> TraceSettings:
        """The settings that the controls show."""
        return TraceSettings(
            density=self.density.value() / 100,
            min_length=self.min_length.value(),
            max_count=self.max_count.value(),
            delimiters=tuple(part.replace("\\n", "\n").replace("\\t", "\t") for part in self.delimiters.text().split()),
            abbreviations=self.abbreviations.isChecked(),
            word_boundaries=self.words.currentData(),
            documents_per_span=self.documents.value(),
            seed=self.seed.value(),
            relevance=self.relevance.currentData(),
        )

    def set_settings(self, settings: TraceSettings) -> None:
        """Set the controls to these settings."""
        self.density.setValue(settings.density * 100)
        self.min_length.setValue(settings.min_length)
        self.max_count.setValue(settings.max_count)
        self.words.setCurrentIndex([name for _, name in _WORDS].index(settings.word_boundaries))
        self.delimiters.setText(
            " ".join(part.replace("\n", "\\n").replace("\t", "\\t") for part in settings.delimiters)
        )
        self.abbreviations.setChecked(settings.abbreviations)
        self.documents.setValue(settings.documents_per_span)
        self.seed.setValue(settings.seed)
        self.relevance.setCurrentIndex([name for _, name in _RELEVANCE].index(settings.relevance))

    def _reset(self) -> None:
        with QSignalBlocker(self):
            self.set_settings(_OLMOTRACE)
        self.changed.emit()


def _column(*widgets: QWidget) -> QWidget:
    """Widgets one above the other."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(3)
    for widget in widgets:
        layout.addWidget(widget)
    return column

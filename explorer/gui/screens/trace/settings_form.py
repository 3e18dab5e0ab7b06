"""The settings of all traces, in a sheet at the side; every change takes effect at once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from explorer.gui.screen import label, offer
from explorer.gui.screens.trace.state import OLMOTRACE
from explorer.gui.widgets.number_box import DecimalBox, NumberBox
from explorer.i18n import mark, tr
from explorer.trace.settings import TraceSettings

_MATCH = ((mark("tokens"), "tokens"), (mark("words"), "words"))
_WORDS = ((mark("OLMoTrace's rule"), "olmotrace"), (mark("whole words"), "unicode"), (mark("off"), "off"))
_RELEVANCE = ((mark("share of the text"), "share"), (mark("OLMoTrace's scale"), "olmotrace"))


class SettingsForm(QWidget):
    """One control per setting, one below the other.

    set_up: Called with the settings that a person changes, by their names.
    """

    def __init__(self, set_up: Callable[..., None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.match = QComboBox()
        for text, name in _MATCH:
            self.match.addItem(tr(text), name)
        self.density = DecimalBox(minimum=0.5, maximum=100, decimals=1, singleStep=1, suffix="%")
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
        self.abbreviations = QCheckBox(tr("Ignore stops in abbreviations"))
        self.seed = NumberBox(minimum=0, maximum=999_999)
        self.preset = QPushButton(tr("Reset to OLMoTrace’s settings"))
        self.preset.setToolTip(tr("Use OLMoTrace's settings for spans, documents and relevance"))
        self._lay_out()
        self._connect(set_up)

    def _connect(self, set_up: Callable[..., None]) -> None:
        self.match.currentIndexChanged.connect(lambda _: set_up(match=self.match.currentData()))
        # The control shows percent, the setting is a share.
        self.density.valueChanged.connect(lambda value: set_up(density=value / 100))
        self.min_length.valueChanged.connect(lambda value: set_up(min_length=value))
        self.max_count.valueChanged.connect(lambda value: set_up(max_count=value))
        self.words.currentIndexChanged.connect(lambda _: set_up(word_boundaries=self.words.currentData()))
        self.relevance.currentIndexChanged.connect(lambda _: set_up(relevance=self.relevance.currentData()))
        self.documents.valueChanged.connect(lambda value: set_up(documents_per_span=value))
        # Edited by hand only: `show_settings` sets the text as well.
        self.delimiters.textEdited.connect(lambda text: set_up(delimiters=_parse(text)))
        self.abbreviations.toggled.connect(lambda on: set_up(abbreviations=on))
        self.seed.valueChanged.connect(lambda value: set_up(seed=value))
        self.preset.clicked.connect(lambda: set_up(**OLMOTRACE))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for text, widget, hint in self._controls():
            widget.setAccessibleName(text)
            widget.setToolTip(hint)
            if isinstance(widget, QCheckBox):
                column.addWidget(widget)
                continue
            caption = label(text)
            caption.setBuddy(widget)
            column.addWidget(_column(caption, widget))
        column.addWidget(self.preset)
        column.addStretch(1)

    def _controls(self) -> tuple[tuple[str, QWidget, str], ...]:
        return (
            (
                tr("Match"),
                self.match,
                tr(
                    "What is looked up and counted: the tokens of the text, or its words, whatever their case, line "
                    "breaks and punctuation."
                ),
            ),
            (
                tr("Density"),
                self.density,
                tr("Number of spans to keep, as a share of the text's tokens or words. The rarest spans are kept."),
            ),
            (tr("Minimum span length"), self.min_length, tr("Minimum span length in tokens or words")),
            (
                tr("Skip if more frequent than"),
                self.max_count,
                tr("Spans that occur more often than this are dropped"),
            ),
            (tr("Span edges"), self.words, tr("Where a span may begin and end")),
            (
                tr("Never cross"),
                self.delimiters,
                tr(r"Signs that end a span, separated by spaces (\n: end of line)"),
            ),
            (
                tr("Ignore stops in abbreviations"),
                self.abbreviations,
                tr("Full stops after initials, in abbreviations or in numbers do not end a span"),
            ),
            (
                tr("Relevance"),
                self.relevance,
                tr(
                    "Share of the text: the share of its best 100 consecutive words that a document contains word for "
                    "word. OLMoTrace's scale: BM25, fitted to OLMoTrace's own corpus; with other corpora it is usually "
                    "low."
                ),
            ),
            (tr("Documents per span"), self.documents, tr("Number of occurrences to look up per span")),
            (tr("Seed"), self.seed, tr("Seed for choosing the occurrences to look up")),
        )

    def show_settings(self, settings: TraceSettings) -> None:
        """Show settings. What a control rounds is not sent back, and what is being typed stays as typed.

        settings: The settings; those that words have no use for are grayed out with the reason.
        """
        with QSignalBlocker(self.density):
            self.density.setValue(settings.density * 100)
        words, relevance, match = ([name for _, name in some] for some in (_WORDS, _RELEVANCE, _MATCH))
        only_tokens = tr("Words are whole, and end at no sign.") if settings.match == "words" else ""
        for widget in (self.words, self.delimiters, self.abbreviations):
            offer(widget, only_tokens)
        for box, value in (
            (self.min_length, settings.min_length),
            (self.max_count, settings.max_count),
            (self.documents, settings.documents_per_span),
            (self.seed, settings.seed),
        ):
            with QSignalBlocker(box):
                box.setValue(value)
        for choice, number in (
            (self.words, words.index(settings.word_boundaries)),
            (self.relevance, relevance.index(settings.relevance)),
            (self.match, match.index(settings.match)),
        ):
            with QSignalBlocker(choice):
                choice.setCurrentIndex(number)
        with QSignalBlocker(self.abbreviations):
            self.abbreviations.setChecked(settings.abbreviations)
        # Compared as delimiters: a space that was just typed after one of them must stay.
        # Spaces between delimiters mean nothing: writing the text again would move the cursor of someone who types.
        if _parse(self.delimiters.text()) != settings.delimiters:
            self.delimiters.setText(_written(settings.delimiters))


def _parse(text: str) -> tuple[str, ...]:
    """Delimiters as they are typed: separated by spaces, with \\n and \\t for ends of lines and tabs."""
    return tuple(part.replace("\\n", "\n").replace("\\t", "\t") for part in text.split())


def _written(delimiters: tuple[str, ...]) -> str:
    return " ".join(part.replace("\n", "\\n").replace("\t", "\\t") for part in delimiters)


def _column(*widgets: QWidget) -> QWidget:
    """Widgets one above the other."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(3)
    for widget in widgets:
        layout.addWidget(widget)
    return column

"""Name and folder of a new index and, folded, how it is built."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.derive.question import settings_of
from explorer.gui.chrome.folders import begin_in
from explorer.gui.style.icons import icon
from explorer.gui.asking.question_form import QuestionRows
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.index.build.state import (
    FORMAT_TITLES,
    BuildState,
    Entries,
    Formats,
    Tokenizers,
)
from explorer.gui.style.untrusted import Label, tip
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.slider import Slider
from explorer.i18n import tr
from explorer.documents.read_settings import ReadSettings

if TYPE_CHECKING:
    from explorer.gui.screens.index.build.presenter import BuildPresenter


_SIDES = (Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignTrailing)
"""Where the name of each stop is: below it."""


class BuildOptions(QWidget):
    """Draws the presenter's state, and hands on what is entered."""

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.name = QLineEdit()
        self.out = QLineEdit(placeholderText=tr("Folder of the new index"))
        self.browse = push_button(tr("Choose …"))
        self.advanced = push_button(tr("Advanced"), "quiet", "chevron-right")
        self.advanced.setCheckable(True)
        self.tokenizer = QComboBox()
        # In the order of `Tokenizers`: the number of an item is its value there.
        self.tokenizer.addItems(
            [tr("Train a byte-level BPE on these texts"), tr("Bytes (no tokenizer)"), tr("A tokenizer.json file …")]
        )
        # A long name of a choice must not make the page wider.
        self.tokenizer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.tokenizer.setMinimumContentsLength(12)
        self.vocabulary = NumberBox(minimum=512, maximum=65_535, value=16_384, singleStep=1024, suffix=tr(" entries"))
        self.tokenizer_file = QLineEdit(placeholderText="tokenizer.json")
        self.format = Slider()
        self.format.setRange(Formats.FAST, Formats.SMALLEST)
        self.format.setPageStep(1)
        self._stops = [label("", "caption") for _ in Formats]
        self._note = label("", "caption")
        self._note.setWordWrap(True)
        self.shards = NumberBox(minimum=1, maximum=1024, value=1)
        self.skip_bad = QCheckBox(tr("Leave bad lines out and count them"))
        self.reading = QuestionRows(ReadSettings, tuple(settings_of(ReadSettings)), self._read)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        target = QHBoxLayout()
        target.setSpacing(8)
        target.addWidget(named(self.out, tr("Save index in")), 1)
        target.addWidget(self.browse)
        form = QFormLayout()
        self._folded = QWidget()
        advanced = QFormLayout(self._folded)
        for each in (form, advanced):
            each.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            each.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
            each.setHorizontalSpacing(12)
            each.setVerticalSpacing(8)
            each.setContentsMargins(0, 0, 0, 0)
        # Labels of its own: Shiboken may forget those that a form makes, which Python then takes for deleted.
        self._titles = [Label(tr("Name")), Label(tr("Save index in")), Label(tr("Format"))]
        self._titles[0].setBuddy(self.name)
        form.addRow(self._titles[0], self.name)
        form.addRow(self._titles[1], target)
        form.addRow(self._titles[2], self._format_row())
        advanced.addRow(tr("Tokenizer"), self.tokenizer)
        advanced.addRow(tr("Vocabulary"), self.vocabulary)
        advanced.addRow(tr("Tokenizer file"), self.tokenizer_file)
        advanced.addRow(tr("Shards"), self.shards)
        advanced.addRow("", self.skip_bad)
        advanced.addRow(self.reading)
        self._form = advanced
        fold = QHBoxLayout()
        fold.addWidget(self.advanced)
        fold.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(form)
        column.addLayout(fold)
        column.addWidget(self._folded)
        self._fold(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the titles of the rows one width."""
        super().resizeEvent(event)
        # Qt wraps a row by the width of its own title, but its field begins after the widest one, and may be cut.
        widest = max(title.sizeHint().width() for title in self._titles)
        for title in self._titles:
            title.setMinimumWidth(widest)

    def _format_row(self) -> QVBoxLayout:
        """The slider, with the name and the size of each stop below it, and a sentence about the chosen one."""
        row = QVBoxLayout()
        row.setSpacing(4)
        row.addWidget(named(self.format, tr("Format")))
        stops = QHBoxLayout()
        for number, (stop, side) in enumerate(zip(self._stops, _SIDES, strict=True)):
            stop.setAlignment(side)
            stops.addWidget(stop, 1)
            stop.setObjectName(f"format-{number}")
        row.addLayout(stops)
        row.addWidget(self._note)
        return row

    def _fold(self, opened: bool) -> None:
        self._folded.setVisible(opened)
        self.advanced.setIcon(icon("chevron-down" if opened else "chevron-right"))

    def _connect(self) -> None:
        presenter = self.presenter
        self.advanced.toggled.connect(self._fold)
        self.browse.clicked.connect(lambda _=False: self._ask_out())
        self.name.textChanged.connect(lambda text: presenter.enter(name=text))
        self.out.textChanged.connect(lambda text: presenter.enter(out=text))
        # Only once it is typed: at each key, the full path would replace the text under the cursor.
        self.out.editingFinished.connect(presenter.settle_target)
        self.tokenizer.currentIndexChanged.connect(self._enter_tokenizer)
        self.vocabulary.valueChanged.connect(lambda value: presenter.enter(vocabulary=value))
        self.tokenizer_file.textChanged.connect(lambda text: presenter.enter(tokenizer_file=text))
        self.format.valueChanged.connect(lambda value: presenter.enter(format=Formats(value)))
        self.shards.valueChanged.connect(lambda value: presenter.enter(shards=value))
        self.skip_bad.toggled.connect(lambda ticked: presenter.enter(skip_bad=ticked))

    def _read(self, **values: Any) -> None:
        self.presenter.enter(reading=replace(self.presenter.state.entries.reading, **values))

    def _enter_tokenizer(self, number: int) -> None:
        # What is chosen, and not what is shown while a compressed index is.
        if self.presenter.state.entries.format is Formats.FAST:
            self.presenter.enter(tokenizer=Tokenizers(number))

    def _ask_out(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Folder of the new index"), self.out.text() or begin_in("my-index")
        )
        if name:
            self.presenter.enter(out=name)

    def draw(self, state: BuildState, before: BuildState | None) -> None:
        """Show a state.

        before: The one that was drawn before; None: everything is drawn.
        """
        if before is None or state.entries != before.entries:
            self._draw_entries(state.entries)
        if before is None or (state.entries, state.estimate) != (before.entries, before.estimate):
            self._draw_format(state)

    def _draw_format(self, state: BuildState) -> None:
        sizes = state.format_sizes or ("",) * len(Formats)
        for stop, title, size in zip(self._stops, FORMAT_TITLES, sizes, strict=True):
            stop.setText(f"{tr(title)}\n{size}" if size else tr(title))
        self._note.setText(state.format_note)
        self.format.setAccessibleDescription(state.format_note)

    def _draw_entries(self, entries: Entries) -> None:
        # Setting an equal text would move the cursor.
        for field, text in (
            (self.name, entries.name),
            (self.out, entries.out),
            (self.tokenizer_file, entries.tokenizer_file),
        ):
            if field.text() != text:
                field.setText(text)
        # The name that the index gets if none is entered.
        given = entries.target.name if entries.out.strip() else ""
        self.name.setPlaceholderText(given)
        self.name.setToolTip(tip(tr("Without a name here, it is called {name}", name=given) if given else ""))
        self.tokenizer.setCurrentIndex(entries.used_tokenizer)
        self.tokenizer.setEnabled(entries.format is Formats.FAST)
        self.tokenizer.setToolTip(
            tip("" if entries.format is Formats.FAST else tr("A compressed index is one of bytes"))
        )
        self.format.setValue(entries.format)
        self.vocabulary.setValue(entries.vocabulary)
        self.shards.setValue(entries.shards)
        self.skip_bad.setChecked(entries.skip_bad)
        self.reading.draw(entries.reading)
        self._form.setRowVisible(self.vocabulary, entries.used_tokenizer is Tokenizers.TRAIN)
        self._form.setRowVisible(self.tokenizer_file, entries.used_tokenizer is Tokenizers.FILE)

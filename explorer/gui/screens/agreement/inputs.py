"""The input of an analysis: pasted text or files, and how much of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.agreement.analysis import AgreementRequest
from explorer.api import Corpus
from explorer.gui.screen import label, named
from explorer.gui.screens.agreement.work import AnalysisRequest
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

_DEBOUNCE_MS = 400
_NUMBERS = ("n", "max_texts", "max_tokens", "seed")


class Inputs(QWidget):
    """`changed()`: analyze again; `neural_chosen(str)`: a file with a model's probabilities."""

    changed = Signal()
    neural_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.files: tuple[Path, ...] = ()
        self._debounce = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._show_files()

    def _make_widgets(self) -> None:
        self.editor = PlainText(placeholderText=tr("Paste a text that is not in the corpus …"), tabChangesFocus=True)
        self.editor.setAccessibleName(tr("Text to analyze"))
        self.open_button = QPushButton(tr("Open files …"))
        self.open_button.setToolTip(tr("Plain text, source code, or JSON Lines with one text per line"))
        self.drop_files = QPushButton(tr("Use pasted text"))
        self.shown_files = label("", "muted")
        self.shown_files.setWordWrap(True)
        self.n = named(NumberBox(minimum=1, maximum=100, value=5, prefix="n = "), tr("n of the n-gram model"))
        self.n.setToolTip(tr("The n-gram model that is compared with the ∞-gram uses at most n − 1 tokens of context"))
        self.max_texts = named(NumberBox(minimum=0, maximum=1_000_000, value=0), tr("Texts per source"))
        self.max_tokens = named(NumberBox(minimum=0, maximum=10_000_000, value=0), tr("Tokens per text"))
        for box in (self.max_texts, self.max_tokens):
            box.setSpecialValueText(tr("all"))
        self.seed = named(NumberBox(minimum=0, maximum=999_999, value=0), tr("Seed"))
        self.seed.setToolTip(tr("A different seed samples different texts from each source"))
        self.paper = QPushButton(tr("Use paper settings"))
        self.paper.setToolTip(tr("50 texts per source, 1,024 tokens per text"))
        self.group = named(QLineEdit(placeholderText=tr("file")), tr("Field to group by"))
        self.group.setToolTip(tr("The field of JSON Lines files that names the source of each text, for example model"))
        self.without_self = QCheckBox(tr("Exclude the texts' own documents"))
        self.without_self.setToolTip(tr("Exclude documents that contain most of a text from all counts"))
        self.neural = QPushButton(tr("Model probabilities …"))
        self.neural.setToolTip(
            tr(
                "JSON Lines with “text” and “tokens”. Each token has start, end (in characters) and probability or "
                "logprob."
            )
        )

    def _lay_out(self) -> None:
        row = flowing(self.open_button, self.drop_files, self.n)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for text, field in (
            (tr("Group by"), self.group),
            (tr("Texts per source"), self.max_texts),
            (tr("Tokens per text"), self.max_tokens),
            (tr("Seed"), self.seed),
            ("", self.paper),
            ("", self.neural),
        ):
            form.addRow(label(text, "muted"), field)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 4, 12)
        column.setSpacing(10)
        column.addWidget(row)
        column.addWidget(self.shown_files)
        column.addLayout(form)
        column.addWidget(self.without_self)
        column.addWidget(self.editor, 100)
        column.addStretch(1)

    def _connect(self) -> None:
        self._debounce.timeout.connect(self.changed)
        self.open_button.clicked.connect(self._ask_files)
        self.drop_files.clicked.connect(lambda: self.use_files(()))
        self.editor.textChanged.connect(self._debounce.start)
        self.group.textEdited.connect(lambda _: self._debounce.start())
        for box in (self.n, self.max_texts, self.max_tokens, self.seed):
            box.valueChanged.connect(lambda _: self._debounce.start())
        self.without_self.toggled.connect(lambda _: self.changed.emit())
        self.paper.clicked.connect(self._as_the_paper)
        self.neural.clicked.connect(self._ask_neural)

    def session(self) -> dict[str, Any]:
        """The values of the widgets, as JSON values."""
        return {
            "text": self.editor.toPlainText(),
            "files": [str(path) for path in self.files],
            "group": self.group.text(),
            **{name: getattr(self, name).value() for name in _NUMBERS},
        }

    def restore_session(self, values: dict[str, Any]) -> None:
        """Restore the inputs, and analyze them."""
        for name in _NUMBERS:
            if isinstance(number := values.get(name), int):
                getattr(self, name).setValue(number)
        for field, put in (("group", self.group.setText), ("text", self.editor.setPlainText)):
            if isinstance(text := values.get(field), str):
                put(text)
        files = values.get("files")
        if isinstance(files, list) and files:
            self.use_files(tuple(Path(name) for name in files if isinstance(name, str)))

    def request(self, corpus: Corpus) -> AnalysisRequest | None:
        """The request for the current inputs; None if there are none."""
        self._debounce.stop()
        text = self.editor.document().toRawText().replace("\u2029", "\n")
        if not (self.files or text.strip()):
            return None
        settings = AgreementRequest(
            (),
            (),
            self.n.value(),
            self.max_tokens.value(),
            self.max_texts.value(),
            self.seed.value(),
            self.without_self.isEnabled() and self.without_self.isChecked(),
        )
        return AnalysisRequest(corpus, text, self.files, self.group.text().strip(), settings)

    def use_files(self, files: tuple[Path, ...]) -> None:
        """Use files instead of the pasted text; with no files, use the pasted text again."""
        self.files = files
        self._show_files()
        self.changed.emit()

    def _show_files(self) -> None:
        # A text that is not analyzed is hidden, since it would look as if it were.
        self.editor.setVisible(not self.files)
        self.drop_files.setVisible(bool(self.files))
        self.shown_files.setVisible(bool(self.files))
        names = ", ".join(path.name for path in self.files[:5]) + (" …" if len(self.files) > 5 else "")
        self.shown_files.setText(tr("Analyzing {names}.", names=names) if self.files else "")

    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, tr("Open texts"))
        if names:
            self.use_files(tuple(Path(name) for name in names))

    def _ask_neural(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("A model's probabilities"), "", tr("JSON Lines (*.jsonl);;All files (*)")
        )
        if name:
            self.neural_chosen.emit(name)

    def _as_the_paper(self) -> None:
        self.max_texts.setValue(50)
        self.max_tokens.setValue(1024)

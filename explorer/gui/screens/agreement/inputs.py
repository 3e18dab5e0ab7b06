"""The input of an analysis: pasted text or files, and how much of them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.screen import label, named
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import Inputs
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.plain_text import PlainText
from explorer.i18n import tr

_NUMBERS = ("n", "max_texts", "max_tokens", "seed")


class InputsView(QWidget):
    """The widgets of the inputs."""

    def __init__(self, presenter: AgreementPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._make_widgets()
        self._lay_out()
        self._connect()

    def _make_widgets(self) -> None:
        self.editor = PlainText(placeholderText=tr("Paste a text that is not in the corpus …"), tabChangesFocus=True)
        self.editor.setAccessibleName(tr("Text to analyze"))
        self.open_button = QPushButton(tr("Open files …"))
        self.open_button.setToolTip(tr("Plain text, source code, or JSON Lines with one text per line"))
        # Two inputs, one of which counts. This button leads back to the text, which is kept while files are analyzed.
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
        # The stretch below takes the room only while the editor is hidden.
        column.addWidget(self.editor, 100)
        column.addStretch(1)

    def _connect(self) -> None:
        presenter = self._presenter
        self.open_button.clicked.connect(self._ask_files)
        self.drop_files.clicked.connect(lambda: presenter.enter(files=()))
        self.editor.textChanged.connect(lambda: presenter.enter(text=self._text()))
        self.group.textChanged.connect(lambda text: presenter.enter(group=text))
        for name in _NUMBERS:
            # Bound here: without it, every box would change the last of the inputs.
            getattr(self, name).valueChanged.connect(lambda value, name=name: presenter.enter(**{name: value}))
        self.without_self.toggled.connect(lambda on: presenter.enter(without_self=on))
        self.paper.clicked.connect(presenter.use_paper_settings)
        self.neural.clicked.connect(self._ask_neural)

    def draw(self, inputs: Inputs) -> None:
        """Show the inputs; what is shown already is left alone, with its cursor and its history of edits."""
        if self._text() != inputs.text:
            self.editor.setPlainText(inputs.text)
        if self.group.text() != inputs.group:
            self.group.setText(inputs.group)
        for name in _NUMBERS:
            getattr(self, name).setValue(getattr(inputs, name))
        self.without_self.setChecked(inputs.without_self)
        # A text that is not analyzed is hidden, since it would look as if it were.
        self.editor.setVisible(not inputs.files)
        self.drop_files.setVisible(bool(inputs.files))
        self.shown_files.setVisible(bool(inputs.files))
        names = ", ".join(path.name for path in inputs.files[:5]) + (" …" if len(inputs.files) > 5 else "")
        self.shown_files.setText(tr("Analyzing {names}.", names=names) if inputs.files else "")

    def _text(self) -> str:
        """The pasted text; `toPlainText` would turn its no-break spaces into spaces."""
        return self.editor.document().toRawText().replace("\u2029", "\n")

    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, tr("Open texts"))
        if names:
            self._presenter.enter(files=tuple(Path(name) for name in names))

    def _ask_neural(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("A model's probabilities"), "", tr("JSON Lines (*.jsonl);;All files (*)")
        )
        if name:
            self._presenter.open_neural(Path(name))

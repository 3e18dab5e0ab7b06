"""How much is analyzed, what is context, and how texts are grouped: a pop-over."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QFormLayout, QPushButton, QWidget

from explorer.gui.screen import label, named, offer
from explorer.gui.screens.agreement.inputs import PAPER, Inputs
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import AgreementState
from explorer.gui.text_positions import cell_text
from explorer.gui.topics import about
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.popover import Popover
from explorer.gui.widgets.toggle import Toggle
from explorer.i18n import mark, tr

BETWEEN = ((mark("nothing"), ""), (mark("space"), " "), (mark("line break"), "\n"), (mark("blank line"), "\n\n"))
"""What can be put between a prompt and its text."""
_NUMBERS = ("max_texts", "max_tokens", "prompt_tokens", "seed", "n")


class SamplingPopover(Popover):
    """The settings of the analysis."""

    def __init__(self, anchor: QWidget, presenter: AgreementPresenter) -> None:
        super().__init__(anchor, tr("Sampling"))
        self._presenter = presenter
        self._shown: object = None
        about(self, "agreement#sources-and-prompts")
        self._make_choices()
        self._make_numbers()
        self.paper = QPushButton(tr("Use paper settings"))
        self.paper.setToolTip(tr("50 texts per source, 1,024 tokens per text, the first 50 of them as prompt"))
        self.paper.clicked.connect(lambda: presenter.enter(**PAPER))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, field in (
            (tr("Group by"), self.group),
            (tr("Texts per source"), self.max_texts),
            (tr("Tokens per text"), self.max_tokens),
            (tr("Seed"), self.seed),
            (tr("Prompt field"), self.prompt_field),
            (tr("After the prompt"), self.between),
            (tr("Prompt tokens"), self.prompt_tokens),
            (tr("n-gram model"), self.n),
        ):
            form.addRow(label(text, "muted"), field)
        self.body.addLayout(form)
        self.body.addWidget(self.without_self)
        self.body.addWidget(self.paper)

    def _make_choices(self) -> None:
        enter = self._presenter.enter
        self.group = named(QComboBox(), tr("Field to group by"))
        self.group.setToolTip(tr("The field that names the source of each text, for example model"))
        self.prompt_field = named(QComboBox(), tr("Field with the prompt"))
        self.prompt_field.setToolTip(
            tr("The field with the prompt of each text. It is context for the first tokens, and is not scored.")
        )
        self.between = named(QComboBox(), tr("Between prompt and text"))
        for text, value in BETWEEN:
            self.between.addItem(tr(text), value)
        self.between.setToolTip(tr("What is put between a prompt and its text before both are split into tokens"))
        for name in ("group", "prompt_field", "between"):
            box: QComboBox = getattr(self, name)
            # Bound here: without it, every box would change the last of the inputs.
            # `activated` comes only from the user; the index also changes when the fields of other files are offered.
            box.activated.connect(lambda _, name=name, box=box: enter(**{name: box.currentData()}))
        self.without_self = Toggle(tr("Exclude the texts' own documents"))
        self.without_self.setToolTip(tr("Exclude documents that contain most of a text from all counts"))
        self.without_self.toggled.connect(lambda on: enter(without_self=on))

    def _make_numbers(self) -> None:
        self.n = named(NumberBox(minimum=1, maximum=100, value=5, prefix="n = "), tr("n of the n-gram model"))
        self.n.setToolTip(tr("The n-gram model that is compared with the ∞-gram uses at most n − 1 tokens of context"))
        self.max_texts = named(NumberBox(minimum=0, maximum=1_000_000, value=0), tr("Texts per source"))
        self.max_tokens = named(NumberBox(minimum=0, maximum=10_000_000, value=0), tr("Tokens per text"))
        for box in (self.max_texts, self.max_tokens):
            box.setSpecialValueText(tr("all"))
        self.prompt_tokens = named(NumberBox(minimum=0, maximum=1_000_000, value=0), tr("Prompt tokens of each text"))
        self.prompt_tokens.setSpecialValueText(tr("none"))
        self.prompt_tokens.setToolTip(tr("Tokens at the beginning of each text that are context and not scored"))
        self.seed = named(NumberBox(minimum=0, maximum=999_999, value=0), tr("Seed"))
        self.seed.setToolTip(tr("A different seed samples different texts from each source"))
        for name in _NUMBERS:
            # It is also emitted when a state is drawn; the presenter then finds nothing changed.
            changed = getattr(self, name).valueChanged
            changed.connect(lambda value, name=name: self._presenter.enter(**{name: value}))

    def draw(self, state: AgreementState) -> None:
        """Show the inputs of a state, and the fields that its files have."""
        offer(self.without_self, state.why_not_subtract)
        inputs = state.inputs
        shown = (state.fields, inputs.group, inputs.prompt_field, inputs.between)
        # Only for other fields: filling would empty a list that is open under the pointer.
        if shown != self._shown:
            self._shown = shown
            _fill(self.group, tr("file"), state.fields.single, inputs.group)
            _fill(self.prompt_field, tr("none"), state.fields.texts, inputs.prompt_field)
            self._show_between(inputs)
        for name in _NUMBERS:
            getattr(self, name).setValue(getattr(inputs, name))
        self.without_self.setChecked(inputs.without_self)

    def _show_between(self, inputs: Inputs) -> None:
        place = self.between.findData(inputs.between)
        # A session may hold another text.
        if place < 0:
            self.between.addItem(cell_text(inputs.between), inputs.between)
            place = self.between.count() - 1
        with QSignalBlocker(self.between):
            self.between.setCurrentIndex(place)


def _fill(box: QComboBox, none: str, names: tuple[str, ...], chosen: str) -> None:
    """Offer fields; one that was chosen stays, even if no file has it."""
    offered = names if not chosen or chosen in names else (*names, chosen)
    with QSignalBlocker(box):
        box.clear()
        box.addItem(none, "")
        for name in offered:
            box.addItem(cell_text(name), name)
        box.setCurrentIndex(box.findData(chosen))
    # Without files, or in plain texts, there is nothing to choose.
    box.setEnabled(bool(offered))

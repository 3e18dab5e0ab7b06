"""How much is analyzed, what is context, and how texts are grouped: a pop-over."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from explorer.analyses.agreement.question import AgreementQuestion
from explorer.gui.asking.question_form import QuestionRows
from explorer.gui.help.topics import about
from explorer.gui.screens.agreement.inputs import PAPER
from explorer.gui.screens.agreement.presenter import AgreementPresenter
from explorer.gui.screens.agreement.state import AgreementState
from explorer.gui.screens.screen import named
from explorer.gui.style.text_positions import cell_text
from explorer.gui.widgets.fields.popover import Popover
from explorer.i18n import tr


class SamplingPopover(Popover):
    """The settings of the analysis."""

    def __init__(self, anchor: QWidget, presenter: AgreementPresenter) -> None:
        super().__init__(anchor, tr("Sampling"))
        self._shown: object = None
        about(self, "agreement#sources-and-prompts")
        self.group = named(QComboBox(), tr("Group by"))
        self.group.setToolTip(tr("The field that names the source of each text, for example model"))
        self.prompt_field = named(QComboBox(), tr("Prompt field"))
        self.prompt_field.setToolTip(
            tr("The field with the prompt of each text. It is context for the first tokens, and is not scored.")
        )
        for name, box in (("group", self.group), ("prompt_field", self.prompt_field)):
            # Bound here: without it, both boxes would change the last of the inputs.
            # `activated` comes only from the user; the index also changes when the fields of other files are offered.
            box.activated.connect(lambda _, name=name, box=box: presenter.enter(**{name: box.currentData()}))
        parts = (
            self.group, "max_texts", "max_tokens", "seed",
            self.prompt_field, "prompt_join", "prompt_tokens", "max_n", "without_self",
        )  # fmt: skip
        self.form = QuestionRows(AgreementQuestion, parts, presenter.enter)
        self.paper = QPushButton(tr("Use paper settings"))
        self.paper.setToolTip(tr("50 texts per source, 1,024 tokens per text, the first 50 of them as prompt"))
        self.paper.clicked.connect(lambda: presenter.enter(**PAPER))
        self.body.addWidget(self.form)
        self.body.addWidget(self.paper)

    def draw(self, state: AgreementState) -> None:
        """Show the inputs of a state, and the fields that its files have."""
        inputs = state.inputs
        self.form.offer("without_self", state.why_not_subtract)
        self.form.draw(inputs.question)
        shown = (state.fields, inputs.group, inputs.prompt_field)
        # Only for other fields: filling would empty a list that is open under the pointer.
        if shown != self._shown:
            self._shown = shown
            _fill(self.group, tr("file"), state.fields.single, inputs.group)
            _fill(self.prompt_field, tr("none"), state.fields.texts, inputs.prompt_field)


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

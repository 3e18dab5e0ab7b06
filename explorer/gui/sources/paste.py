"""The pasted text and its prompt, in a pop-over of its chip."""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.gui.screens.screen import label, named
from explorer.gui.sources.inputs import SourcesPresenter, TextInputs
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.i18n import tr

_WIDTH, _HEIGHT = 44, 16
"""Of the editor, in em."""
_REST_MS = 250
"""A text is read from its editor after a pause: reading millions of characters takes longer than a key may."""


class PastePopover(Popover):
    """An editor, and a field for the prompt.

    folded: What it opens from while the chip is folded away.
    """

    def __init__(self, anchor: QWidget, folded: QWidget, presenter: SourcesPresenter) -> None:
        super().__init__(anchor, tr("Pasted text"))
        self._chip, self._folded, self._presenter = anchor, folded, presenter
        self.prompt = named(QLineEdit(placeholderText=tr("none")), tr("Prompt of the pasted text"))
        self.prompt.setToolTip(tr("Comes before the text as context, and is not scored"))
        self.editor = PlainText(placeholderText=tr("Paste a text that is not in the corpus …"), tabChangesFocus=True)
        self.editor.setAccessibleName(tr("Text to analyze"))
        self.body.addWidget(self.editor, 1)
        self.body.addWidget(label(tr("Prompt (context that is not scored)"), "muted"))
        self.body.addWidget(self.prompt)
        self._entered = ""
        self._read = QTimer(self, singleShot=True, interval=_REST_MS)
        self._read.timeout.connect(self.read)
        self.editor.textChanged.connect(self._read.start)
        self.closed.connect(self._read_last)
        # One line, so it is read at each key; the presenter waits for a pause before it analyzes.
        self.prompt.textChanged.connect(lambda text: presenter.enter(prompt=text))

    def open(self) -> None:
        """Show it with a large editor."""
        # At each opening: the text size may have changed since the last one.
        self.hang_on(self._folded if self._chip.isHidden() else self._chip)
        room = self._chip.window().size() - QSize(em(4), em(12))
        self.editor.setMinimumSize(QSize(em(_WIDTH), em(_HEIGHT)).boundedTo(room))
        super().open()
        self.editor.setFocus()

    def _read_last(self) -> None:
        """Take what was typed last at once."""
        if self._read.isActive():
            self.read()

    @property
    def reading(self) -> bool:
        """Whether something was typed that is not read yet."""
        return self._read.isActive()

    def read(self) -> None:
        """Enter the text as it is now."""
        self._read.stop()
        # `toPlainText` would turn no-break spaces into spaces.
        self._entered = self.editor.document().toRawText().replace("\u2029", "\n")
        self._presenter.enter(text=self._entered)

    def draw(self, inputs: TextInputs) -> None:
        """Show the inputs; what is shown already is left alone, with its cursor and its history of edits."""
        # Compared with what was read last, since asking the editor copies the whole text.
        # While something typed is not read yet, the state has the text before it, which must not overwrite it.
        if inputs.text != self._entered and not self._read.isActive():
            self._entered = inputs.text
            self.editor.setPlainText(inputs.text)
            # Setting a text starts the timer, as typing does.
            self._read.stop()
        if self.prompt.text() != inputs.prompt:
            self.prompt.setText(inputs.prompt)

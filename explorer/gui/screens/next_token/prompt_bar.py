"""The line of input of the Next token screen: the prompt with its switches, its tokens, and how much was found."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.derive.question import settings_of
from explorer.gui.asking.question_form import QuestionForm, hint
from explorer.gui.chrome.folders import begin_in
from explorer.gui.screens.next_token.beside import BesideState
from explorer.gui.screens.next_token.panels import muted_line
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.state import NextTokenState
from explorer.gui.screens.screen import label, offer
from explorer.gui.style.icons import icon
from explorer.gui.style.surfaces import keep_icon_size, when_restyled
from explorer.gui.style.theme import em, font_of
from explorer.gui.style.token_marks import read_as
from explorer.gui.style.untrusted import tip
from explorer.gui.widgets.fields.buttons import icon_button
from explorer.gui.widgets.fields.query_field import QueryField
from explorer.gui.widgets.texts.plain_text import PlainText
from explorer.gui.widgets.texts.token_chips import TokenChips
from explorer.i18n import tr

_MOST_LINES = 3
_FIELD_SCALE = 1.23
_GAPS = 2
"""Em for the gaps between the tokens and the sentences beside them."""
_CHIPS = 8
"""Em for the tokens at least: the number of tokens fits into it, in place of those that do not."""


class Prompt(PlainText):
    """A text that is one line high, and grows up to three lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("Type the beginning of a text …"))
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Prompt"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # No higher than its lines: the frame has them in its middle, beside its tools.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.updateGeometry())
        when_restyled(self, self._use_font)

    def _use_font(self) -> None:
        self.setFont(font_of(_FIELD_SCALE))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As many lines as the text has."""
        lines = min(_MOST_LINES, max(1, int(self.document().size().height())))
        height = lines * QFontMetrics(font_of(_FIELD_SCALE)).lineSpacing() + 2 * int(self.document().documentMargin())
        return QSize(em(30), height + 2)

    def minimumSizeHint(self) -> QSize:
        """The same: the layout gives it no more and no less."""
        return QSize(em(10), self.sizeHint().height())


class PromptBar(QWidget):
    """Hands on what is typed, and draws the tokens and the sentence of the answer."""

    def __init__(self, presenter: NextTokenPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.prompt = Prompt()
        self.words = QToolButton()
        words = settings_of(NextTokensQuestion)["words"]
        self.words.setText(tr(words.label))
        self.words.setCheckable(True)
        self.words.setProperty("role", "switch")
        # Not by color alone: a check mark shows that it is on.
        self.words.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        keep_icon_size(self.words, 16)
        self.words.toggled.connect(lambda on: self.words.setIcon(icon("check") if on else QIcon()))
        self.words.setToolTip(tip(hint(words)))
        self.back = icon_button("undo", tr("Undo the last word or edit (Ctrl+Z)"))
        # Nothing can be undone yet; the prompt signals when something can.
        self.back.setEnabled(False)
        self.form = QuestionForm(NextTokensQuestion, ("n",), presenter.set)
        self.more = icon_button("more", tr("More options"))
        self.more.setMenu(self._make_menu())
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)
        self.field = QueryField(self.prompt, (self.words, self.back, self.more), icon_name="")
        self.read_as = label("", "muted")
        self.chips = TokenChips()
        when_restyled(self.chips, lambda: self.chips.setMinimumWidth(em(_CHIPS)))
        # By themselves, chips are named as those of a query.
        self.chips.setAccessibleName(tr("Tokens of your text"))
        self.summary = muted_line()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        answer = QHBoxLayout()
        answer.addWidget(self.read_as)
        answer.addWidget(self.chips, 1)
        answer.addWidget(self.summary)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addLayout(answer)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        holder = QWidgetAction(menu)
        self.form.setContentsMargins(8, 4, 8, 4)
        holder.setDefaultWidget(self.form)
        menu.addAction(holder)
        menu.addSeparator()
        self.compare = QAction(self)
        self.compare.triggered.connect(lambda _: self._ask_beside())
        menu.addAction(self.compare)
        return menu

    def _connect(self) -> None:
        presenter = self._presenter
        self.prompt.textChanged.connect(lambda: presenter.typed(self.prompt.toPlainText()))
        self.words.toggled.connect(lambda on: presenter.set(words=on))
        # An appended word is an edit of the prompt, and is undone as one.
        self.back.clicked.connect(self.prompt.undo)
        self.prompt.undoAvailable.connect(self.back.setEnabled)

    def draw_beside(self, state: BesideState) -> None:
        """Offer to compare, or to stop comparing."""
        self.compare.setText(tr("Stop comparing") if state.corpus else tr("Compare with another index …"))

    def append(self, text: str) -> None:
        """Append a text as an edit of its own, so that undo removes only that."""
        cursor = self.prompt.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.insertText(text)
        cursor.endEditBlock()
        self.prompt.setTextCursor(cursor)

    def _replace(self, text: str) -> None:
        """Show another prompt as an edit, which leaves those before it to be undone."""
        cursor = self.prompt.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        self.prompt.setTextCursor(cursor)

    def _ask_beside(self) -> None:
        # The same entry ends the comparison.
        if self._presenter.beside.state.corpus is not None:
            self._presenter.beside.put(None)
        elif path := QFileDialog.getExistingDirectory(self, tr("Choose another index folder"), begin_in()):
            self._presenter.beside.open(path)

    def draw(self, state: NextTokenState, before: NextTokenState | None) -> None:
        """Draw the prompt and what was found of it.

        before: What is drawn now; None for nothing.
        """
        # Setting an equal text would move the cursor.
        if self.prompt.toPlainText() != state.prompt:
            self._replace(state.prompt)
        self.form.draw(state.question)
        self.words.setChecked(state.question.words)
        offer(self.words, state.why_no_words)
        answer = state.answer.value
        if before is None or answer is not before.answer.value:
            self.chips.show_tokens(() if answer is None else answer.context)
        self._say_found()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show in more or fewer words how much was found."""
        super().resizeEvent(event)
        self._say_found()

    def _say_found(self) -> None:
        """Write sentences on both sides of the tokens, or a few words, so that no number is cut."""
        state = self._presenter.state
        # Of a long prompt, tokens are counted; they leave half of the line.
        room = self.width() - min(self.chips.needed, self.width() // 2) - em(_GAPS)
        full, short = read_as(state.tokens), read_as(state.tokens, is_short=True)
        metrics = self.summary.fontMetrics()
        for heading, found in ((full, state.summary), (full, state.brief), (short, state.brief)):
            if metrics.horizontalAdvance(heading) + metrics.horizontalAdvance(found) <= room:
                break
        self.read_as.setText(heading)
        self.read_as.setToolTip(tip(self.chips.about))
        self.read_as.setVisible(bool(heading))
        self.summary.setText(found)
        self.summary.setToolTip(tip(state.summary))

"""A sentence in the page about what went wrong or what is worth knowing, with what settles it as buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.errors import CorpusError
from explorer.gui.presenting.hints import told, why_unable
from explorer.gui.style.icons import draw_icon
from explorer.gui.style.theme import scaled
from explorer.gui.style.untrusted import Label
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.focus import leave_focus
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.painting import rounded
from explorer.i18n import tr

Kind = Literal["info", "warn", "error"]
Remedy = tuple[str, Callable[[], object]]
"""The words of a button, and what it does."""

MOST_REMEDIES = 3
_MOST_SAID = 1_000
"""Characters of a sentence: it may quote what is in a file, and the window must not grow with that."""
_RADIUS, _PAD, _ICON = 6, 12, 16
_LOOKS = {
    "info": ("accent_soft", "accent_mid", "info", "accent"),
    "warn": ("warn_soft", "warn_line", "warning", "warn"),
    "error": ("error_soft", "error_line", "error", "error"),
}
"""Fill, outline, icon and ink of each kind."""


class Notice(QWidget):
    """An icon, a title, a sentence and at most three buttons; hidden while there is nothing to report.

    Examples
    --------
    >>> from PySide6.QtWidgets import QApplication
    >>> application = QApplication.instance() or QApplication(["", "-platform", "offscreen"])
    >>> notice = Notice()
    >>> notice.show_notice("76 % of it matches one document.", "This text is in the corpus", "warn")
    >>> notice.text(), notice.kind
    ('76 % of it matches one document.', 'warn')
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind: Kind = "warn"
        self.title, self.sentence = Label(), Label()
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.remedies = QWidget()
        self._row = FlowLayout(self.remedies, 8)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._words = QVBoxLayout()
        self._words.setSpacing(2)
        for part in (self.title, self.sentence):
            self._words.addWidget(part)
        self._layout = QHBoxLayout(self)
        self._layout.addLayout(self._words, 1)
        self._leave_room()
        self._look()
        self.hide()

    def show_notice(self, sentence: str, title: str = "", kind: Kind = "warn", remedies: Sequence[Remedy] = ()) -> None:
        """Show a notice; hide it if there is neither a sentence nor a title.

        title: The same in a few words; "" where the sentence is short.
        kind: "info", "warn" or "error".
        remedies: Words and actions of the buttons, the most likely first.
        Raises `ValueError` for more than three remedies.
        """
        if len(remedies) > MOST_REMEDIES:
            raise ValueError(f"a notice has at most {MOST_REMEDIES} buttons, not {len(remedies)}")
        self.kind = kind
        self.title.setText(title)
        self.sentence.setText(sentence if len(sentence) <= _MOST_SAID else sentence[:_MOST_SAID] + " …")
        self._offer(remedies)
        self._look()
        self.setVisible(bool(sentence or title))
        if sentence or title:
            self.setAccessibleName(title or sentence)
            self.setAccessibleDescription(sentence if title else "")
            # The focus stays where it is: without this, a screen reader would not read the notice.
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def show_error(self, error: CorpusError, remedies: Sequence[Remedy] = ()) -> None:
        """Show an expected error, with what settles it.

        error: The error; its sentence is shown in the user's language.
        remedies: Words and actions of at most three buttons, the most likely first.
        """
        self.show_notice(told(error), kind="error", remedies=remedies)

    def show_text(self, text: str) -> None:
        """Show a sentence as a warning; hide if it is empty."""
        self.show_notice(text)

    def text(self) -> str:
        """The sentence that is shown."""
        return self.sentence.text()

    def buttons(self) -> list[QPushButton]:
        """The remedies, in their order."""
        items = (self._row.itemAt(number) for number in range(self._row.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, QPushButton)]

    def _offer(self, remedies: Sequence[Remedy]) -> None:
        leave_focus(self.remedies)
        while (item := self._row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                # Hidden at once, and deleted in a later turn: its own click may have led here.
                old.hide()
                old.deleteLater()
        for words, action in remedies:
            button = push_button(words)
            button.clicked.connect(lambda _=False, action=action: action())
            self._row.addWidget(button)
            button.show()
        # A single button is at the end of the line; several need a line of their own.
        if len(remedies) == 1:
            self._layout.addWidget(self.remedies)
        else:
            self._words.addWidget(self.remedies)

    def _look(self) -> None:
        """Show only the parts that have something in them, in the colors of the kind."""
        self.title.setVisible(bool(self.title.text()))
        self.sentence.setVisible(bool(self.sentence.text()))
        self.remedies.setVisible(self._row.count() > 0)
        for part, role in ((self.title, f"{self.kind}-title"), (self.sentence, self._role())):
            if part.property("role") != role:
                part.setProperty("role", role)
                # The style sheet looks at a property only when it polishes a widget.
                part.style().unpolish(part)
                part.style().polish(part)
        self.update()

    def _role(self) -> str:
        # Under a title, the sentence is ordinary text; alone, it carries the color of the kind.
        return "" if self.title.text() or self.kind == "info" else self.kind

    def _leave_room(self) -> None:
        # A layout does not mirror its margins; the icon is where lines begin.
        end, start = scaled(_PAD), 2 * scaled(_PAD) + scaled(_ICON)
        left, right = (end, start) if self.isRightToLeft() else (start, end)
        self._layout.setContentsMargins(left, scaled(8), right, scaled(8))

    def changeEvent(self, event: QEvent) -> None:
        """Grow with the text, and change sides with the window."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LayoutDirectionChange):
            self._leave_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill, outline and icon."""
        fill, outline, name, ink = _LOOKS[self.kind]
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        rounded(painter, QRectF(self.rect()), _RADIUS, fill, outline)
        side, first = scaled(_ICON), self.title if self.title.text() else self.sentence
        left = self.width() - scaled(_PAD) - side if self.isRightToLeft() else scaled(_PAD)
        # In the middle of the first line, wherever its label has the lines.
        metrics = first.fontMetrics()
        line = metrics.height()
        # Not the label's own height for its width: asking for it makes the label paint again, and so this, without end.
        words = metrics.boundingRect(0, 0, first.width(), 10_000, Qt.TextFlag.TextWordWrap, first.text())
        lines = max(line, words.height()) if first.wordWrap() else line
        top = first.y() + max(0, first.height() - lines) / 2 + (line - side) / 2
        draw_icon(painter, name, QRectF(left, top, side, side), ink)
        painter.end()


def show_with_retry(notice: Notice, sentence: str, error: CorpusError | None, again: Callable[[], object]) -> None:
    """Show what went wrong, with a button that asks again where this may help; nothing is drawn twice.

    sentence: What it states; "" for nothing.
    error: Why the answer failed; None if it did not.
    """
    remedies = [(tr("Try again"), again)] if error is not None and not why_unable(error) else []
    # Screens draw all their parts whenever something changes: a button that has the focus must stay the same one.
    if (notice.text(), bool(notice.buttons())) != (sentence, bool(remedies and sentence)):
        notice.show_notice(sentence, remedies=remedies if sentence else [])

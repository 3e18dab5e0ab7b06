"""A query as clauses: rows of phrases joined by OR, the rows joined by AND or AND NOT.

It writes the text of the query and parses it again, so that the two always agree.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.errors import QueryError
from explorer.gui.hints import told
from explorer.gui.icons import icon
from explorer.gui.screen import label
from explorer.gui.surfaces import keep_icon_size
from explorer.i18n import tr
from explorer.search.find import Match
from explorer.search.language import Expression, ParsedQuery, parse


class _Phrase(QFrame):
    """One phrase, which can be edited and removed."""

    changed = Signal()
    removed = Signal(object)

    def __init__(self, text: str) -> None:
        super().__init__()
        self._is_expression = isinstance(text, Expression)
        self.setProperty("role", "chip")
        self.edit = QLineEdit(text, placeholderText=tr("phrase"))
        self.edit.setFrame(False)
        self.edit.setAccessibleName(tr("Phrase"))
        self.edit.setMinimumWidth(90)
        # Only what the user types: `textChanged` would also report what `show_query` sets.
        self.edit.textEdited.connect(lambda _: self.changed.emit())
        self.remove = QToolButton()
        self.remove.setIcon(icon("close"))
        keep_icon_size(self.remove, 14)
        self.remove.setToolTip(tr("Remove this phrase"))
        self.remove.setAccessibleName(tr("Remove this phrase"))
        self.remove.clicked.connect(lambda: self.removed.emit(self))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 2, 0)
        layout.setSpacing(0)
        layout.addWidget(self.edit)
        layout.addWidget(self.remove)

    def text(self) -> str:
        """The phrase as typed; an `Expression` if it is a regular expression."""
        text = self.edit.text()
        return Expression(text) if self._is_expression else text


class _Clause(QWidget):
    """A row: its operator, its phrases joined by OR, and a button to add one.

    `excluded`: a phrase that must not occur nearby. The operator is derived from it, never the reverse, since the
    operator is shown in the user's language. `empty`: a phrase to be typed.
    """

    changed = Signal()
    emptied = Signal(object)

    def __init__(self, excluded: bool, empty: str) -> None:
        super().__init__()
        self.phrases: list[_Phrase] = []
        self._ors: list[QWidget] = []
        self.excluded = excluded
        self._word = label("", "muted")
        self._word.setMinimumWidth(64)
        self._word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._more = QPushButton("+ OR")
        self._more.setToolTip(tr("Add an alternative phrase (OR)"))
        self._more.clicked.connect(lambda: self.add(empty, focus=True))
        # NOT has no alternatives: each phrase that is excluded is a row of its own. Never shown here: a button without
        # a parent would be a window, which takes the keyboard from the one that is typed in.
        if self.excluded:
            self._more.hide()
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self._word)
        self._layout.addWidget(self._more)
        self._layout.addStretch(1)

    def add(self, text: str, focus: bool = False) -> None:
        """Add a phrase."""
        phrase = _Phrase(text)
        phrase.changed.connect(self.changed)
        phrase.removed.connect(self._remove)
        at = self._layout.indexOf(self._more)
        if self.phrases:
            word = label("OR", "muted")
            self._ors.append(word)
            self._layout.insertWidget(at, word)
            at += 1
        self._layout.insertWidget(at, phrase)
        self.phrases.append(phrase)
        if focus:
            phrase.edit.setFocus()

    def _remove(self, phrase: _Phrase) -> None:
        number = self.phrases.index(phrase)
        self.phrases.pop(number)
        gone: list[QWidget] = [phrase]
        if self._ors:
            # The OR before it; of the first phrase, the one after it.
            gone.append(self._ors.pop(max(0, number - 1)))
        for widget in gone:
            self._layout.removeWidget(widget)
            widget.deleteLater()
        if self.phrases:
            self.changed.emit()
        else:
            self.emptied.emit(self)

    def name(self, first: bool) -> None:
        """Show the operator that joins it to the row above."""
        self._word.setText(tr("AND NOT") if self.excluded else tr("Find") if first else "AND")

    def texts(self) -> tuple[str, ...]:
        """The phrases that are not empty."""
        return tuple(phrase.text() for phrase in self.phrases if phrase.text().strip())


class ClauseBuilder(QFrame):
    """`changed(str)`: the query as the clauses have it, when one of them was edited. `match`: how it is read."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.match: Match = "text"
        self.clauses: list[_Clause] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        self.note = label("", "muted")
        self.note.setWordWrap(True)
        self.note.hide()
        self.add_and = QPushButton("+ AND")
        self.add_and.setToolTip(tr("Add a clause that must occur nearby"))
        self.add_and.clicked.connect(lambda: self._add((self._empty(),), focus=True))
        self.add_not = QPushButton(tr("+ AND NOT"))
        self.add_not.setToolTip(tr("Exclude hits with a phrase nearby"))
        self.add_not.clicked.connect(lambda: self._add((self._empty(),), excluded=True, focus=True))
        buttons = QHBoxLayout()
        buttons.addSpacing(70)
        buttons.addWidget(self.add_and)
        buttons.addWidget(self.add_not)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(self.note)
        layout.addLayout(self._rows)
        layout.addLayout(buttons)

    def _empty(self) -> str:
        """An empty phrase of the kind that is built."""
        return Expression("") if self.match == "regex" else ""

    def has_focus_inside(self) -> bool:
        """Whether a phrase is being edited."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def show_query(self, text: str) -> None:
        """Show the clauses of a query; if it cannot be parsed, report this and leave it unchanged."""
        try:
            parsed = parse(text, self.match) if text.strip() else ParsedQuery(((self._empty(),),))
        except QueryError as error:
            self.note.setText(tr("The query is not valid yet: {error}", error=told(error)))
            self.note.show()
            return
        self.note.hide()
        while self.clauses:
            self._drop(self.clauses[-1])
        for phrases in parsed.clauses:
            self._add(phrases)
        for phrase in parsed.excluded:
            self._add((phrase,), excluded=True)

    def query(self) -> str:
        """The query that the clauses describe; "" if all are empty."""
        clauses = tuple(c.texts() for c in self.clauses if not c.excluded and c.texts())
        excluded = tuple(text for c in self.clauses if c.excluded for text in c.texts())
        # Phrases after NOT alone are not a query.
        return str(ParsedQuery(clauses, excluded)) if clauses else ""

    def _add(self, phrases: tuple[str, ...], excluded: bool = False, focus: bool = False) -> None:
        clause = _Clause(excluded, self._empty())
        for phrase in phrases:
            clause.add(phrase)
        clause.changed.connect(self._edited)
        clause.emptied.connect(self._emptied)
        self.clauses.append(clause)
        self._rows.addWidget(clause)
        if focus:
            # Not before: a field that is not in the window yet does not get its keyboard.
            clause.phrases[-1].edit.setFocus()
        self._name_rows()

    def _drop(self, clause: _Clause) -> None:
        self.clauses.remove(clause)
        self._rows.removeWidget(clause)
        # Deleted in a later turn of the event loop; until then, it must not be seen.
        clause.hide()
        clause.deleteLater()

    def _emptied(self, clause: _Clause) -> None:
        self._drop(clause)
        # A query needs a phrase to look for.
        if not any(not c.excluded for c in self.clauses):
            self._add((self._empty(),))
        self._name_rows()
        self._edited()

    def _name_rows(self) -> None:
        for number, clause in enumerate(self.clauses):
            clause.name(first=number == 0)

    def _edited(self) -> None:
        self.changed.emit(self.query())

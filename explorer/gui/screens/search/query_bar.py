"""The query: its field, what is wrong with it and where, how it is cut and read, and its variants."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.errors import CorpusError
from explorer.gui.direction import isolated, isolated_phrases
from explorer.gui.icons import icon
from explorer.gui.screen import label, named, with_key
from explorer.gui.screens.search.builder import ClauseBuilder
from explorer.gui.screens.search.history import HistoryButton
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.text_positions import short_text
from explorer.gui.theme import qcolor
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.token_chips import TokenChips
from explorer.search.find import MAX_DISTANCE, QueryOptions, QueryResult
from explorer.search.language import QuerySyntaxError
from explorer.words import tr, trn


class ProblemLine(QWidget):
    """What is wrong with the text of a field, with a mark under the place. Hidden while nothing is."""

    def __init__(self, field: QLineEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = field
        self._message, self._start, self._end = "", 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def message(self) -> str:
        """The sentence that is shown, "" if none."""
        return self._message

    def show_problem(self, message: str, start: int = 0, end: int = 0) -> None:
        """Show a sentence, and mark the characters [start, end) of the field; "" hides."""
        self._message, self._start, self._end = message, start, end
        self.setAccessibleName(message)
        self.setVisible(bool(message))
        self.update()

    def sizeHint(self) -> QSize:
        """A mark and a line of text."""
        return QSize(200, QFontMetrics(self.font()).height() + 10)

    def _marked(self) -> tuple[int, int]:
        """Left end and width of the mark, in pixels."""
        metrics = QFontMetrics(self._field.font())
        text = self._field.text()
        left = 13 + metrics.horizontalAdvance(text[: self._start])
        width = max(metrics.horizontalAdvance(text[self._start : self._end]), metrics.averageCharWidth())
        return min(left, self.width() - 24), min(width, max(12, self.width() - left))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the mark and the sentence, which begins under it where it fits."""
        painter = QPainter(self)
        left, width = self._marked()
        if isolated(self._field.text()) == self._field.text():
            # In text with both directions, the position on screen differs from a count of characters from the left.
            painter.fillRect(left, 1, width, 3, qcolor("warning"))
        painter.setPen(qcolor("warning"))
        needed = QFontMetrics(self.font()).horizontalAdvance(self._message) + 4
        x = max(2, min(left, self.width() - needed))
        painter.drawText(x, 6, self.width() - x, self.height() - 6, Qt.AlignmentFlag.AlignLeft, self._message)
        painter.end()


class QueryBar(QWidget):
    """Signals: `edited()`, the text changed; `options_changed()`; `entered()`, run now."""

    edited = Signal()
    entered = Signal()
    options_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make_widgets()
        self._lay_out()
        self._connect()

    def _make_widgets(self) -> None:
        self.field = QLineEdit(
            placeholderText=tr('A word, a phrase, a line of code … or  "suffix array" AND (index OR search)'),
            clearButtonEnabled=True,
        )
        self.field.setProperty("role", "query")
        self.field.setAccessibleName(tr("Query"))
        self.search_button = QPushButton(tr("Search"))
        self.search_button.setProperty("role", "primary")
        self.history = HistoryButton(self.field.text)
        self.build = QToolButton()
        self.build.setCheckable(True)
        self.build.setIcon(icon("builder"))
        keep_icon_size(self.build, 16)
        self.build.setAccessibleName(tr("Query builder"))
        self.problem = ProblemLine(self.field)
        self.builder = ClauseBuilder()
        self.builder.hide()
        self.space = QCheckBox(tr("leading space"))
        self.space.setChecked(True)
        self.space.setToolTip(
            tr("Also count each phrase with a space before it, which is another token in most vocabularies")
        )
        self.case = QCheckBox(tr("any case"))
        self.case.setToolTip(tr("Also count each phrase in lower case, UPPER CASE and Title Case"))
        self.distance = named(
            NumberBox(minimum=0, maximum=MAX_DISTANCE, value=100, prefix=tr("within "), suffix=tr(" tokens")),
            tr("Distance of AND"),
        )
        self.distance.setToolTip(tr("How far apart the beginnings of what AND joins may be, in one document"))
        self.distance.hide()
        self.node = named(QComboBox(), tr("Center on"))
        self.node.setToolTip(tr("The phrase whose occurrences are listed; the others are underlined in the lines"))
        self.node.setMaximumWidth(260)
        self.node.hide()
        self.chips = TokenChips()
        self.read_as = label("", "muted")
        self.read_as.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.read_as.setWordWrap(True)
        self.read_as.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.field, 1)
        for part in (self.history, self.build, self.search_button):
            top.addWidget(part)
        lens = QHBoxLayout()
        lens.setSpacing(14)
        options: tuple[QWidget, ...] = (self.space, self.case, self.distance, self.node)
        for option in options:
            lens.addWidget(option)
        lens.addWidget(self.chips, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(top)
        for widget in (self.problem, self.builder):
            layout.addWidget(widget)
        layout.addLayout(lens)
        layout.addWidget(self.read_as)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._text_changed)
        self.field.returnPressed.connect(self.entered)
        self.search_button.clicked.connect(self.entered)
        for box in (self.space, self.case):
            box.toggled.connect(self.options_changed)
        self.distance.valueChanged.connect(self.options_changed)
        self.build.toggled.connect(self._toggle_builder)
        self.builder.changed.connect(self.field.setText)
        self.node.currentIndexChanged.connect(lambda _: self.options_changed.emit())

    def _text_changed(self, text: str) -> None:
        self.problem.show_problem("")
        with QSignalBlocker(self.node):
            # The choice belonged to the phrases of another query.
            self.node.setCurrentIndex(0)
        if self.builder.isVisible() and not self.builder.has_focus_inside():
            self.builder.show_query(text)
        self.edited.emit()

    def show_keys(self, history: str, builder: str) -> None:
        """Tell the shortcuts of both buttons, "" for none."""
        texts = (tr("Earlier and pinned queries"), tr("Build a query with AND, OR and NOT from clauses"))
        for button, text, key in zip((self.history, self.build), texts, (history, builder), strict=True):
            button.setToolTip(with_key(text, key))

    def _toggle_builder(self, shown: bool) -> None:
        self.builder.setVisible(shown)
        if shown:
            self.builder.show_query(self.field.text())

    def options(self, exact: bool | None = None) -> QueryOptions:
        """The options as the widgets have them."""
        variants = (("space",) if self.space.isChecked() else ()) + (
            ("lower", "upper", "title") if self.case.isChecked() else ()
        )
        return QueryOptions(variants, self.distance.value(), exact, node=max(0, self.node.currentIndex()))

    def set_options(self, variants: Sequence[str] | None, distance: int | None) -> None:
        """Set spellings and distance, None to leave one unchanged; the screen then runs the query."""
        with QSignalBlocker(self.space), QSignalBlocker(self.case), QSignalBlocker(self.distance):
            if variants is not None:
                self.space.setChecked("space" in variants)
                self.case.setChecked("lower" in variants)
            if distance is not None:
                self.distance.setValue(distance)

    # --- showing -------------------------------------------------------------------------------

    def show_result(self, found: QueryResult) -> None:
        """How the query was cut, or how it was read."""
        self.problem.show_problem(_impossible(found))
        structured = not found.parsed.plain
        phrase = found.clauses[0].phrases[0]
        self.chips.show_tokens(phrase.variants[0].tokens if phrase.variants and not structured else ())
        self.chips.setVisible(not structured)
        self.distance.setVisible(structured and (len(found.clauses) > 1 or bool(found.excluded)))
        self._show_clauses(found)
        self.read_as.setVisible(structured)
        self.read_as.setText(tr("read as  {parsed}", parsed=isolated_phrases(short_text(str(found.parsed), 100))))
        self.read_as.setToolTip(str(found.parsed))

    def _show_clauses(self, found: QueryResult) -> None:
        """Offer the clauses of an AND as the center of the lines."""
        with QSignalBlocker(self.node):
            self.node.clear()
            for phrases in found.parsed.clauses:
                shown = tr(" or ").join(f"“{isolated(short_text(phrase, 30))}”" for phrase in phrases)
                self.node.addItem(tr("centered on {phrases}", phrases=shown))
            self.node.setCurrentIndex(found.node)
        self.node.setVisible(len(found.clauses) > 1)

    def show_error(self, error: CorpusError) -> bool:
        """Show an error of the query's own at its place; False where it is none."""
        if isinstance(error, QuerySyntaxError):
            self.problem.show_problem(str(error), error.start, error.end)
            return True
        return False

    def clear_result(self) -> None:
        """Nothing is asked."""
        self.problem.show_problem("")
        self.chips.show_tokens(())
        self.chips.show()
        self.read_as.hide()
        self.distance.hide()
        self.node.hide()


def _impossible(found: QueryResult) -> str:
    """A sentence about phrases that cannot occur, for a query of several."""
    if found.parsed.plain or not found.impossible:
        return ""
    phrases = ", ".join(f"“{isolated(short_text(text))}”" for text in found.impossible[:3])
    return trn(
        "{phrases} does not occur in this index.",
        "{phrases} do not occur in this index.",
        len(found.impossible),
        phrases=phrases,
    )

"""The query: its field and switches, its errors at their positions, and how it was parsed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.errors import CorpusError
from explorer.gui.direction import isolated, isolated_phrases
from explorer.gui.hints import told
from explorer.gui.icons import icon
from explorer.gui.matching import Matching
from explorer.gui.screen import label, named, with_key
from explorer.gui.screens.search.builder import ClauseBuilder
from explorer.gui.screens.search.history import HistoryButton
from explorer.gui.screens.search.match_choice import MatchChoice
from explorer.gui.screens.search.query_frame import QueryFrame
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.text_positions import short_text
from explorer.gui.theme import qcolor
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import tr, trn
from explorer.search.find import MAX_DISTANCE, QueryOptions, QueryResult
from explorer.search.language import QuerySyntaxError


class ProblemLine(QWidget):
    """An error in the text of a field, with a mark under its position. Hidden if there is none."""

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
        """Show a sentence, and mark part of the field.

        Parameters
        ----------
        message
            The sentence; "" hides the line.
        start
            The first character to mark.
        end
            One past the last.
        """
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
        inside = self.mapFromGlobal(self._field.mapToGlobal(QPoint(self._field.textMargins().left(), 0))).x()
        left = inside + 3 + metrics.horizontalAdvance(text[: self._start])
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
        self.history = HistoryButton(self.field.text)
        self.build = QToolButton()
        self.build.setCheckable(True)
        self.build.setIcon(icon("builder"))
        keep_icon_size(self.build, 16)
        self.build.setAccessibleName(tr("Query builder"))
        self.choice = MatchChoice()
        self.frame = QueryFrame(self.field, self.choice, (self.history, self.build))
        self.problem = ProblemLine(self.field)
        self.builder = ClauseBuilder()
        self.builder.hide()
        self.distance = named(
            NumberBox(minimum=0, maximum=MAX_DISTANCE, value=100, prefix=tr("within "), suffix=tr(" tokens")),
            tr("Maximum distance"),
        )
        self.distance.setToolTip(
            tr("Maximum distance in tokens between the starts of phrases joined by AND, within a document")
        )
        self.distance.hide()
        self.node = named(QComboBox(), tr("Center on"))
        self.node.setToolTip(tr("The phrase whose occurrences are listed. The others are underlined in the lines."))
        self.node.setMaximumWidth(260)
        self.node.hide()
        self.read_as = label("", "muted")
        self.read_as.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.read_as.setWordWrap(True)
        self.read_as.hide()

    def _lay_out(self) -> None:
        self.lens = flowing(self.distance, self.node, gap=14)
        self.lens.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self.frame, self.problem, self.builder, self.lens, self.read_as):
            layout.addWidget(widget)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._text_changed)
        self.field.returnPressed.connect(self.entered)
        self.choice.changed.connect(self._matching_changed)
        self.distance.valueChanged.connect(self.options_changed)
        self.build.toggled.connect(self._toggle_builder)
        self.builder.changed.connect(self.field.setText)
        self.node.currentIndexChanged.connect(lambda _: self.options_changed.emit())

    def _text_changed(self, text: str) -> None:
        self.problem.show_problem("")
        with QSignalBlocker(self.node):
            # The choice was for the phrases of the previous query.
            self.node.setCurrentIndex(0)
        if self.builder.isVisible() and not self.builder.has_focus_inside():
            self.builder.show_query(text)
        self.edited.emit()

    def _matching_changed(self) -> None:
        self.builder.match = self.choice.match
        self.problem.show_problem("")
        self.options_changed.emit()

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Tell the shortcuts of the buttons; `key` has that of a command by its name, "" for none."""
        texts = (tr("Recent and pinned queries"), tr("Build a query from clauses with AND, OR and NOT"))
        for button, text, name in zip((self.history, self.build), texts, ("history", "builder"), strict=True):
            button.setToolTip(with_key(text, key(name)))
        self.choice.show_keys(key("whole_words"), key("ignore_case"), key("match"))

    def _toggle_builder(self, shown: bool) -> None:
        self.builder.setVisible(shown)
        if shown:
            self.builder.show_query(self.field.text())

    def options(self, exact: bool | None = None) -> QueryOptions:
        """The options that the widgets show."""
        options = QueryOptions((), self.distance.value(), exact, node=max(0, self.node.currentIndex()))
        return self.choice.matching().in_options(options)

    def set_options(self, matching: Matching | None, distance: int | None) -> None:
        """Set how phrases match, and the distance. The screen then runs the query.

        Parameters
        ----------
        matching
            How phrases match; None leaves it unchanged.
        distance
            The most tokens between phrases joined by AND; None leaves it unchanged.
        """
        if matching is not None:
            self.choice.set_matching(matching)
            self.builder.match = matching.match
        if distance is not None:
            with QSignalBlocker(self.distance):
                self.distance.setValue(distance)

    def offer_text(self, why_not: str) -> None:
        """Match text and regular expressions, or tokens only, for a reason."""
        self.choice.offer_text(why_not)
        self.builder.match = self.choice.match

    # --- showing -------------------------------------------------------------------------------

    def show_result(self, found: QueryResult, options: QueryOptions) -> None:
        """Show how the query was read.

        Parameters
        ----------
        found
            The hits with the parsed query.
        options
            How it was matched.
        """
        self.problem.show_problem(_impossible(found, options))
        structured = not found.parsed.plain
        self.distance.setVisible(structured and (len(found.clauses) > 1 or bool(found.excluded)))
        self.lens.setVisible(not self.distance.isHidden())
        self._show_clauses(found)
        self.read_as.setVisible(structured)
        read = found.parsed.echo or str(found.parsed)
        self.read_as.setText(tr("read as  {parsed}", parsed=isolated_phrases(short_text(read, 100))))
        self.read_as.setToolTip(read)

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
        """Show an error in the query at its position; False if it is another error."""
        if isinstance(error, QuerySyntaxError):
            self.problem.show_problem(told(error), error.start, error.end)
            return True
        return False

    def clear_result(self) -> None:
        """Show that there is no query."""
        self.problem.show_problem("")
        self.read_as.hide()
        self.lens.hide()
        self.distance.hide()
        self.node.hide()


def _impossible(found: QueryResult, options: QueryOptions) -> str:
    """A sentence about the phrases that cannot occur, for a query of several phrases."""
    if found.parsed.plain or not found.impossible:
        return ""
    phrases = ", ".join(f"“{isolated(short_text(text))}”" for text in found.impossible[:3])
    number = len(found.impossible)
    if options.match == "tokens":
        return trn(
            "{phrases} does not occur as these tokens in this index.",
            "{phrases} do not occur as these tokens in this index.",
            number,
            phrases=phrases,
        )
    if options.whole_words:
        return trn(
            "{phrases} does not occur in this index as whole words.",
            "{phrases} do not occur in this index as whole words.",
            number,
            phrases=phrases,
        )
    return trn(
        "{phrases} does not occur in this index.", "{phrases} do not occur in this index.", number, phrases=phrases
    )

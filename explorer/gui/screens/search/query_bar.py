"""The query: its field and switches, its errors at their positions, and how it was parsed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.direction import isolated
from explorer.gui.icons import icon
from explorer.gui.screen import label, named, with_key
from explorer.gui.screens.search.builder import ClauseBuilder
from explorer.gui.screens.search.history import HistoryButton
from explorer.gui.screens.search.match_choice import MatchChoice
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.query_frame import QueryFrame
from explorer.gui.screens.search.query_state import USUAL_DISTANCE, Problem, QueryState
from explorer.gui.surfaces import keep_icon_size
from explorer.gui.theme import qcolor
from explorer.gui.widgets.dimmed import Dimmer
from explorer.gui.widgets.flow_layout import flowing
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import tr
from explorer.search.find import MAX_DISTANCE


class ProblemLine(QWidget):
    """An error in the text of a field, with a mark under its position. Hidden if there is none."""

    def __init__(self, field: QLineEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = field
        self._problem = Problem()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def message(self) -> str:
        """The sentence that is shown, "" if none."""
        return self._problem.message

    def show_problem(self, problem: Problem) -> None:
        """Show a problem, and mark part of the field; one without a sentence hides the line."""
        self._problem = problem
        self.setAccessibleName(problem.message)
        self.setVisible(bool(problem.message))
        self.update()

    def sizeHint(self) -> QSize:
        """A mark and a line of text."""
        return QSize(200, QFontMetrics(self.font()).height() + 10)

    def marked(self) -> tuple[int, int]:
        """Left end and width of the mark, in pixels."""
        metrics = QFontMetrics(self._field.font())
        text = self._field.text()
        inside = self.mapFromGlobal(self._field.mapToGlobal(QPoint(self._field.textMargins().left(), 0))).x()
        left = inside + 3 + metrics.horizontalAdvance(text[: self._problem.start])
        width = max(
            metrics.horizontalAdvance(text[self._problem.start : self._problem.end]), metrics.averageCharWidth()
        )
        return min(left, self.width() - 24), min(width, max(12, self.width() - left))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the mark and the sentence, which begins under it where it fits."""
        painter = QPainter(self)
        left, width = self.marked()
        if isolated(self._field.text()) == self._field.text():
            # In text with both directions, the position on screen differs from a count of characters from the left.
            painter.fillRect(left, 1, width, 3, qcolor("warn"))
        painter.setPen(qcolor("warn"))
        needed = QFontMetrics(self.font()).horizontalAdvance(self.message) + 4
        x = max(2, min(left, self.width() - needed))
        painter.drawText(x, 6, self.width() - x, self.height() - 6, Qt.AlignmentFlag.AlignLeft, self.message)
        painter.end()


class QueryBar(QWidget):
    """The query with its switches and menus, and below them how it was read."""

    def __init__(self, presenter: SearchPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
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
        self.history = HistoryButton(self._presenter)
        self.build = QToolButton()
        self.build.setCheckable(True)
        self.build.setIcon(icon("builder"))
        keep_icon_size(self.build, 16)
        self.build.setAccessibleName(tr("Query builder"))
        self.choice = MatchChoice(self._presenter.query)
        self.frame = QueryFrame(self.field, self.choice, (self.history, self.build))
        self.problem = ProblemLine(self.field)
        self.builder = ClauseBuilder()
        self.builder.hide()
        self.distance = named(
            NumberBox(
                minimum=0, maximum=MAX_DISTANCE, value=USUAL_DISTANCE, prefix=tr("within "), suffix=tr(" tokens")
            ),
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
        self._stale = Dimmer(self.read_as, parent=self)

    def _connect(self) -> None:
        presenter, query = self._presenter, self._presenter.query
        self.field.textChanged.connect(presenter.typed)
        self.field.returnPressed.connect(presenter.enter)
        self.distance.valueChanged.connect(query.choose_distance)
        self.build.toggled.connect(query.build)
        self.builder.changed.connect(self.field.setText)
        self.node.currentIndexChanged.connect(query.choose_center)

    def show_keys(self, key: Callable[[str], str]) -> None:
        """Tell the shortcuts of the buttons; `key` has that of a command by its name, "" for none."""
        texts = (tr("Recent and pinned queries"), tr("Build a query from clauses with AND, OR and NOT"))
        for button, text, name in zip((self.history, self.build), texts, ("history", "builder"), strict=True):
            button.setToolTip(with_key(text, key(name)))
        self.choice.show_keys(key("whole_words"), key("ignore_case"), key("match"))

    def draw(self, state: QueryState, before: QueryState | None) -> None:
        """Show a query and how it was read.

        Parameters
        ----------
        state
            The state.
        before
            The one that was drawn before; None for the first.
        """
        # Setting an equal text would move the cursor and empty the list of edits that can be undone.
        if self.field.text() != state.text:
            self.field.setText(state.text)
        self.choice.draw(state)
        self._draw_builder(state, before)
        self.problem.show_problem(state.problem)
        self.distance.setValue(state.distance)
        self.distance.setVisible(state.has_distance)
        self.lens.setVisible(state.has_distance)
        if before is None or state.centers != before.centers:
            with QSignalBlocker(self.node):
                self.node.clear()
                self.node.addItems(list(state.centers))
        with QSignalBlocker(self.node):
            self.node.setCurrentIndex(state.node if state.centers else -1)
        self.node.setVisible(bool(state.centers))
        self.read_as.setText(state.read_as)
        self.read_as.setToolTip(state.read_as_full)
        self.read_as.setVisible(bool(state.read_as))
        self._stale.set_stale(state.answer.dimmed, at_once=not state.answer.awaited)

    def _draw_builder(self, state: QueryState, before: QueryState | None) -> None:
        self.builder.match = state.match
        self.build.setChecked(state.building)
        self.builder.setVisible(state.building)
        changed = before is None or (state.text, state.building) != (before.text, before.building)
        # What is typed in the builder comes back as the text of the query: parsing it would take the phrase away
        # that is being typed.
        if state.building and changed and not self.builder.has_focus_inside():
            self.builder.show_query(state.text)

"""The query builder: conditions, how near they must be to each other, and how phrases are read."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from explorer.analyses.search.find import MAX_DISTANCE
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.query.builder_presenter import BuilderPresenter, BuilderState
from explorer.gui.screens.search.query.match_choice import MATCH_NAMES
from explorer.gui.screens.search.query.state import USUAL_DISTANCE, QueryState
from explorer.gui.style.surfaces import keep_least, keep_monospace
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import icon_button, push_button
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.painting import ring, rounded
from explorer.i18n import tr

_WIDE_EMS, _RADIUS = 48, 6
_MATCHES = tuple(MATCH_NAMES)


class _Phrase(QFrame):
    """One phrase, which can be edited and removed."""

    edited = Signal(str)
    removed = Signal()

    def __init__(self, removable: bool) -> None:
        super().__init__()
        self.setProperty("role", "chip")
        self.edit = named(QLineEdit(placeholderText=tr("word or phrase")), tr("Phrase"))
        self.edit.setFrame(False)
        keep_least(self.edit, wide=7)
        # Only what a person types: `textChanged` would also report what is shown.
        self.edit.textEdited.connect(self.edited)
        self.remove = icon_button("close", tr("Remove this phrase"))
        self.remove.clicked.connect(self.removed)
        # Never shown here: a button without a parent would be a window.
        if not removable:
            self.remove.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(em(0.3), 0, em(0.1), 0)
        layout.setSpacing(0)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.remove)
        # The frame is that of a field, but Qt tells only the field in it of its focus.
        self.edit.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw the ring when the field gets or loses the focus.

        Returns: Whether the event ends here, which it never does.
        """
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame of a field, with the focus ring."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        rounded(painter, area, _RADIUS, "surface", "line_strong")
        if self.edit.hasFocus():
            ring(painter, area, _RADIUS)
        painter.end()


class _Row(QWidget):
    """A condition: what it is, its phrases with "or" between them, and buttons that add and remove."""

    def __init__(self, presenter: BuilderPresenter, number: int, excluded: bool, phrases: int) -> None:
        super().__init__()
        self.phrases: list[_Phrase] = []
        self.kind = named(QComboBox(), tr("Condition"))
        self.kind.addItems([tr("Find") if number == 0 else tr("And"), tr("And not")])
        self.kind.setCurrentIndex(int(excluded))
        self.kind.activated.connect(lambda kind: presenter.exclude(number, bool(kind)))
        self.more = push_button(tr("or …"), "quiet")
        self.more.setToolTip(tr("Add an alternative phrase"))
        self.more.clicked.connect(lambda: presenter.add_phrase(number))
        # Each phrase that is excluded is a condition of its own.
        if excluded:
            self.more.hide()
        self.remove = icon_button("close", tr("Remove this condition"))
        self.remove.clicked.connect(lambda: presenter.remove(number))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.kind)
        for place in range(phrases):
            if place:
                layout.addWidget(label(tr("or"), "muted"))
            phrase = _Phrase(phrases > 1)
            phrase.edited.connect(lambda text, place=place: presenter.edit(number, place, text))
            phrase.removed.connect(lambda place=place: presenter.remove_phrase(number, place))
            self.phrases.append(phrase)
            layout.addWidget(phrase, 1)
        layout.addWidget(self.more)
        layout.addWidget(self.remove)


class ClauseBuilder(QWidget):
    """The rows of the conditions; they are made again when their number changes."""

    def __init__(self, presenter: BuilderPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._shape: tuple[tuple[bool, int], ...] = ()
        self.rows: list[_Row] = []
        self.note = label("", "muted")
        self.note.setWordWrap(True)
        self.add = push_button(tr("Add condition"), "quiet", "plus")
        self.add.clicked.connect(presenter.add)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.note)
        self._layout.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self.draw(presenter.state)

    def sizeHint(self) -> QSize:
        """Wide enough for two phrases; in a narrow window it gets less."""
        hint = super().sizeHint()
        return QSize(max(hint.width(), em(_WIDE_EMS)), hint.height())

    def draw(self, state: BuilderState) -> None:
        """Show the conditions."""
        self.note.setText(state.note)
        self.note.setVisible(bool(state.note))
        if state.shape != self._shape:
            self._make_rows(state)
        for row, condition in zip(self.rows, state.conditions, strict=True):
            row.kind.setCurrentIndex(int(condition.excluded))
            for phrase, text in zip(row.phrases, condition.phrases, strict=True):
                # Setting an equal text would move the cursor.
                if phrase.edit.text() != text:
                    phrase.edit.setText(text)

    def _make_rows(self, state: BuilderState) -> None:
        grown = (
            bool(self._shape) and self.isVisible() and sum(n for _, n in state.shape) > sum(n for _, n in self._shape)
        )
        self._shape = state.shape
        for row in self.rows:
            self._layout.removeWidget(row)
            # Deleted in a later turn of the event loop; until then, it must not be seen.
            row.hide()
            row.deleteLater()
        self.rows = [_Row(self._presenter, n, excluded, size) for n, (excluded, size) in enumerate(state.shape)]
        for number, row in enumerate(self.rows):
            self._layout.insertWidget(1 + number, row)
        if grown:
            empty = [phrase.edit for row in self.rows for phrase in row.phrases]
            texts = [text for condition in state.conditions for text in condition.phrases]
            # The last one that is empty is the one that was just added.
            added = [edit for edit, text in zip(empty, texts, strict=True) if not text]
            (added or empty)[-1].setFocus()


class BuilderPopover(Popover):
    """The builder below the query field, with all that a query of several conditions depends on."""

    def __init__(self, presenter: SearchPresenter, anchor: QWidget) -> None:
        super().__init__(anchor, tr("Query builder"))
        self._presenter = presenter
        self.builder = ClauseBuilder(presenter.builder)
        self.distance = named(
            NumberBox(minimum=0, maximum=MAX_DISTANCE, value=USUAL_DISTANCE, suffix=tr(" tokens")),
            tr("Maximum distance"),
        )
        self.node = named(QComboBox(), tr("Center on"))
        keep_least(self.node, wide=16)
        self.match = Segments([tr(name) for name in MATCH_NAMES.values()], tr("Match"))
        self.echo = label("", "code")
        keep_monospace(self.echo)
        self.echo.setWordWrap(True)
        self.help = help_button("search", tr("Query builder"), anchor)
        self.clear = push_button(tr("Clear"))
        self.show_lines = push_button(tr("Show lines"), "primary")
        self._lay_out()
        query = presenter.query
        self.distance.valueChanged.connect(query.choose_distance)
        self.node.activated.connect(query.choose_center)
        self.match.chosen.connect(lambda number: query.choose(match=_MATCHES[number]))
        self.clear.clicked.connect(presenter.builder.clear)
        self.show_lines.clicked.connect(self._finish)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(em(0.8))
        grid.setColumnStretch(1, 1)
        rows = (
            (tr("Within"), self.distance, tr("of each other, never across documents")),
            (tr("Center on"), self.node, tr("the others are underlined")),
            (tr("Match"), self.match, ""),
        )
        for number, (name, widget, explanation) in enumerate(rows):
            grid.addWidget(label(name), number, 0)
            # Each explanation follows its own control: in a column of their own, they would be far from short ones.
            row = QHBoxLayout()
            row.setSpacing(em(0.8))
            row.addWidget(widget)
            row.addWidget(label(explanation, "muted"), 1)
            grid.addLayout(row, number, 1)
        # Below what scrolls: in a low window, they are what the conditions are for.
        self.foot.addWidget(self.echo, 1)
        self.foot.addWidget(self.clear)
        self.foot.addWidget(self.show_lines)
        self.head.addWidget(self.help)
        self.body.addWidget(self.builder)
        self.body.addLayout(grid)

    def open(self) -> None:
        """Open it with the cursor in the first phrase."""
        super().open()
        # Rows that were never shown have no sizes before.
        self.fit()
        self.builder.rows[0].phrases[0].edit.setFocus()

    def _finish(self) -> None:
        self.close()
        self._presenter.enter()

    def draw(self, state: QueryState, builder: BuilderState) -> None:
        """Show the conditions and what they depend on."""
        shape = [row.sizeHint().height() for row in self.builder.rows]
        self.builder.draw(builder)
        self.distance.setValue(state.distance)
        # Clauses are known after the first answer.
        names = list(state.centers) or [tr("First condition")]
        with QSignalBlocker(self.node):
            if names != [self.node.itemText(row) for row in range(self.node.count())]:
                self.node.clear()
                self.node.addItems(names)
            self.node.setCurrentIndex(state.node if state.centers else 0)
        self.node.setEnabled(bool(state.centers))
        self.match.choose(_MATCHES.index(state.match))
        for match in ("text", "regex"):
            offer(self.match.button(_MATCHES.index(match)), state.why_no_text)
        self.echo.setText(state.read_as_full or builder.query)
        self.show_lines.setEnabled(bool(builder.query))
        if self.isVisible() and shape != [row.sizeHint().height() for row in self.builder.rows]:
            self.fit()

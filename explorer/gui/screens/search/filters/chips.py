"""Conditions on lines: chips that show and remove them, and the form that makes one."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from explorer.analyses.metadata.values import OPERATORS
from explorer.analyses.search.arrange import Filter
from explorer.analyses.search.find import MAX_DISTANCE
from explorer.gui.help.topics import help_button
from explorer.gui.screens.screen import label, named, offer
from explorer.gui.screens.search.filters.presenter import BETWEEN, USUAL_DISTANCE, FiltersPresenter, FiltersState
from explorer.gui.style.direction import isolated
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.text_positions import short_text
from explorer.gui.style.theme import em
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.chip import Chip
from explorer.gui.widgets.fields.number_box import NumberBox
from explorer.gui.widgets.fields.popover import Popover
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.fields.value_field import ValueField
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.gui.widgets.layouts.later import LaterPopover
from explorer.i18n import tr, trn

_GAP = 6


def describe(condition: Filter) -> str:
    """A condition on one short line."""
    return short_text(str(condition))


def condition_chip(condition: Filter, presenter: FiltersPresenter) -> Chip:
    """Make a chip that shows a condition and removes it."""
    chip = Chip(isolated(describe(condition)), "filter", removable=True)
    chip.set_hint(tr("Only lines where {condition}", condition=isolated(str(condition))))
    chip.removed.connect(lambda: presenter.remove(condition))
    return chip


class FilterForm(Popover):
    """Makes a condition: on a field of the documents, or on words near the match."""

    def __init__(self, presenter: FiltersPresenter, anchor: QWidget) -> None:
        super().__init__(anchor, tr("Filter lines"))
        self.head.addWidget(help_button("search#lines", tr("Filter lines"), anchor))
        self._presenter = presenter
        self.kind = Segments([tr("Metadata"), tr("Words near the match")], tr("Filter by"))
        self.field = named(QComboBox(), tr("Field"))
        self.operator = named(QComboBox(), tr("Operator"))
        for sign, words in OPERATORS.items():
            self.operator.addItem(tr(words), sign)
        self.operator.addItem(tr("is between"), BETWEEN)
        self.value = named(ValueField(), tr("Value"))
        self.upper = named(QLineEdit(placeholderText=tr("and at most")), tr("Largest value"))
        self.none = label("", "muted")
        self.wanted = Segments([tr("With"), tr("Without")], tr("Include or exclude"))
        self.words = named(QLineEdit(placeholderText=tr("word or phrase")), tr("Words near the match"))
        self.distance = named(
            NumberBox(minimum=0, maximum=MAX_DISTANCE, value=USUAL_DISTANCE, suffix=tr(" tokens")), tr("Within")
        )
        self.missing = label("", "error")
        self.add = push_button(tr("Add filter"), "primary")
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.by_field, self.by_words = QWidget(), QWidget()
        for box in (self.field, self.value, self.words):
            keep_least(box, wide=18)
        for holder, rows in (
            (
                self.by_field,
                (
                    (tr("Field"), self.field),
                    (tr("Operator"), self.operator),
                    (tr("Value"), self.value),
                    ("", self.upper),
                    ("", self.none),
                ),
            ),
            (self.by_words, ((tr("Lines"), self.wanted), (tr("Words"), self.words), (tr("Within"), self.distance))),
        ):
            form = QFormLayout(holder)
            form.setContentsMargins(0, 0, 0, 0)
            for name, widget in rows:
                form.addRow(name, widget)
        forms = QVBoxLayout()
        for part in (self.by_field, self.by_words):
            forms.addWidget(part)
        # Beside the fields, not below: the list of values opens there, and would cover the button.
        row = QHBoxLayout()
        row.addLayout(forms, 1)
        row.addWidget(self.add, 0, Qt.AlignmentFlag.AlignBottom)
        self.body.addWidget(self.kind)
        self.body.addLayout(row)
        self.body.addWidget(self.missing)

    def _connect(self) -> None:
        presenter = self._presenter
        self.kind.chosen.connect(lambda number: presenter.draft(by_words=bool(number)))
        self.field.activated.connect(lambda _: presenter.draft(field=self.field.currentText()))
        self.operator.activated.connect(lambda _: presenter.draft(operator=self.operator.currentData()))
        self.value.chosen.connect(lambda text, picked: presenter.draft(value=text, picked=picked))
        self.value.returnPressed.connect(self._entered)
        self.upper.textEdited.connect(lambda text: presenter.draft(upper=text))
        self.upper.returnPressed.connect(self.confirm)
        self.wanted.chosen.connect(lambda number: presenter.draft(wanted=not number))
        self.words.textEdited.connect(lambda text: presenter.draft(words=text))
        self.words.returnPressed.connect(self.confirm)
        self.distance.valueChanged.connect(lambda number: presenter.draft(distance=number))
        self.add.clicked.connect(self.confirm)

    def ask(self) -> None:
        """Begin a new condition and open the form."""
        self._presenter.begin()
        self.open()

    def _entered(self) -> None:
        """Enter: the text in the field counts, also while the list is open, unless a value is chosen in the list."""
        if not self.value.choosing():
            self.value.close_list()
            self.confirm()

    def confirm(self) -> None:
        """Add the condition and close; if something is missing, show what."""
        if self._presenter.confirm():
            self.close()

    def draw(self, state: FiltersState, before: FiltersState | None) -> None:
        """Show the condition that is being made.

        before: The one that was drawn before; None for the first.
        """
        draft = state.draft
        self.kind.choose(int(draft.by_words))
        offer(self.kind.button(0), state.why_no_fields)
        between = draft.operator == BETWEEN
        shown = (self.by_words.isVisibleTo(self), self.upper.isVisibleTo(self), self.none.isVisibleTo(self))
        self.upper.setVisible(between)
        self.none.setText(state.without_value)
        self.none.setVisible(bool(state.without_value))
        self.missing.setVisible(bool(draft.missing))
        self.by_field.setVisible(not draft.by_words)
        self.by_words.setVisible(draft.by_words)
        with QSignalBlocker(self.field):
            if before is None or state.fields != before.fields:
                self.field.clear()
                self.field.addItems(list(state.fields))
            self.field.setCurrentIndex(self.field.findText(draft.field))
        self.operator.setCurrentIndex(self.operator.findData(draft.operator))
        for edit, text in ((self.value, draft.value), (self.upper, draft.upper), (self.words, draft.words)):
            # Setting an equal text would move the cursor.
            if edit.text() != text:
                edit.setText(text)
        with QSignalBlocker(self.distance):
            self.distance.setValue(draft.distance)
        self.wanted.choose(int(not draft.wanted))
        self.missing.setText(draft.missing)
        # Only when they arrive: filling the list again would open it, and lose the row that is selected in it.
        if before is None or state.values is not before.values:
            self.value.show_values(state.values.current)
        if self.isVisible() and shown != (draft.by_words, between, bool(state.without_value)):
            self.fit()


class FilterChips(QWidget):
    """The conditions that have room, the number of the others, and what adds one, on one line."""

    more_wanted = Signal()

    def __init__(self, presenter: FiltersPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._filters: tuple[Filter, ...] = ()
        self._chips: list[Chip] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.more = Chip("", "filter")
        self.more.setToolTip(tr("Show all filters"))
        self.add = Chip(tr("Filter"), "add")
        self.add.setAccessibleName(tr("Add filter"))
        self.add.set_hint(tr("Filter lines by document metadata or by words near the match"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self._row.addWidget(self.more)
        self._row.addWidget(self.add)
        self._form = LaterPopover(self._make_form, self.add)
        self._all = Popover(self.more, tr("Filters"))
        self._listed = QWidget()
        self._list = FlowLayout(self._listed, 6)
        self._all.body.addWidget(self._listed)
        self.more.clicked.connect(self._open_all)
        self.more.hide()
        self.add.clicked.connect(self._ask)

    def _make_form(self) -> FilterForm:
        made = FilterForm(self._presenter, self.add)
        made.draw(self._presenter.state, None)
        return made

    def _ask(self) -> None:
        self.form.ask()

    @property
    def form(self) -> FilterForm:
        """What adds a condition."""
        return self._form.popover

    def draw(self, state: FiltersState, before: FiltersState | None) -> None:
        """Show the conditions.

        before: The one that was drawn before; None for the first.
        """
        if before is None or state.filters is not before.filters:
            self._show_filters(state.filters)
        if self._form.made is not None:
            self._form.made.draw(state, before)

    def _show_filters(self, filters: tuple[Filter, ...]) -> None:
        self._filters = filters
        # It lists chips of conditions that may be gone.
        self._all.close()
        for chip in self._chips:
            self._row.removeWidget(chip)
            # Deleted in a later turn of the event loop; until then, it must not be seen.
            chip.hide()
            chip.deleteLater()
        self._chips = [condition_chip(condition, self._presenter) for condition in filters]
        for number, chip in enumerate(self._chips):
            self._row.insertWidget(number, chip)

    def use_room(self, pixels: int) -> int:
        """Show as many conditions as fit; returns the width that they need then, in pixels."""
        # From the sizes that chips want: those they have follow from this.
        needed = self.add.sizeHint().width()
        fitting = 0
        for number, chip in enumerate(self._chips):
            # A chip may take the room of the number of others only if none is left to be counted.
            rest = len(self._chips) - number - 1
            needed += chip.sizeHint().width() + _GAP
            more = 0 if not rest else self._width_of_more(rest) + _GAP
            if needed + more > pixels:
                needed -= chip.sizeHint().width() + _GAP
                break
            fitting += 1
        rest = len(self._chips) - fitting
        for number, chip in enumerate(self._chips):
            chip.setVisible(number < fitting)
        self.more.setVisible(bool(rest))
        if rest:
            needed += self._width_of_more(rest) + _GAP
        self.more.set_words(self._more_text(rest))
        return needed

    def _more_text(self, rest: int) -> str:
        if rest == len(self._chips):
            return trn("{n:,} filter", "{n:,} filters", rest)
        return tr("+ {n:,}", n=rest)

    def _width_of_more(self, rest: int) -> int:
        self.more.set_words(self._more_text(rest))
        return self.more.sizeHint().width()

    def _open_all(self) -> None:
        while (item := self._list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for condition in self._filters:
            self._list.addWidget(condition_chip(condition, self._presenter))
        self._listed.setMinimumWidth(em(24))
        self._all.open()

"""Conditions on lines: a dialog that makes one, and chips that show and remove them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Corpus
from explorer.gui.dialog import Dialog, without_icons
from explorer.gui.direction import isolated
from explorer.gui.runner import Runner
from explorer.gui.screen import Notice, named
from explorer.gui.screens.search.value_field import ValueField
from explorer.gui.screens.search.work import count_field
from explorer.gui.text_positions import short_text
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import tr
from explorer.search.arrange import Filter
from explorer.search.concordance import Concordance
from explorer.search.facets import Facet
from explorer.search.find import MAX_DISTANCE, QueryOptions, near_filter
from explorer.search.values import OPERATORS, FieldFilter


def describe(condition: Filter) -> str:
    """A condition on one short line."""
    return short_text(str(condition))


class FilterChips(QWidget):
    """One button per condition; a click removes it. `removed(Filter)`."""

    removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = FlowLayout(self)
        self.hide()

    def show_filters(self, filters: tuple[Filter, ...]) -> None:
        """Show these conditions."""
        while (item := self._layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for condition in filters:
            button = QPushButton(caption(f"{isolated(describe(condition))}   ×"))
            button.setProperty("role", "chip")
            shown = isolated(str(condition))
            button.setToolTip(tip(tr("Only lines where {condition}. Click to remove this filter.", condition=shown)))
            button.clicked.connect(lambda _=False, gone=condition: self.removed.emit(gone))
            self._layout.addWidget(button)
        self.setVisible(bool(filters))


class FilterDialog(Dialog):
    """A dialog that makes a condition. `values_wanted(str)`: show the values of this field, with `show_values`.

    `chosen(FieldFilter)`; `near_chosen(text, distance, wanted)`, which has to be looked up first.
    """

    values_wanted = Signal(str)
    chosen = Signal(object)
    near_chosen = Signal(str, int, bool)

    def __init__(self, fields: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Filter lines"))
        self.setMinimumWidth(460)
        self.by_field = QRadioButton(tr("By document metadata"))
        self.by_words = QRadioButton(tr("By words near the match"))
        kinds = QButtonGroup(self)
        kinds.addButton(self.by_field)
        kinds.addButton(self.by_words)
        self.field = named(QComboBox(), tr("Field"))
        self.field.addItems(list(fields))
        self.operator = named(QComboBox(), tr("Operator"))
        for sign, words in OPERATORS.items():
            self.operator.addItem(tr(words), sign)
        self.value = named(ValueField(), tr("Value"))
        self.value.returnPressed.connect(self._entered)
        for box in (self.field, self.value):
            box.setMinimumWidth(280)
        self.wanted = named(QComboBox(), tr("Include or exclude"))
        self.wanted.addItem(tr("with"), True)
        self.wanted.addItem(tr("without"), False)
        self.words = QLineEdit(placeholderText=tr("word or phrase"))
        self.words.setAccessibleName(tr("Words near the match"))
        self.distance = named(NumberBox(minimum=0, maximum=MAX_DISTANCE, value=10, suffix=tr(" tokens")), tr("Within"))
        self._facet: Facet | None = None
        self.notice = Notice()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Add filter"))
        without_icons(self.buttons)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for button in (self.by_field, self.by_words):
            button.toggled.connect(self._enable)
        (self.by_field if fields else self.by_words).setChecked(True)
        self.by_field.setEnabled(bool(fields))
        self.field.currentTextChanged.connect(self._field_changed)

    def _lay_out(self) -> None:
        fields, words = QFormLayout(), QFormLayout()
        fields.addRow(tr("Field"), self.field)
        fields.addRow(tr("Operator"), self.operator)
        fields.addRow(tr("Value"), self.value)
        words.addRow(tr("Lines"), self.wanted)
        words.addRow(tr("Words"), self.words)
        words.addRow(tr("Within"), self.distance)
        for form in (fields, words):
            form.setContentsMargins(26, 0, 0, 8)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        layout = QVBoxLayout(self)
        layout.addWidget(self.by_field)
        layout.addLayout(fields)
        layout.addWidget(self.by_words)
        layout.addLayout(words)
        layout.addWidget(self.notice)
        layout.addWidget(self.buttons)

    def _enable(self) -> None:
        by_field: tuple[QWidget, ...] = (self.field, self.operator, self.value)
        by_words: tuple[QWidget, ...] = (self.wanted, self.words, self.distance)
        for widget in by_field:
            widget.setEnabled(self.by_field.isChecked())
        for widget in by_words:
            widget.setEnabled(self.by_words.isChecked())

    def _field_changed(self, field: str) -> None:
        self.value.clear()
        self.value.show_values(None)
        self.values_wanted.emit(field)

    def _entered(self) -> None:
        """Enter while the list of values is open: the text in the field counts, and the list closes."""
        if self.value.close_list():
            self._accept()

    def ask(self) -> None:
        """Show the dialog, and ask for the first field's values."""
        self.open()
        if self.field.currentText():
            self.values_wanted.emit(self.field.currentText())

    def show_values(self, found: Facet) -> None:
        """Offer the values of a field, each with its number of lines."""
        if found.field == self.field.currentText():
            self._facet = found
            self.value.show_values(found)

    def _accept(self) -> None:
        if self.by_words.isChecked():
            if not self.words.text().strip():
                self.notice.show_text(tr("Type the words to look for near the match."))
                return
            self.near_chosen.emit(self.words.text(), self.distance.value(), bool(self.wanted.currentData()))
        else:
            self.chosen.emit(self._condition())
        self.accept()

    def _condition(self) -> FieldFilter:
        """The condition as it was typed; a value picked from the list, compared by "is", means only this value."""
        operator, bar = self.operator.currentData(), self.value.picked()
        if operator == "=" and bar is not None and self._facet is not None:
            return self._facet.condition(bar)
        return FieldFilter(self.field.currentText(), operator, self.value.text())


class FilterControl(QObject):
    """The button, the chips and the dialog of the filters of some lines. `changed()`: other filters."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, runner: Runner, parent: QWidget) -> None:
        super().__init__(parent)
        self._runner = runner
        self._window = parent
        self._dialog: FilterDialog | None = None
        self._corpus: Corpus | None = None
        self._lines: Concordance | None = None
        self._options = QueryOptions()
        self.filters: tuple[Filter, ...] = ()
        self.button = QPushButton(tr("Filter …"))
        self.button.setToolTip(tr("Filter lines by document metadata or by words near the match"))
        self.chips = FilterChips()
        self.button.clicked.connect(self.ask)
        self.chips.removed.connect(self.remove)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Use another index, without filters."""
        self._corpus, self._lines, self.filters = corpus, None, ()
        self.chips.show_filters(())

    def set_lines(self, lines: Concordance | None) -> None:
        """The lines whose values are offered."""
        self._lines = lines

    def set_options(self, options: QueryOptions) -> None:
        """Match nearby words as the query is matched; existing conditions are looked up again."""
        alike = (options.match, options.ignore_case, options.whole_words, options.variants)
        known = (self._options.match, self._options.ignore_case, self._options.whole_words, self._options.variants)
        self._options = options
        if alike != known and any(not isinstance(condition, FieldFilter) for condition in self.filters):
            self.restore(self.filters)

    def set(self, filters: tuple[Filter, ...]) -> None:
        """Keep the lines that meet these conditions."""
        self.filters = filters
        self.chips.show_filters(filters)
        self.changed.emit()

    def restore(self, filters: tuple[Filter, ...]) -> None:
        """Restore the conditions of an earlier query; words near the match are looked up again in this index."""
        self.set(tuple(known for known in filters if isinstance(known, FieldFilter)))
        near = [(known.text, known.distance, known.wanted) for known in filters if not isinstance(known, FieldFilter)]
        self._look_up(near)

    def add(self, condition: Filter) -> None:
        """Add a condition."""
        if not self._has(condition):
            self.set((*self.filters, condition))

    def _has(self, condition: Filter) -> bool:
        return any(_alike(known, condition) for known in self.filters)

    def remove(self, condition: Filter) -> None:
        """Remove a condition."""
        self.set(tuple(known for known in self.filters if not _alike(known, condition)))

    def ask(self) -> FilterDialog:
        """Show the dialog that makes a condition."""
        dialog = FilterDialog(self._corpus.metadata_fields if self._corpus else (), self._window)
        dialog.chosen.connect(self.add)
        dialog.near_chosen.connect(self.add_near)
        dialog.values_wanted.connect(self._offer_values)
        dialog.finished.connect(self._forget)
        self._dialog = dialog
        dialog.ask()
        return dialog

    def _forget(self) -> None:
        self._dialog = None

    def _offer_values(self, field: str) -> None:
        corpus, lines = self._corpus, self._lines
        if corpus is None or lines is None:
            return
        report = self._runner.reporter()
        self._runner.run(
            lambda cancel: count_field(corpus, lines, field, report, cancel), self._show_values, self.failed.emit
        )

    def _show_values(self, found: Facet) -> None:
        if self._dialog is not None:
            self._dialog.show_values(found)

    def add_near(self, text: str, distance: int, wanted: bool) -> None:
        """Add a condition on the words near the match, which are looked up first.

        Parameters
        ----------
        text
            The words.
        distance
            The most tokens between match and words.
        wanted
            Whether they must occur; otherwise they must not.
        """
        self._look_up([(text, distance, wanted)])

    def _look_up(self, near: Sequence[tuple[str, int, bool]]) -> None:
        """Look up words near the match, and add the conditions."""
        if self._corpus is None or not near:
            return
        index, options = self._corpus.index, self._options
        self._runner.run(
            lambda cancel: tuple(near_filter(index, *condition, options) for condition in near),
            lambda found: self.set(
                (*self.filters, *(condition for condition in found if condition not in self.filters))
            ),
            self.failed.emit,
        )


def _alike(one: Filter, other: Filter) -> bool:
    """Whether two conditions are the same; the n-grams that were looked up for them are not compared."""
    if isinstance(one, FieldFilter) or isinstance(other, FieldFilter):
        return one == other
    return (one.text, one.distance, one.wanted) == (other.text, other.distance, other.wanted)

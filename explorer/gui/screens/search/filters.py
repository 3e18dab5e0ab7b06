"""Conditions on lines: a dialog that makes one, and chips that show and remove them."""

from __future__ import annotations

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

from explorer.gui.dialog import Dialog, without_icons
from explorer.gui.direction import isolated
from explorer.gui.screen import Notice, named
from explorer.gui.screens.search.filters_presenter import FiltersPresenter, FiltersState
from explorer.gui.screens.search.value_field import ValueField
from explorer.gui.text_positions import short_text
from explorer.gui.untrusted import caption, tip
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.i18n import tr
from explorer.search.arrange import Filter
from explorer.search.facets import Facet
from explorer.search.find import MAX_DISTANCE
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
                # Deleted in a later turn of the event loop; until then, it must not be seen.
                widget.hide()
                widget.deleteLater()
        for condition in filters:
            button = QPushButton(caption(f"{isolated(describe(condition))}   ×"))
            button.setProperty("role", "chip")
            shown = isolated(str(condition))
            button.setToolTip(tip(tr("Only lines where {condition}. Click to remove this filter.", condition=shown)))
            # Bound here: `condition` is the last of them when a button is clicked.
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
        self.buttons.accepted.connect(self.add)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for button in (self.by_field, self.by_words):
            button.toggled.connect(self._enable)
        # Without metadata, there is no field to choose.
        (self.by_field if fields else self.by_words).setChecked(True)
        self.by_field.setEnabled(bool(fields))
        # After the box was filled, which is not a choice.
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
        # The values of the field before must not be offered for this one.
        self.value.show_values(None)
        self.values_wanted.emit(field)

    def _entered(self) -> None:
        """Enter while the list of values is open: the text in the field counts, and the list closes."""
        if self.value.close_list():
            self.add()

    def ask(self) -> None:
        """Show the dialog, and ask for the first field's values."""
        self.open()
        if self.field.currentText():
            self.values_wanted.emit(self.field.currentText())

    def show_values(self, found: Facet) -> None:
        """Offer the values of a field, each with its number of lines."""
        # Another field may have been chosen before the answer came.
        if found.field == self.field.currentText():
            self._facet = found
            self.value.show_values(found)

    def add(self) -> None:
        """Add the condition and close the dialog; without words to look for, show what is missing."""
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
    """The button, the chips and the dialog of the conditions on the lines."""

    def __init__(self, presenter: FiltersPresenter, parent: QWidget) -> None:
        super().__init__(parent)
        self._presenter, self._window = presenter, parent
        self.dialog: FilterDialog | None = None
        self.button = QPushButton(tr("Filter …"))
        self.button.setToolTip(tr("Filter lines by document metadata or by words near the match"))
        self.chips = FilterChips()
        self.button.clicked.connect(self.ask)
        self.chips.removed.connect(presenter.remove)

    def draw(self, state: FiltersState, before: FiltersState | None) -> None:
        """Show the conditions, and in the dialog the values to choose.

        Parameters
        ----------
        state
            The state.
        before
            The one that was drawn before; None for the first.
        """
        if before is None or state.filters is not before.filters:
            self.chips.show_filters(state.filters)
        # Only when they arrive: filling the list again would open it, and lose the row that is selected in it.
        arrived = before is None or state.values is not before.values
        if arrived and self.dialog is not None and state.values.current is not None:
            self.dialog.show_values(state.values.current)

    def ask(self) -> FilterDialog:
        """Show the dialog that makes a condition."""
        presenter = self._presenter
        dialog = FilterDialog(presenter.state.fields, self._window)
        dialog.chosen.connect(presenter.add)
        dialog.near_chosen.connect(presenter.add_near)
        dialog.values_wanted.connect(presenter.offer_values)
        dialog.finished.connect(self._forget)
        self.dialog = dialog
        dialog.ask()
        return dialog

    def _forget(self) -> None:
        self.dialog = None

"""How texts are read: the field that is the text, the character set, and the fields that are kept as metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QFormLayout, QVBoxLayout, QWidget

from explorer.gui.presenting.cells import Cell
from explorer.gui.screens.screen import label, named
from explorer.gui.screens.index.build.state import ENCODINGS
from explorer.gui.style.surfaces import keep_least
from explorer.gui.style.text_positions import cell_text
from explorer.gui.widgets.tables.plain_table import PlainModel, PlainTable
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.building.sources.recognized import SeenField
    from explorer.gui.screens.index.build.presenter import BuildPresenter
    from explorer.gui.screens.index.build.state import BuildState


class FieldChoice(QWidget):
    """Draws the presenter's state."""

    def __init__(self, presenter: BuildPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = presenter
        self.text_field = named(QComboBox(editable=True), tr("Text field"))
        # A name that is typed is an entry of the form, not one more field of the sources.
        self.text_field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.text_field.setToolTip(tr("The field or column that contains the text; a path such as a.b[0] also works"))
        self.encoding = named(QComboBox(), tr("Character set"))
        self.encoding.addItem(tr("Detected"), "")
        for name, title in ENCODINGS:
            self.encoding.addItem(tr(title), name)
        self.encoding.setToolTip(
            tr("How to read texts that are not in UTF-8 or UTF-16 and declare no character set; the preview follows")
        )
        # A long name of a choice must not make the page wider.
        for box in (self.text_field, self.encoding):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        self.hint = label("", "small")
        self.hint.setWordWrap(True)
        self.model = PlainModel(self)
        self.table = PlainTable(self.model, tr("Metadata"), wide=(1,))
        keep_least(self.table, high=10)
        form = self._form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.addRow(tr("Text field"), self.text_field)
        form.addRow(tr("Character set"), self.encoding)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(self.hint)
        self._metadata = label(tr("Kept as metadata"), "muted")
        column.addWidget(self._metadata)
        column.addWidget(self.table)
        self.text_field.editTextChanged.connect(self._enter)
        self.encoding.currentIndexChanged.connect(
            lambda number: presenter.enter(encoding=self.encoding.itemData(number))
        )

    def _enter(self, name: str) -> None:
        # The proposed name is not an entry: it may change with the sources.
        if name != self.presenter.state.text_field:
            self.presenter.enter(text_field=name.strip())

    def choose(self) -> None:
        """Let a person choose: the list opens, and what is typed replaces the name."""
        self.text_field.setFocus()
        edit = self.text_field.lineEdit()
        if edit is not None:
            edit.selectAll()
        if self.text_field.count():
            self.text_field.showPopup()

    def draw(self, state: BuildState, before: BuildState | None) -> None:
        """Show a state.

        before: The one that was drawn before; None: everything is drawn.
        """
        # What is set here is not an entry of the user.
        blocked = self.text_field.blockSignals(True)
        if before is None or state.text_fields != before.text_fields:
            self.text_field.clear()
            self.text_field.addItems(state.text_fields)
        # Who has just deleted the name wants to type another one, not to see the proposed one.
        if self.text_field.currentText() != state.text_field and not self.text_field.hasFocus():
            self.text_field.setEditText(state.text_field)
        self.text_field.blockSignals(blocked)
        has_fields = bool(state.found is not None and state.found.fields.fields)
        self._form.setRowVisible(self.text_field, has_fields)
        self._draw_encoding(state.entries.encoding)
        proposed = state.found is not None and not state.entries.text_field
        self.hint.setText(tr("Proposed from the first records.") if proposed and state.text_fields else "")
        self.hint.setVisible(bool(self.hint.text()))
        if before is None or state.metadata != before.metadata:
            self.model.show((tr("Field"), tr("Values")), tuple(map(_cells, state.metadata)))
            for part in (self._metadata, self.table):
                part.setVisible(bool(state.metadata))

    def _draw_encoding(self, encoding: str) -> None:
        # A build that is resumed may have one that is not offered here; it is listed by its own name then.
        if self.encoding.findData(encoding) < 0:
            self.encoding.addItem(encoding, encoding)
        self.encoding.setCurrentIndex(self.encoding.findData(encoding))


def _cells(found: SeenField) -> tuple[Cell, ...]:
    values = ", ".join(found.values)
    return Cell(cell_text(found.path)), Cell(cell_text(values), muted=True, tip=values)

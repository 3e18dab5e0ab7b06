"""Chooses a method and its settings: four in front, the others in a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QWidget

from explorer.analyses.model.making import METHODS
from explorer.analyses.model.method import Formula
from explorer.gui.asking.question_form import QuestionForm
from explorer.gui.screens.model.methods import IN_FRONT, OTHERS, shown_settings
from explorer.gui.widgets.fields.buttons import push_button
from explorer.gui.widgets.fields.segments import Segments
from explorer.gui.widgets.layouts.flow_layout import FlowLayout
from explorer.i18n import tr


class MethodForms:
    """A form for the settings of each method that has some; the rows of the method in force are shown."""

    def __init__(self, names: Sequence[str], change: Callable[..., None]) -> None:
        self.forms = {
            name: QuestionForm(METHODS[name], settings, change) for name in names if (settings := shown_settings(name))
        }
        # Not as forms: they would wrap by themselves, and be one below the other beside a free line.
        self.rows = {name: [form.row(each) for each in shown_settings(name)] for name, form in self.forms.items()}
        for row in self.widgets:
            # A widget that nobody has hidden is shown by its layout.
            row.hide()

    @property
    def widgets(self) -> list[QWidget]:
        """The rows of all methods, for a layout that wraps."""
        return [row for rows in self.rows.values() for row in rows]

    def draw(self, method: Formula) -> None:
        """Show the settings of a method."""
        for name, form in self.forms.items():
            for row in self.rows[name]:
                row.setVisible(name == method.name)
            if name == method.name:
                form.draw(method)


class MethodBar(QWidget):
    """`chosen(str)`: another method.

    change: Called with the name and the value of a setting that the user changed.
    """

    chosen = Signal(str)

    def __init__(self, change: Callable[..., None]) -> None:
        super().__init__()
        self._shown: Formula | None = None
        self.segments = Segments([tr(METHODS[name].title) for name in IN_FRONT], tr("Method"))
        self.more = push_button(tr("More"), "quiet", "chevron-down")
        self.more.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.more.setToolTip(tr("Choose another method"))
        self.settings = MethodForms((*IN_FRONT, *OTHERS), change)
        self._row = FlowLayout(self, gap=8)
        for widget in (self.segments, self.more, *self.settings.widgets):
            self._row.addWidget(widget)
        self.segments.chosen.connect(lambda number: self.chosen.emit(IN_FRONT[number]))
        self.more.clicked.connect(self._offer)

    def add(self, widget: QWidget) -> None:
        """Put another widget after the settings."""
        self._row.addWidget(widget)

    def _offer(self) -> None:
        menu = QMenu(self.more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in OTHERS:
            entry = menu.addAction(tr(METHODS[name].title), partial(self.chosen.emit, name))
            entry.setCheckable(True)
            entry.setChecked(self._shown is not None and self._shown.name == name)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def draw(self, method: Formula) -> None:
        """Show a method and its settings."""
        if method == self._shown:
            return
        self._shown = method
        # A method of the menu is named by its button, and no segment is in force.
        front = method.name in IN_FRONT
        self.segments.choose(IN_FRONT.index(method.name) if front else -1)
        self.more.setText(tr("More") if front else tr(method.title))
        self.settings.draw(method)


def leave_box() -> QCheckBox:
    """Make the box that leaves the texts out of the corpus."""
    box = QCheckBox(tr("Leave one out"))
    box.setToolTip(tr("For texts of the corpus: score each token as if its own occurrence were not in the corpus"))
    return box

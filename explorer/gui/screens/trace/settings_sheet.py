"""The sheet with the settings of all traces."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from explorer.gui.screen import label
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.settings_form import SettingsForm
from explorer.gui.screens.trace.state import Part, TraceState, View
from explorer.gui.surfaces import when_restyled
from explorer.gui.theme import em
from explorer.gui.topics import help_button
from explorer.gui.widgets.buttons import icon_button
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr


class SettingsSheet(QFrame):
    """Closed at first. A note names what the settings hold for on the tab that is shown.

    Parameters
    ----------
    presenter
        Whose settings they are.
    parent
        Qt's parent.
    """

    def __init__(self, presenter: TracePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.form = SettingsForm(presenter.set_up)
        self.note = label("", "muted")
        self.note.setWordWrap(True)
        self.close_button = icon_button("close", tr("Close the settings"))
        self.close_button.clicked.connect(lambda: presenter.show_part(Part.SETTINGS, False))
        head = QHBoxLayout()
        head.addWidget(label(tr("Settings of a trace"), "heading"), 1)
        head.addWidget(help_button("trace", tr("Traces")))
        head.addWidget(self.close_button)
        inside = QWidget()
        inner = QVBoxLayout(inside)
        inner.setContentsMargins(0, 0, 8, 0)
        inner.addWidget(self.note)
        inner.addWidget(self.form)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 8, 12)
        column.addLayout(head)
        column.addWidget(TallArea(inside), 1)
        self._fit()
        when_restyled(self, self._fit)
        self.hide()

    def _fit(self) -> None:
        self.setFixedWidth(em(22))

    def draw(self, state: TraceState, before: TraceState | None) -> None:
        """Show the settings, if they are to be shown; `before` is None for the first state."""
        self.setVisible(Part.SETTINGS in state.parts)
        if before is None or state.settings is not before.settings:
            self.form.show_settings(state.settings)
        notes = {
            View.TEXT: tr("Every change traces the text again."),
            View.CONVERSATION: tr("Every change traces all answers of the conversation again."),
            View.FILE: tr("A change holds for the next “Trace all”."),
        }
        self.note.setText(notes[state.view])

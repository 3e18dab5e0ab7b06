"""Trace: a pasted text, the spans that occur in the corpus, and their documents."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from explorer.errors import CorpusError
from explorer.gui.requests import Request, TraceText
from explorer.gui.screen import Host, Screen, tab_group
from explorer.gui.screens.trace.batch_view import BatchView
from explorer.gui.screens.trace.choice_state import ChoiceState
from explorer.gui.screens.trace.documents_view import DocumentsView
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import Part, TraceState, View
from explorer.gui.screens.trace.text_view import TextView
from explorer.gui.widgets.scroll_areas import TallArea
from explorer.i18n import tr


class TraceScreen(Screen):
    """A text beside its documents: choosing a span selects its cards, and vice versa. A second page traces files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = TracePresenter(self.lanes, self.requested.emit)
        self.text = TextView(self.presenter, self.lanes.slot("charts"))
        self.documents = DocumentsView(self.presenter.choice)
        self.batch = BatchView(self.presenter.batch)
        self.tabs = tab_group(self, (tr("One text"), tr("A file of answers")))
        self.settings_button = QPushButton(tr("Settings"))
        self.settings_button.setCheckable(True)
        self.pages = QStackedWidget()
        self._lay_out()
        self.tabs.idClicked.connect(lambda number: self.presenter.choose_view(View(number)))
        self.settings_button.toggled.connect(lambda on: self.presenter.show_part(Part.SETTINGS, on))
        self._draw(self.presenter.state, None)
        self._draw_choice(self.presenter.choice.state, None)
        self.presenter.watch(self._draw)
        self.presenter.choice.watch(self._draw_choice)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        splitter.addWidget(TallArea(self.text))
        splitter.addWidget(self.documents)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([620, 420])
        self.pages.addWidget(splitter)
        self.pages.addWidget(self.batch)
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 0)
        for view in View:
            row.addWidget(self.tabs.button(view))
        row.addStretch(1)
        row.addWidget(self.settings_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.pages, 1)

    def _draw(self, state: TraceState, before: TraceState | None) -> None:
        self.text.draw(state, before)
        self.tabs.button(state.view).setChecked(True)
        self.pages.setCurrentIndex(state.view)
        self.settings_button.setChecked(Part.SETTINGS in state.parts)
        self.text.notice.show_text(state.notice or self.presenter.choice.state.notice)

    def _draw_choice(self, state: ChoiceState, before: ChoiceState | None) -> None:
        self.text.draw_marks(state, before)
        self.documents.draw(state, before)
        self.text.notice.show_text(self.presenter.state.notice or state.notice)

    def use_host(self, host: Host) -> None:
        """Begin with what the settings have for new windows."""
        get = host.settings.get
        self.presenter.set_up(
            min_length=get("trace_min_length"),
            documents_per_span=get("trace_documents"),
            relevance=get("trace_relevance"),
        )

    def take(self, request: Request) -> None:
        """Trace a text that another part of the window names."""
        if isinstance(request, TraceText):
            self.presenter.trace_text(request.text, request.prompt)
        else:
            super().take(request)

    def warn(self, error: CorpusError) -> None:
        """Show what is wrong with the open index."""
        self.presenter.fail(error)

    def focus_input(self) -> None:
        """The editor."""
        self.text.editor.setFocus()

    def corpus_changed(self) -> None:
        """Trace the same text in the new index."""
        self.presenter.use_corpus(self.corpus)

    def theme_changed(self) -> None:
        """Mark again in the new colors."""
        self.text.legend.update()
        self.text.draw_marks(self.presenter.choice.state, None)

    def session(self) -> dict[str, Any]:
        """The text and its prompt."""
        return self.presenter.session()

    def restore_session(self, values: dict[str, Any]) -> None:
        """Trace the same text again."""
        self.presenter.restore(values)

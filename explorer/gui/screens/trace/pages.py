"""The pages of Trace: one text, a conversation, a file of answers, models. All but the first are made when needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QAbstractButton, QWidget

from explorer.gui.screens.trace.ask.view import AskView
from explorer.gui.screens.trace.batch.view import BatchView
from explorer.gui.screens.trace.conversation.view import ConversationView
from explorer.gui.screens.trace.presenter import TracePresenter
from explorer.gui.screens.trace.state import View
from explorer.gui.screens.trace.text.page import TextPage
from explorer.gui.screens.trace.trace_head import TraceHead
from explorer.gui.threads.runner import Runner
from explorer.gui.widgets.layouts.later import LaterPage
from explorer.gui.widgets.layouts.stack import Stack


class Pages(Stack):
    """One page per view, in the order of `View`.

    presenter: What the pages show, and what is done with it.
    charter: Makes the charts of figures.
    head: Opens files, and offers a report of what is traced.
    paste: Called when the text of the clipboard is to be read.
    """

    def __init__(
        self,
        presenter: TracePresenter,
        charter: Runner,
        head: TraceHead,
        paste: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._presenter, self._charter, self._head, self._paste = presenter, charter, head, paste
        self.text = TextPage(presenter, charter)
        self._conversation = LaterPage(self._make_conversation)
        self._batch = LaterPage(self._make_batch)
        self._ask = LaterPage(self._make_ask)
        # Until their pages exist, which then draw and report it.
        presenter.conversation.watch(lambda *_: head.offer_report())
        presenter.batch.watch(lambda state, _: self.text.rows.draw(state))
        for page in (self.text, self._conversation, self._batch, self._ask):
            self.addWidget(page)

    @property
    def conversation(self) -> ConversationView:
        """The page of a conversation."""
        return self._conversation.page

    @property
    def batch(self) -> BatchView:
        """The page of a file of answers."""
        return self._batch.page

    @property
    def ask(self) -> AskView:
        """The page that asks models."""
        return self._ask.page

    def _make_ask(self) -> AskView:
        view = AskView(self._presenter.ask, self._charter)
        view.drawn.connect(self._head.offer_report)
        return view

    def _make_conversation(self) -> ConversationView:
        presenter = self._presenter
        view = ConversationView(presenter.conversation, self._charter, self._paste, presenter.open)
        view.open.clicked.connect(self._head.open.click)
        view.drawn.connect(self._head.offer_report)
        return view

    def _make_batch(self) -> BatchView:
        view = BatchView(self._presenter.batch)
        view.open.clicked.connect(self._head.open.click)
        view.drawn.connect(self.text.rows.draw)
        return view

    def export_buttons(self) -> Sequence[QAbstractButton]:
        """Of the pages with a table of their own."""
        made = self._batch.made
        return () if made is None else (made.export,)

    def input_of(self, view: View) -> QWidget:
        """The text, the conversation, the table or the question of a view."""
        if view is View.TEXT:
            return self.text.view
        if view is View.ASK:
            return self.ask.box.edit
        return self.conversation.text if view is View.CONVERSATION else self.batch.table

"""A Search screen without widgets, on one of the tabs that count around the query."""

from __future__ import annotations

from typing import Any

from by_hand import HandServices

from explorer.corpus import Corpus
from explorer.gui.screens.search.presenter import SearchPresenter
from explorer.gui.screens.search.state import View

TEXTS = ["The cat sat. The cat ran!", "A cat; the dog.", "The “Cat” and the catalog", "a dog"]


class Bench:
    """The screen, whose work is done when a test says so.

    Parameters
    ----------
    corpus
        The open index.
    view
        The tab.
    rule
        Settings of the tab.
    """

    def __init__(self, corpus: Corpus, view: View, **rule: Any) -> None:
        self.services, self.view = HandServices(), view
        self.asked: list[Any] = []
        self.presenter = SearchPresenter(self.services, self.asked.append, lambda past, instead: None)
        self.presenter.use_corpus(corpus)
        self.tab = getattr(self.presenter.views, view.name.lower())
        self.presenter.show_view(view)
        self.tab.set(**rule)

    @property
    def state(self) -> Any:
        """The state of the tab."""
        return getattr(self.presenter.state, self.view.name.lower())

    def ask(self, text: str) -> None:
        """Type a query, and do all work."""
        self.presenter.typed(text)
        self.wait()

    def set(self, **values: Any) -> None:
        """Change settings of the tab, and do all work."""
        self.tab.set(**values)
        self.wait()

    def wait(self) -> None:
        """Do all work."""
        for _ in range(2):
            self.services.let_time_pass()
            self.services.answer_all()

"""Goes through the texts of a source, marks tokens and asks what else could follow them. No Qt."""

from __future__ import annotations

from explorer.analyses.agreement.brush import Brush, Marked, count_marked
from explorer.core.jobs import Kind
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.presenter import Presenter, Services
from explorer.gui.screens.agreement.texts.state import Alternatives, Numbered, TokensState
from explorer.gui.screens.agreement.work import likeliest


class TokensPresenter(Presenter[TokensState]):
    """The texts below the plot."""

    def __init__(self, services: Services) -> None:
        super().__init__(TokensState())
        # Two slots, since each keeps only its newest request: a click on a token must not end the counting of marks.
        self._asker = services.slot("alternatives", kind=Kind.QUICK)
        self._counter = services.slot("marks", kind=Kind.QUICK)
        self._asked = -1

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Take another index, of which nothing is known yet."""
        # Before the index is taken: what is awaited was asked of the one before.
        self.forget()
        self.change(corpus=corpus)

    def forget(self) -> None:
        """Show no text, and mark nothing."""
        self._asker.cancel()
        self._counter.cancel()
        self._asked = -1
        self.change(texts=(), place=0, brush=Brush(), marked=None, alternatives=None, error=None)

    def show_texts(self, texts: Numbered, other_source: bool) -> None:
        """Take the texts of what is chosen.

        other_source: Whether they are of another source than before: then the first one is shown.
        """
        # By identity: an analysis hands over the same objects with its first sources and with all of them.
        same = len(texts) == len(self.state.texts) and all(
            one is other for (_, one), (_, other) in zip(texts, self.state.texts, strict=True)
        )
        if same:
            return
        # The token that was asked about may be of a text that is not shown any more.
        self._asker.cancel()
        self._asked = -1
        # What is marked of one text is of a text that may have another number now.
        brush = Brush() if self.state.brush.text >= 0 else self.state.brush
        place = 0 if other_source else self.state.place
        self.change(texts=texts, place=place, brush=brush, marked=None, alternatives=None, error=None)
        self._count()

    def go(self, place: int) -> None:
        """Show the text at a place of the source, from 0; beyond the ends, the last one at that end."""
        place = min(max(0, place), max(0, len(self.state.texts) - 1))
        if place != self.state.shown:
            self._asker.cancel()
            self._asked = -1
        self.change(place=place, alternatives=None if place != self.state.shown else self.state.alternatives)

    def step(self, by: int) -> None:
        """Go some texts forward, or back."""
        self.go(self.state.shown + by)

    def shade_by(self, kind: str) -> None:
        """Shade by effective n ("n"), probability ("p") or agreement ("a")."""
        self.change(kind=kind)

    def mark(self, brush: Brush) -> None:
        """Highlight tokens in plot, strip and text."""
        if brush != self.state.brush:
            # The old marks go at once: until the new ones are counted, they would be taken for them.
            self.change(brush=brush, marked=None, error=None)
            self._count()

    def mark_n(self, first: int, last: int, extend: bool) -> None:
        """Highlight the effective n of one bin, or extend the range to it.

        extend: Whether to extend the range; otherwise the bin alone is marked, or unmarked if it is marked already.
        """
        brush = self.state.brush
        if extend and brush.low:
            self.mark(Brush(min(brush.low, first), max(brush.high, last)))
        else:
            self.mark(Brush() if (brush.low, brush.high) == (first, last) else Brush(first, last))

    def _count(self) -> None:
        brush, texts = self.state.brush, self.state.texts
        if brush.empty or not texts:
            self._counter.cancel()
            self.change(marked=None)
            return
        # Counting goes over every token of every text, up to millions, so it is not done while drawing.
        self._counter.run(lambda cancel: count_marked(brush, texts), self._take_marked, self._fail)

    def _take_marked(self, marked: Marked) -> None:
        self.change(marked=marked)

    def ask_alternatives(self, token: int) -> None:
        """Ask what else follows the context of a token of the shown text."""
        corpus, found = self.state.corpus, self.state.found
        self._asked = token
        if self.state.error is not None:
            self.change(error=None)
        if corpus is not None and found is not None:
            self._asker.run(
                lambda cancel: Alternatives(found, token, likeliest(corpus, found, token)), self._take, self._fail
            )

    def again(self) -> None:
        """Count or look up again what failed."""
        self.change(error=None)
        if not self.state.brush.empty and self.state.marked is None:
            self._count()
        if self._asked >= 0 and self.state.alternatives is None:
            self.ask_alternatives(self._asked)

    def _take(self, known: Alternatives) -> None:
        self.change(alternatives=known)

    def _fail(self, error: CorpusError) -> None:
        """Something failed that leaves the analysis as it is."""
        self.change(error=error)

"""What the document panel does: reads parts of a document, goes from hit to hit, finds, cites and traces. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.core.jobs import CancelToken, Kind, Progress
from explorer.gui.document.state import SCALE, DocumentState, settled
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Services, Slot
from explorer.gui.presenting.requests import DocumentRequest, Request, TraceText
from explorer.i18n import tr, trn

if TYPE_CHECKING:
    from explorer.analyses.search.in_document import DocumentPart
    from explorer.backends.documents.document import Document
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError

_SLIDE_MS = 120
TRACED_TOKENS = 5_000
"""Tokens of a document that are traced: a long one from its beginning."""


@dataclass(frozen=True)
class Outlets:
    """Where the panel's results go beyond the panel.

    ask: Takes requests to other parts of the window.
    copy: Puts a text on the clipboard.
    confirm_original: Asks whether the original file is to be opened, and opens it.
    """

    ask: Callable[[Request], None]
    copy: Callable[[str], None]
    confirm_original: Callable[[Path], None]


class DocumentPresenter(Presenter[DocumentState]):
    """One document at a time."""

    def __init__(self, services: Services, outlets: Outlets) -> None:
        super().__init__(DocumentState())
        # A slot of its own: a citation must not stop the text from being read.
        self.actions = DocumentActions(self, services.slot("document facts", kind=Kind.LATER), outlets)
        self._reader = services.slot("document", kind=Kind.QUICK)
        self._finder = services.slot("find")
        self._sliding = services.delay(_SLIDE_MS, self.jump)

    def use_corpus(self, corpus: Corpus | None) -> None:
        """Close the document, since it belongs to another index."""
        for slot in (self._reader, self._finder):
            slot.cancel()
        self.actions.cancel()
        self._sliding.stop()
        self.change(
            corpus=corpus, request=None, part=Answer(), found=None, listed=True, find_note="", said="", error=None
        )

    def open(self, request: DocumentRequest) -> None:
        """Show a document at a hit."""
        # What was found, or is being looked for, is a place in the document before.
        self._finder.cancel()
        self._sliding.stop()
        hit = (request.offset, request.length, request.begin)
        self.change(request=request, hit=hit, found=None, listed=True, find_note="", said="", error=None)
        self._load(request.offset)

    def show_listed(self, number: int, listed: bool) -> None:
        """Show whether any of the listed lines is in this document.

        number: The document that was checked; another one than the open one is ignored.
        """
        if self.state.request is not None and self.state.request.number == number:
            self.change(listed=listed)

    def _load(self, center: int, kept: int = -1) -> None:
        """Read the part around a token."""
        corpus, request = self.state.corpus, self.state.request
        if corpus is None or request is None:
            return
        from explorer.analyses.search.in_document import read_part
        from explorer.backends.documents.document import Document

        # Read here: both may have changed when a thread of the pool begins the work.
        index, number, needle = corpus.index, request.number, request.needle
        self.change(part=self.state.part.asked(), kept=kept)
        self._reader.run(lambda cancel: read_part(Document(index, number), center, needle), self._take, self._fail)

    def _take(self, part: DocumentPart) -> None:
        self.change(part=self.state.part.arrived(part), hit=settled(part, self.state.hit), error=None)

    def _fail(self, error: CorpusError) -> None:
        self.change(part=self.state.part.failed(error))

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) hit of this document."""
        part = self.state.own_part
        if part is None or not part.hits_total:
            return
        # Number -1: the place is not a hit, and the next one is the first of all.
        number = min(max(0, self.state.number + by), part.hits_total - 1)
        offset, length, begin = part.offsets[number].tolist()
        self.change(hit=(offset, length, begin), found=None)
        self._go_to(part, offset, length)

    def _go_to(self, part: DocumentPart, offset: int, length: int) -> None:
        """Read the part around a place, unless it is in the one that is shown and no other is awaited."""
        # The part that is awaited may be of another place.
        if self.state.part.awaited or not (part.first <= offset and offset + length <= part.last):
            self._load(offset)

    def scroll_on(self, by: int) -> None:
        """At the end (1) or the beginning (-1) of a part, continue with the next; the same line stays in view."""
        part = self.state.own_part
        if part is None or self.state.part.awaited:
            return
        if by > 0 and part.last < part.token_count:
            self._load(part.last, kept=part.last)
        elif by < 0 and part.first > 0:
            self._load(part.first, kept=part.first)

    def slide(self, position: int) -> None:
        """Take another position on the scale. It is read when the scale rests for a moment."""
        self.change(position=position)
        self._sliding.start()

    def release(self, position: int) -> None:
        """Take the position at which the scale was released, and read it at once."""
        self.change(position=position)
        self.jump()

    def jump(self) -> None:
        """Read the part at the position on the scale."""
        # A key that is held down reads one part, at the end.
        self._sliding.stop()
        part = self.state.own_part
        if part is not None:
            from explorer.analyses.search.in_document import PART_TOKENS

            # The scale goes over the places at which a part can begin.
            room = part.token_count - (part.last - part.first)
            self._load(self.state.position * room // SCALE + PART_TOKENS // 2)

    def find_next(self, text: str, backwards: bool) -> None:
        """Go to the next occurrence of a text in the document."""
        document = self.document()
        if document is None:
            return
        from explorer.analyses.search.in_document import find_text

        # The search continues from what an earlier search found, or else from the hit.
        here = (self.state.found or self.state.hit)[0]
        report = self._finder.reporter(self._report)
        self.change(find_note="…")
        self._finder.run(
            lambda cancel: find_text(document, text, here, backwards, report, cancel), self._take_place, self.fail
        )

    def _report(self, progress: Progress) -> None:
        self.change(find_note=tr("{fraction:.0%} …", fraction=progress.fraction))

    def _take_place(self, place: tuple[int, int] | None) -> None:
        self.change(find_note="" if place else tr("not in this document"), error=None)
        part = self.state.own_part
        if place is not None and part is not None:
            self.change(found=place)
            self._go_to(part, *place)

    def hush(self) -> None:
        """What happened last has been shown long enough."""
        self.change(said="")

    def say(self, text: str) -> None:
        """Report what was done."""
        self.change(said=text, error=None)

    def fail(self, error: CorpusError) -> None:
        """Show why something failed that leaves the document as it is."""
        self.change(find_note="", error=error)

    def document(self) -> Document | None:
        """The document that was asked for last; None without any."""
        corpus, request = self.state.corpus, self.state.request
        if corpus is None or request is None:
            return None
        from explorer.backends.documents.document import Document

        return Document(corpus.index, request.number)


class DocumentActions:
    """What is done with the whole document: cite it, copy it, trace it, open its file.

    presenter: Knows the document, and shows what was done or why it failed.
    slot: Where the work runs.
    """

    def __init__(self, presenter: DocumentPresenter, slot: Slot, outlets: Outlets) -> None:
        self._presenter, self._slot, self._outlets = presenter, slot, outlets

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._slot.cancel()

    def copy_citation(self) -> None:
        """Copy a citation of this place to the clipboard."""
        document, state = self._presenter.document(), self._presenter.state
        place = state.found or state.hit[:2]
        if document is not None:
            from explorer.export.provenance import citation

            self._work(lambda cancel: citation(document.index, document.number, *place), self._copy)

    def _copy(self, text: str) -> None:
        self._outlets.copy(text)
        self._presenter.say(tr("Copied: {text}", text=text))

    def copy_text(self) -> None:
        """Copy the text that is shown; of a long document, it is a part."""
        part = self._presenter.state.part.value
        if part is not None:
            self._outlets.copy(part.text)
            self._presenter.say(trn("Copied {n:,} token.", "Copied {n:,} tokens.", part.last - part.first))

    def trace(self) -> None:
        """Send the text to the Trace screen; of a long document, its beginning."""
        document = self._presenter.document()
        if document is not None:
            self._work(
                lambda cancel: document.part(0, TRACED_TOKENS).text.strip(),
                lambda text: self._outlets.ask(TraceText(text)),
            )

    def open_original(self) -> None:
        """Ask, then open the original file of the document."""
        document = self._presenter.document()
        if document is not None:
            from explorer.backends.documents.original import original_file

            self._work(lambda cancel: original_file(document.index, document.number), self._confirm)

    def _confirm(self, path: Path | None) -> None:
        if path is not None:
            self._outlets.confirm_original(path)
            return
        self._presenter.say(
            tr(
                "The original file is not on this computer, or the index does not record its location: also where "
                "several of its sources have a file of this name."
            )
        )

    def _work(self, work: Callable[[CancelToken], Any], done: Callable[[Any], None]) -> None:
        self._slot.run(work, done, self._presenter.fail)

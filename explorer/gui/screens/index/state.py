"""What the Index screen shows beside its pages. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from explorer.gui.index.indexes import IndexState
from explorer.gui.presenting.hints import offers, told
from explorer.gui.remote.hosts import what_is_sent
from explorer.i18n import tr

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.presenting.requests import OpenRequest


SEND, NOT_NOW, AGAIN, ADDRESS = "send", "not now", "again", "address"
"""What can be done about an address that did not open."""


class Page(IntEnum):
    """The tabs, in their order."""

    ABOUT = 0
    OPEN = 1


class View(IntEnum):
    """What is seen: the open index, what can be opened, a build that is prepared, or one that runs."""

    ABOUT = 0
    START = 1
    PREPARE = 2
    PROGRESS = 3


@dataclass(frozen=True, eq=False)
class IndexScreenState:
    """The open index, the tab, and what went wrong.

    indexes: What the window knows of it, of the one that is opening, and of recent ones.
    prepares: Whether a build is being prepared.
    builds: Whether a build runs.
    problem: What went wrong last.
    refused: What was to be opened, if that is what failed; or what is open without a connection.
    remark: A sentence that is shown while nothing is wrong.
    """

    corpus: Corpus | None = None
    indexes: IndexState = field(default_factory=IndexState)
    page: Page = Page.OPEN
    prepares: bool = False
    builds: bool = False
    problem: CorpusError | None = None
    refused: OpenRequest | None = None
    remark: str = ""

    @property
    def view(self) -> View:
        """What is seen."""
        if self.page is Page.ABOUT and self.corpus is not None:
            return View.ABOUT
        # A build that runs comes first: it is what the user waits for.
        if self.builds or self.builds_sample:
            return View.PROGRESS
        return View.PREPARE if self.prepares else View.START

    @property
    def has_tabs(self) -> bool:
        """Whether there is more than one page to choose from."""
        return self.corpus is not None

    @property
    def notice(self) -> str:
        """What went wrong, or the remark."""
        if self.consent:
            return str(self.problem) if self._is_downloaded else what_is_sent(self.consent, self._reads_folder)
        return self.remark if self.problem is None else told(self.problem)

    @property
    def unchecked(self) -> OpenRequest | None:
        """What can be opened in spite of the error; None if nothing can."""
        return self.refused if self.problem is not None and "check_fit" in offers(self.problem) else None

    @property
    def title_of_notice(self) -> str:
        """The notice in a few words; "" where its sentence is short."""
        if not self.consent:
            return ""
        if self._is_downloaded:
            return tr("Download the index from {host}?", host=self.consent)
        if self._reads_folder:
            return tr("Read the index at {host}?", host=self.consent)
        return tr("Send queries to {host}?", host=self.consent)

    @property
    def _is_downloaded(self) -> bool:
        """Whether what did not open is an index of the hub, so that no query leaves this machine."""
        return self.problem is not None and self.problem.reason == "downloads-index"

    @property
    def _reads_folder(self) -> bool:
        """Whether what did not open is an index folder on another machine, which is read part by part."""
        return self.refused is not None and not any("#" in path for path in self.refused.paths)

    @property
    def consent(self) -> str:
        """The host to which queries would be sent, once the user agrees; "" for none."""
        error = self.problem if self.refused is not None else None
        return str(error.fields.get("host", "")) if error is not None and error.option == "allow_remote" else ""

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about an address that did not open: names of this module."""
        if self.refused is None:
            return ()
        if self.problem is None:
            # The index is open, but its service did not answer.
            return (AGAIN,)
        if self.consent:
            return SEND, NOT_NOW
        return (AGAIN, ADDRESS) if any("://" in path for path in self.refused.paths) else ()

    @property
    def lacks_tokenizer(self) -> bool:
        """Whether the open index has no tokenizer, so that one is to be chosen."""
        return self.corpus is not None and not self.corpus.index.has_tokenizer

    @property
    def builds_sample(self) -> bool:
        """Whether the sample index is being built."""
        return self.indexes.builds_sample

    @property
    def title(self) -> str:
        """The open index."""
        return tr("No index is open") if self.corpus is None else self.corpus.index.name

    @property
    def subtitle(self) -> str:
        """Where the index is."""
        return "" if self.corpus is None else "\n".join(self.corpus.index.sources)

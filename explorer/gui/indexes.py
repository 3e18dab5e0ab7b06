"""Which index is open, which is being opened, and which were open before. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from explorer.api import Corpus
from explorer.building.sample_corpus import sample_folder, sample_is_built
from explorer.errors import CorpusError, QueryError
from explorer.gui.hints import told
from explorer.gui.job import Job
from explorer.gui.opening import describe_corpus, open_corpus
from explorer.gui.presenter import Presenter, Slot
from explorer.gui.requests import IndexProblem, OpenBuilt, OpenRequest, Request, ShowOpened, ShowStart, Warn
from explorer.i18n import mark, tr


# `Settings` satisfies it; its own module needs Qt to find the folder of the file.
class RecentIndexes(Protocol):
    """The list of recent indexes, as the settings keep it."""

    def recent_indexes(self) -> list[str]:
        """All of them: pinned ones first, then newest first."""

    def pinned_indexes(self) -> list[str]:
        """The pinned ones."""

    def add_recent_index(self, path: str) -> None:
        """Move a folder to the top of the list."""

    def toggle_pinned_index(self, path: str) -> None:
        """Pin a folder, or unpin it."""

    def forget_index(self, path: str) -> None:
        """Remove a folder."""


_NOTHING = OpenRequest(())


@dataclass(frozen=True)
class IndexState:
    """What the window knows of its index.

    Attributes
    ----------
    corpus
        The open index, if any.
    request
        What was asked for last: the open index, or the one that is being opened.
    opening
        Whether it is being opened.
    sample_missing
        Whether opening it builds the sample.
    described
        The open index in one line.
    changed
        What happened to its files on the disk since it was opened.
    recent, pinned
        The folders of recent indexes, pinned ones first, and which of them are pinned.
    """

    corpus: Corpus | None = None
    request: OpenRequest = _NOTHING
    opening: bool = False
    sample_missing: bool = False
    described: str = ""
    changed: CorpusError | None = None
    recent: Sequence[str] = ()
    pinned: Sequence[str] = ()

    @property
    def builds_sample(self) -> bool:
        """Whether the sample index is being built."""
        return self.opening and self.sample_missing

    @property
    def status(self) -> str:
        """The index in one line, for the status bar."""
        if self.builds_sample:
            return tr("Building the sample index …")
        # What the user waits for comes before what happened to the index that is still open.
        if self.opening:
            return tr("Opening {names} …", names=", ".join(Path(path).name for path in self.request.paths))
        if self.changed is not None:
            return tr("Changed on disk: {described}", described=self.described)
        return self.described or tr("No index is open")

    @property
    def status_tip(self) -> str:
        """More about the line; "" for nothing."""
        return told(self.changed) if self.changed is not None and not self.opening else ""

    @property
    def name(self) -> str:
        """The open index; "" for none."""
        return "" if self.corpus is None else self.corpus.index.name

    @property
    def places(self) -> str:
        """Where it is, a line for each source; "" for none."""
        return "" if self.corpus is None else "\n".join(self.corpus.index.sources)

    @property
    def title(self) -> str:
        """The window's title."""
        if self.corpus is None:
            return tr("Corpus Explorer")
        return tr("{name} – Corpus Explorer", name=self.corpus.index.name)


class Indexes(Presenter[IndexState]):
    """Opens indexes, one at a time; the newest request wins.

    Parameters
    ----------
    slot
        Opens them off the interface thread.
    recents
        The stored list of recent indexes.
    ask
        Asks the window for something.
    """

    def __init__(self, slot: Slot, recents: RecentIndexes, ask: Callable[[Request], object]) -> None:
        super().__init__(IndexState(recent=recents.recent_indexes(), pinned=recents.pinned_indexes()))
        self._slot, self._recents, self._ask = slot, recents, ask
        self._then: Callable[[], object] | None = None

    def open(self, request: OpenRequest, then: Callable[[], object] | None = None) -> None:
        """Open index folders in the background.

        Parameters
        ----------
        request
            What to open.
        then
            Called on the interface thread when they are open; not called if opening fails or is canceled.
        """
        # With a newer request, the slot drops the answer to the older one, and this what was to follow it. So `_opened`
        # and `_failed` are always about `state.request`.
        self._then = then
        self.change(request=request, opening=True, sample_missing=request.sample and not sample_is_built())
        report = self._slot.reporter()
        self._slot.run(lambda cancel: open_corpus(request, report, cancel), self._opened, self._failed, self._job())

    def _job(self) -> Job:
        """What opening the requested index is: a build of the sample can be paused."""
        if self.state.sample_missing:
            return Job(tr("Build of the sample index"), self.pause, self.pause, sample_folder())
        return Job(self.state.status, self.cancel)

    def pause(self) -> None:
        """Pause the build of the sample at a safe point; the Index screen offers to resume it."""
        self._slot.end(keep=True)
        self.cancel()

    def open_sample(self, then: Callable[[], object] | None = None) -> None:
        """Open the sample index, which is built first if it is missing."""
        self.open(OpenRequest((str(sample_folder()),), sample=True), then)

    def open_built(self, built: OpenBuilt) -> None:
        """Open a new index. What it lacks is listed on the Index screen, before anything is searched."""
        self.open(OpenRequest((built.path,)), (lambda: self._ask(ShowStart())) if built.left_out else None)

    def cancel(self) -> None:
        """Stop opening; the index that was open before stays open."""
        self._slot.cancel()
        self._then = None
        self.change(opening=False)

    def _opened(self, corpus: Corpus) -> None:
        for source in corpus.index.sources:
            self._recents.add_recent_index(source)
        then, self._then = self._then, None
        # The screens get the index here, before any of them is asked for something.
        self.change(corpus=corpus, opening=False, described=describe_corpus(corpus), changed=None, **self._listed())
        if then is not None:
            then()
        else:
            self._ask(ShowOpened(corpus.index.has_tokenizer))
        if unsubtracted := corpus.index.remark:
            self._ask(Warn(QueryError(mark("{remark}"), reason="not-subtracted", remark=unsubtracted)))

    def _failed(self, error: CorpusError) -> None:
        # `request` stays: with another tokenizer, or without the check, the same index may open.
        self.change(opening=False)
        self._ask(IndexProblem(error, self.state.request))

    def files_changed(self, error: CorpusError) -> None:
        """Files of the open index changed on the disk: report it and continue."""
        self.change(changed=error)
        self._ask(Warn(error))

    def toggle_pin(self, path: str) -> None:
        """Pin a recent index to the top of the list, or unpin it."""
        self._recents.toggle_pinned_index(path)
        self.change(**self._listed())

    def forget(self, path: str) -> None:
        """Remove a recent index from the list."""
        self._recents.forget_index(path)
        self.change(**self._listed())

    def _listed(self) -> dict[str, list[str]]:
        # Read back from the settings, which limit the list, and which all windows share.
        return {"recent": self._recents.recent_indexes(), "pinned": self._recents.pinned_indexes()}

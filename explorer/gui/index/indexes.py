"""Which index is open, which is being opened, and which were open before. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from explorer.building.own_places import sample_folder, sample_is_built
from explorer.errors import CorpusError, QueryError
from explorer.gui.index.opening import describe_corpus, is_offline, open_or_stop
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.job import Job
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import (
    IndexProblem,
    OpenAgain,
    OpenBuilt,
    OpenRequest,
    Request,
    ShowOpened,
    ShowStart,
    Told,
    Warn,
)
from explorer.gui.remote.hosts import host_of, last_answer, source_name, with_host
from explorer.i18n import mark, tr

if TYPE_CHECKING:
    from explorer.corpus import Corpus
    from explorer.gui.index.recents import RecentIndex, Recents
    from explorer.gui.remote.hosts import Hosts


def _now() -> datetime:
    return datetime.now(UTC)


_NOTHING = OpenRequest(())


@dataclass(frozen=True)
class IndexState:
    """What the window knows of its index.

    corpus: The open index, if any.
    request: What was asked for last: the open index, or the one that is being opened.
    stopping: Whether the build of the sample was asked to stop.
    sample_missing: Whether opening it builds the sample.
    described: The open index in one line.
    changed: What happened to its files on the disk since it was opened.
    recent: The indexes that were opened before, pinned ones first.
    """

    corpus: Corpus | None = None
    request: OpenRequest = _NOTHING
    opening: bool = False
    stopping: bool = False
    sample_missing: bool = False
    described: str = ""
    changed: CorpusError | None = None
    recent: tuple[RecentIndex, ...] = ()

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
            names = ", ".join(with_host(source_name(path), [path]) for path in self.request.paths)
            return tr("Opening {names} …", names=names)
        if self.changed is not None:
            return tr("Changed on disk: {described}", described=self.described)
        if self.is_offline:
            return tr("Without a connection: {described}", described=self.described)
        return self.described or tr("No index is open")

    @property
    def status_tip(self) -> str:
        """More about the line, which may be cut on the screen; "" for nothing but the line."""
        if self.opening:
            return ""
        more = told(self.changed) if self.changed is not None else self.offline_remark
        return f"{self.status}\n{more}" if more else ""

    @property
    def name(self) -> str:
        """The open index; "" for none."""
        return "" if self.corpus is None else self.corpus.index.name

    @property
    def is_offline(self) -> bool:
        """Whether the service of the open index did not answer when it was opened."""
        return is_offline(self.corpus)

    @property
    def picture(self) -> str:
        """The name of the icon of the open index."""
        if self.is_offline:
            return "offline"
        return "cloud" if self.is_elsewhere else "index"

    @property
    def offline_remark(self) -> str:
        """What can be shown without a connection; "" with one."""
        return self.corpus.index.remark if self.corpus is not None and self.is_offline else ""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the open index is asked by an address, on whichever machine."""
        return bool(self.addresses)

    @property
    def named(self) -> str:
        """The open index, with the host that answers for it; "" for none."""
        return "" if self.corpus is None else with_host(self.name, self.corpus.index.sources)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses that are asked about the open index; none for folders."""
        return () if self.corpus is None else tuple(filter(host_of, self.corpus.index.sources))

    @property
    def asked_of(self) -> str:
        """What is known of an index elsewhere in this moment: the age of answers, and when the last one came."""
        if self.corpus is None or not self.is_elsewhere:
            return ""
        return "\n".join(filter(None, (self.corpus.index.remark, last_answer(self.addresses))))

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

    slot: Opens them off the interface thread.
    recents: The stored list of recent indexes.
    hosts: The other machines that queries may be sent to.
    ask: Asks the window for something.
    """

    def __init__(
        self,
        slot: Slot,
        recents: Recents,
        hosts: Hosts,
        ask: Callable[[Request], object],
        now: Callable[[], datetime] = _now,
    ) -> None:
        super().__init__(IndexState(recent=recents.all()))
        self._slot, self._recents, self._hosts, self._ask, self._now = slot, recents, hosts, ask, now
        self._then: Callable[[], object] | None = None
        self._discards = False

    def open(self, request: OpenRequest, then: Callable[[], object] | None = None) -> None:
        """Open index folders in the background.

        then: Called on the interface thread when they are open; not called if opening fails or is canceled.
        """
        # With a newer request, the slot drops the answer to the older one, and this what was to follow it. So `_opened`
        # and `_failed` are always about `state.request`.
        self._then, self._discards = then, False
        request, allowed = self._completed(request), self._allows(request)
        self.change(
            request=request, opening=True, stopping=False, sample_missing=request.sample and not sample_is_built()
        )
        report = self._slot.reporter()
        asked = replace(request, allow_remote=allowed)
        self._slot.run(lambda cancel: open_or_stop(asked, report, cancel), self._opened, self._failed, self._job())

    def _allows(self, request: OpenRequest) -> bool:
        """Whether the hosts of a request may be asked; that the user just agreed is noted."""
        if request.allow_remote:
            self._hosts.allow(host for host in map(host_of, request.paths) if host)
        return request.allow_remote or self._hosts.allows((*request.paths, *request.minus))

    def _completed(self, request: OpenRequest) -> OpenRequest:
        """The request with what is remembered of its address."""
        # It is asked for each time: the user may withdraw what was agreed.
        request = replace(request, allow_remote=False)
        known = next((each for each in self.state.recent if request.paths == (each.path,)), None)
        # Folders have their own tokenizers; see `explorer.backends.remembered` for those that have none.
        if known is None or not host_of(known.path):
            return request
        file = request.token_file or ("" if request.token else known.token_file)
        return replace(request, tokenizer=request.tokenizer or known.tokenizer or None, token_file=file)

    def again(self) -> None:
        """Open what is open once more, with all that was chosen for it."""
        if self.state.request.paths:
            self.open(self.state.request)

    def _job(self) -> Job:
        """What opening the requested index is: a build of the sample can be paused."""
        if self.state.sample_missing:
            return Job(tr("Build of the sample index"), self.pause, self.pause, sample_folder())
        return Job(self.state.status, self.cancel)

    def pause(self) -> None:
        """Pause the build of the sample at a safe point; the Index screen offers to resume it."""
        self.stop(keep=True)

    def open_sample(self, then: Callable[[], object] | None = None) -> None:
        """Open the sample index, which is built first if it is missing."""
        self.open(OpenRequest((str(sample_folder()),), sample=True), then)

    def open_built(self, built: OpenBuilt) -> None:
        """Open a new index. The Index screen shows what came in and what was left out before anything is searched."""
        self.open(OpenRequest((built.path,)), lambda: self._ask(ShowStart()))

    def list_built(self, built: OpenBuilt) -> None:
        """Put a new index on the list, to be opened later."""
        self._recents.add(built.path, None, built.name, built.tokens)
        self.change(recent=self._recents.all())

    def cancel(self) -> None:
        """Stop opening; the index that was open before stays open."""
        # Neither `_opened` nor `_failed` is called after this, so what was to follow is dropped here.
        self._slot.cancel()
        self._then = None
        self.change(opening=False)

    def stop(self, keep: bool) -> None:
        """Stop building the sample; `keep` keeps what it has done, to be resumed."""
        if self.state.builds_sample and not self.state.stopping:
            self._discards = not keep
            self.change(stopping=True)
            self._slot.end(keep)

    def _opened(self, corpus: Corpus | None) -> None:
        """Show the index; None: opening was stopped."""
        if corpus is None:
            self._end_stopped()
            return
        # Before the state changes, which takes the list from there.
        for source in corpus.index.sources:
            # Opened with others, or less some documents, it has not the figures of its folder.
            alone = len(corpus.index.sources) == 1 and not self.state.request.minus
            self._recents.add(source, self._now(), *((corpus.index.name, corpus.token_count) if alone else ()))
            if host_of(source):
                request = self.state.request
                self._recents.keep_opening(source, request.tokenizer or "", request.token_file)
        then, self._then = self._then, None
        # The screens get the index here, before any of them is asked for something.
        self.change(
            corpus=corpus,
            opening=False,
            stopping=False,
            described=describe_corpus(corpus),
            changed=None,
            recent=self._recents.all(),
        )
        if then is not None:
            then()
        else:
            self._ask(ShowOpened(corpus.index.has_tokenizer))
        if self.state.is_offline:
            self._ask(Told(corpus.index.remark, (tr("Try again"), OpenAgain())))
        # Of an address, the tool tip of its name has the remark: mostly, it is about the age of answers.
        elif (unsubtracted := corpus.index.remark) and not self.state.is_elsewhere:
            self._ask(Warn(QueryError(mark("{remark}"), reason="not-subtracted", remark=unsubtracted)))

    def _end_stopped(self) -> None:
        self._then = None
        if self._discards:
            self._discards = False
            # In the background, since there may be large files to delete. The flag is off by then, so the second call
            # of this method ends the stop.
            self._slot.run(lambda _: _discard_sample(), lambda _: self._end_stopped(), self._failed)
            return
        self.change(opening=False, stopping=False)

    def _failed(self, error: CorpusError) -> None:
        # `request` stays: with another tokenizer, or without the check, the same index may open.
        self.change(opening=False, stopping=False)
        self._ask(IndexProblem(error, self.state.request))

    def files_changed(self, error: CorpusError) -> None:
        """Files of the open index changed on the disk: report it and continue."""
        self.change(changed=error)
        self._ask(Warn(error))

    def toggle_pin(self, path: str) -> None:
        """Pin a recent index to the top of the list, or unpin it."""
        self._recents.toggle_pin(path)
        self.change(recent=self._recents.all())

    def forget(self, path: str) -> None:
        """Remove a recent index from the list."""
        self._recents.forget(path)
        self.change(recent=self._recents.all())

    def rename(self, path: str, name: str) -> None:
        """Show a recent index under another name; "" for its own.

        path: Its folder or address, as the list has it.
        name: The name; it changes the list only, and nothing on the disk.
        """
        self._recents.rename(path, name)
        self.change(recent=self._recents.all())

    def locate(self, old: str, new: str) -> None:
        """Open a recent index that is in another folder now; the list follows."""
        # Before it is opened, which may fail: the user has told where it is now in any case.
        self._recents.move(old, new)
        self.change(recent=self._recents.all())
        self.open(OpenRequest((new,)))


def _discard_sample() -> None:
    """Remove what a stopped build of the sample has made. Runs off the interface thread."""
    from explorer.building.paused import discard_builds

    discard_builds([sample_folder()])

"""The dialog that opens an index on another machine, without its widgets: nothing is sent before the user agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from explorer.gui.index.opening import token_of
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.presenter import Presenter, Slot
from explorer.gui.presenting.requests import OpenRequest, Request
from explorer.gui.remote.hosts import Hosts, address_of
from explorer.gui.remote.state import RemoteEntries, RemoteState

if TYPE_CHECKING:
    from explorer.backends.remote.listing import ServiceIndexes
    from explorer.core.jobs import CancelToken
    from explorer.errors import CorpusError
    from explorer.gui.index.recents import Recents


class RemotePresenter(Presenter[RemoteState]):
    """What the dialog does.

    slot: Asks services for their indexes.
    hosts: The hosts that queries may be sent to.
    recents: The indexes that were opened before.
    ask: Asks the window to open what was named.
    """

    def __init__(self, slot: Slot, hosts: Hosts, recents: Recents, ask: Callable[[Request], object]) -> None:
        super().__init__(RemoteState())
        self._slot, self._hosts, self._recents, self._ask = slot, hosts, recents, ask
        # Whether the question for consent is about opening, and not about a list.
        self._opens = False

    def begin(self, refused: OpenRequest | None = None) -> None:
        """Begin with empty fields, or with what did not open.

        refused: What did not open; its token is not asked for again.
        """
        self._slot.cancel()
        self.change(entries=_entries_of(refused), listed=Answer(), asks=False, allowed=self._hosts.all(), claimed=False)
        self._look()

    def type_address(self, address: str) -> None:
        """Take another address; nothing is sent."""
        before = self.state.entries
        # What follows "#" is a name, wherever it is typed.
        name = address.strip().partition("#")[2] or ("" if "#" in before.address else before.name)
        entries = replace(before, address=address, name=name)
        if entries.url != before.url:
            self._slot.cancel()
            # A name from the list of another service means nothing here.
            if self.state.listed.value is not None and name == before.name:
                entries = replace(entries, name="")
            self.change(listed=Answer(), asks=False)
        self.change(entries=self._remembered(entries))
        self._look()

    def type_name(self, name: str) -> None:
        """Take another name of an index."""
        entries = self.state.entries
        # The address keeps the name only as long as it is the one that is opened.
        address = entries.address.partition("#")[0] if name != entries.name else entries.address
        self.change(entries=self._remembered(replace(entries, address=address, name=name)))
        self._look()

    def choose(self, **values: str) -> None:
        """Take another tokenizer, token or token file: fields of `RemoteEntries`."""
        self.change(entries=replace(self.state.entries, **values))

    def _remembered(self, entries: RemoteEntries) -> RemoteEntries:
        """With the tokenizer and the file that the same address was opened with before, where none is named."""
        known = next((each for each in self._recents.all() if _same(each.path, entries.source)), None)
        if known is None:
            return entries
        file = entries.token_file or ("" if entries.token else known.token_file)
        return replace(entries, tokenizer=entries.tokenizer or known.tokenizer, token_file=file)

    def _look(self) -> None:
        from explorer.backends.registry import BACKENDS

        # The first kind is that of folders, which takes what nobody claims.
        kind = BACKENDS.claiming(self.state.entries.source) if self.state.entries.url else None
        self.change(claimed=kind is not None and kind is not BACKENDS.rows[0])

    def list(self) -> None:
        """Ask the service for its indexes; the user is asked first, once per host."""
        self._opens = False
        if self.state.why_not_list:
            return
        if not self.state.is_allowed:
            self.change(asks=True)
            return
        entries = self.state.entries
        self.change(listed=self.state.listed.asked(), asks=False)
        self._slot.run(lambda cancel: _list(entries, cancel), self._take, self._fail)

    def agree(self) -> bool:
        """Agree to what the dialog asks, and do what was wanted.

        Returns: Whether the window was asked to open the index.
        """
        host = self.state.host
        if host:
            self._hosts.allow([host])
        self.change(asks=False, allowed=self._hosts.all())
        if self._opens:
            return self.open()
        self.list()
        return False

    def decline(self) -> None:
        """Send nothing."""
        self.change(asks=False)

    def withdraw(self) -> None:
        """Ask again before anything is sent to this host."""
        self._slot.cancel()
        self._hosts.forget(self.state.host)
        self.change(allowed=self._hosts.all(), listed=Answer())

    def open(self) -> bool:
        """Open the index, if the user agreed to its host.

        Returns: Whether the window was asked to open it.
        """
        if self.state.why_not_open:
            return False
        # Addresses that are not read here, such as those of buckets, are asked about when they are opened.
        if self.state.host and not self.state.is_allowed:
            self._opens = True
            self.change(asks=True)
            return False
        self._slot.cancel()
        self._ask(self.state.entries.request())
        return True

    def end(self) -> None:
        """The dialog is closed: nothing is asked any more, and the token is forgotten."""
        self._slot.cancel()
        self.change(entries=RemoteEntries(), listed=Answer(), asks=False)

    def _take(self, found: ServiceIndexes) -> None:
        self.change(listed=self.state.listed.arrived(found))
        # The only index of a service is the one that is meant.
        if len(found.indexes) == 1 and not self.state.entries.name:
            self.type_name(found.indexes[0].name)

    def _fail(self, error: CorpusError) -> None:
        self.change(listed=self.state.listed.failed(error))


def _entries_of(refused: OpenRequest | None) -> RemoteEntries:
    if refused is None or not refused.paths:
        return RemoteEntries()
    url, _, name = refused.paths[0].partition("#")
    return RemoteEntries(url, name, refused.tokenizer or "", refused.token, refused.token_file)


def _same(source: str, other: str) -> bool:
    one = address_of(source)
    return one is not None and one == address_of(other)


def _list(entries: RemoteEntries, cancel: CancelToken) -> ServiceIndexes:
    # Here and not at the top: the connection brings modules along that nothing else in the window needs.
    from explorer.backends.remote.listing import list_indexes

    token = token_of(entries.token.strip(), entries.token_file.strip())
    return list_indexes(entries.url, allow_remote=True, token=token, cancel=cancel)

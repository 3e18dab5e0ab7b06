"""What the dialog shows that opens an index on another machine. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.cells import Cell, short
from explorer.gui.presenting.hints import told
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.remote.hosts import address_of, what_is_sent
from explorer.gui.style.text_positions import cell_text
from explorer.http.wire.address import Address, read_address
from explorer.i18n import numeral, tr

if TYPE_CHECKING:
    from explorer.backends.remote.listing import ListedIndex, ServiceIndexes

USUAL = "https://api.infini-gram.io"
"""The public service, which the empty field names as an example."""


@dataclass(frozen=True)
class RemoteEntries:
    """What was typed and chosen.

    address: As typed; it may have the name of an index after "#".
    name: The name of the index; "" for none.
    tokenizer: A tokenizer.json; "" for that of the service, or the remembered one.
    token: What the server asks for; never stored.
    token_file: The file that holds it; "" for none.
    """

    address: str = ""
    name: str = ""
    tokenizer: str = ""
    token: str = field(default="", repr=False)
    token_file: str = ""

    @property
    def url(self) -> str:
        """The address without the name of an index; "" for what is not one."""
        typed = self.address.strip().partition("#")[0]
        # "http://" may be left out, as in a browser; other machines are asked without encryption only if that is typed.
        found = read_address(typed)
        scheme = "http://" if found is not None and found.is_local else "https://"
        return typed if "://" in typed or not typed else scheme + typed

    @property
    def read(self) -> Address | None:
        """The address, read; None if it is not one of HTTP."""
        return address_of(self.url)

    @property
    def source(self) -> str:
        """What is opened."""
        name = self.name.strip() or self.address.strip().partition("#")[2]
        return f"{self.url}#{name}" if name else self.url

    def request(self) -> OpenRequest:
        """What the window is asked for."""
        return OpenRequest(
            (self.source,),
            tokenizer=self.tokenizer.strip() or None,
            token=self.token.strip(),
            token_file="" if self.token.strip() else self.token_file.strip(),
        )


@dataclass(frozen=True, eq=False)
class RemoteState:
    """The dialog.

    entries: What was typed and chosen.
    listed: What the service tells about its indexes.
    allowed: The hosts that queries may be sent to.
    asks: Whether the user is asked to agree before the service is asked for its indexes.
    claimed: Whether some kind of index has this address.
    """

    entries: RemoteEntries = field(default_factory=RemoteEntries)
    listed: Answer[ServiceIndexes] = field(default_factory=Answer)
    allowed: tuple[str, ...] = ()
    asks: bool = False
    claimed: bool = False

    @property
    def host(self) -> str:
        """The host; "" while there is no address."""
        return "" if self.entries.read is None else self.entries.read.short

    @property
    def is_allowed(self) -> bool:
        """Whether the host may be asked."""
        found = self.entries.read
        return found is not None and (found.is_local or found.short in self.allowed)

    @property
    def where(self) -> str:
        """What becomes of the queries; "" while there is no address."""
        found = self.entries.read
        if found is None:
            return ""
        if found.is_local:
            return tr("This address is of this computer. Queries do not leave it.")
        if found.short in self.allowed:
            return tr("Queries that you type are sent to {host}, which may keep them. You agreed.", host=found.short)
        return tr("You are asked before the first query is sent to {host}.", host=found.short)

    @property
    def can_withdraw(self) -> bool:
        """Whether the user agreed to something that can be withdrawn."""
        return self.host in self.allowed

    @property
    def why_not_list(self) -> str:
        """Why the service cannot be asked for its indexes; "" if it can."""
        return "" if self.host else tr("Type an address first.")

    @property
    def lists_first(self) -> bool:
        """Whether the indexes of a service are asked for before an address without a name is opened as a folder."""
        unasked = self.listed.freshness is Freshness.UNASKED
        return bool(self.host) and "#" not in self.entries.source and unasked

    @property
    def why_not_open(self) -> str:
        """Why nothing can be opened; "" if something can."""
        if not self.entries.url:
            return tr("Type an address first.")
        # Whoever claims an address looks at its beginning only.
        unread = not self.host and self.entries.url.lower().startswith(("http://", "https://"))
        return "" if self.claimed and not unread else tr("This is not an address.")

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """A row per index of the service: name, documents, tokens."""
        return tuple(map(_row, self.indexes))

    @property
    def indexes(self) -> tuple[ListedIndex, ...]:
        """The indexes of the service."""
        found = self.listed.value
        return found.indexes if found is not None and not self.listed.awaited else ()

    @property
    def said(self) -> str:
        """What the service told, or that it is being asked; "" for nothing."""
        found = self.listed.value
        if self.listed.awaited:
            return tr("Asking {host} …", host=self.host)
        if found is None or self.listed.error is not None:
            return ""
        if found.is_known:
            return tr("{host} does not list its indexes. These names were known in December 2025.", host=found.host)
        if not found.indexes:
            return tr(
                "{host} does not list its indexes. Type the name of one, or leave it out if the address is that of an "
                "index folder.",
                host=found.host,
            )
        return tr("Indexes at {host}:", host=found.host)

    @property
    def tokenizer_hint(self) -> str:
        """What an empty field for the tokenizer means."""
        found = self.listed.value
        if found is not None and found.sends_tokenizer:
            return tr("The server sends its own")
        return tr("Its tokenizer.json, if the server sends none")

    @property
    def problem(self) -> CorpusError | None:
        """Why the service was not asked, or did not answer."""
        return None if self.listed.awaited else self.listed.error

    @property
    def notice(self) -> str:
        """The question for consent, or what went wrong; "" for nothing."""
        if self.asks:
            return what_is_sent(self.host, is_folder="#" not in self.entries.source and not self.lists_first)
        return "" if self.problem is None else told(self.problem)


def _row(index: ListedIndex) -> tuple[Cell, ...]:
    documents = "" if index.documents is None else numeral(index.documents)
    tokens = "" if index.tokens is None else short(index.tokens)
    return Cell(cell_text(index.name), tip=index.name), Cell(documents, right=True), Cell(tokens, right=True)

"""Which indexes a service has: asked before one of them is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from explorer.core.jobs import CancelToken
from explorer.http.client import Client, Request, read_json
from explorer.http.consent import remote_address
from explorer.http.errors import RemoteError
from explorer.http.wire.infini_gram import PROTOCOL

MOST_LISTED = 1_000
"""Indexes of a service that are listed."""
_SECONDS = 15.0
_MOST_BYTES = 4 << 20
_NO_LIST = ("bad-status", "service-reports", "service-refused", "not-json", "redirected", "too-large")
"""Reasons for which a service that answers has no list; the index may be there all the same."""

KNOWN = {
    "api.infini-gram.io": (
        "v4_olmo-2-0325-32b-instruct_llama",
        "v4_olmo-2-1124-13b-instruct_llama",
        "v4_olmoe-0125-1b-7b-instruct_llama",
        "v4_olmo-mix-1124_llama",
        "v4_dclm-baseline_llama",
        "v4_dolma-v1_7_llama",
        "v4_rpj_llama_s4",
        "v4_piletrain_llama",
        "v4_c4train_llama",
        "v4_pileval_llama",
        "v4_pileval_gpt2",
    ),
    "api.infini-gram-mini.io": ("v2_dclm_all", "v2_piletrain", "v2_pileval", "v2_cc_2025-05", "v2_cc_2025-08"),
}
"""Names that the documentation of public services had in December 2025, for those that do not tell."""


@dataclass(frozen=True)
class ListedIndex:
    """An index of a service.

    tokens, documents: Its size; None where the service does not tell.
    """

    name: str
    tokens: int | None = None
    documents: int | None = None


@dataclass(frozen=True)
class ServiceIndexes:
    """What a service tells about its indexes.

    indexes: The indexes; none if the service does not tell.
    sends_tokenizer: Whether it is a server of this program, which sends the tokenizers of its indexes.
    is_known: Whether these are names of the documentation, because the service does not tell.
    """

    host: str
    indexes: tuple[ListedIndex, ...] = ()
    sends_tokenizer: bool = False
    is_known: bool = False


def list_indexes(
    url: str, *, allow_remote: bool = False, token: str | None = None, cancel: CancelToken | None = None
) -> ServiceIndexes:
    """Ask a service for its indexes.

    url: Its address; what follows "#" is ignored.
    allow_remote: Whether a host that is not this machine may be asked.
    token: What its server asks for; None for nothing.
    Raises `RemoteError` if the address may not be asked, or nobody answers there.
    """
    address = remote_address(url, (lambda host: True) if allow_remote else None)
    client = Client(address, token)
    described = _answer(client, "/healthz", cancel, token is not None)
    if isinstance(described, dict) and described.get("protocol") == PROTOCOL:
        found = described.get("indexes")
        rows = [_listed(row) for row in found if isinstance(row, dict)] if isinstance(found, list) else []
        return ServiceIndexes(address.short, tuple(row for row in rows if row.name)[:MOST_LISTED], sends_tokenizer=True)
    names = _answer(client, "/", cancel, False)
    listed = [name for name in names if isinstance(name, str) and name] if isinstance(names, list) else []
    known = () if listed else KNOWN.get(address.host, ())
    indexes = tuple(ListedIndex(name) for name in (*listed[:MOST_LISTED], *known))
    return ServiceIndexes(address.short, indexes, is_known=bool(known))


def _answer(client: Client, path: str, cancel: CancelToken | None, refuses: bool) -> Any:
    """A page as JSON; None if the service has none. `refuses`: whether a refusal is an error, as of a wrong token."""
    try:
        request = Request(path, seconds=_SECONDS, most_bytes=_MOST_BYTES)
        return read_json(client.ask(request, cancel), client.address)
    except RemoteError as error:
        is_refusal = error.fields.get("status") == 401 or (refuses and error.reason == "service-refused")
        if error.reason in _NO_LIST and not is_refusal:
            return None
        raise


def _listed(row: dict[str, Any]) -> ListedIndex:
    name, tokens, documents = row.get("name"), row.get("tokens"), row.get("documents")
    return ListedIndex(name if isinstance(name, str) else "", _figure(tokens), _figure(documents))


def _figure(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None

"""Opening an index of another machine whose server takes the questions of the seam."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from explorer.backends.asked.asker import Asker
from explorer.backends.asked.backend import AskedBackend, Reopening, facts_from, tokenizer_from
from explorer.backends.asked.questions import PATH
from explorer.backends.request import TokenizerChoice
from explorer.errors import CapabilityError, CorpusError, QueryError, TokenizerError
from explorer.jobs import CancelToken
from explorer.remote.client import Client, Request

_KINDS: dict[str, type[CorpusError]] = {"QueryError": QueryError, "TokenizerError": TokenizerError}
_MOST_TOLD = 500
"""Characters of an error that another machine sends."""


@dataclass(frozen=True)
class Sender:
    """Sends questions about one index to its server.

    Attributes
    ----------
    client
        Asks the server.
    index
        The name of the index there.
    """

    client: Client
    index: str

    def __call__(self, name: str, arguments: list[Any], cancel: CancelToken | None) -> Any:
        """Send a question: see `explorer.backends.asked.asker.Send`."""
        request = Request.of_json({"index": self.index, "arguments": arguments}, PATH + name)
        data = self.client.ask(request, cancel).data
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and "answer" in found:
            return found["answer"]
        if isinstance(found, dict) and isinstance(found.get("error"), dict):
            raise _told(found["error"])
        raise Asker(self, self.client.address.short).wrong(name)


def open_asked(
    client: Client,
    index: str,
    tokenizer: TokenizerChoice = None,
    check_fit: bool = True,
    cancel: CancelToken | None = None,
    *,
    reopening: Reopening,
) -> AskedBackend:
    """Open an index of another machine.

    Parameters
    ----------
    client
        Asks its server, which has announced that it takes questions.
    index
        The name of the index there.
    tokenizer
        A tokenizer; None for that of the index, which the server sends.
    check_fit
        Whether to refuse a tokenizer that is not that of the index.
    cancel
        Stops the work.
    reopening
        What a pickle of the index holds: how to open it again.

    Returns
    -------
    AskedBackend
        The index. Each question is one request.

    Raises
    ------
    CorpusError
        If the server cannot be asked, does not know the index, or the tokenizer does not fit.
    Cancelled
        If it was cancelled.
    """
    asker = Asker(Sender(client, index), client.address.short)
    facts = facts_from(asker, cancel)
    chosen = tokenizer_from(asker, facts, tokenizer, check_fit, cancel)
    address = f"{client.address.origin}{client.address.path}#{index}"
    return AskedBackend(asker, facts, chosen, address, reopening)


def _told(error: dict[str, Any]) -> CorpusError:
    """An error of the index, as its server tells it; foreign text, so it is short and on one line."""
    text = " ".join("".join(char if char.isprintable() else " " for char in str(error.get("text", ""))).split())
    text = text[:_MOST_TOLD]
    if error.get("kind") == "CapabilityError":
        return CapabilityError(text)
    kind = _KINDS.get(str(error.get("kind")), CorpusError)
    reason = error.get("reason")
    return kind("{text}", reason=reason if isinstance(reason, str) else "", text=text)

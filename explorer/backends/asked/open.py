"""Opening an index of another machine whose server takes the questions of the seam."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from explorer.backends.asked.asker import Asker
from explorer.backends.asked.backend import AskedBackend, Reopening, facts_from, tokenizer_from
from explorer.backends.asked.errors import told_error
from explorer.backends.asked.questions import PATH
from explorer.backends.request import TokenizerChoice
from explorer.core.jobs import CancelToken
from explorer.http.client import Client, Request


@dataclass(frozen=True)
class Sender:
    """Sends questions about one index to its server."""

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
            raise told_error(found["error"])
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

    client: Asks its server, which has announced that it takes questions.
    tokenizer: A tokenizer; None for that of the index, which the server sends.
    check_fit: Whether to refuse a tokenizer that is not that of the index.
    reopening: What a pickle of the index holds: how to open it again.
    Raises `CorpusError` if the server cannot be asked, does not know the index, or the tokenizer does not fit.
    """
    asker = Asker(Sender(client, index), client.address.short)
    facts = facts_from(asker, cancel)
    chosen = tokenizer_from(asker, facts, tokenizer, check_fit, cancel)
    address = f"{client.address.origin}{client.address.path}#{index}"
    return AskedBackend(asker, facts, chosen, address, reopening)

"""What an index on another machine is, as both ends write and read it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from explorer.backends.asked.kinds import fits
from explorer.backends.asked.questions import QuestionError
from explorer.backends.protocol.locations import Holding
from explorer.backends.protocol.protocol import Backend
from explorer.backends.protocol.values import Capabilities
from explorer.i18n import tr

_NUMBERS = ("token_count", "document_count", "document_slots", "separator")
_TEXTS = ("name", "fingerprint", "tokenizer_name", "tokenizer_fingerprint")


@dataclass(frozen=True)
class Facts:
    """What an index is.

    name, fingerprint, token_count, document_count, document_slots, separator: As those of
        `explorer.backends.protocol.protocol.Backend`.
    tokenizer_name, tokenizer_fingerprint: Of its tokenizer; both "" if it has none, and the second "" for bytes.
    capabilities: What it can be asked, by the names of `Capabilities`.
    special_as_text: Whether the index has special tokens in texts as text, and queries follow it.
    """

    name: str
    fingerprint: str
    token_count: int
    document_count: int
    document_slots: int
    separator: int
    tokenizer_name: str
    tokenizer_fingerprint: str
    capabilities: tuple[str, ...]
    special_as_text: bool = False

    @property
    def can(self) -> Capabilities:
        """What can be asked over a connection: all that the index can, but what takes minutes or makes files."""
        known = [field.name for field in fields(Capabilities) if field.type == "bool"]
        asked = {name: name in self.capabilities for name in known}
        asked |= {"subtraction": False, "lists": False}
        return Capabilities(**asked, why_not=tr("This needs the files of the index, which are on another machine."))


def facts_of(backend: Backend) -> dict[str, Any]:
    """Describe an index as JSON, without anything about where it is stored."""
    tokenizer = backend.tokenizer if backend.has_tokenizer else None
    able = [field.name for field in fields(Capabilities) if getattr(backend.capabilities, field.name) is True]
    return {
        "name": backend.name,
        "fingerprint": backend.fingerprint,
        "token_count": backend.token_count,
        "document_count": backend.document_count,
        "document_slots": backend.document_slots,
        "separator": backend.separator,
        "tokenizer_name": tokenizer.name if tokenizer else "",
        "tokenizer_fingerprint": tokenizer.fingerprint if tokenizer else "",
        "capabilities": able,
        **({"special_as_text": True} if tokenizer is not None and tokenizer.special_as_text else {}),
    }


def read_facts(data: Any) -> Facts:
    """Read a description of an index."""
    if not isinstance(data, dict):
        raise QuestionError("the facts of an index are an object")
    able = data.get("capabilities")
    numbers = all(fits("int", data.get(name)) and data[name] >= 0 for name in _NUMBERS)
    texts = all(isinstance(data.get(name), str) for name in _TEXTS)
    if not numbers or not texts or not isinstance(able, list) or not all(isinstance(one, str) for one in able):
        raise QuestionError("a fact of the index is missing")
    as_text = data.get("special_as_text") is True
    return Facts(
        **{name: data[name] for name in (*_TEXTS, *_NUMBERS)}, capabilities=tuple(able), special_as_text=as_text
    )


def read_holdings(data: Any) -> tuple[Holding, ...]:
    """Read a list of the folders of an index on several machines."""
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise QuestionError("the folders of an index are a list of objects")
    return tuple(map(_holding, data))


def _holding(row: dict[str, Any]) -> Holding:
    texts, numbers = ("folder", "fingerprint"), ("shard_count", "token_count", "document_count")
    machines = row.get("machines")
    known = isinstance(machines, list) and all(isinstance(one, str) for one in machines)
    whole = all(fits("int", row.get(name)) and row[name] >= 0 for name in numbers)
    if not known or not whole or not all(isinstance(row.get(name), str) for name in texts):
        raise QuestionError("a fact of a folder is missing")
    return Holding(**{name: row[name] for name in (*texts, *numbers)}, machines=tuple(row["machines"]))

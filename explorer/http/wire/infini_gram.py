"""The protocol of infini-gram's API: kinds of questions, their fields and limits, and the fields of answers.

A question is one JSON object, sent by POST to one address. Its answer is another, and a status of 200 does not mean
success: a field `error` means failure. The server and the client of this program read these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.http.wire.errors import BadReplyError
from explorer.i18n import mark

PROTOCOL = 1
"""The version that `GET /healthz` of this program gives."""

IGNORED = frozenset({"engine", "source", "timestamp"})
"""Fields that clients of the API send, and that mean nothing."""


@dataclass(frozen=True)
class Limits:
    """The largest question that is answered; the defaults are those of the public API.

    tokens: Tokens of all n-grams of a question together.
    clauses, terms: Clauses joined by AND, and n-grams of one clause.
    max_support, max_clause_freq, max_diff_tokens, maxnum, max_disp_len: The largest values of the fields with these
        names; the least is 1.
    """

    characters: int = 1_000
    tokens: int = 500
    clauses: int = 4
    terms: int = 4
    max_support: int = 1_000
    max_clause_freq: int = 500_000
    max_diff_tokens: int = 1_000
    maxnum: int = 10
    max_disp_len: int = 10_000


LIMITS = Limits()
"""The limits of the public API."""

DEFAULTS: Mapping[str, int] = {
    "max_support": 1_000,
    "max_clause_freq": 50_000,
    "max_diff_tokens": 100,
    "maxnum": 1,
    "max_disp_len": 1_000,
}
"""The values of optional fields that are left out."""

Fields = Mapping[str, type]
"""The types of fields, by their names; a float may be written as a whole number."""

_CNF = ("max_clause_freq", "max_diff_tokens")
_PROB: Fields = {"prompt_cnt": int, "cont_cnt": int, "prob": float}
_NTD: Fields = {"prompt_cnt": int, "approx": bool, "result_by_token_id": dict}
_SUFFIX: Fields = {"suffix_len": int, "longest_suffix": str}

COMMON_REPLY: Fields = {"token_ids": list, "tokens": list, "latency": float}
"""Fields of every answer: the tokens of the question, nested as they were asked, and milliseconds in the engine."""

TOKEN_REPLY: Fields = {"token": str, "prob": float, "cont_cnt": int}
"""Fields of each value of `result_by_token_id`, whose keys are token ids as text."""

DOCUMENT_REPLY: Fields = {
    "doc_ix": int,
    "doc_len": int,
    "disp_len": int,
    "needle_offset": int,
    "metadata": str,
    "token_ids": list,
    "spans": list,
}
"""Fields of a document. `spans` are pairs: a text, and the number of the clause that it matches, as text, or None.

`token_ids` are those of the document in `documents` only. In the answer to `get_doc_by_rank` or `get_doc_by_ptr` they
are those of the question; a server of this program gives the document's as `doc_token_ids`, in all three.
"""


@dataclass(frozen=True)
class QueryType:
    """A kind of question.

    reply: Fields of its answer, besides `COMMON_REPLY`.
    options: Optional fields, whole numbers: see `DEFAULTS` and `Limits`.
    required: Required fields, whole numbers of at least 0.
    shape: What it takes: "ngram", "cnf" (clauses) or "both".
    may_be_empty: Whether it takes an n-gram without tokens.
    """

    name: str
    reply: Fields
    options: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    shape: str = "ngram"
    may_be_empty: bool = True


_SEARCH: Fields = {"cnt": int, "approx": bool, "idxs": list, "documents": list, "message": str}
_KINDS = (
    QueryType("count", {"count": int, "approx": bool}, _CNF, shape="both"),
    QueryType("prob", _PROB, may_be_empty=False),
    QueryType("ntd", _NTD, ("max_support",)),
    QueryType("infgram_prob", {**_PROB, **_SUFFIX}, may_be_empty=False),
    QueryType("infgram_ntd", {**_NTD, **_SUFFIX}, ("max_support",)),
    QueryType("find", {"cnt": int, "segment_by_shard": list}),
    QueryType("find_cnf", {"cnt": int, "approx": bool, "ptrs_by_shard": list}, _CNF, shape="cnf"),
    QueryType("get_doc_by_rank", DOCUMENT_REPLY, ("max_disp_len",), ("s", "rank"), "both"),
    QueryType("get_doc_by_ptr", DOCUMENT_REPLY, ("max_disp_len",), ("s", "ptr"), "both"),
    QueryType("search_docs", _SEARCH, ("maxnum", "max_disp_len", *_CNF), shape="both"),
)

QUERY_TYPES: Mapping[str, QueryType] = {kind.name: kind for kind in _KINDS}
"""All kinds, by their names."""


@dataclass(frozen=True)
class Question:
    """A question as it is sent.

    query: A text; None if token ids are given.
    query_ids: Token ids, or clauses of n-grams of them; None if a text is given.
    numbers: Further fields, by their names.

    Examples
    --------
    >>> Question("news", QUERY_TYPES["ntd"], query_ids=[5, 6], numbers={"max_support": 10}).payload
    {'index': 'news', 'query_type': 'ntd', 'query_ids': [5, 6], 'max_support': 10}
    """

    index: str
    kind: QueryType
    query: Any = None
    query_ids: Any = None
    numbers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def payload(self) -> dict[str, Any]:
        """The object to send."""
        asked = {"query": self.query} if self.query is not None else {"query_ids": self.query_ids}
        return {"index": self.index, "query_type": self.kind.name, **asked, **self.numbers}


def check_reply(kind: QueryType, reply: Mapping[str, Any]) -> None:
    """Refuse an answer that lacks a field, or has one of another type; further fields do not matter.

    Raises `BadReplyError` if it is not the answer to such a question.

    Examples
    --------
    >>> check_reply(QUERY_TYPES["count"], {"count": "5"})
    Traceback (most recent call last):
    explorer.http.wire.errors.BadReplyError: The answer to "count" has no usable field "count".
    """
    _check(kind.name, {**kind.reply, **COMMON_REPLY}, reply)
    for row in reply.get("result_by_token_id", {}).values():
        _check(kind.name, TOKEN_REPLY, row)
    for row in reply.get("documents", ()):
        _check(kind.name, DOCUMENT_REPLY, row)


def _check(name: str, fields: Fields, reply: Any) -> None:
    for key, wanted in fields.items():
        value = reply.get(key) if isinstance(reply, Mapping) else None
        # Exact types: a bool is not a count.
        if type(value) is not wanted and not (wanted is float and type(value) is int):
            raise BadReplyError(
                mark('The answer to "{question}" has no usable field "{field}".'),
                reason="bad-reply",
                question=name,
                field=key,
            )

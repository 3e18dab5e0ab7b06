"""Answers to the questions of infini-gram's API, from the calls of its package.

Counts are exact, so `approx` is always False, `max_support` and `max_clause_freq` only limit what is read and listed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from explorer.core.jobs import CancelToken
from explorer.http.wire.errors import RefusedError
from explorer.http.wire.infini_gram import LIMITS, Limits, Question
from explorer.http.wire.reading import is_cnf
from explorer.serve.indexes import ServedIndex

MOST_OCCURRENCES = 10_000_000
"""Occurrences of all n-grams of AND and OR together: all are read, which takes a second and 300 MB."""

Reply = dict[str, Any]
Numbers = Mapping[str, Any]


def answer(index: ServedIndex, question: Question, cancel: CancelToken, limits: Limits = LIMITS) -> Reply:
    """Answer a question.

    limits: How large it may be.
    Raises `RefusedError` if the question is not one that this index can answer.

    Examples
    --------
    >>> from explorer.serve.indexes import served
    >>> from explorer.http.wire.reading import read_question
    >>> asked = read_question({"index": "Cats", "query_type": "count", "query": "cat AND mat"})
    >>> answer(served([("", corpus)])["Cats"], asked, CancelToken())["count"]
    1
    """
    ids = index.ids_of(question.query, question.query_ids, limits)
    if not ids and not question.kind.may_be_empty:
        raise RefusedError("Please provide a non-empty query!")
    began = time.perf_counter()
    found = _KINDS[question.kind.name](index, ids, question.numbers, cancel)
    if "error" in found:
        raise RefusedError(found["error"])
    milliseconds = (time.perf_counter() - began) * 1_000
    return {**found, "latency": milliseconds, "token_ids": ids, "tokens": _pieces(index, ids)}


def _pieces(index: ServedIndex, ids: Sequence[Any]) -> list[Any]:
    """The spelling of tokens, nested as they are."""
    return [index.piece(each) if isinstance(each, int) else _pieces(index, each) for each in ids]


# --- counts ------------------------------------------------------------------------------------


def _count(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    if not is_cnf(ids):
        return {**index.counted.count(ids)}
    _check_occurrences(index, ids)
    return {**index.engine.count_cnf(ids, **numbers, cancel=cancel)}


def _prob(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return {**index.counted.prob(ids[:-1], ids[-1])}


def _infgram_prob(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return _with_suffix(index, {**index.counted.infgram_prob(ids[:-1], ids[-1])}, ids[:-1])


def _ntd(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return _with_tokens(index, {**index.counted.ntd(ids, **numbers, cancel=cancel)})


def _infgram_ntd(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    found = {**index.counted.infgram_ntd(ids, **numbers, cancel=cancel)}
    return _with_suffix(index, _with_tokens(index, found), ids)


def _with_suffix(index: ServedIndex, found: Reply, context: list[int]) -> Reply:
    if "error" in found:
        return found
    suffix = context[len(context) - found["suffix_len"] :]
    return {**found, "longest_suffix": index.text(suffix)}


def _with_tokens(index: ServedIndex, found: Reply) -> Reply:
    if "error" in found:
        return found
    rows = found["result_by_token_id"].items()
    # The API undoes this mark of a space here, and in no other place.
    named = {token: {"token": index.piece(token).replace("Ġ", " "), **row} for token, row in rows}
    return {**found, "result_by_token_id": named}


# --- occurrences -------------------------------------------------------------------------------


def _find(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return {**index.engine.find(ids)}


def _find_cnf(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    _check_occurrences(index, ids)
    found: Reply = {**index.engine.find_cnf(ids, **numbers, cancel=cancel)}
    if found.get("cnt", 0) <= LIMITS.max_clause_freq:
        return found
    # The count stays exact; pointers to millions of matches would be an answer of a hundred megabytes.
    left = LIMITS.max_clause_freq
    listed: list[list[int]] = []
    for pointers in found["ptrs_by_shard"]:
        listed.append(pointers[:left])
        left -= len(listed[-1])
    return {**found, "ptrs_by_shard": listed, "truncated": True}


def _check_occurrences(index: ServedIndex, ids: Any) -> None:
    if not is_cnf(ids):
        return
    count = sum(index.corpus.index.counts.count(ngram) for clause in ids for ngram in clause if ngram)
    if count > MOST_OCCURRENCES:
        raise RefusedError(
            f"The terms of this query occur {count:,} times; this server reads {MOST_OCCURRENCES:,} at most. "
            "Please enter rarer terms!"
        )


def _search_docs(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    if is_cnf(ids):
        _check_occurrences(index, ids)
        found: Reply = {**index.engine.search_docs_cnf(ids, **numbers, cancel=cancel)}
    else:
        drawn = {name: value for name, value in numbers.items() if name in ("maxnum", "max_disp_len")}
        found = {**index.engine.search_docs(ids, **drawn)}
    if "error" in found:
        return found
    shown = f"{found['cnt']} occurrences found. Displaying the documents of occurrences #{found['idxs']}"
    documents = [_with_spans(index, document, ids) for document in found["documents"]]
    return {**found, "documents": documents, "message": shown if found["cnt"] else "0 occurrences found"}


def _doc_by_rank(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return _with_spans(index, {**index.engine.get_doc_by_rank(**numbers)}, ids)


def _doc_by_ptr(index: ServedIndex, ids: Any, numbers: Numbers, cancel: CancelToken) -> Reply:
    return _with_spans(index, {**index.engine.get_doc_by_ptr(**numbers)}, ids)


def _with_spans(index: ServedIndex, found: Reply, ids: Any) -> Reply:
    if "error" in found:
        return found
    runs = marked(found["token_ids"], ids if is_cnf(ids) else [[ids]])
    spans = [[index.text(run), label] for run, label in runs]
    # In answers with one document, `token_ids` are those of the question, as in the API, and cover the document's.
    return {**found, "doc_token_ids": found["token_ids"], "spans": spans}


def marked(tokens: list[int], clauses: Sequence[Sequence[list[int]]]) -> list[tuple[list[int], str | None]]:
    """Cut the tokens of a document at the n-grams of a query.

    clauses: The n-grams of each clause. Those that come first are marked first, each from the left; marks do not
        overlap.
    Returns: Runs of tokens, none of them empty, each with the number of the clause whose n-gram it is, or None.

    Examples
    --------
    >>> marked([1, 2, 3, 1, 2], [[[1, 2]], [[3]]])
    [([1, 2], '0'), ([3], '1'), ([1, 2], '0')]
    """
    runs: list[tuple[list[int], str | None]] = [(tokens, None)] if tokens else []
    for number, clause in enumerate(clauses):
        for ngram in filter(None, clause):
            runs = [part for run, label in runs for part in _cut(run, label, ngram, str(number))]
    return runs


def _cut(run: list[int], label: str | None, ngram: list[int], found: str) -> list[tuple[list[int], str | None]]:
    if label is not None:
        return [(run, label)]
    parts: list[tuple[list[int], str | None]] = []
    begin = at = 0
    while at + len(ngram) <= len(run):
        if run[at] == ngram[0] and run[at : at + len(ngram)] == ngram:
            parts += [(run[begin:at], None), (ngram, found)]
            begin = at = at + len(ngram)
        else:
            at += 1
    return [part for part in (*parts, (run[begin:], None)) if part[0]]


_KINDS: Mapping[str, Callable[[ServedIndex, Any, Numbers, CancelToken], Reply]] = {
    "count": _count,
    "prob": _prob,
    "ntd": _ntd,
    "infgram_prob": _infgram_prob,
    "infgram_ntd": _infgram_ntd,
    "find": _find,
    "find_cnf": _find_cnf,
    "get_doc_by_rank": _doc_by_rank,
    "get_doc_by_ptr": _doc_by_ptr,
    "search_docs": _search_docs,
}

"""How a question of the protocol is read: its fields, its text as n-grams, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from explorer.http.wire.errors import RefusedError
from explorer.http.wire.infini_gram import IGNORED, LIMITS, QUERY_TYPES, Limits, Question

Ids = list[int]
Cnf = list[list[list[int]]]
"""Clauses joined by AND; each is a list of n-grams joined by OR."""

_HEX = frozenset("0123456789abcdefABCDEF")


def read_question(payload: object, limits: Limits = LIMITS) -> Question:
    """Read the fields of a question.

    Returns: The question; its text and its ids are as they were sent.
    Raises `RefusedError` if a field is missing, unknown or out of range.

    Examples
    --------
    >>> read_question({"corpus": "news", "query_type": "count", "query": "the cat"}).index
    'news'
    >>> read_question({"index": "news", "query_type": "engine", "query": ""})
    Traceback (most recent call last):
    explorer.http.wire.errors.RefusedError: [Flask] Invalid query_type: engine
    """
    if not isinstance(payload, dict):
        raise RefusedError("A question must be a JSON object", 400)
    for name, found in (("query_type", "query_type" in payload), ("index", bool({"index", "corpus"} & set(payload)))):
        if not found:
            raise RefusedError(f"Missing required field: '{name}'", 400)
    if ("query" in payload) == ("query_ids" in payload):
        raise RefusedError("Exactly one of query and query_ids must be present!", 400)
    # `corpus` is the old name, and still wins.
    index, name = payload.get("corpus", payload.get("index")), payload["query_type"]
    if not isinstance(index, str):
        raise RefusedError("Invalid index", 400)
    kind = QUERY_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RefusedError(f"Invalid query_type: {name[:40]}" if isinstance(name, str) else "Invalid query_type", 400)
    read = {"query_type", "index", "corpus", "query", "query_ids", *IGNORED}
    further = {key: value for key, value in payload.items() if key not in read}
    _check_names(further, kind.options, kind.required)
    numbers = {key: value for key, value in further.items() if value is not None or key in kind.required}
    for key in kind.options:
        _check_range(key, numbers.get(key), getattr(limits, key))
    return Question(index, kind, payload.get("query"), payload.get("query_ids"), numbers)


def _check_names(further: Mapping[str, object], options: tuple[str, ...], required: tuple[str, ...]) -> None:
    for name in required:
        if name not in further:
            raise RefusedError(f"Missing required field: '{name}'", 400)
    for name in further:
        if name not in (*options, *required):
            raise RefusedError(f"Unknown field: '{name[:40]}'", 400)


def _check_range(name: str, value: object, most: int) -> None:
    if value is not None and not (type(value) is int and 1 <= value <= most):
        raise RefusedError(f"{name} must be an integer in [1, {most}]!")


def read_text(text: object, encode: Callable[[str], Ids], limits: Limits = LIMITS) -> Ids | Cnf:
    """Read a query as n-grams: " AND " splits it first, then " OR ", so OR binds tighter.

    encode: Gives the ids of one n-gram, see `ngram_ids`.
    limits: How long it may be.
    Returns: Token ids; or clauses of n-grams, if the text has one of the two words between spaces.
    Raises `RefusedError` if it is not a text, or too long.

    Examples
    --------
    >>> read_text("a AND b OR c", lambda term: [ord(term)])
    [[[97]], [[98], [99]]]
    """
    if not isinstance(text, str):
        raise RefusedError("query must be a string!")
    if len(text) > limits.characters:
        raise RefusedError(f"Please limit your input to <= {limits.characters} characters!")
    if " AND " not in text and " OR " not in text:
        return encode(text)
    return [[encode(term) for term in clause.split(" OR ")] for clause in text.split(" AND ")]


def ngram_ids(text: str, style: str, encode: Callable[[str], Ids], lone_space: int | None) -> Ids:
    r"""Tokenize one n-gram of a query by the rules of the API, which differ by the kind of tokenizer.

    style: How the tokenizer spells its tokens, as in `explorer.text.tokens.spelling`.
    lone_space: The token of a space alone; None if there is none.
    Returns: Token ids. For "byte-level" tokenizers (GPT-2, OLMo, NeoX) a space is put before the text; for
        "sentencepiece" (Llama 2) the token of a lone space is dropped at its beginning; for "bytes" `\xHH` is one byte.

    Examples
    --------
    >>> ngram_ids("a\\xff", "bytes", lambda text: list(text.encode()), None)
    [97, 255]
    >>> ngram_ids("a", "byte-level", lambda text: list(text.encode()), None)
    [32, 97]
    """
    if style == "bytes":
        return _read_bytes(text)
    if style == "byte-level":
        return encode(f" {text}") if text else encode(text)
    ids = encode(text)
    return ids[1:] if style == "sentencepiece" and ids[:1] == [lone_space] else ids


def _read_bytes(text: str) -> Ids:
    found = bytearray()
    at = 0
    while at < len(text):
        digits = text[at + 2 : at + 4]
        if text.startswith("\\x", at) and len(digits) == 2 and _HEX.issuperset(digits):
            found.append(int(digits, 16))
            at += 4
        else:
            found += text[at].encode("utf-8", "replace")
            at += 1
    return list(found)


def check_ids(ids: Any, vocabulary: int, separator: int, limits: Limits = LIMITS) -> Ids | Cnf:
    """Refuse what is not an n-gram or a list of clauses, or is too large.

    vocabulary: One more than the largest token of the tokenizer.
    separator: The id before each document, which is allowed too.

    Examples
    --------
    >>> check_ids([5, 2**63], 32_000, 65_535)
    Traceback (most recent call last):
    explorer.http.wire.errors.RefusedError: Some item(s) in your query_ids are out-of-range!
    """
    if _are_ids(ids):
        clauses: Cnf = [[ids]]
    elif is_cnf(ids):
        clauses = ids
    else:
        raise RefusedError("query_ids must be a list of integers, or a triply-nested list of integers!")
    ngrams = [ngram for clause in clauses for ngram in clause]
    if sum(map(len, ngrams)) > limits.tokens:
        raise RefusedError(f"Please limit your input to <= {limits.tokens} tokens!")
    if len(clauses) > limits.clauses:
        raise RefusedError(f"Please enter at most {limits.clauses} disjunctive clauses!")
    if any(len(clause) > limits.terms for clause in clauses):
        raise RefusedError(f"Please enter at most {limits.terms} terms in each disjunctive clause!")
    if any(not 0 <= token < vocabulary and token != separator for ngram in ngrams for token in ngram):
        raise RefusedError("Some item(s) in your query_ids are out-of-range!")
    checked: Ids | Cnf = ids
    return checked


def _are_ids(value: Any) -> bool:
    return type(value) is list and all(type(token) is int for token in value)


def is_cnf(value: Any) -> bool:
    """Whether these are clauses of n-grams, and not one n-gram; [] is an n-gram.

    Examples
    --------
    >>> is_cnf([[[5, 6]], [[7]]]), is_cnf([5, 6]), is_cnf([])
    (True, False, False)
    """
    return (
        type(value) is list
        and bool(value)
        and all(type(clause) is list and all(_are_ids(ngram) for ngram in clause) for clause in value)
    )

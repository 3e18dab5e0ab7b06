"""What an answer must be to make sense: the numbers of the protocol in relation to each other.

Checked before an answer is kept, so that nothing wrong is found on the disk later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from explorer.http.wire.infini_gram import Question

Answer = Mapping[str, Any]


def nonsense(question: Question, answer: Answer) -> str:
    """Tell what is wrong with an answer whose fields are there.

    Returns: A clause; "" if nothing is wrong.

    Examples
    --------
    >>> from explorer.http.wire.infini_gram import QUERY_TYPES
    >>> nonsense(Question("news", QUERY_TYPES["count"], query_ids=[5]), {"count": -1, "approx": False})
    'a count is not exact, or below 0'
    """
    check = _CHECKS.get(question.kind.name)
    try:
        return check(len(question.query_ids), answer) if check else ""
    # Whatever a list that is not a list of pairs makes Python raise.
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        return "a part of it is not what it should be"


def _count(length: int, answer: Answer) -> str:
    return "a count is not exact, or below 0" if answer["count"] < 0 or answer["approx"] else ""


def _prob(length: int, answer: Answer) -> str:
    if not 0 <= answer["cont_cnt"] <= answer["prompt_cnt"]:
        return "a token follows more often than its context occurs"
    return _suffix(length - 1, answer)


def _ntd(length: int, answer: Answer) -> str:
    rows = answer["result_by_token_id"]
    counts = [row["cont_cnt"] for row in rows.values()]
    if any(int(token) < 0 for token in rows) or any(count < 1 for count in counts):
        return "a token that follows has no id or no count"
    # A sample may be of any size; its counts are multiplied by some services.
    if answer["prompt_cnt"] < 0 or (not answer["approx"] and sum(counts) > answer["prompt_cnt"]):
        return "more follows than there are occurrences"
    return _suffix(length, answer)


def _suffix(most: int, answer: Answer) -> str:
    return "a suffix is longer than its context" if not 0 <= answer.get("suffix_len", 0) <= most else ""


def _find(length: int, answer: Answer) -> str:
    ranges = [(first, last) for first, last in answer["segment_by_shard"]]
    if any(type(rank) is not int for pair in ranges for rank in pair):
        return "ranks are not numbers"
    if any(not 0 <= first <= last for first, last in ranges) or sum(b - a for a, b in ranges) != answer["cnt"]:
        return "the ranks of an n-gram contradict its count"
    return ""


def _document(length: int, answer: Answer) -> str:
    size, shown, needle = (answer[name] for name in ("doc_len", "disp_len", "needle_offset"))
    # An n-gram may begin with the separator, which is before the document.
    if not (0 <= shown <= size and -1 <= needle <= size and answer["doc_ix"] >= 0):
        return "the parts of a document contradict each other"
    if any(type(token) is not int or not 0 <= token < 2**32 for token in answer.get(DOCUMENT_IDS, ())):
        return "a document is not made of tokens"
    "".join(text for text, _ in answer["spans"])
    return ""


DOCUMENT_IDS = "doc_token_ids"
"""The tokens of a document, in the answers of servers of this program."""

_CHECKS: Mapping[str, Callable[[int, Answer], str]] = {
    "count": _count,
    "prob": _prob,
    "infgram_prob": _prob,
    "ntd": _ntd,
    "infgram_ntd": _ntd,
    "find": _find,
    "get_doc_by_rank": _document,
}

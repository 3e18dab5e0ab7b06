"""The dictionaries that the calls return, with the keys of the package."""

from __future__ import annotations

from typing import TypedDict


class ErrorResponse(TypedDict):
    """The answer to a call with an argument of the wrong type or out of range."""

    error: str


class CountResponse(TypedDict):
    """A count."""

    count: int
    approx: bool


class FindResponse(TypedDict):
    """A count, and in each shard the first rank of the n-gram, and one past the last."""

    cnt: int
    segment_by_shard: list[tuple[int, int]]


class FindCnfResponse(TypedDict):
    """A count, and in each shard the bytes at which the matches begin."""

    cnt: int
    approx: bool
    ptrs_by_shard: list[list[int]]


class ProbResponse(TypedDict):
    """Counts of a context, and of the context with a token; -1.0 as their ratio if the context does not occur."""

    prompt_cnt: int
    cont_cnt: int
    prob: float


class InfGramProbResponse(ProbResponse):
    """A probability after the longest suffix of a context that occurs."""

    suffix_len: int


class DistTokenResult(TypedDict):
    """A next token."""

    cont_cnt: int
    prob: float


class NtdResponse(TypedDict):
    """Next tokens after a context, by token id in ascending order."""

    prompt_cnt: int
    result_by_token_id: dict[int, DistTokenResult]
    approx: bool


class InfGramNtdResponse(NtdResponse):
    """Next tokens after the longest suffix of a context that occurs."""

    suffix_len: int


class CreativityResponse(TypedDict):
    """For each token, one past the end of the longest n-gram from there that occurs."""

    rs: list[int]


class DocResult(TypedDict):
    """A part of a document.

    `needle_offset` is the index in `token_ids` of the token that was asked for: -1 for a separator, which is before the
    text. `blocked` is always False.
    """

    doc_ix: int
    doc_len: int
    disp_len: int
    needle_offset: int
    metadata: str
    token_ids: list[int]
    blocked: bool


class SearchDocsResponse(TypedDict):
    """A count, the numbers of the occurrences that were drawn, and their documents."""

    cnt: int
    approx: bool
    idxs: list[int]
    documents: list[DocResult]


class AttributionDoc(TypedDict):
    """An occurrence: the number of the shard, and the byte."""

    s: int
    ptr: int


class AttributionSpan(TypedDict):
    """A span of a text: its first token, one past its last, and its occurrences."""

    l: int  # noqa: E741 (the package's name)
    r: int
    length: int
    count: int
    unigram_logprob_sum: float
    docs: list[AttributionDoc]


class AttributionResponse(TypedDict):
    """The spans of a text."""

    spans: list[AttributionSpan]

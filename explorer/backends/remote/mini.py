"""Questions to an index of infini-gram mini: texts are counted and found, and the text around them is read.

Its API (infini-gram-mini.io/docs) knows three of infini-gram's kinds of questions, takes texts and not tokens, and
gives texts. Here its bytes are the tokens, and the byte 255, which no text has, is the separator, as in its files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.backends.remote.sense import DOCUMENT_IDS, nonsense
from explorer.backends.remote.service import Answer, Service
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.http.cache import AnswerCache
from explorer.http.client import Client, Reply
from explorer.http.errors import RemoteError
from explorer.http.wire.infini_gram import LIMITS, QUERY_TYPES, Question
from explorer.i18n import tr

SEPARATOR = 255
_KINDS = ("count", "find", "get_doc_by_rank")
_CUT = "the text begins or ends within a character"
"""In place of an answer, which its program cannot write as JSON then."""
_TRIES = 7
"""Other lengths that are tried then: each end is within a character of at most four bytes."""
_FIELDS: Mapping[str, Mapping[str, type]] = {
    "count": {"count": int},
    "find": {"cnt": int, "segment_by_shard": list},
    "get_doc_by_rank": {"doc_ix": int, "doc_len": int, "disp_len": int, "needle_offset": int, "text": str},
}


class MiniService(Service):
    """Asks one index of infini-gram mini, and gives its answers the fields of infini-gram's."""

    def __init__(self, client: Client, name: str, cache: AnswerCache) -> None:
        super().__init__(client, name, cache)
        # It states no limits of its own for a query.
        self.limits = replace(LIMITS, tokens=LIMITS.characters)

    def question(self, kind: str, ids: Any, **numbers: int) -> Question:
        """Make a question.

        kind, ids, numbers: As for `Service.question`; ids are bytes.
        Raises `CapabilityError` if the service does not know this kind, or if the bytes are not a text.
        """
        if kind not in _KINDS:
            raise CapabilityError(
                tr(
                    "{host} counts and finds texts, but does not tell what follows them or where they are longest.",
                    host=self.host,
                )
            )
        text = self._text([int(byte) for byte in ids])
        # Without a text, a count also has the byte that ends each shard; the ranks tell how many there are.
        asked = "find" if kind == "count" and not text else kind
        length = numbers.pop("max_disp_len", None)
        around = {} if length is None else {"max_ctx_len": max(1, length // 2)}
        return Question(self.name, QUERY_TYPES[asked], query=text, numbers={**numbers, **around})

    def _text(self, data: list[int]) -> str:
        self.check_length(len(data))
        try:
            return bytes(data).decode()
        except ValueError:
            why_not = tr("{host} finds texts: not borders of documents, and not parts of characters.", host=self.host)
            raise CapabilityError(why_not) from None

    def ask_many(self, questions: Sequence[Question], cancel: CancelToken | None = None) -> list[Answer]:
        """Ask many questions, and those again whose text would end within a character.

        Raises `RemoteError` if there is no answer.
        Raises `BadReplyError` if there is no length at which a text can be written.
        """
        answers = super().ask_many(questions, cancel)
        for less in range(1, _TRIES + 1):
            cut = [number for number, answer in enumerate(answers) if _CUT in answer]
            if not cut:
                return answers
            shorter = [_shorter(questions[number], less) for number in cut]
            for number, answer in zip(cut, super().ask_many(shorter, cancel), strict=True):
                answers[number] = answer
        if any(_CUT in answer for answer in answers):
            raise self.unusable(_CUT)
        return answers

    def checked(self, question: Question, reply: Reply) -> Answer:
        """Read an answer.

        Returns: The fields that infini-gram's answer would have.
        Raises `RemoteError` if the service reports an error.
        Raises `BadReplyError` if it is not the answer to this question.
        """
        try:
            value = self.read(reply)
        except RemoteError as error:
            if "decode" in str(error) and question.kind.name == "get_doc_by_rank":
                return {_CUT: True}
            raise
        for name, kind in _FIELDS[question.kind.name].items():
            if not isinstance(value, dict) or type(value.get(name)) is not kind:
                raise self.unusable(f'it has no usable field "{name}"')
        answer = _document(value) if "text" in value else self._ranks(question, value)
        if wrong := nonsense(replace(question, query_ids=[*question.query.encode()]), answer):
            raise self.unusable(wrong)
        if DOCUMENT_IDS in answer and len(answer[DOCUMENT_IDS]) != answer["disp_len"]:
            raise self.unusable("a text has another length than the answer states")
        return answer

    def _ranks(self, question: Question, value: Answer) -> Answer:
        """A count or ranks, without the suffix that ends each shard: it is the first of the empty text."""
        if question.kind.name == "count":
            return {"count": value["count"], "approx": False}
        if question.query:
            return {"cnt": value["cnt"], "segment_by_shard": value["segment_by_shard"]}
        try:
            ranges = [[first + 1, last] for first, last in value["segment_by_shard"]]
        except (TypeError, ValueError) as error:
            raise self.unusable("ranks are not numbers") from error
        count = value["cnt"] - len(ranges)
        return {"cnt": count, "segment_by_shard": ranges, "count": count, "approx": False}

    def document_count(self, shards: int, cancel: CancelToken | None = None) -> int:
        """Find the number of documents, which is not told: the last suffix of a shard is in its last document.

        Raises `BadReplyError` if the first rank is not that of the end, as in indexes of another program.
        """
        asked = Question(
            self.name,
            QUERY_TYPES["get_doc_by_rank"],
            query="",
            numbers={"s": shards - 1, "rank": 0, "max_ctx_len": 1},
        )
        [answer] = self.ask_many([asked], cancel)
        if answer["needle_offset"] != answer["disp_len"]:
            raise self.unusable("the number of its documents cannot be found out")
        return int(answer["doc_ix"]) + 1


def _shorter(question: Question, less: int) -> Question:
    around = max(1, question.numbers["max_ctx_len"] - less)
    return replace(question, numbers={**question.numbers, "max_ctx_len": around})


def _document(value: Answer) -> Answer:
    """A document with its bytes as tokens, and its metadata as a line."""
    told = value.get("metadata", "")
    return {
        **{name: value[name] for name in ("doc_ix", "doc_len", "disp_len", "needle_offset")},
        "metadata": told if isinstance(told, str) else json.dumps(told),
        "spans": [[value["text"], None]],
        DOCUMENT_IDS: [*value["text"].encode("utf-8", "replace")],
    }

"""A service in this process that answers infini-gram's protocol about an index, as the public API does."""

from __future__ import annotations

from typing import Any

from faulty_service import Answer, FaultyService

from explorer.core.jobs import CancelToken
from explorer.http.wire.errors import RefusedError
from explorer.http.wire.infini_gram import QUERY_TYPES
from explorer.http.wire.reading import read_question
from explorer.serve.indexes import served
from explorer.serve.infini_gram.answers import answer


class RemoteIndex(FaultyService):
    """Answers about some corpora, with a name each; what follows more than `sampled` occurrences is sampled.

    Attributes
    ----------
    url
        The address of the first index, with its name.
    """

    def __init__(
        self, corpora: dict[str, Any], *faults: str | Answer, sampled: int = 0, delay: float = 0, port: int = 0
    ) -> None:
        super().__init__(self._answer, *faults, delay=delay, port=port)
        self.indexes = served([*corpora.items()])
        self.sampled = sampled
        self.service = self.url
        self.url = f"{self.url}#{next(iter(corpora))}"

    def _answer(self, payload: Any) -> Answer:
        if payload is None:
            # The public API has no other page.
            return Answer.of([*self.indexes]) if self.paths[-1] == "/" else Answer.of({"message": "Not Found"}, 404)
        try:
            question = read_question(payload)
            if question.index not in self.indexes:
                raise RefusedError(f"Invalid index: {question.index}", 400)
            found = answer(self.indexes[question.index], question, CancelToken())
        except RefusedError as error:
            return Answer.of(error.reply, error.status)
        # What only servers of this program give.
        found.pop("doc_token_ids", None)
        limit = min(self.sampled, payload.get("max_support", 1000))
        return Answer.of(_sampled(found, limit) if question.kind in _NTD and limit else found)

    def questions(self, kind: str | None = None) -> int:
        """How many questions came, of one kind or of all."""
        return sum(1 for each in self.asked if each is not None and kind in (None, each["query_type"]))


_NTD = (QUERY_TYPES["ntd"], QUERY_TYPES["infgram_ntd"])


def _sampled(found: dict[str, Any], support: int) -> dict[str, Any]:
    """What the engine gives above the limit: every 2^k-th occurrence stands for 2^k."""
    total, unit = found["prompt_cnt"], 1
    while total > unit * support:
        unit *= 2
    if unit == 1:
        return found
    occurrences = [token for token, row in found["result_by_token_id"].items() for _ in range(row["cont_cnt"])]
    rows: dict[Any, Any] = {}
    for first in range(0, len(occurrences), unit):
        token = occurrences[min(first + unit // 2, len(occurrences) - 1)]
        row = rows.setdefault(token, {**found["result_by_token_id"][token], "cont_cnt": 0})
        row["cont_cnt"] += min(unit, len(occurrences) - first)
    for row in rows.values():
        row["prob"] = row["cont_cnt"] / total
    return {**found, "result_by_token_id": rows, "approx": True}

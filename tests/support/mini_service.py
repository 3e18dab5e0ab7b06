"""A service in this process that answers as infini-gram mini's API does, from sorted suffixes of the bytes.

Its index is the texts of each shard, the byte 255 before each, and a byte 0 at the end, whose suffix is the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from faulty_service import Answer, FaultyService

SEPARATOR = b"\xff"


class _Shard:
    def __init__(self, texts: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self.data = b"".join(SEPARATOR + text.encode() for text, _ in texts) + b"\0"
        self.starts = [place for place, byte in enumerate(self.data) if byte == 255]
        self.metadata = [fields for _, fields in texts]
        self.order = sorted(range(len(self.data)), key=lambda place: self.data[place:])

    def find(self, query: bytes) -> tuple[int, int]:
        found = [rank for rank, place in enumerate(self.order) if self.data.startswith(query, place)]
        return (found[0], found[-1] + 1) if found else (0, 0)

    def document(self, rank: int, needle: int, around: int) -> dict[str, Any]:
        place = self.order[rank]
        number = max(each for each, start in enumerate(self.starts) if start <= place)
        first = self.starts[number] + 1
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.data) - 1
        shown = max(first, place - around), min(end, place + needle + around)
        return {
            "doc_ix": number,
            "doc_len": end - first,
            "disp_len": shown[1] - shown[0],
            "needle_offset": place - shown[0],
            "metadata": self.metadata[number],
            "text": self.data[shown[0] : shown[1]].decode(),
        }


class MiniIndex(FaultyService):
    """Answers about one index of some shards, each a list of texts with their metadata.

    Attributes
    ----------
    url
        The address, with the name of the index.
    """

    def __init__(self, shards: Sequence[Sequence[tuple[str, dict[str, Any]]]], *faults: str | Answer) -> None:
        super().__init__(self._answer, *faults)
        self.shards = [_Shard(texts) for texts in shards]
        self.url = f"{self.url}#v2_small"

    def _answer(self, payload: Any) -> Answer:
        if payload is None:
            return Answer.of({"message": "Not Found"}, 404)
        for name in ("query_type", "index", "query"):
            if name not in payload:
                return Answer.of({"error": f"[Flask] Missing required field: '{name}'"}, 400)
        if payload["index"] != "v2_small":
            return Answer.of({"error": f"[Flask] Invalid index: {payload['index']}"}, 400)
        return Answer.of({**self._found(payload), "latency": 0.5})

    def _found(self, payload: dict[str, Any]) -> dict[str, Any]:
        query = payload["query"].encode()
        match payload["query_type"]:
            case "count":
                return {"count": sum(last - first for first, last in self._ranks(query))}
            case "find":
                ranks = self._ranks(query)
                return {"cnt": sum(last - first for first, last in ranks), "segment_by_shard": ranks}
        before = sum(len(shard.starts) for shard in self.shards[: payload["s"]])
        try:
            found = self.shards[payload["s"]].document(payload["rank"], len(query), payload["max_ctx_len"])
        except UnicodeDecodeError:
            return {"error": "Failed to decode document text with UTF-8. Please try a different max context length."}
        return {**found, "doc_ix": found["doc_ix"] + before}

    def _ranks(self, query: bytes) -> list[tuple[int, int]]:
        return [shard.find(query) for shard in self.shards]

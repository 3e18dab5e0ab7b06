"""Whether two indexes of the same documents answer alike."""

from __future__ import annotations

from explorer import Corpus


def same_answers(one: Corpus, other: Corpus) -> None:
    """Compare two corpora of the same documents, whatever their shards are."""
    assert (one.token_count, one.document_count) == (other.token_count, other.document_count)
    texts = [other.document(number).tokens.tolist() for number in range(other.document_count)]
    assert [one.document(number).tokens.tolist() for number in range(one.document_count)] == texts
    metadata = [other.document(number).metadata["metadata"] for number in range(other.document_count)]
    assert [one.document(number).metadata["metadata"] for number in range(one.document_count)] == metadata
    for ids in [text[at : at + size] for text in texts for size in (1, 2, 4) for at in range(len(text))]:
        assert one.count(ids) == other.count(ids) > 0
        assert followers(one, ids) == followers(other, ids)


def followers(corpus: Corpus, ids: list[int]) -> dict[int, int]:
    """What follows, without the ends of documents: nothing follows the last document of a shard."""
    found = corpus.next_tokens(ids)
    pairs = zip(found.tokens.tolist(), found.counts.tolist(), strict=True)
    return {token: count for token, count in pairs if token != corpus.index.separator}

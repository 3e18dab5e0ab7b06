"""What is not a sequence of ids is refused with one sentence, whatever is asked, in every language."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from pseudo import OPEN, Pseudo

from explorer import build_index, i18n, open_index
from explorer.errors import QueryError

ASKED = {
    "count": lambda corpus, ids: corpus.count(ids),
    "find": lambda corpus, ids: corpus.find(ids),
    "prob": lambda corpus, ids: corpus.prob(ids, 1),
    "infgram_prob": lambda corpus, ids: corpus.infgram_prob(ids, 1),
    "next_tokens": lambda corpus, ids: corpus.next_tokens(ids),
    "next_tokens of few": lambda corpus, ids: corpus.next_tokens(ids, 5),
    "infgram_next_tokens": lambda corpus, ids: corpus.infgram_next_tokens(ids),
    "cnf": lambda corpus, ids: corpus.cnf([[ids]]),
    "count_documents": lambda corpus, ids: corpus.count_documents(ids),
    "agreement": lambda corpus, ids: corpus.agreement(ids),
    "longest_matches": lambda corpus, ids: corpus.longest_matches(ids),
    "concordance": lambda corpus, ids: corpus.concordance(ids),
    "decode": lambda corpus, ids: corpus.decode(ids),
}
RANGE = "is out of range: the ids of this index are 0 to 65535"
WRONG = {
    "99999": ([99_999], f"^Token id 99999 {RANGE}"),
    "uint64": (np.array([2**63, 2**64 - 1], dtype=np.uint64), f"^Token id 9223372036854775808 {RANGE}"),
    "2**63": ([1, 2**63], f"^Token id 9223372036854775808 {RANGE}"),
    "2**64": ([2**64], f"^Token id 18446744073709551616 {RANGE}"),
    "5,000 digits": ([10**5000], rf"^Token id \S{{3,60}} {RANGE}"),
    "negative": ([-1], f"^Token id -1 {RANGE}"),
    "numpy's own": ([np.uint64(2**63)], RANGE),
    "float": ([1.0], r"whole numbers \(token ids\), not 1\.0\."),
    "floats": (np.array([1.0]), "not float64 values"),
    "bool": ([True], "not True"),
    "bools": (np.array([True]), "not bool values"),
    "strings": (["1"], "not '1'"),
    "nested": ([[1, 2]], r"not \[1, 2\]"),
    "uneven": ([[1], [1, 2]], r"not \[1\]"),
    "square": (np.ones((2, 2), dtype=np.int64), "not array"),
    "nothing": ([None], "not None"),
}


@pytest.fixture(scope="module", params=["one index", "less another"])
def corpus(request, small_index, tmp_path_factory):
    """Less another, n-grams are looked up in another way."""
    if request.param == "one index":
        return open_index(small_index)
    folder = tmp_path_factory.mktemp("minus")
    (folder / "one.txt").write_text(
        "the cat sat on the mat. the cat sat on the rug.\nA dog saw the cat.\n", encoding="utf-8"
    )
    build_index(folder / "one.txt", folder / "out", tokenizer=str(small_index / "tokenizer.json"))
    return open_index(small_index, minus=folder / "out")


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", ASKED)
def test_wrong_ids(corpus, name, wrong):
    ids, sentence = WRONG[wrong]
    with pytest.raises(QueryError, match=sentence):
        ASKED[name](corpus, ids)


@pytest.mark.parametrize(
    "token",
    [-1, 65_536, 2**63, 2**64, 2**10000, 1.5, True, None, "1", [1], np.uint64(2**63)],
    ids=lambda token: type(token).__name__,
)
@pytest.mark.parametrize("name", ["prob", "infgram_prob"])
def test_a_wrong_token(corpus, name, token):
    with pytest.raises(QueryError, match=r"Token id|whole numbers"):
        getattr(corpus, name)([1], token)


@pytest.mark.parametrize("context", [5, None, {1, 2}, object()])
@pytest.mark.parametrize("name", ["prob", "infgram_prob", "next_tokens", "infgram_next_tokens"])
def test_a_context_that_is_no_sequence(corpus, name, context):
    with pytest.raises(QueryError, match="whole numbers"):
        getattr(corpus, name)(context, *([1] if "prob" in name else []))


@pytest.mark.parametrize("ids", [[1, 2], (1, 2), deque([1, 2]), range(1, 3), np.array([1, 2], ">u8")], ids=type)
@pytest.mark.parametrize("name", ["next_tokens", "infgram_next_tokens", "count", "longest_matches"])
def test_every_sequence_of_ids_will_do(corpus, name, ids):
    ask = getattr(corpus, name)
    assert str(ask(ids)) == str(ask([1, 2]))


def test_the_sentence_is_translated_whoever_refuses(small, speak):
    sentences = set()
    speak(i18n.Speech(i18n.Words(("xx",)), Pseudo()))
    for ask in ASKED.values():
        with pytest.raises(QueryError) as caught:
            ask(small, [99_999])
        sentences.add(str(caught.value))
    assert len(sentences) == 1
    assert sentences.pop().startswith(OPEN)

"""Tokens of another vocabulary from a corpus of bytes: Infinigram's examples, and a distribution that is one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import WRITTEN, read_texts
from own_indexes import DATA

from explorer import build_index, open_index
from explorer.analyses.model.byte_tokens import TokenStrings, byte_shares, infinigram_product, token_shares
from explorer.analyses.model.distribution import levels_after
from explorer.analyses.model.levels import Reach
from explorer.analyses.model.methods import InfGram
from explorer.text.tokens.tokenizer import TextTokenizer


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    """indexed(text): the bytes of a text as a corpus, made once."""
    made = {}

    def opened(text):
        if text not in made:
            folder = tmp_path_factory.mktemp("bytes")
            (folder / "text.txt").write_text(text)
            build_index(folder / "text.txt", folder / "index", tokenizer="bytes")
            made[text] = open_index(folder / "index")
        return made[text]

    return opened


def after(corpus, context, method=None):
    """The function of next bytes after a text."""
    known = np.sort(corpus.next_tokens(()).tokens)
    return byte_shares(corpus.index, method or InfGram(), corpus.encode(context), known[known < 255])


def test_the_next_byte_of_the_first_example(indexed):
    shares = after(indexed("the cat sat on the mat the cat ran"), "the cat")(b"")
    assert shares[ord(" ")] == 1.0 and shares.sum() == 1.0


def test_the_longest_suffix(indexed):
    corpus = indexed("abcdef abcdef abcxyz")
    found = [levels_after(corpus.index, corpus.encode(text), Reach())[0] for text in ("abcd", "abc", "zzz")]
    # A z occurs, but nothing follows it.
    assert [levels[0].length if levels else 0 for levels in found] == [4, 3, 0]


def test_the_product_of_two_bytes(indexed):
    corpus = indexed("ab " * 20)
    step = after(corpus, "ab ")
    wanted = step(b"")[ord("a")] * step(b"a")[ord("b")]
    assert infinigram_product(step, b"ab") == pytest.approx(wanted, abs=1e-6) == 1.0


def test_a_token_that_follows_and_one_that_does_not(indexed):
    step = after(indexed("the cat sat the cat sat the cat"), "the")
    assert infinigram_product(step, b" cat") == 1.0
    assert infinigram_product(step, b" sat") == pytest.approx(1e-10)
    assert infinigram_product(step, b" sat", floor=1e-3) == pytest.approx(1e-3)


def by_definition(step, pieces):
    """P(t) - Σ P(u) over the shortest tokens that continue t, written down as it is defined."""

    def product(data):
        found = 1.0
        for number, byte in enumerate(data):
            found *= step(data[:number])[byte]
        return found

    shares = {}
    for token, data in enumerate(pieces):
        longer = [other for other in pieces if other.startswith(data) and other != data]
        shortest = [u for u in longer if not any(v != u and u.startswith(v) for v in longer)]
        shares[token] = product(data) - sum(map(product, shortest))
    return shares


@given(
    st.text(st.sampled_from("ab c"), min_size=1, max_size=40),
    st.text(st.sampled_from("ab c"), max_size=4),
    st.sets(st.text(st.sampled_from("ab c"), min_size=2, max_size=5), max_size=12),
    st.sampled_from(["infgram", "witten-bell", "laplace", "levels"]),
)
def test_shares_are_the_definition_and_add_up_to_1(tmp_path_factory, text, context, words, name):
    folder = tmp_path_factory.mktemp("any")
    (folder / "text.txt").write_text(text + "abc d")
    build_index(folder / "text.txt", folder / "index", tokenizer="bytes")
    pieces = [bytes([byte]) for byte in range(256)] + sorted(word.encode() for word in words)
    with open_index(folder / "index") as corpus:
        model = corpus.model(name)
        step = byte_shares(corpus.index, model._tuned.method, corpus.encode(context), model.vocabulary)
        found = token_shares(step, TokenStrings(pieces), least=0.0)
        wanted = by_definition(step, pieces)
        # The end of a text is known to no method: nothing may follow there.
        assert found.total == pytest.approx(step(b"").sum(), abs=1e-9)
        assert found.share_of(np.arange(len(pieces))) == pytest.approx(
            [wanted[t] for t in range(len(pieces))], abs=1e-9
        )
        assert found.product_total >= found.total - 1e-9
        for least in (0.5, 0.01):
            assert token_shares(step, TokenStrings(pieces), least).total == pytest.approx(found.total, abs=1e-9)


def test_tokens_that_look_the_same_and_those_of_nothing():
    def fair(more):
        return np.full(256, 1 / 256)

    found = token_shares(fair, TokenStrings([b"", b"\xff", b"a", b"\xff", b"\xff\xff", b"\xffz"]))
    assert found.tokens.tolist() == [1, 2, 4, 5]
    assert found.shares == pytest.approx([1 / 256 - 2 / 256**2, 1 / 256, 1 / 256**2, 1 / 256**2])
    assert found.total == pytest.approx(2 / 256)


PRODUCTS = {"ROMEO:\nBut soft, what": 2.22, "First Citizen:\nBefo": 2.00, "my good ": 3.82, "the": 3.20}


def test_the_sum_of_infinigrams_products_over_a_real_vocabulary(indexed, shared):
    """The figures of the specification; the honest shares beside them are a distribution."""
    corpus = indexed((shared / "texts" / "tinyshakespeare.txt").read_text()[:1_003_854])
    tokenizer = TextTokenizer.from_file(shared / "tokenizers" / "olmo-7b-hf.tokenizer.json")
    strings = TokenStrings([tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size)])
    for context, total in PRODUCTS.items():
        found = token_shares(after(corpus, context), strings)
        assert found.product_total == pytest.approx(total, abs=0.005), context
        assert found.total == pytest.approx(1, abs=1e-9), context


# Each byte of " gets" is certain after the first, and two tokens are prefixes of it.
@pytest.mark.parametrize(("context", "total"), [("Put the pot where it", 2), ("the", 85 / 63), ("rain ", 1)])
def test_shares_over_the_vocabulary_of_a_tokenizer_are_a_distribution(indexed, context, total):
    corpus = indexed("\n\n".join(read_texts(WRITTEN)))
    tokenizer = TextTokenizer.from_file(DATA / "olmo.tokenizer.json")
    strings = TokenStrings([tokenizer.token_bytes(token) for token in range(tokenizer.vocabulary_size)])
    found = token_shares(after(corpus, context), strings)
    assert (found.total, found.product_total) == pytest.approx((1, total), abs=1e-9)

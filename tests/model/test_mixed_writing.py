"""A neural model and a corpus write together: the mixture is the formula, and every token has both shares."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tokenizers
from model_server import PIECES, ModelServer, log_probabilities, tokenize

from explorer import build_index, open_index
from explorer.analyses.mix.mixing_tokens import by_confidence, constant, mixture
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError
from explorer.neural.address import ServerError
from explorer.neural.answers import Candidate
from explorer.text.tokens.tokenizer import byte_alphabet

TEXT = "the cat sat on the mat and the dog sat on the cat. the lord sat.\n" * 3
TWO = [Candidate(5, b"a", math.log(0.3)), Candidate(7, b"b", math.log(0.7))]


def test_weight_1_gives_the_models_probabilities_and_0_the_corpuses():
    corpus = np.array([0.9, 0.1])
    whole = mixture(TWO, corpus, 1.0)
    assert dict(zip(whole.tokens.tolist(), whole.shares.tolist(), strict=True)) == pytest.approx(
        {5: 0.3, 7: 0.7}, abs=1e-6
    )
    none = mixture(TWO, corpus, 0.0)
    assert dict(zip(none.tokens.tolist(), none.shares.tolist(), strict=True)) == pytest.approx(
        {5: 0.9, 7: 0.1}, abs=1e-12
    )
    half = mixture(TWO, corpus * 0.5, 0.5)
    assert half.shares.sum() == pytest.approx(1, abs=1e-12) and half.total == pytest.approx(0.75)
    assert half.shares.max() == pytest.approx((0.15 + 0.225) / 0.75)


@pytest.mark.parametrize("weight", [1.5, -0.1, math.nan])
def test_other_weights_are_refused(weight):
    for make in (constant, by_confidence, lambda value: mixture(TWO, np.zeros(2), value)):
        with pytest.raises(QueryError, match=r"from 0 .the corpus alone. to 1"):
            make(weight)


def test_the_weight_follows_the_match():
    weigh = by_confidence(0.2)
    assert weigh(0, 0) == 1 and weigh(10, 100) == pytest.approx(0.2) == pytest.approx(weigh(99, 9999))
    assert weigh(5, 50) == pytest.approx(1 - 0.8 * 0.5)


@pytest.fixture(scope="module")
def server():
    with ModelServer() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("mixed")
    (made / "text.txt").write_text(TEXT)
    (made / "other.txt").write_text("the dog dog dog dog dog dog")
    # The model's vocabulary as a tokenizer of the library: the fewest tokens, which here are the longest ones.
    letters = {byte: letter for letter, byte in byte_alphabet().items()}
    spelled = ["".join(letters[byte] for byte in piece) for piece in PIECES]
    backend = tokenizers.Tokenizer(tokenizers.models.Unigram([(piece, -1.0) for piece in spelled]))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = tokenizers.decoders.ByteLevel()
    backend.save(str(made / "own.json"))
    build_index(made / "text.txt", made / "bytes", tokenizer="bytes")
    build_index(made / "other.txt", made / "dogs", tokenizer="bytes")
    build_index(made / "text.txt", made / "own", tokenizer=made / "own.json")
    return made


@pytest.fixture(params=["bytes", "own"])
def corpus(request, folder):
    with open_index(folder / request.param) as found:
        yield found


def test_a_distribution_is_the_formula(corpus, server):
    prompt = "the dog sat on"
    with corpus.model("witten-bell").mixed_with(server.url, weight=0.25, candidates=len(PIECES)) as mixed:
        found = mixed.distribution(prompt)
    assert mixed.name == "toy.gguf" and found.weight == 0.25 and len(found) == len(PIECES)
    truth = np.exp(log_probabilities(tokenize(prompt)))
    assert found.model_probabilities == pytest.approx(truth[found.tokens])
    # Over the whole vocabulary nothing is left out, so nothing is divided.
    assert found.total == pytest.approx(1, abs=1e-9) and found.probabilities.sum() == pytest.approx(1, abs=1e-9)
    assert found.corpus_probabilities.sum() == pytest.approx(1, abs=1e-9)
    assert found.probabilities == pytest.approx(0.25 * found.model_probabilities + 0.75 * found.corpus_probabilities)
    likely = found.texts[int(found.corpus_probabilities.argmax())]
    assert likely == " the"


def test_every_token_has_both_shares_and_its_place(corpus, server):
    prompt = "the cat sat"
    with corpus.model("infgram").mixed_with(server.url, weight=0.1) as mixed:
        written = list(mixed.write(prompt, max_tokens=12, temperature=0))
        text = mixed.text_of(prompt, written)
        record = text.record()
    ids, data = tokenize(prompt), prompt.encode()
    for token in written:
        assert token.model == pytest.approx(math.exp(log_probabilities(ids)[token.token]))
        assert token.data == PIECES[token.token] and token.weight == 0.1
        if token.place is not None:
            document, offset = token.place
            found = corpus.document(document)
            in_bytes = corpus.index.tokenizer.backend is None
            at = offset if in_bytes else sum(len(PIECES[each]) for each in found.tokens[:offset].tolist())
            n = next(used.n for used in token.levels if used.count)
            before = data[len(data) - n :] if in_bytes else b"".join(PIECES[each] for each in ids[len(ids) - n :])
            assert found.text.encode()[: at + len(token.data)].endswith(before + token.data)
        else:
            assert token.corpus == 0
        ids, data = [*ids, token.token], data + token.data
    assert sum(token.corpus > 0.5 for token in written) >= 4
    assert record.text == text.text == data.decode()[len(prompt) :] and record.model == "toy.gguf"
    assert [token.text for token in record.tokens] == list(text.texts)
    assert record.longest_verbatim == int(corpus.longest_matches(corpus.encode(text.text)).max())


def test_the_model_alone_and_the_corpus_alone(corpus, server):
    with corpus.model("infgram").mixed_with(server.url, weight=1) as mixed:
        alone = [token.token for token in mixed.write("the cat", max_tokens=6, temperature=0)]
        ids = tokenize("the cat")
        for token in alone:
            assert token == int(log_probabilities(ids).argmax())
            ids.append(token)
        mixed.use(weight=0)
        copied = b"".join(token.data for token in mixed.write("the lord", max_tokens=4, temperature=0))
    assert (b"the lord" + copied).decode() in TEXT


def test_the_corpus_is_changed_between_two_tokens(folder, server):
    tokens = []
    with (
        open_index(folder / "bytes") as cats,
        open_index(folder / "dogs") as dogs,
        cats.model("infgram").mixed_with(server.url, weight=0, candidates=len(PIECES)) as mixed,
    ):
        for token in mixed.write("the", max_tokens=4, temperature=0):
            tokens.append(token.data)
            mixed.use(dogs.model("infgram"))
    # Nothing of cats is in the other corpus; after a space it knows dogs only.
    assert tokens[0] == b" cat" and set(tokens[1:]) <= {b" dog", b" ", b"t", b"the", b"h", b"e", b" the"}


def test_the_weight_is_a_function_of_the_match(corpus, server):
    seen = []

    def weigh(n, m):
        seen.append((n, m))
        return 0.5 if n > 3 else 1.0

    with corpus.model("infgram").mixed_with(server.url, weight=weigh) as mixed:
        written = list(mixed.write("the cat sat", max_tokens=3, seed=4))
        assert [token.weight for token in written] == [0.5 if n > 3 else 1.0 for n, _ in seen]
        assert [(token.levels[0].n, token.levels[0].m) for token in written] == seen
        mixed.use(weight=lambda n, m: 2.0)
        with pytest.raises(QueryError):
            next(mixed.write("the cat"))


def test_a_seed_gives_the_same_text_and_another_one_another(corpus, server):
    with corpus.model("levels").mixed_with(server.url) as mixed:
        one, same, other = (
            [token.token for token in mixed.write("the cat", max_tokens=8, seed=seed, temperature=1)]
            for seed in (1, 1, 2)
        )
    assert one == same != other


def test_what_cannot_be_mixed_is_refused(folder, server, small_index):
    with open_index(folder / "bytes") as corpus:
        with pytest.raises(QueryError, match="scores"):
            corpus.model("backoff").mixed_with(server.url)
        with pytest.raises(QueryError, match="from 0"):
            corpus.model("infgram").mixed_with(server.url, weight=1.5)
        with pytest.raises(ServerError, match="is not this machine"):
            corpus.model("infgram").mixed_with("http://192.0.2.1")
        with corpus.model("infgram").mixed_with(server.url) as mixed, pytest.raises(QueryError, match="needs a prompt"):
            mixed.distribution("")
    with open_index(small_index) as corpus, pytest.raises(QueryError, match="another tokenizer than the model"):
        corpus.model("infgram").mixed_with(server.url)


def test_writing_is_cancelled(corpus, server):
    cancel, tokens = CancelToken(), []
    with corpus.model("infgram").mixed_with(server.url) as mixed, pytest.raises(Cancelled):
        for token in mixed.write("the cat", max_tokens=50, cancel=cancel):
            tokens.append(token)
            if len(tokens) == 3:
                cancel.cancel()
    assert len(tokens) == 3

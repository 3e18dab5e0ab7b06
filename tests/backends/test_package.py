"""Indexes that we build, opened and answered by the infini-gram package itself."""

from __future__ import annotations

import json
import random
from functools import partial

import numpy as np
import pytest
import twin
from package_process import OVERRULED, Package

from explorer import TraceSettings, build_index, open_index

pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")

WORDS = [*"abcdefgh", "the", "cat", "dog", "sat", "saw", "under", "mat", "rug", "and", "then", ".", ",", "\n"]


@pytest.fixture(scope="module", params=["bytes", "train:300", "u32"])
def both(request, tmp_path_factory):
    """The same folder, opened by us and by the package, and its text to look at."""
    folder = tmp_path_factory.mktemp("package")
    generator = random.Random(3)
    with open(folder / "a.jsonl", "w", encoding="utf-8") as file:
        for number in range(150):
            text = " ".join(generator.choice(WORDS) for _ in range(generator.randrange(2, 60)))
            file.write(json.dumps({"text": text, "n": number}) + "\n")
    shards = 1 if request.param == "bytes" else 3
    if request.param == "u32":
        build_wide(folder)
    else:
        build_index(folder / "a.jsonl", folder / "out", tokenizer=request.param, shards=shards)
    corpus = open_index(folder / "out")
    width = corpus.index.local.token_width
    begins = folder / "begins.txt"
    ids = np.arange(corpus.index.tokenizer.vocabulary_size)
    begins.write_text("\n".join(map(str, ids[corpus.index.tokenizer.begins_word(ids)].tolist())))
    with Package(
        index_dir=str(folder / "out"),
        eos_token_id=corpus.index.separator - 1,
        vocab_size=corpus.index.separator,
        token_dtype={1: "u8", 2: "u16", 4: "u32"}[width],
        bow_ids_path=str(begins),
    ) as theirs:
        yield corpus, theirs, twin.Twin.of_index(corpus.index)


def build_wide(folder):
    """The same texts with a vocabulary of more than 65,535 ids, so that tokens are 4 bytes wide."""
    import tokenizers
    from tokenizers import models, pre_tokenizers

    vocabulary = {f"unused{number}": number for number in range(70_000)}
    for piece in [*pre_tokenizers.ByteLevel.alphabet(), "th", "the"]:
        vocabulary[piece] = len(vocabulary)
    backend = tokenizers.Tokenizer(models.BPE(vocabulary, [("t", "h"), ("th", "e")]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = tokenizers.decoders.ByteLevel()
    backend.save(str(folder / "wide.json"))
    build_index(folder / "a.jsonl", folder / "out", tokenizer=folder / "wide.json", shards=2)


def queries(corpus, lengths, number, seed=1):
    generator = random.Random(seed)
    text = np.concatenate([corpus.document(i).tokens for i in range(corpus.document_count)]).tolist()
    for _ in range(number):
        length = generator.choice(lengths)
        start = generator.randrange(len(text) - length)
        ids = text[start : start + length]
        if generator.random() < 0.3:
            ids[generator.randrange(length)] = generator.choice(text)
        yield ids


def test_counts_and_probabilities(both):
    ours, theirs, text = both

    def asked(ids):
        answer = theirs.prob(ids[:-1], ids[-1])
        return theirs.count(ids)["count"], answer["prompt_cnt"], answer["cont_cnt"]

    def looked(ids):
        return text.count(ids), text.count(ids[:-1]), text.count(ids)

    for ids in queries(ours, [1, 2, 3, 5, 9, 40], 200):
        mine = ours.prob(ids[:-1], ids[-1])
        found = (ours.count(ids), mine.context_count, mine.continuation_count)
        assert theirs.answer(found, partial(asked, ids), partial(looked, ids)) == found


def test_backing_off(both):
    ours, theirs, text = both

    def asked(ids):
        answer = theirs.infgram_prob(ids[:-1], ids[-1])
        return answer["suffix_len"], answer["prompt_cnt"], answer["cont_cnt"]

    def looked(ids):
        length = text.longest_suffix(ids[:-1])
        context = ids[len(ids) - 1 - length : -1]
        return length, text.count(context), text.count([*context, ids[-1]])

    for ids in queries(ours, [2, 5, 30], 100, seed=2):
        mine = ours.infgram_prob(ids[:-1], ids[-1])
        found = (mine.context_length, mine.context_count, mine.continuation_count)
        assert theirs.answer(found, partial(asked, ids), partial(looked, ids)) == found


def ends_a_shard(corpus, ids):
    return any(shard.tokens[-len(ids) :].tolist() == ids for shard in corpus.index.shards)


def test_next_tokens(both):
    """Where an occurrence ends a shard, the package takes the whole range for the end of a document
    (its first and last rank look alike to it); there the answer is checked by looking.
    """
    ours, theirs, text = both
    separator = ours.index.separator

    def asked(ids):
        answer = theirs.ntd(ids, max_support=10**9)
        return {token: value["cont_cnt"] for token, value in answer["result_by_token_id"].items()}

    for ids in queries(ours, [1, 2, 4], 60, seed=3):
        mine = ours.next_tokens(ids)
        found = dict(zip(mine.tokens.tolist(), mine.counts.tolist(), strict=True))
        if ends_a_shard(ours, ids):
            assert found == text.next_tokens(ids)
            continue
        looked = partial(renamed, text.next_tokens(ids), separator)
        found = renamed(found, separator)
        assert theirs.answer(found, partial(asked, ids), looked) == found


def renamed(found, separator):
    """The counts with the end of a document under the id that the package was told for it."""
    return {separator - 1 if token == separator else token: count for token, count in found.items()}


def test_spans(both):
    ours, theirs, looking = both
    index = ours.index
    delimiters = [10, 46] if index.local.token_width == 1 else [int(ours.encode("\n")[0]), int(ours.encode(".")[0])]
    settings = TraceSettings(density=1.0, min_length=2, max_count=50, documents_per_span=0)
    generator = random.Random(9)

    def asked(ids):
        answer = theirs.attribute(ids, delimiters, 2, 50, True)["spans"]
        return [(span["l"], span["r"], span["count"]) for span in answer]

    def looked(ids):
        return looking.spans(ids, index.tokenizer.begins_word(np.array(ids)), delimiters, 2, 50)

    for _ in range(20):
        text = " ".join(generator.choice(WORDS) for _ in range(40))
        trace = ours.trace(text, settings=settings)
        ids = trace.token_ids.tolist()
        spans = [(span.token_start, span.token_end, span.count) for span in trace.spans]
        assert theirs.answer(spans, partial(asked, ids), partial(looked, ids)) == spans


def test_documents_and_metadata(both):
    ours, theirs, text = both
    documents = list(text.documents())

    def asked(number):
        answer = theirs.get_doc_by_ix(number, max_disp_len=10_000)
        return answer["token_ids"], json.loads(answer["metadata"])["metadata"]

    def looked(number):
        return documents[number], {"n": number}

    for number in (0, 1, 70, 149):
        document = ours.document(number)
        found = document.tokens.tolist(), document.metadata["metadata"]
        assert theirs.answer(found, partial(asked, number), partial(looked, number)) == found


def test_the_text_decides_where_the_package_contradicts_us(both):
    """Reading the text gives what we give, on queries of every test here, and a wrong answer is not let through."""
    ours, _, text = both
    package = Package(index_dir="none")
    ids = next(iter(queries(ours, [3], 1)))
    right = text.count(ids)
    assert ours.count(ids) == right
    for _ in range(OVERRULED):
        assert package.answer(right, lambda: right + 1, lambda: text.count(ids)) == right
    assert package.answer(right, lambda: right + 1, lambda: text.count(ids)) == right + 1
    other = Package(index_dir="none")
    assert other.answer(right + 2, lambda: right, lambda: text.count(ids)) == right


def test_a_dead_process_is_started_again(both):
    """What the other tests rely on where the package's own process dies."""
    ours, theirs, _ = both
    ids = next(iter(queries(ours, [3], 1)))
    before = theirs.count(ids)
    theirs._process.kill()
    assert theirs.count(ids) == before

"""Indexes that we build, opened and answered by the infini-gram package itself."""

from __future__ import annotations

import json
import random
from functools import partial

import numpy as np
import pytest
from package_process import Package

from explorer import TraceSettings, build_index, open_index

pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")

WORDS = [*"abcdefgh", "the", "cat", "dog", "sat", "saw", "under", "mat", "rug", "and", "then", ".", ",", "\n"]


@pytest.fixture(scope="module", params=["bytes", "train:300", "u32"])
def both(request, tmp_path_factory):
    """The same folder, opened by us and by the package."""
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
    width = corpus.index.token_width
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
        yield corpus, theirs


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
    ours, theirs = both

    def asked(ids):
        answer = theirs.prob(ids[:-1], ids[-1])
        return theirs.count(ids)["count"], answer["prompt_cnt"], answer["cont_cnt"]

    for ids in queries(ours, [1, 2, 3, 5, 9, 40], 200):
        mine = ours.prob(ids[:-1], ids[-1])
        found = (ours.count(ids), mine.context_count, mine.continuation_count)
        assert theirs.answer(found, partial(asked, ids)) == found


def test_backing_off(both):
    ours, theirs = both

    def asked(ids):
        answer = theirs.infgram_prob(ids[:-1], ids[-1])
        return answer["suffix_len"], answer["prompt_cnt"], answer["cont_cnt"]

    for ids in queries(ours, [2, 5, 30], 100, seed=2):
        mine = ours.infgram_prob(ids[:-1], ids[-1])
        found = (mine.context_length, mine.context_count, mine.continuation_count)
        assert theirs.answer(found, partial(asked, ids)) == found


def ends_a_shard(corpus, ids):
    return any(shard.tokens[-len(ids) :].tolist() == ids for shard in corpus.index.shards)


def by_looking(corpus, ids):
    """What follows the n-gram, counted by looking at every place of every shard."""
    found = {}
    for shard in corpus.index.shards:
        text = shard.tokens.tolist()
        for i in range(len(text) - len(ids)):
            if text[i : i + len(ids)] == ids:
                found[text[i + len(ids)]] = found.get(text[i + len(ids)], 0) + 1
    return found


def test_next_tokens(both):
    """Where an occurrence ends a shard, the package takes the whole range for the end of a document
    (its first and last rank look alike to it); there the answer is checked by looking.
    """
    ours, theirs = both
    separator = ours.index.separator

    def asked(ids):
        answer = theirs.ntd(ids, max_support=10**9)
        return {token: value["cont_cnt"] for token, value in answer["result_by_token_id"].items()}

    for ids in queries(ours, [1, 2, 4], 60, seed=3):
        if ends_a_shard(ours, ids):
            mine = ours.next_tokens(ids)
            assert dict(zip(mine.tokens.tolist(), mine.counts.tolist(), strict=True)) == by_looking(ours, ids)
            continue
        mine = ours.next_tokens(ids)
        found = dict(zip(mine.tokens.tolist(), mine.counts.tolist(), strict=True))
        if separator in found:
            # The package gives the end of a document the id that it was told for it.
            found[separator - 1] = found.pop(separator)
        assert theirs.answer(found, partial(asked, ids)) == found


def test_spans(both):
    ours, theirs = both
    index = ours.index
    delimiters = [10, 46] if index.token_width == 1 else [int(ours.encode("\n")[0]), int(ours.encode(".")[0])]
    settings = TraceSettings(density=1.0, min_length=2, max_count=50, documents_per_span=0)
    generator = random.Random(9)

    def asked(ids):
        answer = theirs.attribute(ids, delimiters, 2, 50, True)["spans"]
        return [(span["l"], span["r"], span["count"]) for span in answer]

    for _ in range(20):
        text = " ".join(generator.choice(WORDS) for _ in range(40))
        trace = ours.trace(text, settings=settings)
        spans = [(span.token_start, span.token_end, span.count) for span in trace.spans]
        assert theirs.answer(spans, partial(asked, list(trace.token_ids))) == spans


def test_documents_and_metadata(both):
    ours, theirs = both

    def asked(number):
        answer = theirs.get_doc_by_ix(number, max_disp_len=10_000)
        return answer["token_ids"], json.loads(answer["metadata"])

    for number in (0, 1, 70, 149):
        document = ours.document(number)
        assert theirs.answer((document.tokens.tolist(), document.metadata), partial(asked, number)) == (
            document.tokens.tolist(),
            document.metadata,
        )


def test_a_dead_process_is_started_again(both):
    """What the other tests rely on where the package's own process dies."""
    ours, theirs = both
    ids = next(iter(queries(ours, [3], 1)))
    before = theirs.count(ids)
    theirs._process.kill()
    assert theirs.count(ids) == before

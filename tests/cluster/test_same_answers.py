"""Two thousand mixed questions to seven folders on three workers are answered as by one process, in both directions.

The workers are threads of this process: what they answer goes through JSON as between machines, and Dask's part, which
`test_cluster.py` tests, is left out. So the whole takes seconds.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import random
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import own_indexes
import pytest
import twin
from tiers import nightly
from tokenizers import Tokenizer

from explorer import build_index, open_index
from explorer.backends.cluster import host, opening
from explorer.backends.cluster.copies import COPIES
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError

pytestmark = pytest.mark.local("asks folders on workers itself")
# Folders 3 and 6 are on two workers; no two workers have the same.
PLACED = {"tcp://a:1": (0, 3, 4), "tcp://b:1": (1, 3, 5, 6), "tcp://c:1": (2, 6)}
SHARDS = (2, 1, 1, 1, 2, 1, 1)
QUESTIONS = 2_000
SUBTRACTED = 500
SHORT = 240
"""In `make test`."""


class Connection:
    """To three workers of this process, which have different folders."""

    address = "tcp://127.0.0.1:1"

    def __init__(self):
        known = {each["name"]: each["fingerprint"] for each in host._described()["folders"]}
        self.has = {worker: {known[f"part-{n}"] for n in some} for worker, some in PLACED.items()}

    def workers(self):
        return dict.fromkeys(PLACED, "")

    def call(self, function, arguments, worker, lesson=None):
        done = Future()
        if function is host.describe:
            answer = self._described(worker)
        else:
            answer = self._answer(worker, *arguments)
            if host.UNTOLD in answer:
                asyncio.run(lesson.function(*lesson.arguments))
                answer = self._answer(worker, *arguments)
        done.set_result({worker: answer})
        return done

    def ping(self, address):
        done = Future()
        done.set_result(None)
        return done

    def _described(self, worker):
        found = host._described()
        return found | {"folders": [each for each in found["folders"] if each["fingerprint"] in self.has[worker]]}

    def _answer(self, worker, fingerprints, left_out, name, arguments, deadline):
        assert set(fingerprints) <= self.has[worker]
        # Documents to look up are sent as bytes.
        sent = arguments if name == COPIES else json.loads(json.dumps(arguments))
        return json.loads(json.dumps(host._answered(fingerprints, left_out, name, sent, CancelToken())))

    def close(self):
        pass


@pytest.fixture(scope="module", params=[4, *nightly(5)])
def folders(request, tmp_path_factory):
    """Seven folders of nine shards of the same documents, in a version of infini-gram's format."""
    root = tmp_path_factory.mktemp(f"v{request.param}")
    style = own_indexes.tokenizer_json("llama")
    tokenizer, draw = Tokenizer.from_str(style), random.Random(7)
    encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in own_indexes.texts()]
    for number, shards in enumerate(SHARDS):
        documents = [[encoded[n] for n in draw.sample(range(len(encoded)), 9)] for _ in range(shards)]
        folder = twin.write_index(root / f"part-{number}", documents, 2, request.param)
        (folder / "tokenizer.json").write_text(style, encoding="utf-8")
    return root


@pytest.fixture
def both(folders, monkeypatch):
    """The cluster, and the same folders in its order as one index here."""
    monkeypatch.setenv(host.FOLDERS, str(folders))
    connection = Connection()
    monkeypatch.setattr(opening, "connected", lambda *given: connection)
    with open_index(connection.address) as cluster:
        groups = [part._asker.send.group for part in cluster.index.parts.backends]
        assert len(groups) == 5 and sum(len(group.names) for group in groups) == 7
        names = [name for group in groups for name in group.names]
        with open_index([folders / name for name in names]) as whole:
            yield cluster, whole
    host._KNOWN.clear()


def asked(draw, whole):
    """A question of one of nine kinds, about texts that mostly occur."""
    number = draw.choice(whole.index.documents.numbers().tolist())
    words = whole.document(number).text.split() or ["the"]
    at = draw.randrange(len(words))
    phrase = " ".join(words[at : at + draw.randint(1, 3)]) + draw.choice(["", "", "", " unheard"])
    ids = whole.encode(phrase).tolist()
    context, page = ids[: draw.randint(0, len(ids))], draw.randrange(3)
    letters = draw.choice(["[a-c]at", r"\w+ed\b", r"(dog|goat)s?", "é+"])
    text = own_indexes.question(draw.randrange(40))[:200]
    kinds = {
        "count": lambda corpus: corpus.count(ids),
        "text": lambda corpus: corpus.count(phrase),
        "expression": lambda corpus: corpus.count(letters, match="regex"),
        "page": lambda corpus: lines(corpus.concordance(phrase, sort="index"), page),
        "joined": lambda corpus: corpus.search(f'"{phrase}" AND "the"', node=1).count,
        "following": lambda corpus: following(corpus.next_tokens(context)),
        "longest": lambda corpus: corpus.longest_matches(corpus.encode(text)).tolist(),
        "probability": lambda corpus: corpus.infgram_prob(context, ids[-1]),
        "document": lambda corpus: (corpus.document(number).text, corpus.document(number).metadata),
    }
    # These two read many hits, and take twenty times as long.
    (kind,) = draw.choices([*kinds], [1 if kind in ("page", "joined") else 3 for kind in kinds])
    return kind, phrase, kinds[kind]


def following(found):
    return found.tokens.tolist(), found.counts.tolist(), found.context_length


def lines(found, page):
    """One page, in the order of the documents: each process numbers hits in its own way."""
    every = sorted(found, key=lambda line: (line.document, line.offset, line.begin))
    return len(found), [replace(line, number=0) for line in every[10 * page : 10 * page + 10]]


def test_mixed_questions(both, scale):
    cluster, whole = both
    assert (cluster.token_count, cluster.document_count) == (whole.token_count, whole.document_count)
    compare(cluster, whole, scale(SHORT, QUESTIONS // 2))


def compare(cluster, whole, questions):
    draw, seen = random.Random(3), {}
    for _ in range(questions):
        kind, phrase, ask = asked(draw, whole)
        expected = ask(whole)
        assert ask(cluster) == expected, (kind, phrase)
        seen[kind] = seen.get(kind, 0) + 1
    assert len(seen) == 9 and min(seen.values()) >= questions / 60, seen


@pytest.fixture(scope="module")
def removed(folders):
    """An index of documents of all folders, some of which no folder has, and some more often than they are there."""
    style = (folders / "part-0" / "tokenizer.json").read_text("utf-8")
    tokenizer, draw = Tokenizer.from_str(style), random.Random(11)
    encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in own_indexes.texts()]
    documents = [*(draw.choice(encoded) for _ in range(30)), encoded[0][:5], encoded[1][1:]]
    folder = twin.write_index(folders.parent / f"minus-of-{folders.name}", [documents[:12], documents[12:]], 2)
    (folder / "tokenizer.json").write_text(style, encoding="utf-8")
    return folder


def test_mixed_questions_without_some_documents(both, removed, scale):
    cluster, whole = both
    with (
        open_index(cluster.index.sources, minus=removed) as less,
        open_index(whole.index.sources, minus=removed) as own,
    ):
        assert 2 <= own.minus_unmatched < 20 and less.minus_unmatched == own.minus_unmatched
        assert less.index.documents.numbers().tolist() == own.index.documents.numbers().tolist()
        assert (less.token_count, less.document_count) == (own.token_count, own.document_count)
        assert own.index.remark in less.index.remark
        assert less.index.fingerprint != cluster.index.fingerprint
        compare(less, own, scale(SHORT, SUBTRACTED // 2))


def test_what_workers_were_told_may_be_forgotten(both, removed):
    cluster, _ = both
    with open_index(cluster.index.sources, minus=removed) as less:
        known = [less.count("the"), less.document_count]
        host._TOLD.clear()
        for found in host._KNOWN.values():
            found.less.clear()
        assert [less.count("the"), less.document_count] == known
        assert host._TOLD


def test_all_documents_of_some_folders_are_subtracted(both, folders):
    cluster, whole = both
    gone = [folders / "part-1", folders / "part-2"]
    with open_index(cluster.index.sources, minus=gone) as less, open_index(whole.index.sources, minus=gone) as own:
        assert own.minus_unmatched == 0
        assert less.index.documents.numbers().tolist() == own.index.documents.numbers().tolist()
        assert less.token_count == own.token_count and less.count("the") == own.count("the") < whole.count("the")


def test_documents_are_left_out_and_chosen(both):
    cluster, whole = both
    draw = random.Random(5)
    for _ in range(4):
        chosen = np.array(sorted(draw.sample(range(whole.document_count), 20)))
        without = [corpus.index.without(chosen[:3].tolist()) for corpus in (cluster, whole)]
        for mine, own in (without, [corpus.index.within(chosen) for corpus in (cluster, whole)]):
            assert mine.documents.numbers().tolist() == own.documents.numbers().tolist()
            assert mine.token_count == own.token_count
            for word in ("the", "dog", "and"):
                ids = whole.encode(word).tolist()
                assert mine.counts.count(ids) == own.counts.count(ids)
    twice, own = (index.within(chosen).without([int(chosen[0])]) for index in (cluster.index, whole.index))
    assert twice.documents.numbers().tolist() == own.documents.numbers().tolist()
    again = pickle.loads(pickle.dumps(twice))
    assert again.fingerprint == twice.fingerprint and again.token_count == own.token_count


def test_documents_of_the_same_tokens(both):
    """Also the last one of a shard, whatever the direction."""
    cluster, whole = both
    alike = [whole.index.documents.like(number) for number in range(whole.document_count)]
    assert sum(len(each) > 1 for each in alike) > 20
    assert [cluster.index.documents.like(number) for number in range(whole.document_count)] == alike


def test_an_index_of_another_tokenizer_is_not_subtracted(both, tmp_path):
    cluster, _ = both
    (tmp_path / "one.txt").write_text("the dog", encoding="utf-8")
    build_index(tmp_path / "one.txt", tmp_path / "bytes", tokenizer="bytes")
    with pytest.raises(QueryError, match="different tokenizers"):
        open_index(cluster.index.sources, minus=tmp_path / "bytes")

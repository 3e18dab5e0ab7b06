"""Two thousand mixed questions to seven folders on three workers are answered as by one process, in both directions.

The workers are threads of this process: what they answer goes through JSON as between machines, and Dask's part, which
`test_cluster.py` tests, is left out. So the whole takes seconds.
"""

from __future__ import annotations

import json
import random
from concurrent.futures import Future
from dataclasses import replace

import own_indexes
import pytest
import twin
from tokenizers import Tokenizer

from explorer import open_index
from explorer.backends.cluster import host, opening
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.errors import QueryError
from explorer.jobs import CancelToken

pytestmark = pytest.mark.local("asks folders on workers itself")
# Folders 3 and 6 are on two workers; no two workers have the same.
PLACED = {"tcp://a:1": (0, 3, 4), "tcp://b:1": (1, 3, 5, 6), "tcp://c:1": (2, 6)}
SHARDS = (2, 1, 1, 1, 2, 1, 1)
QUESTIONS = 2_000


class Connection:
    """To three workers of this process, which have different folders."""

    address = "tcp://127.0.0.1:1"

    def __init__(self):
        known = {each["name"]: each["fingerprint"] for each in host._described()["folders"]}
        self.has = {worker: {known[f"part-{n}"] for n in some} for worker, some in PLACED.items()}

    def workers(self):
        return dict.fromkeys(PLACED, "")

    def call(self, function, arguments, worker):
        done = Future()
        done.set_result(
            {worker: self._described(worker) if function is host.describe else self._answer(worker, *arguments)}
        )
        return done

    def _described(self, worker):
        found = host._described()
        return found | {"folders": [each for each in found["folders"] if each["fingerprint"] in self.has[worker]]}

    def _answer(self, worker, fingerprints, name, arguments, deadline):
        assert set(fingerprints) <= self.has[worker]
        sent = json.loads(json.dumps(arguments))
        return json.loads(json.dumps(host._answered(fingerprints, name, sent, CancelToken())))

    def close(self):
        pass


@pytest.fixture(scope="module", params=[4, 5])
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
    number = draw.randrange(whole.document_count)
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


def test_mixed_questions(both):
    cluster, whole = both
    assert (cluster.token_count, cluster.document_count) == (whole.token_count, whole.document_count)
    draw, seen = random.Random(3), {}
    for _ in range(QUESTIONS // 2):
        kind, phrase, ask = asked(draw, whole)
        expected = ask(whole)
        assert ask(cluster) == expected, (kind, phrase)
        seen[kind] = seen.get(kind, 0) + 1
    assert len(seen) == 9 and min(seen.values()) > 25, seen


def test_documents_are_not_subtracted_from_a_cluster(both, folders):
    """It is refused, and not answered with the documents that should be left out."""
    cluster, _ = both
    with pytest.raises(QueryError, match="cannot be subtracted"):
        BACKENDS.open(IndexRequest(cluster.index.sources, minus=(cluster.index.sources[0],)))

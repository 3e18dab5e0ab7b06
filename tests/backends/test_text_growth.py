"""The work of a query hardly grows with the corpus: 1, 4 and 16 times as much of the same kind of text.

Two measures. The engine's work is counted: looks into the table, occurrences whose text is read one by one, and
n-grams that are looked up; each is so many halvings of a range, which is logarithmic, and costs a few bytes of
`tokenized`. And the system is asked how many pages of `tokenized` it had to read.

Where the character before an occurrence matters, n-grams that are rarer than the vocabulary is large (times eight) are
read one by one. With them the work grows until they are not rare any more; so it is compared without, and what they
may add is bounded.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from pages import bytes_read
from scripts import write_tokenizer

import _fastsa
import explorer
from explorer.backends.local.patterns import text_finder as finder
from explorer.backends.local.patterns import text_preceding as preceding
from explorer.core.jobs import CancelToken
from explorer.index.writer import write_table
from explorer.text.patterns.pattern import Pattern
from explorer.text.tokens.tokenizer import TextTokenizer

SIZES = (500_000, 2_000_000, 8_000_000)
WORDS = ["the", "cap", "handicap", "delve", "into", "banana", "party", "sun", "café", "capacity", "of", "in", "3.14"]
WORDS += ["language", "model", "and", "recap"]
PLAIN = [Pattern("delve"), Pattern("banana party"), Pattern("into the"), Pattern("SUN", ignore_case=True)]
BORDERED = [
    *(Pattern(word, whole_words=True) for word in ("cap", "the", "language model", "capacity")),
    Pattern(r"\bre\w+", "regex"),
]


def write_index(folder, tokens, tokenizer):
    """Phrases of a few words in random order, documents of 50 phrases, four bytes per token, one shard."""
    folder.mkdir()
    random = np.random.default_rng(tokens)
    chosen = np.random.default_rng(1).choice(WORDS, (2_000, 6))
    phrases = [tokenizer.encode(" ".join(row)).astype("<u4") for row in chosen]
    separator = np.array([2**32 - 1], dtype="<u4")
    documents, size = [], 0
    while size < tokens:
        parts = [separator, *(phrases[number] for number in random.integers(0, len(phrases), 50))]
        documents.append(np.concatenate(parts))
        size += len(documents[-1])
    np.concatenate(documents).tofile(folder / "tokenized.0")
    (4 * (np.cumsum([0, *map(len, documents)])[:-1])).astype("<u8").tofile(folder / "offset.0")
    write_table(folder, 0, 4, CancelToken(), np.zeros(1, dtype=np.int64))
    return folder


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("growth")
    path = write_tokenizer("byte-level", folder)
    tokenizer = TextTokenizer.from_file(folder / "byte-level.json")
    opened = []
    for size in SIZES:
        made = write_index(folder / str(size), size, tokenizer)
        opened.append(explorer.open_index(made, tokenizer=path, check_fit=False).index)
        opened[-1].hits.find_text(Pattern("sun"))  # the ranges of single tokens, once per index
    return opened


@pytest.fixture
def work(monkeypatch):
    """Counts of what was done."""
    done = {"looks": 0, "read": 0, "looked up": 0}

    class Counted(_fastsa.Walk):
        def run(self, *args):
            before = self.looked
            found = super().run(*args)
            done["looks"] += self.looked - before
            return found

    def ranges_before(engine, lows, *args):
        done["looked up"] += len(lows)
        return single(engine, lows, *args)

    def tokens_before(shard, positions, lengths):
        done["read"] += len(positions)
        return several(shard, positions, lengths)

    single, several = _fastsa.ranges_before, preceding._tokens_before
    monkeypatch.setattr(finder._fastsa, "Walk", Counted)
    monkeypatch.setattr(preceding._fastsa, "ranges_before", ranges_before)
    monkeypatch.setattr(preceding, "_tokens_before", tokens_before)
    return done


def amounts(indexes, pattern, work):
    """The work for a pattern in each of the indexes, and the counts."""
    sums, counts = [], []
    for index in indexes:
        work.update(dict.fromkeys(work, 0))
        counts.append(index.hits.find_text(pattern).count)
        sums.append(sum(work.values()))
    return sums, counts


def test_the_work_of_a_query_does_not_grow_with_the_corpus(indexes, work, monkeypatch):
    for pattern in [*PLAIN, *BORDERED]:
        with monkeypatch.context() as patch:
            patch.setattr(preceding, "READS_PER_LOOK_UP", 0)
            sums, counts = amounts(indexes, pattern, work)
        assert counts[2] > 10 * counts[0] > 0, pattern
        assert sums[2] <= 2 * sums[0], (pattern, sums)
        # What is rare is read instead, which is never much more.
        either, again = amounts(indexes, pattern, work)
        assert again == counts
        assert either[2] <= preceding.READS_PER_LOOK_UP * sums[2], (pattern, either, sums)


def test_few_pages_of_the_text_are_read(indexes):
    for pattern in PLAIN:
        read = []
        for index in indexes:
            shard = index.shards[0]
            size = bytes_read(shard.files.tokenized, shard.tokens, partial(index.hits.find_text, pattern))
            if size is None:
                pytest.skip("the system keeps the pages of files")
            read.append(size)
        assert read[0] > 0
        # A range of four times as many is halved twice more.
        assert read[2] <= 2 * read[0], (pattern, read)

"""How many n-grams there are, against plain counting, over both kinds of index."""

from __future__ import annotations

import csv
import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import twin
from hypothesis import given
from hypothesis import strategies as st
from list_backend import Contents, ListBackend

from explorer import CorpusError, build_index, count_spectra, distinct_ngrams, ngram_growth, open_index
from explorer.analyses.spectrum import spectra
from explorer.backends.protocol import list_values
from explorer.cli.main import main
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled

VOLUMES = st.lists(st.lists(st.lists(st.integers(0, 2), max_size=9), min_size=1, max_size=3), min_size=1, max_size=2)


def counted(documents, n):
    return Counter(tuple(each[at : at + n]) for each in documents for at in range(len(each) - n + 1))


@given(VOLUMES)
def test_distinct_ngrams_of_every_length_are_those_of_sets(volumes):
    documents = [document for volume in volumes for document in volume]
    slow = [counted(documents, n) for n in range(1, max(map(len, documents)) + 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = twin.write_index(Path(folder) / "index", volumes, 1)
        for index in (
            open_index(path, check_fit=False).index,
            ListBackend(Contents(volumes, [{}] * len(documents), 255)),
        ):
            found = spectra.count_distinct(index)
            assert found.distinct.tolist() == [len(each) for each in slow]
            assert found.totals.tolist() == [each.total() for each in slow]
            assert (found.all_distinct, found.all_total) == (sum(map(len, slow)), sum(each.total() for each in slow))
            assert found.exact


@given(st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=3), st.integers(3, 6))
def test_spectra_are_exact_for_every_count(documents, most):
    index = ListBackend(Contents([documents], [{}] * len(documents), 255))
    with pytest.MonkeyPatch.context() as patch:
        # Counts from here on are listed.
        for place in (spectra, list_values):
            patch.setattr(place, "SPECTRUM", most)
        patch.setattr("list_ngrams.SPECTRUM", most)
        found = spectra.count_spectra(index, 3)
    for each in found:
        slow = Counter(counted(documents, each.n).values())
        assert dict(zip(each.counts.tolist(), each.ngrams.tolist(), strict=True)) == slow
        above = [sum(k for count, k in slow.items() if count > limit) for limit in range(6)]
        assert each.above(range(6)).tolist() == above


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spectra")
    texts = ["The cat sat on the mat.", "the cat sat on the rug", "A dog; the dog!", "the cat sat on the mat"]
    build_index([{"text": text} for text in texts], folder / "index", tokenizer="bytes")
    build_index([{"text": "... !"}], folder / "wordless", tokenizer="bytes")
    return folder


WORDS = [text.split() for text in ("the cat sat on the mat", "the cat sat on the rug", "a dog the dog")]
WORDS.append(WORDS[0])


def answer(home, capsys, *options):
    assert main(["spectrum", str(home / "index"), "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_counts_distinct_words(home, capsys):
    found = answer(home, capsys, "--max-n", "3")
    slow = [counted(WORDS, n) for n in range(1, 7)]
    assert [(row["at"], row["ngrams"]) for row in found["results"]] == [(c.total(), len(c)) for c in slow[:3]]
    assert (found["all_distinct"], found["exact"]) == (sum(map(len, slow)), True)


def test_the_command_counts_by_count(home, capsys):
    rows = answer(home, capsys, "--view", "counts", "--max-n", "1")["results"]
    slow = Counter(counted(WORDS, 1).values())
    assert {row["at"]: row["ngrams"] for row in rows} == slow
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    rows = answer(home, capsys, "--view", "above", "--max-n", "1")["results"]
    assert [row["at"] for row in rows] == [0, 1, 2, 5]
    assert [row["ngrams"] for row in rows] == [sum(k for n, k in slow.items() if n > x) for x in (0, 1, 2, 5)]


def test_the_command_counts_as_the_corpus_grows(home, capsys):
    found = answer(home, capsys, "--view", "growth", "--min-count", "2", "--sizes", "2", "--max-n", "2")
    assert found["min_count"] == 2
    half, whole = found["results"]
    assert [half["n"], whole["at"], whole["ngrams"]] == [2, 22, sum(k > 1 for k in counted(WORDS, 2).values())]
    assert half["ngrams"] == sum(k > 1 for k in counted(WORDS[:2], 2).values())


@pytest.mark.parametrize("view", ["distinct", "counts", "above", "growth"])
def test_figures_have_the_numbers_of_the_rows(view, home, capsys):
    assert main(["spectrum", str(home / "index"), "--view", view, "--plot", str(home / f"{view}.csv")]) == 0
    capsys.readouterr()
    rows = answer(home, capsys, "--view", view)["results"]
    with open(home / f"{view}.csv", encoding="utf-8-sig", newline="") as file:
        drawn = [line for line in csv.reader(file) if line and not line[0].startswith("#")]
    assert [line[:3] for line in drawn[1:]] == [[str(row[name]) for name in ("n", "at", "ngrams")] for row in rows]


def test_an_index_without_words_has_no_ngrams(home, capsys):
    for view in ("distinct", "counts", "above", "growth"):
        assert main(["spectrum", str(home / "wordless"), "--view", view]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == "There are no words."


@pytest.mark.parametrize("view", ["distinct", "growth"])
def test_parts_of_an_index_are_refused_where_only_a_whole_one_is_counted(view, home, capsys):
    assert main(["spectrum", str(home / "index"), "--view", view, "--where", "x=1"]) == 2
    assert "--view counts" in capsys.readouterr().err


def test_the_library_gives_the_same(home):
    corpus = open_index(home / "index").words()
    assert distinct_ngrams(corpus).distinct[:2].tolist() == [len(counted(WORDS, n)) for n in (1, 2)]
    assert count_spectra(corpus, 1)[0].types == len(counted(WORDS, 1))
    grown = ngram_growth(corpus, min_n=1, max_n=2, min_count=1, sizes=4)
    assert grown.ngrams[:, -1].tolist() == [len(counted(WORDS, n)) for n in (1, 2)]
    with pytest.raises(CorpusError, match="min_n"):
        ngram_growth(corpus, min_n=4, max_n=2)
    cancel = CancelToken()
    # Reported in tokens when the last look before the walk is over; the common prefixes are reported in steps.
    with pytest.raises(Cancelled):
        ngram_growth(corpus, report=lambda seen: seen.unit == "tokens" and cancel.cancel(), cancel=cancel)
    assert np.all(np.diff(grown.tokens) > 0)

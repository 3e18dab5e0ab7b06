"""Dispersion of many words in one pass, against counts of lists and the figures of WikiText-2."""

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.dispersion import compute as word_dispersion
from explorer.analyses.dispersion.compute import Parts, measure_words
from explorer.analyses.dispersion.measures import DISPERSIONS, Spread, average_reduced_frequency

TEXTS = ["a b a c", "b", "! ?", "c a a d b", "d d"]


def parts_of(index, kind):
    numbers = index.documents.numbers()
    lengths = index.documents.lengths(numbers)
    if kind == "documents":
        return Parts.by_label(numbers, lengths, numbers)
    if kind == "halves":
        return Parts.by_label(numbers, lengths, numbers % 2)
    return Parts.slices(numbers, lengths, kind)


@pytest.mark.parametrize("together", [1, 1 << 20])
@pytest.mark.parametrize("kind", ["documents", "halves", 1, 3, 12])
def test_a_pass_has_what_loops_have(kind, together, tmp_path, monkeypatch):
    monkeypatch.setattr(word_dispersion, "_TOGETHER", together)
    build_index([{"text": text} for text in TEXTS], tmp_path / "index", tokenizer="bytes")
    index = open_index(tmp_path / "index").words().index
    texts = [index.documents.windows(np.array([n]), np.array([0]), np.array([99]))[0].tolist() for n in range(5)]
    running = [word for text in texts for word in text]
    homes = [n for n, text in enumerate(texts) for _ in text]
    ids = np.unique(running)
    found = measure_words(index, ids, np.bincount(running)[ids], parts_of(index, kind), int(ids.max()) + 1)
    if kind == "documents":
        labels = homes
    elif kind == "halves":
        labels = [home % 2 for home in homes]
    else:
        labels = [sum(at >= k * 12 // kind for k in range(1, kind)) for at in range(12)]
    kinds = sorted(set(labels))
    sizes = [labels.count(label) for label in kinds]
    for row, word in enumerate(ids):
        spread = Spread.of(
            [sum(w == word and lab == k for w, lab in zip(running, labels, strict=True)) for k in kinds], sizes
        )
        for name, measure in DISPERSIONS.items():
            expected = measure.compute(spread)
            assert found[name][row] == pytest.approx(np.nan if expected is None else expected, nan_ok=True), name
        places = [at for at, each in enumerate(running) if each == word]
        assert found["arf"][row] == pytest.approx(average_reduced_frequency(places, 12))

"""Sources side by side, sampling, figures by count, a neural model beside."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.compare import by_count
from explorer.analyses.agreement.neural import neural_figure
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.agreement.tokens import agreement
from explorer.core.proportions import two_proportions
from explorer.errors import SourceError
from explorer.neural.records import read_scored

TEXTS = (
    "the cat sat on the mat.",
    "zebras run fast",
    "the dog saw the cat on the rug.",
    "a dog sat",
    "rug mat cat dog",
)
GROUPS = ("a", "b", "a", "b", "a")


def test_sources_in_figures(small):
    result = analyze(small.index, Texts(TEXTS, GROUPS))
    for source in result.sources:
        parts = [text for text in result.texts if text.group == source.name]
        agrees = np.concatenate([part.infgram.agrees for part in parts])
        sparse = np.concatenate([part.infgram.sparse for part in parts])
        lengths = np.concatenate([part.infgram.effective_n for part in parts])
        assert (source.texts, source.tokens, source.agreeing) == (GROUPS.count(source.name), len(agrees), agrees.sum())
        assert source.agreement == pytest.approx(agrees.mean())
        assert source.sparse == pytest.approx(sparse.mean())
        assert (source.mean_n, source.median_n) == (pytest.approx(lengths.mean()), np.median(lengths))
        assert source.low <= source.agreement <= source.high
        assert source.few


def test_texts_are_drawn_with_the_seed(small):
    def drawn(seed):
        question = AgreementQuestion(max_texts=3, max_tokens=2, seed=seed)
        result = analyze(small.index, Texts(TEXTS * 4, GROUPS * 4), question)
        assert [text.group for text in result.texts].count("a") == 3
        assert all(len(text.infgram) <= 2 for text in result.texts)
        return [text.text for text in result.texts]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(8)}) > 1


def test_two_proportions():
    # Newcombe's example (1998, table II a): 56/70 and 48/80, 95 % interval 0.0524 to 0.3339.
    found = two_proportions(56, 70, 48, 80)
    assert found.difference == pytest.approx(0.2)
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=5e-4), pytest.approx(0.3339, abs=5e-4))
    pooled = 104 / 150
    z = 0.2 / math.sqrt(pooled * (1 - pooled) * (1 / 70 + 1 / 80))
    assert found.z == pytest.approx(z) and found.p == pytest.approx(math.erfc(z / math.sqrt(2)))
    assert found.h == pytest.approx(0.4421, abs=1e-3) and found.size == "small"
    assert two_proportions(5, 10, 5, 10).p == pytest.approx(1)
    assert two_proportions(0, 0, 1, 2) is None


def test_agreement_by_count(small):
    parts = [agreement(small.index, small.encode(text)) for text in TEXTS]
    series = by_count(parts)
    counts = np.concatenate([part.context_count for part in parts])
    agrees = np.concatenate([part.agrees for part in parts])
    assert sum(b.tokens for b in series.bins) == len(counts)
    for b in series.bins:
        mask = (counts >= (10**b.effective_n if b.effective_n else 0)) & (counts < 10 ** (b.effective_n + 1))
        assert (b.tokens, b.agreeing) == (mask.sum(), agrees[mask].sum())


@pytest.mark.subtracts
def test_a_text_of_the_corpus_is_left_out(tmp_path):
    words = " ".join(f"w{n}" for n in range(60))
    (tmp_path / "a.txt").write_text(words)
    (tmp_path / "b.txt").write_text("w1 w2 w3 and others w1 w2 w9")
    build_index([tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "out", tokenizer="bytes")
    index = open_index(tmp_path / "out").index
    own = analyze(index, Texts((words,)))
    assert own.self_matched == 1 and own.left_out == ()
    assert own.figure.infgram.overall > 0.9
    less = analyze(index, Texts((words,)), AgreementQuestion(without_self=True))
    assert less.left_out == (0,) and less.self_matched == 1
    assert less.figure.infgram.overall < 0.5
    (tmp_path / "only").mkdir()
    build_index(tmp_path / "b.txt", tmp_path / "only" / "out", tokenizer="bytes")
    fresh = analyze(open_index(tmp_path / "only" / "out").index, Texts((words,)))
    assert less.figure == fresh.figure


def write_neural(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_a_neural_model_beside(small, tmp_path):
    text = "the cat sat on the mat."
    words = [(0, 3, 0.05), (3, 7, 0.55), (7, 11, 0.95), (11, 14, 1.0), (14, 18, 0.999), (18, 22, 0.31), (22, 23, 0.3)]
    tokens = [{"start": s, "end": e, "probability": p} for s, e, p in words]
    tokens[0] = {"start": 0, "end": 3, "logprob": math.log(0.05)}
    figure = neural_figure(
        small.index, read_scored(write_neural(tmp_path / "n.jsonl", [{"text": text, "tokens": tokens}]))
    )
    encoded = small.index.tokenizer.encode_with_offsets(text)
    agrees = agreement(small.index, encoded.ids).agrees
    expected = {}
    for start, end, p in words:
        begins = [
            s + len(text[s:e]) - len(text[s:e].lstrip()) for s, e in zip(encoded.starts, encoded.ends, strict=True)
        ]
        inside = [agree for begin, agree in zip(begins, agrees, strict=True) if start <= begin < end]
        if inside:
            expected.setdefault(min(9, int(p * 10)), []).append(all(inside))
    assert {b.effective_n: (b.tokens, b.agreeing) for b in figure.bins if b.tokens} == {
        k: (len(v), sum(v)) for k, v in expected.items()
    }
    assert figure.tokens + figure.without == len(words)


def test_blanks_before_a_word_may_be_anybodys(small, tmp_path):
    """With or without the blank in the model's range, the word's token is the same one."""
    text = "the cat sat"
    figures = []
    for name, blank in (("with", 1), ("without", 0)):
        ranges = [(0, 3), (4 - blank, 7), (8 - blank, 11)]
        tokens = [{"start": s, "end": e, "probability": 0.1 + 0.3 * i} for i, (s, e) in enumerate(ranges)]
        path = write_neural(tmp_path / f"{name}.jsonl", [{"text": text, "tokens": tokens}])
        figures.append(neural_figure(small.index, read_scored(path)))
    assert figures[0].tokens == figures[1].tokens == 3
    assert [(b.tokens, b.agreeing) for b in figures[0].bins] == [(b.tokens, b.agreeing) for b in figures[1].bins]


def test_groups_are_values_by_the_rule_for_metadata(tmp_path):
    values = [1, 1.0, True, "1", None, float("nan"), "x", 2.5]
    lines = [json.dumps({"text": "the cat", "kind": value}) for value in values]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = read_texts([tmp_path / "a.jsonl"], InputChoice(group_field="kind"))
    assert found.groups == ("1", "1", "true", '"1"', "(none)", "(none)", "x", "2.5")
    with pytest.raises(SourceError, match=r"did you mean kind\?"):
        read_texts([tmp_path / "a.jsonl"], InputChoice(group_field="kin"))

"""Hints of texts and of whole indexes: the rule of plateaus, what is left out, and the files read back."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer import build_index, open_index
from explorer.analyses.hints import compute as streaming
from explorer.backends.defaults.hints import hints_by_counts
from explorer.backends.protocol.values import HintRule
from explorer.cli.main import main
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError, QueryError


def corpus_of(folder, texts, **options):
    build_index([{"text": text} for text in texts], folder / "index", tokenizer="bytes", **options)
    return open_index(folder / "index")


def chosen(found, text, at):
    """(the context, its count, its samples in order) of one byte of a text."""
    context = text[at - int(found.context_lengths[at]) : at]
    samples = sorted(map(chr, found.samples[at, : found.lengths[at]].tolist()))
    return context, int(found.counts[at]), "".join(samples)


@pytest.mark.parametrize("length", [4, 5])
def test_a_plateau_of_four_is_kept_and_of_five_is_not(tmp_path, length):
    """All suffixes of a passage of four or five bytes occur twice."""
    passage = "abcde"[:length]
    corpus = corpus_of(tmp_path, [passage + "X", passage + "Y"])
    found = corpus.hints(passage + "Z")
    expected = (passage, 2, "XY") if length == 4 else ("", 12, "XYaabbccddee")
    assert chosen(found, passage + "Z", length) == expected


def test_the_context_ends_below_the_plateau(tmp_path):
    """The last byte has seven lengths: `h` 3 times, `gh` twice, and five that are one copy."""
    corpus = corpus_of(tmp_path, ["bcdefghX", "zghY", "qhW"])
    text = "bcdefghZ"
    assert chosen(corpus.hints(text), text, 7) == ("gh", 2, "XY")
    assert chosen(corpus.hints(text, plateau=6), text, 7) == ("bcdefgh", 1, "X")
    assert chosen(corpus.hints(text, plateau=0), text, 7) == ("bcdefgh", 1, "X")


def test_a_text_that_stands_once_does_not_see_itself(tmp_path):
    text = "nopqrstuvw"
    corpus = corpus_of(tmp_path, [text, "tuX", "uY"])
    # The profile before `v`: 3, 2, and six lengths that are the text itself.
    assert chosen(corpus.hints(text, plateau=0), text, 8) == ("nopqrstu", 1, "v")
    assert chosen(corpus.hints(text), text, 8) == ("tu", 2, "Xv")
    # Without itself 2, 1, and a count of 0, which is not a plateau.
    assert chosen(corpus.hints(text, leave_one_out=True), text, 8) == ("tu", 1, "X")
    assert chosen(corpus.hints(text, leave_one_out=True, plateau=0), text, 8) == ("tu", 1, "X")


def test_three_copies_are_a_plateau_of_three(tmp_path):
    text = "nopqrstuvw"
    corpus = corpus_of(tmp_path, [text] * 3 + ["tuX", "uY"])
    assert chosen(corpus.hints(text, plateau=0), text, 8) == ("nopqrstu", 3, "vvv")
    assert chosen(corpus.hints(text), text, 8) == ("tu", 4, "Xvvv")
    # Left out, the two other copies are still one.
    assert chosen(corpus.hints(text, leave_one_out=True), text, 8) == ("tu", 3, "Xvv")


def test_documents_are_borders(tmp_path):
    corpus = corpus_of(tmp_path, ["xa", "by", "xa", "xac"])
    found = corpus.hints("xab", plateau=0)
    # Two of three occurrences end a document; what begins the next one does not follow.
    assert chosen(found, "xab", 2) == ("xa", 1, "c")
    assert chosen(corpus.hints("yb"), "yb", 1)[0] == ""


def test_no_plateau_is_the_infgram(small, tmp_path):
    text = "the cat sat on a dog and the mat"
    found = small.hints(text, plateau=0, samples=255)
    ids = small.encode(text)
    for at in range(len(ids)):
        model = small.model("infgram").distribution(ids[:at])
        drawn, times = np.unique(found.samples[at, : found.lengths[at]], return_counts=True)
        if found.lengths[at] < 255:
            shares = dict(zip(model.tokens.tolist(), model.probabilities.tolist(), strict=True))
            assert {t: n / times.sum() for t, n in zip(drawn.tolist(), times.tolist(), strict=True)} == pytest.approx(
                {token: share for token, share in shares.items() if share}
            )


@pytest.fixture(params=[1, 3])
def mixed(request, tmp_path):
    """Documents of few letters, some twice, in one shard or three."""
    random = np.random.default_rng(4)
    texts = ["".join(random.choice(list("abc"), size)) for size in (0, 1, 5, 40, 90, 90, 200)]
    return corpus_of(tmp_path, [*texts, texts[4]], shards=request.param)


def rows(parts):
    return [(part.document, part.first + at, *chosen_of(part, at)) for part in parts for at in range(len(part.tokens))]


def chosen_of(part, at):
    drawn = part.samples[at, : part.lengths[at]].tolist()
    return int(part.tokens[at]), int(part.context_lengths[at]), int(part.counts[at]), drawn


def test_a_whole_index_is_every_document_left_out(mixed):
    parts = list(mixed.document_hints(seed=3, samples=4))
    assert [part.document for part in parts] == [n for n in range(8) if len(mixed.document(n).tokens)]
    for part in parts:
        alone = mixed.hints(part.tokens, leave_one_out=True, samples=4)
        assert np.array_equal(part.context_lengths, alone.context_lengths)
        assert np.array_equal(part.counts, alone.counts)
        assert np.array_equal(part.tokens, mixed.document(part.document).tokens)


def test_blocks_change_nothing(mixed, monkeypatch):
    """Whatever is worked on at once: a long document in parts, several short ones together."""
    whole = rows(mixed.document_hints(seed=3, samples=4, context=7))
    for size in (7, 33, 130):
        monkeypatch.setattr(streaming, "BLOCK", size)
        assert rows(mixed.document_hints(seed=3, samples=4, context=7)) == whole
    assert rows(mixed.document_hints(seed=4, samples=4, context=7)) != whole


def test_without_documents_as_in_an_index_that_never_had_them(mixed):
    less = mixed.index.without([4])
    text = mixed.document(6).tokens.astype(np.int64)[:60]
    places = np.arange(len(text), dtype=np.int64)
    asked = text, places, np.zeros_like(places), places
    for rule in (HintRule(samples=200), HintRule(plateau=0, samples=200, leaves_out=True)):
        found = less.counts.hints(*asked, rule)
        kept = hints_by_counts(less.counts, less.separator, *asked, rule)
        whole = mixed.index.counts.hints(*asked, rule)
        assert np.array_equal(found.counts, kept.counts)
        assert found.counts[:1].sum() < whole.counts[:1].sum()
        slow = hints_by_counts(mixed.index.counts, mixed.index.separator, *asked, rule)
        assert np.array_equal(slow.counts, whole.counts)
        assert np.array_equal(slow.context_lengths, whole.context_lengths)
        few = whole.counts <= 200
        assert np.array_equal(np.sort(slow.samples[few]), np.sort(whole.samples[few]))


def read_safetensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    kinds = {"I32": "<i4", "U8": "u1", "I64": "<i8"}
    return {
        name: np.frombuffer(data[8 + size :][slice(*of["data_offsets"])], kinds[of["dtype"]]).reshape(of["shape"])
        for name, of in json.loads(data[8 : 8 + size]).items()
    }


def test_files_of_a_whole_index(mixed, tmp_path, capsys):
    folder = str(tmp_path / "index")
    assert main(["hints", folder, "--samples", "3", "--seed", "5", "--arrays", str(tmp_path / "h"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(["hints", folder, "--samples", "3", "--seed", "5", "--arrays", str(tmp_path / "h.safetensors")]) == 0
    arrays = {path.stem: np.load(path) for path in (tmp_path / "h").iterdir()}
    other = read_safetensors(tmp_path / "h.safetensors")
    assert set(arrays) == set(other)
    for name, array in arrays.items():
        assert array.dtype == other[name].dtype
        assert np.array_equal(array, other[name])
    parts = {part.document: part for part in mixed.document_hints(samples=3, seed=5)}
    for number in range(8):
        own = slice(arrays["starts"][number], arrays["starts"][number + 1])
        assert np.array_equal(arrays["tokens"][own], mixed.document(number).tokens)
        if number in parts:
            assert np.array_equal(arrays["samples"][own], parts[number].samples)
            assert np.array_equal(arrays["counts"][own], parts[number].counts)
    assert found["token_count"] == len(arrays["tokens"]) == mixed.token_count - 8
    assert found["sample_count"] == arrays["lengths"].sum()
    assert found["leave_one_out"] is True
    assert [row["text"] for row in found["results"]] == sorted(parts)
    assert sum(row["sample_count"] for row in found["results"]) == found["sample_count"]


def test_texts_on_the_command_line(mixed, tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text('{"text": "abca"}\n{"text": ""}\n{"text": "cab"}\n')
    asked = ["hints", str(tmp_path / "index"), str(tmp_path / "a.jsonl"), "--samples", "2"]
    assert main([*asked, "--arrays", str(tmp_path / "h"), "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["token_count"] for line in lines][-1] == 3
    samples = np.load(tmp_path / "h" / "samples.npy")
    assert np.array_equal(samples[:4], mixed.hints("abca", samples=2).samples)
    assert main([*asked]) == 0
    assert "7 tokens" in capsys.readouterr().out
    # A folder that is there is not written into.
    assert main([*asked, "--arrays", str(tmp_path / "h")]) != 0
    assert "exists already" in capsys.readouterr().err


def test_one_text_to_files(mixed, tmp_path):
    found = mixed.hints("abcabc", samples=3)
    found.write(tmp_path / "one.safetensors")
    found.write(tmp_path / "one")
    arrays = read_safetensors(tmp_path / "one.safetensors")
    assert arrays["starts"].tolist() == [0, 6]
    assert np.array_equal(arrays["samples"], found.samples)
    assert np.array_equal(np.load(tmp_path / "one" / "counts.npy"), found.counts)
    with pytest.raises(QueryError, match="no tokens"):
        mixed.hints("").write(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match="cannot be written"):
        found.write(tmp_path / "file" / "below")
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize("setting", ["plateau", "samples", "context", "seed"])
def test_settings_out_of_range(mixed, setting):
    for value in (-1, 2.5, 1 << 70):
        with pytest.raises(QueryError, match=setting):
            mixed.hints("abc", **{setting: value})
    with pytest.raises(QueryError, match=setting):
        next(mixed.document_hints(**{setting: -1}))


def test_cancelled_hints(mixed, monkeypatch):
    monkeypatch.setattr(streaming, "BLOCK", 10)
    cancel = CancelToken()
    parts = mixed.document_hints(cancel=cancel)
    next(parts)
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(parts)


def test_the_example_trains_with_and_without_hints(tmp_path, monkeypatch, capsys):
    (tmp_path / "t.txt").write_text("the cat sat on the mat, and the dog saw the cat. " * 40)
    example = Path(__file__).resolve().parents[2] / "docs" / "examples" / "train_with_hints.py"
    monkeypatch.setattr(sys, "argv", [str(example), str(tmp_path / "t.txt"), "--steps", "60"])
    runpy.run_path(str(example), run_name="__main__")
    figures = re.findall(r"(with|without) hints: perplexity ([\d.]+)", capsys.readouterr().out)
    assert [name for name, _ in figures] == ["without", "with"]
    # A text of 17 letters that repeats itself is learned in a few steps.
    assert all(1 <= float(figure) < 10 for _, figure in figures)

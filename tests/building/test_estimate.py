"""What a build would take, beside what it took."""

from __future__ import annotations

import json

import pytest

from explorer import build_index
from explorer.building.estimate.estimate import SampleText, estimate_requested
from explorer.building.request import BASE_BYTES, SORT_BYTES_A_TOKEN, BuildRequest
from explorer.errors import SourceError
from explorer.text.tokens.tokenizer import TextTokenizer


@pytest.mark.parametrize("tokenizer", ["bytes", "train:1000"])
def test_an_estimate_beside_the_build(text_folder, tmp_path, tokenizer):
    found = estimate_requested(BuildRequest((text_folder,), tmp_path / "out", tokenizer))
    made = build_index(text_folder, tmp_path / "out", tokenizer=tokenizer)
    assert found.exact
    assert (found.documents, found.shards) == (made.document_count, 1)
    # A trained vocabulary is guessed from a smaller one; bytes are counted.
    assert found.tokens == pytest.approx(made.token_count, rel=0.01 if tokenizer == "bytes" else 0.5)
    size = sum(size for name, size in made.files.items() if name.split(".")[0] not in ("tokenizer", "unigram"))
    assert found.disk == pytest.approx(size, rel=0.3 if tokenizer == "bytes" else 0.6)
    assert found.seconds > 0 and found.free_disk > 0 and found.warnings == ()
    assert found.samples[0].beginning


def test_a_long_file_is_estimated_from_its_beginning(tmp_path):
    lines = [json.dumps({"text": f"line {i} of a long file " * 20, "year": i}) for i in range(20_000)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    found = estimate_requested(BuildRequest((tmp_path / "a.jsonl",), tmp_path / "out", "bytes"))
    assert not found.exact
    assert found.documents == pytest.approx(20_000, rel=0.1)
    assert found.tokens == pytest.approx(sum(len(json.loads(line)["text"]) + 1 for line in lines), rel=0.1)
    assert found.samples[0].fields == ("year",)


def test_files_of_different_sizes(tmp_path):
    for i in range(600):
        (tmp_path / f"{i:03}.txt").write_text("some words and some more " * (1 + i % 7 * 5))
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes"))
    assert found.documents == 600
    assert found.tokens == pytest.approx(total + 600, rel=0.05)


def test_what_does_not_fit_is_said(text_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("explorer.building.estimate.estimate.free_disk", lambda out: 1_000)
    monkeypatch.setattr("explorer.building.estimate.estimate.free_memory", lambda: 1_000)
    disk, memory = estimate_requested(BuildRequest((text_folder,), tmp_path / "out", "bytes")).warnings
    assert "Choose another disk" in disk and "Set a memory limit" in memory


def test_a_memory_limit_makes_shards(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("words " * 10_000)
    monkeypatch.setattr("explorer.building.request.FEWEST_SHARD_TOKENS", 20_000)
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes", memory=1))
    assert found.shards == 4


def test_sources_that_hold_nothing(tmp_path):
    with pytest.raises(SourceError, match="no text to index"):
        estimate_requested(BuildRequest((tmp_path,), tmp_path / "out"))
    (tmp_path / "a.jsonl").write_text('{"body": "x"}')
    with pytest.raises(SourceError, match=r"fields: body"):
        estimate_requested(BuildRequest((tmp_path,), tmp_path / "out"))


@pytest.mark.parametrize("tokenizer", ["bytes", "train:1000"])
def test_large_files_are_sampled_by_pieces(tmp_path, monkeypatch, tokenizer):
    """A few large files, one very large document among them: at most twice the sample is read and tokenized."""
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text(f"some words and more of text {number}\n" * 30_000)
    (tmp_path / "7.jsonl").write_text(json.dumps({"text": "one long document of many words " * 300_000}) + "\n")
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    tokenized = []
    encode = TextTokenizer.encode_batch
    monkeypatch.setattr(
        TextTokenizer, "encode_batch", lambda self, texts: tokenized.extend(map(len, texts)) or encode(self, texts)
    )
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", tokenizer))
    assert sum(tokenized) < 2_500_000 < total
    assert not found.exact and found.documents == 7
    if tokenizer == "bytes":
        assert found.tokens == pytest.approx(total, rel=0.02)
        assert found.memory > BASE_BYTES + 9_000_000 * SORT_BYTES_A_TOKEN


def test_a_bad_line_does_not_block_the_estimate(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\nnot json\n{"text": "three"}\n')
    (tmp_path / "b.txt").write_text("some text")
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes"))
    assert found.documents == 3
    assert "line 2" in str(found.stops_at)
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes", skip_bad=True))
    assert found.documents == 3 and found.stops_at is None


@pytest.mark.parametrize(("memory", "kept"), [(0, True), (100 << 20, False), (300 << 20, False), (900 << 20, True)])
def test_a_memory_limit_that_cannot_be_kept_is_said(tmp_path, memory, kept):
    (tmp_path / "a.txt").write_text("words " * 3_000_000)
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes", memory=memory))
    assert any("is too low" in warning for warning in found.warnings) != kept


def test_what_is_left_out_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\0\0")
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path.parent / "out", "bytes"))
    assert [problem.path for problem in found.left_out] == [str(tmp_path / "b.png")]


def test_the_first_documents_of_each_kind_and_character_set_are_shown(tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": f"row {n}", "year": n}) + "\n" for n in range(9)))
    for number in range(3):
        (tmp_path / f"b{number}.txt").write_text(f"plain {number}")
    (tmp_path / "c.txt").write_bytes("naïve café".encode("cp1252"))
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path / "out", "bytes"), documents=2)
    assert [each.beginning for each in found.samples] == ["row 0", "row 1"]
    shown = [(each.kind, each.encoding, each.beginning) for each in found.examples]
    assert shown == [
        ("jsonl", "", "row 0"),
        ("jsonl", "", "row 1"),
        ("text", "", "plain 0"),
        ("text", "", "plain 1"),
        ("text", "windows-1252", "naïve café"),
    ]


def test_the_character_set_of_a_long_text_is_known_although_only_pieces_of_it_are_read(tmp_path):
    (tmp_path / "a.txt").write_bytes("Das Café schließt früh. ".encode("cp1252") * 120_000)
    found = estimate_requested(BuildRequest((tmp_path,), tmp_path / "out", "bytes"))
    assert found.samples[0].encoding == "windows-1252" and found.changed == {"files read as windows-1252": 1}


@pytest.mark.parametrize(("text", "shown"), [("a" * 200, "a" * 200), ("a" * 201, "a" * 200 + " …"), ("short", "short")])
def test_an_excerpt_has_two_hundred_characters(text, shown):
    assert SampleText("a.txt", (), text).excerpt == shown

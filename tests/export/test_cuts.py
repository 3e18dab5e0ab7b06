"""Exports of cuts: read back as the programs do that they are for."""

from __future__ import annotations

import errno
import gzip
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import own_indexes
import pytest
from cut_readers import in_google_layout, of_documented_tool, rows_of
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from explorer import Corpus, ExportError, QueryError, build_index, open_index, ranges_of
from explorer.building.lock import folder_lock
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError
from explorer.export.cuts import files as cut_files
from explorer.export.cuts import texts as cut_texts

original = cut_texts._read
TEXTS = ["the cat sat on the mat", "naïve café, 日本語 😀 emoji", "", "gone", "a dog\nsaw the cat"]
CUTS = ([0, 0, 1, 1, 3, 4], [0, 8, 2, 9, 0, 3], [3, 11, 4, 16, 4, 9])


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "source" / "texts.jsonl"
    path.parent.mkdir()
    rows = [{"id": f"d{n}", "text": text, "score": n / 2} for n, text in enumerate(TEXTS)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def corpus(source, tmp_path):
    return open_index_of(source, tmp_path / "index")


def open_index_of(source, out, **options):
    build_index(source, out, **{"tokenizer": "bytes", **options})
    return open_index(out)


@pytest.mark.local("sources and files")
class TestFiles:
    """Each format, on texts whose tokens are bytes."""

    def test_cleaned_is_what_the_documented_tool_leaves(self, corpus, tmp_path):
        ranges = ranges_of(*CUTS)
        corpus.export_cuts(ranges, tmp_path / "bytes", format="byterange")
        made = corpus.export_cuts(ranges, tmp_path / "clean")
        assert in_google_layout((tmp_path / "bytes" / "texts").read_bytes(), TEXTS)
        cleaned = rows_of(tmp_path / "clean" / "cleaned.jsonl")
        # What is dropped is empty there; the row without a text from the beginning stays.
        kept = [row["text"] for row in cleaned]
        assert in_google_layout(of_documented_tool(tmp_path / "bytes"), [*kept[:3], "", *kept[3:]])
        assert [row["id"] for row in cleaned] == ["d0", "d1", "d2", "d4"]
        assert kept[0] == " cat the mat"[:5] + TEXTS[0][11:]
        assert rows_of(tmp_path / "clean" / "dropped.jsonl") == [
            {"document": 3, "path": "texts.jsonl", "linenum": 3, "tokens": 4, "reason": "empty"}
        ]
        assert (made.counts.from_sources, made.counts.from_tokens, made.counts.documents_dropped) == (5, 0, 1)

    def test_sizes_are_cumulative(self, corpus, tmp_path):
        corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out", format="byterange")
        sizes = np.fromfile(tmp_path / "out" / "texts.size", "<u8")
        assert sizes[0] == 0 and sizes[-1] == (tmp_path / "out" / "texts").stat().st_size
        assert (np.diff(sizes) == [6 + len(text.encode()) for text in TEXTS]).all()

    @pytest.mark.parametrize("packed", [False, True])
    def test_annotated_rows_are_whole_and_name_the_bytes(self, corpus, source, tmp_path, packed):
        ranges = ranges_of(*CUTS)
        corpus.export_cuts(ranges, tmp_path / "out", format="annotated", packed=packed, characters=True)
        rows = rows_of(tmp_path / "out" / f"annotated.jsonl{'.zst' * packed}")
        corpus.export_cuts(ranges, tmp_path / "clean", min_words=0)
        cleaned = {row["id"]: row["text"] for row in rows_of(tmp_path / "clean" / "cleaned.jsonl")}
        for row, before in zip(rows, rows_of(source), strict=True):
            spans, characters = row.pop("sa_remove_ranges"), row.pop("sa_remove_ranges_chars")
            assert row == before
            data, text = row["text"].encode(), row["text"]
            for (first, last), span in zip(reversed(spans), reversed(characters), strict=True):
                assert data[first:last].decode() == row["text"][slice(*span)]
                text = text[: span[0]] + text[span[1] :]
            assert text == cleaned.get(row["id"], "")

    def test_cuts_shrink_to_characters(self, corpus, tmp_path):
        # The bytes 2 and 3 of "naïve" are one character, and 3 alone holds none.
        place = tmp_path / "out"
        corpus.export_cuts(ranges_of([1, 1], [1, 5], [3, 6]), place, format="annotated")
        assert rows_of(place / "annotated.jsonl")[1]["sa_remove_ranges"] == [[1, 2], [5, 6]]
        corpus.export_cuts(ranges_of([1], [3], [4]), tmp_path / "none", format="annotated")
        assert rows_of(tmp_path / "none" / "annotated.jsonl")[1]["sa_remove_ranges"] == []

    def test_the_manifest_states_what_was_done(self, corpus, tmp_path):
        about = {"rule": "separate", "length": 50, "gap": 0}
        corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out", about=about)
        facts = json.loads((tmp_path / "out" / "manifest.json").read_text())
        assert facts["index"]["fingerprint"] == corpus.index.fingerprint
        assert facts.items() >= about.items()
        assert facts["before"]["tokens"] - facts["after"]["tokens"] == facts["tokens_removed"] == 25
        assert facts["before"]["documents"] - facts["after"]["documents"] == facts["documents_dropped"] == 1
        assert (facts["ranges"], facts["documents_touched"], facts["documents_emptied"]) == (6, 4, 1)
        assert facts["files"].keys() == {"cleaned.jsonl", "dropped.jsonl"}

    def test_few_words_are_dropped_only_where_something_is_cut(self, corpus, tmp_path):
        corpus.export_cuts(ranges_of([0], [3], [19]), tmp_path / "out", min_words=4)
        assert [row["reason"] for row in rows_of(tmp_path / "out" / "dropped.jsonl")] == ["too-few-words"]

    def test_parquet_has_typed_columns(self, corpus, tmp_path):
        corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out", parquet=True)
        corpus.export_cuts(ranges_of(*CUTS), tmp_path / "lines")
        table = parquet.read_table(tmp_path / "out" / "cleaned.parquet")
        names = ("id", "score", "text")
        rows = [{name: row[name] for name in names} for row in rows_of(tmp_path / "lines" / "cleaned.jsonl")]
        assert [{name: row[name] for name in names} for row in table.to_pylist()] == rows
        assert str(table.schema.field("score").type) == "double"
        with pytest.raises(QueryError, match="Parquet"):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path / "no", parquet=True, format="annotated")

    def test_the_preview_is_what_is_written(self, corpus, tmp_path):
        ranges = ranges_of(*CUTS)
        corpus.export_cuts(ranges, tmp_path / "out", format="annotated", characters=True)
        for number, row in enumerate(rows_of(tmp_path / "out" / "annotated.jsonl")):
            seen = corpus.preview_cuts(ranges, number)
            assert (seen.text, [list(span) for span in seen.spans]) == (row["text"], row["sa_remove_ranges_chars"])
        with pytest.raises(QueryError):
            corpus.preview_cuts(ranges, 9)


@pytest.mark.local("files of tokens")
@pytest.mark.parametrize("shards", [1, 3])
def test_token_ranges_are_places_in_the_files(source, tmp_path, shards):
    corpus = open_index_of(source, tmp_path / "index", shards=shards)
    ranges = ranges_of(*CUTS)
    corpus.export_cuts(ranges, tmp_path / "out", format="ranges")
    found = []
    for number in range(len(corpus.index.local.parts)):
        data = (tmp_path / "index" / f"tokenized.{number}").read_bytes()
        pairs = np.fromfile(tmp_path / "out" / f"remove_ranges.{number}", "<u8").reshape(-1, 2)
        found += [data[first:last] for first, last in pairs]
    wanted = zip(ranges.documents, ranges.starts, ranges.ends, strict=True)
    assert found == [TEXTS[document].encode()[first:last] for document, first, last in wanted]


@pytest.mark.local("files of tokens")
def test_token_ranges_of_reversed_documents(tmp_path):
    folder, tokenizer = own_indexes.write(tmp_path, "v5_u16_llama_reversed")
    corpus = open_index(folder, tokenizer=tokenizer, reversed_text=True)
    corpus.export_cuts(ranges_of([0, 7], [1, 3], [4, 9]), tmp_path / "out", format="ranges")
    data = np.fromfile(next(folder.glob("tokenized.0")), "<u2")
    pairs = np.fromfile(tmp_path / "out" / "remove_ranges.0", "<u8").reshape(-1, 2) // 2
    found = [data[first:last][::-1].tolist() for first, last in pairs.astype(int)]
    assert found == [corpus.document(0).tokens[1:4].tolist(), corpus.document(7).tokens[3:9].tolist()]


@pytest.mark.local("sources")
class TestSources:
    """Originals that can be read, and that cannot."""

    def test_what_a_tokenizer_loses_is_kept_in_originals(self, tmp_path):
        source = tmp_path / "a.txt"
        # WordPiece-like loss is not needed: a Llama tokenizer reads a no-break space as it is, NFKC is another text.
        source.write_text("one  two\tthree café ﬁne", encoding="utf-8")
        corpus = open_index_of(source, tmp_path / "index", tokenizer=own_indexes.DATA / "llama.tokenizer.json")
        corpus.export_cuts(ranges_of([0], [1], [2]), tmp_path / "out")
        [row] = rows_of(tmp_path / "out" / "cleaned.jsonl")
        assert row["path"] == "a.txt"
        cut = corpus.document(0).part(1, 2).text
        assert row["text"] == source.read_text(encoding="utf-8").replace(cut, "", 1)

    @pytest.mark.parametrize("change", ["gone", "changed"])
    def test_tokens_where_the_source_is_another(self, corpus, source, tmp_path, change):
        if change == "gone":
            source.unlink()
        else:
            source.write_text(source.read_text().replace("the cat sat", "the cow sat"))
        made = corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out")
        assert made.counts.from_tokens == (5 if change == "gone" else 1)
        rows = rows_of(tmp_path / "out" / "cleaned.jsonl")
        assert rows[0]["text"] == " cat " + TEXTS[0][11:] and rows[0]["id"] == "d0"
        with pytest.raises(ExportError, match="gone or has changed"):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path / "other", sources_only=True)
        assert not list(tmp_path.glob("*other*"))

    def test_lines_that_are_gone_are_taken_from_tokens(self, corpus, source, tmp_path, monkeypatch):
        lines = source.read_text().splitlines(keepends=True)
        # Another number of lines: only those that still give the same tokens are originals.
        source.write_text("".join([*lines[:2], "not json\n", "\n", lines[4]]))
        read = []
        monkeypatch.setattr(cut_texts, "_read", lambda *given: read.append(given) or original(*given))
        made = corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out", format="annotated")
        assert (made.counts.from_sources, made.counts.from_tokens, len(read)) == (3, 2, 1)
        assert [row["text"] for row in rows_of(tmp_path / "out" / "annotated.jsonl")] == TEXTS

    def test_two_files_of_one_name(self, tmp_path, monkeypatch):
        """Each document is that of its own file, also where a line is the same in both, and each is read once."""
        texts = {"a": ["one two", "the same", "three four"], "b": ["five six", "the same"], "c": ["seven", "", "eight"]}
        for folder, lines in texts.items():
            (tmp_path / folder).mkdir()
            rows = [json.dumps({"text": text, "from": folder}) for text in lines]
            (tmp_path / folder / "x.jsonl").write_text("\n".join(rows))
        corpus = open_index_of([tmp_path / folder / "x.jsonl" for folder in texts], tmp_path / "index")
        read = []
        monkeypatch.setattr(cut_texts, "_read", lambda *given: read.append(given) or original(*given))
        made = corpus.export_cuts(ranges_of([3], [0], [4]), tmp_path / "out", format="annotated", sources_only=True)
        assert (made.counts.from_sources, made.counts.from_tokens, len(read)) == (8, 0, 3)
        rows = rows_of(tmp_path / "out" / "annotated.jsonl")
        assert [(row["from"], row["text"]) for row in rows] == [(name, text) for name in texts for text in texts[name]]
        # What is gone is told as before: the same text in another file is another row.
        (tmp_path / "a" / "x.jsonl").write_text(json.dumps({"text": "one six", "from": "a"}))
        made = corpus.export_cuts(ranges_of([3], [0], [4]), tmp_path / "other")
        assert (made.counts.from_sources, made.counts.from_tokens) == (5, 3)
        rows = rows_of(tmp_path / "other" / "cleaned.jsonl")
        assert [row["from"] for row in rows] == [name for name in texts for _ in texts[name]]
        assert corpus.preview_cuts(ranges_of([3], [0], [4]), 3).original

    def test_other_kinds_of_files(self, tmp_path):
        folder = tmp_path / "many"
        folder.mkdir()
        (folder / "a.csv").write_text('id,body\n1,"one ""two"" three"\n2,four five\n', encoding="utf-8")
        with gzip.open(folder / "b.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write('{"body": "six seven", "id": 3}\n\n{"body": "eight", "id": 4}\n')
        corpus = open_index_of(folder, tmp_path / "index", text_field="body", metadata_fields=[])
        made = corpus.export_cuts(ranges_of([0, 2], [0, 3], [4, 9]), tmp_path / "out")
        assert made.counts.from_sources == 4
        rows = rows_of(tmp_path / "out" / "cleaned.jsonl")
        assert rows == [
            {"body": '"two" three', "id": 1},
            {"body": "four five", "id": 2},
            {"body": "six", "id": 3},
            {"body": "eight", "id": 4},
        ]


@pytest.mark.local("folders")
class TestFolders:
    """A folder is there when it is complete, and never inside what was read."""

    def test_an_existing_one_is_refused(self, corpus, tmp_path):
        with pytest.raises(ExportError, match="exists already"):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path)

    @pytest.mark.parametrize("place", ["index", "source"])
    def test_none_inside_what_is_read(self, corpus, tmp_path, place):
        if place == "source":
            corpus = open_index_of(tmp_path / "source", tmp_path / "other")
        before = sorted((tmp_path / place).iterdir())
        with pytest.raises(ExportError, match="is inside"):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path / place / "new" / "out")
        assert sorted((tmp_path / place).iterdir()) == before

    def test_cancelling_leaves_nothing(self, corpus, tmp_path):
        cancel = CancelToken()
        with pytest.raises(Cancelled):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out", report=lambda _: cancel.cancel(), cancel=cancel)
        assert not list(tmp_path.glob("*out*"))

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
    def test_a_killed_process_leaves_nothing_of_that_name(self, corpus, tmp_path):
        script = (
            "import os, signal, sys\n"
            "from explorer import open_index, ranges_of\n"
            "end = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
            "open_index(sys.argv[1]).export_cuts(ranges_of([0], [0], [1]), sys.argv[2], report=end)\n"
        )
        done = subprocess.run([sys.executable, "-P", "-c", script, tmp_path / "index", tmp_path / "out"], check=False)
        assert done.returncode == -signal.SIGKILL
        assert not (tmp_path / "out").exists()
        assert [path.suffix for path in tmp_path.glob(".*out*")] == [".partial"]
        corpus.export_cuts(ranges_of([0], [0], [1]), tmp_path / "out")
        assert (tmp_path / "out" / "manifest.json").is_file()
        assert not list(tmp_path.glob(".*"))

    def test_what_another_process_writes_is_left(self, corpus, tmp_path):
        busy, mine = tmp_path / ".out-0123abcd.partial", tmp_path / ".out-notours.partial"
        for folder in (busy, mine):
            folder.mkdir()
        with folder_lock(busy) as free:
            assert free
            corpus.export_cuts(ranges_of([0], [0], [1]), tmp_path / "out")
        assert busy.is_dir() and mine.is_dir()

    def test_a_full_disk_leaves_nothing(self, corpus, tmp_path, monkeypatch):
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(cut_files, "write_json", full)
        with pytest.raises(ExportError, match="disk"):
            corpus.export_cuts(ranges_of(*CUTS), tmp_path / "out")
        assert not list(tmp_path.glob("*out*"))

    def test_ranges_of_another_index(self, corpus, tmp_path):
        for wrong in (ranges_of([9], [0], [1]), ranges_of([3], [0], [5])):
            with pytest.raises(QueryError, match="not of this index"):
                corpus.export_cuts(wrong, tmp_path / "out")

    def test_an_unknown_format(self, corpus, tmp_path):
        with pytest.raises(QueryError, match="format must be"):
            corpus.export_cuts(ranges_of([], [], []), tmp_path / "out", format="tar")


@pytest.mark.local("subtraction")
def test_places_of_a_part_are_refused(corpus, tmp_path):
    part = Corpus(corpus.index.without([0]))
    with pytest.raises(CapabilityError):
        part.export_cuts(ranges_of([1], [0], [1]), tmp_path / "out", format="ranges")
    made = part.export_cuts(ranges_of([1], [0], [1]), tmp_path / "out")
    assert made.counts.documents == 4


documents = st.lists(st.text(alphabet="aé 語\n😀", max_size=9), min_size=1, max_size=5)


@pytest.mark.local("files")
@given(documents, st.data(), st.sampled_from(["bytes", "train:300"]))
def test_any_text_and_any_cuts(tmp_path_factory, texts, data, tokenizer):
    """Both formats agree, every cut is inside its range, and what is outside the ranges stays."""
    texts = [*texts, "the cat sat"]
    home = tmp_path_factory.mktemp("any")
    build_index([{"text": text} for text in texts], home / "index", tokenizer=tokenizer)
    corpus = open_index(home / "index")
    drawn = st.tuples(st.integers(0, len(texts) - 1), st.integers(0, 12), st.integers(0, 12))
    pieces = data.draw(st.lists(drawn, max_size=6))
    lengths = [document.token_count for document in corpus.documents]
    pieces = [(number, first, min(last, lengths[number])) for number, first, last in pieces]
    ranges = ranges_of(*(zip(*pieces, strict=True) if pieces else ([], [], [])))
    corpus.export_cuts(ranges, home / "bytes", format="byterange")
    corpus.export_cuts(ranges, home / "clean", format="annotated")
    rows = rows_of(home / "clean" / "annotated.jsonl")
    assert [row["text"] for row in rows] == texts
    kept = []
    for number, row in enumerate(rows):
        raw, spans = texts[number].encode(), row["sa_remove_ranges"]
        cut = {place for span in spans for place in range(*span)}
        asked = _bytes_of(corpus, ranges, number)
        assert cut <= asked
        # Of what is asked for, only characters of which another byte stays are left.
        borders = [place for place, byte in enumerate(raw) if byte & 0xC0 != 0x80] + [len(raw)]
        for first, last in itertools.pairwise(borders):
            character = set(range(first, last))
            assert character <= cut if character <= asked else not character & cut
        kept.append(bytes(byte for place, byte in enumerate(raw) if place not in cut).decode())
    assert in_google_layout(of_documented_tool(home / "bytes"), kept)
    shutil.rmtree(home)


def _bytes_of(corpus, ranges, number):
    """The bytes of a document that are in its ranges."""
    tokens = corpus.document(number).tokens.tolist()
    sizes = [len(corpus.index.tokenizer.token_bytes(token)) for token in tokens]
    if tokens:
        sizes[0] -= corpus.index.tokenizer.artificial_bytes(tokens[0])
    places = np.cumsum([0, *sizes])
    starts, ends = ranges.of_document(number)
    return {place for a, b in zip(starts, ends, strict=True) for place in range(places[a], places[b])}

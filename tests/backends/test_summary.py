"""An index folder in a few figures, without opening it."""

from __future__ import annotations

from pathlib import Path

import own_indexes

from explorer import build_index, open_index
from explorer.backends.summary import IndexSummary, sizes_by_part, summarize


def test_an_index_of_this_program_has_all_figures(tmp_path):
    (tmp_path / "a.txt").write_text("words and words")
    made = build_index(tmp_path / "a.txt", tmp_path / "made", tokenizer="bytes", name="Words")
    found = summarize(tmp_path / "made")
    assert found.found and found.name == "Words" and found.by_bytes
    assert (found.tokens, found.documents) == (made.token_count, 1)
    assert found.size == sum(path.stat().st_size for path in (tmp_path / "made").iterdir())


def test_indexes_of_other_programs_are_measured_by_their_files(tmp_path):
    for name in ("v4_u16_olmo_3shards", "v4_u8_bytes", "v4_u32_olmo", "v6_u16_llama"):
        folder, tokenizer = own_indexes.write(tmp_path / name, name)
        corpus = open_index(folder, tokenizer=tokenizer)
        found = summarize(folder)
        assert (found.tokens, found.documents) == (corpus.token_count, corpus.document_count), name


def test_folders_without_an_index_are_not_found(tmp_path, small_index):
    assert summarize(tmp_path / "gone") == IndexSummary(found=False)
    assert not summarize(tmp_path).found
    assert not summarize(Path(__file__)).found
    (tmp_path / "tokenized.0").write_bytes(b"\1\0")
    assert not summarize(tmp_path).found


def test_sizes_are_added_up_by_part(small_index):
    sizes = sizes_by_part(small_index)
    assert {"tokenized", "table", "offset", "metadata", "metaoff", "unigram", ""} == set(sizes)
    assert sum(sizes.values()) == summarize(small_index).size

"""Opening what is not as it should be: every fault is a sentence, never a crash."""

from __future__ import annotations

import json
import shutil

import own_indexes
import pytest
import twin

from explorer import CorpusError, build_index, open_index, verify_index
from explorer.errors import DamagedIndexError, NotAnIndexError, TokenizerError


@pytest.fixture
def copy(small_index, tmp_path):
    """A copy of the small index that may be damaged; without its manifest, as a foreign one."""
    folder = tmp_path / "copy"
    shutil.copytree(small_index, folder)
    (folder / "index.json").unlink()
    return folder


def cut(path, by=1):
    path.write_bytes(path.read_bytes()[:-by])


def test_no_index(tmp_path):
    with pytest.raises(NotAnIndexError, match="has no file tokenized"):
        open_index(tmp_path)
    with pytest.raises(NotAnIndexError, match="does not exist"):
        open_index(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotAnIndexError, match="is a file"):
        open_index(tmp_path / "file")
    with pytest.raises(NotAnIndexError, match="No index"):
        open_index([])


@pytest.mark.parametrize("name", ["table.0", "offset.0"])
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(DamagedIndexError, match=name):
        open_index(copy)


@pytest.mark.parametrize("name", ["tokenized.0", "table.0", "offset.0", "metaoff.0"])
def test_a_truncated_file_is_named(copy, name):
    cut(copy / name)
    with pytest.raises(DamagedIndexError, match=name.split(".")[0]):
        open_index(copy)


def test_truncated_metadata_is_noticed_where_it_is_read(copy):
    cut(copy / "metadata.0", 40)
    corpus = open_index(copy)
    with pytest.raises(DamagedIndexError, match=r"metadata\.0"):
        corpus.document(corpus.document_count - 1).metadata  # noqa: B018
    assert not verify_index(copy).sound


def test_the_manifest_knows_the_sizes(small_index, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(small_index, folder)
    (folder / "metadata.0").write_bytes((folder / "metadata.0").read_bytes() + b" ")
    with pytest.raises(DamagedIndexError, match=r"metadata\.0 has"):
        open_index(folder)
    (folder / "index.json").write_text("{", encoding="utf-8")
    with pytest.raises(DamagedIndexError, match=r"index\.json"):
        open_index(folder)
    (folder / "index.json").write_text(json.dumps({"format_version": 99}), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"index\.json"):
        open_index(folder)


def test_offsets_that_lead_nowhere(copy):
    raw = bytearray((copy / "offset.0").read_bytes())
    raw[-8:] = (10**9).to_bytes(8, "little")
    (copy / "offset.0").write_bytes(raw)
    with pytest.raises(DamagedIndexError, match="no document begins there"):
        open_index(copy)


def test_a_damaged_entry_is_an_error_with_its_place(copy):
    raw = bytearray((copy / "table.0").read_bytes())
    raw[:] = b"\xff" * len(raw)
    (copy / "table.0").write_bytes(raw)
    corpus = open_index(copy)
    with pytest.raises(DamagedIndexError, match=r"table\.0 is damaged at byte"):
        corpus.count("the")


def test_deep_verification_finds_two_swapped_entries(copy):
    raw = bytearray((copy / "table.0").read_bytes())
    middle = len(raw) // 4 * 2
    raw[middle : middle + 2], raw[middle + 2 : middle + 4] = raw[middle + 2 : middle + 4], raw[middle : middle + 2]
    (copy / "table.0").write_bytes(raw)
    report = verify_index(copy, deep=True)
    assert not report.sound
    assert "not sorted" in report.findings[0].problem


def test_an_empty_text(tmp_path):
    folder = twin.write_index(tmp_path / "x", [[[1]]])
    (folder / "tokenized.0").write_bytes(b"")
    with pytest.raises(DamagedIndexError, match="empty"):
        open_index(folder)


def test_mixed_names(copy):
    shutil.copyfile(copy / "tokenized.0", copy / "tokenized")
    with pytest.raises(DamagedIndexError, match="mixes"):
        open_index(copy)


def test_ids_beyond_the_vocabulary(copy, tmp_path):
    with pytest.raises(TokenizerError, match="vocabulary has only 256 ids"):
        open_index(copy, "bytes")


def test_a_tokenizer_of_another_of_our_indexes_decodes_to_noise(tmp_path):
    folder, _right = own_indexes.write(tmp_path, "v4_u16_olmo_3shards")
    _other, wrong = own_indexes.write(tmp_path, "v4_u16_llama")
    with pytest.raises(TokenizerError, match="noise"):
        open_index(folder, wrong)
    assert open_index(folder, wrong, check_fit=False).document_count == own_indexes.DOCUMENTS


def test_folders_of_different_widths(tmp_path):
    one = twin.write_index(tmp_path / "one", [[[1]]], width=2)
    two = twin.write_index(tmp_path / "two", [[[1]]], width=4)
    with pytest.raises(TokenizerError, match="counts cannot be added"):
        open_index([one, two])


@pytest.mark.parametrize("what", ["vanished", "shrunk"])
def test_files_that_change_while_they_are_open(copy, monkeypatch, what):
    corpus = open_index(copy)
    monkeypatch.setattr("explorer.index.monitored._LOOK_SECONDS", 0.0)
    assert corpus.count("the") > 0
    if what == "vanished":
        (copy / "table.0").unlink()
    else:
        cut(copy / "table.0", 2)
    questions = (
        lambda: corpus.count("the"),
        lambda: corpus.find(corpus.encode("the")),
        lambda: corpus.next_tokens(corpus.encode("the")),
        lambda: corpus.longest_matches(corpus.encode("the cat")),
    )
    for ask in questions:
        with pytest.raises(DamagedIndexError, match=r"table\.0 (can no longer be read|has shrunk)"):
            ask()


@pytest.fixture
def foreign(tmp_path):
    """Two indexes whose trained vocabularies are of one size and give other texts to the same ids."""
    for name, text in (("one", "aa bb cc dd ee"), ("two", "xx yy zz qq ww")):
        build_index([{"text": text}], tmp_path / name, tokenizer="train:270")
    return tmp_path / "one", tmp_path / "two"


def test_folders_with_different_tokenizers(foreign):
    one, two = foreign
    for given in ({"path_or_paths": [one, two]}, {"path_or_paths": one, "minus": two}):
        with pytest.raises(TokenizerError) as caught:
            open_index(**given)
        assert caught.value.reason == "tokenizers-differ" and str(two) in str(caught.value)
    # Whoever knows better can open them, as with a tokenizer that does not fit.
    assert open_index([one, two], check_fit=False).document_count == 2


def test_one_vocabulary_written_in_two_ways(foreign, tmp_path):
    one, _ = foreign
    written = json.loads((one / "tokenizer.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer.json").write_text(json.dumps(written, indent=3), encoding="utf-8")
    build_index([{"text": "ee dd"}], tmp_path / "three", tokenizer=tmp_path / "tokenizer.json")
    assert open_index([one, tmp_path / "three"]).documents[1].text == "ee dd"

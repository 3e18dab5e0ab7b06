"""Files that are cut short in the middle of their use."""

from __future__ import annotations

import os

import numpy as np
import pytest

from explorer import build_index, enable_fault_guard, open_index
from explorer.corpus import shard as shard_module
from explorer.corpus.mapped import MappedFile
from explorer.errors import DamagedIndexError

USES = {
    "count": lambda corpus: corpus.count(b"the cat".decode()),
    "next": lambda corpus: corpus.next_tokens(corpus.encode("the ")),
    "document": lambda corpus: corpus.document(corpus.document_count - 1).text,
    "metadata": lambda corpus: corpus.document(corpus.document_count - 1).metadata,
    "concordance": lambda corpus: corpus.concordance("the cat").lines(5, 9),
    "agreement": lambda corpus: corpus.agreement(corpus.encode("the cat sat")),
    "trace": lambda corpus: corpus.trace("the cat sat on the mat"),
}


@pytest.fixture(autouse=True)
def guarded():
    assert enable_fault_guard()


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    # The look at the sizes, which comes before a query now and then, must not be what saves us.
    monkeypatch.setattr(shard_module, "_LOOK_SECONDS", 3600.0)
    (tmp_path / "texts").mkdir()
    for number in range(300):
        (tmp_path / "texts" / f"{number:03}.txt").write_text(f"the cat {number} sat on the mat.\n" * 40)
    build_index(tmp_path / "texts", tmp_path / "out", tokenizer="bytes")
    return open_index(tmp_path / "out")


@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut short there")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ["tokenized.0", "table.0", "offset.0", "metadata.0", "metaoff.0"])
def test_a_file_cut_short_in_use(corpus, use, name):
    path = corpus.index.paths[0] / name
    before = USES[use](corpus)
    os.truncate(path, 0)
    try:
        after = USES[use](corpus)
    except DamagedIndexError as error:
        assert name in str(error) and "shrunk" in str(error)
        with pytest.raises(DamagedIndexError):
            USES[use](corpus)
    else:
        # Not every use reads every file; what it did not read it cannot miss.
        assert repr(after) == repr(before)


@pytest.mark.skipif(os.name == "nt", reason="a mapped file cannot be cut short there")
def test_only_what_lies_behind_is_lost(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes([7]) * 100_000)
    mapped = MappedFile(path)
    other = MappedFile(path)
    os.truncate(path, 8192)
    assert mapped.data[:8192].tobytes() == bytes([7]) * 8192
    mapped.check_read()
    assert mapped.data[50_000] == 0
    with pytest.raises(DamagedIndexError, match=r"shrunk from 100,000 to 8,192 bytes"):
        mapped.check_read()
    other.check_read()
    assert np.count_nonzero(mapped.data) == 8192
    path.write_bytes(bytes([7]) * 100_000)
    with pytest.raises(DamagedIndexError, match=r"its drive failed, or the file was cut short"):
        mapped.check_read()


def test_a_file_that_was_closed_is_not_watched(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(10))
    for _ in range(70_000):
        MappedFile(path).check_read()

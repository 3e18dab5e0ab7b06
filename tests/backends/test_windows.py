"""Many windows that are read together are those that are read one by one."""

from __future__ import annotations

import numpy as np
import pytest
import twin

from explorer import open_index
from explorer.backends.local import reading
from explorer.errors import QueryError

VOLUMES = [[[1, 2, 3, 4], [], [5]], [[6, 7], [8, 9, 10, 11, 12]]]


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("short", [0, 256])
def test_windows_are_those_of_the_documents(tmp_path, monkeypatch, version, short):
    # 0: each run by itself, as whole documents are read.
    monkeypatch.setattr(reading, "_SHORT", short)
    path = twin.write_index(tmp_path / "index", VOLUMES, 2, version=version)
    documents = open_index(path, check_fit=False, reversed_text=version == 5).index.documents
    every = [document for volume in VOLUMES for document in volume]
    asked = [
        (number, first, last) for number in (4, 0, 1, 3, 2, 0) for first in (-2, 0, 1, 9) for last in (-1, 0, 2, 9)
    ]
    found = documents.windows(*(np.array(column, dtype=np.int64) for column in zip(*asked, strict=True)))
    expected = [every[number][max(first, 0) : max(last, 0)] for number, first, last in asked]
    assert [each.tolist() for each in found] == expected
    assert documents.windows(*(np.empty(0, dtype=np.int64) for _ in range(3))) == []


@pytest.mark.parametrize("number", [-1, 5])
def test_a_number_without_a_document_is_refused(tmp_path, number):
    path = twin.write_index(tmp_path / "index", VOLUMES, 2)
    documents = open_index(path, check_fit=False).index.documents
    numbers = np.array([0, number], dtype=np.int64)
    with pytest.raises(QueryError, match="There is no document"):
        documents.windows(numbers, np.zeros_like(numbers), np.ones_like(numbers))

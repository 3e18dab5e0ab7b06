"""Values of all fields, counted in one pass."""

from __future__ import annotations

import json

import pytest

from explorer import build_index, open_index
from explorer.analyses.metadata import field_counts
from explorer.analyses.metadata.field_counts import FieldCount, count_values
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled


@pytest.fixture
def corpus(tmp_path):
    records = [
        {"text": "one", "year": 2020, "lang": "en", "note": None, "mixed": 1},
        {"text": "two", "year": 2019, "lang": "de", "mixed": True},
        {"text": "three", "year": 2020.0, "lang": "en", "tags": ["b", "a"], "mixed": "1"},
    ]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    build_index(path, tmp_path / "made", tokenizer="bytes")
    return open_index(tmp_path / "made")


def by_name(corpus):
    return {found.name: found for found in count_values(corpus.index)}


def test_values_are_counted_and_numbers_come_in_their_order(corpus):
    found = by_name(corpus)
    assert found["year"] == FieldCount("year", 3, 2, (("2019", 1), ("2020", 2)))
    assert found["lang"] == FieldCount("lang", 3, 2, (("en", 2), ("de", 1)))
    assert found["tags"].documents == 1 and "note" not in found
    # 1, true and "1" are three values, though two are shown alike.
    assert found["mixed"].different == 3
    assert found["path"].documents == 3 and found["path"].different == 1


def test_fields_with_too_many_values_or_texts_are_not_counted(corpus, monkeypatch):
    monkeypatch.setattr(field_counts, "MOST_DIFFERENT", 1)
    monkeypatch.setattr(field_counts, "_LONG", 3)
    found = by_name(corpus)
    assert found["year"] == FieldCount("year", 3, None, ())
    assert found["path"].different is None and found["path"].documents == 3


@pytest.mark.subtracts
def test_subtracted_documents_do_not_count(corpus, tmp_path):
    assert sum(count for _, count in count_values(corpus.index.without([0]))[0].values) == 2


def test_counting_reports_and_stops(corpus):
    told = []
    count_values(corpus.index, told.append)
    assert [(progress.done, progress.total) for progress in told] == [(0, 3)]
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        count_values(corpus.index, cancel=token)

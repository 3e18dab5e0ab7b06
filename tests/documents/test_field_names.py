"""Names of metadata fields: complete across folders and shards, and a wrong one is an error with the nearest."""

from __future__ import annotations

import json

import pytest

from explorer import build_index, open_index
from explorer.analyses.breakdown.facets import facet
from explorer.analyses.metadata.values import parse_filter
from explorer.analyses.search.arrange import LineSettings, parse_sort
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, QueryError
from explorer.index.manifest import read_manifest


def build(folder, name, records, **options):
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    build_index(folder / f"{name}.jsonl", folder / name, tokenizer="bytes", **options)
    return folder / name


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    first = [{"text": f"alpha {i}", "generator": "g"} for i in range(120)]
    first[40]["rare"] = 1
    first[77]["größe/x"] = 1
    second = [{"text": "alpha", "year": 2020}]
    return build(folder, "first", first, shards=2), build(folder, "second", second)


def foreign(path, copy):
    """The folder as another program would have written it."""
    copy.mkdir()
    for file in path.iterdir():
        if file.name not in ("index.json", "report.json"):
            (copy / file.name).symlink_to(file)
    return copy


def test_every_folder_and_document_counts(folders):
    corpus = open_index(list(folders))
    assert set(corpus.metadata_fields) == {"path", "linenum", "generator", "rare", "größe/x", "year"}
    assert corpus.metadata_fields_complete
    assert read_manifest(folders[0]).metadata_fields == {
        **dict.fromkeys(["path", "linenum", "generator"], 120),
        **dict.fromkeys(["rare", "größe/x"], 1),
    }


WRONG = [
    ("generatr", "Did you mean generator?"),
    ("Year", "Did you mean year?"),
    ("zzz", "The fields are: path"),
]


@pytest.mark.parametrize(("name", "hint"), WRONG)
@pytest.mark.parametrize("own", [True, False])
def test_a_field_that_no_document_has_is_an_error(folders, tmp_path, name, hint, own):
    paths = list(folders) if own else [foreign(path, tmp_path / path.name) for path in folders]
    corpus = open_index(paths)
    asked = [
        lambda: corpus.concordance("alpha", view=LineSettings(filters=(parse_filter(f"{name}=gpt4"),))),
        lambda: corpus.concordance("alpha", view=LineSettings(filters=(parse_filter(f"{name}!=gpt4"),))),
        lambda: corpus.concordance("nowhere", view=LineSettings(filters=(parse_filter(f"{name}=gpt4"),))),
        lambda: corpus.concordance("alpha", view=parse_sort(f"field:{name}")),
        lambda: facet(corpus.concordance("alpha"), name, corpus.columns),
    ]
    for ask in asked:
        with pytest.raises(QueryError, match=f'No document has the field "{name}"') as caught:
            ask()
        assert hint in str(caught.value)


def test_a_rare_field_of_a_foreign_index_is_found_by_reading(folders, tmp_path, monkeypatch):
    monkeypatch.setattr("explorer.backends.metadata._SAMPLED", 2)
    corpus = open_index(foreign(folders[0], tmp_path / "f"))
    assert corpus.metadata_fields == ("path", "linenum", "generator")
    assert not corpus.metadata_fields_complete
    for name in ("rare", "größe/x"):
        assert len(corpus.concordance("alpha", view=LineSettings(filters=(parse_filter(f"{name}==1"),)))) == 1
    # "g" is a value, and "tex" within other bytes, but neither is a field.
    for name in ("g", "tex", "jsonl"):
        with pytest.raises(QueryError, match="No document has the field"):
            corpus.columns.require(name)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        corpus.columns.require("unheard-of", token)


@pytest.mark.local("metadata files are searched in pieces")
def test_names_at_every_place_of_a_searched_piece(folders, tmp_path, monkeypatch):
    corpus = open_index(foreign(folders[0], tmp_path / "f"))
    wanted = [n for n in range(120) if n in (40, 77)]
    for size in range(8, 60):
        monkeypatch.setattr("explorer.index.metadata_lines._SEARCHED", size)
        found = [n for shard in corpus.index.shards for n in shard.metadata.documents_with(b'"linenum"')]
        assert found == [n for shard in corpus.index.shards for n in range(shard.document_count)]
        found = [n for shard in corpus.index.shards for n in shard.metadata.documents_with(b'": 1}')]
        starts = [0, corpus.index.shards[0].document_count]
        expected = [n - max(start for start in starts if start <= n) for n in wanted]
        assert found == expected


def test_an_index_without_metadata_says_so(small_index, tmp_path):
    for file in small_index.iterdir():
        if not file.name.startswith(("meta", "index.json")):
            (tmp_path / file.name).symlink_to(file)
    corpus = open_index(tmp_path)
    assert corpus.metadata_fields == ()
    with pytest.raises(QueryError, match="has no metadata"):
        corpus.columns.require("year")

"""One row makes a kind of index: the library, the command line and the window open it at once."""

from __future__ import annotations

import json
from dataclasses import replace

import json_documents
import pytest
from failing_backend import WHY_NOT, FailingBackend

from explorer import open_index
from explorer.backends.registry import BACKENDS, DEMANDS, BackendKinds
from explorer.backends.request import IndexRequest
from explorer.cli.main import main
from explorer.errors import CapabilityError, NotAnIndexError, QueryError

TEXTS = ["the cat sat on the mat. ", "a dog saw the cat on the rug. ", "the cat sat on the rug. "]
SUBTRACTED = "Documents cannot be subtracted from {source}. Open it by itself, without choosing anything else."


@pytest.fixture(autouse=True)
def added(monkeypatch):
    """One row more."""
    monkeypatch.setattr(BACKENDS, "rows", (*BACKENDS.rows, json_documents.ROW))


@pytest.fixture
def source(tmp_path):
    """A file of the new kind."""
    path = tmp_path / "pets.documents.json"
    path.write_text(json.dumps(TEXTS), encoding="utf-8")
    return path


def test_the_library_opens_a_new_kind(source):
    corpus = open_index(source)
    assert (corpus.document_count, corpus.count("the cat"), corpus.folders) == (3, 3, ())
    assert [line.match for line in corpus.concordance("cat sat").lines(0, 5)] == ["cat sat"] * 2
    assert corpus.document(1).text == TEXTS[1]
    assert corpus.trace("a dog saw the cat on the rug.").documents


def test_the_command_line_opens_a_new_kind(source, tmp_path, capsys):
    index = str(source)
    assert main(["count", index, "the cat", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["count"] == 3
    assert main(["kwic", index, "sat", "--sort", "left", "--format", "jsonl"]) == 0
    assert [json.loads(line)["match"] for line in capsys.readouterr().out.splitlines()] == ["sat", "sat"]
    (tmp_path / "answer.txt").write_text("a dog saw the cat on the rug.", encoding="utf-8")
    assert main(["trace", index, str(tmp_path / "answer.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["documents"][0]["number"] == 1
    assert main(["info", index, "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)["results"]
    assert (facts["paths"], facts["document_count"]) == ([index], 3)
    assert (facts["shard_count"], facts["token_width"], facts["build"]) == (None, None, None)
    assert main(["info", index]) == 0
    assert "none" in capsys.readouterr().out


def test_every_demand_is_refused_with_one_sentence(source, small_index):
    asked = {
        "tokenizer": {"tokenizer": "bytes"},
        "minus": {"minus": source},
        "reversed_text": {"reversed_text": True},
        "token": {"token": "abc"},
        "partial": {"partial": True},
    }
    assert set(asked) == set(DEMANDS)
    for demand, options in asked.items():
        with pytest.raises(QueryError) as refused:
            open_index(**{"path_or_paths": source, **options})
        assert str(refused.value) == DEMANDS[demand].replace("{source}", str(source))
        assert (refused.value.reason, refused.value.fields["demand"]) == ("cannot-open-with", demand)
    # Permissions are none: whoever has nothing to permit ignores them.
    assert open_index(source, check_fit=False, allow_same=True).document_count == 3


def test_what_a_new_kind_lacks_is_said_on_the_command_line(source, capsys):
    assert main(["count", str(source), "cat", "--minus", str(source)]) == 2
    assert SUBTRACTED.format(source=source) in capsys.readouterr().err


def test_a_kind_cannot_be_subtracted_from_another(source, small_index):
    with pytest.raises(QueryError, match="different kinds of index") as refused:
        open_index(small_index, minus=source)
    assert refused.value.fields == {"source": str(small_index), "other": str(source)}


def test_different_kinds_are_asked_as_one(source, byte_index):
    one, other = open_index(source), open_index(byte_index)
    both = open_index([source, byte_index])
    assert both.count("the cat") == one.count("the cat") + other.count("the cat")
    assert both.document_count == one.document_count + other.document_count
    assert both.document(one.document_count).text == other.document(0).text
    with pytest.raises(QueryError, match="counted twice"):
        open_index([source, source])
    assert open_index([source, source], allow_same=True).count("the cat") == 2 * one.count("the cat")
    with pytest.raises(QueryError) as refused:
        open_index([source, byte_index], minus=byte_index)
    assert refused.value.fields["demand"] == "minus"


def test_different_tokenizers_are_not_added_up(source, small_index):
    with pytest.raises(QueryError, match="different tokenizers") as refused:
        open_index([small_index, source])
    assert refused.value.fields == {"one": str(small_index), "other": str(source)}


def test_a_kind_that_lacks_a_capability_says_so_like_any_other(source, monkeypatch):
    row = json_documents.ROW

    def open_less(*asked):
        return FailingBackend(row.open(*asked), ("sorting",))

    monkeypatch.setattr(BACKENDS, "rows", (BACKENDS.rows[0], replace(row, open=open_less)))
    corpus = open_index(source)
    assert corpus.count("the cat") == 3
    with pytest.raises(CapabilityError) as refused:
        corpus.concordance("the cat", sort="left")
    assert str(refused.value) == WHY_NOT


def test_what_nobody_claims_is_told_what_an_index_folder_holds(tmp_path):
    (tmp_path / "some.json").write_text("[]", encoding="utf-8")
    for name, sentence in (("some.json", "is a file"), ("none", "does not exist"), (".", "has no file tokenized")):
        assert BACKENDS.claiming(str(tmp_path / name)) is None
        with pytest.raises(NotAnIndexError, match=sentence):
            open_index(tmp_path / name)
    with pytest.raises(NotAnIndexError, match="does not hold a list of texts"):
        open_index(tmp_path / "gone.documents.json")


def test_rows_differ_and_the_first_one_that_claims_opens(small_index, byte_index):
    assert len({row.id for row in BACKENDS}) == len(BACKENDS.rows)
    assert BACKENDS.claiming(str(small_index)) is BACKENDS.rows[0]
    assert open_index([small_index]).index.sources == (str(small_index.resolve()),)
    with pytest.raises(QueryError, match="is given twice"):
        BackendKinds(*BACKENDS.rows).open(IndexRequest((str(byte_index), str(byte_index))))


def test_an_address_keeps_its_slashes(monkeypatch):
    seen = []

    def open_address(request, report, cancel):
        seen.append(request.sources)
        raise NotAnIndexError("Nothing answers.", reason="no-answer")

    row = replace(json_documents.ROW, claims=lambda source: source.startswith("probe://"), open=open_address)
    monkeypatch.setattr(BACKENDS, "rows", (*BACKENDS.rows, row))
    with pytest.raises(NotAnIndexError, match="Nothing answers"):
        open_index("probe://example.org//index")
    assert seen == [("probe://example.org//index",)]

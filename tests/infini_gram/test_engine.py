"""What the constructor of the infini-gram engine takes and refuses."""

from __future__ import annotations

import inspect

import own_indexes
import pytest

from explorer.errors import CorpusError, QueryError
from explorer.infini_gram import Engine, InfiniGramEngine

pytestmark = pytest.mark.local("ranks and shards are looked at")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return own_indexes.write(tmp_path_factory.mktemp("engine"), "v4_u8_bytes")[0]


def test_signatures_are_those_of_the_package():
    """Names, order and defaults; `seed` and `cancel` are ours, and a shared dictionary is no default here."""
    package = pytest.importorskip("infini_gram.engine", reason="the infini-gram package does not install here")
    theirs = package.InfiniGramEngine
    left_out = {"check_query_ids", "check_cnf", "get_new_shards_by_index_dir"}
    names = [name for name in vars(theirs) if not name.startswith("_") and name not in left_out]
    assert len(names) == 26
    for name in (*names, "__init__"):
        mine = list(inspect.signature(getattr(Engine, name)).parameters.values())
        expected = list(inspect.signature(getattr(theirs, name)).parameters.values())
        kept = [each for each in mine if each.name not in ("seed", "cancel")]
        assert [each.name for each in kept] == [each.name for each in expected]
        for one, other in zip(kept, expected, strict=True):
            assert one.default == other.default or (one.default is None and other.default == {})


def test_alias():
    assert InfiniGramEngine is Engine


def test_a_folder_given_twice_counts_twice(folder):
    once = Engine(str(folder), 1, 255, token_dtype="u8")
    twice = Engine([str(folder), str(folder)], 1, 255, token_dtype="u8")
    assert twice.count([32])["count"] == 2 * once.count([32])["count"] > 0
    assert twice.get_total_doc_cnt() == 120
    assert twice.get_doc_by_ix(67)["token_ids"] == once.get_doc_by_ix(7)["token_ids"]


def test_a_seed_repeats_what_is_drawn(folder):
    drawn = [Engine(folder, 1, 255, token_dtype="u8", seed=4).search_docs([32], maxnum=20)["idxs"] for _ in range(2)]
    assert drawn[0] == drawn[1] and len(set(drawn[0])) > 1


def test_defaults_are_those_of_the_constructor(folder):
    engine = Engine(folder, 1, 255, token_dtype="u8", maxnum=3, max_disp_len=4)
    found = engine.search_docs([32])
    assert [document["disp_len"] for document in found["documents"]] == [4, 4, 4] or len(found["documents"]) == 3
    assert engine.get_doc_by_ix(0)["disp_len"] == 4


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"token_dtype": "u16"}, "token-type-differs"),
        ({"token_dtype": "u64"}, "token-type-unknown"),
        ({"eos_token_id": 255}, "out-of-range"),
        ({"version": 3}, "out-of-range"),
        ({"maxnum": 0}, "out-of-range"),
        ({"bow_ids_path": "no such file"}, "ids-unreadable"),
    ],
)
def test_refused(folder, options, reason):
    with pytest.raises(QueryError) as refused:
        Engine(**{"index_dir": folder, "eos_token_id": 1, "vocab_size": 255, "token_dtype": "u8", **options})
    assert refused.value.reason == reason


def test_no_index(tmp_path):
    with pytest.raises(CorpusError):
        Engine(tmp_path / "nothing", 1)


def test_a_separator_is_before_the_text(folder):
    """The package gives 2**64 - 1 for it."""
    engine = Engine(folder, 1, 255, token_dtype="u8")
    found = engine.get_doc_by_ptr(0, 0, max_disp_len=8)
    assert found["needle_offset"] == -1
    assert found["token_ids"] == engine.get_doc_by_ix(0, max_disp_len=3)["token_ids"]
    assert engine.get_doc_by_ptr_2(0, 0, 0, 0)["token_ids"] == []

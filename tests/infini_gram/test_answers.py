"""The calls of infini-gram give what the slow twin answers on our folders, and that package on its own."""

from __future__ import annotations

import json
from bisect import bisect_left

import own_indexes
import pytest
import twin

from explorer.infini_gram import Engine

pytestmark = pytest.mark.local("ranks and shards are looked at")

# The layout, the answers that it has, and what the constructor is told.
CASES = {
    "v4_u16_llama": ("v4_u16_llama", {}),
    "v4_u16_llama_nometa": ("v4_u16_llama", {}),
    "v5_u16_llama_reversed": ("v4_u16_llama", {"version": 5}),
    "v6_u16_llama": ("v4_u16_llama", {"version": 6}),
    "v4_u16_olmo_3shards": ("v4_u16_olmo_3shards", {}),
    "v4_u32_olmo": ("v4_u32_olmo", {"token_dtype": "u32", "vocab_size": 2**32 - 1}),
    "v4_u8_bytes": ("v4_u8_bytes", {"token_dtype": "u8", "vocab_size": 255}),
}


@pytest.fixture(scope="module", params=own_indexes.MATERIAL)
def case(request, tmp_path_factory):
    """The engine, the answers, and whether they are the package's."""
    whose, name = request.param.split()
    known, options = CASES[name]
    begins = tmp_path_factory.mktemp("words") / "begins.txt"
    if whose == "own":
        folder, _ = own_indexes.write(begins.parent, name)
        answers = own_indexes.answers(name)
        begins.write_text("\n".join(map(str, answers["spans"]["word_starts"])))
    else:
        shared = request.getfixturevalue("shared") / "infini-gram-indexes"
        folder, answers = shared / name, json.loads((shared / f"answers.{known}.json").read_text(encoding="utf-8"))
        begins = shared / answers["spans"]["begin_of_word_ids"]
    # The package's answers have the end of a document under this id.
    return Engine(str(folder), 0, bow_ids_path=str(begins), **options), answers, whose == "package's"


def test_counts_and_probabilities(case):
    engine, answers, _ = case
    for row in answers["count"]:
        assert engine.count(row["ids"]) == {"count": row["count"], "approx": False}
        found = engine.find(row["ids"])
        assert found["cnt"] == row["count"] == sum(last - first for first, last in found["segment_by_shard"])
    for row in answers["prob"]:
        found = engine.prob(row["ids"][:-1], row["ids"][-1])
        assert (found["prompt_cnt"], found["cont_cnt"]) == (row["prompt_cnt"], row["cont_cnt"])
        assert found["prob"] == pytest.approx(row["prob"], abs=1e-12)


def test_backing_off(case):
    engine, answers, _ = case
    ids = answers["text_ids"]
    for row in answers["infgram"]:
        found = engine.infgram_prob(ids[: row["upto"]], ids[row["upto"]])
        assert found == pytest.approx({key: row[key] for key in found}, abs=1e-12)


def test_next_tokens(case):
    """The package took whole ranges for token 0 where a document ends at the last rank: two rows of one folder."""
    engine, answers, packages = case
    merged = 0
    for row in answers["next"]:
        found = engine.ntd(row["context"])
        assert (found["prompt_cnt"], found["approx"]) == (row["count"], False)
        mine = {token: each["cont_cnt"] for token, each in found["result_by_token_id"].items()}
        assert list(mine) == sorted(mine)
        theirs = {int(token): count for token, count in row["next"].items()}
        if packages and theirs == {0: row["count"]} and len(mine) > 1:
            merged += 1
            continue
        if not packages:
            ends = theirs.pop(engine.token_id_max, 0)
            theirs[0] = theirs.get(0, 0) + ends
        assert mine == {token: count for token, count in theirs.items() if count}
    assert merged in (0, 2)


def test_spans(case):
    engine, answers, _ = case
    spans = answers["spans"]
    ids = answers["text_ids"]
    found = engine.attribute(ids, spans["delimiter_ids"], spans["min_len"], spans["max_count"], True)["spans"]
    assert [{"l": each["l"], "r": each["r"], "count": each["count"]} for each in found] == spans["spans"]
    for span in found[:5]:
        length = span["length"]
        assert len(span["docs"]) == span["count"]
        for place in span["docs"][:3]:
            shard = engine.index.shards[place["s"]]
            at = place["ptr"] // shard.widths.token
            stored = shard.tokens[at : at + length].tolist()
            assert stored == ids[span["l"] : span["r"]][:: -1 if shard.reversed_text else 1]


def test_ends_of_longest_matches(case):
    engine, answers, _ = case
    looking = twin.Twin.of_index(engine.index)
    ids = answers["text_ids"][:60]
    if engine.index.shards[0].reversed_text:
        looking.version = 5
    expected = [start + looking.longest_match(ids[start:]) for start in range(len(ids))]
    assert engine.creativity(ids) == {"rs": expected}


def test_and_of_clauses(case):
    """The package drops matches at the borders of documents. Each of several shards has a rarest clause of its own."""
    engine, answers, packages = case
    one_shard = len(engine.index.shards) == 1
    for row in answers["cnf"]:
        found = engine.find_cnf(row["cnf"], max_diff_tokens=row["max_diff_tokens"])
        if packages:
            assert found["cnt"] >= row["count"]
        elif one_shard:
            assert found["cnt"] == row["count"]
        if one_shard:
            assert found["cnt"] == engine.corpus.cnf(row["cnf"], row["max_diff_tokens"]).count
        assert sum(map(len, found["ptrs_by_shard"])) == found["cnt"]
        counted = engine.count_cnf(row["cnf"], max_diff_tokens=row["max_diff_tokens"])
        assert counted == {"count": found["cnt"], "approx": False}


def test_ranks_lead_to_their_documents(case):
    """Every rank of an n-gram gives a document that has it at the needle."""
    engine, answers, _ = case
    backwards = engine.index.shards[0].reversed_text
    needle = next(row["ids"] for row in answers["count"] if row["count"] > 1 and len(row["ids"]) == 2)
    seen = 0
    for s, (first, last) in enumerate(engine.find(needle)["segment_by_shard"]):
        for rank in range(first, min(last, first + 4)):
            part = engine.get_doc_by_rank_2(s, rank, needle_len=2, max_ctx_len=3)
            at = part["needle_offset"]
            assert part["token_ids"][at : at + 2] == needle
            document = engine.corpus.document(part["doc_ix"]).tokens.tolist()
            assert part["doc_len"] == len(document) and part["disp_len"] == len(part["token_ids"]) <= 8
            assert any(document[i : i + part["disp_len"]] == part["token_ids"] for i in range(len(document)))
            whole = engine.get_doc_by_rank(s, rank, max_disp_len=10**6)
            assert whole["token_ids"][whole["needle_offset"]] == needle[-1 if backwards else 0]
            assert engine.get_docs_by_ranks([(s, rank)], max_disp_len=10**6) == [whole]
            seen += 1
    assert seen


def test_documents_by_number(case):
    engine, _, _ = case
    assert engine.get_total_doc_cnt() == engine.corpus.document_count == 60
    for number in (0, 31, 59):
        document = engine.corpus.document(number)
        found = engine.get_doc_by_ix(number, max_disp_len=7)
        assert found["token_ids"] == document.tokens[:7].tolist()
        assert (found["doc_ix"], found["doc_len"], found["needle_offset"]) == (number, document.token_count, 0)
        assert (json.loads(found["metadata"]) if found["metadata"] else {}) == document.metadata
        assert engine.get_docs_by_ixs_2([(number, 7)]) == [found] == engine.get_docs_by_ixs([number], max_disp_len=7)


def test_tokens_of_a_shard(case):
    engine, answers, _ = case
    counts = [engine.compute_unigram_counts(s) for s in range(len(engine.index.shards))]
    assert sum(sum(each.values()) for each in counts) == engine.count([])["count"] == engine.corpus.token_count
    for token in answers["text_ids"][:20]:
        assert sum(each.get(token, 0) for each in counts) == engine.count([token])["count"]
    assert sum(each[engine.token_id_max] for each in counts) == 60


def test_drawn_occurrences_are_numbered_as_find_numbers_them(case):
    engine, answers, _ = case
    needle = next(row["ids"] for row in answers["count"] if row["count"] > 1)
    found = engine.search_docs(needle, maxnum=6, max_disp_len=5)
    segments = engine.find(needle)["segment_by_shard"]
    ends = [sum(last - first for first, last in segments[: s + 1]) for s in range(len(segments))]
    assert found["cnt"] == ends[-1] and len(found["idxs"]) == len(found["documents"]) == 6
    for number, document in zip(found["idxs"], found["documents"], strict=True):
        s = bisect_left(ends, number + 1)
        rank = segments[s][1] - (ends[s] - number)
        assert document == engine.get_doc_by_rank(s, rank, max_disp_len=5)


def test_drawn_matches_of_clauses(case):
    engine, answers, _ = case
    row = max(answers["cnf"], key=lambda row: row["count"])
    found = engine.search_docs_cnf(row["cnf"], maxnum=4, max_disp_len=6, max_diff_tokens=row["max_diff_tokens"])
    matches = engine.find_cnf(row["cnf"], max_diff_tokens=row["max_diff_tokens"])
    places = [(s, ptr) for s, ptrs in enumerate(matches["ptrs_by_shard"]) for ptr in ptrs]
    assert found["cnt"] == matches["cnt"] == len(places) > 0
    drawn = engine.get_docs_by_ptrs([places[number] for number in found["idxs"]], max_disp_len=6)
    assert found["documents"] == drawn

"""Every kind of question on every layout of index: equal to direct answers, and to those that the package stored."""

from __future__ import annotations

import json
import random

import own_indexes
import pytest
from served import running

from explorer import open_index
from explorer.http.wire.infini_gram import QUERY_TYPES, check_reply
from explorer.infini_gram import Engine
from explorer.serve.infini_gram.answers import marked

pytestmark = pytest.mark.local("ranks and shards are looked at")


TOKENIZERS = {"llama": "llama-2-7b-hf.tokenizer.json", "olmo": "olmo-7b-hf.tokenizer.json"}
# Layouts with the same tokens have the same answers.
ANSWERS_OF = {
    "v4_u16_llama_nometa": "v4_u16_llama",
    "v5_u16_llama_reversed": "v4_u16_llama",
    "v6_u16_llama": "v4_u16_llama",
}
COMMON = ("latency", "token_ids", "tokens")


class Case:
    """A layout, served: `ask` returns the answer without the tokens of the question and the time."""

    def __init__(self, name, corpus, asker, answers, packages):
        self.name, self.corpus, self.asker, self.answers, self.packages = name, corpus, asker, answers, packages
        self.engine = Engine.of_corpus(corpus, asker.server.host.indexes[name].engine.eos_token_id)

    def ask(self, kind, ids, **numbers):
        status, reply = self.asker.post({"index": self.name, "query_type": kind, "query_ids": ids, **numbers})
        assert status == 200 and "error" not in reply, reply
        check_reply(QUERY_TYPES[kind], reply)
        assert reply["token_ids"] == ids
        return {key: value for key, value in reply.items() if key not in COMMON}


def plain(value):
    """As JSON has it: keys are texts, and pairs are lists."""
    return json.loads(json.dumps(value))


@pytest.fixture(scope="module", params=own_indexes.MATERIAL)
def case(request, tmp_path_factory):
    whose, name = request.param.split()
    style = own_indexes.LAYOUTS[name].style
    if whose == "own":
        folder, tokenizer = own_indexes.write(tmp_path_factory.mktemp("served"), name)
        answers = own_indexes.answers(name)
    else:
        shared = request.getfixturevalue("shared")
        folder = shared / "infini-gram-indexes" / name
        answers = json.loads((folder.parent / f"answers.{ANSWERS_OF.get(name, name)}.json").read_text(encoding="utf-8"))
        tokenizer = shared / "tokenizers" / TOKENIZERS[style] if style != "bytes" else None
    corpus = open_index(folder, tokenizer or "bytes")
    with running([(name, corpus)]) as asker:
        yield Case(name, corpus, asker, answers, whose == "package's")
        assert asker.complaints == []


def test_stored_counts_and_probabilities(case):
    for row in case.answers["count"]:
        assert case.ask("count", row["ids"]) == {"count": row["count"], "approx": False}
    for row in case.answers["prob"]:
        expected = {key: row[key] for key in ("prompt_cnt", "cont_cnt", "prob")}
        assert case.ask("prob", row["ids"]) == pytest.approx(expected, abs=1e-12)


def test_stored_backing_off(case):
    ids = case.answers["text_ids"]
    for row in case.answers["infgram"][::4]:
        found = case.ask("infgram_prob", ids[: row["upto"] + 1]) if row["upto"] < 500 else {}
        expected = {key: row[key] for key in found if key != "longest_suffix"}
        assert {key: found[key] for key in expected} == pytest.approx(expected, abs=1e-12)


def test_stored_next_tokens(case):
    """Where a document ends at the last rank, the package took whole ranges for token 0: two rows of one folder."""
    end, merged = case.engine.eos_token_id, 0
    for row in case.answers["next"]:
        found = case.ask("ntd", row["context"])
        assert (found["prompt_cnt"], found["approx"]) == (row["count"], False)
        mine = {int(token): each["cont_cnt"] for token, each in found["result_by_token_id"].items()}
        theirs = {int(token): count for token, count in row["next"].items() if count}
        if case.packages and theirs == {0: row["count"]} and len(mine) > 1:
            merged += 1
            continue
        ends = theirs.pop(0 if case.packages else case.corpus.index.separator, 0)
        if ends:
            theirs[end] = theirs.get(end, 0) + ends
        assert mine == theirs
    assert merged in (0, 2)


def test_stored_conjunctions(case):
    """The package drops matches at the borders of documents. Each of several shards has a rarest clause of its own."""
    for row in case.answers["cnf"]:
        numbers = {"max_diff_tokens": row["max_diff_tokens"]}
        found = case.ask("find_cnf", row["cnf"], **numbers)
        if case.packages:
            assert found["cnt"] >= row["count"]
        elif len(case.engine.index.shards) == 1:
            assert found["cnt"] == row["count"]
        assert case.ask("count", row["cnf"], **numbers) == {"count": found["cnt"], "approx": False}
        assert sum(map(len, found["ptrs_by_shard"])) == found["cnt"]


def _random_question(draw, case):
    """A kind, ids, numbers, and the direct answer."""
    text = case.answers["text_ids"]
    start = draw.randrange(len(text))
    ids = text[start : start + draw.choice([1, 1, 2, 3, 8, 40])]
    if draw.random() < 0.3:
        ids[draw.randrange(len(ids))] = draw.choice(text)
    engine, kind = case.engine, draw.choice([*QUERY_TYPES])
    clauses = [[ids[:2]], [[draw.choice(text)], text[start : start + 1]]]
    if kind == "count" and draw.random() < 0.3:
        return kind, clauses, {"max_diff_tokens": 20}, engine.count_cnf(clauses, max_diff_tokens=20)
    if kind == "find_cnf":
        return kind, clauses, {}, engine.find_cnf(clauses)
    if kind in ("prob", "infgram_prob"):
        return kind, ids, {}, getattr(engine, kind)(ids[:-1], ids[-1])
    if kind in ("get_doc_by_rank", "get_doc_by_ptr"):
        s = draw.randrange(len(engine.index.shards))
        at, length = draw.randrange(engine.index.shards[s].token_count), draw.choice([1, 10, 99])
        name = kind.rpartition("_")[2]
        at *= engine.index.local.token_width if name == "ptr" else 1
        numbers = {"s": s, name: at, "max_disp_len": length}
        return kind, ids, numbers, getattr(engine, kind)(**numbers)
    if kind == "search_docs":
        return kind, ids, {"maxnum": 3, "max_disp_len": 9}, {"cnt": engine.count(ids)["count"]}
    return kind, ids, {}, getattr(engine, kind)(ids)


def test_random_questions_have_the_direct_answers(case, scale):
    """1,000 questions in all, and more in the long run."""
    draw = random.Random(case.name)
    for _ in range(scale(72, 1000)):
        kind, ids, numbers, direct = _random_question(draw, case)
        found = case.ask(kind, ids, **numbers)
        # The texts of tokens are looked at below. A document's tokens have another name than the question's.
        if "doc_token_ids" in found:
            found["token_ids"] = found["doc_token_ids"]
        for row in found.get("result_by_token_id", {}).values():
            del row["token"]
        assert {key: found[key] for key in direct} == plain(direct), (kind, ids, numbers)


def test_documents_that_are_drawn_contain_the_ngram(case):
    ids = next(row["ids"] for row in case.answers["count"] if row["count"] > 1 and len(row["ids"]) == 2)
    found = case.ask("search_docs", ids, maxnum=5, max_disp_len=30)
    assert len(found["documents"]) == len(found["idxs"]) == 5
    assert found["message"].startswith(f"{found['cnt']} occurrences found.")
    text = case.asker.server.host.indexes[case.name].text(ids)
    for document in found["documents"]:
        assert document["disp_len"] == len(document["token_ids"]) <= 30
        assert [text, "0"] in document["spans"]
    none = case.ask("search_docs", [*ids, *ids, *ids, *ids], maxnum=5)
    assert (none["cnt"], none["documents"], none["message"]) == (0, [], "0 occurrences found")


def test_texts_are_read_by_the_rules_of_their_tokenizer(case):
    """A space is put before a text of byte-level tokenizers; Llama's adds its own; bytes can be spelled."""
    style = own_indexes.LAYOUTS[case.name].style
    for text in ("the cat", "a", ""):
        status, reply = case.asker.post({"index": case.name, "query_type": "count", "query": text})
        spelled = f" {text}" if style == "olmo" and text else text
        expected = case.corpus.encode(spelled).tolist() if spelled else []
        if style == "llama" and expected[:1] == [case.corpus.index.tokenizer.backend.token_to_id("▁")]:
            del expected[0]
        assert status == 200 and reply["token_ids"] == expected
        assert reply["count"] == case.engine.count(expected)["count"]
        assert len(reply["tokens"]) == len(expected) and all(reply["tokens"])
    status, reply = case.asker.post({"index": case.name, "query_type": "count", "query": "the OR a AND cat"})
    assert [len(clause) for clause in reply["token_ids"]] == [2, 1] and status == 200
    if style == "bytes":
        _, reply = case.asker.post({"index": case.name, "query_type": "count", "query": r"\x74he"})
        assert reply["token_ids"] == [*b"the"] and reply["tokens"] == ["t", "h", "e"]


def test_spelling_of_tokens_and_suffixes(case):
    ids = case.answers["text_ids"][:20]
    found = case.ask("infgram_ntd", ids)
    index = case.asker.server.host.indexes[case.name]
    assert found["longest_suffix"] == index.text(ids[len(ids) - found["suffix_len"] :])
    for token, row in found["result_by_token_id"].items():
        assert row["token"] == index.piece(int(token)).replace("Ġ", " ")


def test_marks_are_those_of_a_slow_search():
    draw = random.Random(4)
    for _ in range(300):
        tokens = draw.choices(range(3), k=draw.randrange(12))
        clauses = [[draw.choices(range(3), k=draw.randrange(3)) for _ in range(2)] for _ in range(2)]
        runs = marked(tokens, clauses)
        assert [token for run, _ in runs for token in run] == tokens
        assert all(run for run, _ in runs)
        for run, label in runs:
            if label is not None:
                assert run in clauses[int(label)]
            else:
                held = [ngram for clause in clauses for ngram in clause if ngram]
                assert not any(run[i : i + len(ngram)] == ngram for ngram in held for i in range(len(run)))

"""An index behind infini-gram's protocol answers as the local one, asks little, and gives no wrong number."""

from __future__ import annotations

import json
import pickle
import sqlite3
import threading
from dataclasses import replace

import numpy as np
import own_indexes
import pytest
from faulty_service import FAULTS, Answer, FaultyService
from remote_index import RemoteIndex

from explorer import build_index, open_index
from explorer.analyses.trace.settings import TraceSettings
from explorer.backends.defaults.ranked import ranks_of
from explorer.backends.remote import views as views_module
from explorer.backends.remote.numbering import Numbering
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, CorpusError, QueryError, TokenizerError
from explorer.http import cache as cache_module
from explorer.http import client as client_module
from explorer.http import pace
from explorer.http.errors import RemoteError
from explorer.http.wire.errors import BadReplyError
from explorer.http.wire.infini_gram import LIMITS
from explorer.serve.indexes import served

TEXT = "the cat sat on the mat, and the dog saw the cat on the rug. A bird?"


@pytest.fixture(autouse=True)
def afresh(tmp_path, monkeypatch):
    """Nothing is kept from another test, and nobody waits between attempts."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    pace._paces.clear()
    yield
    for kept in cache_module._shared.values():
        kept.close()
    cache_module._shared.clear()


def forget():
    """As in a new run: what is in memory only is gone."""
    for kept in cache_module._shared.values():
        kept.close()
    cache_module._shared.clear()


def tokenizer_of(folder):
    return folder / "tokenizer.json"


@pytest.fixture
def remote(small, small_index):
    """The small index, behind a service."""
    with RemoteIndex({"Small": small}) as service:
        opened = open_index(service.url, tokenizer=tokenizer_of(small_index))
        service.opened = opened
        yield service


def test_it_is_what_the_local_one_is(remote, small):
    found, index = remote.opened, small.index
    assert found.token_count == small.token_count and found.document_count == small.document_count
    assert found.index.separator == index.separator and found.index.local is None
    assert found.index.sources == (remote.url,) and found.index.name == "Small"
    assert found.index.remark == ""


def test_its_file_is_closed_with_the_last_that_uses_it(remote):
    corpus, remote.opened = remote.opened, None
    file, documents = corpus.index._numbering._file, corpus.index.documents
    corpus.close()
    assert file.execute("SELECT count(*) FROM identity").fetchone() == (1,)
    del documents
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        file.execute("SELECT count(*) FROM identity")


def test_a_damaged_file_of_numbers_is_closed(tmp_path, monkeypatch):
    path = tmp_path / "documents.sqlite"
    path.write_bytes(b"not a database" * 1000)
    files, connect = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kwargs: files.append(connect(*args, **kwargs)) or files[-1])
    assert len(Numbering("http://localhost#Small", path)) == 0
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        files[0].execute("SELECT 1")


def test_counts_are_those_of_the_local_one(remote, small):
    ids = small.encode(TEXT)
    there, here = remote.opened.index.counts, small.index.counts
    for size in range(4):
        part = ids[:size]
        assert there.count(part) == here.count(part)
        assert there.continuation(part, int(ids[size])) == here.continuation(part, int(ids[size]))
        assert there.backed_off(ids[: 5 * size], int(ids[0])) == here.backed_off(ids[: 5 * size], int(ids[0]))
        assert there.longest_suffix(ids[: 5 * size]) == here.longest_suffix(ids[: 5 * size])
    assert there.longest_matches(ids).tolist() == here.longest_matches(ids).tolist()
    starts, ends = np.array([0, 1, 0, 3]), np.array([2, 1, 2, 9])
    assert there.count_many(ids, starts, ends).tolist() == here.count_many(ids, starts, ends).tolist()


def test_what_follows_is_that_of_the_local_one(remote, small):
    ids = small.encode(TEXT)
    there, here = remote.opened.index.counts, small.index.counts
    for size in range(1, 6):
        for backoff in (False, True):
            one, other = there.next_tokens(ids[:size], backoff), here.next_tokens(ids[:size], backoff)
            assert one.tokens.tolist() == other.tokens.tolist() and one.counts.tolist() == other.counts.tolist()
            assert (one.context_count, one.context_length, one.exact) == (
                other.context_count,
                other.context_length,
                True,
            )
    for one, other in zip(there.followed(ids, [None, 3]), here.followed(ids, [None, 3]), strict=True):
        for name in ("starts", "context", "continuation", "sparse"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    starts, ends = np.array([0, 1]), np.array([2, 3])
    assert [a.tolist() for a in there.followers(ids, starts, ends)] == [
        a.tolist() for a in here.followers(ids, starts, ends)
    ]
    one, other = there.levels(ids[:4], 1, None, True), here.levels(ids[:4], 1, None, True)
    assert [(each.length, each.counts.tolist(), each.ends) for each in one[0]] == [
        (each.length, each.counts.tolist(), each.ends) for each in other[0]
    ]
    assert there.greedy(ids[:3], 5, 0.0) == here.greedy(ids[:3], 5, 0.0)


def test_lines_and_documents_are_those_of_the_local_one(remote, small):
    query = " the cat OR the dog"
    there = remote.opened.concordance(remote.opened.search(query, match="tokens"))
    here = small.concordance(small.search(query, match="tokens"), sort="index")
    assert len(there) == len(here) > 3

    def shown(lines):
        return sorted((line.offset, line.left, line.match, line.right) for line in lines.lines(0, 99))

    assert shown(there) == shown(here)
    line = there.lines(0, 1)[0]
    document = remote.opened.document(line.document)
    assert document.text in [small.document(number).text for number in range(small.document_count)]
    assert document.metadata in [small.document(number).metadata for number in range(small.document_count)]


def test_and_is_found_in_the_text_around_hits(remote, small):
    for query in ("the cat AND rug", "cat AND NOT mat", "the cat AND (rug OR mat) AND dog"):
        one, other = (
            corpus.search(query, match="tokens", max_distance=12, variants=["space"])
            for corpus in (remote.opened, small)
        )
        assert (one.count, one.exact) == (other.count, other.exact) and one.parsed == other.parsed


def test_a_trace_has_the_spans_of_the_local_one_and_costs_no_request_again(remote, small):
    asked = len(remote.asked)
    one, other = remote.opened.trace(TEXT), small.trace(TEXT)
    assert [(s.token_start, s.token_end, s.count) for s in one.spans] == [
        (s.token_start, s.token_end, s.count) for s in other.spans
    ]
    assert len(remote.asked) > asked
    asked = len(remote.asked)
    again = remote.opened.trace(TEXT)
    assert again.spans == one.spans and len(remote.asked) == asked
    # In a new run: opening asks whether the index is the same, and the text is read from the disk.
    forget()
    opened = open_index(remote.url, tokenizer=remote.opened.index.tokenizer.backend)
    assert remote.questions() - asked <= 1
    asked = len(remote.asked)
    assert opened.trace(TEXT).spans == one.spans and len(remote.asked) == asked
    assert "fetched earlier, the first on 20" in opened.index.remark


def test_agreement_is_that_of_the_local_one(remote, small):
    one, other = remote.opened.agreement(TEXT), small.agreement(TEXT)
    assert repr(one) == repr(other)


def test_samples_are_estimates_and_are_not_kept(small, small_index):
    with RemoteIndex({"Small": small}, sampled=4) as service:
        opened = open_index(service.url, tokenizer=tokenizer_of(small_index))
        opened.index.service.limits = replace(LIMITS, max_support=4)
        assert opened.index.capabilities.missing("next_tokens")
        ids = small.encode(" the")
        exact = small.index.counts.next_tokens(ids)
        with pytest.raises(CapabilityError, match="from a sample"):
            opened.index.counts.next_tokens(ids)
        found = opened.index.counts.next_tokens(ids, limit=1000)
        # Every eighth of 18 occurrences, each of which stands for eight.
        assert (found.exact, found.sample_size, found.counts.tolist()) == (False, 3, [1, 1, 1])
        assert found.context_count == exact.context_count and set(found.tokens) <= set(exact.tokens)
        asked = len(service.asked)
        opened.index.counts.next_tokens(ids, limit=1000)
        assert len(service.asked) == asked
        forget()
        again = open_index(service.url, tokenizer=tokenizer_of(small_index))
        asked = len(service.asked)
        again.index.counts.next_tokens(ids, limit=4)
        assert len(service.asked) == asked + 1


def test_what_cannot_be_asked_is_refused_with_a_reason(remote):
    index = remote.opened.index
    for name in ("text_patterns", "sorting", "sizes", "subtraction", "lists", "next_tokens", "documents"):
        assert "127.0.0.1" in index.capabilities.missing(name)
    with pytest.raises(CapabilityError, match="not texts that may be split"):
        remote.opened.count("cat", match="text")
    for ask in (
        lambda: index.documents.sizes(),
        lambda: index.documents.numbers(),
        lambda: index.without([0]),
        lambda: index.within(np.array([0])),
        lambda: index.lists.shared_prefixes(),
        lambda: remote.opened.ngrams(2),
        lambda: remote.opened.concordance("cat", match="tokens", sort="left"),
        lambda: index.counts.count([5] * 501),
    ):
        with pytest.raises(CapabilityError):
            ask()
    with pytest.raises(QueryError, match="was not met yet"):
        index.documents.lengths(np.array([12]))


def test_too_many_places_are_a_sentence_and_no_request(remote, monkeypatch):
    monkeypatch.setattr(views_module, "MOST_PLACES", 3)
    lines = remote.opened.concordance(" the", match="tokens")
    asked = len(remote.asked)
    with pytest.raises(CapabilityError, match=r"This needs \d+ requests to 127\.0\.0\.1:\d+, one for each hit"):
        lines.lines(0, 20)
    assert len(remote.asked) == asked and len(lines.lines(0, 2)) == 2


def test_a_long_document_is_shown_in_parts(tmp_path):
    text = "begin " + "the quick brown fox. " * 3000 + "middle word here. " + "the lazy dog. " * 3000 + "end"
    folder = tmp_path / "long"
    build_index([{"text": text}, {"text": "middle word elsewhere"}], folder, tokenizer="bytes", name="Long")
    small = open_index(folder)
    with RemoteIndex({"Long": small}) as service:
        opened = open_index(service.url, tokenizer="bytes")
        lines = opened.concordance("middle word", match="tokens").lines(0, 9, width=12)
        assert sorted(line.right for line in lines) == [" elsewhere", " here. the l"]
        part = next(line for line in lines if "here." in line.right)
        document = opened.document(part.document)
        assert len(document.text.encode()) == 10_000 and document.metadata["document_tokens"] == len(text)
        # What is further away than the service shows is not "not there".
        with pytest.raises(CapabilityError, match="not enough to look 9,000 tokens"):
            opened.search("middle word AND begin", match="tokens", max_distance=9000)
        assert opened.search("middle word AND lazy dog", match="tokens").count == 1


def test_documents_keep_their_numbers_in_later_runs(remote):
    lines = remote.opened.concordance(" the cat", match="tokens").lines(0, 5)
    fingerprint = remote.opened.index.fingerprint
    forget()
    again = open_index(remote.url, tokenizer=remote.opened.index.tokenizer.backend)
    assert again.index.fingerprint == fingerprint
    for line in lines:
        assert line.match in again.document(line.document).text
    assert again.concordance(" the cat", match="tokens").lines(0, 5) == lines


def test_numbers_of_another_machine_are_those_of_another_index(remote, tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "other"))
    again = open_index(remote.url, tokenizer=remote.opened.index.tokenizer.backend)
    assert again.index.fingerprint != remote.opened.index.fingerprint


def test_it_can_be_sent_to_another_process(remote):
    again = pickle.loads(pickle.dumps(remote.opened.index))
    assert again.counts.count([]) == remote.opened.token_count


# --- opening ------------------------------------------------------------------------------------


def test_a_name_that_is_not_there_is_answered_with_those_that_are(remote):
    with pytest.raises(CorpusError, match=r'127\.0\.0\.1:\d+ has no index "Smal"\. It has: Small\.') as error:
        open_index(remote.service + "#Smal")
    assert error.value.reason == "no-such-index"


def test_another_tokenizer_is_noticed_by_its_tokens(remote, byte_index, tmp_path):
    with pytest.raises(TokenizerError, match="is not that of Small"):
        open_index(remote.url, tokenizer="bytes")
    opened = open_index(remote.url, tokenizer="bytes", check_fit=False)
    assert opened.token_count == remote.opened.token_count


def test_without_a_tokenizer_only_ids_can_be_asked(remote, small):
    opened = open_index(remote.url)
    ids = small.encode(" the cat").tolist()
    assert opened.index.counts.count(ids) == small.index.counts.count(ids)
    with pytest.raises(TokenizerError, match="No tokenizer is known for Small"):
        opened.encode("the cat")


def test_nothing_is_sent_to_another_machine_before_it_is_allowed(monkeypatch):
    import socket

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))
    with pytest.raises(RemoteError, match="Nothing was sent") as error:
        open_index("https://api.infini-gram.io/#v4_pileval_llama")
    assert error.value.option == "allow_remote"


def test_demands_that_a_service_cannot_meet_are_refused(remote, small_index):
    for options in ({"minus": small_index}, {"reversed_text": True}):
        with pytest.raises(QueryError):
            open_index(remote.url, **options)


def test_it_is_asked_together_with_a_folder(remote, small, small_index):
    both = open_index([remote.url, small_index], tokenizer=tokenizer_of(small_index))
    ids = small.encode(" the cat").tolist()
    assert both.count(ids) == 2 * small.count(ids) > 0
    assert both.index.counts.followed(small.encode(TEXT), [None, 2])[0].sparse.tolist() == (
        small.index.counts.followed(small.encode(TEXT), [None, 2])[0].sparse.tolist()
    )
    with pytest.raises(CapabilityError):
        both.search("the", match="text")


def test_an_index_that_does_not_answer_is_opened_with_what_was_kept(small, small_index):
    with RemoteIndex({"Small": small}) as service:
        opened = open_index(service.url, tokenizer=tokenizer_of(small_index))
        traced = opened.trace(TEXT)
    forget()
    again = open_index(service.url, tokenizer=tokenizer_of(small_index))
    assert "does not answer. Answers that were kept" in again.index.remark
    assert again.trace(TEXT).spans == traced.spans
    with pytest.raises(RemoteError, match="No service answers"):
        again.count([1, 2, 3])


def test_another_index_under_the_same_name_is_not_answered_from_the_disk(small, small_index, byte_index):
    with RemoteIndex({"Small": small}) as service:
        opened = open_index(service.url, tokenizer=tokenizer_of(small_index))
        before = opened.index.counts.count([40])
        service.indexes = served([("Small", open_index(byte_index))])
        again = open_index(service.url, tokenizer="bytes")
        assert again.index.counts.count([40]) == open_index(byte_index).index.counts.count([40]) != before


# --- faults -------------------------------------------------------------------------------------

WRONG = {
    "no count": {"approx": False, "token_ids": [1], "tokens": ["a"], "latency": 1},
    "a count as text": {"count": "5", "approx": False, "token_ids": [1], "tokens": ["a"], "latency": 1},
    "a count below 0": {"count": -5, "approx": False, "token_ids": [1], "tokens": ["a"], "latency": 1},
    "a truth": {"count": True, "approx": False, "token_ids": [1], "tokens": ["a"], "latency": 1},
    "another question": {"count": 5, "approx": False, "token_ids": [2], "tokens": ["a"], "latency": 1},
    "an estimate": {"count": 5, "approx": True, "token_ids": [1], "tokens": ["a"], "latency": 1},
    "a list": [5],
    "null": None,
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_answer_that_makes_no_sense_is_never_a_number(remote, wrong):
    remote.faults = [Answer.of(WRONG[wrong])] * 9
    with pytest.raises(CorpusError, match="127") as error:
        remote.opened.index.counts.count([1])
    assert isinstance(error.value, BadReplyError), error.value
    remote.faults = []
    assert remote.opened.index.counts.count([1]) >= 0


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "silence"])
def test_a_fault_is_a_sentence_and_nothing_of_it_is_kept(remote, small, fault):
    ids = small.encode(" the cat")
    remote.faults = [FAULTS[fault]] * 9
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1"):
        remote.opened.index.counts.count(ids)
    remote.faults = []
    assert remote.opened.index.counts.count(ids) == small.index.counts.count(ids)


@pytest.mark.parametrize("fault", ["429", "502", "504", "reset"])
def test_a_trace_survives_faults_that_pass_by(remote, small, fault):
    remote.faults = [FAULTS[fault]] * 3
    assert [s.count for s in remote.opened.trace(TEXT).spans] == [s.count for s in small.trace(TEXT).spans]


def test_fields_that_are_not_known_do_not_matter(remote):
    value = {"count": 5, "approx": False, "token_ids": [1], "tokens": ["a"], "latency": 1, "new": {"a": 1}}
    remote.faults = [Answer.of(value)]
    assert remote.opened.index.counts.count([1]) == 5


@pytest.mark.parametrize(
    "change",
    [
        {"cnt": 10**6},
        {"segment_by_shard": [[5, 3]]},
        {"segment_by_shard": [["a", 3]]},
        {"segment_by_shard": [3]},
    ],
)
def test_ranks_that_contradict_the_count_are_refused(remote, small, change):
    ids = small.encode(" the cat").tolist()
    good = {"cnt": 2, "segment_by_shard": [[3, 5]], "token_ids": ids, "tokens": [], "latency": 1}
    remote.faults = [Answer.of({**good, **change})]
    with pytest.raises(BadReplyError):
        remote.opened.index.hits.find(ids)


def test_a_document_without_the_hit_is_refused(remote, small):
    lines = remote.opened.concordance(" the cat", match="tokens")
    found = {
        "doc_ix": 0,
        "doc_len": 2,
        "disp_len": 2,
        "needle_offset": 0,
        "metadata": "",
        "token_ids": [],
        "tokens": [],
        "spans": [["something else", None]],
        "latency": 0,
    }
    for change in ({}, {"disp_len": 9}, {"needle_offset": 99}, {"spans": [[5, None]]}, {"spans": [5]}):
        remote.faults = [Answer.of({**found, **change})]
        with pytest.raises(BadReplyError):
            lines.lines(0, 1)


def test_the_shape_that_the_documentation_shows_is_read(small, small_index):
    """The answers of the documentation of the API, in place of those of a service."""
    shapes = {
        "count": {"count": 2349754, "approx": False, "latency": 0.724},
        "prob": {"prompt_cnt": 2349754, "cont_cnt": 103, "prob": 4.4e-05, "latency": 1},
        "infgram_prob": {
            "prompt_cnt": 100,
            "cont_cnt": 5,
            "prob": 0.05,
            "suffix_len": 2,
            "longest_suffix": "of",
            "latency": 1.2,
        },
        "infgram_ntd": {
            "prompt_cnt": 3,
            "result_by_token_id": {
                "13": {"cont_cnt": 1, "prob": 1 / 3, "token": "a"},
                "297": {"cont_cnt": 2, "prob": 2 / 3, "token": "b"},
            },
            "approx": False,
            "suffix_len": 2,
            "longest_suffix": "of",
            "latency": 5,
        },
        "find": {"cnt": 3, "segment_by_shard": [[7, 9], [4, 5]], "latency": 0.4},
    }

    def answer(payload):
        if payload is None:
            return Answer.of({"message": "Missing Authentication Token"}, 403)
        ids = payload["query_ids"]
        return Answer.of({**shapes[payload["query_type"]], "token_ids": ids, "tokens": ["x"] * len(ids)})

    with FaultyService(answer) as service:
        opened = open_index(f"{service.url}#v4_rpj_llama_s4", check_fit=False)
        counts = opened.index.counts
        assert counts.count([3014, 310, 7660]) == 2349754
        assert counts.continuation([3014, 310], 7660) == (2349754, 103)
        assert counts.backed_off([1, 2, 3], 4) == (2, 100, 5)
        assert counts.next_tokens([1, 2, 3], backoff=True).tokens.tolist() == [297, 13]
        assert ranks_of(opened.index.hits.find([1]).ranges, [0, 2]) == [(0, 7), (1, 4)]
        sent = next(each for each in service.asked if each and each["query_ids"] == [3014, 310, 7660])
        assert sent == {"index": "v4_rpj_llama_s4", "query_type": "count", "query_ids": [3014, 310, 7660]}


# --- cancelling, and the whole --------------------------------------------------------------------


def test_a_cancelled_trace_sends_no_more_and_continues_from_what_was_kept(small, small_index):
    with RemoteIndex({"Small": small}, delay=0.02) as service:
        opened = open_index(service.url, tokenizer=tokenizer_of(small_index))
        cancel, text = CancelToken(), TEXT * 4
        began = service.questions()
        watch = threading.Thread(target=_cancel_after, args=(service, began + 10, cancel))
        watch.start()
        with pytest.raises(Cancelled):
            opened.trace(text, cancel=cancel)
        watch.join()
        at_end = service.questions()
        assert at_end - began <= 10 + 4 + 1
        opened.trace(text)
        assert not _repeated(service.asked[began:], but=8)


def _cancel_after(service, questions, cancel):
    while service.questions() < questions:
        pass
    cancel.cancel()


def _repeated(asked, but):
    """Questions that were sent twice, more than those that were under way when the work was cancelled."""
    texts = [json.dumps(each, sort_keys=True) for each in asked]
    return len(texts) - len(set(texts)) > but


@pytest.mark.parametrize(
    "name", ["v4_u16_llama", "v4_u16_olmo_3shards", "v4_u8_bytes", "v4_u32_olmo", "v5_u16_llama_reversed"]
)
def test_a_remote_trace_of_every_layout_is_the_local_one(tmp_path, name):
    folder, file = own_indexes.write(tmp_path, name)
    local = open_index(folder, tokenizer=file)
    texts = [own_indexes.question(number) for number in range(4)]
    with RemoteIndex({"own": local}) as service:
        opened = open_index(service.url, tokenizer=file or "bytes")
        assert opened.document_count == local.document_count and opened.index.separator == local.index.separator
        for text in texts:
            ids = local.encode(text)[:40]
            assert np.array_equal(opened.index.counts.longest_matches(ids), local.index.counts.longest_matches(ids))
        part = " ".join(texts[0].split()[:20])
        one, other = opened.trace(part), local.trace(part)
        assert [(s.token_start, s.token_end, s.count) for s in one.spans] == [
            (s.token_start, s.token_end, s.count) for s in other.spans
        ]
        counted = own_indexes.answers(name)["count"]
        ids = next(row["ids"] for row in counted if row["count"] > 1 and len(row["ids"]) == 2)
        here, there = local.concordance(ids, sort="index").lines(0, 10), opened.concordance(ids).lines(0, 10)
        assert here and [_beside(line) for line in there] == [_beside(line) for line in here]


def test_twenty_traces_are_the_local_ones(tmp_path):
    """Texts of up to 200 tokens, by infini-gram's protocol and by the server's own questions."""
    pytest.importorskip("uvicorn", reason="the extra serve is not installed")
    from served import running

    folder, tokenizer = own_indexes.write(tmp_path, "v4_u16_olmo_3shards")
    local = open_index(folder, tokenizer=tokenizer)
    settings = TraceSettings(documents_per_span=0)
    texts = [cut_to(local, own_indexes.question(number), 10 * number) for number in range(1, 21)]
    wanted = [spans_of(local.trace(text, settings=settings)) for text in texts]
    assert sum(map(len, wanted)) > 100
    with RemoteIndex({"own": local}) as service:
        opened = open_index(service.url, tokenizer=tokenizer)
        # A request per token: all twenty take over a minute of processor time.
        assert [spans_of(opened.trace(text, settings=settings)) for text in texts[:6]] == wanted[:6]
    with running([("own", local)]) as asker:
        opened = open_index(f"{asker.address}#own", tokenizer=tokenizer)
        assert [spans_of(opened.trace(text, settings=settings)) for text in texts] == wanted
        assert asker.complaints == []


def cut_to(corpus, text, tokens):
    return text[: int(corpus.index.tokenizer.encode_with_offsets(text).ends[tokens - 1])]


def spans_of(found):
    return [(span.token_start, span.token_end, span.count) for span in found.spans]


def _beside(line):
    """The characters next to a match: the text was tokenized again, and its spaces depend on the tokens."""
    left, match, right = ("".join(text.split()) for text in (line.left, line.match, line.right))
    return left[-12:], match, right[:12]


def test_long_matches_are_asked_about_at_their_ends_only(remote, small):
    ids = np.concatenate([small.encode(small.document(1).text)] * 1)
    before = remote.questions("infgram_ntd")
    assert np.array_equal(remote.opened.index.counts.longest_matches(ids), small.index.counts.longest_matches(ids))
    assert remote.questions("infgram_ntd") - before == 1


def test_a_passage_that_is_too_long_to_ask_about_is_not_cut_short(tmp_path):
    build_index([{"text": "abcdefg hij " * 100}], tmp_path / "index", tokenizer="bytes", name="Long")
    small = open_index(tmp_path / "index")
    ids = small.encode("abcdefg hij " * 60)
    with RemoteIndex({"Long": small}) as service:
        opened = open_index(service.url, tokenizer="bytes")
        with pytest.raises(CapabilityError, match="More than 500 tokens of this text occur in a row"):
            opened.index.counts.longest_matches(ids)
        assert opened.index.counts.longest_matches(ids[:500])[0] == 500


def test_our_own_server_is_exact_and_gives_tokens(small, small_index):
    pytest.importorskip("starlette", reason="the extra serve is not installed")
    pytest.importorskip("uvicorn", reason="the extra serve is not installed")
    from served import running

    with running([("", small)]) as asker:
        opened = open_index(f"{asker.address}#Small", tokenizer=tokenizer_of(small_index))
        assert not opened.index.capabilities.missing("next_tokens")
        ids = small.encode(TEXT)
        found, wanted = opened.index.counts.next_tokens(ids[:1]), small.index.counts.next_tokens(ids[:1])
        assert found.tokens.tolist() == wanted.tokens.tolist() and found.exact
        assert [s.count for s in opened.trace(TEXT).spans] == [s.count for s in small.trace(TEXT).spans]
        assert len(opened.concordance(" the cat", match="tokens").lines(0, 5)) == 5
        with pytest.raises(CorpusError, match="It has: Small"):
            open_index(f"{asker.address}#Other")
        assert asker.complaints == []

"""An index of infini-gram mini: counts, lines and documents equal those of a local index of the same bytes."""

from __future__ import annotations

import pytest
from faulty_service import FAULTS, Answer
from mini_service import MiniIndex

from explorer import build_index, open_index
from explorer.backends.remote import listing
from explorer.errors import CapabilityError, CorpusError
from explorer.http import cache as cache_module
from explorer.http import client as client_module
from explorer.http import pace
from explorer.http.errors import RemoteError
from explorer.http.wire.errors import BadReplyError

TEXTS = [
    ("the cat sat on the mat, and the dog saw the cat", {"url": "a.example", "year": 2020}),
    ("Grüße vom Müßiggang: größer, süßer, müder " * 3, {"url": "b.example"}),
    ("", {}),
    ("a cat 😀 sat 😀 here", {"url": "c.example"}),
]


@pytest.fixture(autouse=True)
def afresh(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    pace._paces.clear()
    yield
    for kept in cache_module._shared.values():
        kept.close()
    cache_module._shared.clear()


@pytest.fixture
def service():
    with MiniIndex([TEXTS[:2], TEXTS[2:]]) as service:
        yield service


@pytest.fixture
def local(tmp_path):
    build_index([{"text": text, **fields} for text, fields in TEXTS], tmp_path / "index", tokenizer="bytes", shards=2)
    return open_index(tmp_path / "index")


def test_its_size_is_found_out(service):
    corpus = open_index(service.url)
    size = sum(len(text.encode()) + 1 for text, _ in TEXTS)
    assert (corpus.token_count, corpus.document_count) == (size, len(TEXTS))
    assert corpus.index.name == "v2_small" and corpus.index.tokenizer.name == "bytes"
    # Known now, so that opening it again asks less.
    asked = len(service.asked)
    assert open_index(service.url).document_count == len(TEXTS) and len(service.asked) - asked <= 2


@pytest.mark.parametrize("query", ["the cat", "cat", "üß", "😀", " ", "the cat sat on the mat, and", "nowhere", "Z"])
def test_counts_equal_those_of_the_bytes(service, local, query):
    corpus = open_index(service.url)
    assert corpus.count(query, match="tokens") == local.count(query, match="tokens")
    assert corpus.find(corpus.encode(query)).count == local.count(query, match="tokens")


def test_all_bytes_are_counted(service):
    corpus = open_index(service.url)
    assert corpus.index.counts.count([]) == corpus.token_count == corpus.find([]).count


def lines_of(corpus, query):
    shown = corpus.concordance(query, match="tokens", sort="index")
    return sorted((line.left, line.match, line.right) for line in shown)


@pytest.mark.parametrize("query", ["cat", "sat", "üß", "😀"])
def test_lines_equal_those_of_the_bytes(service, local, query):
    assert lines_of(open_index(service.url), query) == lines_of(local, query) != []


def test_documents_around_hits_have_their_text_and_metadata(service):
    corpus = open_index(service.url)
    [line] = corpus.concordance("dog", match="tokens", sort="index")
    document = corpus.document(line.document)
    assert document.text == TEXTS[0][0] and document.metadata["url"] == "a.example"


def test_a_text_that_would_end_within_a_character_is_asked_for_again(service, local, monkeypatch):
    corpus = open_index(service.url)
    # Seven bytes around a hit, which end within characters of this text at most places.
    monkeypatch.setattr(corpus.index.service, "limits", corpus.index.service.limits.__class__(max_disp_len=14))
    assert corpus.count("r, ", match="tokens") == local.count("r, ", match="tokens") > 0
    before = len(service.asked)
    texts = [line.right for line in corpus.concordance("r, ", match="tokens", sort="index")]
    assert len(texts) == local.count("r, ", match="tokens") and all("�" not in text for text in texts)
    lengths = {each["max_ctx_len"] for each in service.asked[before:] if each.get("query_type") == "get_doc_by_rank"}
    assert len(lengths) > 1 and max(lengths) == 7


def test_and_asks_for_both(service, local):
    query = '"cat" AND "dog"'
    found, expected = (corpus.search(query, match="tokens").count for corpus in (open_index(service.url), local))
    assert found == expected > 0


def test_what_it_cannot_do_is_told_before_anything_is_asked(service):
    corpus = open_index(service.url)
    asked = len(service.asked)
    for work in (
        lambda: corpus.trace("the cat sat"),
        lambda: corpus.next_tokens("the cat"),
        lambda: corpus.infgram_prob("the cat", 32),
        lambda: corpus.count([255, 116]),
        lambda: corpus.count([0xC3]),
        lambda: corpus.count("x" * 1_001, match="tokens"),
        lambda: corpus.count("cat"),
        lambda: corpus.duplicates(50),
    ):
        with pytest.raises(CapabilityError) as caught:
            work()
        assert str(caught.value)
    assert len(service.asked) == asked


def test_another_name_is_told(service):
    with pytest.raises(CorpusError, match="Invalid index: v2_other"):
        open_index(service.url.replace("v2_small", "v2_other"))


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in ("silence", "error")])
def test_faults_end_with_a_sentence_or_the_right_number(fault, service, local):
    corpus = open_index(service.url)
    service.faults.extend([fault])
    try:
        assert corpus.count("cat", match="tokens") == local.count("cat", match="tokens")
    except CorpusError as error:
        assert service.url.split("#")[0].removeprefix("http://").rstrip("/") in str(error)


@pytest.mark.parametrize(
    "reply",
    [
        {"count": "5"}, {"count": -1}, {"count": True}, {}, [], {"cnt": 5, "segment_by_shard": []}, {"error": "no"},
    ],
)  # fmt: skip
def test_wrong_answers_are_never_counts(reply, service):
    corpus = open_index(service.url)
    service.faults.extend([Answer.of(reply)])
    with pytest.raises((BadReplyError, RemoteError)):
        corpus.count("cat", match="tokens")
    # Nothing of it was kept.
    assert corpus.count("cat", match="tokens") == 3


def test_a_document_that_contradicts_itself_is_refused(service):
    corpus = open_index(service.url)
    lines = corpus.concordance("dog", match="tokens", sort="index")
    wrong = {"doc_ix": 0, "doc_len": 9, "disp_len": 9, "needle_offset": 0, "metadata": {}, "text": "short"}
    service.faults.extend([Answer.of(wrong)])
    with pytest.raises(BadReplyError, match="another length"):
        list(lines)


def test_an_index_of_another_program_has_no_known_number_of_documents(service):
    # The first suffix is not that of the end.
    service.shards[-1].order.reverse()
    with pytest.raises(BadReplyError, match="number of its documents"):
        open_index(service.url)


def test_a_service_that_is_gone_leaves_what_was_kept(service):
    corpus = open_index(service.url)
    assert corpus.count("cat", match="tokens") == 3
    service.__exit__()
    again = open_index(service.url)
    assert again.index.is_offline and again.count("cat", match="tokens") == 3


def test_names_of_the_public_service_are_offered(monkeypatch):
    monkeypatch.setattr(listing, "_answer", lambda *_: None)
    found = listing.list_indexes("https://api.infini-gram-mini.io", allow_remote=True)
    assert found.is_known and "v2_pileval" in [index.name for index in found.indexes]

"""The questions of the seam over HTTP: an index of a server is as one in a folder."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")

from served import running

from explorer import Corpus, build_index, open_index
from explorer.backends.asked.backend import AskedBackend
from explorer.backends.asked.codec import to_json
from explorer.backends.asked.open import open_asked
from explorer.backends.protocol.values import Matches
from explorer.cli.main import main
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError, QueryError, TokenizerError
from explorer.http.client import Client
from explorer.http.consent import remote_address
from explorer.serve.settings import Settings
from explorer.text.tokens.tokenizer import TextTokenizer


@pytest.fixture(scope="module")
def corpus(small_index):
    return open_index(small_index)


@pytest.fixture(scope="module")
def server(corpus):
    with running([("", corpus)]) as asker:
        yield asker


@pytest.fixture(scope="module")
def client(server):
    return Client(remote_address(server.address))


def opened(client, **options):
    return open_asked(client, "Small", reopening=(open_asked, (client, "Small")), **options)


def test_it_is_announced(server):
    assert "questions" in server.get("/healthz")[1]["capabilities"]


def test_all_that_a_folder_answers(client, corpus):
    index = opened(client)
    remote = Corpus(index)
    assert (index.token_count, index.fingerprint) == (corpus.index.token_count, corpus.index.fingerprint)
    assert remote.count("the cat") == corpus.count("the cat") > 0
    assert remote.next_tokens("the").texts == corpus.next_tokens("the").texts
    text = "So the cat sat on the mat. A dog saw the cat on the rug."
    mine, theirs = remote.trace(text), corpus.trace(text)
    assert mine.spans == theirs.spans
    assert [one.number for one in mine.documents] == [one.number for one in theirs.documents]
    lines = remote.concordance('cat AND ("the mat" OR rug)', sort="1R,1L")
    assert [line.left for line in lines] == [
        line.left for line in corpus.concordance('cat AND ("the mat" OR rug)', sort="1R,1L")
    ]


def test_a_trace_needs_few_requests(client, server):
    index = opened(client)
    asked = []
    send = index._asker.send
    index._asker.send = lambda *values: (asked.append(values[0]), send(*values))[1]
    text = "the cat sat on the mat and the dog saw the cat on the rug. " * 8
    assert Corpus(index).trace(text).spans
    # One for the longest matches, the others for counts, places and documents: none per token or span.
    assert asked.count("longest_matches") == 1
    assert len(asked) <= 16, asked


def test_errors_of_the_index_arrive_as_they_are(client, server):
    index = opened(client)
    with pytest.raises(QueryError, match="999"):
        index.documents.check(999)
    with pytest.raises(CorpusError, match="Other"):
        open_asked(client, "Other", reopening=(open_asked, ()))
    assert server.complaints == []


def test_the_tokenizer_is_sent_or_compared(client, corpus, small_index):
    assert opened(client).tokenizer.encode("the cat").tolist() == corpus.encode("the cat").tolist()
    assert opened(client, tokenizer=small_index / "tokenizer.json").tokenizer.style == corpus.index.tokenizer.style
    with pytest.raises(TokenizerError, match="is not the tokenizer of Small"):
        opened(client, tokenizer=TextTokenizer.raw_bytes())
    assert opened(client, tokenizer=TextTokenizer.raw_bytes(), check_fit=False).tokenizer.name == "bytes"


def test_a_question_that_is_none(server):
    def ask(name, arguments, index="Small"):
        return server.post({"index": index, "arguments": arguments}, f"/questions/{name}")

    assert ask("__class__", [])[0] == ask("count", [])[0] == ask("count", [[1]])[0] == ask("count", None)[0] == 400
    assert ask("count", [to_json(np.array([1]))], index=3)[0] == 400
    assert ask("count", [to_json(np.array([1]))], index="x")[0] == 400
    status, found = ask("count", [to_json(np.array([1 << 60]))])
    assert status == 200 and found["error"]["kind"] == "QueryError" and "/" not in found["error"]["text"]
    status, found = ask("numbered", [to_json((Matches((1,), 5),))])
    assert status == 200 and found["answer"]["is"] == "tuple"
    assert server.complaints == []


def test_a_question_with_many_hits_may_be_large(server):
    hits = "x" * (2 << 20)
    assert server.post({"index": "Small", "arguments": [hits]}, "/questions/count")[0] == 400
    assert server.post({"index": "Small", "query_type": "count", "query": hits})[0] == 413


def test_cancelled_before_it_is_sent(client):
    index = opened(client)
    stopped = CancelToken()
    stopped.cancel()
    with pytest.raises(CorpusError, match="Cancelled"):
        index.counts.longest_matches(np.array([1, 2]), stopped)


def test_an_address_opens_what_its_server_has(server, corpus, small_index):
    address = f"{server.address}#Small"
    opened = open_index(address)
    assert isinstance(opened.index, AskedBackend)
    assert opened.index.capabilities.sorting
    assert pickle.loads(pickle.dumps(opened)).count("the cat") == corpus.count("the cat")
    assert open_index(address, small_index / "tokenizer.json").count("the cat") == corpus.count("the cat")
    with pytest.raises(CorpusError, match="It has: Small"):
        open_index(f"{server.address}#Other")


def test_a_server_with_a_token(corpus, small_index):
    token = "k3Jx9qLw2mZv8RtY7nPd5cBh"
    with running([("", corpus)], Settings(token=token)) as asker:
        address = f"{asker.address}#Small"
        with pytest.raises(CorpusError, match="token"):
            open_index(address)
        assert open_index(address, token=token).count("the cat") == corpus.count("the cat")
    with pytest.raises(QueryError, match="takes no token"):
        open_index(small_index, token=token)


def test_the_command_line_asks_an_address(server, corpus, capsys):
    assert main(["count", f"{server.address}#Small", "the cat", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["count"] == corpus.count("the cat")
    assert main(["kwic", f"{server.address}#Small", "cat", "--sort", "1L", "--limit", "3"]) == 0
    assert capsys.readouterr().out.count("cat") >= 3


def test_indexes_of_several_servers_are_asked_as_one(corpus, small_index, tmp_path, capsys):
    """A part that is gone is an error that names it, and never a smaller number."""
    build_index([{"text": "the cat sat on the mat"}], tmp_path / "more", tokenizer=small_index / "tokenizer.json")
    with running([("", corpus)]) as one:
        with running([("more", open_index(tmp_path / "more"))]) as other:
            addresses = [f"{one.address}#Small", f"{other.address}#more"]
            found = open_index(addresses)
            together = open_index([small_index, tmp_path / "more"])
            for text in ("the", " cat sat", "no such text"):
                assert found.count(text) == together.count(text)
            answer = "I saw that the cat sat on the mat."
            assert found.trace(answer).spans == together.trace(answer).spans
            rows = []
            for sources in (addresses, [str(small_index), str(tmp_path / "more")]):
                assert main(["count", sources[0], "the", "--index", sources[1], "--json"]) == 0
                rows.append(json.loads(capsys.readouterr().out)["results"][0]["count"])
            assert rows[0] == rows[1] > 20
        with pytest.raises(CorpusError, match=r"127\.0\.0\.1"):
            found.count("the")

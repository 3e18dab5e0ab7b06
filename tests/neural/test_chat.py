"""Questions to a model: the answer comes as it is written, what came stays, and what breaks is told."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest
from chat_server import ChatHost
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.neural.address import ServerError
from explorer.neural.chat import (
    ChatError,
    Ending,
    FoundServer,
    Message,
    Piece,
    Question,
    find_servers,
    open_chat,
)
from explorer.neural.events import data_of_events
from explorer.neural.models import passes_on, shown_name

ASKED = Question("toy", (Message("user", "What sat?"),))
PIECES = ("Die", " Kätz", "chen", " 𝛿", " 😀", " saß", ".")


def answer(host, asked=ASKED, cancel=None):
    """The pieces and the ending of an answer."""
    with open_chat(host.url) as server:
        *pieces, ending = server.answer(asked, cancel)
    return pieces, ending


def came(host, cancel=None, timeout=5.0):
    """What came before the error, and the error."""
    found = []
    with pytest.raises(ServerError) as error, open_chat(host.url, timeout=timeout) as server:
        for piece in server.answer(ASKED, cancel):
            found.append(piece)
    assert str(error.value).isprintable() and isinstance(error.value, ChatError)
    return "".join(piece.text for piece in found), error.value


@pytest.mark.parametrize("manner", ["", "drips"])
def test_an_answer_comes_in_its_pieces(manner):
    """Also where each byte comes on its own, within characters and line ends."""
    with ChatHost(PIECES, manner=manner) as host:
        assert answer(host) == ([Piece(text) for text in PIECES], Ending("stop", len(PIECES)))
        ((path, body),) = host.requests
    assert path == "/v1/chat/completions" and body["messages"] == [{"role": "user", "content": "What sat?"}]
    assert (body["model"], body["stream"], body["temperature"], body["max_tokens"]) == ("toy", True, 0.7, 512)


def test_pieces_come_while_the_server_still_writes():
    with ChatHost(PIECES, manner="waits", after=3) as host, open_chat(host.url) as server:
        pieces = server.answer(ASKED)
        first = [next(pieces) for _ in range(3)]
        assert not host.going.is_set() and [piece.text for piece in first] == list(PIECES[:3])
        host.going.set()
        assert "".join(piece.text for piece in pieces if isinstance(piece, Piece)) == "".join(PIECES[3:])


def test_an_answer_ends_with_its_most_tokens():
    with ChatHost(PIECES) as host:
        pieces, ending = answer(host, Question("toy", ASKED.messages, 0.0, 2))
    assert len(pieces) == 2 and ending == Ending("length", 2)


def test_what_the_server_does_not_count_is_unknown():
    with ChatHost(manner="does not count") as host:
        assert answer(host)[1] == Ending("stop", None)


def test_thoughts_are_no_part_of_the_answer():
    with ChatHost(("Yes",), manner="thinks") as host:
        assert answer(host)[0] == [Piece("Hm.", True), Piece("Yes")]


def test_a_server_without_events_answers_at_once():
    with ChatHost(PIECES, manner="at once") as host:
        assert answer(host) == ([Piece("".join(PIECES))], Ending("stop", 7))


@pytest.mark.parametrize("manner", ["no chat", "no template"])
def test_a_server_without_chat_continues_the_text(manner):
    with ChatHost(PIECES, manner=manner) as host:
        pieces, _ = answer(host)
        talk = (Message("system", "Be brief."), Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
        answer(host, Question("toy", talk))
        prompts = [body["prompt"] for path, body in host.requests if path == "/v1/completions"]
    assert "".join(piece.text for piece in pieces) == "".join(PIECES)
    assert prompts == ["What sat?", "System: Be brief.\n\nUser: a\n\nAssistant: b\n\nUser: c\n\nAssistant:"]


@pytest.mark.parametrize(
    ("manner", "reason", "words"),
    [
        ("error", "broke-off", "the model [31mcrashed"),
        ("not json", "not-json", "not JSON"),
        ("ends", "broke-off", "before it was complete"),
        ("goes", "gone", "broke"),
        ("floods", "bad-answer", "does not end"),
    ],
)
def test_what_came_before_an_error_stays(manner, reason, words):
    with ChatHost(PIECES, manner=manner, after=3) as host:
        text, error = came(host)
    assert text == "".join(PIECES[:3]) and error.reason == reason and words in str(error)


def test_a_server_that_stalls_is_given_up():
    with ChatHost(PIECES, manner="stalls", after=3) as host:
        text, error = came(host, timeout=0.3)
    assert text == "".join(PIECES[:3]) and error.reason == "no-answer"


@pytest.mark.parametrize(("manner", "reason"), [("refuses", "refused"), ("html", "not-json")])
def test_no_answer_at_all(manner, reason):
    with ChatHost(manner=manner) as host:
        text, error = came(host)
    assert (text, error.reason) == ("", reason)


def test_nobody_listens():
    with ChatHost() as host:
        url = host.url
    with pytest.raises(ChatError, match="No server answers") as error, open_chat(url) as server:
        next(server.answer(ASKED))
    assert error.value.reason == "no-server"


def test_an_answer_is_stopped_within_a_tenth_of_a_second():
    """Also where the server sends nothing; the server notices that nobody listens."""
    cancel, stopped, found = CancelToken(), [], []

    def stop():
        assert host.going.wait(20)
        stopped.append(time.perf_counter())
        cancel.cancel()

    stopping = threading.Thread(target=stop)
    with ChatHost(PIECES, manner="stalls", after=3) as host, open_chat(host.url) as server:
        with pytest.raises(Cancelled):
            for piece in server.answer(ASKED, cancel):
                found.append(piece.text)
                if len(found) == 3:
                    stopping.start()
        # The look at the token comes every 50 ms; the rest is for a machine that is busy.
        assert time.perf_counter() - stopped[0] < 1.0
        stopping.join()
    assert found == list(PIECES[:3])


def test_a_server_notices_that_nobody_reads_on():
    with ChatHost(["word "] * 100_000) as host, open_chat(host.url) as server:
        pieces = server.answer(Question("toy", ASKED.messages, 0.0, 32_768))
        next(pieces)
        pieces.close()
        assert host.gone.wait(20)


def test_an_address_elsewhere_is_asked_about_first():
    asked = []
    with pytest.raises(ServerError) as error:
        open_chat("http://model.example:8080", confirm=lambda host: bool(asked.append(host)))
    assert asked == ["model.example:8080"] and error.value.reason == "not-this-machine"


@pytest.mark.parametrize(("temperature", "most"), [(-0.1, 5), (2.1, 5), (float("nan"), 5), (1, 0), (1, 99_999)])
def test_questions_have_limits(temperature, most):
    with pytest.raises(ChatError, match="temperature from 0 to 2"):
        Question("toy", ASKED.messages, temperature, most)


def test_models_are_listed():
    with ChatHost() as host, open_chat(host.url) as server:
        assert server.models() == ("toy", "other:7b")
    with ChatHost(manner="no models") as host, open_chat(host.url) as server:
        assert server.models() == ()


def test_servers_are_found_at_given_ports_only():
    with ChatHost() as gone:
        pass
    with ChatHost() as host, ChatHost(manner="models not json") as other:
        found = find_servers((gone.port, other.port, host.port))
    assert found == (FoundServer(host.url, ("toy", "other:7b")),)
    assert [path for path, _ in host.requests] == ["/v1/models"]


def test_names_of_models():
    assert shown_name("C:\\models\\toy.gguf") == "toy.gguf" and shown_name("org/toy") == "org/toy"
    assert passes_on("gpt-oss:120b-cloud") and passes_on("glm:cloud") and not passes_on("toy")


@given(st.lists(st.text(), max_size=4), st.sampled_from(["\n", "\r", "\r\n"]), st.lists(st.integers(0, 200)))
def test_events_do_not_depend_on_how_they_arrive(texts, end, cuts):
    lines = [text.splitlines() or [""] for text in texts]
    whole = "".join("".join(f"data: {line}{end}" for line in event) + end for event in lines)
    data = b"\xef\xbb\xbf" + whole.encode("utf-8", "replace")
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    parts = [data[a:b] for a, b in pairwise(places)]
    assert list(data_of_events(parts)) == ["\n".join(event) for event in lines]

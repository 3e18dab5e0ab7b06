"""Questions to models without widgets: answers grow, their passages with them, and what came is never lost."""

from __future__ import annotations

import pytest
from by_hand import HandServices
from chat_server import ChatHost

from explorer.analyses.trace.conversation import Turn
from explorer.analyses.trace.pipeline import trace_text
from explorer.analyses.trace.settings import TraceSettings
from explorer.gui.screens.trace.ask.presenter import AskPresenter
from explorer.gui.screens.trace.ask.state import ADDRESS, ASK_AGAIN, SEND, Seat
from explorer.gui.screens.trace.documents.choice import Show
from explorer.gui.screens.trace.figures import Jump

PIECES = ("Perhaps", " the", " cat", " sat", " on", " the", " mat", ".")
TEXT = "".join(PIECES)
SETTINGS = TraceSettings(density=1, read="auto")


class Bench:
    def __init__(self, corpus) -> None:
        self.services, self.requests = HandServices(), []
        self.ask = AskPresenter(self.services, self.requests.append)
        self.ask.use_settings(SETTINGS)
        self.ask.use_corpus(corpus)

    @property
    def side(self):
        return self.ask.sides[0]

    @property
    def talk(self):
        return self.side.talk

    def put(self, question: str, *hosts: ChatHost) -> None:
        self.ask.set_two(len(hosts) == 2)
        for number, host in enumerate(hosts):
            self.ask.sides[number].sit(Seat(host.url))
        self.ask.typed(question)
        self.ask.ask()

    def heard(self, question: str, *hosts: ChatHost) -> None:
        self.put(question, *hosts)
        self.services.answer_all()
        self.services.let_time_pass()
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


def test_an_answer_is_traced_as_any_other_text(bench, small):
    with ChatHost(PIECES) as host:
        bench.heard("What sat?", host)
        (body,) = host.bodies
    assert body["messages"] == [{"role": "user", "content": "What sat?"}]
    (answer,) = bench.talk.state.answers.values()
    assert answer.trace == trace_text(small.index, TEXT, "What sat?", SETTINGS)
    assert answer.trace.documents and bench.talk.choice.state.trace is answer.trace
    assert bench.talk.turns == (Turn("user", "What sat?"), Turn("assistant", TEXT))
    assert bench.side.state.facts.startswith("8 tokens") and bench.side.state.model == "toy"
    assert bench.ask.reported == (answer,)


def test_a_key_goes_to_its_own_server_and_nowhere_else(bench):
    with ChatHost(PIECES) as host, ChatHost(PIECES) as other:
        host.key = "sk-123"
        bench.heard("What sat?", host)
        assert "401" in bench.side.state.notice and "sk-123" not in bench.side.state.notice
        assert bench.side.state.remedies == (ASK_AGAIN, ADDRESS)
        bench.ask.set_key(0, "sk-123")
        bench.ask.again(0)
        bench.services.answer_all()
        bench.ask.list_models(0)
        bench.services.answer_all()
        assert bench.talk.turns[-1] == Turn("assistant", TEXT) and len(bench.ask.finder.state.offered) == 2
        # The second model is of another server.
        bench.heard("And then?", other)
        assert other.keys and set(other.keys) == {None} and host.keys[-2:] == ["Bearer sk-123"] * 2
    assert "sk-123" not in str(bench.ask.session()) and "sk-123" not in repr(bench.ask.state)


def test_passages_come_while_the_answer_is_written(bench, small):
    seen = []

    def draw(new, old):
        if new.growing and new.traced.value is not old.traced.value:
            (answer,) = new.answers.values()
            seen.append((new, answer.trace, {figure.target for figure in new.figures(Show.ALL)}))

    bench.talk.conversation.watch(draw)
    live = bench.services.slots["growing talk"]
    bench.talk.put("Again?")
    for count in range(1, len(PIECES) + 1):
        bench.talk.grow("".join(PIECES[:count]))
        if live.busy:
            live.answer()
    _, traces, targets = zip(*seen, strict=True)
    assert [trace.text for trace in traces] == ["".join(PIECES[:count]) for count in range(1, len(PIECES) + 1)]
    whole = trace_text(small.index, TEXT, "Again?", SETTINGS)
    places = [(span.start, span.end, span.count) for span in traces[-1].spans]
    assert places == [(span.start, span.end, span.count) for span in whole.spans] and len(places) > 0
    # The number of documents is unknown before they are looked up.
    assert all(Jump.DOCUMENTS not in each and Show.HIGH not in each for each in targets)
    assert bench.talk.choice.state.growing and "complete" in bench.talk.choice.state.invitation[1]


def test_a_trace_that_takes_longer_than_a_token_is_followed_by_one_of_the_newest_text(bench):
    bench.talk.put("What sat?")
    live = bench.services.slots["growing talk"]
    for count in range(1, 6):
        bench.talk.grow("".join(PIECES[:count]))
    assert live.asked == 1
    live.answer()
    assert live.asked == 2
    live.answer()
    (answer,) = bench.talk.state.answers.values()
    assert answer.trace.text == "".join(PIECES[:5]) and not live.busy


def test_the_conversation_continues(bench):
    bench.ask.set_manner(system="Be brief.", temperature=0.0, most_tokens=3)
    with ChatHost(PIECES) as host:
        bench.heard("What sat?", host)
        bench.heard("Where?", host)
        body = host.bodies[-1]
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 3)
    assert len(bench.talk.state.answers) == 2 and bench.talk.state.current == 3
    assert "cut at the length limit" in bench.side.state.facts


@pytest.mark.parametrize("manner", ["error", "ends", "not json"])
def test_what_came_before_an_error_is_kept_and_traced(bench, manner):
    with ChatHost(PIECES, manner=manner, after=6) as host:
        bench.heard("What sat?", host)
        state = bench.side.state
        assert bench.talk.turns[-1] == Turn("assistant", "Perhaps the cat sat on the")
        assert len(bench.talk.state.answers) == 1 and bench.talk.state.answers[1].trace.documents
        assert state.notice and state.remedies == (ASK_AGAIN, ADDRESS) and "broke off" in state.facts
        host.manner = ""
        bench.ask.again(0)
        bench.services.answer_all()
        assert bench.talk.turns[-1] == Turn("assistant", TEXT) and bench.side.state.notice == ""
        assert host.bodies[-1]["messages"] == [{"role": "user", "content": "What sat?"}]


def test_a_question_without_an_answer_can_be_replaced(bench):
    with ChatHost() as gone:
        pass
    bench.heard("What sat?", gone)
    assert "No server answers" in bench.side.state.notice and bench.talk.turns == (Turn("user", "What sat?"),)
    with ChatHost(PIECES) as host:
        bench.heard("Who sat?", host)
        assert host.bodies[0]["messages"] == [{"role": "user", "content": "Who sat?"}]
    assert [turn.name for turn in bench.talk.state.shown.turns] == ["User", "Answer 1"]


def test_nothing_leaves_the_machine_without_consent(bench):
    seat = Seat("http://model.invalid:9")
    bench.ask.sides[0].sit(seat)
    bench.ask.typed("What sat?")
    bench.ask.ask()
    bench.services.answer_all()
    state = bench.side.state
    assert state.consent == "model.invalid:9" and state.remedies == (SEND, ADDRESS) and state.kind == "warn"
    assert "Nothing was sent" in state.notice and not seat.stays_here
    bench.ask.allow(0)
    assert bench.ask.state.allowed == {"model.invalid:9"} and bench.side.state.answering
    bench.ask.stop()


def test_a_model_that_its_server_passes_on_is_asked_about(bench):
    with ChatHost(PIECES) as host:
        seat = Seat(host.url, "large:120b-cloud")
        bench.ask.sides[0].sit(seat)
        bench.ask.typed("What sat?")
        bench.ask.ask()
        bench.services.answer_all()
        assert not host.bodies and bench.side.state.consent == "large:120b-cloud" and not seat.stays_here
        bench.ask.allow(0)
        bench.services.answer_all()
        assert host.bodies[0]["model"] == "large:120b-cloud"
    assert Seat(host.url).stays_here


def test_two_models_answer_the_same_question(bench):
    with ChatHost(PIECES) as one, ChatHost(("the", " dog"), manner="no chat") as other:
        bench.heard("What sat?", one, other)
        assert one.bodies[0]["messages"][0]["content"] == other.bodies[-1]["prompt"] == "What sat?"
    assert [side.talk.turns[-1].content for side in bench.ask.sides] == [TEXT, "the dog"]
    assert len(bench.ask.reported) == 2
    bench.ask.activate(1)
    bench.ask.set_two(False)
    assert bench.ask.state.active == 0 and len(bench.ask.reported) == 1


def test_a_session_keeps_what_was_said_and_asks_nobody(bench, small):
    bench.ask.set_manner(temperature=0.5, most_tokens=99, system="Be brief.")
    with ChatHost(PIECES) as host:
        bench.heard("What sat?", host)
        asked = len(host.requests)
        kept = bench.ask.session()
        other = Bench(small)
        other.ask.restore(kept)
        other.services.answer_all()
        assert len(host.requests) == asked
    assert other.talk.turns == bench.talk.turns and other.ask.state.manner == bench.ask.state.manner
    assert other.talk.state.answers[1].trace == bench.talk.state.answers[1].trace
    assert other.side.state.seat == Seat(host.url) and other.ask.session() == kept


@pytest.mark.parametrize("kept", [None, [], {}, {"sides": 3}, {"sides": [{"url": 5, "turns": [["user"], 7]}]}])
def test_a_damaged_session_is_left_out(bench, kept):
    before = bench.ask.session()
    bench.ask.restore({"ask": kept})
    assert bench.ask.session() == before


def test_models_are_looked_for_only_when_asked(bench):
    assert not bench.services.slots["models"].busy and bench.ask.finder.state.text == ""
    with ChatHost() as host:
        bench.ask.sides[0].sit(Seat(host.url))
        bench.ask.list_models(0)
        bench.services.answer_all()
    assert bench.ask.finder.state.offered == (Seat(host.url, "toy"), Seat(host.url, "other:7b"))
    bench.ask.sides[0].sit(Seat("model.invalid"))
    bench.ask.list_models(0)
    bench.services.answer_all()
    assert "Nothing was sent" in bench.ask.finder.state.text

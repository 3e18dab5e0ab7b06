"""The tab that asks models, driven as a person would, against servers that write slowly, break off or are elsewhere."""

from __future__ import annotations

import pytest
from chat_server import ChatHost
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.gui.screens.trace.ask.state import Seat
from explorer.gui.screens.trace.state import View
from explorer.recipes import Source

PIECES = ("Perhaps", " the", " cat", " sat", " on", " the", " mat", ".")


@pytest.fixture
def front():
    return "trace"


@pytest.fixture
def trace(opened, qtbot):
    opened.show_screen("trace")
    opened.trace.presenter.set_up(density=1)
    opened.trace.tabs.setCurrentIndex(View.ASK)
    assert opened.trace.pages.ask.isVisible()
    return opened.trace


def ask(trace, question, *hosts):
    """Type a question, and press Enter."""
    view = trace.pages.ask
    for side, host in zip(trace.presenter.ask.sides, hosts, strict=False):
        side.sit(Seat(host.url))
    trace.focus_input()
    QTest.keyClicks(view.box.edit, question)
    QTest.keyClick(view.box.edit, Qt.Key.Key_Return)


def settled(trace):
    return not trace.presenter.ask.answering and not trace.busy


def marked(talk):
    """The texts that are marked as they are shown."""
    return [text for text, _ in talk.text.marks.parts()]


def test_passages_are_marked_while_the_server_still_writes(trace, qtbot):
    view = trace.pages.ask
    assert view.talks[0].empty.isVisible() and not view.figures.buttons
    with ChatHost(PIECES, manner="waits", after=5) as host:
        ask(trace, "What sat?", host)
        talk = view.talks[0]
        qtbot.waitUntil(lambda: "the cat sat on" in "".join(marked(talk)))
        assert not host.going.is_set() and view.box.stop.isVisible() and not view.box.ask.isVisible()
        # Documents are looked up at the end: their number is unknown until then.
        assert "document" not in "".join(b.word for b in view.figures.buttons.values() if b.isVisible())
        assert "passage so far" in [button.word for button in view.figures.buttons.values()]
        assert not trace.head.report.isEnabled() and trace.recipe(Source(("index",))) is None
        host.going.set()
        qtbot.waitUntil(lambda: settled(trace))
    assert talk.text.written.endswith("".join(PIECES)) and "the cat sat on the mat" in "".join(marked(talk))
    assert talk.facts.text().startswith("8 tokens") and talk.name.text() == "toy"
    assert view.talks[0].evidence.tabs.count() == 3 and talk.evidence.documents.cards.model().rowCount()
    words = [button.word for button in view.figures.buttons.values() if button.isVisible()]
    assert "passage" in words and words.index("passage") == 0 and "document" in " ".join(words)
    assert trace.head.report.isEnabled()
    recipe = trace.recipe(Source(("index",)))
    assert recipe is not None and "Perhaps the cat" in recipe.python


def test_escape_stops_and_what_came_stays(trace, qtbot):
    with ChatHost(PIECES, manner="stalls", after=4) as host:
        ask(trace, "What sat?", host)
        qtbot.waitUntil(lambda: "cat sat" in trace.pages.ask.talks[0].text.written)
        QTest.keyClick(trace.pages.ask.box.edit, Qt.Key.Key_Escape)
        assert not trace.presenter.ask.answering
        qtbot.waitUntil(lambda: settled(trace))
    talk = trace.pages.ask.talks[0]
    assert talk.text.written.endswith("Perhaps the cat sat") and "stopped" in talk.facts.text()
    assert talk.evidence.documents.cards.model().rowCount() and not talk.notice.isVisible()


def test_an_answer_that_breaks_off_is_asked_again_by_its_button(trace, qtbot):
    with ChatHost(PIECES, manner="error", after=4) as host:
        ask(trace, "What sat?", host)
        qtbot.waitUntil(lambda: settled(trace))
        talk = trace.pages.ask.talks[0]
        assert talk.notice.isVisible() and talk.text.written.endswith("Perhaps the cat sat")
        host.manner = ""
        QTest.mouseClick(talk.notice.buttons()[0], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: settled(trace))
    assert talk.text.written.endswith("".join(PIECES)) and not talk.notice.isVisible()


def test_another_machine_is_asked_about_and_never_called_this_one(trace, qtbot):
    view = trace.pages.ask
    assert view.badges[0].stays and "Nothing leaves it" in view.badges[0].words
    trace.presenter.ask.sides[0].sit(Seat("http://model.invalid:9"))
    assert not view.badges[0].stays and "another machine" in view.badges[0].words
    view.box.edit.setPlainText("What sat?")
    QTest.mouseClick(view.box.ask, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(trace))
    talk = view.talks[0]
    assert "Nothing was sent" in talk.notice.text()
    assert [button.text() for button in talk.notice.buttons()] == ["Send to model.invalid:9", "Change the model"]
    QTest.mouseClick(talk.notice.buttons()[1], Qt.MouseButton.LeftButton)
    assert view.pickers[0].popover.isVisible()
    view.pickers[0].popover.close()


def test_two_models_are_side_by_side(trace, qtbot):
    view = trace.pages.ask
    assert len(view.talks) == 1
    QTest.mouseClick(view.box.two, Qt.MouseButton.LeftButton)
    assert len(view.talks) == 2 and view.talks[1].isVisible()
    with ChatHost(PIECES) as one, ChatHost(("a", " dog", " saw", " the", " cat")) as other:
        ask(trace, "What sat?", one, other)
        qtbot.waitUntil(lambda: settled(trace))
        assert one.bodies[0]["messages"] == other.bodies[0]["messages"]
    assert [talk.text.written.rpartition("\n")[2] for talk in view.talks] == ["".join(PIECES), "a dog saw the cat"]
    assert view.evidence.currentWidget() is view.talks[0].evidence
    view.talks[1].text.setFocus()
    qtbot.waitUntil(lambda: view.evidence.currentWidget() is view.talks[1].evidence)
    QTest.mouseClick(view.box.two, Qt.MouseButton.LeftButton)
    assert not view.talks[1].isVisible() and view.evidence.currentWidget() is view.talks[0].evidence


def check_what_is_no_address_is_not_taken(trace, qtbot, typed):
    view = trace.pages.ask
    side, before = trace.presenter.ask.sides[0], trace.presenter.ask.sides[0].state.seat
    view.pickers[0].button.click()
    popover = view.pickers[0].popover
    popover.url.setText(typed)
    popover.url.textEdited.emit(typed)
    assert not popover.found.isVisible() and side.state.seat == before
    for press in (
        popover.close_button.click,
        popover.list.click,
        lambda: qtbot.keyClick(popover.url, Qt.Key.Key_Return),
    ):
        press()
        assert popover.isVisible() and popover.url.text() == typed
        assert popover.found.text().startswith(f'"{typed}" is not the address of a server')
        assert side.state.seat == before
    popover.close()
    assert "Ada" not in view.pickers[0].button.text()
    view.pickers[0].button.click()
    assert popover.url.text() == before.url and "not the address" not in popover.found.text()
    popover.close()


def test_what_is_no_address_is_not_taken(trace, qtbot):
    for typed in ["was Ada Lovelace?", "ftp://localhost", "localhost:99999", "über.de"]:
        check_what_is_no_address_is_not_taken(trace, qtbot, typed)


def test_models_are_listed_and_chosen(trace, qtbot):
    view = trace.pages.ask
    with ChatHost(PIECES) as host:
        host.key = "sk-123"
        view.pickers[0].button.click()
        popover = view.pickers[0].popover
        popover.url.clear()
        QTest.keyClicks(popover.url, host.url)
        QTest.keyClicks(popover.key, "sk-123")
        assert host.requests == [] and "sk" not in popover.key.displayText()
        QTest.mouseClick(popover.list, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: popover.model.count() == 3)
        popover.model.setCurrentIndex(2)
        popover.model.activated.emit(2)
        popover.close()
        assert "other:7b" in view.pickers[0].button.text()
        ask(trace, "What sat?")
        qtbot.waitUntil(lambda: settled(trace))
        assert host.bodies[0]["model"] == "other:7b"


def test_settings_of_a_question(trace, qtbot):
    view = trace.pages.ask
    view.box.manner.click()
    popover = view.box.popover
    popover.temperature.setValue(0.2)
    popover.length.setValue(3)
    popover.system.setPlainText("Be brief.")
    popover.close()
    assert "0.2" in view.box.manner.text() and "Be brief." in view.box.manner.toolTip()
    with ChatHost(PIECES) as host:
        ask(trace, "What sat?", host)
        qtbot.waitUntil(lambda: settled(trace))
        (body,) = host.bodies
    assert (body["temperature"], body["max_tokens"], body["messages"][0]["content"]) == (0.2, 3, "Be brief.")
    assert "length limit" in view.talks[0].facts.text()


def test_markdown_is_read_when_the_answer_is_complete(trace, qtbot):
    with ChatHost(("So ", "**the cat", " sat**", " on", " the", " mat"), manner="waits", after=5) as host:
        ask(trace, "What sat?", host)
        talk = trace.pages.ask.talks[0]
        qtbot.waitUntil(lambda: talk.text.written.endswith("**the cat sat** on the") and marked(talk) != [])
        assert all("*" not in text for text in marked(talk))
        host.going.set()
        qtbot.waitUntil(lambda: settled(trace))
    assert talk.text.written.endswith("So the cat sat on the mat")
    assert "the cat sat on the mat" in " ".join(marked(talk))


def test_a_session_is_restored_without_asking(trace, qtbot):
    with ChatHost(PIECES) as host:
        ask(trace, "What sat?", host)
        qtbot.waitUntil(lambda: settled(trace))
        kept, count = trace.session(), len(host.requests)
        trace.presenter.clear()
        assert trace.pages.ask.talks[0].empty.isVisible()
        trace.restore_session(kept)
        qtbot.waitUntil(lambda: settled(trace) and marked(trace.pages.ask.talks[0]) != [])
        assert len(host.requests) == count
    assert trace.pages.ask.talks[0].text.written.endswith("".join(PIECES))

"""The window on a backend that lacks something, fails, is late, or was closed: it explains itself and goes on."""

from __future__ import annotations

import pytest
from failing_backend import CLOSED, FAILED, WHY_NOT, FailingBackend
from opened_with import open_with
from searching import lines
from views import TEXT, busy

from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.search.state import View
from explorer.gui.widgets.notices.dimmed import is_dimmed

EVERY = ("next_tokens", "text_patterns", "sorting", "metadata", "documents", "sizes", "subtraction")


@pytest.fixture
def open_backend(window, qtbot, small_index):
    """open_backend(*lacks): open the small index so that it lacks these; returns its backend."""

    def make(*lacks):
        made = []
        with pytest.MonkeyPatch.context() as patch:
            open_with(patch, lambda index: made.append(FailingBackend(index, lacks)) or made[0])
            before = window.corpus
            window.open(OpenRequest((str(small_index),)))
            qtbot.waitUntil(lambda: window.corpus is not None and window.corpus is not before)
        return made[0]

    return make


def settled(window, qtbot):
    qtbot.waitUntil(lambda: not busy(window))


class Tab:
    """A tab, asked as a button is."""

    def __init__(self, tabs, number):
        self.tabs, self.number = tabs, number

    def isEnabled(self):
        return self.tabs.isTabEnabled(self.number)

    def toolTip(self):
        return self.tabs.tabToolTip(self.number)


def parts(window):
    """Everything that needs a capability, by its name."""
    search = window.search
    sort = search.tools.sort_form
    return {
        "next_tokens": [window.next_token.bar.words],
        "text_patterns": [search.bar.choice.matches["text"], search.bar.choice.matches["regex"]],
        "sorting": [sort.orders["left"], sort.merged],
        "metadata": [Tab(search.tabs, View.BREAKDOWN)],
        "sizes": [Tab(search.tabs, View.DISPERSION)],
        "subtraction": [window.trace.text.own.leave_out, *window.agreement.sampling.form.widgets("without_self")],
    }


def check_what_is_missing_is_gray_and_says_why(window, qtbot, open_backend, capability):
    open_backend(capability)
    for name, widgets in parts(window).items():
        for widget in widgets:
            assert widget.isEnabled() == (name != capability), (name, widget)
            assert (widget.toolTip() == WHY_NOT) == (name == capability), (name, widget)
    # With an index that can do everything, all of it comes back as it was.
    open_backend()
    assert all(widget.isEnabled() and widget.toolTip() != WHY_NOT for some in parts(window).values() for widget in some)
    assert (
        window.search.presenter.state.lines.sort.preset == "right"
        and window.search.presenter.state.query.match == "text"
    )


def test_what_is_missing_is_gray_and_says_why(window, qtbot, open_backend):
    for capability in sorted(set(EVERY) - {"documents"}):
        check_what_is_missing_is_gray_and_says_why(window, qtbot, open_backend, capability)


def test_an_index_without_any_capability_opens_and_explains_itself(window, qtbot, open_backend):
    open_backend(*EVERY)
    search = window.search
    search.search_for("the")
    settled(window, qtbot)
    assert search.presenter.state.query.match == "tokens" and search.presenter.state.query.options().match == "tokens"
    assert search.count.text() and search.notice.text() == WHY_NOT, "lines need the text of documents"
    window.show_screen("next_token")
    window.next_token.bar.prompt.setPlainText("the cat")
    settled(window, qtbot)
    answer = window.next_token.presenter.state.answer.current
    assert answer.rows and not answer.request.question.words, "a sample of tokens needs no capability"
    assert window.next_token.bar.words.toolTip() == window.next_token.presenter.tree.state.about == WHY_NOT
    window.trace.presenter.trace_text(TEXT)
    window.agreement.analyze_text(TEXT)
    settled(window, qtbot)
    assert window.trace.text.notice.text() == WHY_NOT
    # Agreement asks for counts only.
    assert WHY_NOT not in window.agreement.notice.text() and not window.agreement.halves.text.isHidden(), (
        "agreement asks for counts only"
    )


def perplexity_of(window):
    return window.model.page("perplexity")


SCREENS = {
    "search": (
        lambda window, text: window.search.search_for(text),
        lambda window: (window.search.notice, window.search.table),
        "find_text",
    ),
    "trace": (
        lambda window, text: window.trace.presenter.trace_text(f"{TEXT} {text}"),
        lambda window: (window.trace.text.notice, window.trace.text.figures),
        "windows",
    ),
    "next_token": (
        lambda window, text: window.next_token.bar.prompt.setPlainText(text),
        lambda window: (window.next_token.notice, window.next_token.next.table),
        "next_tokens",
    ),
    "agreement": (
        lambda window, text: window.agreement.analyze_text(f"{TEXT} {text}"),
        lambda window: (window.agreement.notice, window.agreement.halves.text),
        "followed",
    ),
    "model": (
        lambda window, text: perplexity_of(window).score_text(f"{TEXT} {text}"),
        lambda window: (perplexity_of(window).notice, perplexity_of(window).text),
        "followers",
    ),
    "model drafts": (
        lambda window, text: window.model.turn_to("drafts").restore_session({"text": f"{TEXT} {text}"}),
        lambda window: (window.model.page("drafts").notice, window.model.page("drafts").answers),
        "greedy",
    ),
}


def check_after_a_failure_the_last_answer_stays_and_is_marked_as_old(window, qtbot, open_backend, name):
    backend = open_backend()
    ask, look, question = SCREENS[name]
    window.show_screen(name.split()[0])
    ask(window, "the")
    settled(window, qtbot)
    notice, answer = look(window)
    assert notice.text() not in (FAILED, CLOSED) and answer.isVisible() and not is_dimmed(answer)
    backend.fail(question)
    ask(window, "the cat")
    settled(window, qtbot)
    assert notice.text() == FAILED and answer.isVisible() and is_dimmed(answer)
    backend.mend()
    ask(window, "the dog")
    settled(window, qtbot)
    assert notice.text() not in (FAILED, CLOSED) and answer.isVisible() and not is_dimmed(answer)
    backend.close()
    ask(window, "the mat")
    settled(window, qtbot)
    assert notice.text() == CLOSED and is_dimmed(answer)


def test_after_a_failure_the_last_answer_stays_and_is_marked_as_old(window, qtbot, open_backend):
    for name in SCREENS:
        check_after_a_failure_the_last_answer_stays_and_is_marked_as_old(window, qtbot, open_backend, name)


def test_the_index_screen_says_that_the_storage_failed(window, qtbot, open_backend):
    backend = open_backend()
    window.show_screen("index")
    backend.fail("check_storage")
    window.indexes.watch.look()
    qtbot.waitUntil(lambda: window.index.notice.text() == FAILED)
    assert window.index.pages.about.title.text() == "Small"


def test_a_late_answer_to_an_earlier_question_is_dropped(window, qtbot, open_backend):
    backend = open_backend()
    search = window.search
    search.search_for("warm up")
    settled(window, qtbot)
    held = backend.hold("find_text")
    search.search_for("cat")
    qtbot.waitUntil(held.asked.is_set)
    search.search_for("dog")
    held.answer.set()
    settled(window, qtbot)
    matches = {line.match for line in lines(search).lines(0, 10**6)}
    assert matches == {"dog"} and search.query.text() == "dog" and search.notice.text() == ""


def test_an_answer_after_another_index_was_opened_is_dropped(window, qtbot, open_backend):
    first = open_backend()
    search = window.search
    search.search_for("warm up")
    settled(window, qtbot)
    held = first.hold("find_text")
    search.search_for("cat")
    qtbot.waitUntil(held.asked.is_set)
    second = open_backend()
    first.close()
    held.answer.set()
    settled(window, qtbot)
    assert search.presenter.state.lines.answer.value.request.corpus is window.corpus and window.corpus.index is second
    assert search.notice.text() == "" and search.pages.currentWidget() is search.pages.lines

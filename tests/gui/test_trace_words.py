"""Trace in words in the window: the word index on demand, units, and documents as they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from by_hand import HandServices
from PySide6.QtWidgets import QWidget
from task_window import open_behind

from explorer import build_index, open_index
from explorer.backends.documents.reading import text_of
from explorer.errors import CapabilityError
from explorer.gui.screens.trace import words_desk
from explorer.gui.screens.trace.presenter import WORDS_SLOT, TracePresenter
from explorer.gui.screens.trace.settings_sheet import SettingsSheet
from explorer.gui.screens.trace.state import OLMOTRACE
from explorer.gui.settings.schema import BY_KEY

pytestmark = pytest.mark.local("words are cut in folders on this machine")

MATCH = BY_KEY["trace_match"].default
"""What the window looks up."""
TEXT = "THE cat\nsat “on the mat”; it’s gone"
SOURCE = "So the cat sat on the mat. It's gone."


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    # A cache of its own: here, nobody has made the words before.
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index([{"text": SOURCE}, {"text": "a dog"}], tmp_path / "index", tokenizer="bytes")
    return open_index(tmp_path / "index")


@pytest.fixture
def large(monkeypatch):
    """Any index is too large for its words to be listed without a question."""
    monkeypatch.setattr(words_desk, "QUICK_TOKENS", 0)


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.requests = HandServices(), []
        self.presenter = TracePresenter(self.services, self.requests.append)
        self.presenter.use_corpus(corpus)
        self.presenter.set_up(density=1, match="words")

    @property
    def state(self):
        return self.presenter.state

    def ask(self, text=TEXT):
        self.presenter.typed(text)
        self.settle()

    def settle(self):
        self.services.let_time_pass()
        self.services.answer_all()
        self.services.let_time_pass()
        self.services.answer_all()

    def make(self):
        self.settle()
        self.presenter.words.make()
        self.settle()


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


def test_words_of_a_small_index_take_the_place_of_tokens(corpus):
    bench = Bench(corpus)
    bench.presenter.typed(TEXT)
    # What traces the text is done first, and what lists the words afterwards.
    bench.services.let_time_pass()
    bench.services.slots["trace"].answer()
    tokens = bench.state.trace
    assert (tokens.unit, bench.state.effective.match, bench.state.settings.match) == ("tokens", "tokens", "words")
    assert bench.state.offered_words == ("", "")
    bench.services.slots[WORDS_SLOT].answer()
    # The answer in tokens stays until the other one is there.
    assert bench.state.trace is tokens
    bench.settle()
    assert bench.state.trace.unit == "words"
    assert bench.state.text == TEXT


def test_an_index_without_words_is_traced_in_tokens_with_the_reason(corpus, monkeypatch):
    def refuse(*_):
        raise CapabilityError("Words are counted in indexes on this machine only.", capability="words")

    monkeypatch.setattr(words_desk, "has_words", refuse)
    bench = Bench(corpus)
    bench.ask()
    assert bench.state.trace.unit == "tokens"
    assert bench.state.notice == ""
    assert bench.state.offered_words == ("", "")
    assert "on this machine only" in bench.state.words.missing


def test_words_of_a_large_index_are_made_only_when_a_person_wants_them(large, corpus):
    bench = Bench(corpus)
    bench.ask()
    assert bench.state.trace.unit == "tokens"
    title, told = bench.state.offered_words
    assert title == "The words of this index are not listed yet" and "kB there" in told and "in tokens" in told
    bench.presenter.words.make()
    assert bench.services.slots[WORDS_SLOT].job.title == "Word index"
    assert bench.state.offered_words == ("", "")
    bench.settle()
    assert bench.state.words.backend is not None and bench.state.offered_words == ("", "")
    (span,) = bench.state.trace.spans
    assert (bench.state.trace.unit, TEXT[span.start : span.end]) == ("words", TEXT)
    assert "1 passage in 8 words" in bench.state.summary and "token" not in bench.state.summary


def test_words_that_were_made_before_are_opened_at_once(bench, corpus):
    bench.make()
    again = Bench(corpus)
    again.ask()
    assert again.state.trace.unit == "words"
    again.presenter.use_corpus(None)
    assert again.state.words.backend is None and again.state.trace is None


def test_making_can_be_stopped_and_tokens_need_none(large, corpus):
    bench = Bench(corpus)
    bench.ask()
    bench.presenter.words.make()
    bench.presenter.words.stop()
    bench.settle()
    assert bench.state.words.backend is None and bench.state.offered_words[0]
    bench.presenter.set_up(match="tokens")
    bench.settle()
    assert bench.state.offered_words == ("", "") and bench.state.trace.unit == "tokens"
    bench.presenter.set_up(match="words")
    bench.settle()
    assert bench.state.offered_words[0] and bench.state.trace.unit == "tokens"


def test_stopping_what_began_by_itself_leaves_the_offer(corpus):
    bench = Bench(corpus)
    assert bench.state.words.awaited
    bench.presenter.words.stop()
    bench.ask()
    assert bench.state.trace.unit == "tokens"
    assert bench.state.offered_words[0]


def test_a_document_is_shown_as_it_is_written(bench, corpus):
    bench.make()
    bench.ask()
    choice = bench.presenter.choice
    (card,) = choice.state.cards
    choice.open(0)
    request = bench.requests[-1]
    read = text_of(corpus.index, request.number, request.offset, request.offset + request.length).text
    assert read == "the cat sat on the mat. It's gone"
    assert [pattern.text for pattern in request.needle.patterns] == [read]
    choice.choose_passage(0)
    assert "8 words" in choice.state.heading or choice.state.heading == "Passage 1 of 1"
    bench.presenter.side.compare(0)
    bench.settle()
    side = bench.presenter.side.state
    assert side.answer.value.right == SOURCE and "token" not in side.left_facts
    # In any case, and by the rule of the word list: it's is one word.
    assert side.answer.value.comparison.longest == 8
    assert card.document.share == 1.0


def test_a_selection_is_looked_up_in_words(bench):
    bench.make()
    bench.ask()
    bench.presenter.choice.select("the mat”; it’s")
    bench.settle()
    found = bench.presenter.choice.state.selection.value
    assert found.count == 1
    assert [pattern.text for pattern in found.needle.patterns] == ["the mat. It's"]
    bench.presenter.choice.select("”;")
    bench.settle()
    assert "no words" in str(bench.presenter.choice.state.selection.error)


def test_documents_with_the_text_are_left_out(bench, tmp_path):
    whole = " ".join(f"w{number}" for number in range(40))
    build_index([{"text": whole}, {"text": "W1, w2"}], tmp_path / "own", tokenizer="bytes")
    bench.presenter.use_corpus(open_index(tmp_path / "own"))
    bench.make()
    bench.ask(whole.upper().replace(" ", "\n"))
    assert bench.state.offers_leaving_out
    bench.presenter.leave_out(True)
    bench.settle()
    assert bench.state.answer.value.request.without_self
    assert bench.state.trace.longest_passage.length == 2
    assert bench.state.own.less.documents == (0,)
    bench.presenter.set_up(match="tokens")
    bench.settle()
    assert bench.state.own.less is None and bench.state.trace.unit == "tokens"


def test_conversations_and_files_are_traced_in_words_as_soon_as_they_are_there(large, corpus, tmp_path):
    bench = Bench(corpus)
    bench.presenter.conversation.take_text("User: what?\n\nAssistant: THE cat\nsat")
    bench.settle()
    (answer,) = bench.presenter.conversation.state.answers.values()
    assert answer.trace.unit == "tokens"
    path = tmp_path / "answers.jsonl"
    path.write_text('{"text": "THE cat\\nsat"}\n', "utf-8")
    bench.presenter.batch.open(path)
    bench.settle()
    assert bench.presenter.batch.state.why_not_run == ""
    assert bench.presenter.batch.state.settings.match == "tokens"
    bench.make()
    (answer,) = bench.presenter.conversation.state.answers.values()
    assert (answer.trace.unit, answer.trace.longest_passage.length) == ("words", 3)
    bench.presenter.batch.run()
    bench.settle()
    state = bench.presenter.batch.state
    assert [(row.unit, row.tokens, row.longest_match) for row in state.rows.value] == [("words", 3, 3)]
    assert "of the words in matches" in state.summary


def test_the_session_keeps_what_is_looked_up(bench, corpus):
    bench.make()
    kept = bench.presenter.session()
    again = Bench(corpus)
    again.presenter.set_up(match="tokens")
    again.presenter.restore({**kept, "text": TEXT, "prompt": ""})
    again.settle()
    assert again.state.trace.unit == "words"
    again.presenter.restore({**kept, "match": "letters"})
    assert again.state.settings.match == "words"
    again.presenter.set_up(**OLMOTRACE)
    assert again.state.settings.match == "tokens"


def test_the_sheet_grays_out_what_words_have_no_use_for(qtbot, corpus):
    page = QWidget()
    qtbot.addWidget(page)
    bench = Bench(corpus)
    sheet = SettingsSheet(bench.presenter, page)
    bench.presenter.set_up(match="words")
    sheet.draw(bench.state, None)
    match, delimiters = (sheet.form.widgets(name)[0] for name in ("match", "delimiters"))
    parts = [part for name in ("word_boundaries", "delimiters", "abbreviations") for part in sheet.form.widgets(name)]
    assert match.current == 1 and bench.state.settings.match == "words"
    assert not any(part.isEnabled() for part in parts)
    assert "Words are whole" in delimiters.toolTip()
    match.button(0).click()
    assert bench.state.settings.match == "tokens"
    sheet.draw(bench.state, None)
    assert delimiters.isEnabled() and "Words are whole" not in delimiters.toolTip()


@pytest.fixture
def in_words(monkeypatch, settings):
    """The default of the window, which `settings` changes."""
    monkeypatch.setitem(BY_KEY, "trace_match", replace(BY_KEY["trace_match"], default=MATCH))


def test_the_window_begins_in_words_and_keeps_text_and_focus(in_words, window, corpus, qtbot):
    assert MATCH == "words"
    (folder,) = corpus.index.sources
    open_behind(window, qtbot, folder, "trace")
    window.show_screen("trace")
    screen = window.trace
    screen.presenter.trace_text(TEXT)
    screen.text.editor.setFocus()
    qtbot.waitUntil(lambda: screen.presenter.state.trace is not None and screen.presenter.state.trace.unit == "words")
    assert screen.presenter.state.trace.novelty.longest_match == 8
    assert screen.text.editor.text() == TEXT
    bar = screen.text.texts.read_bar
    assert bar.match.current == 0
    bar.match.button(1).click()
    qtbot.waitUntil(lambda: screen.presenter.state.trace.unit == "tokens" and not screen.busy)
    assert bar.match.current == 1

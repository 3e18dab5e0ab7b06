"""The Next token screen without its widgets: answers that are late, stale, or errors."""

from __future__ import annotations

import json
import shutil

import pytest
from by_hand import HandServices

from explorer import build_index, open_index
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.tree_state import Side, Spot


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.searched: list[str] = []
        self.appended: list[str] = []
        self.presenter = NextTokenPresenter(self.services, self.searched.append, self.appended.append)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    @property
    def asker(self):
        return self.services.slots["next"]

    def type(self, prompt: str) -> None:
        self.presenter.typed(prompt)
        self.services.let_time_pass()

    def ask(self, prompt: str) -> None:
        self.type(prompt)
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


def test_nothing_is_asked_while_the_person_types(bench):
    for end in range(1, 8):
        bench.presenter.typed("the cat"[:end])
    assert not bench.asker.busy
    bench.services.let_time_pass()
    assert bench.asker.asked == 1 and bench.state.answer.awaited


def test_the_answer_is_the_library_s(bench, small):
    bench.ask("the cat")
    bench.presenter.set(words=False)
    bench.services.answer_all()
    expected = small.infgram_next_tokens(small.encode("the cat"))
    answer = bench.state.answer.current
    assert [row.count for row in answer.rows] == expected.counts.tolist()
    assert [row.token for row in answer.rows] == expected.tokens.tolist()
    assert (answer.context_count, answer.context_length) == (expected.context_count, expected.context_length)
    assert bench.state.has_page and bench.state.subtitle.endswith(" · exact · 6 more after a space")


def test_words_that_were_not_all_read_say_so(bench, monkeypatch):
    monkeypatch.setattr("explorer.gui.screens.next_token.work.MOST_STEPS", 1)
    bench.ask("the")
    answer = bench.state.answer.current
    assert not answer.exact and answer.read < answer.total
    assert "lower bounds" in bench.state.subtitle


def test_an_answer_to_an_earlier_prompt_never_shows(bench):
    bench.type("the cat")
    bench.type("the dog")
    bench.asker.answer()
    assert bench.state.answer.current.request.prompt == "the dog" and not bench.asker.busy


def test_a_failure_keeps_the_last_answer_dimmed(bench):
    bench.ask("the cat")
    good = bench.state.answer.value
    bench.type("the dog")
    assert bench.state.answer.dimmed and bench.state.notice == ""
    bench.asker.fail(QueryError("The drive is gone."))
    assert bench.state.answer.value is good and bench.state.answer.dimmed
    assert bench.state.notice == "The drive is gone."
    bench.ask("the cat")
    assert not bench.state.answer.dimmed and bench.state.notice == ""


def test_an_emptied_prompt_empties_the_screen(bench):
    bench.ask("the cat")
    bench.type("")
    assert not bench.state.has_page and bench.state.answer.value is None
    assert bench.state.invitation[0] == "What comes next?"


def test_an_answer_that_is_on_its_way_when_the_prompt_is_emptied_is_dropped(bench):
    bench.type("the cat")
    bench.type("")
    assert not bench.asker.busy and bench.state.answer.freshness is Freshness.UNASKED


def test_an_unseen_context_is_explained(bench):
    bench.presenter.set(n=9)
    bench.ask("mat rug cat dog mat rug cat dog")
    assert not bench.state.has_page and bench.state.invitation[0] == "Not found in this corpus"


def test_a_ladder_of_an_earlier_prompt_never_shows(bench):
    bench.type("the cat")
    climber = bench.services.slots["ladder"]
    assert climber.busy
    bench.type("the dog")
    climber.answer()
    assert not climber.busy and bench.state.ladder.current.rows[0].text.endswith("dog")


def test_the_ladder_is_asked_once_per_prompt(bench):
    bench.ask("the dog sat")
    climber = bench.services.slots["ladder"]
    bench.presenter.choose_rung(1)
    bench.services.answer_all()
    assert climber.asked == 1 and bench.state.chosen_rung == 1
    assert bench.state.answer.current.context_length == bench.state.ladder.value.rows[1].rung.n - 1
    bench.presenter.set(n=None)
    bench.services.answer_all()
    assert bench.state.chosen_rung == 0


def test_a_row_that_cannot_be_appended_is_refused_with_a_sentence(bench):
    bench.ask("the cat")
    rows = bench.state.answer.value.rows
    for number, row in enumerate(rows):
        bench.appended.clear()
        bench.presenter.append_row(number)
        assert bench.appended == [row.insert][: bool(row.insert)]
        assert bool(bench.state.refused) == (not row.insert)
        bench.services.answer_all()
    bench.appended.clear()
    bench.presenter.append_row(len(rows))
    assert bench.appended == []


def test_the_lines_of_a_token_are_searched(bench, small):
    bench.ask("the cat")
    bench.presenter.show_lines(0)
    bench.services.answer_all()
    answer = bench.state.answer.value
    assert bench.searched[0] == (answer.context_text + answer.rows[0].insert).strip()
    bench.presenter.set(words=False)
    bench.services.answer_all()
    bench.presenter.show_lines(0)
    bench.services.answer_all()
    answer = bench.state.answer.value
    assert small.encode(bench.searched[1]).tolist() == [*answer.used, answer.rows[0].token]


def test_what_occurs_after_a_space_is_told(bench, tmp_path):
    """Within a sentence, a tokenizer makes other tokens of the same words; Search finds both."""
    texts = ["it is so", "I think it is so", "and it is so"]
    build_index([{"text": text} for text in texts], tmp_path / "spaced", tokenizer="train:300")
    corpus = open_index(tmp_path / "spaced")
    assert (corpus.count("it is"), corpus.count(" it is")) == (3, 2)
    assert corpus.count("it is", match="tokens") == 1
    bench.presenter.use_corpus(corpus)
    bench.ask("it is")
    assert bench.state.answer.value.context_count == 1 and bench.state.facts.endswith(" · 2 more after a space")
    bench.ask(" it is")
    assert bench.state.answer.value.context_count == 2 and "after a space" not in bench.state.facts


def test_another_index_beside(bench, small, byte_index, tmp_path):
    bench.ask("the cat")
    bench.presenter.beside.open(str(tmp_path))
    bench.services.answer_all()
    assert bench.presenter.beside.state.corpus is None
    assert "is not an infini-gram index" in bench.presenter.beside.state.notice
    bench.presenter.beside.open(str(byte_index))
    bench.services.answer_all()
    beside = bench.presenter.beside.state
    assert beside.answer.current.request.corpus is beside.corpus
    assert "of context" in beside.caption and beside.notice == ""
    bench.presenter.beside.put(None)
    assert bench.presenter.beside.state.caption == "" and not bench.services.slots["next beside"].busy


def test_the_other_index_is_compared_again_with_its_session(bench, small, byte_index, tmp_path):
    folder = tmp_path / "beside"
    shutil.copytree(byte_index, folder)
    bench.ask("the")
    bench.presenter.beside.open(str(folder))
    bench.services.answer_all()
    kept = json.loads(json.dumps(bench.presenter.session()))
    again = Bench(small)
    again.presenter.restore(kept)
    again.services.answer_all()
    assert again.presenter.beside.state.caption == bench.presenter.beside.state.caption != ""
    assert again.presenter.session()["beside"] == kept["beside"]
    moved = folder.rename(tmp_path / "moved")
    late = Bench(small)
    late.presenter.restore(kept)
    # A project that is saved before it is opened still has it.
    assert late.presenter.session() == kept
    late.services.answer_all()
    beside = late.presenter.beside
    assert str(folder) in beside.state.notice and beside.state.remedies == ("locate", "again", "leave_out")
    assert late.presenter.session() == kept
    beside.locate(str(moved))
    late.services.answer_all()
    assert beside.state.notice == "" and beside.state.answer.current is not None
    assert late.presenter.session()["beside"][0]["path"] == str(moved)
    late.presenter.restore(kept | {"beside": []})
    assert beside.state.entry is None and late.presenter.session()["beside"] == []


def test_another_index_than_that_of_the_session_is_told(bench, byte_index):
    wrong = {"path": str(byte_index), "fingerprint": "another"}
    bench.presenter.restore({"prompt": "the", "beside": [5, wrong]})
    bench.services.answer_all()
    beside = bench.presenter.beside
    assert "has other contents than when it was saved" in beside.state.notice and beside.state.caption
    assert beside.state.remedies == ("locate", "use_anyway", "leave_out")
    beside.use_anyway()
    assert beside.state.notice == ""
    beside.leave_out()
    assert beside.state.entry is None


def test_an_appended_word_is_a_step_between_those_that_are_typed(small):
    bench = Bench(small)
    # As the field does, which signals what is appended to it.
    presenter = NextTokenPresenter(HandServices(), bench.searched.append, lambda text: typed(bench.state.prompt + text))
    bench.presenter, typed = presenter, presenter.typed
    presenter.use_corpus(small)
    for text in ("the dog", "the dog sat"):
        typed(text)
    presenter.append_text(" on")
    typed("the dog sat on the")
    for prompt in ("the dog sat on", "the dog sat", ""):
        presenter.choices.undo()
        assert bench.state.prompt == prompt
    assert not presenter.choices.can_undo


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small):
    bench.ask("the cat")
    bench.presenter.set(n=3)
    kept = bench.presenter.session()
    again = Bench(small)
    again.presenter.restore(kept | {"n": "many"})
    assert (again.state.prompt, again.state.question.n) == ("the cat", None)
    again.presenter.restore(kept | {"side": "inside", "words": False})
    assert (again.state.question.n, again.presenter.tree.state.side) == (3, Side.AFTER) and again.asker.busy
    assert not again.state.question.words


def branches(bench):
    return [node.text for node in bench.presenter.tree.state.answer.current.after.branches]


def test_the_tree_grows_from_the_context(byte_index):
    bench = Bench(open_index(str(byte_index)))
    bench.ask(" ")
    tree = bench.presenter.tree
    assert tree.state.root == bench.state.answer.value.used and len(branches(bench)) == 5
    bench.presenter.tree.show_more()
    bench.services.answer_all()
    assert len(branches(bench)) > 5


def test_a_branch_is_opened_and_closed(bench):
    bench.ask("the")
    tree = bench.presenter.tree
    leaf = next(node for node in tree.state.answer.value.after.branches[0].branches if node.rest)
    spot = Spot(False, leaf.path)
    tree.toggle(spot)
    bench.services.answer_all()
    assert tree.state.answer.current.node(spot).branches and tree.state.chosen == spot
    tree.toggle(spot)
    bench.services.answer_all()
    assert tree.state.answer.current.node(spot).branches == () and tree.state.opened == frozenset()


def test_a_tree_that_fails_keeps_the_last_one(bench):
    bench.ask("the")
    tree, slot = bench.presenter.tree, bench.services.slots["tree"]
    good = tree.state.answer.value
    tree.turn(Side.BOTH)
    slot.fail(QueryError("The drive is gone."))
    assert tree.state.answer.value is good and tree.state.answer.dimmed and tree.state.about == "The drive is gone."


def test_a_tree_of_an_earlier_root_never_shows(bench):
    bench.type("the")
    bench.asker.answer()
    slot = bench.services.slots["tree"]
    assert slot.busy
    bench.type("the dog")
    bench.asker.answer()
    slot.answer()
    assert bench.presenter.tree.state.answer.current.request.root == bench.state.answer.value.used


def test_branches_lead_on(bench):
    bench.ask("the")
    tree = bench.presenter.tree
    tree.turn(Side.BOTH)
    bench.services.answer_all()
    after, before = tree.state.answer.value.after.branches[0], tree.state.answer.value.before.branches[0]
    text = tree.state.answer.value.text
    tree.show_lines(Spot(False, after.path))
    tree.go_on(Spot(True, before.path))
    assert bench.searched == [(text + after.joined).strip(), (before.joined + text).strip()]
    tree.go_on(Spot(False, after.path))
    assert bench.appended == [after.joined]

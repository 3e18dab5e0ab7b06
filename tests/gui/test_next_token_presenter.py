"""The Next token screen without its widgets: answers that are late, stale, or errors."""

from __future__ import annotations

import pytest
from by_hand import HandServices

from explorer.errors import QueryError
from explorer.gui.answer import Freshness
from explorer.gui.screens.next_token.presenter import NextTokenPresenter
from explorer.gui.screens.next_token.state import View


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.searched: list[str] = []
        self.presenter = NextTokenPresenter(self.services, self.searched.append)
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
    expected = small.infgram_next_tokens(small.encode("the cat"))
    answer = bench.state.answer.current
    assert answer.result == expected
    assert [row.count for row in answer.rows] == expected.counts.tolist()
    assert bench.state.page is View.TOKENS and "exact count" in bench.state.summary


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
    assert bench.state.page is None and bench.state.answer.value is None
    assert bench.state.invitation[0] == "What comes next?"


def test_an_answer_that_is_on_its_way_when_the_prompt_is_emptied_is_dropped(bench):
    bench.type("the cat")
    bench.type("")
    assert not bench.asker.busy and bench.state.answer.freshness is Freshness.UNASKED


def test_an_unseen_context_is_explained(bench):
    bench.presenter.choose_n(9)
    bench.ask("mat rug cat dog mat rug cat dog")
    assert bench.state.page is None and bench.state.invitation[0] == "Unseen context"


def test_a_ladder_of_an_earlier_prompt_never_shows(bench):
    bench.ask("the cat")
    bench.presenter.show_view(View.LADDER)
    climber = bench.services.slots["ladder"]
    assert climber.busy
    bench.presenter.show_view(View.TOKENS)
    bench.type("the dog")
    bench.asker.answer()
    assert not climber.busy and bench.state.ladder.value is None
    bench.presenter.show_view(View.LADDER)
    bench.services.answer_all()
    assert bench.state.ladder.current.rungs[0].n >= 1


def test_a_token_that_cannot_be_appended_is_refused_with_a_sentence(bench, small):
    bench.ask("the cat")
    rows = bench.state.answer.value.rows
    for number, row in enumerate(rows):
        assert bench.presenter.insertable(number) == row.insert
        assert bool(bench.state.refused) == (not row.insert)
    assert bench.presenter.insertable(len(rows)) == ""


def test_the_lines_of_a_token_are_searched(bench, small):
    bench.ask("the cat")
    bench.presenter.show_lines(0)
    bench.services.answer_all()
    answer = bench.state.answer.value
    assert small.encode(bench.searched[0]).tolist() == [*answer.used, answer.rows[0].token]


def test_another_index_beside(bench, small, byte_index, tmp_path):
    bench.ask("the cat")
    bench.presenter.open_beside(str(tmp_path))
    bench.services.answer_all()
    assert bench.state.beside is None and "is not an infini-gram index" in str(bench.state.beside_error)
    bench.presenter.open_beside(str(byte_index))
    bench.services.answer_all()
    assert bench.state.beside_answer.current.request.corpus is bench.state.beside
    assert "tokens of context" in bench.state.beside_caption and bench.state.beside_error is None
    bench.presenter.put_beside(None)
    assert bench.state.beside_caption == "" and not bench.services.slots["next beside"].busy


def test_a_session_is_restored_and_nonsense_is_left_alone(bench, small):
    bench.ask("the cat")
    bench.presenter.choose_n(3)
    kept = bench.presenter.session()
    again = Bench(small)
    again.presenter.restore(kept | {"n": "many"})
    assert (again.state.prompt, again.state.n) == ("the cat", 0)
    again.presenter.restore(kept | {"view": 17})
    assert (again.state.n, again.state.view) == (3, View.TOKENS) and again.asker.busy


def test_branches_are_grown_one_after_the_other(bench):
    bench.ask("the")
    bench.presenter.show_view(View.TREE)
    tree, slot = bench.presenter.tree, bench.services.slots["tree"]
    slot.answer()
    first, second = (row.ids for row in tree.state.grown[tree.state.root].rows[:2])
    tree.open(first)
    tree.open(second)
    assert slot.asked == 2 and tree.state.waiting == (first, second)
    slot.answer()
    slot.answer()
    assert first in tree.state.grown and second in tree.state.grown and not tree.state.waiting
    assert [branch.row.ids for branch in tree.state.shown().branches if branch.branches] == [first, second]


def test_branches_that_fail_are_closed_and_asked_for_again(bench):
    bench.ask("the")
    bench.presenter.show_view(View.TREE)
    tree, slot = bench.presenter.tree, bench.services.slots["tree"]
    slot.answer()
    branch = tree.state.grown[tree.state.root].rows[0].ids
    tree.open(branch)
    slot.fail(QueryError("The drive is gone."))
    assert branch not in tree.state.opened and not tree.state.waiting
    tree.open(branch)
    slot.answer()
    assert branch in tree.state.grown and tree.state.error is None


def test_a_tree_of_an_earlier_root_never_shows(bench):
    bench.ask("the")
    bench.presenter.show_view(View.TREE)
    slot = bench.services.slots["tree"]
    bench.type("the dog")
    bench.asker.answer()
    slot.answer()
    assert set(bench.presenter.tree.state.grown) == {bench.state.answer.value.used}

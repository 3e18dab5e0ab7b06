"""The Perplexity tab without its widgets: figures, sources, methods, tokens and failures."""

from __future__ import annotations

import json

import numpy as np
import pytest
from by_hand import HandServices

from explorer.analyses.model.making import DEFAULT_METHOD
from explorer.analyses.model.methods import Discount, LevelCounts
from explorer.analyses.model.trust import Learned
from explorer.analyses.overlap.self_match import LEAST
from explorer.cli.model.perplexity import define_perplexity
from explorer.cli.parser import Parser
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.screens.model.copied import copied_share
from explorer.gui.screens.model.methods import compared, title_of, usual
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter, restore, session_of
from explorer.gui.screens.model.perplexity.work import borders, surprise_of
from explorer.gui.screens.model.state import AGAIN
from explorer.gui.sources.inputs import ALL, source_key
from explorer.recipes import Source, perplexity_recipe

TEXT = "the cat sat on the mat and the dog saw a rug"


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.presenter = PerplexityPresenter(self.services)
        self.presenter.use_corpus(corpus)
        # Most tests are about levels; the one that the tab begins with is tested below.
        self.presenter.choose_method("levels")

    @property
    def state(self):
        return self.presenter.state

    @property
    def scorer(self):
        return self.services.slots["perplexity"]

    def score(self, text: str = TEXT) -> None:
        self.presenter.enter(text=text)
        self.services.let_time_pass()
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


@pytest.fixture
def files(tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"text": text, "model": model} for text, model in ((TEXT, "a"), ("zebras sat", "b"), (TEXT, "b"))]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def model_of(corpus, chosen):
    return corpus.model(chosen.name, **chosen.arguments())


def test_every_row_has_the_figures_of_the_library(bench, small):
    bench.score()
    rows = bench.state.answer.value.rows
    assert [title_of(row.method) for row in rows] == ["k = 1", "k = 2", "k = 3", "k = 5", "k = all", "Learned trust"]
    for row in rows:
        expected = model_of(small, row.method).perplexity([TEXT]).total
        assert row.total.perplexity == pytest.approx(expected.perplexity)
        assert (row.total.zeros, row.total.tokens) == (expected.zeros, expected.tokens)
    sentence, number, aside = bench.state.headline
    expected = small.model("levels", levels=None).perplexity([TEXT])
    assert number == f"{expected.perplexity:,.2f}" and number in sentence and "perplexity" in sentence
    assert f"{expected.total.bits_per_character:.2f}" in aside


def test_the_method_at_first_is_that_of_the_library_and_the_command(small):
    presenter = PerplexityPresenter(HandServices())
    assert presenter.state.method.name == small.model().name == DEFAULT_METHOD
    parser = Parser("perplexity", "")
    define_perplexity(parser)
    assert parser.parse_args(["index", "file"]).method == DEFAULT_METHOD
    # Smoothed: a token that the corpus has is never impossible, so no floor decides the number.
    made = small.model()
    assert made.normalized and made.floor is None and (made.score(TEXT).probabilities > 0).all()


@pytest.mark.parametrize("name", ["backoff", "weighted", "infgram", "ngram", "witten-bell", "discount", "laplace"])
def test_every_method_can_be_chosen_and_is_compared(bench, small, name):
    bench.score()
    bench.presenter.choose_method(name)
    bench.services.answer_all()
    row = bench.state.row
    assert row.method == usual(name) and bench.state.table_row == len(bench.state.answer.value.rows) - 1
    expected = small.model(name).perplexity([TEXT]).total
    assert row.total.surprise == pytest.approx(expected.surprise) and row.total.zeros == expected.zeros
    # The floor is that of the method: without one, a zero makes the perplexity infinite.
    if expected.zeros:
        assert bench.state.headline[0].endswith(("infinite perplexity", "has a score of 0"))


def test_a_score_is_never_called_a_perplexity(bench):
    bench.score("the cat sat on the mat")
    bench.presenter.choose_method("backoff")
    bench.services.answer_all()
    sentence, number, aside = bench.state.headline
    assert "score" in sentence and "perplexity" not in sentence and aside == "(not a perplexity)" and number
    cells = bench.state.table[bench.state.table_row]
    assert [cell.text for cell in cells[1:3]] == ["–", "–"] and "no perplexity" in cells[1].tip
    assert bench.state.lines[-1].dots[-1].value is None
    (chart,) = bench.presenter.charts()()
    record = dict(zip(chart.header, chart.data[-1], strict=True))
    assert record["perplexity"] is None and record["bits_per_character"] is None and record["score"] > 1


def test_learned_trust_follows_the_others(bench):
    seen = []
    bench.presenter.watch(lambda state, _: seen.append(state.answer))
    bench.score()
    arrived = list(dict.fromkeys(each.value for each in seen if each.freshness is Freshness.ANSWERED))
    assert [len(value.rows) for value in arrived] == [5, 6] and [value.whole for value in arrived] == [False, True]
    # It has learned: another question has all rows at once.
    seen.clear()
    bench.presenter.set(decay=0.2)
    bench.services.let_time_pass()
    bench.services.answer_all()
    assert {len(each.value.rows) for each in seen if each.freshness is Freshness.ANSWERED} == {6}
    assert bench.state.row.tuned_on is None
    bench.presenter.choose_method("learned")
    bench.services.answer_all()
    assert bench.state.row.tuned_on == "corpus" and "learned from" in bench.state.told_facts


def test_sources_are_compared_and_chosen(bench, small, files):
    bench.presenter.enter(files=(files,), group="model")
    bench.services.answer_all()
    assert bench.state.chosen == ALL and [row.texts for row in bench.state.rows] == [1, 2, 0]
    bench.presenter.show_by(True)
    assert [cells[0].text for cells in bench.state.table] == ["a", "b", "All sources"]
    expected = small.model("levels", levels=None).perplexity([TEXT, "zebras sat", TEXT], sources=["a", "b", "b"])
    assert [cells[1].text for cells in bench.state.table][:2] == [f"{s.perplexity:,.2f}" for s in expected.sources]
    bench.presenter.pick(1)
    assert bench.state.chosen == source_key("b") and bench.state.table_row == 1 and len(bench.state.texts) == 2
    assert "“b”" in bench.state.headline[0]
    # The chosen one is drawn last, over the others.
    assert [line.chosen for line in bench.state.lines] == [False, False, True]
    bench.presenter.go(5)
    assert bench.state.number == 1 and bench.state.text.text == TEXT
    bench.presenter.remove("a")
    bench.services.answer_all()
    assert bench.state.answer.value.names == ("b",) and not bench.state.several


def test_leaving_one_out_makes_texts_of_the_corpus_less_probable(bench, small):
    bench.score("the cat sat on the mat")
    before = bench.state.row.total
    bench.presenter.leave_one_out(True)
    bench.services.answer_all()
    expected = small.model("levels", levels=None).perplexity(["the cat sat on the mat"], leave_one_out=True).total
    assert bench.state.row.total.surprise == pytest.approx(expected.surprise)
    assert bench.state.row.total.all_surprise > before.all_surprise
    assert "as if its own occurrence" in bench.state.told_facts


def test_a_text_of_the_corpus_is_pointed_out_and_can_be_left_out(bench, small):
    text = max((document.text for document in small.documents), key=len)
    bench.score(text)
    assert "100% of the tokens are in the corpus word for word" in bench.state.notice and bench.state.kind == "warn"
    before = bench.state.row.total.perplexity
    (remedy,) = bench.state.remedies
    bench.presenter.remedy(remedy)
    bench.services.answer_all()
    assert bench.state.leave_one_out and bench.state.notice == "" and bench.state.row.total.perplexity > before
    bench.presenter.leave_one_out(False)
    bench.score("a rug saw the dog that sat under the cat near nobody and the zebras of the mat")
    assert bench.state.notice == "" and bench.state.remedies == ()


@pytest.mark.parametrize("seed", range(12))
def test_the_copied_share_is_that_of_a_slow_twin(small, seed):
    rng = np.random.default_rng(seed)
    texts = [document.tokens.tolist() for document in small.documents]
    long = max(texts, key=len)
    # Cut from the corpus, with tokens exchanged here and there; the first texts are shorter than a long passage.
    given = (long * 3)[: int(rng.integers(1, 20 if seed < 4 else 120))]
    for place in rng.integers(0, len(given), seed % 4):
        given[place] = int(rng.integers(0, 300))
    least = min(LEAST, max(8, len(given)))
    starts = range(len(given) - least + 1)
    known = {tuple(text[start : start + least]) for text in texts for start in range(len(text) - least + 1)}
    found = {place for s in starts if tuple(given[s : s + least]) in known for place in range(s, s + least)}
    share = copied_share(small.index, [np.array(given, dtype=np.int64)], CancelToken())
    assert share == len(found) / len(given)


def test_a_passage_of_the_corpus_can_be_tried(bench, small):
    bench.presenter.example.ask(shuffled=False)
    bench.services.answer_all()
    text = bench.state.inputs.text
    assert any(text in document.text for document in small.documents) and bench.state.leave_one_out
    assert bench.state.answer.current.question.inputs.text == text
    bench.presenter.example.ask(shuffled=True)
    bench.services.answer_all()
    assert sorted(bench.state.inputs.text.split()) == sorted(text.split()) != bench.state.inputs.text.split()
    assert not bench.state.leave_one_out and bench.state.answer.current is not None


def test_the_most_surprising_token_is_chosen_first(bench):
    bench.score()
    surprise = surprise_of(bench.state.text.scores)
    assert surprise[bench.state.token] == surprise.max() and bench.state.facts.value.token == bench.state.token


def test_a_token_has_its_levels_and_places(bench, small):
    bench.score("a dog sat on the mat")
    text = bench.state.text
    starts, ends = borders(text)
    pieces = [text.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    assert "".join(pieces) == "a dog sat on the mat" and len(pieces) == len(text.scores) + 1
    token = len(text.scores) - 1
    bench.presenter.choose_token(token)
    bench.services.answer_all()
    facts = bench.state.facts.current
    for row in facts.levels:
        if row.n:
            assert row.followed == small.next_tokens(row.context).counts.sum()
            assert row.times == small.count(row.context + pieces[-1])
    assert facts.levels[-1].n == 0 and facts.query.endswith(pieces[-1])
    assert len(facts.places) == min(5, small.count(facts.query))
    for place in facts.places:
        assert place.match.strip() == facts.query.strip()
        at = np.array([place.document]), np.array([place.offset]), np.array([place.offset + 1])
        read = small.index.documents.windows(*at)[0]
        assert small.decode(read) == pieces[-1]


def test_surprise_is_that_of_the_floor_where_there_is_one(bench):
    bench.score("the zebra")
    surprise = surprise_of(bench.state.text.scores)
    assert surprise.max() == pytest.approx(33.219, abs=0.01)  # 1e-10
    total = bench.state.row.total
    assert total.all_surprise == pytest.approx(float(surprise.sum()) * 0.6931471805599453)


def test_a_failure_keeps_the_last_answer_under_a_sentence(bench, tmp_path):
    bench.score()
    answer = bench.state.answer.value
    bench.presenter.add_files(tmp_path / "gone.txt")
    bench.services.answer_all()
    assert bench.state.answer.value is answer and bench.state.answer.dimmed
    assert "gone.txt" in bench.state.notice and bench.state.remedies == (AGAIN,)
    bench.presenter.remove("gone.txt")
    bench.services.answer_all()
    assert bench.state.notice == "" and bench.state.answer.current is not None


def test_a_stopped_answer_stays_dimmed_and_late_answers_are_dropped(bench):
    bench.score()
    answer = bench.state.answer.value
    bench.presenter.choose_method("weighted")
    assert bench.scorer.busy and bench.scorer.job is not None
    bench.presenter.stop()
    assert not bench.scorer.busy and bench.state.answer.value is answer and bench.state.answer.dimmed


def test_a_text_of_one_token_is_a_sentence(bench):
    bench.score("the")
    assert "There is no token to score" in bench.state.notice and bench.state.answer.value is None


def test_another_index_forgets_what_was_learned(bench, small):
    bench.score()
    bench.presenter.choose_token(1)
    bench.services.answer_all()
    bench.presenter.use_corpus(None)
    assert bench.state.answer.value is None and bench.state.token == -1
    assert bench.state.invitation[0] == "No index is open"
    bench.presenter.use_corpus(small)
    bench.services.answer_all()
    assert bench.state.answer.current is not None


def test_a_session_is_restored(bench, small, files):
    bench.presenter.enter(text=TEXT, files=(files,))
    bench.presenter.choose_method("discount")
    bench.presenter.set(discount=0.5)
    bench.presenter.leave_one_out(True)
    kept = json.loads(json.dumps(session_of(bench.state)))
    again = Bench(small)
    restore(again.presenter, kept)
    state = again.state
    assert state.method == Discount(0.5) and state.leave_one_out
    assert state.inputs.files == (files,) and state.inputs.text == TEXT and again.scorer.busy
    broken = {"method": "magic", "settings": [1], "files": 3, "leave_one_out": "yes", "text": 5}
    restore(again.presenter, broken)
    assert again.state.method == state.method and again.state.inputs == state.inputs
    restore(again.presenter, {"method": "levels", "settings": {"levels": -3, "decay": 7, "context": 5}})
    assert again.state.method == LevelCounts()


def test_what_is_compared_has_the_settings_of_the_chosen_one():
    chosen = LevelCounts(levels=4, decay=0.3)
    rows = compared(chosen)
    assert [row.levels for row in rows[:-1]] == [1, 2, 3, 4, 5, None]
    assert {row.decay for row in rows[:-1]} == {0.3} and rows[-1] == Learned()


def test_the_recipe_computes_the_same_number(bench, small, small_index, capsys):
    bench.score()
    asked = bench.state.answer.value.question
    made = perplexity_recipe(Source((str(small_index),)), asked.inputs, asked.method)
    exec(made.python, {})
    printed = capsys.readouterr().out.split()
    assert float(printed[0]) == pytest.approx(bench.state.row.total.perplexity)
    assert int(printed[1]) == bench.state.row.total.zeros
    assert "--levels" in made.command and "--method" in made.command


def test_an_error_of_a_token_leaves_the_answer(bench):
    bench.score()
    bench.presenter.choose_token(0)
    bench.services.slots["perplexity token"].fail(QueryError("The drive is gone.", reason="gone"))
    assert "The drive is gone" in bench.state.notice and bench.state.answer.current is not None

"""The Mix tab: figures of the library, a server that is stopped, resumed or wrong, and nothing sent unasked."""

from __future__ import annotations

import json
import math

import pytest
from by_hand import HandServices
from model_server import ModelServer, log_probabilities, tokenize
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextLayout

import explorer
from explorer.analyses.model.methods import InfGram
from explorer.errors import QueryError
from explorer.gui.screens.model.mix.neural_row import NeuralRow
from explorer.gui.screens.model.mix.presenter import MixPresenter, restore, session_of
from explorer.gui.screens.model.mix.state import ADDRESS, OPEN, OVER, RESUME, SEND, TEXT, WORDS
from explorer.gui.screens.model.mix.tables import SIZES, TOKENS
from explorer.gui.screens.model.state import AGAIN, LEAVE
from explorer.neural.address import ServerError
from explorer.neural.records import line_of
from explorer.recipes import Source, mix_recipe

TEXT_OF = "the cat sat on the mat and the dog sat on the cat"


class Tab:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.presenter = MixPresenter(self.services)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    def ask(self, url, text=TEXT_OF):
        self.presenter.server.point_to(url)
        self.presenter.enter(text=text)
        self.services.let_time_pass()
        self.presenter.server.ask()
        self.services.answer_all()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """What servers answer is kept in a folder of the test."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def tab(small):
    return Tab(small)


@pytest.fixture(scope="module")
def server():
    with ModelServer() as made:
        yield made


@pytest.fixture
def scored(server):
    return list(explorer.ask_model(server.url, [TEXT_OF]))


@pytest.fixture
def file(tmp_path, scored):
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(line_of(text) + "\n" for text in scored))
    return path


def test_the_figures_of_a_server_are_the_library_s(tab, small, server, scored):
    tab.ask(server.url)
    expected = small.mix(scored)
    found = tab.state.shown.found
    assert tab.state.kept.whole and found.weights == expected.weights and found.second == expected.second
    # And the log probabilities are those of the model.
    ids = tokenize(TEXT_OF)
    told = [token.logprob for token in found.texts[0].tokens]
    assert told[1:] == pytest.approx([float(log_probabilities(ids[:at])[ids[at]]) for at in range(1, len(ids))])
    sentence, number, aside = tab.state.headline
    assert number in sentence and "tuned on the first" in aside
    assert f"{expected.weights.sparse:.3f}" in tab.state.told_facts and "toy.gguf" in tab.state.told_facts


def test_the_sentence_has_both_perplexities_and_the_gain_where_tokens_are_the_same(tab, small, tmp_path):
    pieces = small.index.tokenizer.encode_with_offsets(TEXT_OF)
    ends = [*pieces.starts[1:].tolist(), len(TEXT_OF)]
    tokens = [{"start": a, "end": b, "logprob": -3.0} for a, b in zip(pieces.starts.tolist(), ends, strict=True)]
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"text": TEXT_OF, "model": "mine", "tokens": tokens}) + "\n")
    tab.presenter.open_file(path)
    tab.services.answer_all()
    second = small.mix(path).second
    sentence, number, _ = tab.state.headline
    assert number == f"{second.hybrid.perplexity:,.2f}" and f"{math.exp(3):.2f}" in sentence
    assert f"{second.improvement:.1%}" in sentence
    assert [row[0].text for row in _halves(tab)] == ["First half", "Second half", "All"]
    assert _halves(tab)[1][3].text == number


def _halves(tab):
    from explorer.gui.screens.model.mix.words import part_rows

    return part_rows(tab.state.shown.found)


def test_nothing_is_sent_before_it_is_asked_for(tab, server):
    before = len(server.requests)
    tab.presenter.server.point_to(server.url)
    tab.presenter.enter(text=TEXT_OF)
    tab.services.let_time_pass()
    tab.presenter.choose_method("witten-bell")
    restore(tab.presenter, session_of(tab.state))
    tab.services.answer_all()
    assert len(server.requests) == before and tab.state.shown is None


def test_another_machine_is_asked_about_first(tab):
    tab.ask("http://model.example:8080")
    assert not tab.services.slots["mix asking"].busy and tab.state.kind == "warn"
    assert "model.example:8080 is not this machine" in tab.state.notice and tab.state.remedies == (SEND, ADDRESS)
    tab.presenter.remedy(SEND)
    assert tab.state.allowed == {"model.example:8080"} and tab.services.slots["mix asking"].busy
    # To this host alone.
    tab.presenter.stop()
    tab.presenter.server.point_to("http://other.example:8080")
    tab.presenter.server.ask()
    assert tab.state.remedies == (SEND, ADDRESS) and not tab.services.slots["mix asking"].busy


@pytest.mark.parametrize("manner", ["ignores bias", "nan", "above zero", "adds tokens", "goes"])
def test_a_server_that_is_wrong_midway_leaves_what_it_gave(tab, manner):
    with ModelServer(manner=manner, after=9) as wrong:
        tab.ask(wrong.url)
        kept = tab.state.kept
        assert tab.state.kind == "error" and "127.0.0.1" in tab.state.notice
        assert 0 < kept.done < kept.total and not kept.whole
        assert f"{kept.done} of {kept.total} tokens are scored" in tab.state.notice
        assert tab.state.remedies == (RESUME, OVER, OPEN) and tab.state.shown is not None
        # Repaired: the rest is asked for, and the figures are those of one go.
        wrong.manner = ""
        tab.presenter.remedy(RESUME)
        tab.services.answer_all()
        with ModelServer() as right:
            whole = next(explorer.ask_model(right.url, [TEXT_OF]))
    assert tab.state.kept.whole and tab.state.kept.texts == (whole,) and tab.state.notice == ""


def test_a_prompt_is_context_for_both_and_not_scored(tab, server):
    prompt = "a dog saw a rug. "
    tab.presenter.enter(prompt=prompt)
    tab.ask(server.url)
    scored = next(explorer.ask_model(server.url, [prompt + TEXT_OF]))
    expected = [token.logprob for token in scored.tokens if token.start >= len(prompt)]
    found = tab.state.shown.found
    assert [token.logprob for token in found.texts[0].tokens if token.logprob is not None] == expected
    assert min(row.start for row in found.rows) >= len(prompt) and tab.state.notice == ""
    # Another prompt is another text.
    tab.presenter.enter(prompt="")
    tab.services.let_time_pass()
    assert tab.state.kept is None


def test_what_was_scored_outlasts_the_window(tab, small, cache):
    with ModelServer(manner="goes", after=9) as server:
        tab.ask(server.url)
        (file,) = (cache / "scores").iterdir()
        part = tab.state.kept
        server.manner = ""
        # Another window, which knows nothing of the first one.
        later, before = Tab(small), server.completions
        later.ask(server.url)
        assert later.state.kept.whole and later.state.kept.texts[0].tokens[: part.done] == part.texts[0].tokens
        assert server.completions - before < len(later.state.kept.texts[0].tokens)
        assert not file.exists()
        # To start over asks for every token again.
        server.manner = "goes"
        file.write_text(line_of(part.texts[0]) + "\n")
        third, before = Tab(small), server.completions
        server.manner = ""
        third.presenter.server.point_to(server.url)
        third.presenter.enter(text=TEXT_OF)
        third.services.let_time_pass()
        third.presenter.server.ask(resume=False)
        third.services.answer_all()
        assert third.state.kept.whole and server.completions - before >= len(third.state.kept.texts[0].tokens)


def test_a_server_that_is_not_there_has_a_remedy(tab):
    with ModelServer() as gone:
        url = gone.url
    tab.ask(url)
    assert "No server answers" in tab.state.notice and tab.state.remedies == (ADDRESS, AGAIN, OPEN)
    tab.presenter.server.point_to("not an address")
    assert tab.state.notice == ""
    tab.presenter.server.ask()
    assert tab.state.remedies == (ADDRESS, AGAIN, OPEN) and not tab.services.slots["mix asking"].busy


def test_a_text_that_is_too_short_is_a_sentence(tab, server):
    tab.ask(server.url, text="the")
    assert "λ needs two halves" in tab.state.notice and tab.state.remedies == (TEXT,)
    tab.presenter.enter(text=TEXT_OF)
    tab.services.let_time_pass()
    assert tab.state.notice == "" and tab.state.shown is None


def test_what_another_model_scored_is_not_continued(tab, server):
    with ModelServer(manner="nan", after=9) as wrong:
        tab.ask(wrong.url)
        error = ServerError("The first texts were scored by {before}.", reason="other-model", before="a")
        tab.presenter.remedy(RESUME)
        tab.services.slots["mix asking"].fail(error)
        assert tab.state.remedies == (OVER, OPEN) and tab.state.shown is not None
        wrong.manner = ""
        tab.presenter.remedy(OVER)
        tab.services.answer_all()
    assert tab.state.kept.whole


def test_a_file_of_another_base_is_read_with_the_right_one(tab, file, tmp_path):
    rows = json.loads(file.read_text())
    for token in rows["tokens"]:
        if token["logprob"] is not None:
            token["probability"] = math.exp(token["logprob"])
            token["logprob"] /= math.log(2)
    rows.pop("log_base", None)
    path = tmp_path / "base2.jsonl"
    path.write_text(json.dumps(rows) + "\n")
    tab.presenter.open_file(path)
    tab.services.answer_all()
    assert "base 2" in tab.state.remedies and tab.state.shown is None
    tab.presenter.remedy("base 2")
    tab.services.answer_all()
    assert tab.state.notice == "" and tab.state.shown.found.model == "toy.gguf"


def test_a_text_of_the_corpus_is_left_out(tab, small, server):
    text = max((document.text for document in small.documents), key=len)
    tab.ask(server.url, text=text)
    assert "itself in the corpus" in tab.state.notice and tab.state.remedies == (LEAVE,)
    tab.presenter.remedy(LEAVE)
    tab.services.answer_all()
    assert tab.state.notice == "" and tab.state.leave_one_out and tab.state.shown.found.copies == ()


def test_sizes_are_asked_for_and_forgotten_with_the_method(tab, small, file):
    tab.presenter.open_file(file)
    tab.services.answer_all()
    tab.presenter.measure_sizes()
    tab.services.answer_all()
    assert tab.state.sizes.current == small.mix_by_size(file).rows
    charts = tab.presenter.charts()()
    assert [chart.name for chart in charts] == ["mixture", "mixture by token", "mixture by size"]
    assert len(charts[1].data) == len(tab.state.shown.found) and len(charts[2].data) == len(tab.state.sizes.value)
    tab.presenter.choose_method("witten-bell")
    tab.services.answer_all()
    assert tab.state.sizes.value is None and tab.state.shown.question.method.name == "witten-bell"
    tab.presenter.measure_sizes()
    tab.services.slots["mix sizes"].fail(QueryError("Too large.", reason="x"))
    assert tab.state.remedies == (AGAIN, OPEN)


def test_a_method_has_its_settings_in_the_mixture_the_session_and_the_recipe(tab, small, small_index, file):
    tab.presenter.open_file(file)
    tab.services.answer_all()
    tab.presenter.choose_method("discount")
    tab.presenter.set(discount=0.25)
    tab.services.let_time_pass()
    tab.services.answer_all()
    expected = small.mix(str(file), model="discount", discount=0.25)
    assert tab.state.shown.found.second.hybrid == expected.second.hybrid
    assert small.mix(str(file), model="discount").second.hybrid != expected.second.hybrid
    again = Tab(small)
    restore(again.presenter, json.loads(json.dumps(session_of(tab.state))))
    assert again.state.method == tab.state.method
    made = mix_recipe(Source((str(small_index),)), tab.state.method, False, file=str(file))
    assert "discount=0.25" in made.python and "--discount=0.25" in made.command


def test_files_are_counted_and_scored_one_by_one(tab, server, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in (TEXT_OF, "a dog sat on the rug")))
    tab.presenter.add_files(path, tmp_path / "gone.txt")
    tab.services.answer_all()
    assert "gone.txt" in tab.state.notice and tab.state.kind == "error"
    tab.presenter.remove("gone.txt")
    tab.services.answer_all()
    first = tab.state.rows[0]
    assert (first.name, first.texts) == ("answers.jsonl", 2) and tab.state.notice == ""
    tab.presenter.server.point_to(server.url)
    tab.presenter.server.ask()
    tab.services.answer_all()
    assert [text.text for text in tab.state.shown.texts] == [TEXT_OF, "a dog sat on the rug"]
    tab.presenter.go(5)
    assert tab.state.place == 1 and tab.state.text.text.startswith("a dog")


def test_a_session_is_restored(tab, small, file):
    tab.presenter.open_file(file)
    tab.presenter.choose_method("discount")
    kept = json.loads(json.dumps(session_of(tab.state)))
    again = Tab(small)
    restore(again.presenter, kept)
    again.services.answer_all()
    assert again.state.shown.question.method.name == "discount" and again.state.file == tab.state.file
    restore(again.presenter, {"url": 5, "file": None, "method": "backoff", "from_file": "yes", "files": 3})
    assert again.state.method.name == "discount" and again.state.file == tab.state.file


@pytest.mark.parametrize("of_file", [True, False])
def test_the_recipe_prints_the_same_figures(tab, small_index, server, file, capsys, of_file):
    source = Source((str(small_index),))
    if of_file:
        tab.presenter.open_file(file)
        tab.services.answer_all()
        made = mix_recipe(source, InfGram(), leave_one_out=False, file=str(file))
        assert f"--probabilities={file}" in made.command
    else:
        tab.ask(server.url)
        made = mix_recipe(source, InfGram(), leave_one_out=False, url=server.url, texts=tab.state.inputs)
        assert f"--server={server.url}" in made.command and "allow-remote" not in made.command
    exec(made.python, {})
    second = tab.state.shown.found.second
    told = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert told == [str(second.neural.bits_per_character), str(second.hybrid.bits_per_character)]


def test_a_paragraph_is_scored_stopped_halfway_and_resumed_in_the_window(opened, qtbot):
    page = opened.show_screen("model").turn_to("mix")
    state = lambda: page.presenter.state  # noqa: E731 - read anew at each use
    with ModelServer(manner="slow", after=6) as server:
        qtbot.keyClicks(page.sources.paste.editor, TEXT_OF)
        page.sources.paste.read()
        page.row.url.setFocus()
        page.row.url.selectAll()
        qtbot.keyClicks(page.row.url, server.url)
        qtbot.waitUntil(page.row.ask.isEnabled)
        assert not server.completions
        qtbot.mouseClick(page.row.ask, Qt.MouseButton.LeftButton)
        bar = page.bars["mix asking"]
        qtbot.waitUntil(lambda: bar.isVisible() and bar.overall > 0)
        qtbot.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: state().answer.current is not None)
        part = state().kept
        assert 0 < part.done < part.total and page.notice.isVisible() and not bar.isVisible()
        assert f"{part.done} of {part.total}" in page.notice.text()
        assert page.text.view.toPlainText() in TEXT_OF
        server.manner = ""
        resume = next(each for each in page.notice.buttons() if each.text() == WORDS[RESUME])
        qtbot.mouseClick(resume, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: state().kept.whole and state().answer.current is not None)
    assert state().kept.texts[0].tokens[: len(part.texts[0].tokens)] == part.texts[0].tokens
    assert not page.notice.isVisible() and page.headline.isVisible() and "·" in page.facts.text()
    page.tables.turn_to(TOKENS)
    assert page.tables.model.rowCount() == len(state().text.rows)
    page.text.view.token_chosen.emit(3)
    assert page.tables.table.currentIndex().row() == 3 and "mixture" in page.text.told.text()
    qtbot.mouseClick(page.row.sizes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: state().sizes.current is not None)
    assert page.tables.by.current == SIZES and page.tables.model.rowCount() == len(state().sizes.value)
    spans = page.text.view.document().firstBlock().layout().formats()
    hurt = [each for each in spans if each.format.underlineStyle() == QTextCharFormat.UnderlineStyle.WaveUnderline]
    levels = state().text.levels
    assert bool(hurt) == bool((levels < 0).any())


def test_names_of_methods_keep_their_order_from_right_to_left(qtbot):
    row = NeuralRow(print)
    qtbot.addWidget(row)
    names = [row.method.itemText(place) for place in range(row.method.count())]
    assert any("∞-gram" in name for name in names)
    for name in names:
        layout = QTextLayout(name)
        option = layout.textOption()
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        layout.setTextOption(option)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        letters = [place for place, sign in enumerate(name) if sign.isprintable()]
        # Where each is drawn: the edges of one at a change of direction are ambiguous.
        xs = [line.glyphRuns(place, 1)[0].boundingRect().left() for place in letters if name[place] != " "]
        assert xs == sorted(xs), name

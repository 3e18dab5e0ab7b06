"""The Generate tab without its widgets: texts that are written, stopped, late or fail, and where a token is from."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer.analyses.search.needle import Needle
from explorer.core.jobs import CancelToken, no_report
from explorer.corpus import open_index
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.presenting.requests import DocumentRequest, Saved, SearchText
from explorer.gui.screens.model.generate.presenter import GeneratePresenter
from explorer.gui.screens.model.generate.state import describe_token, level_cells, shades
from explorer.gui.screens.model.generate.work import HowToWrite, WriteRequest, write_text
from explorer.recipes import Source


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services = HandServices()
        self.asked: list[object] = []
        self.presenter = GeneratePresenter(self.services, self.asked.append)
        self.presenter.use_corpus(corpus)

    @property
    def state(self):
        return self.presenter.state

    @property
    def writer(self):
        return self.services.slots["generate"]

    def write(self, prompt: str, **how) -> None:
        self.presenter.typed(prompt)
        self.presenter.choose(**how)
        self.presenter.run()
        self.services.answer_all()


@pytest.fixture
def bench(small):
    return Bench(small)


@pytest.fixture(scope="module")
def by_bytes(byte_index):
    return open_index(byte_index)


def test_the_text_is_the_library_s(bench, small):
    bench.write("the cat", length=30, seed=4, levels=3)
    expected = small.model("levels", levels=3).generate("the cat", max_tokens=30, seed=4)
    text = bench.state.answer.current
    assert text.text == expected.text and len(text.tokens) == len(expected)
    first, end = text.longest
    assert end - first == expected.longest_verbatim
    assert small.count(expected.tokens[first:end]) > 0
    sentence, strong, aside = bench.state.headline
    assert sentence == f"The longest stretch copied word for word is {end - first} of {len(expected)} tokens"
    assert (strong, aside) == (str(end - first), "")
    assert bench.state.facts.startswith(
        f"{(text.places == 1).mean():.0%} of the tokens follow a context with a single place"
    )
    assert f"median context {expected.levels[0].n_median:g} tokens" in bench.state.facts.replace(".0 ", " ")


def test_bytes_of_ascii_are_characters(by_bytes):
    bench = Bench(by_bytes)
    bench.write("the cat ", length=40)
    text = bench.state.answer.current
    assert text.in_characters and len(text.text) == len(text.tokens)
    assert bench.state.headline[0].endswith(f"of {len(text.tokens)} characters")
    assert bench.state.provenance_place == f"character {bench.state.chosen + 1} of {len(text.tokens)}"


def test_settings_alone_write_nothing(bench):
    bench.presenter.typed("the cat")
    bench.presenter.choose(levels=5)
    bench.services.let_time_pass()
    assert not bench.writer.asked and bench.state.answer.freshness is Freshness.UNASKED
    assert bench.state.invitation[0] == "Let the corpus write"


def test_a_setting_writes_the_text_again_once(bench):
    bench.write("the cat", length=10)
    for levels in (3, 4, 5):
        bench.presenter.choose(levels=levels)
    assert bench.writer.asked == 1
    bench.services.let_time_pass()
    assert bench.writer.asked == 2 and bench.state.dimmed
    bench.services.answer_all()
    assert bench.state.answer.current.request.how.levels == 5


def test_what_is_written_is_shown_on_the_way(bench):
    seen = []
    bench.presenter.watch(lambda now, before: seen.append((now.partial, now.answer.awaited)))
    bench.write("the cat", length=8)
    lengths = [len(part.tokens) for part, awaited in seen if part is not None and awaited]
    assert lengths[:1] == [1] and lengths == sorted(lengths) and lengths[-1] <= 8
    assert bench.state.partial is None and bench.state.answer.current is not None


def test_a_stopped_text_is_kept_and_can_be_repeated(small):
    cancel = CancelToken()

    def send(make):
        if len(make().tokens) == 5:
            cancel.pause()

    request = WriteRequest(small, "the cat", HowToWrite(length=50, seed=2))
    text = write_text(request, send, no_report, cancel)
    assert text.stopped and len(text.tokens) == 5
    bench = Bench(small)
    bench.presenter.change(answer=bench.state.answer.arrived(text))
    assert bench.state.headline[2] == "(stopped)"
    recipe = bench.presenter.recipe(Source(("index",)))
    assert "max_tokens=5" in recipe.python and "--max-tokens=5" in recipe.command
    assert small.model("levels", levels=2).generate("the cat", max_tokens=5, seed=2).text == text.text


def test_stopping_before_the_first_token_leaves_the_old_text(bench):
    bench.write("the cat", length=6)
    old = bench.state.answer.value
    bench.presenter.run()
    bench.presenter.stop()
    assert bench.state.answer.freshness is Freshness.STOPPED and bench.state.answer.value is old and bench.state.dimmed


def test_a_failure_keeps_the_last_text_and_offers_to_try_again(bench):
    bench.write("the cat", length=6)
    old = bench.state.answer.value
    bench.presenter.run()
    bench.writer.fail(CorpusError("The drive is gone."))
    assert bench.state.answer.value is old and bench.state.dimmed and bench.state.notice == "The drive is gone."
    bench.presenter.remedy()
    bench.services.answer_all()
    assert bench.state.notice == "" and bench.state.answer.current.text == old.text


def test_a_failure_half_way_keeps_what_was_written(bench, small):
    bench.presenter.typed("the cat")
    bench.presenter.run()
    part = write_text(WriteRequest(small, "the cat", HowToWrite(length=4)), lambda make: None, no_report, CancelToken())
    bench.presenter.change(partial=part)
    bench.writer.fail(CorpusError("The drive is gone."))
    assert bench.state.text.text == part.text and bench.state.text.stopped and bench.state.partial is None
    assert bench.state.notice == "The drive is gone."


def test_a_prompt_that_never_occurs_gets_a_sentence(by_bytes):
    bench = Bench(by_bytes)
    bench.write("\x01\x02")
    assert not bench.state.has_page and bench.state.invitation[0] == "Nothing follows this prompt"
    bench.write("\x01\x02", stop_at_ends=False, length=5)
    assert bench.state.has_page and "no ending of the prompt occurs in this corpus" in bench.state.facts


def test_without_a_prompt_a_method_of_contexts_asks_for_one(bench):
    bench.write("")
    assert bench.state.invitation[0] == "Nothing to continue"


@pytest.mark.parametrize("temperature", [0, 100])
def test_extreme_temperatures_write(bench, small, temperature):
    bench.write("the cat", temperature=temperature, length=12)
    expected = small.model("levels", levels=2).generate("the cat", max_tokens=12, temperature=temperature)
    assert bench.state.answer.current.text == expected.text


def test_an_empty_corpus_is_told(bench, monkeypatch, small):
    monkeypatch.setattr(type(small), "token_count", property(lambda self: 0))
    assert not bench.state.asks and bench.state.invitation[1].startswith("This index is empty")
    bench.presenter.run()
    assert not bench.writer.asked


def test_levels_and_places_of_a_token(bench, small):
    bench.write("the cat sat", length=20, levels=2)
    text = bench.state.text
    token = next(number for number, each in enumerate(text.tokens) if len(each.levels) == 2)
    bench.presenter.choose_token(token)
    bench.services.answer_all()
    rows = level_cells(text, token)
    assert [row[2].text for row in rows] == [f"{used.m:,}" for used in text.tokens[token].levels]
    assert [row[4].text for row in rows] == ["1", "0.1"]
    for level in (0, 1):
        bench.presenter.choose_level(level)
        bench.services.answer_all()
        found = bench.state.places.current
        end = len(text.prompt) + token
        context = text.ids[end - found.request.n : end]
        assert found.total == small.count(context) and found.context == small.decode(context)
        located = small.locate(context, 0, 50)
        assert [(row.document, row.offset) for row in found.rows] == list(
            zip(located.document.tolist(), located.offset.tolist(), strict=True)
        )
        for row in found.rows:
            ids = small.document(row.document).tokens[row.offset : row.offset + row.length]
            assert ids[: len(context)].tolist() == context.tolist()
    bench.presenter.show_lines()
    bench.presenter.open_place(0)
    row = found.rows[0]
    needle = Needle((tuple(context.tolist()),))
    opened = DocumentRequest(row.document, row.offset, len(context), needle)
    assert bench.asked == [SearchText(found.context), opened]


def test_the_longest_copy_is_chosen_first(bench):
    bench.write("the cat", length=20)
    assert bench.state.chosen == bench.state.text.longest[0]
    bench.presenter.step(-100)
    assert bench.state.chosen == 0
    bench.presenter.step(1_000)
    assert bench.state.chosen == len(bench.state.text.tokens) - 1


def test_shades_are_of_the_legend_s_places(bench):
    bench.write("the", length=60, levels=1)
    text = bench.state.text
    wanted = {level: set() for level in range(4)}
    for level, places in zip(shades(text).tolist(), text.places.tolist(), strict=True):
        wanted[level].add(places)
    assert wanted[3] <= {1} and wanted[2] <= {2, 3, 4} and wanted[1] <= set(range(5, 21))
    assert all(places > 20 for places in wanted[0]) and any(wanted.values())
    assert "places" in describe_token(text, 0) or "place" in describe_token(text, 0)


def test_files_hold_the_text_and_its_provenance(bench, small, tmp_path):
    bench.write("the cat", length=10)
    for name in ("a.txt", "a.json"):
        bench.presenter.save(tmp_path / name)
        bench.services.answer_all()
    text = bench.state.text
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "the cat" + text.text
    record = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert (record["prompt"], record["text"], record["token_count"]) == ("the cat", text.text, len(text.tokens))
    assert [each["levels"][0]["m"] for each in record["tokens"]] == text.places.tolist()
    assert bench.asked == [Saved(tmp_path / name, f"Saved {name}") for name in ("a.txt", "a.json")]
    bench.presenter.save(tmp_path / "a.doc")
    bench.services.answer_all()
    assert "is written as" in bench.state.notice


def test_the_figure_s_data_are_the_contexts(bench):
    assert bench.presenter.charts() is None
    bench.write("the cat", length=10)
    (chart,) = bench.presenter.charts()()
    text = bench.state.text
    assert [row[2] for row in chart.data] == text.lengths.tolist()
    assert sum(row[4] for row in chart.data) == text.longest[1] - text.longest[0]
    assert "".join(row[1] for row in chart.data) == text.text


def test_a_session_keeps_prompt_and_settings(bench, small):
    bench.presenter.typed("the dog")
    bench.presenter.choose(levels=0, temperature=1.5, method="witten-bell", stop_at_ends=False)
    other = Bench(small)
    other.presenter.restore(json.loads(json.dumps(bench.presenter.session())))
    assert (other.state.prompt, other.state.how) == ("the dog", bench.state.how)
    usual = Bench(small)
    usual.presenter.restore(
        {"levels": 99, "seed": -1, "temperature": "hot", "method": "gpt", "prompt": 3, "length": True}
    )
    assert (usual.state.prompt, usual.state.how) == ("", HowToWrite())


def test_another_index_drops_text_and_late_answers(bench, small):
    bench.write("the cat", length=6)
    bench.presenter.run()
    bench.presenter.use_corpus(None)
    assert not bench.writer.busy and bench.state.text is None and bench.state.invitation[0] == "No index is open"
    assert bench.presenter.recipe(Source(("index",))) is None

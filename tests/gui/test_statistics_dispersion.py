"""The tab of dispersion: its figures are the library's, its strips have a tick per hit, and its rows lead to lines."""

from __future__ import annotations

import csv
import json

import pytest
from by_hand import HandServices

from explorer import build_index, dispersion_strips, open_index
from explorer.gui.charts.ink import chart_colors
from explorer.gui.charts.view import ChartView
from explorer.gui.screens.statistics.dispersion.presenter import SpreadPresenter
from explorer.gui.screens.statistics.dispersion.work import SpreadRule
from explorer.gui.style.theme import choose_scheme
from explorer.recipes import Source, word_dispersion_recipe
from explorer.text.collation import collation_key

TEXTS = [
    ("sea", "The ship sails on the sea, and the wind is in the sails of the ship."),
    ("sea", "A ship and the sea."),
    ("land", "The farm stands on the hill, and the wind is in the trees."),
    ("land", "One two the."),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("spread")
    records = (json.dumps({"text": text, "part": part}) for part, text in TEXTS)
    (place / "texts.jsonl").write_text("\n".join(records))
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Spread")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        yield open_index(place / "index")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.saved = HandServices(), []
        self.presenter = SpreadPresenter(self.services, saved=self.saved.append)
        self.presenter.use_corpus(corpus)
        assert not self.state.answer.awaited
        self.presenter.appear(True)
        self.services.answer_all()
        if self.state.missing:
            self.presenter.run(make=True)
            self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    def ask(self, **values):
        self.presenter.set(**values)
        self.presenter.run()
        self.services.answer_all()
        return self.state.found


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


@pytest.mark.parametrize(
    ("rule", "asked", "told"),
    [
        ({}, {}, "4 documents with words"),
        ({"parts": "field", "field": "part"}, {"by": "part"}, "2 values of part"),
        ({"parts": "slices", "slices": 3}, {"slices": 3}, "3 slices of equal size"),
    ],
)
def test_the_words_are_those_of_the_library(bench, corpus, rule, asked, told):
    found = bench.ask(min_count=2, **rule)
    rows = list(corpus.dispersion(min_count=2, top=None, **asked))
    assert list(found.rows) == rows and told in bench.state.headline[0]
    first = {name: cell.text for name, cell in zip(bench.state.header[1:], found.table[0][1:], strict=True)}
    assert first["Word"] == rows[0].form == "the" and first["Hits"] == str(rows[0].count)
    assert first["DP"] == f"{rows[0].dp:.3f}" and first["D_A"] == f"{rows[0].d_a:.3f}"


def test_over_one_part_no_number_is_made_up(bench):
    found = bench.ask(min_count=1, parts="slices", slices=1)
    cells = dict(zip(bench.state.header, found.table[0], strict=True))
    assert cells["DPnorm"].text == cells["D_A"].text == "one part" and cells["DP"].text == "0.000"


def test_typed_words_have_a_tick_for_each_hit(bench, corpus):
    found = bench.ask(text="ship, Wind, moon, ship")
    strips = dispersion_strips(corpus, ["ship", "Wind", "moon"])
    assert [row.form for row in found.rows] == ["ship", "Wind"] and found.absent == ("moon",)
    assert sum(strip.hits for strip in found.strips) == sum(row.count for row in found.rows) == 5
    assert found.strips == strips.strips(50) and found.met == 3
    assert "“moon” does not occur." in bench.state.told_rows
    # Five hits in four documents for neither word: both are rarer than the parts.
    assert "fewer hits than there are parts" in bench.state.told_rows


def test_too_many_slices_are_refused_in_a_sentence(bench):
    bench.ask(parts="slices", slices=9_999)
    assert bench.state.answer.error is not None and "slices" in bench.state.notice


def test_a_field_that_an_index_lacks_gives_way(bench):
    assert bench.state.rule.field in bench.state.fields
    bench.presenter.restore({"field": "moon", "parts": "squares", "slices": 0, "min_count": True, "text": "sea"})
    assert bench.state.rule == SpreadRule(field=bench.state.rule.field, text="sea")


def test_sessions_keep_what_is_asked(bench, corpus):
    bench.ask(parts="field", field="part", text="sea", min_count=3)
    other = SpreadPresenter(HandServices())
    other.use_corpus(corpus)
    other.restore(json.loads(json.dumps(bench.presenter.session())))
    assert other.state.rule == bench.state.rule


def test_rows_lead_to_as_many_lines_as_hits(bench):
    found = bench.ask(text="ship")
    bench.presenter.choose(0)
    bench.services.answer_all()
    lines = bench.presenter.lines.state
    assert found.rows[0].count == 3 and bench.state.row == 0 and lines.count == 3


def test_rows_are_sorted_and_unknown_ones_come_last(bench):
    found = bench.ask(min_count=1)
    for column, shown in enumerate(bench.state.columns[1:], 1):
        for _ in range(2):
            bench.presenter.sort(column)
            values = [getattr(found.rows[at], shown.name) for at in bench.state.order]
            values = [collation_key(each) if isinstance(each, str) else each for each in values]
            assert values == sorted(values, reverse=bench.state.sort[1]), shown.name
    one = bench.ask(min_count=1, parts="slices", slices=1)
    for _ in range(2):
        bench.presenter.sort([each.name for each in bench.state.columns].index("d_a"))
        assert bench.state.order == tuple(range(len(one.rows)))


def test_files_have_all_rows(bench, corpus, tmp_path):
    bench.ask(min_count=1)
    bench.presenter.save(tmp_path / "all.csv")
    bench.services.answer_all()
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text("utf-8-sig").splitlines()))
    assert [row["form"] for row in rows] == [row.form for row in corpus.dispersion(min_count=1, top=None)]
    bench.ask(text="ship, moon")
    bench.presenter.save(tmp_path / "typed.csv")
    bench.services.answer_all()
    rows = list(csv.DictReader((tmp_path / "typed.csv").read_text("utf-8-sig").splitlines()))
    assert [(row["form"], row["count"]) for row in rows] == [("ship", "3")]


def test_the_figure_has_the_counts_of_the_parts(bench):
    assert bench.presenter.charts() is None
    found = bench.ask(text="ship, sea", parts="field", field="part")
    [chart] = bench.presenter.charts()()
    assert sum(row[3] for row in chart.data) == sum(row.count for row in found.rows)
    assert dict(chart.facts)["parts"] == "part"


def test_the_code_computes_what_is_shown(bench, corpus, capsys):
    for values in (
        {"min_count": 2, "parts": "slices", "slices": 2},
        {"text": "ship, sea", "parts": "field", "field": "part"},
    ):
        found = bench.ask(**values)
        recipe = word_dispersion_recipe(Source(corpus.index.sources), found.rule.question, found.rule.forms)
        exec(compile(recipe.python, "recipe", "exec"), {})
        printed = capsys.readouterr().out.splitlines()
        assert len(printed) == 1 + len(found.rows) and printed[1].startswith(
            f"{found.rows[0].form} {found.rows[0].count}"
        )
    assert "--words" in recipe.commands[0] and "--form=ship" in recipe.commands[0] and "--by=part" in recipe.commands[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tick_is_painted_for_each_word(qtbot, bench, scheme):
    choose_scheme(scheme)
    try:
        found = bench.ask(text="ship, sea")
        plot = ChartView("Strips")
        qtbot.addWidget(plot)
        [chart] = bench.presenter.charts()()
        plot.show_chart(chart)
        plot.resize(500, plot.minimumSizeHint().height())
        plot.show()
        qtbot.wait(1)
        image = plot.sheet.grab().toImage()
        # Below the words themselves, which have samples of their colors.
        first = plot.sheet.pixel_of(0).y() - 8
        seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(first, image.height())}
        assert set(chart_colors().sources[:2]) <= seen
        plot.sheet.pointed.emit(0)
        assert plot.accessibleDescription().startswith(f"{found.strips[0].title}: {found.strips[0].hits}")
    finally:
        choose_scheme("system")

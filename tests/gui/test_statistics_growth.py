"""The tab of diversity and growth: its figures are the library's, and what is too short has no number."""

from __future__ import annotations

import json

import pytest
from by_hand import HandServices

from explorer import build_index, open_index, vocabulary_growth
from explorer.gui.screens.statistics.growth.presenter import GrowthPresenter
from explorer.gui.screens.statistics.growth.work import GrowthRule
from explorer.recipes import Source, diversity_recipe

TEXTS = {"sea": "The ship sails on the sea, and the wind is in the sails. " * 20, "note": "One two the."}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("growth")
    records = (json.dumps({"text": text, "part": part}) for part, text in TEXTS.items())
    (place / "texts.jsonl").write_text("\n".join(records))
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Growth")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        yield open_index(place / "index")


@pytest.fixture
def bench(corpus):
    services, saved = HandServices(), []
    presenter = GrowthPresenter(services, saved.append)
    presenter.use_corpus(corpus)
    assert not presenter.state.answer.awaited
    presenter.appear(True)
    services.answer_all()
    if presenter.state.missing:
        presenter.run(make=True)
        services.answer_all()
    return presenter, services, saved


def test_the_whole_index_is_measured(bench, corpus):
    presenter, _, _ = bench
    [row] = corpus.diversity()
    assert list(presenter.state.found.found) == [row]
    assert presenter.state.headline[0] == f"{row.types} different words among {row.words}"
    growth = presenter.state.found.growth
    assert growth.words[-1] <= row.words < growth.words[-1] + growth.words[0]
    # The step divides the words, so that the last point is the whole.
    assert growth.types[-1] == row.types and str(presenter.state.found.heaps.points) in presenter.state.law


def test_groups_are_those_of_the_library(bench, corpus, tmp_path):
    presenter, services, saved = bench
    presenter.group_by("part")
    services.answer_all()
    rows = {row.group: row for row in corpus.diversity("part")}
    cells = {line[0].text: [cell.text for cell in line] for line in presenter.state.found.table}
    assert set(cells) == {"sea", "note"} and cells["sea"][2] == str(rows["sea"].words)
    titles = presenter.state.header
    assert cells["note"][titles.index("MATTR")] == cells["note"][titles.index("HD-D")] == "too short"
    assert cells["sea"][titles.index("MATTR")] == f"{rows['sea'].mattr:.3f}"
    presenter.save(tmp_path / "groups.csv")
    services.answer_all()
    assert len((tmp_path / "groups.csv").read_text().splitlines()) == 3 and saved[0].sentence == "Saved 2 rows"


def test_the_figure_and_the_code(bench):
    presenter, services, _ = bench
    presenter.group_by("part")
    services.answer_all()
    chart = presenter.charts()()[0]
    growth = presenter.state.found.growth
    assert [row[1] for row in chart.data] == growth.types.tolist() and "heaps exponent" in dict(chart.facts)
    recipe = diversity_recipe(Source(("x",)), presenter.state.rule.question)
    assert "corpus.diversity(by='part')" in recipe.python and "--by=part" in recipe.commands[0]


def test_sessions_keep_the_field(bench, corpus):
    presenter, _, _ = bench
    presenter.group_by("part")
    other = GrowthPresenter(HandServices())
    other.use_corpus(corpus)
    other.restore(presenter.session())
    assert other.state.rule == GrowthRule("part")
    other.restore({"by": "moon", "window": 0, "shuffle": True})
    assert other.state.rule == GrowthRule("part")


@pytest.mark.parametrize(
    ("saved", "expected"),
    [
        ({"by": "part", "window": 9, "shuffled": True, "seed": 8}, GrowthRule("part", window=9, shuffle=8)),
        ({"by": "", "window": 50, "shuffled": False, "seed": 8}, GrowthRule()),
        ({"by": "moon", "window": 50, "shuffled": 1, "seed": 8}, GrowthRule()),
    ],
)
def test_sessions_of_version_0_2_open(corpus, saved, expected):
    presenter = GrowthPresenter(HandServices())
    presenter.use_corpus(corpus)
    presenter.restore(saved)
    assert presenter.state.rule == expected


def test_the_window_of_mattr_is_chosen(bench, corpus):
    presenter, services, _ = bench
    growth = presenter.state.found.growth
    presenter.set(window=7)
    presenter.run()
    services.answer_all()
    [row] = corpus.diversity(window=7)
    assert presenter.state.found.whole == row and row.mattr != corpus.diversity()[0].mattr
    assert f"MATTR {row.mattr:.3f} (7-word windows)" in presenter.state.headline[2]
    # The curve has no windows, and is not read again.
    assert presenter.state.found.growth is growth
    assert "window=7" in diversity_recipe(Source(("x",)), presenter.state.rule.question).python


def test_the_growth_is_that_of_shuffled_documents(bench, corpus):
    presenter, services, _ = bench
    orders = set()
    for seed in range(4):
        presenter.set(shuffle=seed)
        presenter.run()
        services.answer_all()
        found = vocabulary_growth(corpus, shuffle=seed)
        assert presenter.state.found.growth.types.tolist() == found.types.tolist()
        assert f"seed {seed}" in presenter.state.law
        assert dict(presenter.charts()()[0].facts)["order"] == f"shuffled documents, seed {seed}"
        orders.add(tuple(found.types.tolist()))
    # Either text comes first with some seed.
    assert len(orders) == 2

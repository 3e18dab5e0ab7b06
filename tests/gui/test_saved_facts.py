"""Every tab saves a table and a figure that state the index, the query and each setting, in the real window.

One list has all of them: a tab without a row fails here.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from driven import DrivenWindow
from task_window import open_behind, settled

from explorer import build_index
from explorer.analyses.metadata.values import FieldFilter
from explorer.chart import Chart
from explorer.export.about import about_path
from explorer.gui.charts.export.save import save_chart
from explorer.gui.screens.agreement.state import View as AgreementTab
from explorer.gui.screens.curation.tabs import TABS as CURATION
from explorer.gui.screens.model.tabs import TABS as MODEL
from explorer.gui.screens.search.state import VIEW_NAMES, View
from explorer.gui.screens.search.views.view_files import comparison_table, facet_table, parts_table, watched_table
from explorer.gui.screens.statistics.tabs import TABS as STATISTICS

TEXT = "The cat sat on the mat and the dog saw the cat by the old harbor. A bird sat there, too; {n} of them sang."
ANSWERS = [
    {"text": f"Perhaps the cat sat on the mat, and the dog saw the cat {n}.", "model": "ab"[n % 2]} for n in range(6)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An index with metadata, and the files that tabs ask for."""
    made = tmp_path_factory.mktemp("facts")
    rows = [
        {"text": f"{TEXT.format(n=n)} " * (1 + n % 3), "author": ("Ann", "Bob")[n % 2], "year": 1990 + n % 4}
        for n in range(24)
    ]
    write_rows(made / "texts.jsonl", rows)
    build_index(made / "texts.jsonl", made / "index", tokenizer="bytes")
    write_rows(made / "answers.jsonl", ANSWERS)
    questions = [{"question": f"{TEXT.format(n=n)} Which of them?", "answer": "none"} for n in range(3)]
    write_rows(made / "questions.jsonl", questions)
    (made / "watched.txt").write_text("cat\nharbor\n", encoding="utf-8")
    words = TEXT.format(n=1).split(" ")
    starts = [len(" ".join(words[:at])) for at in range(len(words) + 1)]
    tokens = [{"start": a, "end": b, "logprob": -1.5 if a else None} for a, b in pairwise(starts)]
    write_rows(made / "scored.jsonl", [{"text": TEXT.format(n=1), "model": "tiny", "tokens": tokens}])
    return made


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@dataclass(frozen=True)
class Desk:
    """The window with the index, and where its files are."""

    window: DrivenWindow
    wait: Callable[[], None]
    folder: Path

    def page(self, screen, tab):
        """The presenter of a tab."""
        self.window.show_screen(screen)
        shown = self.window.screens[screen]
        found = shown.turn_to(tab)
        self.wait()
        return found.presenter


Facts = tuple[str, ...]
Save = Callable[[Desk, Path], object]
Charts = Callable[[Desk], Callable[[], tuple[Chart, ...]] | None]


@dataclass(frozen=True)
class Surface:
    """A tab: how it is asked, what it saves, and which values both files state."""

    tab: str
    ask: Callable[[Desk], object]
    stated: Facts
    save: Save | None = None
    charts: Charts | None = None
    of_table: Facts = ()
    of_figure: Facts = ()


QUERY: Facts = (
    "the AND cat", '"the" AND "cat"', "40 tokens", "author is Ann", "with “mat” within 60 tokens", "ignore case: yes",
    "sample: 6 of", "seed: 3", "lines deleted by hand: 1",
)  # fmt: skip
"""What is stated of the lines of the Search screen."""


def search(desk):
    """Ask with settings that are not the usual ones: everything below is about 5 of 6 lines."""
    desk.window.show_screen("search")
    presenter = desk.window.search.presenter
    presenter.query.choose(ignore_case=True)
    presenter.query.choose_distance(40)
    desk.window.search.search_for("the AND cat")
    desk.wait()
    presenter.filters.add(FieldFilter("author", "=", "Ann"))
    presenter.filters.add_near("mat", 60, True)
    desk.wait()
    presenter.lines.choose(sample=6, seed=3)
    desk.wait()
    presenter.edits.delete([0])
    desk.wait()
    return presenter


def view(desk, which):
    if desk.window.search.presenter.state.lines.answer.value is None:
        search(desk)
    desk.window.show_screen("search")
    desk.window.search.presenter.show_view(which)
    desk.wait()
    return desk.window.search.presenter


def search_charts(desk):
    return desk.window.search.presenter.state.charts


def save_view(table):
    def save(desk, path):
        desk.window.search.actions_of_lines.presenter.save_table(path, table(desk.window.search.presenter.state))

    return save


def near(name):
    """The presenter of collocates or clusters."""
    return lambda desk: getattr(desk.window.search.presenter.views, name)


def ask_near(desk, which, **rule):
    view(desk, which)
    presenter = near("collocates" if which is View.COLLOCATES else "clusters")(desk)
    presenter.set(**rule)
    presenter.run(make=True)
    desk.wait()


def ask_watch(desk):
    view(desk, View.WATCH).watch_list.open(desk.folder / "watched.txt")
    desk.wait()


def ask_compare(desk):
    view(desk, View.COMPARE).comparison.add("harbor")
    desk.wait()


def ask_tab(screen, tab, make=True, **rule):
    def ask(desk):
        presenter = desk.page(screen, tab)
        presenter.set(**rule)
        desk.wait()
        if make:
            presenter.run(make=True)
            desk.wait()

    return ask


def of_tab(screen, tab):
    save = lambda desk, path: desk.window.screens[screen].page(tab).presenter.save(path)  # noqa: E731
    charts = lambda desk: desk.window.screens[screen].page(tab).presenter.charts()  # noqa: E731
    return {"save": save, "charts": charts}


def ask_keywords(desk):
    presenter = desk.page("statistics", "keywords")
    presenter.set(min_count=2, min_documents=2, measure="log_ratio", operator="=")
    presenter.choose_field("author")
    desk.wait()
    presenter.choose_value("Ann", None)
    presenter.run(make=True)
    desk.wait()


def ask_bench(desk):
    presenter = desk.page("curation", "contamination")
    presenter.add_files([desk.folder / "questions.jsonl"])
    presenter.set(unit="tokens", question="question", without_own=True)
    desk.wait()


def ask_export(desk):
    duplicates = desk.page("curation", "duplicates")
    duplicates.set(length=30, gap=4, rule="all")
    duplicates.run()
    desk.wait()
    desk.window.screens["curation"].take(duplicates.state.cuts)
    desk.wait()
    desk.page("curation", "export").set(gap=7)
    desk.wait()


def ask_perplexity(desk):
    presenter = desk.page("model", "perplexity")
    presenter.enter(files=(desk.folder / "answers.jsonl",), group="model")
    presenter.leave_one_out(True)
    presenter.run()
    desk.wait()


def ask_mix(desk):
    presenter = desk.page("model", "mix")
    presenter.choose_method("witten-bell")
    presenter.open_file(desk.folder / "scored.jsonl")
    desk.wait()


def ask_generate(desk):
    presenter = desk.page("model", "generate")
    presenter.typed("the cat")
    presenter.choose(length=40, seed=11, temperature=0.5, top_k=9, most_verbatim=21)
    presenter.run()
    desk.wait()


def ask_drafts(desk):
    presenter = desk.page("model", "drafts")
    presenter.enter(files=(desk.folder / "answers.jsonl",))
    presenter.set(context=9, max_draft=6, min_probability=0.25)
    presenter.run()
    desk.wait()


def ask_next(desk):
    desk.window.show_screen("next_token")
    desk.window.next_token.presenter.typed("the cat sat")
    desk.window.next_token.presenter.set(n=4)
    desk.window.next_token.presenter.set(words=False)
    desk.wait()


def ask_trace(desk):
    desk.window.show_screen("trace")
    presenter = desk.window.trace.presenter
    presenter.set_up(seed=77, min_length=3, density=0.5)
    presenter.trace_text("Perhaps the cat sat on the mat, and the dog saw it.", "What did the dog see?")
    desk.wait()


def ask_file(desk):
    ask_trace(desk)
    presenter = desk.window.trace.presenter.batch
    presenter.open(desk.folder / "answers.jsonl")
    desk.wait()
    presenter.run()
    desk.wait()


def save_report(desk, path):
    presenter = desk.window.trace.presenter
    presenter.reports.save(path.with_suffix(".json"), presenter.reported)


def ask_agreement(which):
    def ask(desk):
        desk.window.show_screen("agreement")
        presenter = desk.window.agreement.presenter
        presenter.enter(
            files=(desk.folder / "answers.jsonl",),
            group="model",
            max_texts=2,
            max_tokens=20,
            seed=5,
            max_n=4,
            prompt_tokens=3,
            without_self=True,
        )
        presenter.run()
        desk.wait()
        if which is AgreementTab.NEURAL:
            presenter.open_neural(desk.folder / "scored.jsonl")
            desk.wait()
        presenter.show(view=which)

    return ask


AGREEMENT: Facts = (
    "texts: 4", "texts per source: 2", "seed: 5", "tokens per text: 20", "a: 2 texts", "b: 2 texts", "answers.jsonl",
    "field of the source: model", "n of the n-gram model: 4", "context and not scored: 3", "excluded:",
)  # fmt: skip
TRACE: Facts = ("SHA-256 of the text", "seed: 77", "min length: 3", "density: 0.5", "not excluded")

SURFACES = (
    Surface(
        "search/Lines",
        search,
        QUERY,
        lambda desk, path: desk.window.search.actions_of_lines.presenter.export(path, None),
        of_table=("lines: 5", "context:"),
    ),
    Surface(
        "search/Breakdown",
        lambda desk: view(desk, View.BREAKDOWN).views.breakdown.choose("year"),
        (*QUERY, "by: year"),
        save_view(lambda state: facet_table(state.breakdown)),
        search_charts,
    ),
    Surface(
        "search/Dispersion",
        lambda desk: view(desk, View.DISPERSION),
        (*QUERY, "equal parts"),
        save_view(lambda state: parts_table(state.dispersion)),
        search_charts,
    ),
    Surface(
        "search/Compare",
        ask_compare,
        ("harbor", "ignore case: yes", "distance: 40", "log ratio against"),
        save_view(lambda state: comparison_table(state.comparison)),
        search_charts,
    ),
    Surface(
        "search/Watch list",
        ask_watch,
        ("watched.txt", "ignore case: yes", "patterns: 2"),
        save_view(lambda state: watched_table(state.watch_list)),
    ),
    Surface(
        "search/Collocates",
        lambda desk: ask_near(desk, View.COLLOCATES, window=(2, 3), min_count=1, sort="mi", within="sentence"),
        (
            *QUERY,
            "window: 2,3",
            "within: sentence",
            "least count: 1",
            "unit: words",
            "sorted by: mi",
            "counted around: 5",
        ),
        lambda desk, path: near("collocates")(desk).save(path),
        lambda desk: near("collocates")(desk).charts(),
    ),
    Surface(
        "search/Clusters",
        lambda desk: ask_near(desk, View.CLUSTERS, size=(3, 3), side="left", min_count=1, unit="tokens"),
        (*QUERY, "size: 3,3", "side: left", "least count: 1", "unit: tokens", "counted around: 5"),
        lambda desk, path: near("clusters")(desk).save(path),
    ),
    Surface(
        "statistics/words",
        ask_tab("statistics", "words", max_n=2, min_count=3, min_documents=2, begins_with="the"),
        ("unit: words", "n: 2", "least count: 3", "least documents: 2", "begins with: the"),
        **of_tab("statistics", "words"),
    ),
    Surface(
        "statistics/keywords",
        ask_keywords,
        ("author is Ann", "sorted by: log_ratio", "least count: 2", "least documents: 2", "unit: words"),
        **of_tab("statistics", "keywords"),
    ),
    Surface(
        "statistics/growth",
        ask_tab("statistics", "growth", window=9, shuffle=8, by="author"),
        ("unit: words",),
        **of_tab("statistics", "growth"),
        of_table=("window of MATTR: 9", "groups: author"),
        of_figure=("seed 8",),
    ),
    Surface(
        "statistics/dispersion",
        ask_tab("statistics", "dispersion", parts="slices", slices=7, text="cat, dog"),
        ("cat; dog", "7"),
        **of_tab("statistics", "dispersion"),
    ),
    Surface(
        "statistics/word-lengths",
        ask_tab("statistics", "word-lengths", min_count=2, examples=4),
        ("unit: words", "least count: 2", "examples: 4"),
        **of_tab("statistics", "word-lengths"),
    ),
    Surface(
        "curation/duplicates",
        ask_tab("curation", "duplicates", make=False, length=30, rule="first", across=True),
        (),
        **of_tab("curation", "duplicates"),
        of_table=("least length: 30",),
        of_figure=("rule: first", "another document: yes"),
    ),
    Surface(
        "curation/contamination",
        ask_bench,
        ("questions.jsonl", "unit: tokens", "field of the question: question", "excluded: yes", "flagged: "),
        **of_tab("curation", "contamination"),
    ),
    Surface(
        "curation/personal",
        ask_tab("curation", "personal", make=False, kinds=("email", "ip", "card", "key"), masked=False),
        ("kinds: email, ip, card, key", "masked: no"),
        of_tab("curation", "personal")["save"],
    ),
    Surface(
        "curation/export",
        ask_export,
        ("length: 30", "gap: 4", "rule: all", "joined: 7"),
        of_tab("curation", "export")["save"],
    ),
    Surface(
        "model/perplexity",
        ask_perplexity,
        (
            "leave one out: yes",
            "answers.jsonl",
            "field of the source: model",
            "a: 3 texts",
            "method: learned, tuned on",
        ),
        charts=of_tab("model", "perplexity")["charts"],
    ),
    Surface(
        "model/mix",
        ask_mix,
        ("method: witten-bell", "scored.jsonl", "model: tiny", "tuned on"),
        charts=of_tab("model", "mix")["charts"],
    ),
    Surface(
        "model/generate",
        ask_generate,
        ("prompt: the cat", "max tokens: 40", "seed: 11", "temperature: 0.5", "top k: 9", "most verbatim: 21"),
        lambda desk, path: of_tab("model", "generate")["save"](desk, path.with_suffix(".txt")),
        of_tab("model", "generate")["charts"],
    ),
    Surface(
        "model/drafts",
        ask_drafts,
        ("context: 9", "max draft: 6", "min probability: 0.25", "answers.jsonl", "texts: 6"),
        charts=of_tab("model", "drafts")["charts"],
    ),
    Surface(
        "next_token",
        ask_next,
        ("prompt: the cat sat", "n: 4", "unit: tokens"),
        charts=lambda desk: desk.window.next_token.presenter.charts(),
    ),
    Surface(
        "next_token/tree",
        ask_next,
        ("root:", "branches at each depth"),
        charts=lambda desk: desk.window.next_token.presenter.tree_charts(),
    ),
    Surface(
        "trace",
        ask_trace,
        (*TRACE, "What did the dog see?"),
        save_report,
        lambda desk: desk.window.trace.presenter.choice.state.charts,
    ),
    Surface(
        "trace/file",
        ask_file,
        ("answers.jsonl", "seed: 77", "min length: 3", "not excluded", "texts: 6", "field of the text: text"),
        lambda desk, path: desk.window.trace.presenter.batch.save(path),
    ),
    *(
        Surface(
            f"agreement/{which.name}",
            ask_agreement(which),
            AGREEMENT if which is not AgreementTab.NEURAL else ("scored.jsonl", "tokens:"),
            charts=lambda desk: desk.window.agreement.presenter.charts(),
        )
        for which in AgreementTab
    ),
)


def test_every_tab_has_a_row():
    tabs = {f"{screen}/{tab.id}" for screen, tabs in TABBED.items() for tab in tabs}
    tabs |= {f"search/{name}" for name in VIEW_NAMES} | {f"agreement/{tab.name}" for tab in AgreementTab}
    rows = {surface.tab for surface in SURFACES}
    assert tabs | {"next_token", "next_token/tree", "trace", "trace/file"} == rows


TABBED = {"statistics": STATISTICS, "curation": CURATION, "model": MODEL}


@pytest.fixture(scope="module")
def opened(shared_window, module_bot, folder):
    open_behind(shared_window, module_bot, folder / "index")
    return shared_window


@pytest.fixture
def desk(opened, qtbot, folder):
    def wait():
        # Typed numbers are asked about a moment later.
        qtbot.wait(450)
        qtbot.waitUntil(settled(opened))

    return Desk(opened, wait, folder)


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.tab)
def test_a_table_and_a_figure_state_every_field(surface, desk, tmp_path):
    fingerprint = f"index fingerprint: {desk.window.corpus.index.fingerprint}"
    surface.ask(desk)
    desk.wait()
    if surface.save is not None:
        surface.save(desk, tmp_path / "table.csv")
        desk.wait()
        lacking = [each for each in (fingerprint, *surface.stated, *surface.of_table) if each not in facts_in(tmp_path)]
        assert not lacking, facts_in(tmp_path)
    if surface.charts is not None:
        make = surface.charts(desk)
        assert make is not None
        for chart in make():
            path = tmp_path / f"{chart.name}.csv"
            save_chart(chart, path)
            found = facts_of(json.loads(about_path(path).read_text(encoding="utf-8")))
            lacking = [each for each in (fingerprint, *surface.stated, *surface.of_figure) if each not in found]
            assert not lacking, found


def test_the_lines_of_a_row_state_the_table_that_it_is_of(desk, tmp_path):
    ask_near(desk, View.COLLOCATES, window=(2, 3), min_count=1)
    presenter = near("collocates")(desk)
    presenter.choose(0)
    presenter.read()
    desk.wait()
    presenter.lines.save(tmp_path / "table.csv")
    desk.wait()
    found = facts_in(tmp_path)
    assert [each for each in (*QUERY, "window: 2,3", "form: ", "lines written: ") if each not in found] == [], found


def test_the_tables_of_agreement_have_every_source_that_is_compared(desk):
    for which, column in ((AgreementTab.EFFECTIVE_N, "group"), (AgreementTab.COUNT, "group")):
        ask_agreement(which)(desk)
        presenter = desk.window.agreement.presenter
        presenter.choose_source(presenter.state.choices[1][0])
        desk.wait()
        first = presenter.charts()()[0]
        assert first.header[0] == column and {row[0] for row in first.data} == {"a", "b"}
        assert dict(first.facts)["source drawn first"] == "b"


def test_a_table_of_answers_has_a_column_for_each_field(desk, tmp_path):
    ask_file(desk)
    desk.window.trace.presenter.batch.save(tmp_path / "table.csv")
    desk.wait()
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        assert [row["model"] for row in csv.DictReader(file)] == [answer["model"] for answer in ANSWERS]


def facts_in(folder):
    """The facts of the one table or report in a folder, line by line."""
    paths = [path for path in folder.iterdir() if path.name.startswith("table")]
    assert paths, "nothing was saved"
    about = next((path for path in paths if path.name.endswith(".about.json")), None)
    if about is not None:
        return facts_of(json.loads(about.read_text(encoding="utf-8")))
    return facts_of(json.loads(paths[0].read_text(encoding="utf-8"))["about"])


def facts_of(about):
    lines = (
        (name, value) for name, values in about.items() for value in ([values] if isinstance(values, str) else values)
    )
    return "\n".join(f"{name}: {value}" for name, value in lines)

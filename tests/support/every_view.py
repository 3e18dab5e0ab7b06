"""Every view, pop-over, side sheet and dialog of the window, by stages: no index, nothing asked, everything answered.

`stages` brings a window from one stage to the next; the views of a stage can be shown in any order and in any kind of
window, since each puts back what it changes.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from driven import DrivenWindow
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot
from views import TEXT, busy

from explorer.analyses.metadata.values import FieldFilter
from explorer.analyses.registry import derived
from explorer.core.jobs import Progress
from explorer.errors import CorpusError
from explorer.gui.app.leave_dialog import LeaveDialog
from explorer.gui.app.log_dialog import LogDialog
from explorer.gui.chrome.status_bar import JobsPopover
from explorer.gui.document.panel import ask_original
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.job import Job, JobClock
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.curation.contamination.page import ContaminationPage
from explorer.gui.screens.curation.duplicates.page import DuplicatesPage
from explorer.gui.screens.curation.export.page import ExportPage
from explorer.gui.screens.curation.screen import CurationScreen
from explorer.gui.screens.index.build.left_out import LineDialog
from explorer.gui.screens.index.build.state import Built
from explorer.gui.screens.index.state import Page
from explorer.gui.screens.model.generate.page import GeneratePage
from explorer.gui.screens.model.mix.page import MixPage
from explorer.gui.screens.model.perplexity.page import PerplexityPage
from explorer.gui.screens.model.perplexity.presenter import PerplexityPresenter
from explorer.gui.screens.settings.state import PAGES
from explorer.gui.screens.statistics.dispersion.page import DispersionPage
from explorer.gui.screens.statistics.keywords.page import KeywordsPage
from explorer.gui.screens.statistics.screen import StatisticsScreen
from explorer.gui.screens.statistics.words.page import WordsPage
from explorer.gui.screens.trace.documents.choice_state import Tab
from explorer.gui.screens.trace.screen import TraceScreen
from explorer.gui.screens.trace.state import Part
from explorer.gui.screens.trace.state import View as TraceTab
from explorer.gui.widgets.fields.popover import Popover
from explorer.neural.address import ServerError

_NAMES = ("the archive of the parish council", "minutes", "letters", "newspapers of the county, third series")
_LONG = "A report on the state of the roads, bridges and harbors of the county, with appendices and a map"
ANSWER = """# What the cat did

The cat sat on the mat, and **the dog saw the cat on the rug**.

1. A dog that nobody knows sat on the mat: `sat(dog, mat)`.
2. It is important to note that $a^2 + b^2 = c^2$.

```python
def add(a, b):
    return a + b
```
"""
TURNS = (
    ("user", "What sat on the mat?"),
    ("assistant", "Perhaps the cat sat on the mat. " * 12),
    ("user", "Who saw it?"),
    ("assistant", "the dog saw the cat on the rug, and the dog sat."),
)
_NUMBERS = itertools.count(1)
ASKED: dict[str, Any] = {
    "two": True,
    "system": "Answer in one sentence.",
    "sides": [
        {"url": f"http://model-{n}.example:8080", "model": "a-model-with-a-long-name-q4_k_m.gguf"} for n in (1, 2)
    ],
}
"""Two models that were asked, without their conversations."""
CONVERSATION = json.dumps([{"role": role, "content": content} for role, content in TURNS])


@dataclass(frozen=True)
class Seen:
    """One view: its name, what shows it and gives the window to look at, and what puts everything back."""

    name: str
    show: Callable[[], QWidget]
    leave: Callable[[], object] = lambda: None


def write_corpus(folder: Path) -> None:
    """Texts with metadata for an index: long values, many fields, text from right to left, a code file."""
    with (folder / "records.jsonl").open("w", encoding="utf-8") as out:
        for number in range(60):
            text = f"{TEXT} Record {number}. It is important to note that the cat sat. {'And so on. ' * (number % 7)}"
            if number % 10 == 3:
                text = "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. the cat sat on the mat."
            record = {
                "text": text,
                "title": f"{_LONG} ({number})",
                "source": _NAMES[number % len(_NAMES)],
                "year": 1890 + number,
                "url": f"https://example.org/archive/{'long-path/' * 6}{number}",
            }
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_answers(folder: Path) -> tuple[Path, Path]:
    """A file of answers, and one to compare with."""
    paths = (folder / "answers-of-a-model-with-a-long-name-7b.jsonl", folder / "people.jsonl")
    for path in paths:
        records = (
            {"instruction": f"What sat, {number}?", "output": f"{ANSWER} {number}", "generator": path.stem}
            for number in range(12)
        )
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return paths


def _scores(text: str) -> str:
    """A file of log probabilities of a text, word by word."""
    words = [each.span() for each in re.finditer(r"\s*\S+", text)]
    tokens = [{"start": a, "end": b, "logprob": -0.5 - (a * 7 % 11) if a else None} for a, b in words]
    return json.dumps({"text": text, "model": "a model with a long name, 7b", "tokens": tokens}) + "\n"


def mix_of(window: DrivenWindow) -> MixPage:
    """The tab of the Model screen that mixes with a neural model."""
    return cast(MixPage, window.model.page("mix"))


def generate_of(window: DrivenWindow) -> GeneratePage:
    """The tab of the Model screen that writes texts."""
    return cast(GeneratePage, window.model.page("generate"))


_DERIVED = tuple(row.name for row in derived() if row.screen == "statistics")
"""The tabs of Statistics that are made from rows of the registry."""


def statistics_of(window: DrivenWindow) -> StatisticsScreen:
    """The Statistics screen."""
    return cast(StatisticsScreen, window.screens["statistics"])


def _ask_statistics(window: DrivenWindow, qtbot: QtBot) -> None:
    screen = statistics_of(window)
    words, keywords = cast(WordsPage, screen.page("words")), cast(KeywordsPage, screen.page("keywords"))
    window.show_screen("statistics")
    screen.turn_to("words")
    _wait(window, qtbot)
    words.presenter.run(make=True)
    _wait(window, qtbot)
    words.presenter.choose(0)
    screen.turn_to("keywords")
    field = keywords.presenter.state.fields[0]
    keywords.presenter.choose_field(field)
    _wait(window, qtbot)
    values = keywords.presenter.state.values
    assert values is not None
    keywords.presenter.set(min_count=1)
    keywords.presenter.choose_value(values.bars[0].label, values.bars[0])
    _wait(window, qtbot)
    keywords.presenter.choose(0)
    _wait(window, qtbot)
    for part in ("growth", *_DERIVED):
        screen.turn_to(part)
        _wait(window, qtbot)
    spread = cast(DispersionPage, screen.page("dispersion"))
    screen.turn_to("dispersion")
    _wait(window, qtbot)
    spread.presenter.set(text="the, of")
    _wait(window, qtbot)
    spread.presenter.choose(0)
    _wait(window, qtbot)
    screen.turn_to("words")


def curation_of(window: DrivenWindow) -> CurationScreen:
    """The Curation screen."""
    return cast(CurationScreen, window.screens["curation"])


def _ask_curation(window: DrivenWindow, qtbot: QtBot, folder: Path) -> None:
    screen = curation_of(window)
    window.show_screen("curation")
    copies = cast(DuplicatesPage, screen.turn_to("duplicates"))
    _wait(window, qtbot)
    copies.presenter.list.choose(0)
    _wait(window, qtbot)
    copies.presenter.set(length=4)
    copies.presenter.run()
    _wait(window, qtbot)
    if (cuts := copies.presenter.state.cuts) is not None and len(cuts.ranges):
        screen.take(cuts)
        _wait(window, qtbot)
        cast(ExportPage, screen.page("export")).presenter.choose(0)
        _wait(window, qtbot)
    screen.turn_to("personal")
    _wait(window, qtbot)
    bench = cast(ContaminationPage, screen.turn_to("contamination"))
    bench.presenter.add_files([_write_benchmark(window, folder)])
    _wait(window, qtbot)
    bench.presenter.choose(0)
    _wait(window, qtbot)
    screen.turn_to("duplicates")


def _write_benchmark(window: DrivenWindow, folder: Path) -> Path:
    """A benchmark whose first items are in the texts, and whose others are not."""
    assert window.corpus is not None
    numbers = range(min(8, window.corpus.document_count))
    texts = [" ".join(window.corpus.document(number).text.split()[:30]) for number in numbers]
    rows = [{"question": text, "answer": "nobody knows"} for text in texts]
    rows += [{"question": f"How many of the {count} zebras sleep, if {count} do not?"} for count in range(40)]
    file = folder / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


# The stages.


def _wait(window: DrivenWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not busy(window))


def open_index(window: DrivenWindow, qtbot: QtBot, index: Path) -> None:
    """From the first stage to the second."""
    window.open(OpenRequest((str(index),)))
    qtbot.waitUntil(lambda: window.corpus is not None)
    _wait(window, qtbot)


def ask_everything(
    window: DrivenWindow, qtbot: QtBot, folder: Path, text: str = ANSWER, query: str = "the cat", prompt: str = "on the"
) -> None:
    """From the second stage to the third: every screen shows an answer.

    Parameters
    ----------
    window, qtbot
        The window, and what waits for it.
    folder
        Where files are written that screens open.
    text, query, prompt
        What is traced, searched for, and continued.
    """
    answers, people = write_answers(folder)
    watched = folder / "watch.txt"
    watched.write_text("the cat\nthe dog saw the cat on the rug\nit is important to note that\nzebra\n")
    search, trace, agreement = window.search.presenter, window.trace.presenter, window.agreement.presenter
    trace.trace_text(text, "A prompt")
    trace.conversation.take_text(CONVERSATION)
    turns = [["user", text], ["assistant", text]]
    trace.ask.restore({"ask": ASKED | {"sides": [{**side, "turns": turns} for side in ASKED["sides"]]}})
    trace.batch.open(answers)
    window.next_token.bar.prompt.setPlainText(prompt)
    writing = generate_of(window).presenter
    writing.typed(prompt)
    writing.choose(length=120)
    writing.run()
    agreement.enter(text=TEXT, files=(answers, people))
    agreement.run()
    scored = perplexity_of(window)
    scored.enter(text=TEXT, files=(answers, people))
    scored.run()
    mixed = folder / "scores-of-a-model-with-a-long-name-7b.jsonl"
    mixed.write_text(_scores(TEXT))
    window.model.page("mix").restore_session({"text": TEXT, "from_file": True, "file": str(mixed)})
    window.model.page("drafts").restore_session({"text": TEXT, "files": [str(answers), str(people)]})
    _ask_statistics(window, qtbot)
    _ask_curation(window, qtbot, folder)
    search.search_for(query)
    for phrase in (query, "the dog saw the cat on the rug", "zebra"):
        search.comparison.add(phrase)
    search.watch_list.open(watched)
    _wait(window, qtbot)
    for number in (1, 2, 3, 4, 5, 6):
        search.show_view(number)
    _wait(window, qtbot)
    search.views.collocates.choose(0)
    search.views.clusters.choose(0)
    search.show_view(0)
    trace.batch.run()
    trace.choice.choose_passage(0)
    window.search.pages.lines.step(1)
    window.index.presenter.check_now()
    window.index.presenter.build.add_sources([str(folder)])
    window.index.presenter.build.estimate()
    search.edits.toggle_mark([0, 2])
    search.edits.note([1], "a note")
    _wait(window, qtbot)


# The views.


def perplexity_of(window: DrivenWindow) -> PerplexityPresenter:
    """The presenter of the Perplexity tab of the Model screen."""
    page = window.model.page("perplexity")
    assert isinstance(page, PerplexityPage)
    return page.presenter


def _at(window: DrivenWindow, screen: str, *changes: Callable[[], object], panel: bool = False) -> QWidget:
    window.show_screen(screen)
    if window.panel.isVisible() != panel:
        window.stage.toggle_panel()
    for change in changes:
        change()
    return window


def empty_views(window: DrivenWindow) -> Iterator[Seen]:
    """Every screen before anything was asked, with an index or without."""
    for screen in ("search", "next_token", "agreement", "model", "statistics", "curation"):
        yield Seen(f"{screen}, empty", partial(_at, window, screen))
    for tab in TraceTab:
        show = partial(window.trace.presenter.choose_view, tab)
        yield Seen(f"trace, {tab.name.lower()}, empty", partial(_at, window, "trace", show))
    yield Seen("index, start", partial(_at, window, "index", partial(window.index.presenter.show_page, Page.OPEN)))


def screen_views(window: DrivenWindow, qtbot: QtBot) -> Iterator[Seen]:
    """Every screen and tab with an answer."""
    at = partial(_at, window)
    yield from _search_views(window)
    for number, name in enumerate(("what comes next", "context", "tree")):
        yield Seen(
            f"next token, {name}", partial(at, "next_token", partial(window.next_token.tabs.setCurrentIndex, number))
        )
    yield from _trace_views(window, qtbot)
    tabs = window.agreement.halves.plots.tabs
    for number in range(tabs.count()):
        name = tabs.tabText(number).lower()
        yield Seen(f"agreement, {name}", partial(at, "agreement", partial(tabs.setCurrentIndex, number)))
    yield from _model_views(window)
    for part in ("words", "keywords", *_DERIVED, "growth", "dispersion"):
        yield Seen(f"statistics, {part}", partial(at, "statistics", partial(statistics_of(window).turn_to, part)))
    for part in ("duplicates", "contamination", "personal", "export"):
        yield Seen(f"curation, {part}", partial(at, "curation", partial(curation_of(window).turn_to, part)))
    yield from _index_views(window)
    for name in PAGES:
        yield Seen(f"settings, {name}", partial(at, "settings", partial(window.open_settings, name)))


def _search_views(window: DrivenWindow) -> Iterator[Seen]:
    search, at = window.search, partial(_at, window)
    for number, name in enumerate(
        ("lines", "breakdown", "dispersion", "compare", "watch list", "collocates", "clusters")
    ):
        yield Seen(f"search, {name}", partial(at, "search", partial(search.presenter.show_view, number)))
    lines = partial(search.presenter.show_view, 0)
    filters, fields = search.presenter.filters, window.corpus.metadata_fields if window.corpus is not None else ()
    field = "source" if "source" in fields else fields[-1]
    for number, name in ((1, "filter"), (4, "filters")):
        conditions = tuple(FieldFilter(field, "=", each) for each in (*_NAMES, _LONG)[:number])
        yield Seen(
            f"search, {number} {name}",
            partial(at, "search", lines, partial(filters.put, conditions)),
            partial(filters.put, ()),
        )
    yield Seen("search, document", partial(at, "search", lines, panel=True))
    yield Seen(
        "search, document with find bar",
        partial(at, "search", lines, lambda: window.panel.find_bar.open(), panel=True),
        window.panel.find_bar.hide,
    )


def _trace_views(window: DrivenWindow, qtbot: QtBot) -> Iterator[Seen]:
    trace, at = window.trace, partial(_at, window)
    text = partial(trace.presenter.choose_view, TraceTab.TEXT)
    panes = trace.text.panes
    beside, back = partial(panes.reveal, trace.text.evidence), partial(panes.reveal, trace.text.texts)
    for tab in Tab:
        yield Seen(
            f"trace, text, {tab.name.lower()}",
            partial(at, "trace", text, partial(trace.presenter.choice.show_tab, tab), beside),
            back,
        )
    documents = partial(trace.presenter.choice.show_tab, Tab.DOCUMENTS)
    yield Seen("trace, document beside", partial(at, "trace", text, documents, panel=True))
    yield Seen(
        "trace, as written",
        partial(at, "trace", text, documents, partial(trace.presenter.show_part, Part.SOURCE, True)),
        partial(trace.presenter.show_part, Part.SOURCE, False),
    )
    yield Seen(
        "trace, prompt",
        partial(at, "trace", text, partial(trace.presenter.show_part, Part.PROMPT, True)),
        partial(trace.presenter.show_part, Part.PROMPT, False),
    )
    yield Seen(
        "trace, settings",
        partial(at, "trace", text, partial(trace.presenter.show_part, Part.SETTINGS, True)),
        partial(trace.presenter.show_part, Part.SETTINGS, False),
    )

    def side_by_side() -> QWidget:
        at("trace", text, documents, partial(trace.presenter.side.compare, 0))
        qtbot.waitUntil(lambda: trace.presenter.side.state.answer.current is not None)
        return window

    # Without a tokenizer nothing is traced, so there is no document to compare with.
    if trace.presenter.state.trace is not None:
        yield Seen("trace, side by side", side_by_side, trace.presenter.side.close)
    ask = partial(trace.presenter.choose_view, TraceTab.ASK)
    box, picker = partial(_ask_popover, trace, False), partial(_ask_popover, trace, True)
    yield Seen("trace, ask, model", partial(at, "trace", ask, lambda: picker().open()), lambda: picker().close())
    yield Seen("trace, ask, manner", partial(at, "trace", ask, lambda: box().open()), lambda: box().close())
    for view in (TraceTab.CONVERSATION, TraceTab.FILE, TraceTab.ASK):
        yield Seen(f"trace, {view.name.lower()}", partial(at, "trace", partial(trace.presenter.choose_view, view)))


def _ask_popover(trace: TraceScreen, model: bool) -> Popover:
    page = trace.pages.ask
    return page.pickers[0].popover if model else page.box.popover


def _model_views(window: DrivenWindow) -> Iterator[Seen]:
    at = partial(_at, window)
    scored = perplexity_of(window)
    by_source = (partial(scored.show_by, True), partial(scored.choose_token, 20))
    turn = partial(window.model.turn_to, "perplexity")
    yield Seen("model, perplexity", partial(at, "model", turn))
    yield Seen("model, perplexity by source", partial(at, "model", turn, *by_source), partial(scored.show_by, False))
    turn = partial(window.model.turn_to, "mix")
    tables = mix_of(window).tables
    for number, name in enumerate(("halves", "tokens")):
        yield Seen(f"model, mix, {name}", partial(at, "model", turn, partial(tables.turn_to, number)))
    yield Seen(
        "model, mix, server",
        partial(at, "model", turn, partial(mix_of(window).presenter.take_from, False)),
        partial(mix_of(window).presenter.take_from, True),
    )
    turn = partial(window.model.turn_to, "generate")
    yield Seen("model, generate", partial(at, "model", turn))
    yield Seen("model, drafts", partial(at, "model", partial(window.model.turn_to, "drafts")))


def _index_views(window: DrivenWindow) -> Iterator[Seen]:
    index, at = window.index, partial(_at, window)
    for page in Page:
        yield Seen(f"index, {page.name.lower()}", partial(at, "index", partial(index.presenter.show_page, page)))
    build = index.presenter.build

    def building() -> QWidget:
        at("index", partial(index.presenter.show_page, Page.OPEN))
        build.change(begun=build.state.entries.request(), build=Answer[Built]().asked())
        build.change(progress=Progress("Tokenizing", 4_200_000, 10_500_000, "bytes"))
        return window

    yield Seen("index, progress", building, partial(build.change, build=Answer[Built]()))


def wrong_views(window: DrivenWindow) -> Iterator[Seen]:
    """Errors with the answer before them, as after a drive was removed or a table could not be saved."""
    search, trace, index = window.search, window.trace, window.index
    folder = "/media/archive/minutes of the parish council"
    lost = CorpusError("{path} can no longer be read ({cause}).", path=f"{folder}/tokenized.0", cause="No such device")
    error = CorpusError("{path} cannot be written: {cause}.", path=f"{folder}/lines.csv", cause="Read-only file system")
    query = search.presenter.query
    text = partial(trace.presenter.choose_view, TraceTab.TEXT)
    yield Seen("trace, error", partial(_at, window, "trace", text, partial(trace.presenter.fail, error)))
    yield Seen(
        "next_token, error",
        partial(_at, window, "next_token", partial(window.next_token.presenter.fail, error)),
    )
    yield Seen(
        "index, problem",
        partial(_at, window, "index", partial(index.presenter.fail, lost)),
        partial(index.presenter.remark, ""),
    )
    yield Seen(
        "agreement, error",
        partial(_at, window, "agreement", partial(window.agreement.presenter.fail_beside, error)),
    )

    turn = partial(window.model.turn_to, "perplexity")
    yield Seen(
        "model, perplexity, error",
        partial(_at, window, "model", turn, partial(perplexity_of(window).fail_beside, error)),
    )
    asking = ServerError("{host} is not this machine.", reason="not-this-machine", host="models.example.org:8080")
    yield Seen(
        "model, mix, error",
        partial(
            _at,
            window,
            "model",
            partial(window.model.turn_to, "mix"),
            partial(mix_of(window).presenter.fail_beside, asking),
        ),
    )
    writing = generate_of(window).presenter
    answer = writing.state.answer
    yield Seen(
        "model, generate, error",
        partial(
            _at,
            window,
            "model",
            partial(window.model.turn_to, "generate"),
            lambda: writing.change(answer=answer.failed(lost)),
        ),
        lambda: writing.change(answer=answer),
    )

    def lose() -> None:
        search.presenter.show_view(0)
        query.change(answer=query.state.answer.failed(lost))

    yield Seen("search, error", partial(_at, window, "search", lose), search.presenter.try_again)


def popovers(window: DrivenWindow) -> Iterator[Seen]:
    """Every pop-over, over its page."""
    search, agreement = window.search, window.agreement
    lines = partial(search.presenter.show_view, 0)

    def filter_by_words() -> None:
        search.answer.filters.form.ask()
        search.presenter.filters.draft(by_words=True)

    opened = (
        ("search", "query builder", search.bar.open_builder, search.bar.popover),
        ("search", "sort", search.tools.sort_form.open, search.tools.sort_form),
        ("search", "columns", search.tools.columns_form.open, search.tools.columns_form),
        ("search", "filter", search.answer.filters.form.ask, search.answer.filters.form),
        (
            "search",
            "filter by words",
            filter_by_words,
            search.answer.filters.form,
        ),
        (
            "search",
            "note",
            lambda: search.pages.lines.marks.editor.edit("A note", "3 lines"),
            search.pages.lines.marks.editor,
        ),
        ("search", "saved sets", search.pages.lines.marks.sets.open, search.pages.lines.marks.sets),
        ("model", "generate, more", generate_of(window).settings.options.open, generate_of(window).settings.options),
        ("agreement", "sampling", agreement.sampling.open, agreement.sampling),
        ("agreement", "paste", agreement.sources.paste.open, agreement.sources.paste),
    )
    for screen, name, show, popover in opened:
        before = (lines,) if screen == "search" else ()
        yield Seen(f"{screen}, {name}", partial(_at, window, screen, *before, show), popover.close)
    jobs = JobsPopover(window.status.time_label)

    def show_jobs() -> None:
        jobs.draw(_lanes())
        jobs.open()

    yield Seen("jobs", partial(_at, window, "search", show_jobs), jobs.close)
    name = _LONG.lower().replace(",", "").replace(" ", "-")
    saved = partial(window.toasts.saved, window.settings.path, f"Saved 1,111 lines as {name}.csv")

    def hide_toasts() -> None:
        for toast in window.toasts.shown:
            toast.gone.emit()

    yield Seen("toast", partial(_at, window, "search", saved), hide_toasts)


class _Lane:
    """A job at work, for the list of running jobs."""

    busy = True

    def __init__(self, title: str, share: float, builds: bool) -> None:
        pause = (lambda: None) if builds else None
        self.job = Job(title, lambda: None, pause, Path("index") if builds else None)
        self.clock = JobClock(iter((0.0, 0.0, *(9.0,) * 1000)).__next__)
        self.clock.begin()
        self.clock.note(Progress("tokenize", 0, 100))
        self.clock.note(Progress("tokenize", round(100 * share), 100))

    def end(self, keep: bool) -> None:
        """Nothing runs."""


def _lanes() -> list[_Lane]:
    build = _Lane("Build of minutes-of-the-parish-council-1890-1949", 0.4, builds=True)
    return [build, _Lane("Trace of answers.jsonl", 0.1, builds=False)]


def dialogs(window: DrivenWindow, qtbot: QtBot) -> Iterator[Seen]:
    """Every dialog; they are closed by `close_dialogs`."""

    def figure() -> QWidget:
        _at(window, "agreement", partial(window.agreement.halves.plots.tabs.setCurrentIndex, 0))
        button = window.agreement.figure_button
        button.open()
        qtbot.waitUntil(lambda: button.dialog is not None and not button.dialog.preview.image.isNull())
        assert button.dialog is not None
        return button.dialog

    def leave(builds: bool) -> QWidget:
        dialog = LeaveDialog(window)
        one, other = _lanes()
        dialog.draw([one] if builds else [], [other])
        dialog.show()
        return dialog

    def bug() -> QWidget:
        # A new one each time: the same report is shown once.
        number = next(_NUMBERS)
        window.report_bug(f"Traceback (most recent call last):\n  …\nValueError: an example of a report, {number}")
        assert window.bugs.box is not None
        return window.bugs.box

    def log() -> QWidget:
        dialog = LogDialog(window.settings.path.with_name("nothing.log"), window)
        dialog.show()
        return dialog

    def line() -> QWidget:
        dialog = LineDialog(window, "records.jsonl, line 1,204", '{"text": "It is not closed')
        dialog.show()
        return dialog

    def original() -> QWidget:
        ask_original(window, Path("/home/somebody/archive of the parish council/minutes, third series.txt"))
        return window.findChildren(QDialog)[-1]

    def remote() -> QWidget:
        dialog = window.indexes.choose_remote()
        # Nothing is sent: the user is asked first.
        dialog.presenter.type_address("https://corpora-of-the-county-archive.example.org")
        dialog.presenter.list()
        return dialog

    def unsaved() -> QWidget:
        window.projects.when_kept(lambda: None)
        assert window.projects.question is not None
        return window.projects.question

    yield Seen("figure", figure)
    yield Seen("palette", window.open_palette)
    yield Seen("palette, indexes", lambda: window.dialogs.palette("@"))
    yield Seen("help", window.open_help)
    yield Seen("help, tokens", lambda: window.dialogs.help("tokens"))
    yield Seen("unexpected error", bug)
    yield Seen("log", log)
    yield Seen("closing, build", partial(leave, True))
    yield Seen("closing, work", partial(leave, False))
    yield Seen("bad line", line)
    yield Seen("original file", original)
    yield Seen("unsaved changes", unsaved)
    yield Seen("remote index", remote)


def close_dialogs(window: DrivenWindow, qtbot: QtBot) -> None:
    """Close all of them, and wait until they are gone."""
    for dialog in window.findChildren(QDialog):
        dialog.reject()
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))

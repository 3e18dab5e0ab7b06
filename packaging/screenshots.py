"""Pictures of every screen on the sample index, in both themes, from the real window.

usage: python packaging/screenshots.py FOLDER
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import ShowSettings
from explorer.gui.screens.agreement.screen import AgreementScreen
from explorer.gui.screens.curation.screen import CurationScreen
from explorer.gui.screens.index.screen import IndexScreen
from explorer.gui.screens.index.state import Page
from explorer.gui.screens.model.drafts.page import DraftsPage
from explorer.gui.screens.model.generate.page import GeneratePage
from explorer.gui.screens.model.mix.page import MixPage
from explorer.gui.screens.model.perplexity.page import PerplexityPage
from explorer.gui.screens.model.screen import ModelScreen
from explorer.gui.screens.next_token.screen import NextTokenScreen
from explorer.gui.screens.next_token.tree_state import Side
from explorer.gui.screens.search.screen import SearchScreen
from explorer.gui.screens.statistics.screen import StatisticsScreen
from explorer.gui.screens.statistics.words.page import WordsPage
from explorer.gui.screens.trace.screen import TraceScreen
from explorer.gui.settings.matching import Matching
from explorer.gui.settings.store import Settings
from explorer.gui.style.surfaces import all_restyled

SIZE = (1280, 800)
TEXT = """class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty stack")
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(reversed(self._items))


def read_config(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="files to read")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)
    for path in args.paths:
        print(dict(read_config(path)))


if __name__ == "__main__":
    sys.exit(main())
"""


def pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait(condition: Callable[[], bool]) -> None:
    deadline = QDeadlineTimer(120_000)
    while not condition():
        if deadline.hasExpired():
            raise TimeoutError("the window did not get there within two minutes")
        pause(20)


def search_of(window: MainWindow) -> SearchScreen:
    return cast(SearchScreen, window.screens["search"])


def next_token_of(window: MainWindow) -> NextTokenScreen:
    return cast(NextTokenScreen, window.screens["next_token"])


def trace_of(window: MainWindow) -> TraceScreen:
    return cast(TraceScreen, window.screens["trace"])


def model_of(window: MainWindow) -> ModelScreen:
    return cast(ModelScreen, window.screens["model"])


def perplexity_of(window: MainWindow) -> PerplexityPage:
    """The Perplexity tab of the Model screen."""
    return cast(PerplexityPage, model_of(window).turn_to("perplexity"))


def mix_of(window: MainWindow) -> MixPage:
    """The tab of the Model screen that mixes with a neural model."""
    return cast(MixPage, model_of(window).turn_to("mix"))


def generate_of(window: MainWindow) -> GeneratePage:
    """The tab of the Model screen that writes texts."""
    return cast(GeneratePage, model_of(window).turn_to("generate"))


def drafts_of(window: MainWindow) -> DraftsPage:
    """The Draft bench of the Model screen."""
    return cast(DraftsPage, model_of(window).turn_to("drafts"))


def curation_of(window: MainWindow) -> CurationScreen:
    return cast(CurationScreen, window.screens["curation"])


def statistics_of(window: MainWindow) -> StatisticsScreen:
    return cast(StatisticsScreen, window.screens["statistics"])


def words_of(window: MainWindow) -> WordsPage:
    """The list of words of the Statistics screen."""
    return cast(WordsPage, statistics_of(window).turn_to("words"))


def agreement_of(window: MainWindow) -> AgreementScreen:
    return cast(AgreementScreen, window.screens["agreement"])


def index_of(window: MainWindow) -> IndexScreen:
    return cast(IndexScreen, window.screens["index"])


class Camera:
    """Saves numbered pictures of a window."""

    def __init__(self, window: MainWindow, folder: Path, scheme: str) -> None:
        self.window = window
        self.folder = folder
        self.scheme = scheme

    def take_part(self, part: QWidget, name: str) -> None:
        """A dialog by itself, which is closed."""
        pause(250)
        path = self.folder / f"{name}-{self.scheme}.png"
        part.grab().save(str(path))
        print(path)
        part.close()
        pause(50)

    def take(self, name: str) -> None:
        self.window.resize(*SIZE)
        pause(250)
        path = self.folder / f"{name}-{self.scheme}.png"
        if not self.window.grab().save(str(path)):
            raise OSError(f"{path} cannot be written")
        print(path)


def search_tour(window: MainWindow, camera: Camera) -> None:
    """The views, options and problems of the search screen."""
    search = search_of(window)

    def done() -> bool:
        return not search.busy and search.presenter.state.lines.answer.value is not None

    search.search_for("raise ValueError")
    search.presenter.lines.sort_level(0, "1L", False)
    search.presenter.lines.sort_level(1, "2R", True)
    search.presenter.lines.sort_by("")
    search.presenter.columns.show("field:module", True)
    wait(done)
    pause(300)
    wait(done)
    camera.take("search-levels")
    search.presenter.lines.sort_by("right")
    search.presenter.columns.show("field:module", False)
    search.presenter.show_view(1)
    search.pages.fields.field.setCurrentText("module")
    wait(done)
    camera.take("search-fields")
    search.pages.fields.choose(0)
    wait(done)
    search.presenter.show_view(2)
    pause(300)
    wait(done)
    camera.take("search-spread")
    search.presenter.filters.put(())
    for query in ("raise ValueError", "raise TypeError", "raise KeyError", "raise OSError"):
        search.presenter.comparison.add(query)
    search.presenter.show_view(3)
    wait(lambda: search.pages.compare.model.rowCount() == 4)
    camera.take("search-compare")
    text_tour(window, camera)
    search.search_for('"raise ValueError" AND (encoding OR errors) AND NOT utf')
    wait(done)
    search.bar.open_builder()
    camera.take_part(search.bar.popover, "search-builder")
    search.query.setText('"raise ValueError" AND (encoding OR errors')
    wait(lambda: bool(search.answer.problem.text()))
    camera.take("search-problem")
    search.answer.filters.form.ask()
    pause(500)
    camera.take_part(search.answer.filters.form, "search-filter")


def text_tour(window: MainWindow, camera: Camera) -> None:
    """A text as whole words and within words, its cuts, and a narrow field, in three sizes of text."""
    search = search_of(window)

    def ask(query: str, matching: Matching) -> None:
        search.presenter.show_view(0)
        search.search_for(query, matching)
        wait(
            lambda: (
                search.presenter.state.query.found is not None
                and search.presenter.state.query.found.query == query
                and bool(search.answer.cuts.cuts)
            )
        )
        wait(lambda: not search.busy)

    for points in (10, 13, 20):
        window.appearance.change("text_size", points)
        wait(all_restyled)
        ask("os.path.join", Matching(whole_words=False))
        camera.take("search-text" if points == 10 else f"search-text-{points}")
    ask("join", Matching(ignore_case=True))
    search.pages.lines.step(1)
    wait(window.stage.panel.isVisible)
    camera.take("search-words-20")
    window.stage.panel.closed.emit()
    window.appearance.change("text_size", 0)
    wait(all_restyled)
    search.presenter.query.set_options(Matching(), None)


def trace_tour(window: MainWindow, camera: Camera) -> None:
    """A conversation, a text of the corpus itself, and a file of answers."""
    trace = trace_of(window)

    def done() -> bool:
        return trace.presenter.state.answer.current is not None and not trace.busy

    own = window.corpus.document(426).part(200, 600).text if window.corpus else ""
    trace.presenter.trace_text(own)
    wait(lambda: done() and trace.presenter.state.text == own)
    camera.take("trace-own")
    messages = [("user", "Write a stack."), ("assistant", TEXT), ("user", "Shorter."), ("assistant", "pass")]
    trace.presenter.paste(json.dumps([{"role": role, "content": content} for role, content in messages]))
    wait(lambda: len(trace.presenter.conversation.state.answers) == 2)
    camera.take("trace-conversation")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        path.write_text("".join(json.dumps({"answer": text}) + "\n" for text in (own, TEXT, "Roses are red.")))
        trace.presenter.batch.open(path)
        wait(trace.pages.batch.run_button.isEnabled)
        trace.presenter.batch.run()
        wait(lambda: len(trace.presenter.batch.state.shown) == 3)
    trace.tabs.setCurrentIndex(2)
    camera.take("trace-batch")
    trace.tabs.setCurrentIndex(0)


def tour(window: MainWindow, camera: Camera) -> None:
    """Every screen, empty and at work."""
    wait(lambda: trace_of(window).text.evidence.documents.model.rowCount() > 0)
    camera.take("trace")
    trace_of(window).text.evidence.documents.cards.setCurrentIndex(
        trace_of(window).text.evidence.documents.model.index(0, 0)
    )
    trace_of(window).text.evidence.documents.cards.activated.emit(
        trace_of(window).text.evidence.documents.model.index(0, 0)
    )
    wait(lambda: window.stage.panel.text.toPlainText() != "")
    camera.take("trace-document")
    window.stage.panel.closed.emit()
    trace_of(window).presenter.choice.clear()
    trace_tour(window, camera)
    window.show_screen("search")
    camera.take("search-empty")
    search_of(window).search_for("raise ValueError")
    wait(lambda: search_of(window).model.rowCount() > 0)
    camera.take("search")
    search_of(window).pages.lines.step(1)
    wait(window.stage.panel.isVisible)
    pause(300)
    camera.take("search-document")
    window.stage.panel.closed.emit()
    search_tour(window, camera)
    search_of(window).search_for("colourless green ideas")
    wait(lambda: search_of(window).count.text() == "0")
    camera.take("search-nothing")
    next_tour(window, camera)
    agreement_tour(window, camera)
    index_tour(window, camera)
    dialog_tour(window, camera)


def next_tour(window: MainWindow, camera: Camera) -> None:
    """What comes after a prompt."""
    window.show_screen("next_token")
    camera.take("next-empty")
    screen = next_token_of(window)
    screen.bar.prompt.setPlainText("os.path.join(")
    wait(lambda: not screen.busy and screen.presenter.tree.state.answer.current is not None)
    camera.take("next")
    screen.presenter.tree.turn(Side.BOTH)
    wait(lambda: not screen.busy)
    camera.take("next-both")


def agreement_tour(window: MainWindow, camera: Camera) -> None:
    """The plots of a text."""
    window.show_screen("agreement")
    camera.take("agreement-empty")
    agreement_of(window).analyze_text(TEXT)
    wait(agreement_of(window).figure_button.isEnabled)
    camera.take("agreement")
    for number, name in enumerate(("sources", "count"), start=1):
        agreement_of(window).halves.plots.tabs.setCurrentIndex(number)
        camera.take(f"agreement-{name}")


def index_tour(window: MainWindow, camera: Camera) -> None:
    """The open index with its check, what can be opened, and a build that is prepared."""
    window.show_screen("index")
    screen = index_of(window)
    screen.presenter.check_now()
    wait(lambda: screen.presenter.check.state.sound and screen.presenter.about.state.details.value is not None)
    camera.take("index")
    screen.presenter.show_page(Page.OPEN)
    camera.take("index-start")
    screen.presenter.add_sources((str(write_texts()),))
    wait(lambda: bool(screen.pages.prepare.documents.shown))
    camera.take("index-build")
    screen.presenter.build.clear()
    screen.presenter.show_page(Page.ABOUT)


def dialog_tour(window: MainWindow, camera: Camera) -> None:
    """The settings, and every dialog by itself."""
    for page in ("", "Shortcuts"):
        window.ask(ShowSettings(page))
        camera.take(f"settings{page.lower()}")
    for name, dialog in (
        ("palette", window.dialogs.palette()),
        ("help", window.dialogs.help()),
    ):
        camera.take_part(dialog, name)
    window.report_bug("Traceback (most recent call last):\n  …\nValueError: an example of a report")
    assert window.bugs.box is not None
    camera.take_part(window.bugs.box, "bug")
    window.show_screen("agreement")
    agreement_of(window).figure_button.open()
    wait(lambda: agreement_of(window).figure_button.dialog is not None)
    figure = agreement_of(window).figure_button.dialog
    assert figure is not None
    wait(lambda: not figure.preview.image.isNull())
    camera.take_part(figure, "figure")


def write_texts() -> Path:
    """A folder to build from."""
    folder = Path(tempfile.gettempdir()) / "texts"
    folder.mkdir(exist_ok=True)
    (folder / "notes.md").write_text("# Notes\n\nA suffix array lists every suffix of a text in order.\n")
    rows = [{"text": f"Letter {n}: the weather was fine, and we sailed on.", "year": 1800 + n} for n in range(40)]
    (folder / "letters.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def main(folder: Path) -> None:
    # Pictures show no home folder.
    os.environ.setdefault("CORPUS_EXPLORER_DATA", str(Path(tempfile.gettempdir()) / "corpora"))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for scheme in ("light", "dark"):
            settings = Settings(Path(place) / f"{scheme}.json")
            settings.set("scheme", scheme)
            application = make_application(settings)
            window = show_window(Startup(demo=True), settings)
            tour(window, Camera(window, folder, scheme))
            window.close()
            window.deleteLater()
            application.processEvents()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

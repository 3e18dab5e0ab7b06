"""The pictures of the guide, in both themes, from the real window on the sample index.

usage: python packaging/guide_pictures.py resources/guide docs/images
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from functools import partial
from math import log
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from screenshots import (
    TEXT,
    agreement_of,
    curation_of,
    drafts_of,
    generate_of,
    index_of,
    mix_of,
    model_of,
    next_token_of,
    pause,
    perplexity_of,
    search_of,
    statistics_of,
    trace_of,
    wait,
    words_of,
    write_texts,
)

from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.startup import Startup
from explorer.gui.presenting.requests import ShowSettings
from explorer.gui.screens.curation.contamination.page import ContaminationPage
from explorer.gui.screens.curation.duplicates.page import DuplicatesPage
from explorer.gui.screens.curation.export.page import ExportPage
from explorer.gui.screens.index.state import Page
from explorer.gui.screens.search.around.clusters_presenter import ClustersPresenter
from explorer.gui.screens.search.around.collocates_presenter import CollocatesPresenter
from explorer.gui.screens.search.lines.table import KwicTable
from explorer.gui.screens.search.screen import SearchScreen
from explorer.gui.screens.search.state import View
from explorer.gui.screens.statistics.dispersion.page import DispersionPage
from explorer.gui.screens.statistics.keywords.page import KeywordsPage
from explorer.gui.screens.statistics.screen import StatisticsScreen
from explorer.gui.screens.trace.documents.choice_state import Tab
from explorer.gui.settings.store import Settings

WINDOW = QSize(1100, 720)
WIDTH = 660
README_WINDOW = QSize(1280, 800)
_README = {"light": ("trace", "agreement", "next"), "dark": ("search-document",)}
"""The pictures of the README, by the theme that they have there."""
_ALIKE = 7
_MARGIN = 8


def _apart(one: int, other: int) -> int:
    """The largest difference of red, green or blue."""
    return max(abs((one >> shift & 255) - (other >> shift & 255)) for shift in (0, 8, 16))


def few_colors(picture: QImage) -> QImage:
    """With the 256 most common colors that are not alike; Qt's own palette would strew dots over plain grounds."""
    found = Counter(picture.pixel(x, y) for y in range(picture.height()) for x in range(picture.width()))
    palette: list[int] = []
    for color, _ in found.most_common():
        if len(palette) < 256 and all(_apart(color, other) > _ALIKE for other in palette):
            palette.append(color)
    return picture.convertToFormat(
        QImage.Format.Format_Indexed8,
        palette,
        Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither,
    )


class GuideCamera:
    """Saves pictures of a window as the guide shows them: NAME.png, and NAME-dark.png in the dark theme."""

    def __init__(self, window: MainWindow, folder: Path, images: Path, scheme: str) -> None:
        self.window, self.folder, self.images, self.scheme = window, folder, images, scheme
        self._ending = "" if scheme == "light" else "-dark"

    def readme(self, name: str) -> None:
        """The window in the size of the README's pictures, if it has this one in this theme."""
        if name in _README[self.scheme]:
            self._save(self._grab(README_WINDOW), self.images / f"{name}-{self.scheme}.png")

    def whole(self, name: str) -> None:
        """The window, made smaller."""
        self._save(self._grab().scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation), self._path(name))

    def part(self, name: str, *widgets: QWidget, height: int = 0) -> None:
        """A part of the window: the widgets and what is between them, no wider than a page.

        Parameters
        ----------
        name
            The name of the file, without an ending.
        widgets
            What is seen.
        height
            The pixels from the upper edge that are kept; below 0 from the lower edge, 0 for all.
        """
        picture = self._grab()
        area = QRect()
        for widget in widgets:
            area = area.united(QRect(widget.mapTo(self.window, QPoint(0, 0)), widget.size()))
        area.adjust(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
        area = area.intersected(picture.rect())
        if height < 0:
            area.setTop(area.bottom() + height)
        elif height:
            area.setHeight(height)
        seen = picture.copy(area)
        if seen.width() > WIDTH:
            seen = seen.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        self._save(seen, self._path(name))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{self._ending}.png"

    def _grab(self, size: QSize = WINDOW) -> QImage:
        self.window.resize(size)
        # Columns are shared out, and texts are laid out, when the events of the new size are done.
        pause(400)
        return self.window.grab().toImage()

    def _save(self, picture: QImage, path: Path) -> None:
        # PySide6 takes a str for the format, and no bytes, whatever its stubs tell.
        if not few_colors(picture).save(str(path), "PNG", 0):  # type: ignore[call-overload]
            sys.exit(f"{path} cannot be written")
        print(path, path.stat().st_size)


def is_open(window: MainWindow) -> bool:
    """Whether the window has its index and all screens."""
    # The sample's worked example waits for its screen, and is dropped if another is shown meanwhile.
    return window.corpus is not None and window.screens.complete


def _is_read(table: KwicTable, line: int) -> bool:
    return table.row_of(line) is not None


def search_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """Lines, the cuts of a text, marks, the breakdown, the form of the order."""
    window.show_screen("search")
    search = search_of(window)

    def ask(query: str) -> None:
        search.search_for(query)
        wait(lambda: not search.busy and search.count.text() not in ("", "0") and bool(search.answer.cuts.cuts))
        pause(300)

    ask("os.path.join")
    camera.whole("search")
    search.pages.lines.step(1)
    wait(window.stage.panel.isVisible)
    wait(lambda: not window.stage.panel.busy)
    camera.readme("search-document")
    window.stage.panel.closed.emit()
    camera.part("search-text", search.bar, search.answer, height=120)
    table, marks = search.pages.lines.table, search.pages.lines.marks
    wait(lambda: not marks.note_button.isHidden())
    for line in (1, 3):
        table.go_to(line)
        wait(partial(_is_read, table, line))
        marks.mark()
        wait(lambda: not search.busy)
    pause(200)
    camera.part("search-marks", table, marks.sets_button, height=-480)
    marks.undo()
    marks.undo()
    search.tools.open_sort()
    camera.part("search-sort", search.tools, search.tools.sort_form)
    search.tools.sort_form.close()
    search.presenter.show_view(1)
    search.pages.fields.field.setCurrentText("package")
    search.pages.fields.field.textActivated.emit("package")
    wait(lambda: not search.busy)
    pause(500)
    camera.part("search-breakdown", search.tools, search.pages.fields, height=420)
    search.presenter.show_view(0)


def trace_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """The traced answer, a passage side by side, and the profile of a token."""
    window.show_screen("trace")
    trace = trace_of(window)
    wait(lambda: not trace.busy and trace.text.evidence.documents.model.rowCount() > 0)
    camera.whole("trace")
    trace.go_to_longest()
    wait(lambda: not trace.busy)
    camera.readme("trace")
    trace.presenter.choice.clear()
    trace.go_to_longest()
    trace.compare()
    wait(lambda: not trace.busy and trace.presenter.side.state.shown)
    pause(400)
    camera.whole("trace-side-by-side")
    trace.presenter.side.close()
    trace.presenter.choice.show_tab(Tab.PROFILE)
    trace.presenter.profile.choose_character(trace.presenter.state.text.index("_siftdown"))
    wait(lambda: not trace.busy)
    pause(400)
    camera.part("trace-profile", trace.text.evidence)
    trace.presenter.choice.clear()


def other_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """Next token, Agreement, Index and Settings."""
    window.show_screen("next_token")
    screen = next_token_of(window)
    screen.bar.prompt.setPlainText("os.path.join(")
    wait(lambda: not screen.busy and screen.presenter.tree.state.answer.current is not None)
    camera.whole("next-token")
    camera.readme("next")
    camera.part("next-token-tree", screen.tree)
    window.show_screen("agreement")
    agreement = agreement_of(window)
    agreement.analyze_text(TEXT)
    wait(lambda: agreement.figure_button.isEnabled() and agreement.halves.plots.plot.drawn)
    # The sentence, the plot and the text are drawn one after the other.
    wait(lambda: not agreement.invitation.isVisible())
    camera.whole("agreement")
    camera.readme("agreement")
    model_picture(window, camera)
    model_pictures(window, camera)
    statistics_pictures(window, camera)
    window.show_screen("index")
    index = index_of(window)
    index.presenter.check_now()
    wait(lambda: index.presenter.check.state.sound and index.presenter.about.state.details.value is not None)
    camera.whole("index")
    index.presenter.show_page(Page.OPEN)
    index.presenter.add_sources((str(write_texts()),))
    wait(lambda: bool(index.pages.prepare.documents.shown))
    camera.whole("index-build")
    index.presenter.build.clear()
    index.presenter.show_page(Page.ABOUT)
    window.ask(ShowSettings(""))
    camera.whole("settings")


def model_picture(window: MainWindow, camera: GuideCamera) -> None:
    """Perplexity of a text, and a token of it."""
    window.show_screen("model")
    page = perplexity_of(window)
    page.score_text(TEXT)
    wait(lambda: page.presenter.state.answer.current is not None and page.presenter.state.answer.current.whole)
    page.presenter.choose_token(8)
    wait(lambda: page.presenter.state.facts.current is not None)
    camera.whole("model")


def write_scores(window: MainWindow, path: Path) -> None:
    """Score the text by a small model of letters, learned from documents of the corpus, in the format of Mix.

    Parameters
    ----------
    window
        The window with the index.
    path
        The file that is written.
    """
    assert window.corpus is not None
    learned = "".join(window.corpus.document(number).text for number in range(0, 200, 4))
    pairs = Counter(map("".join, zip(*(learned[n:] for n in range(4)), strict=False)))
    letters = Counter[str]()
    for gram, count in pairs.items():
        letters[gram[:3]] += count
    # One more of each letter, so that none is impossible.
    kinds = len(set(learned + TEXT))
    tokens = [
        {
            "start": at,
            "end": at + 1,
            "logprob": log((pairs[TEXT[at - 3 : at + 1]] + 1) / (letters[TEXT[at - 3 : at]] + kinds))
            if at > 2
            else None,
        }
        for at in range(len(TEXT))
    ]
    path.write_text(json.dumps({"text": TEXT, "model": "letters, 4-gram", "tokens": tokens}) + "\n")


def model_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """The other tabs of the Model screen: a mixture, a written text, and drafts."""
    model = model_of(window)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "letters.jsonl"
        write_scores(window, path)
        model.turn_to("mix").restore_session({"text": TEXT, "from_file": True, "file": str(path)})
        wait(lambda: not model.busy and mix_of(window).presenter.state.answer.current is not None)
        camera.whole("model-mix")
    generate = generate_of(window)
    generate.presenter.typed("def read(self, size")
    generate.presenter.choose(length=200, levels=3, seed=7)
    generate.presenter.run()
    wait(lambda: not model.busy and generate.presenter.state.answer.current is not None)
    camera.whole("model-generate")
    drafts = drafts_of(window)
    drafts.restore_session({"text": TEXT})
    wait(lambda: not model.busy and drafts.presenter.state.answer.current is not None)
    camera.whole("model-drafts")


def statistics_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """The list of words, with the lines of one of them."""
    window.show_screen("statistics")
    screen = statistics_of(window)
    words = words_of(window)
    wait(lambda: not screen.busy)
    if words.presenter.state.missing:
        words.presenter.run(make=True)
    wait(lambda: not screen.busy and words.presenter.state.found is not None)
    words.presenter.choose(10)
    wait(lambda: not screen.busy)
    camera.whole("statistics")
    show_keywords(screen)
    camera.whole("statistics-keywords")
    dispersion_picture(screen, camera)
    near_pictures(window, camera)
    curation_pictures(window, camera)


def show_keywords(screen: StatisticsScreen) -> None:
    """Compare one package with the rest, and choose its strongest keyword."""
    page = screen.turn_to("keywords")
    assert isinstance(page, KeywordsPage)
    presenter = page.presenter
    presenter.choose_field("package")
    wait(lambda: presenter.state.values is not None)
    assert presenter.state.values is not None
    bar = next(bar for bar in presenter.state.values.bars if bar.label == "asyncio")
    presenter.choose_value("asyncio", bar)
    presenter.run()
    wait(lambda: not screen.busy and presenter.state.found is not None)
    presenter.choose(0)
    wait(lambda: not screen.busy)


def dispersion_picture(screen: StatisticsScreen, camera: GuideCamera) -> None:
    """The strips of two words over slices, and the lines of one of them."""
    page = screen.turn_to("dispersion")
    assert isinstance(page, DispersionPage)
    page.presenter.set(parts="slices", slices=40, text="loop, self")
    page.presenter.run()
    wait(lambda: not screen.busy and page.presenter.state.found is not None)
    page.presenter.choose(0)
    wait(lambda: not screen.busy)
    camera.whole("statistics-dispersion")


def write_questions(window: MainWindow, path: Path) -> None:
    """Write a benchmark of forty tasks, of which some have been taken from the documents of the corpus.

    Parameters
    ----------
    window
        The window with the index.
    path
        The file that is written.
    """
    assert window.corpus is not None
    rows = []
    for number in range(40):
        words = window.corpus.document(3 * number).text.split()[:24]
        # The first ones as they are, some with the beginning only, and the other ones with their words by the alphabet.
        kept = max(0, len(words) - 4 * max(0, number - 2))
        text = " ".join([*words[:kept], *sorted(words[kept:])])
        rows.append({"id": f"task {number}", "prompt": text, "solution": "return result"})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def curation_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """Repeats with the lines of one, a benchmark beside the texts, and what an export would cut."""
    window.show_screen("curation")
    screen = curation_of(window)
    copies, bench, export = (screen.turn_to(name) for name in ("duplicates", "contamination", "export"))
    assert isinstance(copies, DuplicatesPage)
    assert isinstance(bench, ContaminationPage)
    assert isinstance(export, ExportPage)
    screen.turn_to("duplicates")
    wait(lambda: not screen.busy and copies.presenter.state.cuts is not None)
    copies.presenter.list.choose(0)
    wait(lambda: not screen.busy)
    camera.whole("curation")
    assert copies.presenter.state.cuts is not None
    screen.take(copies.presenter.state.cuts)
    wait(lambda: not screen.busy)
    export.presenter.choose(0)
    wait(lambda: not screen.busy)
    camera.whole("curation-export")
    screen.turn_to("contamination")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "tasks.jsonl"
        write_questions(window, path)
        bench.presenter.add_files([path])
        wait(lambda: not screen.busy)
        if bench.presenter.state.missing:
            bench.presenter.run(make=True)
        wait(lambda: not screen.busy and bench.presenter.state.found is not None)
        bench.presenter.choose(3)
        wait(lambda: not screen.busy)
        camera.whole("curation-contamination")


def _is_counted(search: SearchScreen, tab: CollocatesPresenter | ClustersPresenter) -> bool:
    return not search.busy and tab.state.found is not None


def near_pictures(window: MainWindow, camera: GuideCamera) -> None:
    """Collocates and clusters of a word."""
    window.show_screen("search")
    search = search_of(window)
    search.search_for("loop")
    for view, name in ((View.COLLOCATES, "search-collocates"), (View.CLUSTERS, "search-clusters")):
        search.presenter.show_view(view)
        views = search.presenter.views
        tab: CollocatesPresenter | ClustersPresenter = views.collocates if view is View.COLLOCATES else views.clusters
        wait(partial(_is_counted, search, tab))
        tab.choose(0)
        wait(lambda: not search.busy)
        camera.whole(name)
    search.presenter.show_view(View.LINES)


def main(folder: Path, images: Path) -> None:
    """Take all pictures.

    Parameters
    ----------
    folder, images
        Where those of the guide and of the README are written; those that are there are replaced.
    """
    # Pictures show no home folder.
    os.environ.setdefault("CORPUS_EXPLORER_DATA", str(Path(tempfile.gettempdir()) / "corpora"))
    with tempfile.TemporaryDirectory() as place:
        for scheme in ("light", "dark"):
            settings = Settings(Path(place) / f"{scheme}.json")
            settings.set("scheme", scheme)
            application = make_application(settings)
            window = show_window(Startup(demo=True), settings)
            wait(partial(is_open, window))
            camera = GuideCamera(window, folder, images, scheme)
            for tour in (trace_pictures, search_pictures, other_pictures):
                tour(window, camera)
            window.departure.pause_and_close()
            window.deleteLater()
            application.processEvents()
            # The session is still being written to the folder that is removed now.
            settings.flush(10)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

"""The pictures of the tutorial and of the how-to guides, in both themes, from the real window.

usage: python packaging/site_pictures.py docs docs/images

The code blocks of each page are run first; the window then opens the files that they made.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import page_blocks
from guide_pictures import GuideCamera, is_open, show_keywords
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QWidget
from screenshots import curation_of, index_of, search_of, statistics_of, trace_of, wait

from explorer.building.own_places import sample_is_built
from explorer.building.sample_corpus import build_sample
from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.main_window import MainWindow
from explorer.gui.app.startup import Startup
from explorer.gui.screens.curation.contamination.page import ContaminationPage
from explorer.gui.screens.index.about.share_view import ShareView
from explorer.gui.screens.index.build.state import Tokenizers
from explorer.gui.screens.index.state import Page
from explorer.gui.settings.store import Settings

PAGES = (
    "tutorial", "how-to-trace", "how-to-benchmark", "how-to-compare", "how-to-figure", "how-to-trillion",
    "how-to-documents",
)  # fmt: skip
WINDOW = QSize(1100, 720)


class SiteCamera(GuideCamera):
    """Saves pictures of the whole window in its own size, so that a click shows them sharp."""

    def grow(self) -> None:
        """Give the window the size of the pictures, before something is scrolled."""
        self._grab(WINDOW)

    def whole(self, name: str) -> None:
        """The window."""
        self._save(self._grab(WINDOW), self._path(name))


def scroll_to(widget: QWidget) -> None:
    """Show a widget that is in a page that scrolls."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    assert around is not None
    around.ensureWidgetVisible(widget)


def search_picture(window: MainWindow, camera: SiteCamera) -> None:
    """The tutorial's phrase, with its lines."""
    window.show_screen("search")
    search = search_of(window)
    search.search_for("heap invariant")
    wait(lambda: not search.busy and search.count.text() not in ("", "0") and bool(search.answer.cuts.cuts))
    wait(lambda: search.model.rowCount() > 0)
    camera.whole("tutorial-search")


def trace_pictures(window: MainWindow, camera: SiteCamera, runs: Path) -> None:
    """The tutorial's answer with its longest passage, and the answers of the how-to guide as a table."""
    window.show_screen("trace")
    trace = trace_of(window)
    trace.presenter.trace_text((runs / "tutorial" / "answer.txt").read_text(encoding="utf-8"))
    wait(lambda: not trace.busy and trace.presenter.state.text.startswith("A heap is a binary tree. To add"))
    wait(lambda: trace.text.evidence.documents.model.rowCount() > 0)
    trace.go_to_longest()
    wait(lambda: not trace.busy)
    camera.whole("tutorial-trace")
    trace.presenter.batch.open(runs / "how-to-trace" / "answers.jsonl")
    wait(trace.pages.batch.run_button.isEnabled)
    trace.presenter.batch.run()
    wait(lambda: len(trace.presenter.batch.state.shown) == 3)
    trace.tabs.setCurrentIndex(2)
    camera.whole("how-to-trace")
    trace.tabs.setCurrentIndex(0)


def benchmark_picture(window: MainWindow, camera: SiteCamera, runs: Path) -> None:
    """The items of the benchmark, one of them beside its document."""
    window.show_screen("curation")
    screen = curation_of(window)
    page = screen.turn_to("contamination")
    assert isinstance(page, ContaminationPage)
    presenter = page.presenter
    presenter.add_files([runs / "how-to-benchmark" / "benchmark.jsonl"])
    wait(lambda: not screen.busy)
    if presenter.state.missing:
        presenter.run(make=True)
    wait(lambda: not screen.busy and presenter.state.found is not None)
    presenter.choose(0)
    wait(lambda: not screen.busy)
    camera.whole("how-to-benchmark")


def keywords_picture(window: MainWindow, camera: SiteCamera) -> None:
    """One package against the rest, with the lines of its strongest keyword."""
    window.show_screen("statistics")
    screen = statistics_of(window)
    show_keywords(screen)
    camera.whole("how-to-compare")


def index_pictures(window: MainWindow, camera: SiteCamera, runs: Path) -> None:
    """The switch that shares the index, and a build that is prepared."""
    window.show_screen("index")
    index = index_of(window)
    wait(lambda: index.presenter.about.state.details.value is not None)
    assert index.presenter.sharing is not None
    share = index.presenter.sharing()
    share.switch(True)
    wait(lambda: share.state.can_copy)
    # Below the facts of the index, where a window of this size has no room.
    view = index.findChild(ShareView)
    assert view is not None
    camera.grow()
    scroll_to(view)
    camera.whole("how-to-serve")
    share.switch(False)
    wait(lambda: not share.state.on)
    index.presenter.show_page(Page.OPEN)
    index.presenter.add_sources((str(runs / "how-to-trillion" / "part.jsonl"),))
    wait(lambda: bool(index.pages.prepare.documents.shown))
    camera.whole("how-to-trillion")
    index.presenter.build.clear()


def documents_pictures(window: MainWindow, camera: SiteCamera, runs: Path) -> None:
    """A folder of Word files with a spreadsheet of metadata before and after the build; another index is open then."""
    window.show_screen("index")
    index, folder = index_of(window), runs / "how-to-documents" / "letters"
    if window.corpus is not None:
        index.presenter.show_page(Page.OPEN)
    index.presenter.add_sources((str(folder),))
    build, built = index.presenter.build, folder.with_name(f"letters-{camera.scheme}")
    wait(lambda: build.state.proposal is not None)
    build.remedy("metadata")
    build.enter(out=str(built), name="Letters", tokenizer=Tokenizers.BYTES)
    wait(lambda: build.state.estimate.current is not None and bool(index.pages.prepare.documents.shown))
    camera.whole("how-to-documents")
    build.start()
    about = index.presenter.about
    wait(lambda: window.corpus is not None and window.corpus.folders == (built,))
    wait(lambda: about.state.details.current is not None and about.state.values.current is not None)
    # Toasts are about the pictures before.
    wait(lambda: not window.toasts.shown)
    camera.whole("how-to-documents-built")


def run_pages(docs: Path, folder: Path) -> None:
    """Run the blocks of the pages, each in a folder with its name."""
    for name in PAGES:
        place = folder / name
        place.mkdir(parents=True)
        page_blocks.run((docs / f"{name}.md").read_text(encoding="utf-8"), place, {})


def main(docs: Path, images: Path) -> None:
    """Take all pictures.

    Parameters
    ----------
    docs
        The folder of the pages.
    images
        Where the pictures are written; those that are there are replaced.
    """
    # Pictures show no home folder.
    os.environ.setdefault("CORPUS_EXPLORER_DATA", str(Path(tempfile.gettempdir()) / "corpora"))
    if not sample_is_built():
        build_sample()
    runs = Path(tempfile.gettempdir()) / "how-to"
    shutil.rmtree(runs, ignore_errors=True)
    run_pages(docs, runs)
    shutil.copyfile(runs / "how-to-figure" / "figure.png", images / "how-to-figure.png")
    with tempfile.TemporaryDirectory() as place:
        for scheme in ("light", "dark"):
            settings = Settings(Path(place) / f"{scheme}.json")
            settings.set("scheme", scheme)
            application = make_application(settings)
            window = show_window(Startup(demo=True), settings)
            wait(partial(is_open, window))
            camera = SiteCamera(window, images, images, scheme)
            trace_pictures(window, camera, runs)
            search_picture(window, camera)
            benchmark_picture(window, camera, runs)
            keywords_picture(window, camera)
            index_pictures(window, camera, runs)
            documents_pictures(window, camera, runs)
            window.departure.pause_and_close()
            window.deleteLater()
            application.processEvents()
            # The session is still being written to the folder that is removed now.
            settings.flush(10)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

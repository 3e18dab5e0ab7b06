"""A window on the small index, driven as a person would."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

PATIENCE_MS = 120_000
"""How long a test waits for what must come. Only a test that fails waits so long, however busy the machine is."""


class PatientBot(QtBot):
    """Its waits end when something comes, not when five seconds are over."""

    def waitUntil(self, callback, *, timeout=PATIENCE_MS):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=PATIENCE_MS, **options):
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals, *, timeout=PATIENCE_MS, **options):
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitExposed(self, widget, *, timeout=PATIENCE_MS):
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture(scope="session", autouse=True)
def driven_windows(qapp):
    """Windows whose screens are attributes."""
    from driven import show_driven_windows

    show_driven_windows()


@pytest.fixture(scope="session", autouse=True)
def clipboard(qapp):
    """As at the end of the program: nothing made in Python is left on it."""
    from explorer.gui.app.clipboard import detach_clipboard

    yield
    detach_clipboard()


@pytest.fixture(autouse=True)
def asked_before_words_are_made(monkeypatch):
    """As of a large index: tests of a small one set it again."""
    monkeypatch.setattr("explorer.gui.index.word_index.QUICK_TOKENS", 0)


def keep_english(patch):
    """Sentences and numbers, whatever the machine's language is."""
    patch.setattr("explorer.gui.app.app.use_system_locale", lambda application: None)


@pytest.fixture(autouse=True)
def in_english(monkeypatch):
    """A test that starts a window leaves no other language."""
    keep_english(monkeypatch)


@pytest.fixture(scope="session", autouse=True)
def without_what_lasts(qapp):
    """The collection at the end of each window leaves out what lasts as long as the tests: modules, mostly."""
    import explorer.gui.app.app  # noqa: F401 - with all that it imports

    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module", autouse=True)
def garbage_is_found_here(qapp, without_what_lasts):
    """As in the program: no other thread destroys widgets."""
    from explorer.gui.app.garbage import search_here

    search_here(qapp)
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def qtbot(qapp, request):
    """In place of pytest-qt's own."""
    return PatientBot(request)


def empty_settings(folder, patch):
    """Empty settings in a folder."""
    from explorer.gui.settings.schema import BY_KEY
    from explorer.gui.settings.store import Settings

    # Builds that a test leaves unfinished are offered to no other.
    patch.setenv("CORPUS_EXPLORER_DATA", str(folder / "data"))
    # Tests of Trace count tokens, unless they are about words.
    patch.setitem(BY_KEY, "trace_match", replace(BY_KEY["trace_match"], default="tokens"))
    return Settings(folder / "settings.json")


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Empty ones."""
    return empty_settings(tmp_path, monkeypatch)


def make_screens_on_demand(patch):
    """Never ahead: to make all of them takes most of a second."""
    patch.setattr("explorer.gui.screens.screen_set._PRELOAD_MS", 2**30)


@pytest.fixture
def all_screens():
    """For tests that look through a whole window, or at how it is made: it makes all screens ahead, in turns."""


@pytest.fixture(autouse=True)
def on_demand(request, monkeypatch):
    """Without `all_screens`, a window makes a screen when it is asked for."""
    if "all_screens" not in request.fixturenames:
        make_screens_on_demand(monkeypatch)


@contextmanager
def shown_window(settings, bot):
    """A shown window without an index; closed at the end, with no background thread left."""
    from explorer.gui.app.app import make_application, show_window
    from explorer.gui.app.startup import Startup

    make_application(settings)
    made = show_window(Startup(), settings)
    made.resize(1280, 800)
    yield made
    # Without the question that a running build would bring. It is not given to `addWidget`: that deletes it at once,
    # with the threads of a build that is still coming to a safe point.
    made.departure.pause_and_close()
    bot.waitUntil(lambda: not made.isVisible())
    made.deleteLater()
    gc.collect()


@pytest.fixture
def window(qtbot, settings, request):
    """A window of the test's own."""
    with shown_window(settings, qtbot) as made:
        if "all_screens" in request.fixturenames:
            qtbot.waitUntil(lambda: made.screens.complete)
        yield made


@pytest.fixture(scope="module")
def module_bot(qapp, request):
    """For fixtures of a file."""
    return PatientBot(request)


@pytest.fixture(scope="module")
def shared_window(module_bot, garbage_is_found_here, tmp_path_factory):
    """One window for all tests of a file, each of which adds to what the others asked and chose."""
    with pytest.MonkeyPatch.context() as patch:
        keep_english(patch)
        make_screens_on_demand(patch)
        with shown_window(empty_settings(tmp_path_factory.mktemp("window"), patch), module_bot) as made:
            yield made


@pytest.fixture
def front():
    """The screen in front of which `opened` opens the index; a file about another screen has a fixture of its own."""
    return "search"


@pytest.fixture
def opened(window, qtbot, small_index, front):
    """The window with the small index open."""
    from task_window import open_behind

    open_behind(window, qtbot, small_index, front)
    return window


@pytest.fixture(scope="session")
def letters(tmp_path_factory):
    """An index of the letters that tasks of users are done with; tests leave it as it is."""
    from letters import write_letters

    from explorer import build_index

    folder = tmp_path_factory.mktemp("letters")
    build_index(write_letters(folder), folder / "index", tokenizer="train:400", name="Letters")
    return folder / "index"


@pytest.fixture
def desk(window, qtbot, letters):
    """The window with the letters open."""
    from task_window import open_letters

    return open_letters(window, qtbot, letters)


@pytest.fixture
def dialogs(monkeypatch, tmp_path):
    """Put back what the monkey replaces. What it builds under a name without a folder goes into the test's own."""
    monkeypatch.chdir(tmp_path)
    for owner, names in (
        (QFileDialog, ("getOpenFileName", "getOpenFileNames", "getExistingDirectory", "getSaveFileName")),
        (QInputDialog, ("getInt", "getText")),
        (QDesktopServices, ("openUrl",)),
    ):
        for name in names:
            monkeypatch.setattr(owner, name, getattr(owner, name))

"""Every view and dialog in every kind of window: no text is clipped, and nothing lies over anything else.

A kind of window is a theme, a size, a text size and a direction of reading. A theme changes colors only, as one of the
tests shows, so the other test takes each kind in one theme, in turns.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import every_view
import pytest
from layout_checks import clipped, overlapping
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from views import busy

from explorer import build_index
from explorer.gui.style.surfaces import all_restyled

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("all_screens")]
SMALL, MIDDLE, LARGE = (1024, 700), (1440, 900), (2560, 1440)
LOOKS = ((10, SMALL), (20, SMALL), (14, SMALL), (14, LARGE), (10, LARGE), (10, MIDDLE))
"""Text sizes and sizes of the window. From one to the next, only one of the two changes: after a change of the text
size alone, Qt tells no widget of another size.

Per point of the text, these windows are 51, 73, 102, 144, 183 and 256 pixels wide. The other three kinds would be as
wide as one of these, or between two.
"""
EMPTY = LOOKS[:4]
"""For pages on which nothing was asked, and which hold little: the narrow windows, and a wide one."""
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def long_index(tmp_path_factory):
    """An index whose names and values are long."""
    folder = tmp_path_factory.mktemp("records")
    every_view.write_corpus(folder)
    out = tmp_path_factory.mktemp("long") / "index"
    name = "Archive of the parish council, 1890 to 1949, with letters"
    build_index(folder, out, tokenizer="train:600", name=name)
    return out


@pytest.fixture
def directed(request, qapp):
    """The direction of reading, from before the window is made, as a translation sets it."""
    qapp.setLayoutDirection(request.param)
    yield request.param
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def settle():
    """What was posted is done: layouts, styles, and what they post again."""
    for _ in range(10):
        QApplication.processEvents()


def dress(window, qtbot, scheme, points, size):
    """Change the theme, the text size and the size of the window; what is the same already is left alone."""
    window.change_setting("scheme", scheme)
    window.change_setting("text_size", points)
    qtbot.waitUntil(all_restyled)
    settle()
    if (window.width(), window.height()) != size:
        window.resize(*size)
        settle()


def stages(window, qtbot, index, folder):
    """The looks and the views of each stage, once it is reached."""
    yield EMPTY, lambda: every_view.empty_views(window)
    every_view.open_index(window, qtbot, index)
    yield EMPTY, lambda: every_view.empty_views(window)
    every_view.ask_everything(window, qtbot, folder)
    yield (
        LOOKS,
        lambda: itertools.chain(
            every_view.screen_views(window, qtbot),
            every_view.popovers(window),
            every_view.wrong_views(window),
            every_view.dialogs(window, qtbot),
        ),
    )


@pytest.mark.parametrize(
    "part", [slice(1, 2), pytest.param(slice(None), marks=pytest.mark.nightly)], ids=["large text", "every look"]
)
@pytest.mark.parametrize(
    "directed", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft], ids=["ltr", "rtl"], indirect=True
)
def test_nothing_is_clipped_and_nothing_overlaps(directed, part, window, qtbot, long_index, tmp_path):
    found = defaultdict(list)
    for stage, (looks, views) in enumerate(stages(window, qtbot, long_index, tmp_path)):
        for turn, (points, size) in enumerate(looks[part]):
            dress(window, qtbot, SCHEMES[(stage + turn) % 2], points, size)
            for view in views():
                shown = view.show()
                # A page that is shown may read what it shows.
                qtbot.waitUntil(lambda: not busy(window))
                settle()
                wrong = [*clipped(shown), *overlapping(shown)]
                if (window.width(), window.height()) != size:
                    wrong.append(f"the window is {window.width()} × {window.height()} px")
                    window.resize(*size)
                for text in wrong:
                    found[f"{view.name}: {text}"].append(f"{size[0]}×{size[1]} at {points} pt")
                view.leave()
            every_view.close_dialogs(window, qtbot)
    window.change_setting("text_size", 0)
    window.change_setting("scheme", "system")
    window.projects.presenter.new()
    assert not found, "\n".join(f"{text} ({', '.join(where)})" for text, where in found.items())


def places(window):
    """Where everything in view is."""
    shown = (part for part in window.findChildren(QWidget) if part.isVisible() and part.window() is window)
    return [(type(part).__name__, part.geometry().getRect()) for part in shown]


@pytest.mark.nightly
def test_a_theme_moves_nothing(window, qtbot, long_index, tmp_path):
    every_view.open_index(window, qtbot, long_index)
    every_view.ask_everything(window, qtbot, tmp_path)
    moved = []
    views = {view.name.partition(",")[0]: view for view in every_view.screen_views(window, qtbot)}
    for turn, (name, view) in enumerate(views.items()):
        dress(window, qtbot, SCHEMES[turn % 2], 14, SMALL)
        view.show()
        qtbot.waitUntil(lambda: not busy(window))
        settle()
        before = places(window)
        dress(window, qtbot, SCHEMES[1 - turn % 2], 14, SMALL)
        if places(window) != before:
            moved.append(name)
        view.leave()
    window.change_setting("text_size", 0)
    window.change_setting("scheme", "system")
    window.projects.presenter.new()
    assert len(views) == 9 and moved == []

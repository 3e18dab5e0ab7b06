"""Pictures of every view and dialog in so many windows that each pair of settings occurs, and sheets to look at them.

usage: python packaging/gallery.py FOLDER [--index INDEX] [--only TEXT] [--beside MOCKUPS]

The views are those of `tests/support/every_view.py`. A window has a theme, a size, a text size and a direction of
reading. All combinations are 36; the pictures are taken of the fewest that hold every pair of two of these. FOLDER gets
one picture per view and window, one contact sheet per view, and `index.html`. With --beside, a folder of drawn screens,
it gets `beside.html`, too: each drawing next to the view that `DRAWN` names.
"""

from __future__ import annotations

import argparse
import html
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import every_view  # noqa: E402 - found only after the line above
from driven import DrivenWindow, show_driven  # noqa: E402
from every_view import Seen  # noqa: E402
from PySide6.QtCore import QEventLoop, QRect, Qt, QTimer  # noqa: E402
from PySide6.QtGui import QColor, QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QWidget  # noqa: E402
from pytestqt.qtbot import QtBot  # noqa: E402
from views import busy  # noqa: E402

from explorer.gui.app.app import make_application  # noqa: E402
from explorer.gui.app.startup import Startup  # noqa: E402
from explorer.gui.settings.store import Settings  # noqa: E402
from explorer.gui.style.surfaces import all_restyled  # noqa: E402
from explorer.gui.widgets.fields.popover import Ground  # noqa: E402

SCHEMES = ("light", "dark")
SIZES = ((1024, 700), (1440, 900), (2560, 1440))
POINTS = (10, 14, 20)
DIRECTIONS = ("ltr", "rtl")
THUMBNAIL, CAPTION, COLUMNS = 480, 24, 3
TEXT = """It is important to note that climate change is a complex problem. The heap is a tree in which every
parent is not larger than its children.

1. **Check the publisher's reputation:** research the website.
2. Check the sources: look for references to other sources."""
QUERY = "important to"

DRAWN = {
    "01-": ("search, document", 10, "ltr"),
    "02-": ("search, query builder", 10, "ltr"),
    "03-": ("search, collocates", 10, "ltr"),
    "04-": ("trace, text, documents", 10, "ltr"),
    "05-": ("trace, side by side", 10, "ltr"),
    "07-": ("agreement, effective n", 10, "ltr"),
    "08-": ("next token, what comes next", 10, "ltr"),
    "09a-": ("model, perplexity", 10, "ltr"),
    "09b-": ("model, generate", 10, "ltr"),
    "10a-": ("statistics, words", 10, "ltr"),
    "10b-": ("statistics, keywords", 10, "ltr"),
    "11a-": ("curation, duplicates", 10, "ltr"),
    "11b-": ("curation, contamination", 10, "ltr"),
    "12a-": ("index, start, no index", 10, "ltr"),
    "12b-": ("index, about", 10, "ltr"),
    "13a-": ("settings, Appearance", 10, "ltr"),
    "13b-": ("palette", 10, "ltr"),
    "14-": ("search, error", 10, "ltr"),
    "15-": ("search, lines", 20, "ltr"),
    "16-": ("search, lines", 10, "rtl"),
}
"""How names of drawings begin; the view of the program that each is about, its text size and direction."""


@dataclass(frozen=True)
class Look:
    """One kind of window."""

    scheme: str
    size: tuple[int, int]
    points: int
    direction: str

    @property
    def name(self) -> str:
        """For files and captions."""
        return f"{self.scheme}-{self.size[0]}x{self.size[1]}-{self.points}pt-{self.direction}"


def looks() -> list[Look]:
    """The fewest windows, found greedily, that together hold each pair of two settings."""
    every = list(itertools.product(SCHEMES, SIZES, POINTS, DIRECTIONS))
    wanted = {pair for row in every for pair in _pairs(row)}
    chosen: list[Look] = []
    while wanted:
        best = max(every, key=lambda row: len(wanted & _pairs(row)))
        wanted -= _pairs(best)
        chosen.append(Look(*best))
    # Windows of one theme and text size follow each other: a change restyles every widget.
    return sorted(chosen, key=lambda look: (look.scheme, look.points, look.direction, look.size))


def _pairs(row: Sequence[object]) -> set[tuple[tuple[int, object], tuple[int, object]]]:
    return set(itertools.combinations(enumerate(row), 2))


class Waiter:
    """What the views need of pytest-qt."""

    def wait(self, milliseconds: int) -> None:
        """Let the window work."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def waitUntil(self, condition: Callable[[], bool], timeout: int = 60_000) -> None:
        """Wait for something, at most so many milliseconds."""
        until = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError("the window did not get ready")
            self.wait(20)


def dress(window: DrivenWindow, look: Look, waiter: Waiter) -> None:
    """Give a window one look."""
    window.change_setting("scheme", look.scheme)
    window.change_setting("text_size", look.points)
    waiter.waitUntil(all_restyled)
    window.resize(*look.size)
    waiter.wait(100)


def _painted(shown: QWidget) -> bool:
    """Whether every visible part of a view is drawn. What never draws anything is `Ground`, around an open pop-over."""
    parts = (part for part in shown.findChildren(QWidget) if part.isVisible() and not isinstance(part, Ground))
    return all(part.updatesEnabled() for part in parts)


def take(
    window: DrivenWindow, folder: Path, views: Iterable[Seen], look: Look, waiter: Waiter, only: str
) -> Iterator[tuple[str, Path]]:
    """Take a picture of each view whose name contains a text; gives names and files."""
    for view in views:
        if only not in view.name:
            continue
        shown = view.show()
        waiter.waitUntil(lambda: not busy(window))
        waiter.wait(120)
        # A page is painted in turns, of which a busy computer may take long ones.
        waiter.waitUntil(partial(_painted, shown))
        path = folder / f"{view.name.replace(',', '').replace(' ', '-')}-{look.name}.png"
        if not shown.grab().save(str(path)):
            raise OSError(f"{path} cannot be written")
        view.leave()
        yield view.name, path


def photograph(index: Path, folder: Path, look: Look, only: str) -> list[tuple[str, Path]]:
    """Open a window, fill it, and take all its pictures."""
    waiter = Waiter()
    found: list[tuple[str, Path]] = []
    # What the views need of pytest-qt, it has.
    bot = cast(QtBot, waiter)
    with tempfile.TemporaryDirectory() as place:
        # Unfinished builds of this computer's user are not for pictures.
        os.environ["CORPUS_EXPLORER_DATA"] = str(Path(place) / "data")
        # Not beside the settings, which would be a part of the corpus that is prepared.
        corpus = Path(place) / "answers"
        corpus.mkdir()
        settings = Settings(Path(place) / "settings.json")
        right = look.direction == "rtl"
        # Before the window is made, as a translation into such a language does.
        make_application(settings).setLayoutDirection(
            Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
        )
        window = show_driven(Startup(), settings)
        waiter.waitUntil(lambda: window.screens.complete)
        dress(window, look, waiter)
        bare = [replace(view, name=f"{view.name}, no index") for view in every_view.empty_views(window)]
        found += take(window, folder, bare, look, waiter, only)
        every_view.open_index(window, bot, index)
        found += take(window, folder, every_view.empty_views(window), look, waiter, only)
        every_view.ask_everything(window, bot, corpus, TEXT, QUERY, QUERY)
        for views in (
            every_view.screen_views(window, bot),
            every_view.popovers(window),
            every_view.wrong_views(window),
            every_view.dialogs(window, bot),
        ):
            found += take(window, folder, views, look, waiter, only)
        every_view.close_dialogs(window, bot)
        window.projects.presenter.new()
        window.close()
        window.deleteLater()
        waiter.wait(50)
    return found


def contact_sheet(path: Path, pictures: Sequence[tuple[str, Path]]) -> None:
    """One picture with small ones of all windows of a view, each with its name."""
    small = [_thumbnail(QImage(str(file))) for _, file in pictures]
    rows = [small[at : at + COLUMNS] for at in range(0, len(small), COLUMNS)]
    heights = [max(image.height() for image in row) + CAPTION for row in rows]
    sheet = QImage(COLUMNS * (THUMBNAIL + 8), sum(heights), QImage.Format.Format_RGB32)
    sheet.fill(QColor("#808080"))
    painter = QPainter(sheet)
    top, names = 0, iter(name for name, _ in pictures)
    for row, height in zip(rows, heights, strict=True):
        for column, image in enumerate(row):
            left = column * (THUMBNAIL + 8)
            painter.setPen(QColor("white"))
            painter.drawText(QRect(left, top, THUMBNAIL, CAPTION), Qt.AlignmentFlag.AlignVCenter, next(names))
            painter.drawImage(left, top + CAPTION, image)
        top += height
    painter.end()
    sheet.save(str(path))


def _thumbnail(picture: QImage) -> QImage:
    """A picture no wider than a column; a small dialog stays as it is."""
    if picture.width() <= THUMBNAIL:
        return picture
    return picture.scaledToWidth(THUMBNAIL, Qt.TransformationMode.SmoothTransformation)


def write_page(path: Path, title: str, parts: Sequence[str]) -> None:
    """Write a page of pictures."""
    style = "body{font:14px sans-serif;margin:24px;background:#777;color:#fff}img{max-width:100%}td{vertical-align:top}"
    body = "\n".join(parts)
    path.write_text(
        f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{style}</style>"
        f"<h1>{html.escape(title)}</h1>\n{body}\n",
        encoding="utf-8",
    )


def beside(folder: Path, drawings: Path, found: dict[str, list[tuple[Look, Path]]]) -> None:
    """Write a page with a row for each drawing: the drawing, and the program next to it."""
    parts = []
    for drawing in sorted(drawings.glob("*.png")):
        view, points, direction = next(
            (row for prefix, row in DRAWN.items() if drawing.name.startswith(prefix)), ("", 10, "ltr")
        )
        scheme = "dark" if drawing.stem.endswith("dark") else "light"
        look = Look(scheme, SIZES[1], points, direction)
        files = [file for each, file in found.get(view, ()) if each == look]
        real = f"<img src='{files[0].name}'>" if files else "Not in this version."
        parts.append(
            f"<h2>{html.escape(drawing.stem)}: {html.escape(view)}</h2><table><tr><th>drawn<th>the program<tr>"
            f"<td width=50%><img src='{drawing.as_uri()}'><td width=50%>{real}</table>"
        )
    write_page(folder / "beside.html", "Drawn and real", parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", required=True, help="the index folder that is shown")
    parser.add_argument("--only", default="", help="only views whose name contains this")
    parser.add_argument("--beside", type=Path, help="a folder of drawn screens")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    usual = [Look(scheme, SIZES[1], points, way) for _, points, way in DRAWN.values() for scheme in SCHEMES]
    found: dict[str, list[tuple[Look, Path]]] = {}
    for look in dict.fromkeys([*looks(), *(usual if args.beside else ())]):
        for name, path in photograph(Path(args.index), args.folder, look, args.only):
            found.setdefault(name, []).append((look, path))
        print(look.name, flush=True)
    parts = []
    for name, pictures in found.items():
        sheet = args.folder / f"sheet-{name.replace(' ', '-')}.png"
        contact_sheet(sheet, [(look.name, path) for look, path in pictures])
        parts.append(f"<h2>{html.escape(name)}</h2><img src='{sheet.name}'>")
    write_page(args.folder / "index.html", "Every view in every kind of window", parts)
    if args.beside:
        beside(args.folder, args.beside.resolve(), found)


if __name__ == "__main__":
    main()

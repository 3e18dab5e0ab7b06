"""Pictures of every view and dialog in so many windows that each pair of settings occurs, and sheets to look at them.

usage: python packaging/gallery.py FOLDER [--index INDEX] [--only TEXT] [--beside MOCKUPS]

A window has a theme, a size, a text size and a direction of reading. All combinations are 36; the pictures are taken of
the fewest that hold every pair of two of these. FOLDER gets one picture per view and window, one contact sheet per
view, and `index.html`. With --beside, a folder of drawn screens named as in `DRAWN`, it gets `beside.html`, too: each
drawing next to the program.
"""

from __future__ import annotations

import argparse
import html
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from driven import DrivenWindow, show_driven  # noqa: E402 - found only after the line above
from PySide6.QtCore import QEventLoop, QRect, Qt, QTimer  # noqa: E402
from PySide6.QtGui import QColor, QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QDialog  # noqa: E402
from views import View, fill, open_dialogs, screen_views  # noqa: E402

from explorer.gui.app import Startup, make_application  # noqa: E402
from explorer.gui.settings import Settings  # noqa: E402
from explorer.gui.surfaces import all_restyled  # noqa: E402

SCHEMES = ("light", "dark")
SIZES = ((1024, 700), (1440, 900), (2560, 1440))
POINTS = (10, 14, 20)
DIRECTIONS = ("ltr", "rtl")
THUMBNAIL, CAPTION, COLUMNS = 480, 24, 3
TEXT = """It is important to note that climate change is a complex problem. The heap is a tree in which every
parent is not larger than its children.

1. Check the publisher's reputation: research the website.
2. Check the sources: look for references to other sources."""
QUERY = "important to"

DRAWN = {
    "01-search-light": ("search 0", "light"),
    "01-search-dark": ("search 0", "dark"),
    "04-trace-light": ("trace 0", "light"),
    "04-trace-dark": ("trace 0", "dark"),
    "07-agreement-light": ("agreement 0", "light"),
    "07-agreement-dark": ("agreement 0", "dark"),
    "08-next-token-light": ("next token", "light"),
    "12a-first-start-light": ("index open", "light"),
    "12b-after-a-build-light": ("index about", "light"),
    "13a-settings-light": ("settings Appearance", "light"),
    "13b-command-palette-light": ("palette", "light"),
}
"""Names of drawings, without .png, and the view and theme of the program that each is about."""


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


def take(folder: Path, views: Sequence[View], look: Look, waiter: Waiter) -> Iterator[tuple[str, Path]]:
    """Take a picture of each view; gives names and files."""
    for view in views:
        shown = view.show()
        waiter.wait(120)
        path = folder / f"{view.name.replace(' ', '-')}-{look.name}.png"
        if not shown.grab().save(str(path)):
            raise OSError(f"{path} cannot be written")
        yield view.name, path


def photograph(index: str, folder: Path, look: Look, only: str) -> list[tuple[str, Path]]:
    """Open a window, fill it, and take all its pictures."""
    waiter = Waiter()
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.json")
        right = look.direction == "rtl"
        # Before the window is made, as a translation into such a language does.
        make_application(settings).setLayoutDirection(
            Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
        )
        window = show_driven(Startup(paths=(index,)), settings)
        waiter.waitUntil(lambda: window.corpus is not None and window.screens.complete)
        dress(window, look, waiter)
        fill(window, waiter, TEXT, QUERY)  # type: ignore[arg-type]
        views = [view for view in screen_views(window) if only in view.name]
        found = list(take(folder, views, look, waiter))
        window.panel.hide()
        # The figure of a view that has one.
        next(view for view in screen_views(window) if view.name == "agreement 0").show()
        dialogs = [view for view in open_dialogs(window, waiter) if only in view.name]  # type: ignore[arg-type]
        found += take(folder, dialogs, look, waiter)
        for dialog in window.findChildren(QDialog):
            dialog.close()
        window.close()
        window.deleteLater()
        waiter.wait(50)
    return found


def contact_sheet(path: Path, pictures: Sequence[tuple[str, Path]]) -> None:
    """One picture with small ones of all windows of a view, each with its name."""
    small = [
        QImage(str(file)).scaledToWidth(THUMBNAIL, Qt.TransformationMode.SmoothTransformation) for _, file in pictures
    ]
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
    """Write a page with each drawing next to the program."""
    parts = []
    for name, (view, scheme) in DRAWN.items():
        looks_like = [file for look, file in found.get(view, ()) if look == Look(scheme, SIZES[1], POINTS[0], "ltr")]
        if looks_like and (drawings / f"{name}.png").exists():
            parts.append(
                f"<h2>{html.escape(view)}, {scheme}</h2><table><tr><th>drawn<th>the program<tr>"
                f"<td width=50%><img src='{(drawings / f'{name}.png').as_uri()}'>"
                f"<td width=50%><img src='{looks_like[0].name}'></table>"
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
    usual = [Look(scheme, SIZES[1], POINTS[0], "ltr") for scheme in SCHEMES]
    found: dict[str, list[tuple[Look, Path]]] = {}
    for look in dict.fromkeys([*looks(), *(usual if args.beside else ())]):
        for name, path in photograph(args.index, args.folder, look, args.only):
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

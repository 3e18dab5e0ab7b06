"""Where borders between panes were moved to: stored in the settings, for every splitter of the window."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from explorer.gui.chrome.stage import Stage
from explorer.gui.settings.store import Settings
from explorer.gui.widgets.layouts.splitter import Splitter

_DOCUMENT = "document"


def keep_splits(part: QWidget, id: str, settings: Settings) -> None:
    """Place the borders in a screen where they were, and store where they are moved to."""
    for number, splitter in enumerate(part.findChildren(Splitter)):
        name = f"{id} {number}"
        splitter.use_shares(_stored(settings, name))
        splitter.chosen.connect(partial(_store, settings, name))


def keep_document(stage: Stage, settings: Settings) -> None:
    """Give the document the width that it had, and store what it gets.

    settings: Where the width is stored, in pixels at a text size of 10 points.
    """
    width = _stored(settings, _DOCUMENT)
    if len(width) == 1:
        stage.set_panel_width(round(width[0]))
    stage.splitter.chosen.connect(lambda _: _store(settings, _DOCUMENT, [stage.panel_width]))


def _stored(settings: Settings, name: str) -> list[float]:
    """The numbers that are stored; none if the file was edited and holds something else."""
    found = settings.get("splits").get(name)
    # True is a number in Python.
    valid = isinstance(found, list) and all(type(each) in (int, float) and each > 0 for each in found)
    return [float(each) for each in found] if valid else []


def _store(settings: Settings, name: str, numbers: list[float]) -> None:
    settings.set("splits", {**settings.get("splits"), name: [round(number, 4) for number in numbers]})

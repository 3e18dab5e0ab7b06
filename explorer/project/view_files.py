"""Where the views of screens name files, so that these can be moved with a project, and are not read unasked."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from explorer.project.places import checked_path, found, is_inside, stored

WAYS: Mapping[str, tuple[str, ...]] = {
    "search": ("watched", "collocates.stop", "beside"),
    "next_token": ("beside",),
    "trace": ("answers",),
    "agreement": ("files", "neural"),
    "model": ("tabs.perplexity.files", "tabs.mix.files", "tabs.mix.file", "tabs.drafts.files"),
    "statistics": ("tabs.words.stop", "tabs.keywords.stop", "tabs.keywords.index", "tabs.keywords.list"),
    "curation": ("tabs.contamination.files", "tabs.contamination.against"),
}
"""By the id of a screen: the keys that lead to a file or folder, or to a list of them, in its view.

Each is a text, or an object with the text as its `path`: of an index, a view also keeps by what it is recognized.
"""

PLACES: Mapping[str, tuple[str, ...]] = {"search": ("columns",)}
"""By the id of a screen: keys of its view under which other indexes are named by their folders on this machine."""

Change = Callable[[str], str | None]
"""Gives the text in place of a file; None to leave the file out."""


def with_files(screen: str, view: Any, change: Change) -> Any:
    """Change the files of a view.

    change: Gives the text in place of each file.
    Returns: A view with other files; what is not a file stays as it is.
    """
    for way in WAYS.get(screen, ()):
        view = _changed(view, way.split("."), change)
    return view


def files_of(screen: str, view: Any) -> tuple[str, ...]:
    """Give the files of a view."""
    return tuple(dict.fromkeys(file for way in WAYS.get(screen, ()) for file in _files(_at(view, way.split(".")))))


def put_back(screen: str, view: Any, other: Any, held: Collection[str]) -> Any:
    """Give a view files of another one: beside those in its lists, and where it has none itself.

    held: The files that are put back, with all that the other view keeps of them.
    """
    for way in WAYS.get(screen, ()):
        *above, last = way.split(".")
        place, found = _at(view, above), _at(other, way.split("."))
        if not isinstance(place, dict):
            continue
        if isinstance(found, list):
            has = [*place[last]] if isinstance(place.get(last), list) else []
            more = [each for each in found if _file(each) in held and _file(each) not in map(_file, has)]
            view = _put(view, above, {**place, last: [*has, *more]}) if more else view
        elif not place.get(last) and _file(found) in held:
            view = _put(view, above, {**place, last: found})
    return view


def relative_files(screen: str, view: Any, file: Path) -> Any:
    """Give a view with its files as a project stores them.

    Returns: The view with paths as seen from the project file, with / between their parts. What it has of other indexes
        is left out: whoever gets the file does not have them.
    """
    if isinstance(view, dict):
        view = {key: value for key, value in view.items() if key not in PLACES.get(screen, ())}
    return with_files(screen, view, lambda path: stored(path, file))


def absolute_files(screen: str, view: Any, file: Path) -> Any:
    """Give a view of a project with absolute files.

    Returns: The view; what no file can be called is left out.
    """
    return with_files(screen, view, lambda text: _absolute(text, file))


def moved_view(screen: str, text: str, old: Path, new: Path) -> str:
    """Give the text of a view as another project file has it."""
    if screen not in WAYS:
        return text
    return json.dumps(relative_files(screen, absolute_files(screen, json.loads(text), old), new), ensure_ascii=False)


def is_beside(path: str, file: Path) -> bool:
    """Whether an absolute path leads into the folder of a project file. Nothing outside of it is looked at.

    Returns: False also for what a link leads out of the folder.
    """
    # By its text alone at first; only what is below the folder by its name is then looked up.
    return is_inside(stored(path, file), file)


def usable_files(screen: str, view: Any) -> Any:
    """Leave out what no file can be called: it would be an unexpected error wherever it is opened."""
    return with_files(screen, view, _usable)


def _usable(text: str) -> str | None:
    try:
        return checked_path(text)
    except ValueError:
        return None


def _absolute(text: str, file: Path) -> str | None:
    usable = _usable(text)
    return None if usable is None else found(usable, file)


def _at(view: Any, keys: list[str]) -> Any:
    for key in keys:
        view = view.get(key) if isinstance(view, dict) else None
    return view


def _file(value: Any) -> str:
    """The file that a value is or has; "" for none."""
    text = value.get("path") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _files(value: Any) -> Iterator[str]:
    return filter(None, map(_file, value if isinstance(value, list) else [value]))


def _changed(view: Any, keys: list[str], change: Change) -> Any:
    value = _at(view, keys)
    if isinstance(value, str) and value:
        return _put(view, keys, change(value) or "")
    if isinstance(value, list):
        changed = [(each, change(_file(each))) for each in value if _file(each)]
        new = [{**each, "path": path} if isinstance(each, dict) else path for each, path in changed if path is not None]
        return _put(view, keys, new)
    return view


def _put(view: Any, keys: list[str], value: Any) -> Any:
    # A copy: a view that is shown stays as it is.
    return value if not keys else {**view, keys[0]: _put(view[keys[0]] if keys[1:] else None, keys[1:], value)}

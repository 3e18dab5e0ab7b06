"""The indexes that were opened before: which, when, under which names, and which are pinned. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from explorer.gui.schema import MOST_RECENT


@dataclass(frozen=True)
class RecentIndex:
    """An index of the list.

    Attributes
    ----------
    path
        Its folder or address.
    pinned
        Whether it is kept at the top.
    name
        The name that the user gave it; "" for its own.
    opened
        When it was opened last, in ISO 8601; "" if that is not known.
    """

    path: str
    pinned: bool = False
    name: str = ""
    opened: str = ""


class Recents:
    """The list, as the settings keep it; all windows share it.

    Parameters
    ----------
    get
        Gives a stored value by its key.
    put
        Stores one.
    """

    def __init__(self, get: Callable[[str], Any], put: Callable[[str, Any], None]) -> None:
        self._get, self._put = get, put

    def all(self) -> tuple[RecentIndex, ...]:
        """Pinned ones first, then newest first."""
        pinned, names, opened = self._pinned(), self._texts("index_names"), self._texts("recent_opened")
        # A pinned folder is listed once, whether it is among the recent ones or not.
        paths = [*pinned, *(path for path in self._get("recent_indexes") if path not in pinned)]
        return tuple(RecentIndex(path, path in pinned, names.get(path, ""), opened.get(path, "")) for path in paths)

    def paths(self) -> list[str]:
        """The folders and addresses, in the same order."""
        return [recent.path for recent in self.all()]

    def add(self, path: str, moment: datetime) -> None:
        """Move an index that was just opened to the top of those that are not pinned.

        Parameters
        ----------
        path
            Its folder or address.
        moment
            When it was opened.
        """
        others = [known for known in self._get("recent_indexes") if known != path]
        self._put("recent_indexes", [path, *others][:MOST_RECENT])
        self._put("recent_opened", {**self._texts("recent_opened"), path: moment.isoformat(timespec="seconds")})
        self._forget_unlisted()

    def toggle_pin(self, path: str) -> None:
        """Pin an index to the top, or unpin it."""
        pinned = self._pinned()
        others = [known for known in pinned if known != path]
        self._put("pinned_indexes", others if path in pinned else [path, *others])

    def rename(self, path: str, name: str) -> None:
        """Show an index under another name; "" for its own.

        Parameters
        ----------
        path
            Its folder or address.
        name
            The name.
        """
        names = {known: kept for known, kept in self._texts("index_names").items() if known != path}
        self._put("index_names", {**names, path: name.strip()} if name.strip() else names)

    def forget(self, path: str) -> None:
        """Remove an index from the list."""
        for key in ("recent_indexes", "pinned_indexes"):
            self._put(key, [known for known in self._get(key) if known != path])
        self._forget_unlisted()

    def move(self, old: str, new: str) -> None:
        """Note that an index is in another folder now.

        Parameters
        ----------
        old
            Where it was.
        new
            Where it is.
        """
        for key in ("recent_indexes", "pinned_indexes"):
            paths = [new if known == old else known for known in self._get(key)]
            # The new folder may be in the list already: it keeps the first of its two places.
            self._put(key, list(dict.fromkeys(paths)))
        for key in ("index_names", "recent_opened"):
            values = self._texts(key)
            # What is stored under the old path goes with `_forget_unlisted` below.
            if old in values:
                self._put(key, {**values, new: values[old]})
        self._forget_unlisted()

    def _pinned(self) -> list[str]:
        return list(self._get("pinned_indexes"))

    def _texts(self, key: str) -> dict[str, str]:
        # The file may have been edited by hand.
        return {path: text for path, text in self._get(key).items() if isinstance(path, str) and isinstance(text, str)}

    def _forget_unlisted(self) -> None:
        """Keep names and times only of what is listed, so that the file stays small."""
        listed = {*self._get("recent_indexes"), *self._get("pinned_indexes")}
        for key in ("index_names", "recent_opened"):
            values = self._texts(key)
            if not values.keys() <= listed:
                self._put(key, {path: text for path, text in values.items() if path in listed})

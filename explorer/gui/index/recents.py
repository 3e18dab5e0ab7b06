"""The indexes that were opened before: which, when, under which names, and which are pinned. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from explorer.gui.remote.hosts import source_name
from explorer.gui.settings.schema import MOST_RECENT

_BY_PATH = (
    "index_names", "recent_opened", "recent_names", "recent_tokens", "recent_tokenizers", "recent_token_files"
)  # fmt: skip
"""What is stored of an index by its path."""


@dataclass(frozen=True)
class RecentIndex:
    """An index of the list.

    path: Its folder or address.
    pinned: Whether it is kept at the top.
    name: The name that the user gave it; "" for its own.
    opened: When it was opened last, in ISO 8601; "" if that is not known.
    own: Its own name when it was opened last; "" if that is not known.
    tokens: Its tokens at that time; None if that is not known.
    tokenizer, token_file: Of an address: the tokenizer that it was opened with, and the file with the token of its
        server; "" for none.
    """

    path: str
    pinned: bool = False
    name: str = ""
    opened: str = ""
    own: str = ""
    tokens: int | None = None
    tokenizer: str = ""
    token_file: str = ""

    @property
    def shown(self) -> str:
        """The name to show. A root folder has no last part, and is named by its path."""
        return self.name or self.own or source_name(self.path)


class Recents:
    """The list, as the settings keep it; all windows share it.

    get: Gives a stored value by its key.
    """

    def __init__(self, get: Callable[[str], Any], put: Callable[[str, Any], None]) -> None:
        self._get, self._put = get, put

    def all(self) -> tuple[RecentIndex, ...]:
        """Pinned ones first, then newest first."""
        pinned, names, opened = self._pinned(), self._texts("index_names"), self._texts("recent_opened")
        # A pinned folder is listed once, whether it is among the recent ones or not.
        paths = [*pinned, *(path for path in self._get("recent_indexes") if path not in pinned)]
        own, tokens = self._texts("recent_names"), self._texts("recent_tokens")
        tokenizers, files = self._texts("recent_tokenizers"), self._texts("recent_token_files")
        return tuple(
            RecentIndex(
                path,
                path in pinned,
                names.get(path, ""),
                opened.get(path, ""),
                own.get(path, ""),
                _number(tokens, path),
                tokenizers.get(path, ""),
                files.get(path, ""),
            )
            for path in paths
        )

    def paths(self) -> list[str]:
        """The folders and addresses, in the same order."""
        return [recent.path for recent in self.all()]

    def add(self, path: str, moment: datetime | None, name: str = "", tokens: int | None = None) -> None:
        """Move an index that was just opened, or made, to the top of those that are not pinned.

        moment: When it was opened; None if it was not opened yet.
        name: Its own name; "" if it was not opened alone.
        tokens: Its tokens; None if it was not opened alone.
        """
        others = [known for known in self._get("recent_indexes") if known != path]
        self._put("recent_indexes", [path, *others][:MOST_RECENT])
        when = "" if moment is None else moment.isoformat(timespec="seconds")
        self._put("recent_opened", {**self._texts("recent_opened"), path: when})
        # Of an index that was opened with others, only the sum is known here: what was known of it stays.
        if tokens is not None:
            self._put("recent_names", {**self._texts("recent_names"), path: name})
            self._put("recent_tokens", {**self._texts("recent_tokens"), path: str(tokens)})
        self._forget_unlisted()

    def keep_opening(self, path: str, tokenizer: str, token_file: str) -> None:
        """Note with what an address was opened, so that it opens from the list."""
        for key, value in (("recent_tokenizers", tokenizer), ("recent_token_files", token_file)):
            others = {known: text for known, text in self._texts(key).items() if known != path}
            self._put(key, {**others, path: value} if value else others)

    def toggle_pin(self, path: str) -> None:
        """Pin an index to the top, or unpin it."""
        pinned = self._pinned()
        others = [known for known in pinned if known != path]
        self._put("pinned_indexes", others if path in pinned else [path, *others])

    def rename(self, path: str, name: str) -> None:
        """Show an index under another name; "" for its own."""
        names = {known: kept for known, kept in self._texts("index_names").items() if known != path}
        self._put("index_names", {**names, path: name.strip()} if name.strip() else names)

    def forget(self, path: str) -> None:
        """Remove an index from the list."""
        for key in ("recent_indexes", "pinned_indexes"):
            self._put(key, [known for known in self._get(key) if known != path])
        self._forget_unlisted()

    def move(self, old: str, new: str) -> None:
        """Note that an index is in another folder now."""
        for key in ("recent_indexes", "pinned_indexes"):
            paths = [new if known == old else known for known in self._get(key)]
            # The new folder may be in the list already: it keeps the first of its two places.
            self._put(key, list(dict.fromkeys(paths)))
        for key in _BY_PATH:
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
        for key in _BY_PATH:
            values = self._texts(key)
            if not values.keys() <= listed:
                self._put(key, {path: text for path, text in values.items() if path in listed})


def _number(texts: dict[str, str], path: str) -> int | None:
    # The file may have been edited by hand.
    text = texts.get(path, "")
    return int(text) if text.isascii() and text.isdigit() else None

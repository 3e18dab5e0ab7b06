"""What the program remembers between runs; damaged values count as absent."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from explorer.gui.theme import SCHEMES

_RECENT = "recent_indexes"
_GEOMETRY = "window/geometry"
_SCHEME = "appearance/scheme"
_QUERIES = "search/queries"
_PINNED = "search/pinned"
_MOST_RECENT = 12
_MOST_QUERIES = 50


class Settings:
    """Typed access to the stored values."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("Corpus Explorer", "corpus-explorer")

    def recent_indexes(self) -> list[str]:
        """Folders opened before, newest first."""
        return self._texts(_RECENT)

    def add_recent_index(self, path: str) -> None:
        """Put a folder at the top of the list."""
        others = [known for known in self.recent_indexes() if known != path]
        self._store.setValue(_RECENT, [path, *others][:_MOST_RECENT])

    def queries(self) -> list[tuple[str, bool]]:
        """Earlier queries, newest first, each with whether it is pinned; pinned ones come first."""
        pinned = self._texts(_PINNED)
        return [(query, True) for query in pinned] + [
            (query, False) for query in self._texts(_QUERIES) if query not in pinned
        ]

    def add_query(self, query: str) -> None:
        """Put a query at the top of the list."""
        others = [known for known in self._texts(_QUERIES) if known != query]
        self._store.setValue(_QUERIES, [query, *others][:_MOST_QUERIES])

    def toggle_pin(self, query: str) -> None:
        """Pin a query, or unpin it."""
        pinned = self._texts(_PINNED)
        kept = [known for known in pinned if known != query]
        self._store.setValue(_PINNED, kept if query in pinned else [query, *pinned])

    def _texts(self, key: str) -> list[str]:
        value = self._store.value(key, [])
        values = [value] if isinstance(value, str) else value
        return [text for text in values if isinstance(text, str) and text] if isinstance(values, list) else []

    def geometry(self) -> QByteArray | None:
        """The window's place, if known."""
        value = self._store.value(_GEOMETRY)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_geometry(self, geometry: QByteArray) -> None:
        """Remember the window's place."""
        self._store.setValue(_GEOMETRY, geometry)

    def scheme(self) -> str:
        """One of SCHEMES."""
        value = self._store.value(_SCHEME, "system")
        return value if value in SCHEMES else "system"

    def set_scheme(self, scheme: str) -> None:
        """Remember the colour scheme."""
        self._store.setValue(_SCHEME, scheme)

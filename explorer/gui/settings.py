"""What the program remembers between runs; damaged values count as absent."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from explorer.gui.theme import SCHEMES

_RECENT = "recent_indexes"
_GEOMETRY = "window/geometry"
_SCHEME = "appearance/scheme"
_MOST_RECENT = 12


class Settings:
    """Typed access to the stored values."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("Corpus Explorer", "corpus-explorer")

    def recent_indexes(self) -> list[str]:
        """Folders opened before, newest first."""
        value = self._store.value(_RECENT, [])
        values = [value] if isinstance(value, str) else value
        return [path for path in values if isinstance(path, str) and path] if isinstance(values, list) else []

    def add_recent_index(self, path: str) -> None:
        """Put a folder at the top of the list."""
        others = [known for known in self.recent_indexes() if known != path]
        self._store.setValue(_RECENT, [path, *others][:_MOST_RECENT])

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

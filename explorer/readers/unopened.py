"""Documents whose kind is read, but of which nothing can be read."""

from __future__ import annotations

from explorer.i18n import mark

UNOPENED = mark("documents that cannot be opened")
NO_TEXT_LAYER = mark("documents without a text layer")
"""Both are groups under which builds count files."""


class LockedError(Exception):
    """A document needs a password."""

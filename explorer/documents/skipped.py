"""The groups under which builds count files and documents that a reader finds and does not read."""

from __future__ import annotations

from explorer.i18n import mark

UNOPENED = mark("documents that cannot be opened")
NO_TEXT_LAYER = mark("documents without a text layer")
"""Groups of files, as is the group before."""

OTHER_CONTENT = mark("records of crawls that are not text")
NO_PAGE = mark("answers of servers without a page")
UNDECODED = mark("pages of crawls that cannot be decoded")
OTHER_PAGES = mark("pages of wikis other than articles")
REDIRECTS = mark("redirects of wikis")
DELETED = mark("posts that were deleted")
SKIPPED = (OTHER_CONTENT, NO_PAGE, UNDECODED, OTHER_PAGES, REDIRECTS, DELETED)
"""Groups of documents that a reader does not read, by its rules; they stop no build."""


class LockedError(Exception):
    """A document needs a password."""

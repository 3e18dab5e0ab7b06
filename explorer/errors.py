"""Errors that a user can cause or fix; each text states what is wrong, where, and what to do."""

from __future__ import annotations


class CorpusError(Exception):
    """Base class of all expected errors with files, input or settings.

    The command line prints it as one line and exits with 2; the window shows it as a notice.

    option: the option that would let the work continue, such as "skip_bad", "text_field" or "resume"; "" for none. The
    text names it as on the command line. `plain` is the same text without it, which the window shows beside a button.
    Both survive pickling.
    """

    def __init__(self, message: str = "", *, option: str = "", plain: str = "", path: str = "", place: int = 0) -> None:
        super().__init__(message)
        self.option = option
        self.plain = plain or message
        self.path = path
        self.place = place


class NotAnIndexError(CorpusError):
    """A folder holds no infini-gram index."""


class DamagedIndexError(CorpusError):
    """An index is there, but its files are missing, cut short or disagree with each other."""


class TokenizerError(CorpusError):
    """A tokenizer is missing, unreadable, or does not fit the index."""


class QueryError(CorpusError):
    """A query cannot be answered as it was asked."""


class CapabilityError(CorpusError):
    """An index cannot answer a question that others can; see `explorer.backends.protocol.Capabilities`.

    Parameters
    ----------
    message
        What is missing, in one sentence: `Capabilities.missing`.
    capability
        The name of the field of `Capabilities`, such as "sorting".
    """

    def __init__(self, message: str = "", *, capability: str = "") -> None:
        super().__init__(message)
        self.capability = capability


class SourceError(CorpusError):
    """A source of a build cannot be read."""


class BuildError(CorpusError):
    """An index cannot be written."""


class Cancelled(CorpusError):  # noqa: N818 - it is not a fault
    """The work was cancelled on request; nothing was changed."""

    def __init__(self, message: str = "Cancelled.") -> None:
        super().__init__(message)

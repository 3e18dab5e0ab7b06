"""Reads files and conversations for the trace screen, off the interface thread."""

from __future__ import annotations

from pathlib import Path

from explorer.analyses.trace.conversation import answers, parse_conversation
from explorer.documents.inputs.whole import whole_text
from explorer.errors import SourceError
from explorer.gui.screens.trace.conversation.script import Script, script_of
from explorer.i18n import mark, tr

_MOST_BYTES = 20_000_000
"""Bytes of a file that is traced as one text or conversation."""


def read_document(path: Path) -> str:
    """Read a file of text. Runs off the interface thread.

    Raises `SourceError` if it cannot be read, is not text, or is too large to be traced as one text.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            reason = tr("it has more than {most} MB; trace its answers as a file", most=_MOST_BYTES // 1_000_000)
            raise SourceError(mark("{path} cannot be opened: {cause}."), reason="too-large", path=path, cause=reason)
        return whole_text(path)
    except OSError as error:
        cause = error.strerror or str(error)
        raise SourceError(
            mark("{path} cannot be read: {cause}."), reason="unreadable", path=path, cause=cause
        ) from error


def read_conversation(text: str, read: str = "plain") -> Script:
    """Read a conversation. Runs off the interface thread.

    text: JSON with roles, or turns marked by hand.
    read: How its answers are read: "plain", "markdown" or "auto".
    Raises `QueryError` if it cannot be read, or no message is a model's.
    """
    turns = parse_conversation(text)
    # Refuses a conversation without answers.
    answers(turns)
    return script_of(turns, read)

"""A file that cannot be read to its end: an error, or a note if such files are skipped."""

from __future__ import annotations

from explorer.building.sources.source import CUT, ReadState, SourceFile
from explorer.errors import SourceError
from explorer.i18n import mark


def refuse(file: SourceFile, skip_bad: bool, state: ReadState, kind: str, reason: str) -> None:
    """Stop at a file that cannot be read to its end, or note it.

    reason: What is wrong, as a message that can follow the file's name.
    """
    if not skip_bad:
        raise SourceError(
            mark("{name} {cause}."),
            reason="source-cut-short" if kind == CUT else "source-damaged",
            option="skip_bad",
            name=file.label,
            cause=reason,
            path=file.path,
        )
    state.note(kind, file.label, reason=reason)

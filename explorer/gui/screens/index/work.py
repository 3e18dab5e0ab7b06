"""What the Index screen does off the interface thread. No Qt.

Functions import what they need of other rooms: the window begins with this screen, and is shown before these are there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.building.own_places import build_records
from explorer.building.sources.source import Problem
from explorer.errors import Cancelled, DamagedIndexError
from explorer.gui.screens.index.about.state import Details
from explorer.gui.screens.index.build.problems import problem_rows
from explorer.gui.screens.index.build.state import Built, Looked
from explorer.i18n import mark

if TYPE_CHECKING:
    from explorer.analyses.metadata.field_counts import FieldCount
    from explorer.analyses.search.query import TokenView
    from explorer.backends.summary import IndexSummary
    from explorer.building.paused import PausedBuild
    from explorer.building.request import BuildRequest
    from explorer.building.verify.verify import VerifyReport
    from explorer.core.jobs import CancelToken, Report
    from explorer.corpus import Corpus

_MOST_OF_A_LINE = 4_000
"""Characters of a line that are shown."""
_LOOKED_AT, _CUT = 20, 16
"""Documents in which tokens are looked for, and tokens that are shown."""

__all__ = [
    "build_or_stop",
    "count_fields",
    "discard_builds",
    "look_at_sources",
    "paused_builds",
    "read_details",
    "read_line",
    "read_report",
    "summaries",
    "verify_all",
]


def paused_builds() -> tuple[PausedBuild, ...]:
    """The builds that can be resumed."""
    with suppress(OSError):
        if not build_records():
            # Nearly always; nothing is imported, as long as the window is just being shown.
            return ()
    from explorer.building import paused

    return paused.paused_builds()


def discard_builds(outs: Sequence[Path]) -> None:
    """Remove what unfinished builds have made."""
    from explorer.building import paused

    paused.discard_builds(outs)


def verify_all(corpus: Corpus, deep: bool, report: Report, cancel: CancelToken) -> tuple[VerifyReport, ...]:
    """Check every folder of an index."""
    from explorer.building.verify.verify import verify_index

    index = corpus.index
    tokenizer = index.tokenizer if index.has_tokenizer else None
    return tuple(verify_index(path, deep, tokenizer, report, cancel) for path in corpus.folders)


def look_at_sources(request: BuildRequest, cancel: CancelToken) -> Looked:
    """Find out what the sources of a build are, and what it would need.

    request: The build; with "" as its text field, a field is proposed.
    Returns: What was found, and whether the folder has a build to resume. An error that would prevent the build is part
        of it.
    Raises `ChildEndedError` if the process that looks ended without an answer.
    """
    # The readers, for the names of the kinds: they would be imported on the interface thread otherwise.
    import explorer.documents.kinds  # noqa: F401
    from explorer.building.process import recognize_in_process
    from explorer.building.state import can_resume

    found = recognize_in_process(request, cancel)
    # Hundreds of rows, which would take too long on the interface thread.
    return Looked(found, problem_rows(found.left_out), can_resume(request.out))


def build_or_stop(request: BuildRequest, report: Report, cancel: CancelToken) -> Built | None:
    """Build in a process of its own.

    report: Called with the progress, on the thread that called this.
    Returns: What was built; None if the build was asked to end before it was complete.
    """
    from explorer.building.process import build_in_process

    try:
        manifest = build_in_process(_with_field(request, cancel), report, cancel)
        return Built(manifest.name, manifest.token_count)
    except Cancelled:
        # A runner answers nobody about work that ended this way, and the form has to know that its build did.
        return None


def _with_field(request: BuildRequest, cancel: CancelToken) -> BuildRequest:
    """The build with the field that is proposed, if it was started before that was shown."""
    if request.text_field:
        return request
    from explorer.building.process import recognize_in_process

    return replace(request, text_field=recognize_in_process(request, cancel).text_field)


def read_line(path: Path, line: int) -> str:
    """Read one line of a file, which may be compressed.

    Returns: The line without its end, cut after 4,000 characters; "" beyond the last line.
    """
    from explorer.core.files.streams import BrokenStreamError, unpacked
    from explorer.documents.lines import lines_of

    try:
        with open(path, "rb") as raw:
            # Split as a build splits JSON Lines, so that its numbers of lines are those of this file.
            found = next(islice(lines_of(unpacked(raw, path.name), path.name), line - 1, None), b"")
    except (OSError, BrokenStreamError) as error:
        raise DamagedIndexError(
            mark("{path} cannot be read ({cause})."), reason="unreadable", path=path, cause=error
        ) from error
    text = found if isinstance(found, str) else found.decode("utf-8", "replace")
    return text.rstrip("\r\n")[:_MOST_OF_A_LINE]


def summaries(paths: Sequence[str]) -> dict[str, IndexSummary]:
    """Describe indexes by their files. What is on another machine is taken to be there."""
    if not paths:
        return {}
    from explorer.backends.registry import BACKENDS
    from explorer.backends.summary import IndexSummary, summarize

    found = {}
    for path in paths:
        kind = BACKENDS.claiming(path)
        # The first kind is that of local folders. Asking another machine could take seconds for each row of the list.
        others = kind is not None and kind is not BACKENDS.rows[0]
        found[path] = IndexSummary(found=True) if others else summarize(Path(path))
    return found


def read_details(corpus: Corpus) -> Details:
    """Sizes of the open index's files, and the first tokens of a document."""
    # The readers, for the names of the kinds of files, as in `look_at_sources`.
    import explorer.documents.kinds  # noqa: F401
    from explorer.backends.summary import sizes_by_part

    sizes: Counter[str] = Counter()
    for folder in corpus.folders:
        # A folder whose drive is gone has no sizes; the watch of the files reports it.
        with suppress(OSError):
            sizes.update(sizes_by_part(folder))
    return Details(dict(sizes), _first_tokens(corpus) if corpus.index.has_tokenizer else ())


def _first_tokens(corpus: Corpus) -> tuple[TokenView, ...]:
    """The tokens of a document's first words; of the first document that has some."""
    from explorer.analyses.search.query import TokenView, show_token
    from explorer.backends.documents.reading import tokens_of

    index = corpus.index
    for number in index.documents.numbers()[:_LOOKED_AT].tolist():
        ids = tokens_of(index, number, 0, _CUT)
        if len(ids) > 1:
            return tuple(
                TokenView(token, show_token(index, token), corpus.index.hits.find([token]).count)
                for token in ids.tolist()
            )
    return ()


def count_fields(corpus: Corpus, report: Report, cancel: CancelToken) -> tuple[FieldCount, ...]:
    """Count the values of all fields of the open index.

    Raises `CapabilityError` if the index cannot give metadata.
    """
    from explorer.analyses.metadata.field_counts import count_values

    return count_values(corpus.index, report, cancel)


def read_report(folder: Path) -> tuple[Problem, ...]:
    """The problems of `report.json`; raises DamagedIndexError if it is not a report of a build."""
    from explorer.building.moment import REPORT_NAME

    path = folder / REPORT_NAME
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        # Earlier versions wrote the problems alone.
        rows = value if isinstance(value, list) else value["problems"]
        return tuple(
            Problem(str(row["path"]), int(row["place"]), str(row["reason"]), str(row.get("kind", ""))) for row in rows
        )
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedIndexError(
            mark("{path} cannot be read ({cause})."), reason="unreadable", path=path, cause=error
        ) from error

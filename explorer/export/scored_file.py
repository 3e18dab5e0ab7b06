"""A file of log probabilities of a neural model that grows with the answers of a server, and can be continued."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from explorer.core.files.paths import cache_folder
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.export.destination import ExportError
from explorer.i18n import mark
from explorer.neural.asking import score_texts
from explorer.neural.records import ScoredText, line_of, read_scored
from explorer.neural.servers import ScoringServer


def place_of_scores(asked: Sequence[str], model: str, texts: Sequence[str]) -> Path:
    """Find the file of the cache folder where what a server answers is kept, until all of it is there.

    Returns: The file, which may exist already. Its folder does.
    Raises `OSError` if the folder cannot be made.
    """
    folder = cache_folder() / "scores"
    # The texts are the user's: nobody else on the machine is to read them.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = hashlib.sha256(json.dumps([*asked, model, *texts]).encode()).hexdigest()[:32]
    return folder / f"{name}.jsonl"


def save_scores(
    server: ScoringServer,
    texts: Iterable[str],
    path: Path,
    *,
    resume: bool = False,
    top: int = 0,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> tuple[ScoredText, ...]:
    """Ask a server for the log probabilities of texts, and write them to a file as they come.

    path: The file. What was written stays if the work fails, is cancelled or is killed: at most the last 1,000 tokens
        are lost then.
    resume: Whether to continue a file that an earlier call with the same texts began; otherwise it must not exist.
    top: How many of the most probable tokens to list with each token, from 0.
    Raises `ExportError` if the file exists and is not to be continued, or cannot be written.
    Raises `SourceError` if the file to be continued cannot be read.
    Raises `ServerError` if an answer cannot be used, or the file is of other texts or of another model.
    """
    made: list[ScoredText] = []
    try:
        # Not through a temporary file: what is written must stay if the process is killed.
        with path.open("r+b" if resume and path.exists() else "x+b") as file:
            lines = _Lines(file)
            done = lines.read() if lines.complete else ()
            # The lines before the last one are complete, and the server is only asked how it divides their texts.
            asked = score_texts(server, texts, done, top, report, cancel, lambda text: lines.put(len(made), text))
            for number, text in enumerate(asked):
                made.append(text)
                # The last text of the file may have been incomplete; those before it are as they were.
                if number >= len(done) - 1:
                    lines.put(number, text)
    except FileExistsError as error:
        raise ExportError(mark("{path} exists already."), reason="exists", option="resume", path=path) from error
    except OSError as error:
        raise ExportError(
            mark("{path} cannot be written: {cause}."), reason="unwritable", path=path, cause=error.strerror or error
        ) from error
    return tuple(made)


class _Lines:
    """The lines of a file, of which the last one may be written again."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begins = [0]
        for line in file:
            if line.endswith(b"\n"):
                self._begins.append(self._begins[-1] + len(line))
        # A last line without an end was cut short, and does not count.
        self.complete = len(self._begins) - 1

    def read(self) -> tuple[ScoredText, ...]:
        """Read the lines that are complete."""
        self._file.seek(0)
        return read_scored(io.BufferedReader(io.BytesIO(self._file.read(self._begins[-1]))))

    def put(self, number: int, text: ScoredText) -> None:
        """Write a line, in place of what is there from this line on."""
        # Whatever was there of this text and after it is older than what is written now.
        self._file.seek(self._begins[number])
        self._file.truncate()
        self._file.write(line_of(text).encode() + b"\n")
        self._file.flush()
        self._begins[number + 1 :] = [self._file.tell()]

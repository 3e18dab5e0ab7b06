"""Texts that a server's model scores for the Mix tab, as far as it came. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.analyses.agreement.prompt import lead_of
from explorer.analyses.agreement.sources import read_texts
from explorer.core.files.paths import is_file
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.errors import Cancelled, CorpusError, QueryError, SourceError
from explorer.gui.sources.inputs import TextInputs, pasted_name
from explorer.i18n import mark
from explorer.neural.records import ScoredText, ScoredToken, read_scored

if TYPE_CHECKING:
    from explorer.neural.servers import ScoringServer


WINDOW = 1024
"""Most tokens of context, as the command line has them unless it is told otherwise."""


@dataclass(frozen=True)
class Asked:
    """What a server is asked: the texts, and where it is.

    url: The address of the server.
    inputs: Files and pasted text.
    """

    url: str
    inputs: TextInputs


@dataclass(frozen=True, eq=False)
class ServerScores:
    """What the model of a server gave, whole or as far as it came.

    texts: The texts; the last one may be incomplete, and further ones may be missing.
    done, total: Tokens that were scored, or texts where the server does not count tokens; a total of 0 is unknown.
    whole: Whether nothing is missing.
    error: Why something is; None if the user stopped it.
    leads: The characters of each text that are its prompt: context, which is not scored.
    """

    asked: Asked
    texts: tuple[ScoredText, ...]
    done: int
    total: int
    unit: str
    whole: bool
    error: CorpusError | None = None
    leads: tuple[int, ...] = ()

    @property
    def scored(self) -> tuple[ScoredText, ...]:
        """The texts as they are mixed: tokens of a prompt have no log probability."""
        pairs = zip(self.texts, self.leads, strict=False)
        return tuple(_without_prompt(text, lead) if lead else text for text, lead in pairs)


def _without_prompt(text: ScoredText, lead: int) -> ScoredText:
    # A token that begins in the prompt and ends in the text is context, as in `explorer.analyses.agreement.prompt`.
    tokens = (ScoredToken(each.start, each.end, None, each.id) if each.start < lead else each for each in text.tokens)
    return replace(text, tokens=tuple(tokens))


def ask_server(
    asked: Asked, allowed: frozenset[str], before: ServerScores | None, over: bool, report: Report, cancel: CancelToken
) -> ServerScores:
    """Have texts scored by the model of a server. Runs off the interface thread.

    allowed: Hosts that are not this machine and to which the user agreed, as the error "not-this-machine" names them.
    before: What an earlier call gave for the same texts, to continue it; None to begin.
    over: Whether to begin again where there is a file of an earlier call, perhaps of a window that was closed.
    cancel: Stops the work. If it is paused, what was scored until then is returned.
    Returns: The log probabilities. If the server fails after some of them, they come with the error.
    Raises `CorpusError` if the texts cannot be read, or the server gives nothing that can be used.
    Raises `Cancelled` if it was cancelled, and not paused.

    Notes
    -----
    What comes is written to the file of the cache folder that the command `mix --server` continues, too. It is removed
    when all is there.
    """
    # Here: a connection brings modules along that nothing else in the window needs.
    from explorer.neural.servers import open_server

    seen = [Progress("", before.done, before.total, before.unit)] if before is not None else [Progress("", 0, 0)]

    def noted(progress: Progress) -> None:
        seen[:] = [progress]
        report(progress)

    known, made, file = before.texts if before is not None else (), list[ScoredText](), ScoresFile(None)
    error: CorpusError | None = None
    leads: tuple[int, ...] = ()
    try:
        given = texts_of(asked.inputs)
        texts, leads = tuple(lead + text for lead, text in given), tuple(len(lead) for lead, _ in given)
        with open_server(asked.url, confirm=allowed.__contains__, cancel=cancel) as server:
            # What is whole is in no file any more, and only compared with the server's model.
            file = ScoresFile(None) if before is not None and before.whole else scores_file(asked, server.model, texts)
            if over:
                file.remove()
            for text in file.score(server, texts, known, noted, cancel):
                made.append(text)
    except Cancelled:
        if not cancel.paused:
            raise
    except CorpusError as failed:
        error = failed
    else:
        file.remove()
        return ServerScores(asked, tuple(made), len(made), len(made), "texts", whole=True, leads=leads)
    # Also of an attempt that ended before it came to where an earlier one had been.
    kept = _longer(made or file.read(), known)
    if error is not None and not any(text.tokens for text in kept):
        raise error
    return ServerScores(
        asked, kept, int(seen[0].done), int(seen[0].total), seen[0].unit, whole=False, error=error, leads=leads
    )


def _longer(made: Sequence[ScoredText], known: Sequence[ScoredText]) -> tuple[ScoredText, ...]:
    """Of each text, the scores that reach further: a second attempt may have failed before the first one's end."""
    both = [max(pair, key=lambda text: len(text.tokens)) for pair in zip(made, known, strict=False)]
    return (*both, *made[len(both) :], *known[len(both) :])


@dataclass(frozen=True)
class ScoresFile:
    """Where the answers of a server are kept until all are there.

    path: The file; None where there is no place for one: then they are kept as long as the window is open.
    """

    path: Path | None

    def read(self) -> tuple[ScoredText, ...]:
        """What is in it."""
        return read_scored(self.path) if self.path is not None and is_file(self.path) else ()

    def remove(self) -> None:
        """Begin again."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def score(
        self, server: ScoringServer, texts: Sequence[str], known: Sequence[ScoredText], report: Report,
        cancel: CancelToken,
    ) -> Iterable[ScoredText]:  # fmt: skip
        """Ask for what is missing.

        known: What is known of them without a file.
        Returns: The texts. Those of a file come when all are there; what it has before that is in `read`.
        """
        from explorer.export.scored_file import save_scores
        from explorer.neural.asking import score_texts

        if self.path is None:
            return score_texts(server, texts, known, report=report, cancel=cancel)
        return save_scores(server, texts, self.path, resume=True, report=report, cancel=cancel)


def scores_file(asked: Asked, model: str, texts: Sequence[str]) -> ScoresFile:
    """The file for what a model answers, with what an earlier window has left in it."""
    from explorer.export.scored_file import place_of_scores

    try:
        file = ScoresFile(place_of_scores((asked.url, str(WINDOW)), model, texts))
    except OSError:
        return ScoresFile(None)
    try:
        file.read()
    except SourceError:
        # Only a damaged file cannot be read: it was ours, and can be made again.
        file.remove()
    return file


def count_texts(inputs: TextInputs) -> tuple[tuple[str, int], ...]:
    """Count the texts of each source, so that they are known before a server is asked. Runs off the interface thread.

    Returns: Names and numbers of texts, in their order.
    Raises `CorpusError` if a file cannot be read.
    """
    groups: list[str] = []
    if inputs.files:
        groups += [group for group in read_texts(inputs.files, inputs.choice).groups if group not in inputs.removed]
    if inputs.has_text:
        groups.append(pasted_name())
    return tuple(Counter(groups).items())


def texts_of(inputs: TextInputs) -> tuple[tuple[str, str], ...]:
    """Read the texts.

    Returns: What comes before each text, and the text; the pasted one is last.
    Raises `CorpusError` if a file cannot be read, or there is no text.
    """
    found: list[tuple[str, str]] = []
    if inputs.files:
        read = read_texts(inputs.files, inputs.choice)
        prompts = read.prompts or ("",) * len(read.texts)
        rows = zip(read.texts, read.groups, prompts, strict=True)
        found += [(lead_of(prompt), text) for text, group, prompt in rows if group not in inputs.removed]
    if inputs.has_text:
        found.append((lead_of(inputs.prompt), inputs.text))
    if not found:
        raise QueryError(mark("There is no text to score."), reason="no-text-given")
    return tuple(found)

"""Texts that a server's model scores for the Mix tab, as far as it came. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.agreement.sources import read_texts
from explorer.errors import Cancelled, CorpusError, QueryError
from explorer.gui.sources.inputs import TextInputs, pasted_name
from explorer.i18n import mark
from explorer.jobs import CancelToken, Progress, Report
from explorer.neural.records import ScoredText


@dataclass(frozen=True)
class Asked:
    """What a server is asked: the texts, and where it is.

    Attributes
    ----------
    url
        The address of the server.
    inputs
        Files and pasted text.
    """

    url: str
    inputs: TextInputs


@dataclass(frozen=True, eq=False)
class ServerScores:
    """What the model of a server gave, whole or as far as it came.

    Attributes
    ----------
    asked
        What was asked.
    texts
        The texts; the last one may be incomplete, and further ones may be missing.
    done, total
        Tokens that were scored, or texts where the server does not count tokens; a total of 0 is unknown.
    unit
        "tokens" or "texts".
    whole
        Whether nothing is missing.
    error
        Why something is; None if the user stopped it.
    """

    asked: Asked
    texts: tuple[ScoredText, ...]
    done: int
    total: int
    unit: str
    whole: bool
    error: CorpusError | None = None


def ask_server(
    asked: Asked, allowed: frozenset[str], before: ServerScores | None, report: Report, cancel: CancelToken
) -> ServerScores:
    """Have texts scored by the model of a server. Runs off the interface thread.

    Parameters
    ----------
    asked
        The server and the texts.
    allowed
        Hosts that are not this machine and to which the user agreed, as the error "not-this-machine" names them.
    before
        What an earlier call gave for the same texts, to continue it; None to begin.
    report
        Called with the tokens that are done.
    cancel
        Stops the work. If it is paused, what was scored until then is returned.

    Returns
    -------
    ServerScores
        The log probabilities. If the server fails after some of them, they come with the error.

    Raises
    ------
    CorpusError
        If the texts cannot be read, or the server gives nothing that can be used.
    Cancelled
        If it was cancelled, and not paused.
    """
    # Here: a connection brings modules along that nothing else in the window needs.
    from explorer.neural.asking import score_texts
    from explorer.neural.servers import open_server

    known = before.texts if before is not None else ()
    seen = [Progress("", before.done, before.total, before.unit)] if before is not None else [Progress("", 0, 0)]

    def noted(progress: Progress) -> None:
        seen.append(progress)
        del seen[:-1]
        report(progress)

    made: list[ScoredText] = []
    error: CorpusError | None = None
    try:
        texts = texts_of(asked.inputs)
        with open_server(asked.url, confirm=allowed.__contains__, cancel=cancel) as server:
            for text in score_texts(server, texts, known, report=noted, cancel=cancel):
                made.append(text)
    except Cancelled:
        if not cancel.paused:
            raise
    except CorpusError as failed:
        error = failed
    else:
        return ServerScores(asked, tuple(made), len(made), len(made), "texts", whole=True)
    # Also of an attempt that ended before it came to where an earlier one had been.
    kept = _longer(made, known)
    if error is not None and not any(text.tokens for text in kept):
        raise error
    return ServerScores(asked, kept, int(seen[0].done), int(seen[0].total), seen[0].unit, whole=False, error=error)


def _longer(made: Sequence[ScoredText], known: Sequence[ScoredText]) -> tuple[ScoredText, ...]:
    """Of each text, the scores that reach further: a second attempt may have failed before the first one's end."""
    both = [max(pair, key=lambda text: len(text.tokens)) for pair in zip(made, known, strict=False)]
    return (*both, *made[len(both) :], *known[len(both) :])


def count_texts(inputs: TextInputs) -> tuple[tuple[str, int], ...]:
    """Count the texts of each source, so that they are known before a server is asked. Runs off the interface thread.

    Parameters
    ----------
    inputs
        Files and pasted text.

    Returns
    -------
    tuple[tuple[str, int], ...]
        Names and numbers of texts, in their order.

    Raises
    ------
    CorpusError
        If a file cannot be read.
    """
    groups: list[str] = []
    if inputs.files:
        groups += [group for group in read_texts(inputs.files, inputs.choice).groups if group not in inputs.removed]
    if inputs.has_text:
        groups.append(pasted_name())
    return tuple(Counter(groups).items())


def texts_of(inputs: TextInputs) -> tuple[str, ...]:
    """Read the texts; prompts are not among them, since a server scores texts alone.

    Parameters
    ----------
    inputs
        Files and pasted text.

    Returns
    -------
    tuple[str, ...]
        The texts, the pasted one last.

    Raises
    ------
    CorpusError
        If a file cannot be read, or there is no text.
    """
    found: list[str] = []
    if inputs.files:
        read = read_texts(inputs.files, inputs.choice)
        found += [text for text, group in zip(read.texts, read.groups, strict=True) if group not in inputs.removed]
    if inputs.has_text:
        found.append(inputs.text)
    if not found:
        raise QueryError(mark("There is no text to score."), reason="no-text-given")
    return tuple(found)

"""What the Mix tab computes of scored texts in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.making import MethodName
from explorer.analyses.model.method import Formula
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.corpus.results.model.mixing import Mix
from explorer.export.records.mix import MixRecord, MixSizeRecord
from explorer.export.reports.mix_html import gain_level
from explorer.neural.records import LogBase, ScoredText, read_scored

HALVINGS = 8
"""How often the corpus is halved, as in the paper."""
METHODS = ("infgram", "learned", "witten-bell", "discount", "levels", "weighted", "laplace", "ngram")
"""Methods of the corpus's side: those that give probabilities, the paper's first."""


@dataclass(frozen=True)
class ScoreFile:
    """A file of log probabilities.

    log_base: The base that the user chose for a file that does not state it; None for e.
    """

    path: Path
    log_base: LogBase | None = None


@dataclass(frozen=True, eq=False)
class MixQuestion:
    """The index, the texts with the neural model's side, and the corpus's side.

    leave_one_out: Whether the texts are in the index, and their own occurrences do not count.
    """

    corpus: Corpus
    scored: ScoreFile | tuple[ScoredText, ...]
    method: Formula
    leave_one_out: bool = False


@dataclass(frozen=True, eq=False)
class MixText:
    """A text with the tokens that both models scored.

    rows: Its tokens, or what is between two boundaries that different tokenizers share.
    first: The number of the first of them among those of all texts.
    levels: How much the corpus helped, from -3 (it hurt much) to 3, int64.
    """

    text: str
    rows: tuple[MixRecord, ...]
    first: int
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    levels: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MixAnswer:
    """The mixture, and its texts as they are shown.

    texts: The texts of which both models scored something.
    """

    question: MixQuestion
    found: Mix
    texts: tuple[MixText, ...]


def run_mix(question: MixQuestion, report: Report, cancel: CancelToken) -> MixAnswer:
    """Mix the corpus with a neural model. Runs off the interface thread.

    Raises `CorpusError` if the file cannot be read, or fewer than two tokens are scored by both models.
    """
    found = question.corpus.mix(
        read(question.scored),
        model=cast(MethodName, question.method.name),
        leave_one_out=question.leave_one_out,
        report=report,
        cancel=cancel,
        **question.method.arguments(),
    )
    return MixAnswer(question, found, _shown(found.rows, found.texts))


def run_sizes(question: MixQuestion, report: Report, cancel: CancelToken) -> tuple[MixSizeRecord, ...]:
    """Mix smaller and smaller parts of the corpus, too. Runs off the interface thread.

    Returns: A row per size, the whole corpus first.
    Raises `CorpusError` as from `run_mix`, or if the corpus cannot be halved.
    """
    found = question.corpus.mix_by_size(
        read(question.scored),
        halvings=HALVINGS,
        model=cast(MethodName, question.method.name),
        report=report,
        cancel=cancel,
        **question.method.arguments(),
    )
    return found.rows


def read(scored: ScoreFile | tuple[ScoredText, ...]) -> tuple[ScoredText, ...]:
    """The texts of a file, or those that were given."""
    return read_scored(scored.path, scored.log_base) if isinstance(scored, ScoreFile) else scored


def _shown(rows: Sequence[MixRecord], texts: Sequence[ScoredText]) -> tuple[MixText, ...]:
    numbers = np.array([row.text for row in rows], dtype=np.int64)
    found: list[MixText] = []
    for number, text in enumerate(texts):
        first, end = np.searchsorted(numbers, [number, number + 1]).tolist()
        here = tuple(rows[first:end])
        # A text of one token has nothing that could be scored.
        if here:
            columns = ([row.start for row in here], [row.end for row in here], [gain_level(row.gain) for row in here])
            found.append(MixText(text.text, here, first, *(np.array(each, dtype=np.int64) for each in columns)))
    return tuple(found)

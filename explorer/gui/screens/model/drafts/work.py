"""What the Draft bench runs in its background lane. No Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np

from explorer.analyses.agreement.sources import read_texts
from explorer.analyses.drafts.compute import Drafter, DraftFigures, DraftStep, figures_of, steps_of
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.drafts.table import DraftRecord, draft_record
from explorer.analyses.model.lookup_cache import lookup_cache
from explorer.analyses.model.scoring import scorable
from explorer.backends.documents.reading import decode_ids
from explorer.core.jobs import CancelToken, Progress, Report
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.export.about import save_about
from explorer.export.destination import replacing
from explorer.export.provenance import index_facts
from explorer.gui.sources.inputs import TextInputs, pasted_name
from explorer.i18n import mark


@dataclass(frozen=True)
class DraftQuestion:
    """The index, the answers of a model, and how drafts are made."""

    corpus: Corpus
    inputs: TextInputs
    rule: DraftsQuestion


@dataclass(frozen=True, eq=False)
class DraftedText:
    """An answer, written with drafts.

    source: The number of its source, from 0.
    starts, ends: The first character of each token, and one past its last, int64.
    guesses: For each step the text of the token that was rejected; "" if none was.
    """

    source: int
    text: str
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]
    ends: np.ndarray[tuple[int], np.dtype[np.int64]]
    steps: tuple[DraftStep, ...]
    guesses: tuple[str, ...]
    figures: DraftFigures

    def step_of(self, token: int) -> int:
        """The number of the step that wrote a token; -1 for the first one, which no step writes."""
        return bisect_right(self.steps, token, key=lambda step: step.place) - 1


@dataclass(frozen=True, eq=False)
class DraftAnswer:
    """What drafts save for all answers.

    names, counts: The sources and the number of their texts.
    """

    question: DraftQuestion
    names: tuple[str, ...]
    counts: tuple[int, ...]
    texts: tuple[DraftedText, ...]

    @property
    def sources(self) -> tuple[DraftRecord, ...]:
        """A row per source."""
        return tuple(draft_record(place, name, self.figures(place)) for place, name in enumerate(self.names))

    def figures(self, source: int | None) -> DraftFigures:
        """The sums of a source; None for all."""
        parts = (text.figures for text in self.texts if source in (None, text.source))
        return reduce(DraftFigures.plus, parts, DraftFigures())


def run_drafts(question: DraftQuestion, report: Report, cancel: CancelToken) -> DraftAnswer:
    """Write texts with drafts. Runs off the interface thread.

    Returns: The steps and their sums.
    Raises `CorpusError` if a file cannot be read, or there is no token that a model would write.
    """
    given = _read(question.inputs)
    names = tuple(dict.fromkeys(source for _, source in given))
    # One drafter: it keeps what it looked up, and answers return to the same phrases.
    drafter = Drafter(question.corpus.index, question.rule)
    made: list[DraftedText] = []
    for text, source in given:
        cancel.check()
        made.append(_drafted(question, drafter, text, names.index(source)))
        report(Progress("Drafting", len(made), len(given), "texts"))
    if not any(text.figures.written for text in made):
        raise QueryError(
            mark("There is no token to draft: the first token of a text has no context."), reason="too-short"
        )
    counts = tuple(sum(source == name for _, source in given) for name in names)
    return DraftAnswer(question, names, counts, tuple(made))


def _drafted(question: DraftQuestion, drafter: Drafter, text: str, source: int) -> DraftedText:
    # As the library tokenizes it, with the place of each token.
    read = scorable(question.corpus.index.tokenizer, text)
    steps = tuple(steps_of(drafter, read.ids))
    # Here, not when they are asked about: the window does not decode.
    guesses = tuple(guess_of(question.corpus, step) for step in steps)
    figures = figures_of(len(read.ids), 1, steps)
    return DraftedText(source, text, read.starts, np.append(read.starts[1:], len(text)), steps, guesses, figures)


def _read(inputs: TextInputs) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if inputs.files:
        read = read_texts(inputs.files, inputs.choice)
        found += zip(read.texts, read.groups, strict=True)
    # Before the pasted text is added, which may have the name of a source that was removed.
    found = [each for each in found if each[1] not in inputs.removed]
    if inputs.has_text:
        found.append((inputs.text, pasted_name()))
    if not found:
        raise QueryError(mark("There is no text to draft."), reason="no-text-given")
    return found


def guess_of(corpus: Corpus, step: DraftStep) -> str:
    """The text of the first token of a draft that was rejected; "" if all of it was accepted.

    Returns: What the corpus expected where the model wrote something else.
    """
    wrong = step.drafted[step.accepted : step.accepted + 1]
    return decode_ids(corpus.index, wrong).text if wrong else ""


def write_cache(corpus: Corpus, path: Path, report: Report, cancel: CancelToken) -> tuple[Path, int]:
    """Write llama.cpp's static lookup cache. Runs off the interface thread.

    path: The file, which appears when it is whole.
    report: Called with the first tokens that are done.
    Returns: The file, and the pairs of tokens in it.
    """
    pairs = 0
    with replacing(path) as partial, partial.open("wb") as file:
        for more, _, data in lookup_cache(corpus.index, report, cancel):
            pairs += more
            file.write(data)
    save_about(path, index_facts(corpus.index))
    return path, pairs

"""What the Perplexity tab runs in its background lanes. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analyses.agreement.prompt import lead_of
from explorer.analyses.agreement.sources import read_texts
from explorer.analyses.model.making import Tuned, tuned
from explorer.analyses.model.method import Formula
from explorer.analyses.model.scoring import Scorable, TextScores, Total, Vocabulary, kinds_of, scorable, total_of
from explorer.analyses.model.several import score_by_each
from explorer.analyses.model.trust import Learned
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Report
from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.gui.screens.model.copied import copied_share
from explorer.gui.screens.model.methods import compared
from explorer.gui.sources.inputs import TextInputs, pasted_name
from explorer.i18n import mark

SHOWN = 3_000
"""Tokens of a text that are shown and shaded at once."""
_KEPT = 2_000_000
"""Scores of tokens that are kept for methods that were asked about before."""


@dataclass(frozen=True)
class Question:
    """What is asked: the index, texts and how they are scored.

    inputs: Files and pasted text.
    leave_one_out: Whether each text is in the index, and its own occurrences do not count.
    """

    corpus: Corpus
    inputs: TextInputs
    method: Formula
    leave_one_out: bool


@dataclass(frozen=True, eq=False)
class MethodFigures:
    """The figures of one method.

    total: The sums over all texts.
    sources: The sums of each source.
    """

    method: Formula
    total: Total
    sources: tuple[Total, ...]
    tuned_on: str | None
    tuned_tokens: int


@dataclass(frozen=True, eq=False)
class ScoredText:
    """A text with the probability of each token.

    source: The number of its source, from 0.
    text: The text, without its prompt.
    scores: Their scores by the chosen method.
    """

    source: int
    text: str
    read: Scorable
    scores: TextScores


@dataclass(frozen=True, eq=False)
class PerplexityAnswer:
    """The figures of all methods, and the texts scored by the chosen one.

    rows: The figures by method; learned trust may be missing in a first answer.
    chosen: The place of the chosen method in `rows`.
    names, counts: The sources and the number of their texts.
    whole: Whether no method is missing.
    copied: The share of the tokens that the corpus has in long passages; 0.0 if each text is left out of it.
    """

    question: Question
    rows: tuple[MethodFigures, ...]
    chosen: int
    names: tuple[str, ...]
    counts: tuple[int, ...]
    texts: tuple[ScoredText, ...]
    whole: bool
    copied: float


@dataclass(frozen=True)
class _Text:
    text: str
    source: str
    prompt: str


class Memory:
    """What was computed for an index: what learned trust learned, and scores of the texts that were asked about last.

    Used by one request at a time, on its thread.
    """

    def __init__(self) -> None:
        self._vocabularies: dict[bool, Vocabulary] = {}
        self._tuned: dict[Formula, Tuned] = {}
        self._about: object = None
        self._scores: dict[Formula, list[TextScores]] = {}
        self._copied = -1.0

    def copied(self, index: Backend, texts: Sequence[Scorable], cancel: CancelToken) -> float:
        """The share of the texts that were asked about last that the corpus has in long passages."""
        if self._copied < 0:
            self._copied = copied_share(index, (text.ids[text.first :] for text in texts), cancel)
        return self._copied

    def vocabulary(self, index: Backend, method: Formula) -> Vocabulary:
        """The tokens that there may be, as the library chooses them for a method."""
        every = method.of_tokenizer
        if every not in self._vocabularies:
            size = index.tokenizer.vocabulary_size if every else kinds_of(index)
            self._vocabularies[every] = Vocabulary(size, every)
        return self._vocabularies[every]

    def tuned(self, index: Backend, method: Formula, report: Report, cancel: CancelToken) -> Tuned:
        """The method, learned where it learns."""
        if method not in self._tuned:
            kinds = self.vocabulary(index, method).size
            self._tuned[method] = tuned(index, method, kinds, report=report, cancel=cancel)
        return self._tuned[method]

    def knows(self, method: Formula) -> bool:
        """Whether a method is ready: it learns nothing, or has learned."""
        return not isinstance(method, Learned) or method in self._tuned

    def scores(self, about: object, texts: Sequence[Scorable]) -> dict[Formula, list[TextScores]]:
        """The scores so far of these texts; those of other texts are forgotten.

        about: What decides about the scores besides the method: texts, prompts, and whether they are left out.
        Returns: By method; what is put into it is kept.
        """
        # Of large texts, only the scores of the methods in the table are kept.
        most = _KEPT // max(1, sum(len(text.ids) for text in texts))
        if about != self._about or len(self._scores) > most:
            self._about, self._scores, self._copied = about, {}, -1.0
        return self._scores


def run_perplexity(
    question: Question,
    memory: Memory,
    report: Report,
    cancel: CancelToken,
    interim: Callable[[Callable[[], PerplexityAnswer]], None],
    unread: Callable[[Callable[[], tuple[str, ...]]], None],
) -> PerplexityAnswer:
    """Score texts by the chosen method, and by those that it is compared with. Runs off the interface thread.

    interim: Called with the answer without learned trust, if that is still to be learned.
    unread: Called with what makes the problems of lines that were skipped.
    Raises `CorpusError` if a file cannot be read, or there is no token to score.
    """
    index = question.corpus.index
    given = _read(question.inputs, unread)
    texts = [scorable(index.tokenizer, each.text, lead_of(each.prompt)) for each in given]
    if all(text.first >= len(text.ids) for text in texts):
        raise QueryError(
            mark("There is no token to score: nothing comes before the first token of a text."), reason="too-short"
        )
    known = memory.scores((tuple(given), question.leave_one_out), texts)
    copied = 0.0 if question.leave_one_out else memory.copied(index, texts, cancel)
    wanted = compared(question.method)
    # What must be learned first would keep the others waiting for seconds, unless it is what was asked for.
    ready = [method for method in wanted if memory.knows(method) or method == question.method]
    for methods in (ready, list(wanted)):
        missing = [method for method in methods if method not in known]
        if missing:
            # Learned before the texts are scored: both report their own progress.
            made = [memory.tuned(index, method, report, cancel) for method in missing]
            pairs = [(each.method, memory.vocabulary(index, of)) for each, of in zip(made, missing, strict=True)]
            found = score_by_each(index, pairs, texts, question.leave_one_out, report, cancel)
            # Kept at once: a question that comes while trust is learned need not score these again.
            known.update(zip(missing, found, strict=True))
        answer = _answer(question, memory, methods, given, texts, known, copied)
        if len(methods) == len(wanted):
            return answer
        interim(lambda answer=answer: answer)  # type: ignore[misc]
    return answer


def _read(inputs: TextInputs, unread: Callable[[Callable[[], tuple[str, ...]]], None]) -> list[_Text]:
    found: list[_Text] = []
    if inputs.files:
        read = read_texts(inputs.files, inputs.choice)
        prompts = read.prompts or ("",) * len(read.texts)
        found += [_Text(*each) for each in zip(read.texts, read.groups, prompts, strict=True)]
        unread(lambda: tuple(map(str, read.problems)))
    # Before the pasted text is added, which may have the name of a source that was removed.
    found = [each for each in found if each.source not in inputs.removed]
    if inputs.has_text:
        found.append(_Text(inputs.text, pasted_name(), inputs.prompt))
    if not found:
        raise QueryError(mark("There is no text to score."), reason="no-text-given")
    return found


def _answer(
    question: Question,
    memory: Memory,
    methods: Sequence[Formula],
    given: Sequence[_Text],
    texts: Sequence[Scorable],
    known: dict[Formula, list[TextScores]],
    copied: float,
) -> PerplexityAnswer:
    # In the order in which they come, as the chips are.
    names = tuple(dict.fromkeys(each.source for each in given))
    places = [names.index(each.source) for each in given]
    rows = []
    for method in methods:
        scores, ready = known[method], memory.tuned(question.corpus.index, method, lambda _: None, CancelToken())
        parts = [[one for one, at in zip(scores, places, strict=True) if at == place] for place in range(len(names))]
        rows.append(
            MethodFigures(method, total_of(scores), tuple(map(total_of, parts)), ready.tuned_on, ready.tuned_tokens)
        )
    chosen = known[question.method]
    return PerplexityAnswer(
        question,
        tuple(rows),
        list(methods).index(question.method),
        names,
        tuple(places.count(place) for place in range(len(names))),
        tuple(
            ScoredText(at, each.text, read, one)
            for at, each, read, one in zip(places, given, texts, chosen, strict=True)
        ),
        len(methods) == len(compared(question.method)),
        copied,
    )


def surprise_of(scores: TextScores) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Compute -log2 P of each token, in bits; infinite where the probability is 0 and there is no floor.

    Examples
    --------
    >>> from explorer.analyses.model.scoring import TextScores
    >>> none = np.zeros(2, dtype=np.int64)
    >>> surprise_of(TextScores(0, np.array([0.25, 0.0]), none, none > 0, 2, 2, None)).tolist()
    [2.0, inf]
    """
    # The floor counts as in the perplexity, so that the shades add up to it.
    shares = scores.shares if scores.floor is None else np.where(scores.shares > 0, scores.shares, scores.floor)
    with np.errstate(divide="ignore"):
        found: np.ndarray[tuple[int], np.dtype[np.float64]] = 0.0 - np.log2(shares)
    return found


def borders(text: ScoredText) -> tuple[Numbers, Numbers]:
    """Where the tokens of a text begin and end in it, in characters; the first ones are those that are not scored."""
    before = int(np.count_nonzero(text.read.starts < 0))
    # Tokens of the prompt have places before the text.
    starts = text.read.starts[before:]
    # A tokenizer may leave out what is at the end; the last scored token ends where the scored characters do.
    end = len(text.text)
    if len(text.scores):
        end = int(text.read.starts[text.read.first]) + text.read.characters
    return starts, np.append(starts[1:], end)

"""Drafts of the next tokens from the corpus, for speculative decoding, and what they would save."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analyses.drafts.question import DraftsQuestion
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken, Progress, Report, no_report

_USUAL = DraftsQuestion()


@dataclass(frozen=True)
class Draft:
    """Tokens that are expected next.

    match: Tokens of the suffix that they follow.
    """

    tokens: tuple[int, ...]
    match: int


class Drafter:
    """Makes drafts."""

    def __init__(self, index: Backend, question: DraftsQuestion = _USUAL) -> None:
        self.question = question
        self._index = index

    def draft(self, context: Numbers, limit: int | None = None) -> Draft:
        """Draft the next tokens.

        context: Checked ids of the text so far, int64.
        limit: The maximum number of tokens; None for the question's.
        Returns: The tokens; () if nothing follows any suffix.
        """
        asked = self.question
        near = context[max(0, len(context) - asked.context) :].tolist()
        most = asked.max_draft if limit is None else min(asked.max_draft, limit)
        match, found = self._index.counts.greedy(near, most, asked.min_probability)
        return Draft(tuple(found), match)


@dataclass(frozen=True)
class DraftFigures:
    """What drafts would save for some texts.

    Attributes
    ----------
    token_count
        Tokens of the texts.
    written
        Those of them that the model writes: all but the first of each text.
    steps
        Calls of the model: each accepts a part of a draft, and adds a token of its own.
    drafted
        Tokens that were drafted.
    accepted
        Those that were accepted.
    """

    token_count: int = 0
    written: int = 0
    steps: int = 0
    drafted: int = 0
    accepted: int = 0

    @property
    def tokens_per_step(self) -> float | None:
        """Tokens that are written per call of the model, 1 without drafts; None without texts."""
        return self.written / self.steps if self.steps else None

    @property
    def accept_rate(self) -> float | None:
        """The share of drafted tokens that were accepted; None if none was drafted."""
        return self.accepted / self.drafted if self.drafted else None

    def speed_up(self, draft_cost: float) -> float | None:
        """Estimate how much faster a text is written.

        Parameters
        ----------
        draft_cost
            What it costs to draft for a step and to check the draft, as a part of a call of the model, from 0.

        Returns
        -------
        float | None
            The factor; None without texts.

        Examples
        --------
        >>> DraftFigures(written=120, steps=100).speed_up(0.2)
        1.0
        """
        return self.tokens_per_step and self.tokens_per_step / (1 + draft_cost)

    def plus(self, other: DraftFigures) -> DraftFigures:
        """Add up both."""
        return DraftFigures(
            self.token_count + other.token_count,
            self.written + other.written,
            self.steps + other.steps,
            self.drafted + other.drafted,
            self.accepted + other.accepted,
        )


def simulate(drafter: Drafter, ids: Numbers, first: int = 1) -> DraftFigures:
    """Write a text with drafts, as if a model that writes exactly this had them.

    ids: Checked ids of the text, int64.
    first: The first token that the model writes; those before it are the prompt.

    Notes
    -----
    A draft is accepted up to its first token that the model would not have written, so the text stays the model's own.
    """
    return figures_of(len(ids), first, list(steps_of(drafter, ids, first)))


@dataclass(frozen=True)
class DraftStep:
    """One call of the model.

    place: The first token that it writes.
    accepted: How many of them the model would have written; its own token follows them, unless the text ends.
    """

    place: int
    drafted: tuple[int, ...]
    accepted: int


def steps_of(drafter: Drafter, ids: Numbers, first: int = 1) -> Iterator[DraftStep]:
    """Write a text with drafts, step by step; see `simulate`.

    ids: Checked ids of the text, int64.
    first: The first token that the model writes; those before it are the prompt.
    """
    place = first
    while place < len(ids):
        draft = drafter.draft(ids[:place])
        actual = ids[place : place + len(draft.tokens)].tolist()
        right = next((n for n, pair in enumerate(zip(draft.tokens, actual, strict=False)) if pair[0] != pair[1]), None)
        # Where nothing differs, the draft may be longer than what is left of the text.
        taken = min(len(actual), len(draft.tokens)) if right is None else right
        yield DraftStep(place, draft.tokens, taken)
        place += taken + 1


def figures_of(tokens: int, first: int, steps: Sequence[DraftStep]) -> DraftFigures:
    """Add up the steps of a text.

    first: The first token that the model writes.
    """
    drafted, accepted = sum(len(step.drafted) for step in steps), sum(step.accepted for step in steps)
    return DraftFigures(tokens, max(0, tokens - first), len(steps), drafted, accepted)


def simulate_texts(
    index: Backend,
    texts: Iterable[Numbers],
    total: int,
    question: DraftsQuestion,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> list[DraftFigures]:
    """Write texts with drafts; see `simulate`.

    total: How many texts there are.
    """
    drafter, made = Drafter(index, question), []
    for ids in texts:
        if cancel is not None:
            cancel.check()
        made.append(simulate(drafter, np.asarray(ids, dtype=np.int64)))
        report(Progress("Drafting", len(made), total, "texts"))
    return made

"""Fill-in probes as records: does the corpus complete a prompt as expected?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ProbeRecord:
    """How a prompt is completed.

    Attributes
    ----------
    text
        Its number among the probes that were given, from 0.
    prompt
        The prompt.
    ending
        The ending that is expected, with the space that is between it and the prompt.
    token_count
        Tokens of the ending.
    probability
        The product of the probabilities of its tokens; a score where the method gives scores.
    rank
        How many tokens are more probable after the prompt than the first token of the ending; None where that has a
        probability of 0.
    ranks
        The same for each token of the ending, after those before it.
    correct
        Whether the first token of the ending is the most probable one.
    best
        The text of the most probable token; "" where the method knows none, or gives all tokens the same.
    context_length
        Tokens of the longest suffix of the prompt that the whole ending follows in the corpus; 0 for none.
    count
        How often this suffix with the ending occurs, or the ending alone.
    document
        Number of a document in which it does; None if it does not occur.
    offset
        The offset of the ending in that document, in tokens from 0; None if it does not occur.
    """

    text: int
    prompt: str
    ending: str
    token_count: int
    probability: float
    rank: int | None
    ranks: tuple[int | None, ...]
    correct: bool
    best: str
    context_length: int
    count: int
    document: int | None
    offset: int | None


@dataclass(frozen=True)
class ProbeFacts:
    """How prompts are completed.

    Attributes
    ----------
    probe_count
        Probes that were asked.
    accuracy
        Share of the probes whose first token of the ending is the most probable one, 0 to 1.
    top_5
        Share whose first token is among the five most probable ones; a rank below 5.
    mean_reciprocal_rank
        Mean of 1 / (rank + 1), and of 0 where the first token has a probability of 0.
    normalized
        Whether the method gives probabilities, which add up to 1 over all tokens; otherwise scores.
    normalised
        The same: the name of 0.2, which the next minor version may remove.
    tuned_on
        What the method was learned from: "corpus", each token as if it were not there, or the name of a file; None if
        it learns nothing.
    """

    probe_count: int
    accuracy: float
    top_5: float
    mean_reciprocal_rank: float
    normalized: bool
    normalised: bool
    tuned_on: str | None


def probe_facts(records: Sequence[ProbeRecord], normalized: bool, tuned_on: str | None) -> ProbeFacts:
    """Sum up probes.

    Parameters
    ----------
    records
        The probes, one or more.
    normalized
        Whether the method gives probabilities.
    tuned_on
        What it was learned from.

    Returns
    -------
    ProbeFacts
        The figures.
    """
    ranks = [each.rank for each in records]
    return ProbeFacts(
        len(records),
        sum(each.correct for each in records) / len(records),
        sum(rank is not None and rank < 5 for rank in ranks) / len(records),
        sum(1 / (rank + 1) for rank in ranks if rank is not None) / len(records),
        normalized,
        normalized,
        tuned_on,
    )

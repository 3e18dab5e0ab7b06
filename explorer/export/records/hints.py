"""What hints were made, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HintRecord:
    """The hints of one text, in figures.

    Attributes
    ----------
    text
        Its number among the texts that were given, from 0; of an index: the number of the document.
    source
        The group of the text: the name of its file; of an index: its name.
    token_count
        Its tokens.
    hinted
        Those of them that have a sample.
    sample_count
        Their samples.
    mean_context_length
        Mean tokens of the contexts that were chosen; None without tokens.
    """

    text: int
    source: str
    token_count: int
    hinted: int
    sample_count: int
    mean_context_length: float | None


@dataclass(frozen=True)
class HintFacts:
    """The hints of all texts, in figures.

    Attributes
    ----------
    text_count
        The texts or documents.
    token_count
        Their tokens.
    hinted
        Those of them that have a sample.
    sample_count
        Their samples.
    mean_context_length
        Mean tokens of the contexts that were chosen; None without tokens.
    leave_one_out
        Whether each token was looked up as if its own occurrence were not in the corpus.
    arrays
        The file or the folder with the arrays; None if none was written.
    """

    text_count: int
    token_count: int
    hinted: int
    sample_count: int
    mean_context_length: float | None
    leave_one_out: bool
    arrays: str | None

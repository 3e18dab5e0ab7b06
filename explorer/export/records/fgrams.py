"""A table of f-grams in figures, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FgramSizeRecord:
    """The n-grams of one n.

    Attributes
    ----------
    n
        Tokens of each.
    distinct
        Distinct n-grams of the corpus.
    at_least
        Those that occur at least as often as the cut-off: those in the table.
    """

    n: int
    distinct: int
    at_least: int


@dataclass(frozen=True)
class FgramFacts:
    """A whole table of f-grams.

    Attributes
    ----------
    max_n
        Tokens of the longest.
    cutoff
        The least count: everything as frequent is in the table.
    kept
        F-grams of the table.
    by_n
        What there is of each n.
    dimension
        Values of an embedding, for the size of the table of embeddings.
    value_type
        The type of these values.
    table_bytes
        The size of that table.
    out
        The folder with the arrays; None if none was written.
    """

    max_n: int
    cutoff: int
    kept: int
    by_n: tuple[FgramSizeRecord, ...]
    dimension: int
    value_type: str
    table_bytes: int
    out: str | None


@dataclass(frozen=True)
class FgramCoverageRecord:
    """What a table of one K and size would match of some texts.

    Attributes
    ----------
    max_n
        K: tokens of its longest f-grams.
    size
        The f-grams that were asked for.
    cutoff
        Their least count.
    kept
        Its f-grams, those that are as frequent as the last one included.
    mean_length
        Mean length of the longest matches of the tokens, a token without one counting as 1; None without tokens.
    coverage
        Share of the tokens at which an f-gram ends, 0 to 1; None without tokens.
    table_bytes
        The size of its table of embeddings.
    """

    max_n: int
    size: int
    cutoff: int
    kept: int
    mean_length: float | None
    coverage: float | None
    table_bytes: int


@dataclass(frozen=True)
class FgramCoverageFacts:
    """What the tables are parts of, and what was looked up.

    Attributes
    ----------
    max_n
        Tokens of the longest f-grams of the whole table.
    cutoff
        Its least count.
    kept
        Its f-grams.
    text_count
        Texts that were looked up.
    token_count
        Their tokens.
    dimension
        Values of an embedding.
    value_type
        The type of these values.
    out
        The folder with the arrays of the whole table; None if none was written.
    """

    max_n: int
    cutoff: int
    kept: int
    text_count: int
    token_count: int
    dimension: int
    value_type: str
    out: str | None


@dataclass(frozen=True)
class FgramEmbeddingsRecord:
    """A table of embeddings that was filled.

    Attributes
    ----------
    table
        The folder of the f-grams.
    rows
        The f-grams.
    resumed
        Those of them that an earlier call had embedded.
    dimension
        Values of an embedding.
    value_type
        The type of these values.
    table_bytes
        The size of the embeddings.
    source
        What gave the embeddings.
    contents
        The SHA-256 of the source's file.
    """

    table: str
    rows: int
    resumed: int
    dimension: int
    value_type: str
    table_bytes: int
    source: str
    contents: str

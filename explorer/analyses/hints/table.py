"""The tables of hints: each text, and all texts together."""

from __future__ import annotations

from explorer.derive.table import column, row


@row
class HintRecord:
    """The hints of one text, in figures."""

    text: int = column("Its number among the texts that were given, from 0; of an index: the number of the document")
    source: str = column("The group of the text: the name of its file; of an index: its name")
    token_count: int = column("Its tokens")
    hinted: int = column("Those of them that have a sample")
    sample_count: int = column("Their samples")
    mean_context_length: float | None = column(
        "Mean tokens of the contexts that were chosen", missing="None without tokens"
    )


@row
class HintFacts:
    """The hints of all texts, in figures."""

    text_count: int = column("The texts or documents")
    token_count: int = column("Their tokens")
    hinted: int = column("Those of them that have a sample")
    sample_count: int = column("Their samples")
    mean_context_length: float | None = column(
        "Mean tokens of the contexts that were chosen", missing="None without tokens"
    )
    leave_one_out: bool = column("Whether each token was looked up as if its own occurrence were not in the corpus")
    arrays: str | None = column("The file or the folder with the arrays", missing="None if none was written")

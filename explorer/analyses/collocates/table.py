"""The table of collocates: its columns, and the facts about all of it."""

from __future__ import annotations

from explorer.derive.table import column, row
from explorer.i18n import mark

_NO_OTHERS = "None if the windows hold all other tokens"


@row
class CollocateRecord:
    """One word near a query."""

    form: str | None = column(
        mark("The word, in lower case, or the token"), missing="None for tokens of an index without a tokenizer"
    )
    observed: int = column(mark("O₁₁: occurrences in the windows, each counted once"), mark("Near the match"))
    count: int = column(
        mark("C₁: occurrences outside the hits of the query, in the windows and elsewhere"),
        mark("In all"),
    )
    expected: float = column(
        mark("E₁₁: expected occurrences in the windows if the query made no difference"),
        mark("Expected"),
    )
    logdice: float = column(
        "logDice, below 15; above 14 only for a word that is in the windows more often than there are hits"
    )
    mi: float = column("MI, in bits")
    mi3: float = column("MI³, in bits")
    t: float = column("The t-score")
    z: float = column("The z-score")
    g2: float = column("G², negative if the word is rarer than expected")
    dice: float = column("Dice", form=",.4f")
    delta_p_word: float | None = column("ΔP of the word, given the query", form=",.4f", missing=_NO_OTHERS)
    delta_p_node: float | None = column(
        "ΔP of the query, given the word", form=",.4f", missing="None if there is no other word"
    )
    log_ratio: float | None = column("The log ratio, in bits", missing=_NO_OTHERS)
    conservative_log_ratio: float | None = column(
        "The end next to 0 of the log ratio's 99.9 % interval, corrected for all words in the windows; 0 if the "
        "interval contains 0",
        missing=_NO_OTHERS,
    )
    documents: int | None = column(
        mark("Documents with an occurrence in a window"),
        mark("Documents"),
        missing="None if documents were not counted",
        default=None,
    )
    pairs: int | None = column(
        "Pairs of a hit and an occurrence of the word in its window, as AntConc and Sketch Engine count",
        missing="None if pairs were not counted",
        default=None,
    )
    positions: tuple[int, ...] = column(
        "The pairs by their place in the window, from the furthest left to the furthest right",
        missing="empty if pairs were not counted",
        default=(),
    )


@row
class CollocateFacts:
    """What all words near a query are, those that are not listed included."""

    unit: str = column("What is counted: words or tokens")
    node_count: int = column("How often the query occurs")
    window_tokens: int = column("R1: the words or tokens of all windows, each once")
    total: int = column("N: the words or tokens of the corpus that are not part of the query's hits")
    window_slots: int | None = column(
        "The words or tokens of all windows, each as often as windows hold it",
        missing="None if pairs were not asked for",
    )
    hits_left_out: int | None = column(
        "Hits that are not counted, since no word begins in them",
        missing="None for a query of words or tokens, which is looked up as such",
    )
    rows: tuple[CollocateRecord, ...] = column("The list")

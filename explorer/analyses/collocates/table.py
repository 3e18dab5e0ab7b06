"""Words near a query, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CollocateRecord:
    """One word near a query.

    Attributes
    ----------
    form
        Its text; None for tokens of an index without a tokenizer.
    observed
        O11: how often it is in the windows.
    count
        C1: how often it occurs outside the hits of the query.
    expected
        E11: how often it would be in the windows if the query made no difference.
    logdice
        logDice, below 15; above 14 only if the word is in the windows more often than the query occurs.
    mi
        MI, in bits.
    mi3
        MI³, in bits.
    t
        The t-score.
    z
        The z-score.
    g2
        G², negative if the word is rarer than expected.
    dice
        Dice.
    delta_p_word
        ΔP of the word, given the query; None if the windows hold all other tokens.
    delta_p_node
        ΔP of the query, given the word; None if there is no other word.
    log_ratio
        The log ratio, in bits; None if the windows hold all other tokens.
    conservative_log_ratio
        The end next to 0 of its 99.9 % interval, corrected for all words in the windows; 0 if the interval holds 0.
        None if the windows hold all other tokens.
    documents
        In how many documents it is in a window; None if it was not asked for.
    pairs
        Pairs of a hit and an occurrence of the word in its window, as AntConc and Sketch Engine count; None if they
        were not asked for.
    positions
        The pairs by their place in the window, from the furthest left to the furthest right; empty if they were not
        asked for.
    """

    form: str | None
    observed: int
    count: int
    expected: float
    logdice: float
    mi: float
    mi3: float
    t: float
    z: float
    g2: float
    dice: float
    delta_p_word: float | None
    delta_p_node: float | None
    log_ratio: float | None
    conservative_log_ratio: float | None
    documents: int | None = None
    pairs: int | None = None
    positions: tuple[int, ...] = ()


@dataclass(frozen=True)
class CollocateFacts:
    """What all words near a query are, those that are not listed included.

    Attributes
    ----------
    unit
        What is counted: words or tokens.
    node_count
        How often the query occurs.
    window_tokens
        R1: the words or tokens of all windows, each once.
    total
        N: the words or tokens of the corpus that are not part of the query's hits.
    window_slots
        The words or tokens of all windows, each as often as windows hold it; None if pairs were not asked for.
    hits_left_out
        Hits that are not counted, since no word begins in them; None for a query of words or tokens, which is looked up
        as such.
    rows
        The list.
    """

    unit: str
    node_count: int
    window_tokens: int
    total: int
    window_slots: int | None
    hits_left_out: int | None
    rows: tuple[CollocateRecord, ...]

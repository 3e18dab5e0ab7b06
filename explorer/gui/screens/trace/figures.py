"""The numbers above a traced text: some filter it, the others lead to a place. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from explorer.analyses.trace.measures.coverage import LEAST
from explorer.analyses.trace.measures.measure import Unit
from explorer.analyses.trace.measures.novelty import INDEX_LENGTHS
from explorer.analyses.trace.summary import Totals, percent
from explorer.gui.screens.trace.documents.choice import Show
from explorer.i18n import numeral, tr, trn

_LENGTHS = {"first": INDEX_LENGTHS[0], "last": INDEX_LENGTHS[-1]}


class Jump(Enum):
    """Where a number leads."""

    LONGEST = "longest"
    NOVELTY = "novelty"
    DOCUMENTS = "documents"


@dataclass(frozen=True)
class Figure:
    """A number and its words.

    hint: Its definition, and what a click does.
    target: The filter that it sets, or where it leads.
    short: The words where there is little room.
    chosen: Whether its filter holds.
    """

    number: str
    words: str
    hint: str
    target: Show | Jump
    short: str
    chosen: bool = False

    @property
    def filters(self) -> bool:
        """Whether it filters; otherwise it leads to a place."""
        return isinstance(self.target, Show)


def figures_of(totals: Totals, show: Show) -> tuple[Figure, ...]:
    """Write the numbers of one or more texts.

    Returns: The numbers in their order.
    """
    return (*_filters(totals, show), *_jumps(totals))


def _filters(totals: Totals, show: Show) -> tuple[Figure, ...]:
    return (
        Figure(
            _number(totals.passages),
            trn("passage", "passages", totals.passages),
            tr(
                "Parts of the text that occur word for word in the corpus: of the longest matches, the rarest (Density "
                "in the settings). Others may occur, too. Click: show all passages."
            ),
            Show.ALL,
            trn("passage", "passages", totals.passages),
            show is Show.ALL,
        ),
        Figure(
            _number(totals.high),
            tr("high relevance"),
            tr("Passages whose best document is of high relevance. Click: show only these and their documents."),
            Show.HIGH,
            tr("high"),
            show is Show.HIGH,
        ),
        Figure(
            percent(totals.covered),
            tr("of words in matches of {least}+ words", least=LEAST)
            if totals.unit == "words"
            else tr("of tokens in matches of {least}+ tokens", least=LEAST),
            tr(
                "Share of the words that are in a match of at least {least} words; shorter matches occur by chance. "
                "Click: mark exactly these words.",
                least=LEAST,
            )
            if totals.unit == "words"
            else tr(
                "Share of the tokens that are in a match of at least {least} tokens; shorter matches occur by chance. "
                "Click: mark exactly these tokens.",
                least=LEAST,
            ),
            Show.COVERED,
            tr("of words in matches of {least}+", least=LEAST)
            if totals.unit == "words"
            else tr("of tokens in matches of {least}+", least=LEAST),
            show is Show.COVERED,
        ),
    )


def _jumps(totals: Totals) -> tuple[Figure, ...]:
    return (
        Figure(
            _number(totals.longest),
            _longest(totals),
            tr("The longest run of words that occurs in a document, across full stops. Click: go to it.")
            if totals.unit == "words"
            else tr("The longest run of tokens that occurs in a document, across full stops. Click: go to it."),
            Jump.LONGEST,
            _longest(totals),
        ),
        Figure(
            percent(totals.novelty),
            _outside(totals.unit),
            tr(
                "Novelty: the share of the words outside matches of L words or more, mean of L = 5…11. It and the "
                "share in matches of 5 words or more add up to over 100%, since longer matches are rarer. Click: show "
                "the curve."
            )
            if totals.unit == "words"
            else tr(
                "Novelty: the share of the tokens outside matches of L tokens or more, mean of L = 5…11. It and the "
                "share in matches of 5 tokens or more add up to over 100%, since longer matches are rarer. Click: show "
                "the curve."
            ),
            Jump.NOVELTY,
            tr("of words outside matches, mean of {first}+ to {last}+", **_LENGTHS)
            if totals.unit == "words"
            else tr("of tokens outside matches, mean of {first}+ to {last}+", **_LENGTHS),
        ),
        Figure(
            _number(totals.documents),
            trn("document", "documents", totals.documents),
            tr("Documents that were looked up for the passages. Click: list all of them."),
            Jump.DOCUMENTS,
            trn("document", "documents", totals.documents),
        ),
    )


def _longest(totals: Totals) -> str:
    """What the longest match is counted in."""
    if totals.unit == "words":
        return trn("word, longest match", "words, longest match", totals.longest)
    return trn("token, longest match", "tokens, longest match", totals.longest)


def _outside(unit: Unit) -> str:
    """What novelty is a share of, with all lengths: beside the share in matches of one, it would seem to be wrong."""
    if unit == "words":
        return tr("of words outside matches, mean of {first}+ to {last}+ words", **_LENGTHS)
    return tr("of tokens outside matches, mean of {first}+ to {last}+ tokens", **_LENGTHS)


def _number(value: int) -> str:
    return numeral(value, ",")

"""Settings of a trace; the defaults are those of OLMoTrace in production, except for the measure of relevance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from explorer.derive.kinds import Choice, Delimiters, Flag, Real, Whole
from explorer.derive.question import Question, described, setting
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.text.reading import ReadMode

WordBoundaries = Literal["olmotrace", "unicode", "off"]
"""Where a span may begin and end: by the rule of OLMoTrace, at the word boundaries of Unicode, or anywhere."""
Relevance = Literal["share", "olmotrace"]
"""How documents are ranked: by the share of the text that they contain, or as OLMoTrace does."""
MatchIn = Literal["tokens", "words"]
"""What of a text is looked up: its tokens, or its words without regard to case, line breaks and punctuation."""


@described
@dataclass(frozen=True)
class TraceSettings(Question):
    """How spans are found and how many documents are looked up for them.

    Raises
    ------
    QueryError
        If a value is out of range.

    Notes
    -----
    Words have no delimiters and are whole: with `match="words"`, `delimiters`, `abbreviations` and `word_boundaries`
    are without effect, and a trace has them as (), False and "off".

    Examples
    --------
    >>> settings = TraceSettings(min_length=3, documents_per_span=2)
    >>> len(corpus.trace("the cat sat on the mat", settings=settings).documents) > 0
    True
    """

    title: ClassVar = mark("Trace")

    density: float = setting(
        0.05,
        Real(0, 1, above=True, decimals=3, percent=True),
        mark("Density"),
        mark("number of spans to keep, as a share of the text's tokens or words; the rarest are kept"),
        fact="density",
    )
    min_length: int = setting(
        1,
        Whole(1, offered=1_000),
        mark("Minimum span length"),
        mark("minimum span length in tokens or words"),
        fact="min length",
    )
    max_count: int = setting(
        1_000_000,
        Whole(1, offered=2_000_000_000),
        mark("Skip if more frequent than"),
        mark("drop spans that occur more often than this"),
        fact="max count",
    )
    delimiters: tuple[str, ...] = setting(
        ("\n", "."),
        Delimiters(),
        mark("Never cross"),
        mark(r"strings that may end a span but not occur inside it, each a whole token (\n: end of line)"),
        fact="delimiters",
        option="--delimiter",
    )
    abbreviations: bool = setting(
        False,
        Flag(),
        mark("Ignore stops in abbreviations"),
        mark("do not end spans at the full stop of an initial or abbreviation, or within a number"),
        fact="abbreviations",
    )
    word_boundaries: WordBoundaries = setting(
        "olmotrace",
        Choice({"olmotrace": mark("OLMoTrace's rule"), "unicode": mark("whole words"), "off": mark("off")}),
        mark("Span edges"),
        mark(
            "where spans may begin and end: olmotrace (by the vocabulary's spelling), unicode (by the characters "
            "around), or off"
        ),
        fact="word boundaries",
    )
    documents_per_span: int = setting(
        10,
        Whole(0, 1_000_000, offered=100),
        mark("Documents per span"),
        mark("number of occurrences to look up per span"),
        fact="documents per span",
    )
    context: int = setting(
        250,
        Whole(0, offered=10_000),
        mark("Context"),
        mark("tokens, or words, around an occurrence that are compared with the text"),
        fact="context",
    )
    snippet: int = setting(
        40,
        Whole(0, offered=10_000),
        mark("Snippet"),
        mark("tokens, or words, that are shown around an occurrence"),
        fact="snippet",
    )
    seed: int = setting(
        42, Whole(0, 2**63 - 1), mark("Seed"), mark("seed for choosing the occurrences to look up"), fact="seed"
    )
    relevance: Relevance = setting(
        "share",
        Choice(
            {"share": mark("share of the text"), "olmotrace": mark("OLMoTrace's scale")},
            {
                "share": mark(
                    "The share of the text's best 100 consecutive words that a document contains word for word."
                ),
                "olmotrace": mark("BM25, fitted to OLMoTrace's own corpus; with other corpora it is usually low."),
            },
        ),
        mark("Relevance"),
        mark(
            "how to rank documents: share (of the text that a document contains word for word; it means the same "
            "in every index) or olmotrace (BM25 on the scale that OLMoTrace fitted to its own corpus)"
        ),
        fact="relevance",
    )
    read: ReadMode = setting(
        "auto",
        Choice({"auto": mark("auto"), "plain": mark("plain"), "markdown": mark("Markdown")}),
        mark("Read as"),
        mark(
            "how to read the text: plain (as it is written), markdown (marks of Markdown and LaTeX belong to no span), "
            "or auto (if the text has such marks, each line is read as the longer match has it)"
        ),
        fact="read",
    )
    match: MatchIn = setting(
        "tokens",
        Choice(
            {"tokens": mark("tokens"), "words": mark("words")},
            {
                "tokens": mark("The tokens of the text are looked up and counted."),
                "words": mark("Its words, whatever their case, line breaks and punctuation."),
            },
        ),
        mark("Match"),
        mark(
            "what to look up: tokens, or words, whatever their case, line breaks and punctuation; lengths are then "
            "in words"
        ),
        fact="match",
    )

    def in_words(self) -> TraceSettings:
        """Give the settings of a trace in words: those that are of tokens only have no effect.

        Returns
        -------
        TraceSettings
            The settings, with `match` "words".

        Examples
        --------
        >>> TraceSettings(match="words").in_words().delimiters
        ()
        """
        return replace(self, match="words", delimiters=(), abbreviations=False, word_boundaries="off")


def settings_or_default(given: TraceSettings | None) -> TraceSettings:
    """Take the settings of a caller.

    given: The settings; None for the defaults.
    Raises `QueryError` if it is another object, such as a dictionary.
    """
    if given is None:
        return TraceSettings()
    if not isinstance(given, TraceSettings):
        raise QueryError(
            mark("{name} must be {expected}, not {value}."),
            reason="wrong-argument",
            name="settings",
            expected="TraceSettings",
            value=repr(given),
        )
    return given

"""Settings of a trace; the defaults are those of OLMoTrace in production, except for the measure of relevance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.reading import READ_MODES, ReadMode

WordBoundaries = Literal["olmotrace", "unicode", "off"]
"""Where a span may begin and end: by the rule of OLMoTrace, at the word boundaries of Unicode, or anywhere."""
Relevance = Literal["share", "olmotrace"]
"""How documents are ranked: by the share of the text that they contain, or as OLMoTrace does."""
MatchIn = Literal["tokens", "words"]
"""What of a text is looked up: its tokens, or its words without regard to case, line breaks and punctuation."""
WORD_RULES: tuple[WordBoundaries, ...] = get_args(WordBoundaries)
RELEVANCE_RULES: tuple[Relevance, ...] = get_args(Relevance)
MATCH_RULES: tuple[MatchIn, ...] = get_args(MatchIn)


@dataclass(frozen=True)
class TraceSettings:
    """How spans are found and how many documents are looked up for them.

    Attributes
    ----------
    density
        Spans kept, as a share of the text's tokens or words, above 0 to 1; the rarest are kept.
    min_length
        Tokens, or words, that a span has at least.
    max_count
        Occurrences that a span has at most.
    delimiters
        Strings that may end a span but not occur inside it, each a whole token.
    abbreviations
        Whether a full stop after an initial or an abbreviation, or within a number, is not a delimiter.
    word_boundaries
        Where spans may begin and end: "olmotrace" (by the vocabulary's spelling), "unicode" (by the characters around)
        or "off".
    documents_per_span
        Occurrences looked up for a span.
    context
        Tokens, or words, around an occurrence that are compared with the text.
    snippet
        Tokens, or words, that are shown around an occurrence.
    seed
        Decides which occurrences are looked up.
    read
        How the text is read: "plain" (as it is written), "markdown" (the marks of Markdown and LaTeX belong to no span)
        or "auto" (if it has such marks, each line is read as the longer match has it).
    relevance
        The measure that ranks documents: "share" (of the text that a document contains word for word; means the same in
        every index) or "olmotrace" (BM25 on the scale that OLMoTrace fitted to its own corpus).
    match
        What is looked up: "tokens" (of the index) or "words" (of its word index: case, line breaks and punctuation do
        not matter). Words have no delimiters and are whole: `delimiters`, `abbreviations` and `word_boundaries` are
        without effect then, and a trace has them as (), False and "off".

    Raises
    ------
    QueryError
        If a value is out of range.

    Examples
    --------
    >>> settings = TraceSettings(min_length=3, documents_per_span=2)
    >>> len(corpus.trace("the cat sat on the mat", settings=settings).documents) > 0
    True
    """

    density: float = 0.05
    min_length: int = 1
    max_count: int = 1_000_000
    delimiters: tuple[str, ...] = ("\n", ".")
    abbreviations: bool = False
    word_boundaries: WordBoundaries = "olmotrace"
    documents_per_span: int = 10
    context: int = 250
    snippet: int = 40
    seed: int = 42
    relevance: Relevance = "share"
    read: ReadMode = "auto"
    match: MatchIn = "tokens"

    def __post_init__(self) -> None:
        # The first rule that does not hold is reported. The rules follow the class, since they name its fields; they
        # are read when a value is made.
        for holds, sentence, names in _RULES:
            if not holds(self):
                # Only the values of this rule: they are the fields of its sentence.
                values = {name: getattr(self, name) for name in names}
                raise QueryError(sentence, reason="bad-setting", **values, choices=_CHOICES.get(names[0], ""))

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


_CHOICES = {
    "word_boundaries": ", ".join(WORD_RULES),
    "relevance": ", ".join(RELEVANCE_RULES),
    "read": ", ".join(READ_MODES),
    "match": ", ".join(MATCH_RULES),
}
_RULES: tuple[tuple[Callable[[TraceSettings], bool], str, tuple[str, ...]], ...] = (
    (lambda s: 0 < s.density <= 1, mark("density must be above 0 and at most 1, not {density}."), ("density",)),
    (lambda s: s.min_length >= 1, mark("min_length must be at least 1 token, not {min_length}."), ("min_length",)),
    (lambda s: s.max_count >= 1, mark("max_count must be at least 1, not {max_count}."), ("max_count",)),
    (
        lambda s: s.word_boundaries in WORD_RULES,
        mark('word_boundaries must be one of {choices}, not "{word_boundaries}".'),
        ("word_boundaries",),
    ),
    (
        lambda s: s.relevance in RELEVANCE_RULES,
        mark('relevance must be one of {choices}, not "{relevance}".'),
        ("relevance",),
    ),
    (lambda s: s.read in READ_MODES, mark('read must be one of {choices}, not "{read}".'), ("read",)),
    (lambda s: s.match in MATCH_RULES, mark('match must be one of {choices}, not "{match}".'), ("match",)),
    (
        lambda s: s.documents_per_span >= 0,
        mark("documents_per_span must not be negative: {documents_per_span}."),
        ("documents_per_span",),
    ),
    (
        lambda s: s.context >= 0 and s.snippet >= 0,
        mark("context and snippet must not be negative."),
        ("context", "snippet"),
    ),
)
"""What must hold of settings, and the sentence and fields of the error where it does not."""


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

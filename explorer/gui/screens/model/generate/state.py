"""What the Generate tab shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.hints import no_index, told
from explorer.gui.screens.model.generate.work import MOST_PLACES, HowToWrite, PlacesAnswer, WrittenText
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import counted, mark, numeral, tr, trn

METHODS = (
    (mark("Blend levels"), "levels"),
    (mark("∞-gram"), "infgram"),
    (mark("Weighted"), "weighted"),
    (mark("Back-off"), "backoff"),
    (mark("Witten–Bell"), "witten-bell"),
    (mark("Absolute discounting"), "discount"),
    (mark("Learned trust"), "learned"),
)
"""Names and ids of the methods that can write."""
MOST_LEVELS = 10
"""Levels that can be chosen, besides all of them."""
MOST_TOKENS = 2_000
"""Tokens of a text: what is longer is written by the command line."""
_BOUNDS = (2, 5, 21)
"""Places from which a shade is lighter: 1, 2 to 4, 5 to 20, and more."""
FILLS = ("surface", "rel1", "rel2", "rel3")
"""The color of each level of shade."""
SHADES = ((3, mark("1")), (2, mark("2–4")), (1, mark("5–20")), (0, mark("more")))
"""Levels of the shades and what they mean, in places."""
_DECAY = 0.1
"""The weight of a level against that of the next longer one, as the method "levels" has it where none is given."""


@dataclass(frozen=True, eq=False)
class GenerateState:
    """A prompt, how it is continued, and the text.

    partial: The text that is being written, or was when its work failed; None if there is none.
    chosen: The token whose provenance is shown, from 0; -1 for none.
    level: The level whose places are listed, from 0 for the longest context.
    places: Where its context was seen.
    error: Why something beside the text failed: a file, a figure.
    """

    corpus: Corpus | None = None
    prompt: str = ""
    how: HowToWrite = field(default_factory=HowToWrite)
    answer: Answer[WrittenText] = field(default_factory=Answer)
    partial: WrittenText | None = None
    chosen: int = -1
    level: int = 0
    places: Answer[PlacesAnswer] = field(default_factory=Answer)
    error: CorpusError | None = None

    @property
    def why_not(self) -> str:
        """Why nothing can be written; "" if something can, or if no index is open."""
        if self.corpus is None:
            return ""
        if not self.corpus.token_count:
            return tr("This index is empty: it has no text that could be continued.")
        return self.corpus.index.capabilities.missing("next_tokens")

    @property
    def asks(self) -> bool:
        """Whether a text can be written now."""
        return self.corpus is not None and not self.why_not

    @property
    def text(self) -> WrittenText | None:
        """The text that is shown."""
        return self.partial if self.partial is not None else self.answer.value

    @property
    def has_page(self) -> bool:
        """Whether a text is shown; otherwise a sentence in its place."""
        return self.text is not None and bool(self.text.tokens)

    @property
    def dimmed(self) -> bool:
        """Whether what is shown belongs to an earlier question."""
        return self.partial is None and self.answer.dimmed

    @property
    def why_no_levels(self) -> str:
        """Why the number of levels has no effect; "" if it has one."""
        return "" if self.how.method == "levels" else tr("Only “Blend levels” has a number of levels.")

    @property
    def levels_caption(self) -> str:
        """The number of levels beside the slider."""
        return tr("k = {levels}", levels=self.how.levels or tr("all"))

    @property
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence, the number in it that matters, and what is added in smaller type."""
        text = self.text
        # A text without tokens is told by `invitation`.
        if text is None or not text.tokens:
            return "", "", ""
        first, end = text.longest
        strong = numeral(end - first)
        whole = counted("character", len(text.tokens)) if text.in_characters else counted("token", len(text.tokens))
        sentence = tr("The longest stretch copied word for word is {longest} of {whole}", longest=strong, whole=whole)
        return sentence, strong, tr("(stopped)") if text.stopped else ""

    @property
    def facts(self) -> str:
        """Shares and sizes below the sentence."""
        text = self.text
        if text is None or not text.tokens:
            return ""
        # A token that was drawn without a context has no place of its own.
        known = text.lengths > 0
        share = numeral(float((text.places == 1)[known].mean()) if known.any() else 0.0, ".0%")
        median = float(np.median(text.lengths))
        # A half only between two whole numbers.
        length = numeral(median, ".0f" if median.is_integer() else ".1f")
        if text.in_characters:
            once = tr("{share} of the characters follow a context with a single place", share=share)
            middle = tr("median context {length} characters", length=length)
        else:
            once = tr("{share} of the tokens follow a context with a single place", share=share)
            middle = tr("median context {length} tokens", length=length)
        parts = [once, middle, tr("{seconds:.2f} s", seconds=text.seconds)]
        # Without this, a text that has nothing to do with the prompt would look like an answer to it.
        if not text.known and text.request.prompt:
            parts.insert(0, tr("no ending of the prompt occurs in this corpus"))
        if not text.normalised:
            parts.append(tr("drawn by scores, which are not probabilities"))
        return " · ".join(parts)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # The text's own error first: without a text, the others matter little.
        error = self.answer.error or self.error or self.places.error
        return told(error) if error is not None else ""

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of a text: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if self.why_not:
            return tr("Nothing can be written"), self.why_not
        text = self.text
        if text is None:
            return tr("Let the corpus write"), tr(
                "Type the beginning of a text and press Enter. Each token is drawn from what follows its context in "
                "the corpus, and shows the places that it is from."
            )
        if not text.request.prompt and self.how.method == "levels":
            return tr("Nothing to continue"), tr("This method continues a context. Type the beginning of a text.")
        return tr("Nothing follows this prompt"), tr(
            "No ending of it occurs in the corpus with a token after it. Try another prompt, or switch off "
            "“Stop at document ends” to begin anywhere."
        )

    # --- one token -------------------------------------------------------------------------------

    @property
    def provenance_title(self) -> str:
        """Whose provenance is shown."""
        text = self.text
        if text is None or not 0 <= self.chosen < len(text.tokens):
            return tr("Provenance")
        return tr("Provenance of “{text}”", text=token_words(text, self.chosen))

    @property
    def provenance_place(self) -> str:
        """Which token that is."""
        text = self.text
        if text is None or not 0 <= self.chosen < len(text.tokens):
            return ""
        number, count = self.chosen + 1, len(text.tokens)
        if text.in_characters:
            return tr("character {number:,} of {count:,}", number=number, count=count)
        return tr("token {number:,} of {count:,}", number=number, count=count)

    @property
    def places_title(self) -> str:
        """Whose places are listed."""
        return tr("Where level {level} was seen", level=self.level + 1)

    @property
    def places_caption(self) -> str:
        """How many places are listed; "" if all are, or none are known."""
        found = self.places.value
        if found is None or found.total <= len(found.rows) or not found.rows:
            return ""
        return tr("first {shown} of {total:,}", shown=len(found.rows), total=found.total)


def shades(text: WrittenText) -> NDArray[np.int64]:
    """How dark each token is, by its places: 3 for one place to 0 for many, or for no context; int64."""
    # Few places are dark: what has one place is a copy of it.
    levels = 3 - np.searchsorted(_BOUNDS, text.places, side="right")
    return np.where(text.lengths > 0, levels, 0).astype(np.int64)


def level_header(text: WrittenText | None) -> tuple[str, ...]:
    """The columns of the table of levels."""
    usual = (tr("Level"), tr("Context"), tr("Places"), tr("This token"))
    return (*usual, tr("Weight")) if text is not None and text.request.how.method == "levels" else usual


def level_tips() -> tuple[str, ...]:
    """What these columns mean."""
    return (
        tr("1 is the longest context that occurs; others are shorter"),
        tr("The end of the text before the token"),
        tr("Places of the context that a token follows"),
        tr("Places at which this token follows"),
        tr("How much a place of this level counts against one of level 1"),
    )


def level_cells(text: WrittenText, token: int) -> list[tuple[Cell, ...]]:
    """The levels of a token as rows of a table.

    Returns: A row per level, the longest context first.
    """
    rows = []
    # The weights of other methods depend on more than the level, and are not shown.
    for number, used in enumerate(text.tokens[token].levels):
        row = [
            Cell(numeral(number + 1)),
            Cell(context_words(text, token, used.n), muted=not used.n),
            Cell(numeral(used.m), right=True),
            Cell(numeral(used.count), right=True),
        ]
        if text.request.how.method == "levels":
            row.append(Cell(numeral(_DECAY**number, ".3g"), right=True))
        rows.append(tuple(row))
    return rows


def context_words(text: WrittenText, token: int, n: int) -> str:
    """The last tokens before a token, on one line; those of the prompt included."""
    if not n:
        return tr("none: any place")
    return cell_text("…" + text.text_of(token - n, token), ending=True)


def place_header(rows_in_many: bool, by_bytes: bool) -> tuple[str, ...]:
    """The columns of the table of places."""
    unit = tr("Byte") if by_bytes else tr("Token")
    return (tr("Document"), unit, tr("Source line")) if rows_in_many else (unit, tr("Source line"))


def token_words(text: WrittenText, token: int) -> str:
    """A token in a sentence; a space, which could not be seen, as ␣."""
    shown = cell_text(text.text_of(token, token + 1), most=24)
    return "␣" if shown == " " else shown


def describe_token(text: WrittenText, token: int) -> str:
    """A token and where it is from, for tool tips and assistive technology."""
    shown = token_words(text, token)
    levels = text.tokens[token].levels
    if not levels or not levels[0].n:
        return tr("“{text}” has no context that occurs", text=shown)
    context = counted("token", levels[0].n)
    return trn(
        "“{text}” follows the last {context}, which have {n:,} place",
        "“{text}” follows the last {context}, which have {n:,} places",
        levels[0].m,
        text=shown,
        context=context,
    )


def default_level(text: WrittenText, token: int) -> int:
    """The level whose places are listed first: the shortest context of which all places are listed."""
    # Shorter contexts have more places, so the last one that qualifies has most.
    few = [number for number, used in enumerate(text.tokens[token].levels) if 0 < used.m <= MOST_PLACES and used.n]
    return few[-1] if few else 0

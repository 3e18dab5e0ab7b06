"""What the corpus as a language model answers: distributions, scores and text, as the library returns them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.distribution import Distribution
from explorer.analyses.model.fallback import FALLBACKS, Fallback
from explorer.analyses.model.generation import LevelFigures, Written, level_figures, longest_verbatim
from explorer.analyses.model.scoring import Scorable, TextScores, Total, total_of
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.values import Level
from explorer.backends.token_text import token_text
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.export.records.model import (
    GeneratedRecord,
    NextShareRecord,
    PerplexityRecord,
    TokenScoreRecord,
    TransformRecord,
    WrittenRecord,
)
from explorer.export.records.perplexity import perplexity_record, token_records, written_records
from explorer.export.reports.notebook import bar_table, shaded, text_block
from explorer.i18n import counted

_SHOWN, _SHOWN_TOKENS = 15, 2_000
_BOUNDS = (0.01, 0.1, 0.5)
"""The smallest probability of each shade of a scored text."""


class NextShares(RecordsResult):
    """The probability of each next token; also a table, the most probable first.

    Notes
    -----
    The columns of the table are `rank` (from 0), `token`, `text` and `probability`. Tokens that are not listed have the
    probability `other` each.

    Examples
    --------
    >>> found = corpus.model("levels", levels=1).distribution("the cat sat on the")
    >>> found.texts, found.probabilities.tolist()
    ((' mat', ' rug'), [0.5, 0.5])
    >>> found.total
    1.0
    """

    _record = NextShareRecord

    def __init__(self, found: Distribution, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found

    def __len__(self) -> int:
        return len(self._found.tokens)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Ids, most probable first, then by id: int64."""
        return self._found.tokens

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Their probabilities, float64; scores where the method is not normalized."""
        return self._found.shares

    @property
    def texts(self) -> tuple[str, ...]:
        """Their texts; U+FFFD for a part of a character."""
        return tuple(token_text(self._origin.index, token) for token in self.tokens.tolist())

    @property
    def other(self) -> float:
        """The probability of each token that is not listed."""
        return self._found.other

    @property
    def other_count(self) -> int:
        """How many tokens are not listed."""
        return self._found.other_count

    @property
    def total(self) -> float:
        """The sum over all tokens: 1 up to rounding, for a method that is not normalized any number."""
        return self._found.total

    @property
    def fallback(self) -> Fallback:
        """What the probabilities come from if no part of the context counts: "unigram", how often each token occurs,
        or "uniform", the same for each; "" if a part of the context counts.
        """
        return self._found.fallback

    @property
    def levels(self) -> tuple[Level, ...]:
        """What was weighed, the longest suffix of the context first; () if a fallback is used."""
        return self._found.levels

    @property
    def transform(self) -> str:
        """The transform under which the context was looked up; "" for the context as it is."""
        return self._found.transform

    def _made(self) -> Iterator[NextShareRecord]:
        rows = zip(self.tokens.tolist(), self.texts, self.probabilities.tolist(), strict=True)
        return (NextShareRecord(rank, *row) for rank, row in enumerate(rows))

    def __repr__(self) -> str:
        return f"NextShares({counted('token', len(self))})"

    def _repr_html_(self) -> str:
        shares = self.probabilities[:_SHOWN].tolist()
        rows = [(text, f"{share:.4f}", share) for text, share in zip(self.texts, shares, strict=False)]
        return bar_table(repr(self), ("token", "probability", "share"), rows, max(0, len(self) - _SHOWN))


class TextScore(RecordsResult):
    """The probability of each token of a text; also a table.

    Notes
    -----
    The columns of the table are `position` (in prompt and text, from 0), `token`, `text`, `probability`,
    `context_length`, `known`, `transform` and `fallback`.

    Examples
    --------
    >>> found = corpus.model("levels", levels=1).score("the cat sat on the rug")
    >>> found.texts
    (' cat', ' sat', ' on', ' the', ' rug')
    >>> round(found.perplexity, 3)
    1.246
    """

    _record = TokenScoreRecord

    def __init__(self, text: Scorable, scores: TextScores, normalised: bool, origin: Origin) -> None:
        super().__init__(origin)
        self._text, self._scores, self._normalised = text, scores, normalised

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Ids of the tokens that are scored, int64."""
        return self._text.ids[self._text.first :]

    @property
    def texts(self) -> tuple[str, ...]:
        """Their texts; a character that several tokens share belongs to the first of them."""
        found = decode_ids(self._origin.index, self._text.ids, begins=True)
        return tuple(found.slice(at, at + 1) for at in range(self._text.first, len(self._text.ids)))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Their probabilities, float64, before any floor; scores where the method is not normalized."""
        return self._scores.shares

    @property
    def context_lengths(self) -> NDArray[np.int64]:
        """Tokens of the longest context that was used, int64."""
        return self._scores.lengths

    @property
    def fallbacks(self) -> tuple[Fallback, ...]:
        """For each token, what its probability comes from if no part of its context counts: see `NextShares`."""
        return tuple(FALLBACKS[each] for each in self._scores.fallbacks.tolist())

    @property
    def total(self) -> Total:
        """The sums over the tokens."""
        return self._scores.total

    @property
    def perplexity(self) -> float | None:
        """exp(-Σ ln P / tokens); None where it is infinite, and for a method that is not normalized."""
        return self.total.perplexity if self._normalised else None

    @property
    def log_probability(self) -> float | None:
        """Σ ln P; None where a token has a probability of 0 and there is no floor."""
        found = self.total.all_surprise
        return None if found is None else -found

    def _made(self) -> Iterator[TokenScoreRecord]:
        return token_records(self._text, self._scores, self.texts)

    def __repr__(self) -> str:
        known = "" if self.perplexity is None else f", perplexity {self.perplexity:.4g}"
        return f"TextScore({counted('token', len(self))}{known})"

    def _repr_html_(self) -> str:
        levels = np.searchsorted(_BOUNDS, self.probabilities[:_SHOWN_TOKENS], side="right").tolist()
        rows = zip(self.texts, levels, self.probabilities.tolist(), self.context_lengths.tolist(), strict=False)
        pieces = [shaded(text, level, f"probability {share:.3g}, context {n:,}") for text, level, share, n in rows]
        if len(self) > _SHOWN_TOKENS:
            pieces.append(f"<div>… and {len(self) - _SHOWN_TOKENS:,} more tokens</div>")
        legend = ", ".join(f"from {bound:g}" for bound in _BOUNDS)
        return text_block(f"{self!r}, shaded by probability: {legend}", pieces)


class Perplexity(RecordsResult):
    """The perplexity of some texts; also a table with one row per text.

    Notes
    -----
    The columns of the table are those of `perplexity --format jsonl`.

    Examples
    --------
    >>> found = corpus.model("witten-bell").perplexity(["the cat sat on the mat", "a dog saw the mat"])
    >>> found.total.tokens, len(found)
    (9, 2)
    """

    _record = PerplexityRecord

    def __init__(self, scores: list[TextScores], sources: tuple[str, ...], normalised: bool, origin: Origin) -> None:
        super().__init__(origin)
        self._scores, self._sources, self._normalised = scores, sources, normalised

    def __len__(self) -> int:
        return len(self._scores)

    @cached_property
    def total(self) -> Total:
        """The sums over the tokens of all texts."""
        return total_of(self._scores)

    @property
    def perplexity(self) -> float | None:
        """That of all texts; None where it is infinite, and for a method that is not normalized."""
        return self.total.perplexity if self._normalised else None

    @property
    def texts(self) -> tuple[PerplexityRecord, ...]:
        """The rows of the table."""
        return tuple(self._made())

    @cached_property
    def sources(self) -> tuple[PerplexityRecord, ...]:
        """One entry per source, in the order in which they occur; `text` is its number."""
        members: dict[str, list[TextScores]] = {}
        for each, name in zip(self._scores, self._sources, strict=True):
            members.setdefault(name, []).append(each)
        return tuple(
            perplexity_record(number, source, total_of(scores), self._normalised)
            for number, (source, scores) in enumerate(members.items())
        )

    @property
    def transforms(self) -> tuple[TransformRecord, ...]:
        """In which form the contexts were looked up, the most frequent first; () without transforms."""
        counted_forms = Counter(name for text in self._scores for name in text.matched)
        return tuple(TransformRecord(name, count) for name, count in counted_forms.most_common())

    def _made(self) -> Iterator[PerplexityRecord]:
        for number, (scores, source) in enumerate(zip(self._scores, self._sources, strict=True)):
            yield perplexity_record(number, source, scores.total, self._normalised)

    def __repr__(self) -> str:
        known = "infinite" if self.perplexity is None else f"{self.perplexity:.4g}"
        return f"Perplexity({known}, {counted('token', self.total.tokens)}, {counted('text', len(self))})"


class Generated(RecordsResult):
    """A text that a model wrote; also a table with one row per token.

    Notes
    -----
    The columns of the table are `position` (from 0), `token`, `text`, `probability`, `levels` (for each level `n`, `m`
    and `count`), `document` and `offset`.

    Examples
    --------
    >>> found = corpus.model("levels", levels=1).generate("the cat sat", max_tokens=3, temperature=0)
    >>> found.text
    ' on the mat'
    >>> found.levels[0].n_median
    4.0
    """

    _record = WrittenRecord

    def __init__(self, prompt: NDArray[np.int64], written: list[Written], origin: Origin) -> None:
        super().__init__(origin)
        self._prompt, self._written = prompt, written

    def __len__(self) -> int:
        return len(self._written)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Ids of what was written, int64."""
        return np.array([each.token for each in self._written], dtype=np.int64)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each token; joined, they are the text."""
        ids = np.concatenate([self._prompt, self.tokens])
        found = decode_ids(self._origin.index, ids, begins=True)
        return tuple(found.slice(at, at + 1) for at in range(len(self._prompt), len(ids)))

    @property
    def text(self) -> str:
        """What was written, without the prompt."""
        return "".join(self.texts)

    @property
    def levels(self) -> tuple[LevelFigures, ...]:
        """How long the contexts were and how often they are followed, by level."""
        return level_figures(self._written)

    @cached_property
    def longest_verbatim(self) -> int:
        """Tokens of the longest run that occurs in the corpus as it is."""
        return longest_verbatim(self._origin.index, self.tokens)

    def _made(self) -> Iterator[WrittenRecord]:
        return written_records(self._origin.index, self._prompt, self._written, self.texts)

    def record(self, prompt: str) -> GeneratedRecord:
        """Give all of it as one record.

        Parameters
        ----------
        prompt
            The prompt, as it was given.

        Returns
        -------
        GeneratedRecord
            The record of `generate --format jsonl`.
        """
        return GeneratedRecord(prompt, self.text, len(self), tuple(self._made()), self.levels, self.longest_verbatim)

    def __repr__(self) -> str:
        return f"Generated({counted('token', len(self))})"

    def _repr_html_(self) -> str:
        shown = self._written[:_SHOWN_TOKENS]
        followed = [each.levels[0].m if each.levels else 0 for each in shown]
        # Once is copied: the darkest shade.
        levels = [3 - int(np.searchsorted((2, 10, 100), m, side="right")) for m in followed]
        rows = zip(self.texts, levels, followed, strict=False)
        pieces = [shaded(text, level, f"context occurs {counted('time', m)}") for text, level, m in rows]
        return text_block(f"{self!r}, shaded by how often the context occurs: once is darkest", pieces)

"""Two tokenizations of one text, cut where both have a boundary: units in which their probabilities can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.backends.protocol.protocol import Numbers
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.neural.records import ScoredText, ScoredToken
from explorer.text.tokens.tokenizer import Encoded, TextTokenizer


@dataclass(frozen=True, eq=False)
class Aligned(ArrayValue):
    """A text in units.

    ids: Ids of the whole text in the index's tokenizer, int64.
    firsts, lasts: The first token of each unit in `ids`, and one past its last: int64.
    starts, ends: The characters of each unit, int64.
    neural: Natural log probability of each unit under the neural model: the sum over its tokens. float64.
    neural_tokens: The neural model's tokens in each unit, int64.
    bytes: Bytes of each unit in UTF-8, int64.
    same: Whether each unit is one token of the index and the same token of the neural model.
    """

    ids: Numbers
    firsts: Numbers
    lasts: Numbers
    starts: Numbers
    ends: Numbers
    neural: NDArray[np.float64]
    neural_tokens: Numbers
    bytes: Numbers
    same: bool

    def __len__(self) -> int:
        return len(self.firsts)


def align(tokenizer: TextTokenizer, scored: ScoredText) -> Aligned:
    """Cut a text where both tokenizations have a boundary.

    scored: The text with a neural model's tokens.
    Returns: The units in which every token is scored on both sides. The index's first token never is: nothing comes
        before it.

    Notes
    -----
    Spaces between two tokens belong to the second, since some tokenizers do not count them. Where a token of the neural
    model has no characters, nobody knows to which side it belongs, so there is no cut. Where the ids of all tokens are
    given and are those of the index, they are matched one by one instead.

    Examples
    --------
    >>> tokens = (ScoredToken(0, 1, None), ScoredToken(1, 3, -0.5), ScoredToken(3, 4, -1.0))
    >>> found = align(TextTokenizer.raw_bytes(), ScoredText("a né", tokens))
    >>> found.firsts.tolist(), found.lasts.tolist(), found.same
    ([1, 3], [3, 5], False)
    """
    text = replace_surrogates(scored.text)
    encoded = tokenizer.encode_with_offsets(text)
    if _same_ids(encoded, scored.tokens):
        return _one_by_one(text, encoded, scored.tokens)
    return _in_units(text, encoded, scored.tokens)


def _same_ids(encoded: Encoded, tokens: Sequence[ScoredToken]) -> bool:
    """Whether the tokens are the index's first ones, by their ids and their characters."""
    if not tokens or len(tokens) > len(encoded.ids):
        return False
    given = [-1 if token.id is None else token.id for token in tokens]
    if not np.array_equal(given, encoded.ids[: len(given)]):
        return False
    # Equal ids of another vocabulary are other tokens: none may lie beside the characters of its twin.
    starts, ends = (np.array([getattr(token, name) for token in tokens], dtype=np.int64) for name in ("start", "end"))
    return bool(((starts <= encoded.ends[: len(given)]) & (ends >= encoded.starts[: len(given)])).all())


def _one_by_one(text: str, encoded: Encoded, tokens: Sequence[ScoredToken]) -> Aligned:
    """Token by token, also where several are parts of one character."""
    rows = np.array([row for row, token in enumerate(tokens) if row and token.logprob is not None], dtype=np.int64)
    # Of the parts of a character, the last one has it.
    begins = _starts(text, encoded.starts, encoded.ends)[: len(tokens)]
    edges = np.maximum.accumulate(np.append(begins, encoded.ends[len(tokens) - 1]))
    values = np.array([tokens[row].logprob for row in rows.tolist()], dtype=np.float64)
    starts, ends = edges[rows], edges[rows + 1]
    return Aligned(
        encoded.ids, rows, rows + 1, starts, ends, values, np.ones_like(rows), _bytes(text, starts, ends), same=True
    )


def _in_units(text: str, encoded: Encoded, tokens: Sequence[ScoredToken]) -> Aligned:
    """The stretches between neighboring cuts in which every token is scored."""
    theirs = _neural_edges(text, tokens)
    cuts = np.intersect1d(_edges(text, encoded.starts, encoded.ends), theirs.cuts)
    starts, ends = cuts[:-1], cuts[1:]
    firsts, lasts = _inside(_starts(text, encoded.starts, encoded.ends), starts, ends)
    before, after = _inside(theirs.starts, starts, ends)
    # Every character must be in a token that is scored: the rest of the text is only context.
    keep = (firsts > 0) & (lasts > firsts) & (theirs.covered[ends] - theirs.covered[starts] == ends - starts)
    keep &= after > before
    firsts, lasts, starts, ends, before, after = (each[keep] for each in (firsts, lasts, starts, ends, before, after))
    # Sums of neighbors only, not differences of sums from the beginning, which would add up their rounding.
    bounds = np.stack([before, after], axis=1).ravel()
    values = np.add.reduceat(np.append(theirs.values, 0.0), bounds)[::2] if len(bounds) else np.zeros(0)
    scored = ~np.isnan(values)
    firsts, lasts, starts, ends, before, after = (each[scored] for each in (firsts, lasts, starts, ends, before, after))
    same = _all_same(encoded, tokens, firsts, lasts, before, after)
    sizes = _bytes(text, starts, ends)
    return Aligned(encoded.ids, firsts, lasts, starts, ends, values[scored], after - before, sizes, same)


def _all_same(
    encoded: Encoded, tokens: Sequence[ScoredToken], firsts: Numbers, lasts: Numbers, before: Numbers, after: Numbers
) -> bool:
    """Whether each unit is one token on both sides, with the same id where ids are given."""
    if not ((lasts - firsts == 1) & (after - before == 1)).all():
        return False
    pairs = zip(before.tolist(), encoded.ids[firsts].tolist(), strict=True)
    return all(tokens[row].id in (None, id) for row, id in pairs)


def _bytes(text: str, starts: Numbers, ends: Numbers) -> Numbers:
    """Bytes of stretches of a text in UTF-8."""
    sizes = np.concatenate([[0], np.cumsum([len(character.encode()) for character in text], dtype=np.int64)])
    found: Numbers = sizes[ends] - sizes[starts]
    return found


@dataclass(frozen=True, eq=False)
class _NeuralEdges(ArrayValue):
    """A neural model's tokens as arrays: where each begins, its log probability (nan: not scored), where the text can
    be cut, and how many characters before each place are in tokens."""

    starts: Numbers
    values: NDArray[np.float64]
    cuts: Numbers
    covered: Numbers


def _neural_edges(text: str, tokens: Sequence[ScoredToken]) -> _NeuralEdges:
    starts = np.array([token.start for token in tokens], dtype=np.int64)
    ends = np.array([token.end for token in tokens], dtype=np.int64)
    begins = _starts(text, starts, ends)
    values = np.array([np.nan if token.logprob is None else token.logprob for token in tokens], dtype=np.float64)
    changes = np.zeros(len(text) + 1, dtype=np.int64)
    np.add.at(changes, begins, 1)
    np.add.at(changes, ends, -1)
    covered = np.concatenate([[0], np.cumsum(np.cumsum(changes)[:-1] > 0)])
    return _NeuralEdges(begins, values, np.setdiff1d(np.union1d(begins, ends), begins[begins == ends]), covered)


def _edges(text: str, starts: Numbers, ends: Numbers) -> Numbers:
    """Where the text can be cut between tokens: not within a character that several tokens share."""
    if not len(starts):
        return starts
    begins = _starts(text, starts, ends)
    reached = np.maximum.accumulate(ends)
    clean = np.concatenate([[True], begins[1:] >= reached[:-1]])
    return np.union1d(begins[clean], reached[-1:])


def _starts(text: str, starts: Numbers, ends: Numbers) -> Numbers:
    """The first character of each token, with the spaces before it that no other token has."""
    found = starts.copy()
    before = np.concatenate([[0], np.maximum.accumulate(ends)[:-1]]) if len(ends) else ends
    for i in np.flatnonzero(starts > before).tolist():
        if text[before[i] : starts[i]].isspace():
            found[i] = before[i]
    return found


def _inside(begins: Numbers, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """The tokens that begin in each stretch: the first, and one past the last."""
    return np.searchsorted(begins, starts, side="left"), np.searchsorted(begins, ends, side="left")

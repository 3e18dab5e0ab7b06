"""Transforms of a context: the same words in another case or with other white space are looked up as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.levels import BLOCK, Levels, Places, Reach, TransformName, levels_of, places_in
from explorer.analyses.model.method import Method, Shares
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.protocol import Backend, Numbers
from explorer.core.jobs import CancelToken

_BLANKS = re.compile(r"\s+")
TRANSFORMS: dict[TransformName, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "casefold": str.casefold,
    "strip": str.strip,
    "blanks": lambda text: _BLANKS.sub(" ", text),
}
TRANSFORM_NAMES: tuple[TransformName, ...] = get_args(TransformName)


@dataclass(frozen=True)
class Transformed:
    """A method whose contexts are also looked up under transforms; the form with the longest match is weighed.

    A distribution stays one: of each context, one form is chosen before its levels are weighed, whatever token comes.

    transforms: The transforms; of equally long matches, the context as it is comes first, then these in order.
    """

    method: Method
    transforms: tuple[TransformName, ...]
    # The values of the method; the protocol has them on the class.
    name: ClassVar[str] = "transformed"
    normalised: ClassVar[bool] = True
    of_tokenizer: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for field in ("name", "normalised", "of_tokenizer"):
            object.__setattr__(self, field, getattr(self.method, field))

    @property
    def reach(self) -> Reach:
        """The levels that are weighed."""
        return replace(self.method.reach, transforms=self.transforms)

    @property
    def floor(self) -> float | None:
        """What a probability of 0 counts as."""
        return self.method.floor

    @property
    def smooths(self) -> bool:
        """Whether the method does."""
        return self.method.smooths

    def used(self, levels: Levels) -> Numbers:
        """The contexts that count for the method."""
        return self.method.used(levels)

    def shares(self, levels: Levels, kinds: int) -> Shares:
        """The formula of the method."""
        return self.method.shares(levels, kinds)


def context_under(index: Backend, context: Numbers, transform: TransformName, most: int) -> Numbers:
    """Transform a context.

    index: The index, whose tokenizer makes tokens of the result.
    most: The tokens of the context, from its end, that are looked at.
    Returns: Ids, int64.
    """
    # Characters and not tokens are transformed: in another case, the tokenizer cuts words elsewhere.
    near = context[max(0, len(context) - most) :]
    # As the beginning of a text, so that the space that some tokenizers put there is not doubled.
    text = decode_ids(index, near, begins=True).text
    return index.tokenizer.encode(TRANSFORMS[transform](text))


def levels_under(index: Backend, places: Places, reach: Reach, cancel: CancelToken | None = None) -> Iterator[Levels]:
    """Find the levels of tokens, each of the form of its context with the longest match.

    reach: Which levels there are, and the transforms; without any, these are the levels of `levels_of`.
    Yields: The levels of the next tokens; with transforms, `matched` is the number of the form.

    Notes
    -----
    With `reach.leave_one_out`, an occurrence is left out where the suffix of a form is the text's own: a transform does
    not change every suffix, and what it changed is at another place. Cost: that of `levels_of` for each form, and about
    a tenth of a millisecond per token to transform its context.
    """
    if not reach.transforms:
        yield from levels_of(index, places, reach, cancel)
        return
    for first in range(0, len(places), BLOCK):
        part = places.part(first, first + BLOCK)
        others = (_places_under(index, part, name, reach.context) for name in reach.transforms)
        yield _longest([next(levels_of(index, form, reach, cancel)) for form in (part, *others)])


def _places_under(index: Backend, places: Places, transform: TransformName, most: int) -> Places:
    """The same tokens, each after its transformed context alone."""
    texts, own = [], []
    for token, begin in zip(places.tokens.tolist(), places.begins.tolist(), strict=True):
        context = context_under(index, places.ids[begin:token], transform, most)
        # The token stays as it is: only what comes before it is looked up in another form.
        texts.append(np.append(context, places.ids[token]))
        own.append(_same_at_end(context, places.ids[begin:token]))
    return replace(places_in(texts, [len(text) - 1 for text in texts]), own=np.array(own, dtype=np.int64))


def _same_at_end(form: Numbers, context: Numbers) -> int:
    """How many tokens at the end of both are the same."""
    shorter = min(len(form), len(context))
    differs = np.flatnonzero(form[len(form) - shorter :] != context[len(context) - shorter :])
    return shorter - 1 - int(differs[-1]) if len(differs) else shorter


def _longest(forms: Sequence[Levels]) -> Levels:
    """For each token, the levels of the form with the longest match."""
    # The first of equal ones, which is the context as it is, or else the transform that was named first.
    matched: NDArray[np.int64] = np.argmax([form.lengths[:, 0] for form in forms], axis=0)
    width = max(form.lengths.shape[1] for form in forms)
    row = np.arange(len(matched))

    def chosen(name: str) -> Numbers:
        padded = [np.pad(getattr(form, name), ((0, 0), (0, width - form.lengths.shape[1]))) for form in forms]
        picked: Numbers = np.stack(padded)[matched, row]
        return picked

    return replace(
        forms[0],
        lengths=chosen("lengths"),
        followed=chosen("followed"),
        distinct=chosen("distinct"),
        times=chosen("times"),
        matched=matched,
    )

"""Token ids as the source of a build: what the request states about them, and whether they belong to its tokenizer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.documents.ids.token_ids import ID_TYPES
from explorer.documents.record import IdForm
from explorer.errors import BuildError
from explorer.i18n import mark, tr
from explorer.text.tokens.special import special_tokens
from explorer.text.tokens.spelling import BYTES_NAME

if TYPE_CHECKING:
    from explorer.text.tokens.tokenizer import TextTokenizer

ID_FIELDS = ("input_ids", "token_ids", "tokens", "ids")
"""Names that fields with token ids usually have."""
_MASK = "attention_mask"
_PER_TOKEN = (_MASK, "token_type_ids", "special_tokens_mask", "position_ids", "labels")
"""Fields that belong to the tokens and not to the document."""


@dataclass(frozen=True)
class TokenIds:
    """What a build knows of token ids in its sources.

    name: The tokenizer that made them, as of `BuildRequest.tokenizer`; "" if the build trains one.
    given: The tokenizer, if it is in memory.
    eos: The token that ends a document, or its id; "" if it is not stated.
    type: The type of the ids in files that do not state it; "" if it is not stated.
    """

    name: str = ""
    given: TextTokenizer | None = None
    eos: str = ""
    type: str = ""

    @cached_property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises BuildError if there is none yet."""
        if self.given is not None:
            return self.given
        if not self.name:
            raise BuildError(
                mark(
                    "Token ids are indexed with the tokenizer that made them, and this build would train another one."
                ),
                reason="token-ids",
                option="tokenizer",
            )
        from explorer.backends.local.open import load_tokenizer

        return load_tokenizer(self.name)

    @cached_property
    def special(self) -> re.Pattern[str] | None:
        """What finds special tokens of the tokenizer in texts; None if it has none."""
        if self.given is None and self.name in ("", BYTES_NAME):
            return None
        # The longest first: one may begin with another one.
        names = sorted(special_tokens(self.tokenizer.backend), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, names))) if names else None

    @cached_property
    def form(self) -> IdForm:
        """How they are stored; raises BuildError for a type or a token that does not exist."""
        if self.type and self.type not in ID_TYPES:
            raise BuildError(
                mark("{type} is not a type of token ids. The types are {known}."),
                reason="bad-id-type",
                option="ids",
                type=repr(self.type),
                known=", ".join(ID_TYPES),
            )
        return IdForm(self.type, self._eos())

    def _eos(self) -> int | None:
        if not self.eos or self.eos.isdecimal():
            return int(self.eos) if self.eos else None
        backend = self.tokenizer.backend
        found = backend.token_to_id(self.eos) if backend is not None else None
        if found is None:
            raise BuildError(
                mark("The tokenizer {name} has no token {token} that could end a document."),
                reason="no-such-token",
                option="eos",
                name=self.tokenizer.name,
                token=repr(self.eos),
            )
        return int(found)

    def checked(self, ids: NDArray[Any]) -> NDArray[Any]:
        """The ids of a document; raises ValueError for one that the tokenizer does not have."""
        size = self.tokenizer.vocabulary_size
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= size):
            place = int(np.flatnonzero((ids < 0) | (ids >= size))[0])
            reason = tr(
                "token {place:,} is {id:,}, and the tokenizer {name} has the ids 0 to {most:,}",
                place=place + 1,
                id=int(ids[place]),
                name=self.tokenizer.name,
                most=size - 1,
            )
            raise ValueError(reason)
        return ids


def ids_field(fields: dict[str, Any]) -> str:
    """The field of a record that has token ids under a usual name; "" if there is none."""
    return next((name for name in ID_FIELDS if is_ids(fields.get(name))), "")


def is_ids(value: object) -> bool:
    """Whether a value is a list of whole numbers, of which the first one shows the type."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu"
    return isinstance(value, list) and all(type(each) is int for each in value[:1])


def take_ids(fields: dict[str, Any], name: str) -> NDArray[Any]:
    """Remove the token ids from a record, and all that belongs to single tokens; padding is excluded.

    Returns: The ids that the attention mask includes, or all of them.
    Raises `ValueError` if the field does not hold whole numbers; the message can follow "line N:".
    """
    if not is_ids(fields.get(name)):
        raise ValueError(tr('the field "{path}" holds no token ids', path=name))
    try:
        ids = np.asarray(fields.pop(name))
        # An empty list has no type of its own.
        ids = ids if len(ids) else ids.astype(np.int64)
    except (ValueError, OverflowError) as error:
        raise ValueError(tr('the field "{path}" holds no token ids', path=name)) from error
    if ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise ValueError(tr('the field "{path}" holds no token ids', path=name))
    mask = fields.get(_MASK)
    for other in _PER_TOKEN:
        if isinstance(fields.get(other), list | np.ndarray) and len(fields[other]) == len(ids):
            del fields[other]
    if isinstance(mask, list | np.ndarray) and len(mask) == len(ids):
        ids = ids[np.asarray(mask).astype(bool)]
    return ids

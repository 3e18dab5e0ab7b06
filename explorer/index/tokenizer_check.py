"""Does this tokenizer belong to this index, and is the text stored forwards?

A text that a tokenizer cut gives the same ids again when it is decoded and cut once more. With
another vocabulary the ids decode to noise that is cut differently, and so do ids in reverse order.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.core.files.encoding import replace_surrogates
from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.decode import decode
from explorer.text.tokens.tokenizer import TextTokenizer

GOOD_FIT = 0.95
"""Measured on Llama-2 and OLMo indexes: right tokenizer 1.0, wrong one 0.78 to 0.94."""

LEAST_WORDS = 0.5
"""The minimum share of words of the first documents that can be read back. Measured: 1.0 for tokenizers that only
change case and spaces; 0 to 0.3 for words split without a mark; one minus the share of gaps for vocabularies with
gaps."""
_ALONE = r"\u0e00-\u11ff\u1780-\u17ff\u2e80-\uffdc\U00020000-\U0003ffff"
"""Scripts without spaces between words, Korean, and Thai."""
_WORDS = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+")
_CHARACTERS = 2_000
TRIED_DOCUMENTS = 8
SAMPLED_TOKENS = 256
"""Tokens that are read at the beginning of each document, and at its end."""


@dataclass(frozen=True)
class Fit:
    """How well a tokenizer fits an index: the share of ids (0 to 1) that decoding and encoding gives back.

    forward: The share if documents are read as they are stored.
    backward: The share if they are read from their end.
    """

    forward: float
    backward: float

    @property
    def reversed_text(self) -> bool:
        """Whether documents look as if they were stored backwards (infini-gram version 5)."""
        return self.backward > self.forward and self.backward >= GOOD_FIT

    @property
    def best(self) -> float:
        """The better of the two directions."""
        return max(self.forward, self.backward)


class Sampled(Protocol):
    """Stored text of which samples are read, wherever it is; positions and documents as in a shard on this machine."""

    @property
    def text_name(self) -> str:
        """What errors call the file of the text: its path or its address."""

    @property
    def document_count(self) -> int:
        """Documents."""

    def document_bounds(self, document: int) -> tuple[int, int]:
        """The first position of a document, without its separator, and one past the last."""

    def stored(self, start: int, end: int) -> NDArray[np.int64]:
        """The tokens from one position to another, as they are stored."""


def places_of_sample(shard: Sampled) -> list[int]:
    """The documents that `measure_fit` reads."""
    # Spread over the shard: the first documents may all be of one source.
    chosen: list[int] = np.unique(np.linspace(0, shard.document_count - 1, TRIED_DOCUMENTS).astype(np.int64)).tolist()
    return chosen


def measure_fit(shard: Sampled, tokenizer: TextTokenizer) -> Fit:
    """Decode and encode the beginnings and ends of up to 8 documents, and compare.

    Returns: The shares of tokens that come back when read forwards and backwards. Without any text it counts as a
        forward fit.
    Raises `TokenizerError` if the tokenizer lacks an id of the sample.
    """
    forward, backward = [], []
    for document in places_of_sample(shard):
        start, end = shard.document_bounds(document)
        # An empty document fits any tokenizer.
        if start == end:
            continue
        head = shard.stored(start, min(end, start + SAMPLED_TOKENS))
        # If the index is reversed, this is the beginning of the document in reading order.
        tail = shard.stored(max(start, end - SAMPLED_TOKENS), end)[::-1]
        # Before decoding, which could not write an id that the tokenizer lacks.
        _check_vocabulary(shard, head, start, tokenizer)
        forward.append(_round_trip(head, tokenizer))
        backward.append(_round_trip(tail, tokenizer))
    if not forward:
        return Fit(1.0, 0.0)
    return Fit(float(np.mean(forward)), float(np.mean(backward)))


def require_fit(fit: Fit, shard: Sampled, tokenizer: TextTokenizer) -> None:
    """Refuse a tokenizer with which the index decodes to noise.

    Raises `TokenizerError` if the better of both directions is below `GOOD_FIT`.
    """
    if fit.best < GOOD_FIT:
        raise TokenizerError(
            mark(
                "The tokenizer {name} does not fit {path}: after decoding and encoding, only {best:.0%} of its "
                "tokens are the same, so its text would be noise."
            ),
            reason="tokenizer-does-not-fit",
            name=tokenizer.name,
            path=shard.text_name,
            best=fit.best,
            option="check_fit",
        )


def _check_vocabulary(shard: Sampled, ids: NDArray[np.int64], start: int, tokenizer: TextTokenizer) -> None:
    beyond = np.flatnonzero(ids >= tokenizer.vocabulary_size)
    if len(beyond):
        at = int(beyond[0])
        raise TokenizerError(
            mark(
                "The tokenizer {name} does not fit {path}: token {start:,} there is {id:,}, and the vocabulary has "
                "only {vocabulary_size:,} ids."
            ),
            reason="token-outside-vocabulary",
            name=tokenizer.name,
            path=shard.text_name,
            start=start + at,
            id=int(ids[at]),
            vocabulary_size=tokenizer.vocabulary_size,
        )


def _round_trip(ids: NDArray[np.int64], tokenizer: TextTokenizer) -> float:
    """Share of ids that come back; special tokens are skipped, since they have no text.

    The text of an unknown token, and how it was joined to its neighbors, is not known: these are skipped, too.
    """
    special = tokenizer.is_special(ids)
    unknown = np.isin(ids, np.array(sorted(tokenizer.unknown), dtype=np.int64))
    beside = np.zeros(len(ids), dtype=np.bool_)
    beside[1:] |= unknown[:-1]
    beside[:-1] |= unknown[1:]
    again: list[int] = []
    kept: list[int] = []
    # Special tokens end a run: the text before and after them is encoded by itself.
    for part in np.split(np.arange(len(ids)), np.flatnonzero(special)):
        plain = part[~special[part]]
        text = decode(tokenizer, ids[plain].tolist(), begins=True).text
        again += tokenizer.encode(text).tolist()
        kept += ids[plain[~beside[plain]]].tolist()
    # The usual case, for which comparing takes longer than all the rest.
    if kept == again:
        return 1.0
    # Neighbors of unknown tokens are not in `kept` but may be in `again`, so the ratio of both would be too low.
    if not unknown.any():
        return difflib.SequenceMatcher(None, kept, again, autojunk=False).ratio()
    blocks = difflib.SequenceMatcher(None, kept, again, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(1, len(kept))


def require_made_by(tokenizer: TextTokenizer, documents: Sequence[NDArray[Any]]) -> None:
    """Refuse a tokenizer that gives other ids for the texts of some documents.

    tokenizer: The tokenizer to try. Bytes are the ids of any file, so this one is not compared.
    documents: The ids of documents, all in the vocabulary; their beginnings are decoded and encoded.
    Raises `TokenizerError` if fewer than `GOOD_FIT` of the ids come back.
    """
    if tokenizer.backend is None:
        return
    shares = [_round_trip(ids[:SAMPLED_TOKENS].astype(np.int64), tokenizer) for ids in documents if len(ids)]
    if shares and np.mean(shares) < GOOD_FIT:
        raise TokenizerError(
            mark(
                "The tokenizer {name} did not make these token ids: after decoding and encoding, only {share:.0%} of "
                "them are the same."
            ),
            reason="other-ids",
            name=tokenizer.name,
            share=float(np.mean(shares)),
            option="tokenizer",
        )


def require_readable(tokenizer: TextTokenizer, texts: Iterable[str]) -> None:
    """Refuse a tokenizer that loses text: too few words can be read back from its tokens.

    Case, accents, spaces around punctuation and equivalent forms of a character are ignored: some tokenizers change
    them, and texts are then shown as the tokenizer returns them.

    texts: Documents of the corpus; the first eight that are not blank are tried.
    Raises `TokenizerError` if fewer than `LEAST_WORDS` of their words come back.

    Notes
    -----
    Costs milliseconds: a few thousand characters of each text are tokenized.
    """
    wanted = found = 0
    for whole in islice(filter(str.strip, texts), TRIED_DOCUMENTS):
        text = replace_surrogates(whole[:_CHARACTERS])
        words = _words(text)
        shown = _words(decode(tokenizer, tokenizer.encode(text).tolist()).text)
        blocks = difflib.SequenceMatcher(None, words, shown, autojunk=False).get_matching_blocks()
        wanted += len(words)
        found += sum(block.size for block in blocks)
    if found < LEAST_WORDS * wanted:
        raise TokenizerError(
            mark(
                "The tokenizer {name} loses text: only {share:.0%} of the words in the first documents "
                "can be read back from its tokens."
            ),
            reason="tokenizer-loses-text",
            name=tokenizer.name,
            share=found / wanted,
            option="tokenizer",
        )


def _words(text: str) -> list[str]:
    """Words without case and accents; single characters in scripts without spaces."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORDS.findall("".join(char for char in plain if not unicodedata.combining(char)))

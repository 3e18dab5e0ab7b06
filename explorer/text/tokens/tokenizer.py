"""Tokenizers: text to ids with character offsets, and ids to bytes (how these are spelled: `spelling`)."""

from __future__ import annotations

import copyreg
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import tokenizers
from numpy.typing import NDArray

import _fastsa
from explorer.core.arrays import ArrayValue
from explorer.core.files.encoding import replace_surrogates
from explorer.errors import TokenizerError
from explorer.i18n import mark
from explorer.text.tokens.batches import BatchEncoder
from explorer.text.tokens.breakless import begins_breakless
from explorer.text.tokens.special import encoder_of_text, special_tokens
from explorer.text.tokens.spelling import BYTES_NAME, byte_alphabet, spelling_of, unknown_ids

__all__ = ["BYTES_NAME", "Encoded", "TextTokenizer", "byte_alphabet"]


class _Spelled(dict[int, bytes]):
    """The bytes of tokens, each spelled when it is first asked for."""

    def __init__(self, spell: Callable[[int], bytes]) -> None:
        super().__init__()
        self._spell = spell

    def __missing__(self, token: int) -> bytes:
        found = self[token] = self._spell(token)
        return found


@dataclass(frozen=True, eq=False)
class Encoded(ArrayValue):
    """Ids of a text, and the characters that each of them represents.

    ids: Token ids, int64 of shape (tokens,).
    starts: The first character of each token in the text, int64.
    ends: One past the last character of each token, int64.
    """

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


_BRIEF = 1_000
"""Characters below which a text takes no longer than starting a batch."""

_THREE_LETTERS = "言語ก"

_MOST_LOADED = 4
_loaded: dict[str, tokenizers.Tokenizer] = {}
"""Those that were read last, by their file's SHA-256. The library (0.23) never frees what a tokenizer has cached of the
words it encoded: each opening of an index took another 0.26 MB."""


def _load(text: str, digest: str) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer.from_str(text)
    # A tokenizer.json may pad or truncate, as training a model needs it. Here each text is as long as it is.
    backend.no_padding()
    backend.no_truncation()
    # The oldest first. With a default, since another thread may have removed it.
    while len(_loaded) >= _MOST_LOADED:
        _loaded.pop(next(iter(_loaded)), None)
    _loaded[digest] = backend
    return backend


class TextTokenizer:
    """A tokenizer: text to ids with character offsets, and ids to bytes.

    backend: A tokenizer of the `tokenizers` library; None for raw bytes.
    name: What to call it in messages and manifests.
    fingerprint: SHA-256 of its file; "" for bytes.
    special_as_text: Whether a special token that a text contains as text is encoded as any other text.
    """

    def __init__(
        self, backend: tokenizers.Tokenizer | None, name: str, fingerprint: str = "", special_as_text: bool = False
    ) -> None:
        self.backend = backend
        self.name = name
        self.fingerprint = fingerprint
        self.special_as_text = special_as_text
        self.spelling = spelling_of(backend)

    @property
    def style(self) -> str:
        """The style of its spelling."""
        return self.spelling.style

    @classmethod
    def raw_bytes(cls) -> TextTokenizer:
        """The tokenizer of byte indexes: a token is a byte of UTF-8."""
        return cls(None, BYTES_NAME)

    @classmethod
    def from_file(cls, path: Path) -> TextTokenizer:
        """Read a Hugging Face `tokenizer.json`.

        Returns: The tokenizer, without padding and truncation, named after the file.
        Raises `TokenizerError` if the file cannot be read, or the tokenizers library refuses it.

        Notes
        -----
        The four files read last are kept in memory, by their SHA-256.
        """
        try:
            data = path.read_bytes()
        # A name that no file can have is a ValueError.
        except (OSError, ValueError) as error:
            raise TokenizerError(
                mark("The tokenizer {path} cannot be read: {cause}."),
                reason="unreadable",
                path=path,
                cause=error.strerror if isinstance(error, OSError) else error,
            ) from error
        return tokenizer_from(data, path, path.name)

    @classmethod
    def from_backend(cls, backend: tokenizers.Tokenizer, name: str) -> TextTokenizer:
        """Wrap a tokenizer that was just trained.

        Returns: The tokenizer; its fingerprint is the SHA-256 of its JSON.
        """
        return cls(backend, name, hashlib.sha256(backend.to_str().encode("utf-8")).hexdigest())

    def treating_special(self, as_text: bool) -> TextTokenizer:
        """This tokenizer, or one of the same vocabulary that encodes special tokens in texts as text, or as such."""
        as_text = as_text and bool(special_tokens(self.backend))
        if as_text == self.special_as_text:
            return self
        return TextTokenizer(self.backend, self.name, self.fingerprint, as_text)

    @cached_property
    def _encoder(self) -> tokenizers.Tokenizer:
        """What encodes texts."""
        assert self.backend is not None
        return encoder_of_text(self.backend) if self.special_as_text else self.backend

    @cached_property
    def vocabulary_size(self) -> int:
        """One more than the largest id."""
        if self.backend is None:
            return 256
        # Not the number of entries: ids may have gaps.
        return max(self.backend.get_vocab(with_added_tokens=True).values(), default=-1) + 1

    def encode(self, text: str) -> NDArray[np.int64]:
        """Tokenize a text as it is; no special tokens are added.

        text: Any text; unpaired surrogates count as U+FFFD.
        Returns: Token ids, int64 of shape (tokens,).

        Examples
        --------
        >>> TextTokenizer.raw_bytes().encode("né").tolist()
        [110, 195, 169]
        """
        if self.backend is None:
            return np.frombuffer(replace_surrogates(text).encode("utf-8"), dtype=np.uint8).astype(np.int64)
        return np.array(self._encoding(text).ids, dtype=np.int64)

    def _encoding(self, text: str) -> tokenizers.Encoding:
        """Of one text. The library lets other threads run while it encodes a batch, and only then: 26 ms of 45 kB."""
        text = replace_surrogates(text)
        if len(text) < _BRIEF:
            return self._encoder.encode(text, add_special_tokens=False)
        return self._encoder.encode_batch([text], add_special_tokens=False)[0]

    def encode_batch(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Tokenize many texts, on all cores.

        texts: The texts. Those over 64,000 characters are tokenized piece by piece (see `long_texts`).
        Returns: The ids of each text, int64.
        """
        if self.backend is None:
            return [self.encode(text) for text in texts]
        return self._batches.encode([replace_surrogates(text) for text in texts])

    @cached_property
    def _batches(self) -> BatchEncoder:
        return BatchEncoder(self._encoder, lambda: self.token_sizes, self.adds_space)

    def encode_with_offsets(self, text: str) -> Encoded:
        """Tokenize a text, with the characters of each token.

        text: Any text; unpaired surrogates count as U+FFFD.
        Returns: Token ids and their places.

        Examples
        --------
        >>> TextTokenizer.raw_bytes().encode_with_offsets("né").starts.tolist()
        [0, 1, 1]
        """
        if self.backend is None:
            return _encode_bytes(replace_surrogates(text))
        encoding = self._encoding(text)
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        ids = np.array(encoding.ids, dtype=np.int64)
        return Encoded(ids, np.ascontiguousarray(offsets[:, 0]), np.ascontiguousarray(offsets[:, 1]))

    @cached_property
    def _added(self) -> frozenset[int]:
        return frozenset() if self.backend is None else frozenset(self.backend.get_added_tokens_decoder())

    @cached_property
    def unknown(self) -> frozenset[int]:
        """The id of text that the vocabulary lacks, if there is one."""
        return unknown_ids(self.backend)

    def is_special(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The ids that represent no text of their own: added tokens (`<s>`), and the unknown one (`<unk>`)."""
        return np.isin(ids, np.array(sorted(self._added | self.unknown), dtype=np.int64))

    def token_bytes(self, token: int) -> bytes:
        """Give the bytes that a token represents.

        Returns: The bytes, which may be part of a character; U+FFFD for an id that the vocabulary lacks.

        Examples
        --------
        >>> TextTokenizer.raw_bytes().token_bytes(97)
        b'a'
        """
        return self.bytes_of[token]

    @cached_property
    def bytes_of(self) -> Mapping[int, bytes]:
        """The bytes of each token by its id, as `token_bytes` gives them: a look-up costs less than a call."""
        return _Spelled(self._spell_bytes)

    def _spell_bytes(self, token: int) -> bytes:
        if self.backend is None:
            return bytes([token]) if 0 <= token < 256 else b"\xef\xbf\xbd"
        # The library takes unsigned 32-bit ids, and raises for any other.
        piece = self.backend.id_to_token(token) if 0 <= token < 1 << 32 else None
        if piece is None:
            return b"\xef\xbf\xbd"
        return self.spelling.bytes_of(piece, token in self._added, token in self.unknown)

    @cached_property
    def pieces(self) -> _fastsa.Pieces:
        """The bytes of every token, for the engine; made at the first use."""
        parts = [self.token_bytes(token) for token in range(self.vocabulary_size)]
        starts = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        return _fastsa.Pieces(np.frombuffer(b"".join(parts), dtype=np.uint8), starts)

    @cached_property
    def token_sizes(self) -> NDArray[np.int64]:
        """Bytes of every token; those of an invalid id come last."""
        return np.array([len(self.token_bytes(token)) for token in range(self.vocabulary_size + 1)], dtype=np.int64)

    @cached_property
    def _word_starts(self) -> NDArray[np.bool_]:
        """For each id, whether a word begins with it, as OLMoTrace's lists have it."""
        # One more entry, False, to which all invalid ids are mapped.
        starts = np.zeros(self.vocabulary_size + 1, dtype=np.bool_)
        if self.backend is None:
            starts[[0x09, 0x0A, 0x20]] = True
            return starts
        for piece, token in self.backend.get_vocab(with_added_tokens=True).items():
            starts[token] = self.spelling.begins_word(piece, token in self._added)
        if self._parts_letters:
            texts = (self.token_bytes(token).decode("utf-8", "replace") for token in range(self.vocabulary_size))
            starts[:-1] |= np.fromiter(map(begins_breakless, texts), dtype=np.bool_, count=self.vocabulary_size)
        return starts

    @property
    def _parts_letters(self) -> bool:
        """Whether it takes each letter of a script without spaces for a word."""
        words = self.backend.pre_tokenizer if self.backend is not None else None
        return words is not None and len(words.pre_tokenize_str(_THREE_LETTERS)) == len(_THREE_LETTERS)

    def begins_word(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which tokens begin a word, by the rule of OLMoTrace.

        Notes
        -----
        SentencePiece: starts with `▁`, or is a special or byte token or a single character. Byte-level BPE: starts with
        a space or a line feed. Bytes: is a space, tab or line feed. Added to it: a letter of a script without spaces,
        or an emoji, if the tokenizer takes each for a word.
        """
        # An index may contain ids that its tokenizer does not have, if it is the wrong one.
        known = np.where((ids >= 0) & (ids < self.vocabulary_size), ids, self.vocabulary_size)
        return self._word_starts[known]

    @cached_property
    def adds_space(self) -> bool:
        """Whether encoding puts a space before the text (so that decoding takes it off)."""
        if self.backend is None or self.style in ("wordpiece", "words"):
            return self.backend is not None
        ids = self.encode("a")
        return bool(len(ids)) and b"".join(self.token_bytes(int(i)) for i in ids).startswith(b" ")

    def artificial_bytes(self, first: int) -> int:
        """Count the bytes of a text's first token that are not in the text.

        Returns: 1 for the space that encoding puts there, else 0.
        """
        return int(self.adds_space and self.token_bytes(first).startswith(b" "))


def tokenizer_from(data: bytes, path: Path | str, name: str) -> TextTokenizer:
    """Read the content of a Hugging Face `tokenizer.json`, wherever it is from.

    path: What errors call the file: its path or its address.
    Raises `TokenizerError` if the tokenizers library refuses it.
    """
    try:
        digest = hashlib.sha256(data).hexdigest()
        backend = _loaded.get(digest) or _load(data.decode("utf-8"), digest)
    # The tokenizers library raises plain Exception for whatever its parser dislikes.
    except Exception as error:
        raise TokenizerError(
            mark("{path} is not a tokenizer that can be used: {cause}."),
            reason="not-a-tokenizer",
            path=path,
            cause=error,
        ) from error
    return TextTokenizer(backend, name, digest)


def _encode_bytes(text: str) -> Encoded:
    ids = np.frombuffer(text.encode("utf-8"), dtype=np.uint8).astype(np.int64)
    # Continuation bytes of UTF-8 are 10xxxxxx: all others begin a character.
    characters = np.cumsum((ids & 0xC0) != 0x80) - 1
    return Encoded(ids, characters.astype(np.int64), (characters + 1).astype(np.int64))


def _packed(tokenizer: TextTokenizer) -> tuple[Callable[..., TextTokenizer], tuple[str | None, str, str, bool]]:
    """A tokenizer for a pickle: as JSON, since the library's own pickle depends on its version."""
    text = None if tokenizer.backend is None else tokenizer.backend.to_str()
    return _unpacked, (text, tokenizer.name, tokenizer.fingerprint, tokenizer.special_as_text)


def _unpacked(text: str | None, name: str, fingerprint: str, special_as_text: bool = False) -> TextTokenizer:
    """A tokenizer from a pickle."""
    backend = None if text is None else _loaded.get(fingerprint) or _load(text, fingerprint)
    return TextTokenizer(backend, name, fingerprint, special_as_text)


copyreg.pickle(TextTokenizer, _packed)

"""How a vocabulary spells text: which bytes each piece represents, and where words begin.

A token represents bytes, not text: a character may be cut across tokens. The style is the way in which bytes are
spelled:

- "bytes": token = byte; no tokenizer file.
- "byte-level": every byte has a printable substitute (GPT-2, OLMo, Llama-3, CLIP).
- "sentencepiece": `▁` represents a space, `<0xNN>` a byte (Llama-2, Gemma).
- "wordpiece": `##` continues a word, otherwise a space comes first (BERT).
- "words": tokens are words, and the tokenizer drops the spaces between them; one is put before each (WordLevel).
- "plain": tokens are spelled literally.

In any style, an ending such as `</w>` may mark the end of a word: a space follows it (CLIP, GPT-1).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

import tokenizers

BYTES_NAME = "bytes"
_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>\Z")
_RARE = "\u1b83\ua015\U00012345"
"""Characters that only a vocabulary of all bytes has."""


@dataclass(frozen=True)
class Spelling:
    """How a vocabulary spells its pieces.

    style: "byte-level", "sentencepiece", "wordpiece", "words" or "plain".
    continuing: The prefix of a piece inside a word; "" for none.
    ending: The suffix of the last piece of a word; "" for none.
    """

    style: str
    continuing: str = ""
    ending: str = ""

    def bytes_of(self, piece: str, special: bool, unknown: bool) -> bytes:
        """Give the bytes that a piece of the vocabulary represents.

        special: Whether it is an added token.
        unknown: Whether it is the token for text that the vocabulary lacks.
        Returns: Its bytes, UTF-8 except for parts of a character.
        """
        # Added tokens are spelled literally in every style but SentencePiece, which writes spaces in them too as ▁.
        if special and not unknown:
            return piece.encode() if self.style != "sentencepiece" else _sentencepiece_bytes(piece)
        after = b""
        if self.ending and piece.endswith(self.ending):
            piece, after = piece.removesuffix(self.ending), b" "
        # A piece with another character cannot be spelled in bytes; it is taken literally, below.
        if self.style == "byte-level" and not special and all(char in _ALPHABET for char in piece):
            return bytes(_ALPHABET[char] for char in piece) + after
        if self.style == "sentencepiece":
            return _sentencepiece_bytes(piece) + after
        if self.style == "wordpiece" and piece.startswith(self.continuing):
            return piece.removeprefix(self.continuing).encode()
        return (b" " if self.style in ("wordpiece", "words") else b"") + piece.encode() + after

    def begins_word(self, piece: str, special: bool) -> bool:
        """Tell whether a word begins with a piece, as in OLMoTrace's lists.

        Returns: True if a word begins here. Pieces of whole words, and of vocabularies that mark the end of a word,
            always count; in other styles without marks, pieces that do not begin with a letter or digit.
        """
        if self.style == "byte-level" and not self.ending:
            return piece.startswith(("Ġ", "Ċ"))
        if self.style == "sentencepiece":
            return piece.startswith("▁") or special or bool(_BYTE_PIECE.match(piece)) or len(piece) == 1
        if self.style == "wordpiece":
            return not piece.startswith(self.continuing)
        return self.style == "words" or bool(self.ending) or special or not piece[:1].isalnum()


def _sentencepiece_bytes(piece: str) -> bytes:
    byte = _BYTE_PIECE.match(piece)
    return bytes([int(byte.group(1), 16)]) if byte else piece.replace("▁", " ").encode()


def byte_alphabet() -> dict[str, int]:
    """The printable character for each byte in byte-level BPE vocabularies.

    Printable Latin-1 bytes represent themselves, the others are characters from U+0100 on, in order.
    """
    # GPT-2's table: spaces, controls and the soft hyphen (0xAD) are not printable.
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


_ALPHABET = byte_alphabet()


def spelling_of(backend: tokenizers.Tokenizer | None) -> Spelling:
    """Find out how a tokenizer spells its pieces.

    backend: A tokenizer of the `tokenizers` library; None for raw bytes.
    Returns: The spelling, read from the tokenizer's parts or, if these do not show it, from how it tokenizes two words.
    """
    if backend is None:
        return Spelling(BYTES_NAME)
    model = backend.model
    ending = getattr(model, "end_of_word_suffix", None) or ""
    continuing = getattr(model, "continuing_subword_prefix", None) or ""
    style = _style(backend)
    if style == "plain" and not ending:
        # The parts show nothing. What is left is told by its prefix, or by tokenizing two words.
        style = "wordpiece" if continuing else "words" if _drops_spaces(backend) else style
    return Spelling(style, continuing or "##", ending)


def _style(backend: tokenizers.Tokenizer) -> str:
    parts = []
    for component in (backend.decoder, backend.pre_tokenizer, backend.normalizer):
        if component is not None:
            # The components' own description; that of the whole tokenizer would contain the vocabulary.
            parts += _parts(json.loads(component.__getstate__()))
    types = {part.get("type") for part in parts}
    if "ByteLevel" in types:
        return "byte-level"
    replaces_space = any(
        part.get("type") == "Replace" and "▁" in json.dumps(part, ensure_ascii=False) for part in parts
    )
    if "Metaspace" in types or "ByteFallback" in types or replaces_space:
        return "sentencepiece"
    if "WordPiece" in types or type(backend.model).__name__ == "WordPiece":
        return "wordpiece"
    return "plain"


def _parts(node: Any) -> list[dict[str, Any]]:
    """A component of a tokenizer file and, for a Sequence, the components inside."""
    if not isinstance(node, dict):
        return []
    inner = [part for key in ("decoders", "pretokenizers", "normalizers") for part in node.get(key) or []]
    return [node, *(found for part in inner for found in _parts(part))]


def _drops_spaces(backend: tokenizers.Tokenizer) -> bool:
    """Whether the space between two words of the vocabulary is in none of their tokens."""
    words = list(islice((piece for piece in backend.get_vocab(with_added_tokens=False) if piece.isalnum()), 2))
    if not words:
        return False
    tokens = backend.encode(f"{words[0]} {words[-1]}", add_special_tokens=False).tokens
    return len(tokens) == 2 and not any(" " in token for token in tokens)


def unknown_ids(backend: tokenizers.Tokenizer | None) -> frozenset[int]:
    """The id of text that the vocabulary lacks; None if every byte has a token."""
    if backend is None:
        return frozenset()
    name = getattr(backend.model, "unk_token", None)
    if isinstance(name, str) and (found := backend.token_to_id(name)) is not None:
        return frozenset([found])
    if type(backend.model).__name__ != "Unigram":
        return frozenset()
    # Unigram models do not name theirs: it is the id of characters that no vocabulary has.
    ids = [{*backend.encode(char, add_special_tokens=False).ids} for char in _RARE]
    return frozenset(set.intersection(*ids)) if all(ids) else frozenset()

"""Where a tokenizer always cuts a text, whatever is before and after: what is certain from its parts.

A seam is a place at which white space follows something else, or a mark follows a letter or digit of ASCII. A text that
is cut there has the tokens of its pieces, one after the other, if the tokenizer

- changes characters one by one, or together with neighbors that are not beyond white space;
- and then cuts words off there, or merges pairs of which none joins white space to what is before it.

The `tokenizers` library documents what each part does. A tokenizer with a part that is not listed has no seams, so
that its texts are tokenized as they are.
"""

from __future__ import annotations

import json
import string
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tokenizers

from explorer.text.tokens.breakless import TRAINED_CUT

BLANKS = " \t\n\r"
"""White space at which a text may be cut. Some tokenizers take other characters of it out of a text first."""

MARKS = string.punctuation.replace("'", "")
"""Marks before which a text may be cut, after a letter or digit. An apostrophe may begin the end of a word."""

_NO_BREAKS = " \t"

_WITH_NUMBERS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_EXPRESSIONS = {
    TRAINED_CUT: BLANKS,
    # GPT-4, Llama 3 and OLMo 2; Qwen. They join line breaks to the punctuation before them.
    _WITH_NUMBERS % r"\p{N}{1,3}": _NO_BREAKS,
    _WITH_NUMBERS % r"\p{N}": _NO_BREAKS,
}
"""Expressions that cut words off, and the white space before which each always does."""

_DROPPERS = ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")
"""What cuts a text at white space and drops it."""
_KEEPERS = ("Lowercase", "NFC", "NFD", "Prepend", "Replace")
"""What changes characters, and leaves none out."""
_REMOVERS = ("BertNormalizer", "StripAccents")
"""What may leave characters out. White space on either side of them becomes one, which matters unless it is dropped."""
_COMPOSED = frozenset(";K`")
"""The characters of ASCII that NFC makes of others: U+037E, U+212A, U+1FEF."""
_STAND_IN = "▁"
"""What tokenizers of SentencePiece's kind write for a space."""


@dataclass(frozen=True)
class Seams:
    """Where a tokenizer cuts.

    starters: The white space before which it cuts, if something else is before it; "" if nothing is known.
    marks: The punctuation before which it cuts, if a letter or digit of ASCII is before it.
    added: What it takes out of a text before it cuts. A text with any of it is tokenized as it is.
    """

    starters: str
    marks: str = ""
    added: tuple[str, ...] = ()


NONE = Seams("")


def seams_of(backend: tokenizers.Tokenizer) -> Seams:
    """Tell where a tokenizer cuts.

    Notes
    -----
    Cost: reads the tokenizer's JSON, 50 to 200 ms for usual ones.
    """
    parts = json.loads(backend.to_str())
    normalizers = [*_each(parts["normalizer"], "normalizers")]
    words = [*_each(parts["pre_tokenizer"], "pretokenizers")]
    allowed = _KEEPERS + _REMOVERS if words and words[0]["type"] in _DROPPERS else _KEEPERS
    if not all(part["type"] in allowed and _is_local(part) for part in normalizers):
        return NONE
    starters, marks = _starters_of_words(words) if words else _starters_of_merges(parts["model"])
    prefixed = _adds_prefix([*normalizers, *words])
    taken_out = [each for each in parts["added_tokens"] if not (each["special"] and backend.encode_special_tokens)]
    contents = [added["content"] for added in taken_out]
    if not starters:
        return NONE
    # White space is taken out within one piece. Then what begins the rest of a text is treated as what begins a text,
    # which matters if something is put there.
    if prefixed and any(not content.strip() for content in contents):
        return NONE
    changed = [added["content"] for added in taken_out if added["normalized"]]
    if not all(_stays(content, normalizers) for content in changed):
        return NONE
    return Seams(starters, marks, tuple(content for content in contents if content.strip()))


def _each(part: Mapping[str, Any] | None, name: str) -> Iterator[Mapping[str, Any]]:
    """The parts of a sequence, and of sequences in it."""
    if part is None:
        return
    if part["type"] == "Sequence":
        for each in part[name]:
            yield from _each(each, name)
    else:
        yield part


def _is_local(part: Mapping[str, Any]) -> bool:
    """Whether a normalizer treats what is on either side of a seam alike, whatever is on the other side."""
    if part["type"] == "Replace":
        # Of one character. Others could be found across a seam.
        return len(part["pattern"].get("String", "")) == 1 and part["content"] == _STAND_IN
    if part["type"] == "Prepend":
        return bool(part["prepend"] == _STAND_IN)
    return True


def _stays(content: str, normalizers: Collection[Mapping[str, Any]]) -> bool:
    """Whether an added token that is looked for in the changed text is in the text as it is written, too."""
    if any(part["type"] not in ("NFC", "Prepend", "Replace") for part in normalizers):
        return not content.strip()
    return content.isascii() and not set(content) & _COMPOSED


def _adds_prefix(parts: Sequence[Mapping[str, Any]]) -> bool:
    return any(part["type"] in ("Prepend", "Metaspace") or part.get("add_prefix_space", False) for part in parts)


def _starters_of_words(parts: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    # What comes after the first one cuts its pieces further, each by itself. Digits are cut off in any case.
    part = next((part for part in parts if part["type"] != "Digits"), parts[0])
    if part["type"] == "ByteLevel":
        return (BLANKS, MARKS) if part["use_regex"] else ("", "")
    if part["type"] == "Metaspace":
        # Line breaks stay in words.
        return (" " if part.get("split", True) and part["replacement"] == _STAND_IN else ""), ""
    if part["type"] == "Split" and part["behavior"] == "Isolated" and not part["invert"]:
        starters = _EXPRESSIONS.get(part["pattern"].get("Regex", ""), "")
        return starters, MARKS if starters else ""
    return (BLANKS if part["type"] in _DROPPERS else ""), ""


def _starters_of_merges(model: Mapping[str, Any]) -> tuple[str, str]:
    """White space and marks that a model which cuts no words off never joins to what is before them."""
    if model["type"] != "BPE" or model.get("dropout") or model.get("ignore_merges", False):
        return "", ""
    vocabulary = model["vocab"]
    # A character that the vocabulary lacks is one unknown token together with the next one that it lacks.
    if not model.get("byte_fallback", False) or not all(f"<0x{byte:02X}>" in vocabulary for byte in range(256)):
        return "", ""
    pairs = {(left[-1], right[0]) for left, right in _merges(model)}
    joined = {after for before, after in pairs if not _is_blank(before)}
    # A chunk is tokenized with a space after it, which must not be joined to its end.
    if not joined.isdisjoint((" ", _STAND_IN)):
        return "", ""
    starters = [blank for blank in BLANKS if blank not in joined]
    after_words = {after for before, after in pairs if before.isascii() and before.isalnum()}
    return "".join(starters), "".join(mark for mark in MARKS if mark not in after_words)


def _merges(model: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for merge in model["merges"]:
        # Older files have one text.
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        yield left, right


def _is_blank(character: str) -> bool:
    return character.isspace() or character == _STAND_IN

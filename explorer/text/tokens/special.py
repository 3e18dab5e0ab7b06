"""Special tokens, such as <|endoftext|>, that a text contains as text: encoded as any other text."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tokenizers

_NO_CHARACTER = "\ufdd0"
"""Put before pieces of a vocabulary that no text may match; Unicode reserves it for such uses."""


def special_tokens(backend: tokenizers.Tokenizer | None) -> dict[str, int]:
    """The special tokens of a tokenizer, by what a text would contain, with their ids."""
    added = backend.get_added_tokens_decoder() if backend is not None else {}
    return {token.content: number for number, token in added.items() if token.special and token.content.strip()}


def encoder_of_text(backend: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """Make a tokenizer with the vocabulary of another one, for which special tokens in a text are text.

    Notes
    -----
    Both share the memory of the vocabulary, unless special tokens are pieces that the model itself finds, as in
    unigram models of SentencePiece.
    """
    special = special_tokens(backend)
    made = _same(backend)
    # What merges make of a text is how it is encoded, whatever else it is.
    merges = type(backend.model).__name__ == "BPE"
    if not merges and any(
        number in made.encode(text, add_special_tokens=False).ids for text, number in special.items()
    ):
        made = _without_pieces(backend, special)
    return made


def _same(backend: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    made = type(backend)(backend.model)
    for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        if getattr(backend, part) is not None:
            setattr(made, part, getattr(backend, part))
    added = backend.get_added_tokens_decoder()
    # In the order of their ids, which new ones get.
    for _, token in sorted(added.items()):
        (made.add_special_tokens if token.special else made.add_tokens)([token])
    if made.get_added_tokens_decoder() != added:
        # Ids with gaps, which only the whole file has.
        made = type(backend).from_str(backend.to_str())
    made.encode_special_tokens = True
    return made


def _without_pieces(backend: tokenizers.Tokenizer, special: Collection[str]) -> tokenizers.Tokenizer:
    """The same with other names for special tokens, so that the model finds none of them in a text."""
    parts = json.loads(backend.to_str())
    names = {text: _NO_CHARACTER + text for text in special}
    model = parts["model"]
    # Unigram models have a list with scores, all others a mapping to ids.
    if isinstance(model["vocab"], dict):
        model["vocab"] = {names.get(piece, piece): number for piece, number in model["vocab"].items()}
    else:
        model["vocab"] = [[names.get(piece, piece), score] for piece, score in model["vocab"]]
    for token in parts["added_tokens"]:
        token["content"] = names.get(token["content"], token["content"])
    if "unk_token" in model:
        model["unk_token"] = names.get(model["unk_token"], model["unk_token"])
    made = type(backend).from_str(json.dumps(parts))
    made.no_padding()
    made.no_truncation()
    made.encode_special_tokens = True
    return made

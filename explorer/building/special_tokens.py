"""Special tokens of a tokenizer that texts contain as text, such as <|endoftext|>: counted in a new index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from explorer.i18n import mark
from explorer.index.layout import TOKENIZER_NAME
from explorer.index.shard_text import TOKEN_TYPES
from explorer.jobs import CancelToken
from explorer.tokens.tokenizer import TextTokenizer

SPECIAL_TOKENS = mark("special tokens of the tokenizer in texts, encoded as such")
_AT_ONCE = 1 << 22
"""Tokens that are looked at before the work can be cancelled."""


def count_special_tokens(folder: Path, token_width: int, cancel: CancelToken) -> dict[str, int]:
    """Count the special tokens in an index that is being built.

    Returns: The number of each token that occurs, most frequent first; empty for a tokenizer without special tokens.
    """
    path = folder / TOKENIZER_NAME
    names = _special_tokens(TextTokenizer.from_file(path)) if path.is_file() else {}
    if not names:
        return {}
    # The last place is for all ids beyond the largest one that is special.
    wanted = np.zeros(max(names) + 2, dtype=bool)
    wanted[list(names)] = True
    counts: Counter[int] = Counter()
    for file in sorted(folder.glob("tokenized.*")):
        tokens = np.memmap(file, dtype=TOKEN_TYPES[token_width], mode="r") if file.stat().st_size else np.zeros(0, int)
        for start in range(0, len(tokens), _AT_ONCE):
            cancel.check()
            part = np.minimum(tokens[start : start + _AT_ONCE], len(wanted) - 1)
            counts.update(part[wanted[part]].tolist())
    return {names[number]: count for number, count in counts.most_common()}


def _special_tokens(tokenizer: TextTokenizer) -> dict[int, str]:
    """Special tokens by their ids, without the one of text that the vocabulary lacks."""
    added = tokenizer.backend.get_added_tokens_decoder() if tokenizer.backend is not None else {}
    return {
        number: token.content for number, token in added.items() if token.special and number not in tokenizer.unknown
    }

"""Training a byte-level BPE tokenizer on the corpus itself.

Text is first cut as GPT-2 cuts it, except that letters of scripts written without spaces, and emoji, are cut off one by
one (see `breakless`). Merged, they would be a token or not depending on their neighbors, and could not be counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tokenizers
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError
from explorer.i18n import mark
from explorer.text.tokens.breakless import TRAINED_CUT
from explorer.text.tokens.tokenizer import TextTokenizer

DEFAULT_VOCABULARY = 16_384
SAMPLE_CHARACTERS = 12_000_000
"""Characters to learn from; more changes the vocabulary little and costs time in proportion."""

_PIECE = 100_000


def train_bpe(
    texts: Iterable[str], vocabulary: int = DEFAULT_VOCABULARY, cancel: CancelToken | None = None
) -> TextTokenizer:
    """Train a byte-level BPE tokenizer.

    texts: The texts to learn from; each is read once.
    vocabulary: The most ids that it may have, 257 to 65,535.
    cancel: Checked between texts; None: the training cannot be cancelled.
    Returns: The tokenizer; it has fewer ids than `vocabulary` if the texts do not provide enough pairs.
    Raises `BuildError` if `vocabulary` is out of range.

    Examples
    --------
    >>> train_bpe(["a cat, a mat, a hat"] * 10, 260).vocabulary_size
    260
    """
    if not 257 <= vocabulary <= 65_535:
        raise BuildError(
            mark("A trained vocabulary must have 257 to 65,535 ids, not {vocabulary:,}."),
            reason="bad-vocabulary",
            vocabulary=vocabulary,
        )
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = _pre_tokenizer()
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        show_progress=False,
        # All 256 bytes, so that any text can be tokenized. Sorted, so that ids do not depend on the order of a set.
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        max_token_length=32,
    )
    backend.train_from_iterator(_pieces(texts, cancel), trainer)
    if cancel is not None:
        cancel.check()
    return TextTokenizer.from_backend(backend, f"BPE of {backend.get_vocab_size():,} ids, trained on the corpus")


def _pre_tokenizer() -> pre_tokenizers.PreTokenizer:
    cut = pre_tokenizers.Split(Regex(TRAINED_CUT), "isolated")
    return pre_tokenizers.Sequence([cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def _pieces(texts: Iterable[str], cancel: CancelToken | None) -> Iterator[str]:
    """Texts in pieces small enough to stop between them."""
    for text in texts:
        for start in range(0, len(text), _PIECE):
            # The library trains on what came so far; the caller looks at the flag and discards the result.
            if cancel is not None and cancel.cancelled:
                return
            yield replace_surrogates(text[start : start + _PIECE])


def spread_sample(sizes: list[int], budget: int) -> list[int]:
    """Choose the documents to learn from: every k-th, so that all parts of the corpus take part.

    sizes: The size of each document, in any one unit.
    budget: The approximate total size to choose, in the same unit.
    Returns: Numbers of documents, ascending; all of them if they fit.

    Examples
    --------
    >>> spread_sample([10, 10, 10, 10], 20)
    [0, 2]
    """
    total = sum(sizes)
    # Rounded up, so that documents of about one size give the budget or less.
    step = max(1, -(-total // max(1, budget)))
    return list(range(0, len(sizes), step))

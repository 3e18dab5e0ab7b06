"""Training a byte-level BPE tokenizer on the corpus itself.

Text is first cut as GPT-2 cuts it, except that letters of scripts written without spaces, and emoji, are cut off one by
one (see `breakless`). Merged, they would be a token or not depending on their neighbors, and could not be counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tokenizers
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

from explorer.errors import BuildError
from explorer.files.encoding import replace_surrogates
from explorer.i18n import tr
from explorer.jobs import CancelToken
from explorer.tokens.breakless import BREAKLESS, CHARACTER
from explorer.tokens.tokenizer import TextTokenizer

DEFAULT_VOCABULARY = 16_384
SAMPLE_CHARACTERS = 12_000_000
"""Characters to learn from; more changes the vocabulary little and costs time in proportion."""

_PIECE = 100_000
_CUT = (
    rf"{CHARACTER}|'s|'t|'re|'ve|'m|'ll|'d| ?[^\P{{L}}{BREAKLESS}]+| ?[^\P{{N}}{BREAKLESS}]+"
    rf"| ?[^\s\p{{L}}\p{{N}}{BREAKLESS}]+|\s+(?![^\s{BREAKLESS}])|\s+"
)
"""What is never merged with what is beside it. After the first alternative it is GPT-2's expression, with `CHARACTER`
left out of its classes."""


def train_bpe(
    texts: Iterable[str], vocabulary: int = DEFAULT_VOCABULARY, cancel: CancelToken | None = None
) -> TextTokenizer:
    """A byte-level BPE tokenizer of at most `vocabulary` ids (257 to 65,535) learnt from the texts."""
    if not 257 <= vocabulary <= 65_535:
        raise BuildError(
            tr("A trained vocabulary must have 257 to 65,535 ids, not {vocabulary:,}.", vocabulary=vocabulary)
        )
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = _pre_tokenizer()
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        max_token_length=32,
    )
    backend.train_from_iterator(_pieces(texts, cancel), trainer)
    if cancel is not None:
        cancel.check()
    return TextTokenizer.from_backend(backend, f"BPE of {backend.get_vocab_size():,} ids, trained on the corpus")


def _pre_tokenizer() -> pre_tokenizers.PreTokenizer:
    cut = pre_tokenizers.Split(Regex(_CUT), "isolated")
    return pre_tokenizers.Sequence([cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def _pieces(texts: Iterable[str], cancel: CancelToken | None) -> Iterator[str]:
    """Texts in pieces small enough to stop between them."""
    for text in texts:
        for start in range(0, len(text), _PIECE):
            if cancel is not None and cancel.cancelled:
                return
            yield replace_surrogates(text[start : start + _PIECE])


def spread_sample(sizes: list[int], budget: int) -> list[int]:
    """Which documents to learn from: every k-th, so that all parts of the corpus take part."""
    total = sum(sizes)
    step = max(1, -(-total // max(1, budget)))
    return list(range(0, len(sizes), step))

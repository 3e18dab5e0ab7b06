"""What a neural model and a corpus answer together, and what a corpus of bytes gives the tokens of a vocabulary."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.mix.mixed_writing import MixedToken
from explorer.analyses.mix.mixing_tokens import NextMixture
from explorer.analyses.model.byte_tokens import TokenShares
from explorer.analyses.model.generation import LevelFigures, Written, level_figures, longest_verbatim
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.export.records.model import GeneratedRecord, MixedShareRecord, TokenShareRecord, WrittenRecord
from explorer.i18n import counted


class TokenDistribution(RecordsResult):
    """The probability of each next token of another vocabulary; also a table, the most probable first.

    Notes
    -----
    The columns of the table are `rank` (from 0), `token`, `text`, `probability` and `infinigram_product`.
    """

    _record = TokenShareRecord

    def __init__(self, found: TokenShares, pieces: Sequence[bytes], origin: Origin) -> None:
        super().__init__(origin)
        self._found, self._pieces = found, pieces
        # As everywhere: the most probable first, then by id.
        self._order = np.lexsort((found.tokens, -found.shares))

    def __len__(self) -> int:
        return len(self._order)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Ids, most probable first, then by id: int64."""
        return self._found.tokens[self._order]

    @property
    def texts(self) -> tuple[str, ...]:
        """Their texts; U+FFFD for a part of a character."""
        return tuple(self._pieces[token].decode("utf-8", "replace") for token in self.tokens.tolist())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability that each is the longest token that the next bytes begin with, float64."""
        return self._found.shares[self._order]

    @property
    def products(self) -> NDArray[np.float64]:
        """The product of the probabilities of the bytes of each, float64: Infinigram's score, no probability."""
        return self._found.products[self._order]

    @property
    def total(self) -> float:
        """The sum of the probabilities: 1 up to rounding if every byte is a token, 0 if nothing is known."""
        return self._found.total

    @property
    def product_total(self) -> float:
        """The sum of the products: above 1 wherever a token begins another one."""
        return self._found.product_total

    def _made(self) -> Iterator[TokenShareRecord]:
        rows = zip(self.tokens.tolist(), self.texts, self.probabilities.tolist(), self.products.tolist(), strict=True)
        return (TokenShareRecord(rank, *row) for rank, row in enumerate(rows))

    def __repr__(self) -> str:
        return f"TokenDistribution({counted('token', len(self))}, sum of the products {self.product_total:.2f})"


class MixedShares(RecordsResult):
    """The candidates of one next token of a neural model and a corpus; also a table, the most probable first.

    Notes
    -----
    The columns of the table are `rank` (from 0), `token`, `text`, `probability`, `model_probability` and
    `corpus_probability`.
    """

    _record = MixedShareRecord

    def __init__(self, found: NextMixture, origin: Origin) -> None:
        super().__init__(origin)
        self._found = found

    def __len__(self) -> int:
        return len(self._found.tokens)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Their ids in the model's vocabulary, int64."""
        return self._found.tokens

    @property
    def texts(self) -> tuple[str, ...]:
        """Their texts; U+FFFD for a part of a character."""
        return tuple(data.decode("utf-8", "replace") for data in self._found.data)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Their probabilities in the mixture, float64: they add up to 1 over the candidates."""
        return self._found.shares

    @property
    def model_probabilities(self) -> NDArray[np.float64]:
        """What the model gives each, float64."""
        return self._found.model

    @property
    def corpus_probabilities(self) -> NDArray[np.float64]:
        """What the corpus gives each, float64."""
        return self._found.corpus

    @property
    def weight(self) -> float:
        """The weight of the model, 0 to 1."""
        return self._found.weight

    @property
    def total(self) -> float:
        """The part of the whole mixture that the candidates have, 0 to 1: the rest is with other tokens."""
        return self._found.total

    def _made(self) -> Iterator[MixedShareRecord]:
        found = self._found
        columns = found.shares.tolist(), found.model.tolist(), found.corpus.tolist()
        rows = zip(found.tokens.tolist(), self.texts, *columns, strict=True)
        return (MixedShareRecord(rank, *row) for rank, row in enumerate(rows))

    def __repr__(self) -> str:
        return f"MixedShares({counted('token', len(self))}, weight of the model {self.weight:g})"


class MixedText(RecordsResult):
    """A text that a neural model and a corpus wrote; also a table with one row per token.

    Notes
    -----
    The columns of the table are those of `Generated`, with what each side gave the token and the weight of the model.
    """

    _record = WrittenRecord

    def __init__(self, prompt: str, written: Sequence[MixedToken], model: str, origin: Origin) -> None:
        super().__init__(origin)
        self._prompt, self._written, self._model = prompt, tuple(written), model

    def __len__(self) -> int:
        return len(self._written)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each token; joined, they are the text. A character belongs to the token that completes it."""
        # Token by token, since one may end inside a character; the last one shows the rest of a character as U+FFFD.
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        last = len(self._written) - 1
        return tuple(decoder.decode(each.data, number == last) for number, each in enumerate(self._written))

    @property
    def text(self) -> str:
        """What was written, without the prompt."""
        return "".join(self.texts)

    @property
    def levels(self) -> tuple[LevelFigures, ...]:
        """How long the contexts in the corpus were and how often they are followed, by level."""
        # They look at the levels only.
        return level_figures([Written(each.token, each.share, each.levels) for each in self._written])

    @cached_property
    def longest_verbatim(self) -> int:
        """Tokens of the index in the longest run that occurs in the corpus as it is."""
        # Of the text as the index divides it, which for bytes are not the tokens that were written.
        index = self._origin.index
        return longest_verbatim(index, index.tokenizer.encode(self.text))

    def _made(self) -> Iterator[WrittenRecord]:
        for number, (each, text) in enumerate(zip(self._written, self.texts, strict=True)):
            document, offset = each.place or (None, None)
            shares = each.model, each.corpus, each.weight
            yield WrittenRecord(number, each.token, text, each.share, each.levels, document, offset, *shares)

    def record(self) -> GeneratedRecord:
        """Give all of it as one record.

        Returns
        -------
        GeneratedRecord
            The record of `generate --format jsonl`.
        """
        tokens = tuple(self._made())
        return GeneratedRecord(
            self._prompt, self.text, len(self), tokens, self.levels, self.longest_verbatim, self._model
        )

    def __repr__(self) -> str:
        return f"MixedText({counted('token', len(self))})"

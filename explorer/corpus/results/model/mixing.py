"""A corpus mixed with a neural model, as the library returns it."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.analyses.mix.mixing import CurvePoint, MixPart, Mixture, Weights
from explorer.analyses.model.instance import InstanceMixture
from explorer.corpus.results.origin import Origin
from explorer.corpus.results.records import RecordsResult
from explorer.export.records.mix import (
    CopiedTextRecord,
    MixFacts,
    MixRecord,
    MixSizeRecord,
    curve_records,
    instance_record,
    mix_records,
    part_record,
)
from explorer.export.reports.mix_html import tinted_unit
from explorer.export.reports.notebook import text_block
from explorer.i18n import counted
from explorer.neural.records import ScoredText

_SHOWN = 2_000


class Mix(RecordsResult):
    """A corpus mixed with a neural model; also a table with one row per token.

    Attributes
    ----------
    by_token
        The mixture with a λ by token: by length and count of its context, or by a forest.

    Notes
    -----
    The columns of the table are those of `mix --format jsonl`. Where both tokenizers differ, a row is what is between
    two boundaries that they share, and `perplexity` is None everywhere: compare bits per character.

    Examples
    --------
    >>> import explorer
    >>> words = (0, 3), (3, 7), (7, 11), (11, 14), (14, 18)
    >>> tokens = [explorer.ScoredToken(start, end, -1.5) for start, end in words]
    >>> found = corpus.mix(explorer.ScoredText("the cat sat on the", tuple(tokens)))
    >>> found
    Mix(λ 0.999, 4 units)
    >>> found.second.neural.bits_per_character > found.second.hybrid.bits_per_character
    True
    """

    _record = MixRecord

    def __init__(
        self,
        found: Mixture,
        by_token: InstanceMixture,
        texts: tuple[ScoredText, ...],
        copies: tuple[CopiedTextRecord, ...],
        method: str,
        tuned_on: str | None,
        origin: Origin,
    ) -> None:
        super().__init__(origin)
        self._found, self._texts, self._copies = found, texts, copies
        self._method, self._tuned_on = method, tuned_on
        self.by_token = by_token

    def __len__(self) -> int:
        return len(self._found.units)

    @property
    def texts(self) -> tuple[ScoredText, ...]:
        """The texts, as they were given."""
        return self._texts

    @property
    def model(self) -> str | None:
        """The neural model's name; None if unknown, or if there are several."""
        names = {text.model for text in self._texts}
        return names.pop() if len(names) == 1 else None

    @property
    def same_tokenizer(self) -> bool:
        """Whether each row is a token of both models."""
        return self._found.units.same_tokens

    @property
    def weights(self) -> Weights:
        """The λ that were tuned on the first half."""
        return self._found.weights

    @property
    def first(self) -> MixPart:
        """The figures of the half on which λ was tuned."""
        return self._found.parts[0]

    @property
    def second(self) -> MixPart:
        """The figures of the other half."""
        return self._found.parts[1]

    @property
    def all(self) -> MixPart:
        """The figures of both."""
        return self._found.parts[2]

    @property
    def curve(self) -> tuple[CurvePoint, ...]:
        """The mixture with one λ, by λ from 0 to 1; the tuned one is among them."""
        return self._found.curve

    @property
    def mixture(self) -> Mixture:
        """The rows as arrays: `units`, what both models give them, `hybrid` and the first row of the second `half`."""
        return self._found

    @property
    def copies(self) -> tuple[CopiedTextRecord, ...]:
        """Texts that are themselves in the corpus: it copies them, and the mixture with it."""
        return self._copies

    @property
    def rows(self) -> tuple[MixRecord, ...]:
        """The rows of the table."""
        return tuple(self._made())

    def facts(self, tuned_on: str | None = None) -> MixFacts:
        """Give the figures of all texts as a record.

        Parameters
        ----------
        tuned_on
            What to call the texts that the corpus's model learned from; None for what the model calls them.

        Returns
        -------
        MixFacts
            What `mix --json` states of the whole.
        """
        units = self._found.units
        return MixFacts(
            model=self.model,
            method=self._method,
            tuned_on=tuned_on or self._tuned_on,
            same_tokenizer=self.same_tokenizer,
            unit_count=len(units),
            token_count=int(units.tokens.sum()),
            neural_token_count=int(units.neural_tokens.sum()),
            character_count=self.all.neural.characters,
            lambda_sparse=self.weights.sparse,
            lambda_other=self.weights.other,
            lambda_single=self.weights.single,
            sparse_share=float(units.sparse.mean()),
            parts=tuple(map(part_record, self._found.parts)),
            curve=curve_records(self.curve),
            by_token=instance_record(self.by_token),
            copies=self._copies,
        )

    def _made(self) -> Iterator[MixRecord]:
        return mix_records(self._found, self._texts)

    def __repr__(self) -> str:
        return f"Mix(λ {self.weights.single:g}, {counted('unit', len(self))})"

    def _repr_html_(self) -> str:
        legend = "green where the corpus helped, red where it hurt"
        pieces = [tinted_unit(row) for _, row in zip(range(_SHOWN), self._made(), strict=False)]
        if len(self) > _SHOWN:
            pieces.append(f"<div>… and {len(self) - _SHOWN:,} more units</div>")
        return text_block(f"{self!r}: {legend}", pieces)


class MixSizes(RecordsResult):
    """Smaller and smaller parts of a corpus mixed with a neural model; a table with one row per size.

    Notes
    -----
    The columns of the table are those of `sizes` in `mix --json`.
    """

    _record = MixSizeRecord

    def __init__(self, rows: tuple[MixSizeRecord, ...], origin: Origin) -> None:
        super().__init__(origin)
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> tuple[MixSizeRecord, ...]:
        """The rows, the whole corpus first."""
        return self._rows

    def _made(self) -> Iterator[MixSizeRecord]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"MixSizes({counted('size', len(self))})"

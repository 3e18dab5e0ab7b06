"""A corpus mixed with a neural model: what `Corpus` and the library have of it."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

from explorer.api.models import LanguageModel
from explorer.api.results.mixing import Mix
from explorer.api.types import FilePath
from explorer.backends.protocol import Backend
from explorer.errors import QueryError
from explorer.export.records.mix import CopiedTextRecord
from explorer.i18n import mark
from explorer.jobs import CancelToken, Report, no_report
from explorer.jobs.asked import checks_jobs
from explorer.model.making import MethodName
from explorer.model.mixing import mix as mix_units
from explorer.neural.records import LogBase, ScoredText, read_scored
from explorer.overlap.self_match import find_self_match

if TYPE_CHECKING:
    from explorer.api.corpus import Corpus

Scored = FilePath | ScoredText | Iterable[ScoredText]
"""A file of log probabilities, or texts with them."""


def scored_texts(scored: Scored, log_base: LogBase | None) -> tuple[ScoredText, ...]:
    """Read texts with log probabilities, or take those that were given.

    Parameters
    ----------
    scored
        The file or the texts.
    log_base
        Base of the logarithms in a file that does not state it.

    Returns
    -------
    tuple[ScoredText, ...]
        The texts.

    Raises
    ------
    SourceError
        If the file cannot be read.
    QueryError
        If there is no text.
    """
    if isinstance(scored, str | PathLike):
        return read_scored(scored, log_base)
    texts = (scored,) if isinstance(scored, ScoredText) else tuple(scored)
    if not texts:
        raise QueryError(mark("There is no text to score."), reason="no-text-given")
    return texts


def _copies(index: Backend, texts: Iterable[ScoredText], cancel: CancelToken | None) -> Iterable[CopiedTextRecord]:
    """The texts that are themselves in the corpus."""
    for number, text in enumerate(texts):
        ids = index.tokenizer.encode_with_offsets(text.text).ids
        found = find_self_match(index, ids, index.counts.longest_matches(ids, cancel))
        if found is not None:
            yield CopiedTextRecord(number, found.share, found.count, found.documents)


@checks_jobs
class CorpusMixing:
    """A `Corpus` beside a neural model; `Corpus` inherits this method."""

    # Set by `Corpus`.
    index: Backend

    def mix(
        self,
        scored: Scored,
        *,
        model: LanguageModel | MethodName = "infgram",
        log_base: LogBase | None = None,
        leave_one_out: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        **settings: Any,
    ) -> Mix:
        """Mix the corpus with a neural model: P = λ P_corpus + (1 - λ) P_neural.

        Parameters
        ----------
        scored
            A file of log probabilities, or texts with them: `ScoredText`.
        model
            The corpus's model: one that `Corpus.model` made, or the name of a method; "infgram" as in the paper.
        log_base
            Base of the logarithms in a file that does not state it: "e", "2" or "10". None: "e".
        leave_one_out
            Whether the texts are in the corpus: each token is scored as if its own occurrence were not there.
        report
            Called with the tokens that are done.
        cancel
            Stops the work.
        **settings
            Settings of the method, for a model that is given by its name.

        Returns
        -------
        Mix
            λ, tuned on the first half of the tokens, the figures of both halves, the curve, and a table of tokens.

        Raises
        ------
        SourceError
            If the file cannot be read, or does not fit its text; the message names the line and the token.
        QueryError
            If the method gives scores, a setting is wrong, or fewer than two tokens are scored by both models.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Where the corpus and the neural model have different tokenizers, the text is cut where both have a boundary, and
        the probabilities of what is between are mixed. Cost: a few searches per token.

        Examples
        --------
        >>> import explorer
        >>> words = (0, 3), (3, 7), (7, 11), (11, 14), (14, 18)
        >>> tokens = [explorer.ScoredToken(start, end, -1.5) for start, end in words]
        >>> found = corpus.mix(explorer.ScoredText("the cat sat on the", tuple(tokens)))
        >>> found.weights.single
        0.999
        """
        texts = scored_texts(scored, log_base)
        if not isinstance(model, LanguageModel):
            model = cast("Corpus", self).model(model, report=report, cancel=cancel, **settings)
        elif settings:
            raise QueryError(
                mark("A model that is made has its settings: {names}."),
                reason="model-has-settings",
                names=", ".join(settings),
            )
        found = mix_units(model.observe(texts, leave_one_out=leave_one_out, report=report, cancel=cancel), cancel)
        copies = () if leave_one_out else tuple(_copies(self.index, texts, cancel))
        return Mix(found, texts, copies, model.name, model.tuned_on, model.origin())


def mix(corpus: Corpus, scored: Scored, **options: Any) -> Mix:
    """Mix a corpus with a neural model.

    Parameters
    ----------
    corpus
        The corpus.
    scored
        A file of log probabilities, or texts with them.
    **options
        Those of `Corpus.mix`.

    Returns
    -------
    Mix
        As from `Corpus.mix`.

    Examples
    --------
    >>> import explorer
    >>> words = (0, 3), (3, 7), (7, 11), (11, 14), (14, 18)
    >>> tokens = [explorer.ScoredToken(start, end, -1.5) for start, end in words]
    >>> explorer.mix(corpus, explorer.ScoredText("the cat sat on the", tuple(tokens)), model="witten-bell")
    Mix(λ 0.999, 4 units)
    """
    return corpus.mix(scored, **options)

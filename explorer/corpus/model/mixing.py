"""A corpus mixed with a neural model: what `Corpus` and the library have of it."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

import numpy as np

from explorer.analyses.mix.mixing import mix as mix_units
from explorer.analyses.model.forest import mix_by_forest
from explorer.analyses.model.instance import INSTANCE_KINDS, InstanceKind, mix_by_instance
from explorer.analyses.model.making import MethodName
from explorer.analyses.overlap.self_match import find_self_match
from explorer.analyses.search.limits import whole_number
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.model.modeling import make_model
from explorer.corpus.model.models import LanguageModel
from explorer.corpus.results.model.mixing import Mix, MixSizes
from explorer.corpus.types import FilePath
from explorer.errors import QueryError
from explorer.export.records.mix import CopiedTextRecord, size_record
from explorer.i18n import mark
from explorer.neural.records import LogBase, ScoredText, read_scored

_MOST_HALVINGS = 20
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
        instance: InstanceKind = "learned",
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
        instance
            How the λ of each token is learned for `by_token`: "learned", by length and count of its context, or
            "forest", by a Random Forest as in the paper, which needs the package scikit-learn.
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
            If the method gives scores, a setting is wrong, fewer than two tokens are scored by both models, or
            scikit-learn is missing for a forest.
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
        if instance not in INSTANCE_KINDS:
            raise QueryError(
                mark("instance must be {known}, not {given}."),
                reason="bad-setting",
                known=" or ".join(INSTANCE_KINDS),
                given=repr(instance),
            )
        texts = scored_texts(scored, log_base)
        if not isinstance(model, LanguageModel):
            model = make_model(self.index, model, report=report, cancel=cancel, **settings)
        elif settings:
            raise QueryError(
                mark("A model that is made has its settings: {names}."),
                reason="model-has-settings",
                names=", ".join(settings),
            )
        found = mix_units(model.observe(texts, leave_one_out=leave_one_out, report=report, cancel=cancel), cancel)
        if instance == "forest":
            by_token = mix_by_forest(self.index, found, texts, leave_one_out, cancel)
        else:
            by_token = mix_by_instance(found, cancel)
        copies = () if leave_one_out else tuple(_copies(self.index, texts, cancel))
        return Mix(found, by_token, texts, copies, model.name, model.tuned_on, model.origin())

    def mix_by_size(
        self,
        scored: Scored,
        *,
        halvings: int = 8,
        model: MethodName = "infgram",
        seed: int = 0,
        log_base: LogBase | None = None,
        report: Report = no_report,
        cancel: CancelToken | None = None,
        **settings: Any,
    ) -> MixSizes:
        """Mix smaller and smaller parts of the corpus with a neural model: does more text help?

        Parameters
        ----------
        scored
            A file of log probabilities, or texts with them.
        halvings
            How often the documents are halved, 0 to 20; the last part has at least one document.
        model
            The method of the corpus's model.
        seed
            Seed of the order of the documents. Each part contains the next smaller one.
        log_base
            Base of the logarithms in a file that does not state it.
        report
            Called with the sizes that are done.
        cancel
            Stops the work.
        **settings
            Further parameters of `Corpus.model`, and settings of the method.

        Returns
        -------
        MixSizes
            The figures on the half of the texts where λ was not tuned, the whole corpus first.

        Raises
        ------
        SourceError
            If the file cannot be read.
        QueryError
            As from `mix`; or if the corpus has fewer than two documents, or a half has more than 50 million tokens.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Every answer is exact, as that of `subset`: the documents of a part are read and their tokens sorted. For the
        part of one domain, ask `corpus.subset(where)`, alone or halved. λ is tuned, and what the method learns is
        learned, for each part again. This is Figure 10 of J. Liu et al., "Infini-gram", 2024.

        Examples
        --------
        >>> import explorer
        >>> words = (0, 3), (3, 7), (7, 11), (11, 14), (14, 18)
        >>> tokens = [explorer.ScoredToken(start, end, -1.5) for start, end in words]
        >>> found = corpus.mix_by_size(explorer.ScoredText("the cat sat on the", tuple(tokens)), halvings=2)
        >>> [row.document_count for row in found.rows]
        [4, 2, 1]
        """
        texts = scored_texts(scored, log_base)
        self.index.capabilities.require("subtraction")
        numbers = self.index.documents.numbers()
        if len(numbers) < 2:
            raise QueryError(
                mark("The corpus has {count} documents. It is halved by documents, so it needs two."),
                reason="nothing-to-halve",
                count=len(numbers),
            )
        order = np.random.default_rng(whole_number(seed, "seed")).permutation(numbers)
        sizes = [len(order) >> step for step in range(_halvings(halvings) + 1) if len(order) >> step]
        rows, models = [], list[LanguageModel]()
        for step, size in enumerate(sizes):
            report(Progress("Mixing", step, len(sizes), "sizes"))
            part = self.index.within(np.sort(order[:size]), cancel) if step else self.index
            made = make_model(part, model, cancel=cancel, **settings)
            models = models or [made]
            found = mix_units(made.observe(texts, cancel=cancel), cancel)
            rows.append(size_record(step, size, int(part.documents.lengths(np.sort(order[:size])).sum()), found))
        asked = ("texts", str(len(texts))), ("sizes", str(len(sizes))), ("seed", str(seed))
        # The first part is the whole corpus.
        return MixSizes(tuple(rows), models[0].origin(*asked))


def _halvings(given: int) -> int:
    if whole_number(given, "halvings") > _MOST_HALVINGS:
        raise QueryError(
            mark("halvings must be at most {most}, not {given}."),
            reason="bad-setting",
            most=_MOST_HALVINGS,
            given=given,
        )
    return given


def mix(corpus: CorpusMixing, scored: Scored, **options: Any) -> Mix:
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

"""A corpus as a language model, and drafts from it: what `Corpus` has of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.drafts.compute import Drafter, simulate_texts
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.hints.compute import index_hints, text_hints
from explorer.analyses.hints.question import HintsQuestion
from explorer.analyses.model.levels import TransformName
from explorer.analyses.model.making import DEFAULT_METHOD, MethodName, Tuning, method_of, tuned
from explorer.analyses.model.scoring import Vocabulary
from explorer.analyses.model.transforms import TRANSFORM_NAMES, TRANSFORMS, Transformed
from explorer.analyses.search.limits import whole_number
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.inputs import check_one_each, listed
from explorer.corpus.model.models import LanguageModel, VocabularyName
from explorer.corpus.results.model.drafts import DraftBench
from explorer.corpus.results.model.hints import Hints
from explorer.corpus.results.origin import Origin
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.i18n import mark

_USUAL = DraftsQuestion()
_HINTS = HintsQuestion()


def make_model(
    index: Backend,
    name: MethodName,
    *,
    tune: Iterable[Query] | None = None,
    vocabulary: VocabularyName | None = None,
    transforms: Sequence[TransformName] = (),
    report: Report = no_report,
    cancel: CancelToken | None = None,
    **settings: Any,
) -> LanguageModel:
    """Make a model of an index; the parameters, and what is raised, are those of `Corpus.model`."""
    wrong = [transforms] if isinstance(transforms, str) else [each for each in transforms if each not in TRANSFORMS]
    if wrong:
        raise QueryError(
            mark("transforms must be a list of {known}, not {given}."),
            reason="bad-transform",
            known=", ".join(TRANSFORM_NAMES),
            given=repr(wrong[0]),
        )
    if vocabulary not in (None, "seen", "all"):
        raise QueryError(
            mark('vocabulary must be "seen" or "all", not "{given}".'), reason="bad-vocabulary", given=str(vocabulary)
        )
    method = method_of(name, settings)
    seen = index.counts.next_tokens((), cancel=cancel).tokens
    known = np.sort(seen[seen != index.separator])
    shared = Vocabulary(max(1, len(known)))
    if vocabulary == "all" or (vocabulary is None and method.of_tokenizer):
        # The separator of a byte index is one of its 256 values, and not in any text.
        shared = Vocabulary(index.tokenizer.vocabulary_size, every=True)
        known = np.union1d(known, np.setdiff1d(np.arange(shared.size, dtype=np.int64), [index.separator]))
    tuning, texts = None, list[Query]()
    if tune is not None:
        texts = [tune] if isinstance(tune, str) else listed(tune)
        ids = [index.counts.check_ids(queries.as_ids(index, text), allow_empty=True) for text in texts]
        tuning = Tuning("texts", ids)
    ready = tuned(index, method, shared.size, tuning, report, cancel)
    if transforms:
        ready = replace(ready, method=Transformed(ready.method, tuple(transforms)))
    asked = (
        *method.facts,
        *((("transforms", ", ".join(transforms)),) if transforms else ()),
        ("vocabulary", f"{shared.size}, {vocabulary}" if vocabulary else str(shared.size)),
        *(_tuned_facts(texts, ready.tuned_tokens) if tune is not None else ()),
    )
    return LanguageModel(index, ready, shared, known, asked)


def _tuned_facts(texts: Sequence[Query], tokens: int) -> tuple[tuple[str, str], ...]:
    """Texts in provenance: by a hash, since they are as long as they please, and may be private."""
    digest = sha256()
    for text in texts:
        whole = text if isinstance(text, str) else " ".join(map(str, text))
        # A text may have half of a pair of UTF-16. The end is hashed, too: two texts are not the one of both.
        digest.update(whole.encode("utf-8", "surrogatepass") + b"\0")
    return ("tuned on", f"{len(texts)} texts, {tokens} tokens"), ("SHA-256 of the texts tuned on", digest.hexdigest())


@checks_jobs
class CorpusModels:
    """A `Corpus` as a language model; `Corpus` inherits this method."""

    # Set by `Corpus`.
    index: Backend

    def model(
        self,
        name: MethodName = DEFAULT_METHOD,
        *,
        tune: Iterable[Query] | None = None,
        vocabulary: VocabularyName | None = None,
        transforms: Sequence[TransformName] = (),
        report: Report = no_report,
        cancel: CancelToken | None = None,
        **settings: Any,
    ) -> LanguageModel:
        """Make a language model of the corpus.

        Parameters
        ----------
        name
            How contexts of different lengths are weighed: "levels" (or "counts"), "infgram", "ngram", "weighted",
            "backoff", "infinigram-backoff", "laplace", "witten-bell", "discount" or "learned".
        tune
            Texts to learn from; None for the corpus itself, each token as if it were not there. Only "learned" learns.
        vocabulary
            What shares in the probability that a method leaves to tokens that do not follow: those that the corpus has
            ("seen"), or all of the tokenizer's ("all"). None: "all" for the methods that add alpha to each count,
            "seen" for others.
        transforms
            What else is done to a context before it is looked up: "lower", "upper", "casefold" (case), "strip" (no
            white space around it), `"blanks"` (one space for each white space). The form with the longest match counts,
            and of equal ones the context as it is. Tokens are predicted as the corpus has them after that form.
        report
            Called while the model learns.
        cancel
            Stops the learning.
        **settings
            Settings of the method, such as levels=2 for "levels", n=5 for "ngram", weight="quadratic" for "weighted",
            alpha=0.4 for "backoff" and "laplace", discount=0.9 for "discount"; context=100, the most tokens of context,
            and floor=None, what a probability of 0 counts as.

        Returns
        -------
        LanguageModel
            The model.

        Raises
        ------
        QueryError
            For an unknown method, a setting that it does not take, or a value out of range.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Learning takes some seconds: it looks at 131,072 tokens of the corpus, or at all of `tune`. Everything else
        costs the time of one question.

        Examples
        --------
        >>> corpus.model("levels", levels=None)
        LanguageModel('levels', Corpus 'Cats')
        """
        return make_model(
            self.index,
            name,
            tune=tune,
            vocabulary=vocabulary,
            transforms=transforms,
            report=report,
            cancel=cancel,
            **settings,
        )

    def draft(
        self,
        context: Query,
        *,
        max_draft: int = _USUAL.max_draft,
        min_probability: float = _USUAL.min_probability,
        context_tokens: int = _USUAL.context,
    ) -> NDArray[np.int64]:
        """Draft the next tokens of a text, for speculative decoding.

        Parameters
        ----------
        context
            The text so far, or its token ids.
        max_draft
            The most tokens, from 1; a draft is also not longer than the context that occurs.
        min_probability
            A draft ends before its probability falls below this, 0 to 1.
        context_tokens
            The most tokens of context, from 1.

        Returns
        -------
        NDArray[np.int64]
            Ids: greedily the most frequent follower of the longest suffix that occurs; none where a document would end.

        Raises
        ------
        QueryError
            If an id is not one of the index, or a setting is out of range.

        Notes
        -----
        The class Drafter of the module explorer.drafter keeps what it looked up, so it is faster for many drafts.

        Examples
        --------
        >>> corpus.decode(corpus.draft("the cat sat"))
        ' on the mat'
        """
        ids = self.index.counts.check_ids(queries.as_ids(self.index, context), allow_empty=True)
        near = whole_number(context_tokens, "context_tokens", 1)
        question = DraftsQuestion.of(context=near, max_draft=max_draft, min_probability=min_probability)
        return np.array(Drafter(self.index, question).draft(ids).tokens, dtype=np.int64)

    def draft_bench(
        self,
        texts: Iterable[Query],
        *,
        sources: Sequence[str] = (),
        context: int = _USUAL.context,
        max_draft: int = _USUAL.max_draft,
        min_probability: float = _USUAL.min_probability,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> DraftBench:
        """Simulate speculative decoding of texts, with drafts from the corpus.

        Parameters
        ----------
        texts
            What the model wrote: texts, or token ids.
        sources
            The source of each, to compare sources; () for one source.
        context
            The most tokens of context, from 1.
        max_draft
            The most tokens of a draft, from 1.
        min_probability
            A draft ends before its probability falls below this, 0 to 1.
        report
            Called with the texts that are done.
        cancel
            Stops the work.

        Returns
        -------
        DraftBench
            Steps, and drafted and accepted tokens. The text stays the model's own: only the number of calls changes.

        Raises
        ------
        QueryError
            If there is no text, or not one source per text.
        Cancelled
            If it was cancelled.

        Notes
        -----
        About 50 microseconds per step. The tokenizer of the index must be the model's.

        Examples
        --------
        >>> corpus.draft_bench(["the cat sat on the mat"]).total.accepted
        4
        """
        question = DraftsQuestion.of(context=context, max_draft=max_draft, min_probability=min_probability)
        given = [texts] if isinstance(texts, str) else listed(texts)
        check_one_each(given, (("sources", sources),))
        ids = [self.index.counts.check_ids(queries.as_ids(self.index, text), allow_empty=True) for text in given]
        found = simulate_texts(self.index, ids, len(ids), question, report, cancel)
        asked = (
            ("texts", str(len(ids))),
            ("tokens", str(sum(map(len, ids)))),
            *(("source", name) for name in dict.fromkeys(sources)),
            *question.facts,
        )
        return DraftBench(found, tuple(sources) or ("",) * len(given), Origin(self.index, asked))

    def hints(
        self,
        text: Query,
        *,
        plateau: int = _HINTS.plateau,
        samples: int = _HINTS.samples,
        context: int = _HINTS.context,
        leave_one_out: bool = _HINTS.leave_one_out,
        seed: int = _HINTS.seed,
        cancel: CancelToken | None = None,
    ) -> Hints:
        """Sample, for each token of a text, what follows its context in the corpus.

        Parameters
        ----------
        text
            A text, or token ids.
        plateau
            Number of lengths that occur equally often before which a context ends; 0 for nowhere. Such
            contexts are copies of one passage.
        samples
            Maximum number of samples of a token, 1 to 255.
        context
            Maximum number of tokens of context, 1 to 1,000.
        leave_one_out
            Look each token up as if its own occurrence were not in the corpus; always so for a whole index. For texts
            that are in the corpus.
        seed
            Seed: the same one gives the same samples.
        cancel
            Stops the work.

        Returns
        -------
        Hints
            One row per token. Samples are different occurrences of the context, each as likely as every other.

        Raises
        ------
        QueryError
            If an id is not one of the index, or a setting is out of range.
        Cancelled
            If it was cancelled.

        Notes
        -----
        About seven microseconds per token in an index of 60 million tokens. Where documents are subtracted, each length
        of context costs the time of `next_tokens`.

        Examples
        --------
        >>> found = corpus.hints("the cat sat on the", plateau=0)
        >>> found.context_lengths.tolist(), found.counts.tolist()[1:]
        ([0, 1, 2, 3, 4], [3, 2, 2, 2])
        """
        ids = self.index.counts.check_ids(queries.as_ids(self.index, text), allow_empty=True)
        question = HintsQuestion(
            samples=samples, plateau=plateau, context=context, seed=seed, leave_one_out=leave_one_out
        )
        found = text_hints(self.index, ids, question.rule, cancel)
        return Hints(ids, found.samples, found.lengths, found.context_lengths, found.counts)

    def document_hints(
        self,
        *,
        plateau: int = _HINTS.plateau,
        samples: int = _HINTS.samples,
        context: int = _HINTS.context,
        seed: int = _HINTS.seed,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Iterator[Hints]:
        """Sample what follows the context of every token of the corpus elsewhere, document by document.

        Parameters
        ----------
        plateau
            Number of lengths that occur equally often before which a context ends; 0 for nowhere.
        samples
            Maximum number of samples of a token, 1 to 255.
        context
            Maximum number of tokens of context, 1 to 1,000.
        seed
            Seed: the same one gives the same samples.
        report
            Called with the tokens that are done.
        cancel
            Stops the work.

        Yields
        ------
        Hints
            The next document, each token as if its own occurrence were not there; a document of more than 32,768 tokens
            comes in parts.

        Raises
        ------
        QueryError
            If a setting is out of range.
        Cancelled
            If it was cancelled.

        Notes
        -----
        All cores work, and few documents are in memory at once.

        Examples
        --------
        >>> sum(len(part) for part in corpus.document_hints()) == corpus.token_count - corpus.document_count
        True
        """
        # Every token is left out anyway.
        question = HintsQuestion(samples=samples, plateau=plateau, context=context, seed=seed)
        for part in index_hints(self.index, question.rule, report, cancel):
            found = part.hints
            yield Hints(
                part.ids,
                found.samples,
                found.lengths,
                found.context_lengths,
                found.counts,
                part.document,
                part.first,
            )

"""The corpus as a language model: `Corpus.model` gives one, which scores texts and writes them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.agreement.prompt import lead_of
from explorer.analyses.mix.mixing import MixUnits, observe
from explorer.analyses.model.distribution import distribution
from explorer.analyses.model.generation import Writing, Written, write
from explorer.analyses.model.making import Tuned
from explorer.analyses.model.ranks import with_hits
from explorer.analyses.model.sampling import Draw
from explorer.analyses.model.scoring import Scorable, Vocabulary, scorable, score_texts
from explorer.analyses.search.limits import whole_number
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.inputs import check_one_each, listed
from explorer.corpus.model.arpa import SavedModels
from explorer.corpus.model.mixed_model import BesideNeural
from explorer.corpus.model.probing import ModelProbes
from explorer.corpus.results.model.model import Generated, NextShares, Perplexity, TextScore
from explorer.corpus.results.origin import Origin
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.export.provenance import setting_facts, text_facts
from explorer.i18n import mark
from explorer.neural.records import ScoredText

VocabularyName = Literal["seen", "all"]


@checks_jobs
class LanguageModel(ModelProbes, SavedModels, BesideNeural):
    """A language model over a corpus; `Corpus.model` makes it.

    Notes
    -----
    It is predicted what token comes next within a document: the end of a document is not a token. A method that leaves
    something to tokens that never follow gives each token of the vocabulary the same.

    Examples
    --------
    >>> model = corpus.model("witten-bell")
    >>> model
    LanguageModel('witten-bell', Corpus 'Cats')
    >>> model.distribution("the cat").texts[0]
    ' sat'
    >>> model.score("the cat sat").perplexity < model.score("the mat sat").perplexity
    True
    """

    def __init__(
        self,
        index: Backend,
        tuned: Tuned,
        shared: Vocabulary,
        vocabulary: NDArray[np.int64],
        asked: tuple[tuple[str, str], ...],
    ) -> None:
        self._index, self._tuned, self._shared = index, tuned, shared
        self._vocabulary, self._asked = vocabulary, asked

    @property
    def name(self) -> str:
        """The name of the method."""
        return self._tuned.method.name

    @property
    def normalized(self) -> bool:
        """Whether it gives probabilities, which add up to 1 over all tokens; otherwise scores."""
        return self._tuned.method.normalised

    @property
    def normalised(self) -> bool:
        """The name of `normalized` in version 0.2; it gives a DeprecationWarning."""
        warnings.warn("The new name is normalized.", DeprecationWarning, stacklevel=2)
        return self.normalized

    @property
    def floor(self) -> float | None:
        """What a probability of 0 counts as; None: it is 0."""
        return self._tuned.method.floor

    @property
    def tuned_on(self) -> str | None:
        """What it was learned from; None if it learns nothing."""
        return self._tuned.tuned_on

    @property
    def vocabulary(self) -> NDArray[np.int64]:
        """Ids of the tokens that may come next, ascending, int64."""
        return self._vocabulary

    @property
    def tuned_tokens(self) -> int:
        """Tokens that it was learned from."""
        return self._tuned.tuned_tokens

    def distribution(self, context: Query = "", *, cancel: CancelToken | None = None) -> NextShares:
        """Compute the probability of every next token.

        Parameters
        ----------
        context
            A text, which is tokenized as it is, or token ids; may be empty.
        cancel
            Stops the work.

        Returns
        -------
        NextShares
            The tokens, most probable first.

        Raises
        ------
        QueryError
            If an id is not one of the index.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: grows with the number of distinct tokens that follow what the method weighs.

        Examples
        --------
        >>> corpus.model("infgram").distribution("sat on the").texts
        (' mat', ' rug')
        """
        ids = self._ids(context)
        found = distribution(self._index, self._tuned.method, ids, self._shared.size, cancel)
        return NextShares(found, self.origin(("context", queries.shown(context))))

    def score(self, text: Query, *, prompt: str = "", cancel: CancelToken | None = None) -> TextScore:
        """Compute the probability of each token of a text.

        Parameters
        ----------
        text
            A text, or token ids.
        prompt
            What comes before the text and is not scored; without one, the first token of the text is not scored.
        cancel
            Stops the work.

        Returns
        -------
        TextScore
            The probabilities.

        Raises
        ------
        QueryError
            If an id is not one of the index.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A few searches per token and length of context.

        Examples
        --------
        >>> corpus.model("infgram").score("a dog saw the mat").probabilities.round(2).tolist()
        [1.0, 0.0, 1.0, 0.0]
        """
        given = self._scorable(text, prompt)
        found = score_texts(self._index, self._tuned.method, [given], self._shared, cancel=cancel)[0]
        return TextScore(given, found, self.normalized, self.origin())

    def log_probability(self, text: Query, *, prompt: str = "") -> float | None:
        """Compute the natural logarithm of a text's probability.

        Parameters
        ----------
        text
            A text, or token ids.
        prompt
            What comes before the text and is not scored.

        Returns
        -------
        float | None
            Σ ln P over the tokens after the first one, or after the prompt; None where a token has a probability of 0
            and the method has no floor.

        Examples
        --------
        >>> corpus.model("infgram").log_probability("a dog saw the mat") is None
        True
        """
        return self.score(text, prompt=prompt).log_probability

    def perplexity(
        self,
        texts: Iterable[Query],
        *,
        sources: Sequence[str] = (),
        prompts: Sequence[str] = (),
        leave_one_out: bool = False,
        accuracy: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Perplexity:
        """Compute the perplexity of texts.

        Parameters
        ----------
        texts
            Texts, or token ids.
        sources
            The source of each, to compare sources; () for one source.
        prompts
            What comes before each and is not scored; () for nothing.
        leave_one_out
            Whether the texts are in the corpus: each token is scored as if its own occurrence were not there.
        accuracy
            Whether to find out how often the most probable token is the one that comes. Not with `leave_one_out`.
        report
            Called with the tokens that are done.
        cancel
            Stops the work.

        Returns
        -------
        Perplexity
            The figures of all texts, of each source and of each text.

        Raises
        ------
        QueryError
            If there is no text, or not one source and prompt per text.
        Cancelled
            If it was cancelled.

        Notes
        -----
        A few searches per token and length of context; with `accuracy`, the cost of one distribution per token.

        Examples
        --------
        >>> found = corpus.model("levels", levels=None).perplexity(["the cat sat on the mat"])
        >>> round(found.perplexity, 4), found.total.zeros
        (1.2353, 0)
        """
        # A text alone is a sequence of characters, and never meant as one.
        given = [texts] if isinstance(texts, str) else listed(texts)
        check_one_each(given, (("sources", sources), ("prompts", prompts)))
        leads = prompts or [""] * len(given)
        made = [self._scorable(text, lead) for text, lead in zip(given, leads, strict=True)]
        if all(text.first == len(text.ids) for text in made):
            raise QueryError(
                mark("There is no token to score: nothing comes before the first token of a text."), reason="too-short"
            )
        scores = score_texts(self._index, self._tuned.method, made, self._shared, leave_one_out, report, cancel)
        if accuracy:
            if leave_one_out:
                raise QueryError(
                    mark("The most probable token is not known as if a text were not in the corpus."),
                    reason="accuracy-of-copies",
                )
            scores = with_hits(self._index, self._tuned.method, made, scores, self._shared, report, cancel)
        named = tuple(sources) or ("",) * len(given)
        return Perplexity(scores, named, self.normalized, self.origin(("leave one out", str(leave_one_out).lower())))

    def observe(
        self,
        texts: Sequence[ScoredText],
        *,
        leave_one_out: bool = False,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> MixUnits:
        """Compute what the model gives the tokens of texts that a neural model scored; `Corpus.mix` mixes both.

        Parameters
        ----------
        texts
            The texts.
        leave_one_out
            Whether the texts are in the corpus: each token is scored as if its own occurrence were not there.
        report
            Called with the tokens that are done.
        cancel
            Stops the work.

        Returns
        -------
        MixUnits
            What both give each token, or what is between boundaries that both tokenizers share.

        Raises
        ------
        QueryError
            If the method gives scores, or fewer than two tokens are scored by both.
        Cancelled
            If it was cancelled.
        """
        return observe(self._index, self._tuned.method, texts, self._shared, leave_one_out, report, cancel)

    def generate(
        self,
        prompt: Query = "",
        *,
        max_tokens: int = 200,
        temperature: float = 0.8,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        most_verbatim: int = 0,
        stop_at_ends: bool = True,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Generated:
        """Write a text after a prompt.

        Parameters
        ----------
        prompt
            A text, or token ids; may be empty.
        max_tokens
            The most tokens to write, from 1.
        temperature
            0 takes the most probable token; 1 draws by the probabilities p, others by p^(1/temperature).
        top_k
            Draw from the k most probable tokens only; 0 for all.
        top_p
            Draw from the most probable tokens that together have this much of the probability, above 0 to 1.
        seed
            Seed of all chance: the same seed gives the same text.
        most_verbatim
            The most tokens in a row that may occur in the corpus as they are, those at the end of the prompt included;
            0 for any number. The text ends early where every token would make the row longer.
        stop_at_ends
            Whether to end where a document of the corpus ends, or the method knows no next token.
        report
            Called with the tokens that are written.
        cancel
            Stops the work.

        Returns
        -------
        Generated
            The text, and for each token where it comes from. There are fewer tokens if a document ends, or nothing can
            follow.

        Raises
        ------
        QueryError
            If a setting is out of range, or an id is not one of the index.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: that of one distribution per token.

        Examples
        --------
        >>> model = corpus.model("levels", levels=2)
        >>> model.generate("a dog", max_tokens=3, seed=1).text
        ' sat on the'
        """
        written = self.write(
            prompt,
            max_tokens=max_tokens,
            temperature=temperature,
            top_k=top_k,
            top_p=top_p,
            seed=seed,
            most_verbatim=most_verbatim,
            stop_at_ends=stop_at_ends,
            report=report,
            cancel=cancel,
        )
        settings = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "top_k": top_k,
            "top_p": top_p,
            "seed": seed,
            "most_verbatim": most_verbatim,
            "stop_at_ends": stop_at_ends,
        }
        origin = self.origin(*text_facts("prompt", queries.shown(prompt)), *setting_facts(settings))
        return Generated(self._ids(prompt), list(written), origin)

    def write(
        self,
        prompt: Query = "",
        *,
        max_tokens: int = 200,
        temperature: float = 0.8,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        most_verbatim: int = 0,
        stop_at_ends: bool = True,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Iterator[Written]:
        """Write a text token by token, so that it can be shown while it is written.

        Parameters
        ----------
        prompt, max_tokens, temperature, top_k, top_p, seed, most_verbatim, stop_at_ends, report, cancel
            As in `generate`, which gives the same tokens at once.

        Returns
        -------
        Iterator of Written
            The tokens; each is made when it is asked for.

        Raises
        ------
        QueryError, Cancelled
            As from `generate`; settings are checked before the first token is asked for.

        Notes
        -----
        Cost: that of one distribution per token.

        Examples
        --------
        >>> model = corpus.model("levels", levels=2)
        >>> [corpus.decode([each.token]) for each in model.write("a dog", max_tokens=3, seed=1)]
        [' sat', ' on', ' the']
        """
        ids = self._ids(prompt)
        how = Writing(
            Draw(temperature, whole_number(top_k, "top_k"), top_p),
            whole_number(max_tokens, "max_tokens", 1),
            whole_number(seed, "seed"),
            whole_number(most_verbatim, "most_verbatim"),
            stop_at_ends,
        )
        return write(self._index, self._tuned.method, ids, self._shared.size, self._vocabulary, how, report, cancel)

    def __repr__(self) -> str:
        return f"LanguageModel({self.name!r}, Corpus {self._index.name!r})"

    def origin(self, *more: tuple[str, str]) -> Origin:
        """What a result of this model was computed from.

        Parameters
        ----------
        *more
            Names and values of what was asked.

        Returns
        -------
        Origin
            The index, the method and its settings, and these.
        """
        return Origin(self._index, (*self._asked, *more))

    def _ids(self, given: Query) -> NDArray[np.int64]:
        return self._index.counts.check_ids(queries.as_ids(self._index, given), allow_empty=True)

    def _scorable(self, text: Query, prompt: str) -> Scorable:
        if isinstance(text, str):
            return scorable(self._index.tokenizer, text, lead_of(prompt))
        ids = self._ids(text)
        before = self._ids(prompt) if prompt else ids[:0]
        # Ids have no characters of their own: those of the text that they represent.
        first = len(before) or min(1, len(ids))
        both = np.concatenate([before, ids])
        decoded = decode_ids(self._index, both[first:]).text
        starts = np.zeros(len(both), dtype=np.int64)
        return Scorable(both, starts, first, len(decoded), len(decoded.encode()))

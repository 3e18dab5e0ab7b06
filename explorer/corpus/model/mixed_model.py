"""A neural model and a corpus together: `LanguageModel.mixed_with` gives the mixture, which writes text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.mix.mixed_writing import MixedToken, next_mixture, write_mixed
from explorer.analyses.mix.mixing_tokens import CorpusSide, ModelWeight, constant, corpus_side
from explorer.analyses.model.byte_tokens import TokenStrings, byte_shares, token_shares
from explorer.analyses.model.generation import Writing
from explorer.analyses.model.making import Tuned
from explorer.analyses.model.sampling import Draw
from explorer.analyses.search.limits import whole_number
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.core.jobs.asked import checks_jobs
from explorer.corpus.results.model.mixed import MixedShares, MixedText, TokenDistribution
from explorer.corpus.results.origin import Origin
from explorer.corpus.search import queries
from explorer.corpus.types import Query
from explorer.errors import QueryError
from explorer.i18n import mark
from explorer.neural.address import Confirm
from explorer.text.tokens.tokenizer import TextTokenizer

if TYPE_CHECKING:
    from explorer.neural.llama import LlamaServer


@checks_jobs
class BesideNeural(ABC):
    """What a corpus as a language model gives the tokens of other models; `LanguageModel` inherits it."""

    _index: Backend
    _tuned: Tuned
    _vocabulary: NDArray[np.int64]

    @property
    @abstractmethod
    def normalized(self) -> bool:
        """Whether it gives probabilities."""

    @abstractmethod
    def origin(self, *more: tuple[str, str]) -> Origin:
        """State what a result is of."""

    @abstractmethod
    def _ids(self, given: Query) -> NDArray[np.int64]:
        """Check a text or ids."""

    def token_distribution(
        self, context: Query, tokenizer: str | PathLike[str], *, least: float = 1e-6, cancel: CancelToken | None = None
    ) -> TokenDistribution:
        """Compute the probability of each next token of another vocabulary, from an index of bytes.

        Parameters
        ----------
        context
            A text, or the bytes of one as ids; may be empty.
        tokenizer
            Path of the `tokenizer.json` with the vocabulary.
        least
            Strings of bytes with a probability below this are not divided further: it stays with the token that they
            begin with.
        cancel
            Stops the work.

        Returns
        -------
        TokenDistribution
            The tokens, most probable first. The probability is that of a token being the longest of the vocabulary
            that the next bytes begin with; beside it is the product that Infinigram takes, which is a score.

        Raises
        ------
        QueryError
            If the index is not one of bytes, or the method gives scores.
        TokenizerError
            If the tokenizer cannot be read.
        Cancelled
            If it was cancelled.

        Notes
        -----
        P(t) - Σ P(u) over the shortest tokens u that continue t, where P is the product over the bytes. It adds up to 1
        if every byte is a token. Cost: one distribution per string of bytes that begins a token and has `least` or
        more: 0.5 to 3 seconds for 50,000 tokens and a megabyte of text.
        """
        if self._index.tokenizer.backend is not None or not self.normalized:
            raise QueryError(
                mark("Tokens of another vocabulary need an index of bytes, and a method that gives probabilities."),
                reason="not-bytes",
            )
        # Special tokens are spelled as they are written; text that looks like one is rare enough to be no candidate.
        theirs = TextTokenizer.from_file(Path(tokenizer))
        pieces = [theirs.token_bytes(token) for token in range(theirs.vocabulary_size)]
        step = byte_shares(self._index, self._tuned.method, self._ids(context), self._vocabulary, cancel)
        found = token_shares(step, TokenStrings(pieces), least)
        return TokenDistribution(found, pieces, self.origin(("context", queries.shown(context))))

    def mixed_with(
        self,
        url: str,
        *,
        weight: float | ModelWeight = 0.5,
        candidates: int = 100,
        timeout: float = 120.0,
        confirm: Confirm | None = None,
        key: str | None = None,
        cancel: CancelToken | None = None,
    ) -> MixedModel:
        """Put a neural model beside this one: a mixture of both writes text.

        Parameters
        ----------
        url
            Address of a server with llama.cpp's interface, such as "http://localhost:8080".
        weight
            The weight of the neural model: 1 for it alone, 0 for the corpus alone. Or a function of the longest context
            that occurs: of its tokens, and of how often it is followed; `explorer.by_confidence` makes one.
        candidates
            How many of the model's most probable tokens are mixed, from 1. No other token is written.
        timeout
            Most seconds until an answer is complete.
        confirm
            Asked with the name of a host that is not this machine, before anything is sent; None to refuse it.
        key
            The key that the server asks for; None for no key. It is not kept, and no message has it.
        cancel
            Stops the requests.

        Returns
        -------
        MixedModel
            The mixture, which is closed with `close`, or at the end of a block that begins with it.

        Raises
        ------
        QueryError
            If a setting is out of range, the method gives scores, or the index has neither bytes nor the tokens of the
            model.
        ServerError
            If the address is not one or is not confirmed, or the server cannot be used.
        Cancelled
            If it was cancelled.

        Notes
        -----
        Cost: one request for the whole vocabulary, about a second for 50,000 tokens.
        """
        from explorer.neural.servers import open_llama

        # A model without all of its vocabulary cannot be matched with bytes, so this is asked once, and first.
        server = open_llama(url, timeout=timeout, confirm=confirm, key=key, cancel=cancel)
        try:
            pieces = server.vocabulary(cancel)
            return MixedModel(server, pieces, self, weight, whole_number(candidates, "candidates", 1))
        except BaseException:
            server.close()
            raise

    def side(self, pieces: Sequence[bytes]) -> CorpusSide:
        """Make this model the side of a mixture with a neural one; `mixed_with` and `MixedModel.use` call it.

        Parameters
        ----------
        pieces
            The bytes of each token of the neural model, by id.

        Returns
        -------
        CorpusSide
            What the corpus knows of these tokens.

        Raises
        ------
        QueryError
            If the method gives scores, or the index has neither bytes nor the tokens of the model.
        """
        return corpus_side(self._index, self._tuned.method, self._vocabulary, pieces)


@checks_jobs
class MixedModel:
    """A neural model and a corpus, mixed token by token; `LanguageModel.mixed_with` makes it.

    Parameters
    ----------
    server
        The server of the neural model.
    pieces
        The bytes of each of its tokens, by id.
    corpus
        The corpus as a language model.
    weight
        The weight of the neural model, 0 to 1, or a function of the match.
    candidates
        How many of the model's most probable tokens are mixed.

    Notes
    -----
    Each token's probability is weight times the model's + (1 - weight) times the corpus's, divided by the sum over the
    candidates. An index of bytes gives each token the probability that it is the longest one that the next bytes begin
    with.

    Examples
    --------
    >>> corpus.model("infgram").mixed_with("http://example.com")
    Traceback (most recent call last):
    explorer.neural.address.ServerError: example.com:80 is not this machine: every text would be sent to it. ...
    """

    def __init__(
        self,
        server: LlamaServer,
        pieces: Sequence[bytes],
        corpus: BesideNeural,
        weight: float | ModelWeight,
        candidates: int,
    ) -> None:
        self._server, self._pieces, self._candidates = server, pieces, candidates
        self._corpus, self._side = corpus, corpus.side(pieces)
        self._weight = _weight(weight)

    @property
    def name(self) -> str:
        """The name of the neural model."""
        return self._server.model

    @property
    def corpus(self) -> BesideNeural:
        """The corpus that the next token is mixed with."""
        return self._corpus

    def use(self, corpus: BesideNeural | None = None, weight: float | ModelWeight | None = None) -> None:
        """Change the corpus or the weight, also while a text is written: from the next token on.

        Parameters
        ----------
        corpus
            Another corpus as a language model; None to keep it.
        weight
            Another weight; None to keep it.

        Raises
        ------
        QueryError
            If the corpus cannot be mixed with the model, or the weight is not from 0 to 1.
        """
        if corpus is not None:
            # The side first: a corpus that cannot be mixed leaves everything as it was.
            self._side, self._corpus = corpus.side(self._pieces), corpus
        if weight is not None:
            self._weight = _weight(weight)

    def distribution(self, prompt: str, *, cancel: CancelToken | None = None) -> MixedShares:
        """Compute the mixture of the next token.

        Parameters
        ----------
        prompt
            What comes before; not empty.
        cancel
            Stops the work.

        Returns
        -------
        MixedShares
            The candidates, the most probable of the mixture first, with the probabilities of both sides.

        Raises
        ------
        QueryError
            If the prompt is empty.
        ServerError
            If the server does not answer with what can be used.
        Cancelled
            If it was cancelled.
        """
        # In the model's tokens: the corpus of bytes takes their bytes, and another one shares the tokens.
        given = self._server.pieces(prompt, cancel)
        if not given:
            raise QueryError(mark("A text that a model writes needs a prompt."), reason="no-prompt")
        ids = np.array([piece.id for piece in given], dtype=np.int64)
        data = b"".join(piece.data for piece in given)
        # The end of the text is a candidate as any other: it is not drawn here.
        found = next_mixture(self._server, self._mixing, ids, data, self._candidates, cancel=cancel)
        return MixedShares(found, self._corpus.origin(("prompt", prompt), ("model", self.name)))

    def write(
        self,
        prompt: str,
        *,
        max_tokens: int = 200,
        temperature: float = 0.8,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        stop_at_ends: bool = True,
        report: Report = no_report,
        cancel: CancelToken | None = None,
    ) -> Iterator[MixedToken]:
        """Write a text, and give each token as soon as it is there.

        Parameters
        ----------
        prompt
            What comes before; not empty.
        max_tokens
            The most tokens to write, from 1.
        temperature
            0 takes the most probable token; 1 draws by the probabilities p, others by p^(1/temperature).
        top_k
            Draw from the k most probable tokens only; 0 for all candidates.
        top_p
            Draw from the most probable tokens that together have this much of the probability, above 0 to 1.
        seed
            Seed of all chance: the same seed and the same server give the same text.
        stop_at_ends
            Whether the model may end the text.
        report
            Called with the tokens that are written.
        cancel
            Stops the work within 0.2 s.

        Yields
        ------
        MixedToken
            The next token, with the probabilities of both sides and a place in the corpus. There are fewer if the
            model ends the text, or if the weight is 0 and the corpus knows none of the candidates.

        Raises
        ------
        QueryError
            If a setting is out of range, or the prompt is empty.
        ServerError
            If the server does not answer with what can be used.
        Cancelled
            If it was cancelled.
        """
        # Checked before the first request, and not when the first token is drawn.
        how = Writing(
            Draw(temperature, whole_number(top_k, "top_k"), top_p),
            whole_number(max_tokens, "max_tokens", 1),
            whole_number(seed, "seed"),
            stop_at_ends=stop_at_ends,
        )
        yield from write_mixed(self._server, self._mixing, prompt, how, self._candidates, report, cancel)

    def text_of(self, prompt: str, tokens: Sequence[MixedToken]) -> MixedText:
        """Make a result of tokens that were written.

        Parameters
        ----------
        prompt
            What came before them.
        tokens
            The tokens.

        Returns
        -------
        MixedText
            The text, also a table with one row per token. Its index is the corpus of the last token.
        """
        return MixedText(prompt, tokens, self.name, self._corpus.origin(("prompt", prompt), ("model", self.name)))

    def close(self) -> None:
        """Close the connection to the server; the corpus stays open."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mixing(self) -> tuple[CorpusSide, ModelWeight]:
        return self._side, self._weight

    def __repr__(self) -> str:
        return f"MixedModel({self.name!r}, {self._corpus!r})"


def _weight(weight: float | ModelWeight) -> ModelWeight:
    return weight if callable(weight) else constant(weight)

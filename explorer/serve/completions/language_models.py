"""The language models that a server offers: each index under its name, with each method that gives probabilities."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from explorer import version
from explorer.analyses.model.making import DEFAULT_METHOD, METHODS, MethodName
from explorer.core.jobs import CancelToken
from explorer.corpus import Corpus
from explorer.corpus.model.models import LanguageModel, VocabularyName
from explorer.errors import Cancelled, CorpusError
from explorer.http.wire.completions import CompletionError
from explorer.i18n import mark

_EVERY = ":all"
"""What an id ends with if all tokens of the tokenizer share what is left to those that do not follow."""
_NAMED = 5
"""Indexes that an error names."""
_Key = tuple[str, str, VocabularyName | None]
OWNER = "corpus-explorer"
OFFERED = tuple(name for name, method in METHODS.items() if method.normalised and name == method.name)
"""Methods with probabilities. Scores have no logarithms that add up to anything."""


@dataclass(frozen=True)
class ServedModel:
    """A language model that is ready to answer."""

    id: str
    corpus: Corpus
    model: LanguageModel

    @property
    def fingerprint(self) -> str:
        """What decides the numbers: the program's version, the method, and what a probability of 0 counts as."""
        zeros = "unigram+1" if self.model.floor is None else f"{self.model.floor:g}"
        words = len(self.model.vocabulary)
        return f"{OWNER} {version.VERSION}; method {self.model.name}; vocabulary {words}; zeros {zeros}"

    def logarithms(self, ids: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the natural logarithms of probabilities, all of them finite.

        shares: What the method gives each, float64.
        Returns: The logarithms. A probability of 0 counts as the floor of the method; if it has none, as the frequency
            of the token, with one more of each token of the tokenizer: JSON has no infinite numbers.
        """
        found = np.array(shares)
        zeros = np.flatnonzero(found == 0)
        if len(zeros) and self.model.floor is not None:
            found[zeros] = self.model.floor
        elif len(zeros):
            firsts = np.arange(len(zeros))
            times = self.corpus.index.counts.count_many(ids[zeros], firsts, firsts + 1)
            found[zeros] = (times + 1) / (self._token_count + self.corpus.index.tokenizer.vocabulary_size)
        return np.log(found)

    @cached_property
    def _token_count(self) -> int:
        none = np.zeros(1, dtype=np.int64)
        return int(self.corpus.index.counts.followers(none[:0], none, none)[0][0])


class LanguageModels:
    """Models of some indexes by id, each made when it is first asked for.

    created: When the server began, in seconds since 1970.

    Notes
    -----
    Several threads may ask. A model that learns takes some seconds at its first use, or in `prepare` before.

    Examples
    --------
    >>> models = LanguageModels({"cats": corpus}, 0)
    >>> models.described("cats:witten-bell")["id"]
    'cats:witten-bell'
    """

    def __init__(self, corpora: Mapping[str, Corpus], created: int) -> None:
        self._corpora, self._created = dict(corpora), created
        self._made: dict[_Key, ServedModel] = {}
        self._locks: dict[_Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def listed(self) -> dict[str, Any]:
        """List the models: each index, and each index with each method."""
        ids = [*self._corpora, *(f"{name}:{method}" for name in self._corpora for method in OFFERED)]
        return {"object": "list", "data": [self._entry(each) for each in ids]}

    def described(self, name: str) -> dict[str, Any]:
        """Describe one model.

        Raises `CompletionError` if there is no such model.
        """
        self._read(name)
        return self._entry(name)

    def prepare(self, cancel: CancelToken) -> None:
        """Make the models that learn, of indexes on this machine, so that no first answer waits for it.

        cancel: Ends the work early; what is not made then is made at its first use.
        """
        for name, corpus in self._corpora.items():
            # An index on another machine is asked thousands of questions while a model learns.
            if not corpus.index.counts.asks_elsewhere:
                with suppress(CorpusError, Cancelled):
                    self._get(name, cancel)

    def get(self, name: str) -> ServedModel:
        """Make a model, or give the one that was made.

        Raises `CompletionError` if there is no such model.
        Raises `CorpusError` if the index cannot be read.
        """
        # Not cancelled with the question that asks first: it is of use to the next one.
        return self._get(name, None)

    def _get(self, name: str, cancel: CancelToken | None) -> ServedModel:
        key = self._read(name)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        # One lock for each: who asks for another model does not wait for one that learns.
        with lock:
            if key not in self._made:
                corpus = self._corpora[key[0]]
                made = corpus.model(cast(MethodName, key[1]), vocabulary=key[2], cancel=cancel)
                self._made[key] = ServedModel(name, corpus, made)
            return self._made[key]

    def _read(self, name: str) -> _Key:
        """The index, the method and the vocabulary of an id."""
        # The name of an index may have a colon itself.
        if name in self._corpora:
            return name, DEFAULT_METHOD, None
        vocabulary: VocabularyName | None = "all" if name.endswith(_EVERY) else None
        index, _, method = name.removesuffix(_EVERY).rpartition(":")
        if index in self._corpora and METHODS.get(method) in [METHODS[each] for each in OFFERED]:
            return index, METHODS[method].name, vocabulary
        if index in self._corpora and method in METHODS:
            raise CompletionError(
                mark("The method {method} gives scores, not probabilities, so it has no completions."),
                code="not_a_distribution",
                param="model",
                method=method,
            )
        raise CompletionError(
            mark("There is no model {name}. GET /v1/models lists all; the indexes are {known}."),
            status=404,
            code="model_not_found",
            param="model",
            name=name[:200],
            known=", ".join([*self._corpora][:_NAMED]) + (" …" if len(self._corpora) > _NAMED else ""),
        )

    def _entry(self, name: str) -> dict[str, Any]:
        return {"id": name, "object": "model", "created": self._created, "owned_by": OWNER}

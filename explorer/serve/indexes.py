"""The indexes that a server answers for, by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explorer.corpus import Corpus
from explorer.errors import QueryError
from explorer.http.wire.errors import RefusedError
from explorer.http.wire.infini_gram import Limits
from explorer.http.wire.reading import check_ids, ngram_ids, read_text
from explorer.i18n import mark
from explorer.infini_gram.engine import CountEngine, Engine, engine_of
from explorer.text.tokens.tokenizer import TextTokenizer

_ENDS = ("</s>", "<|endoftext|>", "<|end_of_text|>", "<eos>", "<|im_end|>", "[SEP]")
"""Names of the token with which models end a text, in the vocabularies of public indexes and of later ones."""


@dataclass(frozen=True)
class ServedIndex:
    """An index as the protocol sees it: a name, a corpus, the calls of infini-gram, and its tokenizer's rules.

    counted: The same index with the calls of infini-gram; of one without a suffix array here, those for counts.
    """

    name: str
    corpus: Corpus
    counted: Engine | CountEngine

    @property
    def engine(self) -> Engine:
        """All calls of infini-gram; raises RefusedError for an index without ranks."""
        if isinstance(self.counted, Engine):
            return self.counted
        raise RefusedError(
            "This index has no ranks: it is in several places, or compressed. It answers count without AND and OR, "
            "prob, ntd, infgram_prob and infgram_ntd."
        )

    @cached_property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer."""
        return self.corpus.index.tokenizer

    @cached_property
    def _lone_space(self) -> int | None:
        backend = self.tokenizer.backend
        return None if backend is None else backend.token_to_id("▁")

    def ids_of(self, query: Any, query_ids: Any, limits: Limits) -> Any:
        """Read a query as token ids, or as clauses of them.

        query_ids: Ids or clauses; looked at if there is no text.
        limits: How large they may be.
        Raises `RefusedError` if they are something else, or too large.
        """
        ids = query_ids if query is None else read_text(query, self._encode, limits)
        return check_ids(ids, self.tokenizer.vocabulary_size, self.corpus.index.separator, limits)

    def _encode(self, text: str) -> list[int]:
        return ngram_ids(text, self.tokenizer.style, self._plain_ids, self._lone_space)

    def _plain_ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text).tolist()
        return ids

    def piece(self, token: int) -> str:
        """A token as its vocabulary spells it; "" for an id that it lacks, such as the end of a document."""
        backend = self.tokenizer.backend
        if backend is None:
            return chr(token)
        # The library takes unsigned 32-bit ids.
        return backend.id_to_token(token) or ""

    def text(self, ids: Sequence[int]) -> str:
        """The text of some tokens, as the tokenizer's library writes it."""
        backend = self.tokenizer.backend
        if backend is None:
            spelled = bytes(ids).decode("utf-8", "backslashreplace")
            return "".join(f"\\x{ord(char):02x}" if char < " " and char not in "\t\n" else char for char in spelled)
        return backend.decode(list(ids), skip_special_tokens=False)


def served(corpora: Sequence[tuple[str, Corpus]]) -> Mapping[str, ServedIndex]:
    """Give corpora names.

    corpora: Names, "" for that of the corpus, and open corpora with tokenizers.
    Returns: The indexes by their names, in this order.
    Raises `TokenizerError` if a corpus has no tokenizer.

    Examples
    --------
    >>> list(served([("", corpus)]))
    ['Cats']
    """
    found: dict[str, ServedIndex] = {}
    for chosen, corpus in corpora:
        name = chosen or corpus.index.name
        if name in found:
            raise QueryError(mark('Two indexes have the name "{name}".'), reason="same-name", name=name)
        end = _end_of(corpus.index.tokenizer, corpus.index.separator)
        found[name] = ServedIndex(name, corpus, engine_of(corpus, end))
    return found


def _end_of(tokenizer: TextTokenizer, separator: int) -> int:
    """The id under which the API counts ends of documents; the separator if the vocabulary has no such token."""
    if tokenizer.backend is None:
        return 0
    ids = (tokenizer.backend.token_to_id(name) for name in _ENDS)
    return next((token for token in ids if token is not None), separator)

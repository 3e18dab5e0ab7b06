"""An index folder elsewhere as a backend: what it is, and its four groups of questions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

from explorer.backends.bucket.counts import FarCounts
from explorer.backends.bucket.documents import FarDocuments
from explorer.backends.bucket.folder import FarFolder
from explorer.backends.bucket.hits import FarHits
from explorer.backends.bucket.search import Search
from explorer.backends.bucket.shards import FarShards
from explorer.backends.defaults.no_lists import NoLists
from explorer.backends.defaults.no_subtraction import NoSubtraction
from explorer.backends.defaults.tokenizers import required
from explorer.backends.protocol.protocol import Capabilities, LocalFacts
from explorer.i18n import tr
from explorer.text.tokens.tokenizer import TextTokenizer

Opening = tuple[Callable[..., Any], tuple[Any, ...]]


class BucketBackend(NoSubtraction):
    """An index folder on a web server or in a bucket; made by `explorer.backends.bucket.opening.open_bucket`.

    Its parts answer the questions of `explorer.backends.protocol.protocol.Backend`, which describes them.
    """

    local: LocalFacts | None = None

    def __init__(
        self, folder: FarFolder, shards: FarShards, tokenizer: TextTokenizer | None, source: str, opening: Opening
    ) -> None:
        self.folder, self.shards, self._tokenizer, self._opening = folder, shards, tokenizer, opening
        named = folder.manifest.name if folder.manifest is not None else ""
        self.name = named or source.rstrip("/").rpartition("/")[2]
        self.sources = (source,)
        self.capabilities = _capabilities(folder)
        self.separator = shards.separator
        self._search = Search(shards)
        self.counts = FarCounts(shards, self._search)
        self.documents = FarDocuments(shards, folder.manifest, self.capabilities)
        self.hits = FarHits(shards, self.counts, self.documents, self.capabilities)
        self.lists = NoLists(self.capabilities)
        self._required = partial(required, tokenizer, self.name)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits: of the address, and of what tells its files from others."""
        known = f"{self.sources[0]}\n{self.folder.edition}"
        return hashlib.sha256(known.encode()).hexdigest()[:32]

    @property
    def remark(self) -> str:
        """That the keys beside the index are those of another one; "" if they are not, or there are none."""
        if self.folder.keys_fit and self._search.keys_fit:
            return ""
        return tr(
            "The keys beside {name} are not those of its shards, so searches take longer. Its owner can make them "
            "again.",
            name=self.name,
        )

    @property
    def token_count(self) -> int:
        """Tokens, including a separator for each document."""
        return self.shards.token_count

    @property
    def document_count(self) -> int:
        """Documents."""
        return self.shards.document_count

    @property
    def document_slots(self) -> int:
        """One more than the largest document number."""
        return self.shards.document_count

    @property
    def has_tokenizer(self) -> bool:
        """Whether text can be put in and read out."""
        return self._tokenizer is not None

    @property
    def tokenizer(self) -> TextTokenizer:
        """The tokenizer; raises TokenizerError where none is known."""
        return self._required()

    def check_storage(self) -> None:
        """Nothing is stored here. Each answer of the server tells whether its file is the one that was opened."""

    def __reduce__(self) -> Opening:
        # Another process opens it again: connections cannot be sent.
        return self._opening


def _capabilities(folder: FarFolder) -> Capabilities:
    why_not = tr(
        "The files of this index are on {host}. Counts, lines, documents and traces need a small part of them; this "
        "would read too much.",
        host=folder.files.host,
    )
    return Capabilities(
        next_tokens=False,
        text_patterns=False,
        sorting=False,
        metadata=any(shard.metadata_bytes is not None for shard in folder.shards),
        sizes=False,
        subtraction=False,
        lists=False,
        why_not=why_not,
    )

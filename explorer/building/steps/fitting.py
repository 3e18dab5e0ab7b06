"""Whether a tokenizer fits the first documents of a build."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from explorer.index.tokenizer_check import TRIED_DOCUMENTS, require_made_by, require_readable
from explorer.index.writer import SourceDocument
from explorer.text.tokens.tokenizer import TextTokenizer


def require_fit(tokenizer: TextTokenizer, documents: Iterable[SourceDocument]) -> None:
    """Refuse a tokenizer that loses the texts of the first documents, or that did not make their ids.

    documents: The documents; the first eight that are not blank are tried.
    Raises `TokenizerError` if it does not fit them.
    """
    some = (each for each in documents if (each.text.strip() if each.ids is None else len(each.ids)))
    first = list(islice(some, TRIED_DOCUMENTS))
    require_readable(tokenizer, [document.text for document in first if document.ids is None])
    require_made_by(tokenizer, [document.ids for document in first if document.ids is not None])

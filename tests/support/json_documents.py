"""A trivial kind of index, as somebody would add it: a JSON file of texts, held in Python lists."""

from __future__ import annotations

import json
from pathlib import Path

from list_backend import Contents, ListBackend

from explorer.backends.registry import BackendKind
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report
from explorer.errors import NotAnIndexError
from explorer.text.tokens.tokenizer import TextTokenizer

_SEPARATOR = 255


def claims(source: str) -> bool:
    """By the name of the file alone."""
    return source.endswith(".documents.json")


def open_documents(request: IndexRequest, report: Report, cancel: CancelToken | None) -> ListBackend:
    """The texts as bytes; their place in the list is their metadata."""
    path = Path(request.sources[0])
    try:
        texts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotAnIndexError("{path} does not hold a list of texts.", reason="no-texts", path=path) from error
    metadata = [{"number": number} for number in range(len(texts))]
    volumes = [[list(text.encode()) for text in texts]]
    return ListBackend(Contents(volumes, metadata, _SEPARATOR, TextTokenizer.raw_bytes(), path.name, source=str(path)))


ROW = BackendKind("documents", claims, open_documents)

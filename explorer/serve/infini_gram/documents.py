"""`GET /{index}/documents` in three forms, as infinigram-api has them: by a search, by one number, by many numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.analyses.trace.attribution import read_places
from explorer.backends.protocol.protocol import Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.http.wire.errors import RefusedError
from explorer.http.wire.infini_gram import LIMITS
from explorer.serve.host import Host, Part, QueryField
from explorer.serve.http import as_json
from explorer.serve.indexes import ServedIndex
from explorer.serve.infini_gram.attribution import MOST_CONTEXT, MOST_DOCUMENTS, document_fields, problem

Ask = Callable[[ServedIndex, Request, CancelToken], dict[str, Any]]


_LENGTH = QueryField(
    "maximum_document_display_length", "Tokens that are shown: on either side of a hit, or from the first", 10, 1,
    MOST_CONTEXT,
)  # fmt: skip
_SEARCH = QueryField("search", "The text that is looked for", is_text=True)
_PAGE = QueryField("page", "The page of hits, from 0", 0)
_PAGE_SIZE = QueryField("page_size", "Hits on a page", 10, 1, MOST_DOCUMENTS)
_NUMBERS = QueryField("document_indexes", "Numbers of documents", is_list=True)
_ROUTES: Mapping[str, tuple[QueryField, ...]] = {
    # The name of an index may have a slash.
    "/{index:path}/documents/": (_SEARCH, _LENGTH, _PAGE, _PAGE_SIZE),
    "/{index:path}/documents/{document_index}": (_LENGTH,),
    "/{index:path}/documents": (_NUMBERS, _LENGTH),
}
_NUMBER = QueryField("document_index", "The number of a document")


def searched(index: ServedIndex, request: Request, cancel: CancelToken) -> dict[str, Any]:
    """A page of the hits of a text, each with its document."""
    given = request.query_params
    text, context = _SEARCH.text(given), _LENGTH.number(given)
    if len(text) > LIMITS.characters:
        raise RefusedError(f"{_SEARCH.name} must have at most {LIMITS.characters} characters", 422)
    page, size = _PAGE.number(given), _PAGE_SIZE.number(given)
    ids = index.corpus.index.counts.check_ids(index.tokenizer.encode(text), allow_empty=True)
    ngram = index.corpus.index.hits.find(ids)
    cancel.check()
    # Pages after the last are empty; a number of hits is below 2^63, and so is the place of its last one.
    first = min(page * size, ngram.count)
    places = index.corpus.locate(ngram, first, min(first + size, ngram.count))
    return {
        "index": index.name,
        "documents": _documents(index, places.document, places.offset, len(ids), context),
        "page": page,
        "pageSize": size,
        "pageCount": -(-ngram.count // size),
        # The name that the service has; each hit counts.
        "totalDocuments": ngram.count,
    }


def one(index: ServedIndex, request: Request, cancel: CancelToken) -> dict[str, Any]:
    """The beginning of one document."""
    number = _NUMBER.number(QueryParams({_NUMBER.name: request.path_params[_NUMBER.name]}))
    found = _of_numbers(index, [number], _LENGTH.number(request.query_params))
    return {"index": index.name, **found[0]}


def several(index: ServedIndex, request: Request, cancel: CancelToken) -> dict[str, Any]:
    """The beginnings of several documents, in the order of their numbers in the request."""
    given = request.query_params
    return {
        "index": index.name,
        "documents": _of_numbers(index, _NUMBERS.numbers(given), _LENGTH.number(given)),
    }


def _of_numbers(index: ServedIndex, numbers: list[int], context: int) -> list[dict[str, Any]]:
    for number in numbers:
        try:
            index.corpus.index.documents.check(number)
        except QueryError as error:
            raise RefusedError(str(error), 404) from error
    documents = np.array(numbers, dtype=np.int64)
    return _documents(index, documents, np.zeros_like(documents), 0, context)


def _documents(
    index: ServedIndex, documents: Numbers, offsets: Numbers, length: int, context: int
) -> list[dict[str, Any]]:
    places = read_places(index.corpus.index, documents, offsets, np.full(len(documents), length), context)
    return [document_fields(index, place) for place in places]


def part(host: Host) -> Part:
    """Make the routes."""

    def answering(ask: Ask) -> Callable[[Request], Any]:
        async def answered(request: Request) -> Response:
            try:
                index = host.index(request.path_params["index"])
                work = partial(_written, ask, index, request)
                return Response(await host.pool.ask(work), media_type="application/json")
            except RefusedError as refused:
                return problem(refused)

        answered.__doc__ = ask.__doc__
        return answered

    asks = (searched, one, several)
    routes = tuple(Route(path, answering(ask), methods=["GET"]) for path, ask in zip(_ROUTES, asks, strict=True))
    return Part(routes, ("documents",), fields=_ROUTES)


def _written(ask: Ask, index: ServedIndex, request: Request, cancel: CancelToken) -> bytes:
    return as_json(ask(index, request, cancel))

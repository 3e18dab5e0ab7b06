"""`GET /indexes` and `POST /{index}/attribution`: what OLMoTrace's own page asks of its service, infinigram-api."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.analyses.trace.attribution import (
    SPAN_RANKINGS,
    AttributedPlace,
    Attribution,
    AttributionRule,
    attribute_text,
)
from explorer.analyses.trace.spans import TokenSpan
from explorer.core.jobs import CancelToken
from explorer.http.wire.errors import RefusedError
from explorer.serve.host import Host, Part
from explorer.serve.http import as_json, read_json
from explorer.serve.indexes import ServedIndex
from explorer.serve.work import LateError

_DEADLINE = 90.0
"""Seconds per answer, as that service has them."""
MOST_DELIMITERS = 64
MOST_DOCUMENTS, MOST_CONTEXT = 100, 2_000
"""Per span and on either side: ten spans of a text are then at most a few megabytes."""


@dataclass(frozen=True)
class AttributionRequest:
    """A text to attribute.

    rule: How its spans are found.
    long, snippet: Tokens around an occurrence in the two shorter texts of a document.
    """

    response: str
    rule: AttributionRule
    long: int = 100
    snippet: int = 40


def read_attribution_request(body: object) -> AttributionRequest:
    """Check a request.

    Returns: The request. What is missing has the default of the service that this follows; what it does not know is not
        looked at.
    Raises `RefusedError` if a field has another type, or is out of range (422).

    Examples
    --------
    >>> read_attribution_request({"response": "the cat", "maximumFrequency": 5}).rule.max_count
    5
    """
    if not isinstance(body, Mapping):
        raise RefusedError("The request must be a JSON object", 422)
    rule = AttributionRule()
    ranking = body.get("spanRankingMethod", rule.ranking)
    if ranking not in SPAN_RANKINGS:
        raise _wrong("spanRankingMethod", " or ".join(SPAN_RANKINGS))
    return AttributionRequest(
        _text(body.get("response"), "response"),
        AttributionRule(
            _delimiters(body.get("delimiters", [])),
            _flag(body, "allowSpansWithPartialWords"),
            _whole(body, "minimumSpanLength", rule.min_length),
            _whole(body, "maximumFrequency", rule.max_count),
            _density(body.get("maximumSpanDensity", rule.density)),
            ranking,
            _whole(body, "maximumDocumentsPerSpan", rule.documents_per_span, MOST_DOCUMENTS),
            _whole(body, "maximumContextLength", rule.context, MOST_CONTEXT),
        ),
        _whole(body, "maximumContextLengthLong", 100, MOST_CONTEXT),
        _whole(body, "maximumContextLengthSnippet", 40, MOST_CONTEXT),
    )


def _wrong(name: str, expected: str) -> RefusedError:
    return RefusedError(f"{name} must be {expected}", 422)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _wrong(name, "a text")
    return value


def _flag(body: Mapping[str, Any], name: str) -> bool:
    value = body.get(name, False)
    if not isinstance(value, bool):
        raise _wrong(name, "true or false")
    return value


def _whole(body: Mapping[str, Any], name: str, default: int, most: int = (1 << 63) - 1) -> int:
    value = body.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise _wrong(name, f"a whole number from 1 to {most}")
    return value


def _density(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise _wrong("maximumSpanDensity", "a number above 0")
    # A text has fewer spans than tokens, so more than one per token is one per token.
    return min(1.0, float(value))


def _delimiters(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_DELIMITERS:
        raise _wrong("delimiters", f"a list of at most {MOST_DELIMITERS} texts")
    return tuple(_text(each, "delimiters") for each in value)


def attributed(index: ServedIndex, request: AttributionRequest, cancel: CancelToken) -> dict[str, Any]:
    """Answer a request.

    Raises `QueryError` if the text has no tokens.
    """
    found = attribute_text(index.corpus.index, request.response, request.rule, cancel)
    starts, ends = found.encoded.starts.tolist(), found.encoded.ends.tolist()
    return {
        "index": index.name,
        "spans": [_span(index, request, found, number) for number in range(len(found.spans))],
        "inputTokens": [request.response[start:end] for start, end in zip(starts, ends, strict=True)],
    }


def _span(index: ServedIndex, request: AttributionRequest, found: Attribution, number: int) -> dict[str, Any]:
    span = found.spans[number]
    ids = found.encoded.ids[span.start : span.end].tolist()
    return {
        "left": span.start,
        "right": span.end,
        "length": span.end - span.start,
        "count": span.count,
        "unigramLogprobSum": span.rarity,
        "text": index.text(ids),
        "tokenIds": ids,
        "documents": [_document(index, request, span, place) for place in found.places[number]],
    }


def document_fields(index: ServedIndex, place: AttributedPlace) -> dict[str, Any]:
    """A document at one place, with the fields that the service gives everywhere."""
    ids = place.ids.tolist()
    return {
        "documentIndex": place.document,
        "documentLength": place.length,
        "displayLength": len(ids),
        "needleOffset": place.offset,
        "metadata": place.metadata,
        "tokenIds": ids,
        "text": index.text(ids),
        "blocked": False,
    }


def _document(
    index: ServedIndex, request: AttributionRequest, span: TokenSpan, place: AttributedPlace
) -> dict[str, Any]:
    long, at_long = place.cut(span.end - span.start, request.long)
    snippet, at_snippet = place.cut(span.end - span.start, request.snippet)
    return {
        **document_fields(index, place),
        "displayLengthLong": len(long),
        "needleOffsetLong": at_long,
        "textLong": index.text(long.tolist()),
        # The name that the service has; the value is a length.
        "displayOffsetSnippet": len(snippet),
        "needleOffsetSnippet": at_snippet,
        "textSnippet": index.text(snippet.tolist()),
    }


def part(host: Host) -> Part:
    """Make the routes."""

    async def listed(request: Request) -> Response:
        """The names of the indexes."""
        return Response(as_json([*host.indexes]), media_type="application/json")

    async def traced(request: Request) -> Response:
        """The spans of a text that occur, and documents around them."""
        try:
            index = host.index(request.path_params["index"])
            asked = read_attribution_request(await read_json(request))
            work = partial(_written, index, asked)
            return Response(await host.pool.ask(work, _DEADLINE), media_type="application/json")
        except RefusedError as refused:
            return problem(refused)

    return Part(
        (
            Route("/indexes", listed, methods=["GET"]),
            # The name of an index may have a slash.
            Route("/{index:path}/attribution", traced, methods=["POST"]),
        ),
        ("attribution",),
    )


def _written(index: ServedIndex, asked: AttributionRequest, cancel: CancelToken) -> bytes:
    return as_json(attributed(index, asked, cancel))


def problem(refused: RefusedError) -> Response:
    """Make a refusal as RFC 9457 has it."""
    is_busy = refused.status == 503 or isinstance(refused, LateError)
    # What infini-gram's protocol answers with 200 and an error cannot be answered.
    status = 503 if is_busy else {200: 422}.get(refused.status, refused.status)
    told = {
        "type": "server-overloaded" if is_busy else "about:blank",
        "title": "Server overloaded" if is_busy else HTTPStatus(status).phrase,
        "status": status,
        "detail": refused.sentence,
    }
    return Response(as_json(told), status, media_type="application/problem+json")

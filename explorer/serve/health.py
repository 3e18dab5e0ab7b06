"""`GET /healthz`: which program answers, what it can be asked, and about which indexes. `GET /health`: that it does."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.http.wire.infini_gram import PROTOCOL
from explorer.infini_gram.engine import TOKEN_WIDTHS
from explorer.serve.host import Host, Part
from explorer.serve.http import reply
from explorer.serve.indexes import ServedIndex
from explorer.version import VERSION


def part(host: Host) -> Part:
    """Make the route."""
    # Once: a fingerprint reads blocks of every shard, which the server's own thread must not wait for.
    described = [_described(index) for index in host.indexes.values()]

    async def healthz(request: Request) -> Response:
        """The program, what it can be asked, and its indexes."""
        return reply(
            {
                "name": "Corpus Explorer",
                "version": VERSION,
                "protocol": PROTOCOL,
                "capabilities": list(host.capabilities),
                "indexes": described,
            }
        )

    async def health(request: Request) -> Response:
        """That the server answers: nothing, with status 204."""
        return Response(status_code=204)

    # With and without a slash, as infinigram-api answers.
    alive = tuple(Route(path, health, methods=["GET"]) for path in ("/health", "/health/"))
    return Part((Route("/healthz", healthz, methods=["GET"]), *alive))


def _described(index: ServedIndex) -> dict[str, Any]:
    """What a client needs to know before it asks; no folder is in it."""
    backend = index.corpus.index
    # The separator is the largest id of its type.
    width = (backend.separator.bit_length() + 7) // 8
    return {
        "name": index.name,
        "fingerprint": backend.fingerprint,
        "documents": backend.document_count,
        "tokens": backend.token_count,
        "token_type": next(name for name, known in TOKEN_WIDTHS.items() if known == width),
        "separator": backend.separator,
        # The id under which next tokens have the end of a document.
        "end_of_document": index.counted.eos_token_id,
        "tokenizer": index.tokenizer.fingerprint or "bytes",
    }

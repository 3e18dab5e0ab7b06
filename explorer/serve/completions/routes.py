"""`/v1/models` and `/v1/completions`: OpenAI's older text interface, for its clients and for evaluation harnesses."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.http.wire.completions import CompletionError, CompletionRequest, error_body, read_completion_request
from explorer.http.wire.errors import RefusedError
from explorer.serve.completions.completions import complete, events, stream
from explorer.serve.completions.language_models import LanguageModels
from explorer.serve.host import Host, Part
from explorer.serve.http import RETRY_AFTER, as_json, read_json, reply

_DEADLINE = 60.0
"""Seconds per answer, or until the next part of a stream: texts take longer than counts, and a model learns first."""
_TOGETHER = 0.05
"""Seconds of a stream that are sent together."""


def part(host: Host) -> Part:
    """Make the routes."""
    models = LanguageModels({name: index.corpus for name, index in host.indexes.items()}, int(time.time()))

    async def listed(request: Request) -> Response:
        """The models: each index, and each index with each method."""
        return reply(models.listed())

    async def described(request: Request) -> Response:
        """One model."""
        return _answered(lambda: as_json(models.described(request.path_params["name"])))

    async def completed(request: Request) -> Response:
        """Texts that continue prompts, and log probabilities."""
        try:
            asked = read_completion_request(await read_json(request))
            if asked.stream:
                return await _streamed(host, models, asked)
            return await host.pool.ask(
                lambda cancel: _answered(lambda: as_json(complete(models, asked, cancel))), _DEADLINE
            )
        except CompletionError as error:
            return _refused(error)
        except RefusedError as refused:
            return _mapped(refused)

    return Part(
        (
            Route("/v1/models", listed, methods=["GET"]),
            # The name of an index may have a slash.
            Route("/v1/models/{name:path}", described, methods=["GET"]),
            Route("/v1/completions", completed, methods=["POST"]),
        ),
        ("completions",),
        lambda: _prepared(models),
    )


@asynccontextmanager
async def _prepared(models: LanguageModels) -> AsyncIterator[None]:
    """Learn the models that learn while the server runs, so that their first answers do not wait for it."""
    cancel = CancelToken()
    thread = threading.Thread(target=models.prepare, args=(cancel,), name="learning", daemon=True)
    thread.start()
    try:
        yield
    finally:
        cancel.cancel()
        await asyncio.to_thread(thread.join)


_TRIED = ("completions", "embeddings", "responses", "models", "chat", "messages", "moderations", "generate", "tokenize")
"""Names in addresses that clients of OpenAI's and similar interfaces try."""
SERVED = "GET /v1/models, GET /v1/models/MODEL and POST /v1/completions"


def not_served(request: Request, status: int) -> dict[str, Any] | None:
    """Give the error for an address that a client of language models tried; None for every other address."""
    path = request.url.path
    names = path.strip("/").split("/")
    if names[0] != "v1" and names[-1] not in _TRIED:
        return None
    sentence = f"{request.method} {path[:200]} is not served. This server answers {SERVED}."
    return error_body(sentence, status, "unknown_url" if status == 404 else "method_not_allowed")


def _answered(answer: Callable[[], bytes]) -> Response:
    """An answer, or why there is none."""
    try:
        return reply(answer())
    except CompletionError as error:
        return _refused(error)
    except QueryError as error:
        if error.path:
            raise
        return reply(error_body(str(error), 400, error.reason), 400)


def _refused(error: CompletionError) -> Response:
    return reply(error_body(str(error), error.status, error.code, error.param), error.status)


def _mapped(refused: RefusedError) -> Response:
    """What the other parts of the server refuse with, in the form of this interface."""
    status = 400 if refused.status == 200 else refused.status
    headers = {"Retry-After": RETRY_AFTER} if status == 503 else None
    return reply(error_body(refused.sentence, status), status, headers)


async def _streamed(host: Host, models: LanguageModels, asked: CompletionRequest) -> Response:
    token = CancelToken()
    # Before the answer begins: what is wrong with the request has a status of its own.
    parts = await host.pool.ask(lambda _: _begun(models, asked, token), _DEADLINE)
    if isinstance(parts, Response):
        return parts
    return StreamingResponse(_sent(host, events(parts), token), media_type="text/event-stream")


def _begun(models: LanguageModels, asked: CompletionRequest, token: CancelToken) -> Iterator[dict[str, Any]] | Response:
    try:
        return stream(models, asked, token)
    except CompletionError as error:
        return _refused(error)


async def _sent(host: Host, parts: Iterator[str], token: CancelToken) -> AsyncIterator[str]:
    """The events, a little at a time: the pool is free between, and whoever reads slowly is waited for."""
    try:
        while text := await host.pool.ask(lambda _: _some(parts), _DEADLINE):
            yield text
            if host.stopping:
                return
    except RefusedError as refused:
        # The answer has begun, so only the stream itself can tell.
        yield f"data: {as_json(error_body(refused.sentence, refused.status)).decode()}\n\n"
    finally:
        token.cancel()


def _some(parts: Iterator[str]) -> str:
    began, found = time.monotonic(), list[str]()
    for part in parts:
        found.append(part)
        if time.monotonic() - began > _TOGETHER:
            break
    return "".join(found)

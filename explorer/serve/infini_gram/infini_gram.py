"""`POST /` and `GET /`: the protocol of infini-gram's API."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.core.jobs import CancelToken
from explorer.http.wire.infini_gram import Limits, Question
from explorer.http.wire.reading import read_question
from explorer.serve.host import Host, Part
from explorer.serve.http import answers, as_json, read_json, reply
from explorer.serve.indexes import ServedIndex
from explorer.serve.infini_gram.answers import answer


def part(host: Host) -> Part:
    """Make the routes."""

    @answers
    async def ask(request: Request) -> Response:
        """The answer to a question of infini-gram's API: `index`, `query_type`, `query` or `query_ids`, and options."""
        question = read_question(await read_json(request), host.settings.limits)
        index = host.index(question.index)
        return reply(await host.pool.ask(partial(_written, index, question, host.settings.limits)))

    async def names(request: Request) -> Response:
        """The names of the indexes."""
        return reply(list(host.indexes))

    return Part((Route("/", ask, methods=["POST"]), Route("/", names, methods=["GET"])), ("infini-gram",))


def _written(index: ServedIndex, question: Question, limits: Limits, cancel: CancelToken) -> bytes:
    # Written here: the distribution over a whole vocabulary has megabytes.
    return as_json(answer(index, question, cancel, limits))

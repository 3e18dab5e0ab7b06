"""`POST /questions/{name}`: the questions of the seam, for Corpus Explorer on another machine."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.backends.asked.answers import Answers
from explorer.backends.asked.errors import TOLD, as_told
from explorer.backends.asked.questions import CAPABILITY, PATH, QuestionError
from explorer.core.jobs import CancelToken
from explorer.http.wire.errors import RefusedError
from explorer.serve.host import Host, Part
from explorer.serve.http import answers, as_json, read_json, reply


def part(host: Host) -> Part:
    """Make the route."""
    known: dict[str, Answers] = {}
    lock = threading.Lock()

    def answers_of(name: str) -> Answers:
        index = host.index(name).corpus.index
        with lock:
            return known.setdefault(name, Answers(index))

    @answers
    async def ask(request: Request) -> Response:
        """The answer to a question of this program, for another machine that runs it."""
        asked = await read_json(request)
        name = asked.get("index") if isinstance(asked, dict) else None
        if not isinstance(name, str):
            raise RefusedError("The question names no index", 400)
        work = partial(_written, answers_of(name), request.path_params["name"], asked.get("arguments"))
        return reply(await host.pool.ask(work))

    return Part((Route(f"{PATH}{{name}}", ask, methods=["POST"]),), (CAPABILITY,))


def _written(index: Answers, name: str, arguments: Any, cancel: CancelToken) -> bytes:
    """The answer, or the error that the index raised, which is an answer as well."""
    try:
        return as_json({"answer": index.answer(name, arguments, cancel)})
    except QuestionError as error:
        raise RefusedError(f"This is not a question: {error}", 400) from error
    except TOLD as error:
        if error.path:
            raise
        return as_json({"error": as_told(error)})

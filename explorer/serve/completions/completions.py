"""Completions: texts that a corpus continues, and log probabilities, as OpenAI's older interface has them."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.http.wire.completions import CompletionError, CompletionRequest, Prompt, error_body
from explorer.i18n import mark
from explorer.serve.completions.choices import Delta, Prompted, choice
from explorer.serve.completions.language_models import LanguageModels, ServedModel

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class _Answer:
    """What all parts of an answer have in common."""

    served: ServedModel
    request: CompletionRequest
    prompts: tuple[Prompted, ...]
    id: str = field(default_factory=lambda: f"cmpl-{secrets.token_hex(12)}")
    created: int = field(default_factory=lambda: int(time.time()))

    def body(self, choices: list[dict[str, Any]], written: int | None = None) -> dict[str, Any]:
        """An answer, or a part of one; with `written` tokens, the usage too."""
        body: dict[str, Any] = {
            "id": self.id,
            "object": "text_completion",
            "created": self.created,
            "model": self.request.model,
            "system_fingerprint": self.served.fingerprint,
            "choices": choices,
        }
        if written is not None:
            read = sum(len(each.ids) for each in self.prompts)
            body["usage"] = {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            }
        return body

    def deltas(self, cancel: CancelToken | None) -> Iterator[Delta]:
        """All choices, one after another."""
        count = self.request.n
        # Without a seed a draw by chance differs each time; without chance nothing does.
        seed = self.request.seed if self.request.seed is not None else secrets.randbits(62)
        if self.request.seed is None and self.request.temperature == 0:
            seed = 0
        for number, prompt in enumerate(self.prompts):
            for part in range(count):
                yield from choice(self.served, self.request, prompt, number * count + part, seed + part, cancel)


def complete(models: LanguageModels, request: CompletionRequest, cancel: CancelToken | None = None) -> dict[str, Any]:
    """Answer a request at once.

    Raises `CompletionError` if there is no such model, or a prompt is not one of its tokens.
    Raises `CorpusError` if the index cannot be read.

    Examples
    --------
    >>> from explorer.http.wire.completions import CompletionRequest
    >>> request = CompletionRequest("cats", ("the cat sat",), max_tokens=3, temperature=0)
    >>> complete(LanguageModels({"cats": corpus}, 0), request)["choices"][0]["text"]
    ' on the mat'
    """
    answer = _begun(models, request)
    merged = {number: Delta(number) for number in range(len(request.prompts) * request.n)}
    for part in answer.deltas(cancel):
        merged[part.number] = merged[part.number].joined(part)
    choices = [part.body(request.logprobs is not None) for part in merged.values()]
    return answer.body(choices, sum(part.written for part in merged.values()))


def stream(
    models: LanguageModels, request: CompletionRequest, cancel: CancelToken | None = None
) -> Iterator[dict[str, Any]]:
    """Answer a request part by part.

    Returns: The parts, each made when it is asked for.
    Raises `CompletionError, CorpusError, Cancelled` as from `complete`; a wrong request is refused before the first
        part is asked for.
    """
    return _parts(_begun(models, request), cancel)


def _parts(answer: _Answer, cancel: CancelToken | None) -> Iterator[dict[str, Any]]:
    written = 0
    for part in answer.deltas(cancel):
        written += part.written
        yield answer.body([part.body(answer.request.logprobs is not None)])
    if answer.request.with_usage:
        yield answer.body([], written)


def events(parts: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Write the parts of an answer as events of a stream.

    Yields: An event of HTML's `text/event-stream`. The last one is `[DONE]`, or the error that ended the answer early.
    Raises `CorpusError` if the index can no longer be read, or the work was cancelled.
    """
    try:
        for part in parts:
            yield _event(part)
    except QueryError as error:
        # The answer has begun, so its status can no longer tell. Other errors may name files.
        if error.path:
            raise
        yield _event(error_body(str(error), 400, error.reason))
        return
    yield "data: [DONE]\n\n"


def _event(body: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False, allow_nan=False)}\n\n"


def _begun(models: LanguageModels, request: CompletionRequest) -> _Answer:
    served = models.get(request.model)
    return _Answer(served, request, tuple(_prompted(served, each) for each in request.prompts))


def _prompted(served: ServedModel, prompt: Prompt) -> Prompted:
    """A prompt as ids, with the character at which each begins."""
    index = served.corpus.index
    if isinstance(prompt, str):
        encoded = index.tokenizer.encode_with_offsets(prompt)
        return Prompted(prompt, encoded.ids, encoded.starts)
    try:
        ids: Numbers = index.counts.check_ids(np.array(prompt, dtype=np.int64))
    except (QueryError, OverflowError) as error:
        raise CompletionError(
            mark("The prompt has an id that is not a token: {cause}"), param="prompt", cause=error
        ) from error
    if int(ids.max(initial=0)) >= index.tokenizer.vocabulary_size:
        raise CompletionError(
            mark("The prompt has an id that is not a token: the vocabulary has {count:,}."),
            param="prompt",
            count=index.tokenizer.vocabulary_size,
        )
    return Prompted.of_ids(index, ids)

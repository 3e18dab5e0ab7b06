"""One text of a completion: its tokens, their log probabilities, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.analyses.model.generation import Written
from explorer.analyses.model.methods import MOST_CONTEXT
from explorer.backends.documents.reading import decode_ids
from explorer.backends.protocol.protocol import Backend
from explorer.core.arrays import ArrayValue
from explorer.core.jobs import CancelToken
from explorer.export.records.perplexity import written_records
from explorer.http.wire.completions import CompletionRequest
from explorer.serve.completions.language_models import ServedModel
from explorer.serve.completions.unfolding import Unfolding
from explorer.text.tokens.tokenizer import TextTokenizer

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Prompted(ArrayValue):
    """A prompt.

    starts: The character at which each begins, int64.
    """

    text: str
    ids: Numbers
    starts: Numbers

    @classmethod
    def of_ids(cls, index: Backend, ids: Numbers) -> Self:
        """Give the prompt of token ids."""
        found = decode_ids(index, ids, begins=True)
        return cls(found.text, ids, found.starts[:-1])


@dataclass(frozen=True)
class TokenLog:
    """A token of a choice.

    text: Its text; "bytes:…" for a part of a character.
    offset: The character at which it begins, in prompt and text.
    logprob: Its natural logarithm; None for a token with nothing before it.
    top: The most probable tokens in its place; None if none were asked for.
    """

    text: str
    offset: int
    logprob: float | None
    top: dict[str, float] | None
    source: dict[str, Any]


@dataclass(frozen=True)
class Delta:
    """A choice, or a part of it.

    prompt: Tokens of the prompt, if it is repeated.
    tokens: Tokens that were written.
    finish: Why it ends: "stop" or "length"; None while it does not.
    written: How many tokens were written, those after a stop included.
    """

    number: int
    text: str = ""
    prompt: tuple[TokenLog, ...] = ()
    tokens: tuple[TokenLog, ...] = ()
    finish: str | None = None
    written: int = 0

    def joined(self, after: Delta) -> Delta:
        """Append the next part."""
        return replace(
            self,
            text=self.text + after.text,
            prompt=self.prompt + after.prompt,
            tokens=self.tokens + after.tokens,
            finish=after.finish,
            written=self.written + after.written,
        )

    def body(self, logprobs: bool) -> dict[str, Any]:
        """Give it as JSON.

        logprobs: Whether log probabilities were asked for.
        """
        tokens = self.prompt + self.tokens
        has_top = any(each.top is not None for each in tokens)
        logs = {
            "tokens": [each.text for each in tokens],
            "token_logprobs": [each.logprob for each in tokens],
            "top_logprobs": [each.top for each in tokens] if has_top else None,
            "text_offset": [each.offset for each in tokens],
        }
        sources: dict[str, Any] = {"written": [each.source for each in self.tokens]}
        if self.prompt:
            sources["prompt"] = [each.source for each in self.prompt]
        return {
            "text": self.text,
            "index": self.number,
            "logprobs": logs if logprobs else None,
            "finish_reason": self.finish,
            "explorer": sources,
        }


def choice(
    served: ServedModel,
    request: CompletionRequest,
    prompt: Prompted,
    number: int,
    seed: int,
    cancel: CancelToken | None = None,
) -> Iterator[Delta]:
    """Write one text.

    Yields: The next part; the last one tells why the text ends.
    """
    if request.echo:
        yield Delta(number, prompt.text, _prompt_logs(served, request, prompt, cancel))
    yield from _written(served, request, prompt, number, seed, cancel)


def _prompt_logs(
    served: ServedModel, request: CompletionRequest, prompt: Prompted, cancel: CancelToken | None
) -> tuple[TokenLog, ...]:
    if request.logprobs is None or not len(prompt.ids):
        return ()
    ids, tokenizer = prompt.ids, served.corpus.index.tokenizer
    score = served.model.score(ids, cancel=cancel)
    # The first token has nothing before it, so it is not scored.
    logs: list[float | None] = [None, *served.logarithms(ids[1:], score.probabilities).tolist()]
    sources: list[dict[str, Any]] = [{"suffix_len": None, "zero": False, "fallback": ""}]
    scored = zip(score.context_lengths.tolist(), score.probabilities.tolist(), score.fallbacks, strict=True)
    for length, share, fallback in scored:
        sources.append({"suffix_len": length, "zero": share == 0, "fallback": fallback})
    made = []
    for at, token in enumerate(ids.tolist()):
        log = logs[at]
        top = None
        if request.logprobs and log is not None:
            top = _top(served, ids[:at], token, log, request.logprobs, cancel)
        text = _spelled(tokenizer, token, begins=at == 0)
        made.append(TokenLog(text, int(prompt.starts[at]), log, top, sources[at]))
    return tuple(made)


def _written(
    served: ServedModel,
    request: CompletionRequest,
    prompt: Prompted,
    number: int,
    seed: int,
    cancel: CancelToken | None,
) -> Iterator[Delta]:
    """The text after the prompt, in parts that no later token changes."""
    text = Unfolding(served.corpus.index.tokenizer, prompt.ids[-4:].tolist(), request.stop)
    context, held, count, sent = prompt.ids[-MOST_CONTEXT:], list[TokenLog](), 0, 0
    for each in _writing(served, request, prompt, seed, cancel):
        begin = text.add(each.token)
        held.append(_log(served, request, context, each, len(prompt.text) + begin, cancel))
        context = np.append(context[1 - MOST_CONTEXT :], each.token)
        count += 1
        ready, held = _parted(held, len(prompt.text) + text.safe)
        finish = None if text.stopped is None else "stop"
        # A part of a character, or of a stop, waits for what follows.
        if (new := text.take()) or ready or finish:
            yield Delta(number, new, (), ready, finish, count - sent)
            sent = count
        if finish:
            return
    finish = "length" if count == request.max_tokens else "stop"
    yield Delta(number, text.take(everything=True), (), tuple(held), finish, count - sent)


def _writing(
    served: ServedModel, request: CompletionRequest, prompt: Prompted, seed: int, cancel: CancelToken | None
) -> Iterator[Written]:
    if not request.max_tokens:
        return iter(())
    # Evaluation harnesses ask for one token beside the log probabilities of the prompt, and cut the last one off. If a
    # document could end there, they would cut off one of the prompt.
    ends = not (request.echo and request.logprobs is not None)
    return served.model.write(
        prompt.ids,
        max_tokens=request.max_tokens,
        temperature=request.temperature,
        top_p=request.top_p,
        seed=seed,
        stop_at_ends=ends,
        cancel=cancel,
    )


def _parted(held: Sequence[TokenLog], end: int) -> tuple[tuple[TokenLog, ...], list[TokenLog]]:
    """The tokens that begin before a character, and the others."""
    return tuple(each for each in held if each.offset < end), [each for each in held if each.offset >= end]


def _log(
    served: ServedModel,
    request: CompletionRequest,
    context: Numbers,
    written: Written,
    offset: int,
    cancel: CancelToken | None,
) -> TokenLog:
    index = served.corpus.index
    text = _spelled(index.tokenizer, written.token, begins=not len(context))
    record = next(written_records(index, context, [written], [text]))
    longest = record.levels[0] if record.levels else None
    source = {
        "token": written.token,
        "suffix_len": longest.n if longest else 0,
        "prompt_cnt": longest.m if longest else 0,
        "cont_cnt": longest.count if longest else 0,
        "document": record.document,
        "offset": record.offset,
    }
    if request.logprobs is None:
        return TokenLog(text, offset, None, None, source)
    log = float(np.log(written.share))
    top = _top(served, context, written.token, log, request.logprobs, cancel) if request.logprobs else None
    return TokenLog(text, offset, log, top, source)


def _top(
    served: ServedModel, context: Numbers, token: int, log: float, most: int, cancel: CancelToken | None
) -> dict[str, float]:
    """The most probable tokens after a context, by their texts, and the token that comes."""
    found = served.model.distribution(context[-MOST_CONTEXT:], cancel=cancel)
    begins, tokenizer = not len(context), served.corpus.index.tokenizer
    top: dict[str, float] = {}
    for other, share in zip(found.tokens[:most].tolist(), found.probabilities[:most].tolist(), strict=True):
        if share > 0:
            # The token that comes has one number, to the last digit: harnesses compare it with the largest. Two tokens
            # may have one text; the more probable one comes first.
            top.setdefault(_spelled(tokenizer, other, begins), log if other == token else float(np.log(share)))
    top.setdefault(_spelled(tokenizer, token, begins), log)
    return top


def _spelled(tokenizer: TextTokenizer, token: int, begins: bool) -> str:
    """The text of a token; of a part of a character its bytes, in the form that OpenAI gives them."""
    data = tokenizer.token_bytes(token)
    if begins:
        data = data[tokenizer.artificial_bytes(token) :]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in data)

"""Texts with the log probabilities that a server gives their tokens, in a form that survives an interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from explorer.core.files.encoding import replace_surrogates
from explorer.core.jobs import CancelToken, Progress, Report, no_report
from explorer.errors import CorpusError
from explorer.i18n import mark
from explorer.neural.address import Confirm, ServerError
from explorer.neural.records import ScoredText, ScoredToken
from explorer.neural.servers import ScoringServer, open_server

Keep = Callable[[ScoredText], None]
"""Called with an incomplete text."""

_KEPT_EVERY = 1000


def ask_model(
    url: str,
    texts: Iterable[str],
    *,
    done: Sequence[ScoredText] = (),
    top: int = 0,
    window: int = 1024,
    timeout: float = 120.0,
    confirm: Confirm | None = None,
    key: str | None = None,
    report: Report = no_report,
    cancel: CancelToken | None = None,
) -> Iterator[ScoredText]:
    """Ask a language model of a server for the log probability of each token of texts.

    Parameters
    ----------
    url
        The server's address, such as "http://localhost:8080". It has llama.cpp's interface, or OpenAI's with log
        probabilities of the prompt, such as vLLM.
    texts
        The texts.
    done
        The first of them as far as they were scored before: the work continues after the last token. See
        `read_scored` for a file of them.
    top
        How many of the most probable tokens to list with each token, from 0.
    window
        Most tokens of context, from 8: a longer text is scored in windows that overlap by half. OpenAI's interface
        has no windows.
    timeout
        Most seconds until an answer is complete.
    confirm
        Asked with the name of a host that is not this machine, before anything is sent; None to refuse it. No name is
        looked up to decide this: localhost, 127.0.0.0/8 and ::1 are this machine.
    key
        The key that the server asks for; None for no key. It is sent to a server of this machine, or encrypted; it is
        not kept, and no message has it.
    report
        Called with the tokens that are done.
    cancel
        Stops the work within 0.2 s.

    Yields
    ------
    ScoredText
        Each text, in order. If the work fails or is cancelled within a text, the text comes with the tokens that it
        has, and the error is raised when the next one is asked for.

    Raises
    ------
    ServerError
        If the address is not one or is not confirmed, or the server does not give what can be used.
    Cancelled
        If it was cancelled.

    Notes
    -----
    llama.cpp's interface takes one request and one step of the model per token. The text is scored as it is, without a
    chat template.

    Examples
    --------
    >>> import explorer
    >>> next(explorer.ask_model("http://example.com", ["the cat sat"]))
    Traceback (most recent call last):
    explorer.neural.address.ServerError: example.com:80 is not this machine: every text would be sent to it. ...
    """
    with open_server(url, window=window, timeout=timeout, confirm=confirm, key=key, cancel=cancel) as server:
        yield from score_texts(server, texts, done, top, report, cancel)


def score_texts(
    server: ScoringServer,
    texts: Iterable[str],
    done: Sequence[ScoredText] = (),
    top: int = 0,
    report: Report = no_report,
    cancel: CancelToken | None = None,
    keep: Keep | None = None,
) -> Iterator[ScoredText]:
    """Ask a server for the log probabilities of texts.

    done: The first of them as far as they were scored before; the last one may be incomplete.
    top: How many of the most probable tokens to list with each token, from 0.
    report: Called with the tokens that are done, or with the texts where the server does not count tokens.
    keep: Called with a long text as far as it is scored, every 1,000 tokens.
    Yields: Each text, in order, those that are done included. If the work fails or is cancelled within a text, the text
        comes with the tokens that it has, and the error is raised when the next one is asked for.
    Raises `ServerError` if an answer cannot be used, or `done` is of other texts or of another model.
    """
    given = list(texts)
    # Before the first request that takes long, so that the time that is left can be told from the start.
    counts = [server.count(text, cancel) for text in given]
    total = sum(count or 0 for count in counts) if None not in counts else 0
    before = 0
    for number, text in enumerate(given):
        kept = _kept(done[number], text, server.model, number) if number < len(done) else ()
        tokens = list(kept)
        failed: BaseException | None = None
        try:
            for token in server.score(text, kept, top, cancel):
                tokens.append(token)
                if keep is not None and len(tokens) % _KEPT_EVERY == 0:
                    keep(ScoredText(replace_surrogates(text), tuple(tokens), server.model))
                if total:
                    report(Progress("Asking the model", before + len(tokens), total, "tokens"))
        # Ctrl+C as well: what an hour of requests has given is not thrown away.
        except (CorpusError, KeyboardInterrupt) as error:
            failed = error
        # The text comes first and the error after it, so that a caller who keeps each text has this one, too.
        yield ScoredText(replace_surrogates(text), tuple(tokens), server.model)
        if failed is not None:
            raise failed
        # A text without tokens is done, too.
        before += len(tokens)
        if not total:
            report(Progress("Asking the model", number + 1, len(given), "texts"))


def _kept(done: ScoredText, text: str, model: str, number: int) -> tuple[ScoredToken, ...]:
    """The tokens of a text that was scored before."""
    # Scores of another text or model would be joined to these without anybody noticing.
    if done.text != replace_surrogates(text):
        raise ServerError(
            mark("Text {number:,} is not the one that was scored before."), reason="other-texts", number=number + 1
        )
    if done.model != model:
        raise ServerError(
            mark("The first texts were scored by {before}, not by {model}."),
            reason="other-model",
            before=done.model,
            model=model,
        )
    return done.tokens

"""Opening an index of infini-gram's protocol: is it there, how large is it, and does the tokenizer fit?"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from explorer.backends.asked.backend import AskedBackend
from explorer.backends.asked.open import open_asked
from explorer.backends.asked.questions import CAPABILITY
from explorer.backends.local.open import load_tokenizer
from explorer.backends.remembered import remembered
from explorer.backends.remote.backend import RemoteBackend, RemoteFacts
from explorer.backends.remote.mini import SEPARATOR, MiniService
from explorer.backends.remote.service import Service
from explorer.backends.request import IndexRequest
from explorer.core.jobs import CancelToken, Report, no_report
from explorer.errors import CorpusError, TokenizerError
from explorer.http.cache import key_of, shared_cache
from explorer.http.client import Client, Request, read_json
from explorer.http.consent import remote_address
from explorer.http.errors import RemoteError
from explorer.http.wire.infini_gram import PROTOCOL
from explorer.i18n import mark
from explorer.text.tokens.tokenizer import BYTES_NAME, TextTokenizer

_UNREACHED = ("name-not-found", "no-service", "timed-out", "connection-broke", "proxy-failed", "service-busy")
"""Reasons for which answers that were kept are better than none."""

_SEPARATORS = (2**32 - 1, 2**16 - 1, 2**8 - 1)
"""The largest id of each width. From the widest: in an index of wider tokens, a smaller one may be a word."""

_TEXT_WANTED = "'query'"

_SAMPLE = " The café of naïve Zoë cost 1,250 $ in 2024:\n\tdef f(x): return x"
_LEAST_FIT = 0.95


def open_remote(
    request: IndexRequest, report: Report = no_report, cancel: CancelToken | None = None
) -> RemoteBackend | AskedBackend:
    """Open an index of a service.

    Returns: The index; the second if its server takes the questions of the seam.
    Raises `RemoteError` if the address may not be asked, or does not answer.
    Raises `TokenizerError` if the tokenizer cannot be read, or is not that of the index.
    Raises `CorpusError` if the service has no such index, or its answers cannot be used.

    Notes
    -----
    Where the service does not answer, the index is opened with what was kept of it, if anything was.
    """
    address = remote_address(request.sources[0], (lambda host: True) if request.allow_remote else None)
    parts = Client(address, request.token), address.fragment, shared_cache()
    facts = _facts(Service(*parts), MiniService(*parts), cancel)
    service = (MiniService if facts.is_mini else Service)(*parts)
    service.edition = facts.edition
    if facts.takes_questions and not facts.is_kept:
        again = (open_remote, (request,))
        return open_asked(service.client, service.name, request.tokenizer, request.check_fit, cancel, reopening=again)
    # What it counts are bytes, whatever tokenizer is named.
    tokenizer = load_tokenizer(BYTES_NAME) if facts.is_mini else _tokenizer(service, request)
    if tokenizer is not None and not facts.is_mini and request.check_fit and not facts.is_kept:
        _check_fit(service, tokenizer, cancel)
    return RemoteBackend(service, facts, tokenizer, (open_remote, (request,)))


def _facts(service: Service, mini: MiniService, cancel: CancelToken | None) -> RemoteFacts:
    key = key_of(service.url, service.name, "facts")
    kept = service.cache.get(key)
    known = None if kept is None else RemoteFacts(**kept.value)
    try:
        facts = _asked_facts(service, mini, known, cancel)
    except RemoteError as error:
        if error.reason in _UNREACHED and known is not None:
            return replace(known, is_kept=True)
        raise
    service.cache.put(key, asdict(facts))
    return facts


def _asked_facts(
    service: Service, mini: MiniService, known: RemoteFacts | None, cancel: CancelToken | None
) -> RemoteFacts:
    """What the service reports about the index now: it also shows whether what was kept is of this index."""
    # The public API has no such page, which is asked once.
    if (known is None or known.is_ours) and (described := _described(service, cancel)) is not None:
        return described
    if known is not None and known.is_mini:
        return _mini_facts(mini, known, cancel)
    try:
        tokens = _asked(service, cancel)
    except RemoteError as error:
        # Infini-gram mini wants a text, and names the field before it looks for the index.
        if _TEXT_WANTED not in str(error):
            raise
        return _mini_facts(mini, None, cancel)
    if known is not None and not known.is_ours and known.token_count == tokens:
        return known
    # Before the first answer is kept: the same name may mean another index one day.
    service.edition = str(tokens)
    return RemoteFacts(tokens, *_separated(service, cancel), edition=str(tokens))


def _mini_facts(mini: MiniService, known: RemoteFacts | None, cancel: CancelToken | None) -> RemoteFacts:
    question = mini.question("count", ())
    answer = mini.checked(question, mini.client.ask(Request.of_json(question.payload), cancel))
    tokens = int(answer["count"])
    if known is not None and known.token_count == tokens:
        return known
    mini.edition = str(tokens)
    documents = mini.document_count(len(answer["segment_by_shard"]), cancel)
    return RemoteFacts(tokens, documents, SEPARATOR, edition=str(tokens), is_mini=True)


def _described(service: Service, cancel: CancelToken | None) -> RemoteFacts | None:
    """What a server of this program reports about the index; None if it is another one, or has no such index."""
    try:
        found = read_json(service.client.ask(Request("/healthz"), cancel), service.client.address)
    except RemoteError as error:
        if error.reason in _UNREACHED:
            raise
        return None
    indexes = found.get("indexes", ()) if isinstance(found, dict) and found.get("protocol") == PROTOCOL else ()
    for index in indexes:
        if index.get("name") == service.name:
            numbers = [index.get(name) for name in ("tokens", "documents", "separator", "end_of_document")]
            if not all(type(number) is int and number >= 0 for number in numbers):
                raise service.unusable("the figures of the index are not numbers")
            tokens, documents, separator, end = numbers
            asked = CAPABILITY in (found.get("capabilities") or ())
            return RemoteFacts(tokens, documents, separator, end, str(index.get("fingerprint")), True, asked)
    return None


def _asked(service: Service, cancel: CancelToken | None) -> int:
    """All tokens of the index, from the service itself."""
    question = service.question("count", ())
    try:
        reply = service.client.ask(Request.of_json(question.payload), cancel)
        return int(service.checked(question, reply)["count"])
    except RemoteError as error:
        names = _names(service, cancel) if error.reason in ("service-reports", "bad-status") else []
        if not names or service.name in names:
            raise
        raise CorpusError(
            mark('{host} has no index "{name}". It has: {names}.'),
            reason="no-such-index",
            host=service.host,
            name=service.name,
            names=", ".join(names),
        ) from error


def _names(service: Service, cancel: CancelToken | None) -> list[str]:
    """The indexes of the service; none if it does not tell."""
    try:
        found = read_json(service.client.ask(Request(), cancel), service.client.address)
    except RemoteError:
        return []
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def _separated(service: Service, cancel: CancelToken | None) -> tuple[int, int]:
    """The number of documents, and the token before each."""
    for separator in _SEPARATORS:
        try:
            count = service.ask("count", (separator,), cancel)["count"]
        except RemoteError as error:
            # It is not one of the ids of this index.
            if error.reason not in ("service-reports", "bad-status"):
                raise
        else:
            if count:
                return count, separator
    raise service.unusable("the number of its documents cannot be found out")


def _tokenizer(service: Service, request: IndexRequest) -> TextTokenizer | None:
    choice: Any = request.tokenizer if request.tokenizer is not None else request.default_tokenizer
    if choice is not None:
        return load_tokenizer(choice)
    kept = remembered(tokenizer_key(service.url, service.name))
    return None if kept is None else kept.load()


def tokenizer_key(url: str, name: str) -> str:
    """Name the note about the tokenizer of an index, see `explorer.backends.remembered`."""
    return key_of(url, name, "tokenizer").hex()[:32]


def _check_fit(service: Service, tokenizer: TextTokenizer, cancel: CancelToken | None) -> None:
    """Raise TokenizerError if the service reads the ids of a text as other tokens."""
    ids = tokenizer.encode(_SAMPLE)
    try:
        pieces = service.ask("count", ids, cancel)["tokens"]
    except RemoteError as error:
        if error.reason != "service-reports":
            raise
        # An id that the other tokenizer does not have.
        pieces = []
    same = [_same(tokenizer, token, piece) for token, piece in zip(ids.tolist(), pieces, strict=False)]
    if sum(same) < _LEAST_FIT * len(ids):
        raise TokenizerError(
            mark("The tokenizer {tokenizer} is not that of {name}: {host} reads its ids as other tokens."),
            reason="tokenizer-does-not-fit",
            option="check_fit",
            tokenizer=tokenizer.name,
            name=service.name,
            host=service.host,
        )


def _same(tokenizer: TextTokenizer, token: int, piece: object) -> bool:
    """Whether a service means the same token: by the spelling of the vocabulary, or by its text."""
    if tokenizer.backend is not None and piece == tokenizer.backend.id_to_token(token):
        return True
    text = tokenizer.token_bytes(token)
    # Bytes are written as the character with their number.
    return piece in (text.decode("utf-8", "replace"), text.decode("latin-1"))

"""Questions to an index of infini-gram's protocol: sent, checked, and kept."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from explorer.backends.protocol.protocol import Ids
from explorer.backends.remote.sense import DOCUMENT_IDS, nonsense
from explorer.core.jobs import CancelToken
from explorer.errors import CapabilityError
from explorer.http.cache import AnswerCache, key_of
from explorer.http.client import Client, Reply, Request, read_json
from explorer.http.errors import RemoteError, stated
from explorer.http.wire.errors import BadReplyError
from explorer.http.wire.infini_gram import LIMITS, QUERY_TYPES, Question, check_reply
from explorer.i18n import mark, tr

Answer = dict[str, Any]


class Service:
    """Asks one index of a service.

    name: The name of the index there.
    edition: What tells this content of the index from another one under the same name; part of the keys of kept
        answers.
    """

    def __init__(self, client: Client, name: str, cache: AnswerCache) -> None:
        self.client, self.name, self.cache = client, name, cache
        self.edition = ""
        self._lock = threading.Lock()
        self._oldest: float | None = None
        self.limits = LIMITS

    @property
    def host(self) -> str:
        """The name of the host, for sentences."""
        return self.client.address.short

    @property
    def url(self) -> str:
        """The address of the service."""
        return self.client.address.origin + self.client.address.path

    @property
    def oldest(self) -> float | None:
        """When the oldest answer was fetched that was taken from the disk, in seconds since 1970; None for none."""
        return self._oldest

    def question(self, kind: str, ids: Any, **numbers: int) -> Question:
        """Make a question.

        Raises `CapabilityError` if there are more tokens than the service takes.
        """
        # Python's integers, which JSON takes.
        plain = [int(token) for token in ids]
        self.check_length(len(plain))
        return Question(self.name, QUERY_TYPES[kind], query_ids=plain, numbers=numbers)

    def check_length(self, tokens: int) -> None:
        """Refuse an n-gram that is too long to ask about."""
        if tokens > self.limits.tokens:
            raise CapabilityError(
                tr(
                    "{host} can be asked about {most:,} tokens at once, and these are {tokens:,}.",
                    host=self.host,
                    most=self.limits.tokens,
                    tokens=tokens,
                )
            )

    def ask(self, kind: str, ids: Ids, cancel: CancelToken | None = None, **numbers: int) -> Answer:
        """Ask one question.

        Returns: The answer, whose fields have the types of the protocol.
        Raises `RemoteError` if there is no answer.
        Raises `BadReplyError` if it is not the answer to this question.
        """
        return self.ask_many([self.question(kind, ids, **numbers)], cancel)[0]

    def ask_many(self, questions: Sequence[Question], cancel: CancelToken | None = None) -> list[Answer]:
        """Ask many questions; each different one once, and none that was answered before."""
        if cancel is not None:
            cancel.check()
        keys = [self._key(question) for question in questions]
        found: dict[bytes, Answer] = {}
        open_ones: dict[bytes, Question] = {}
        for key, question in zip(keys, questions, strict=True):
            if key not in found and key not in open_ones:
                kept = self._kept(key)
                if kept is None:
                    open_ones[key] = question
                else:
                    found[key] = kept
        self._fetch(open_ones, found, cancel)
        return [found[key] for key in keys]

    def forget(self, question: Question) -> None:
        """Forget an answer that turned out to be wrong."""
        self.cache.remove(self._key(question))

    def _key(self, question: Question) -> bytes:
        return key_of(self.url, self.name, [self.edition, question.payload])

    def _kept(self, key: bytes) -> Answer | None:
        kept = self.cache.get(key)
        if kept is None:
            return None
        with self._lock:
            self._oldest = min(kept.fetched, self._oldest or kept.fetched)
        value: Answer = kept.value
        return value

    def _fetch(self, questions: dict[bytes, Question], found: dict[bytes, Answer], cancel: CancelToken | None) -> None:
        if not questions:
            return
        keys = [*questions]
        requests = [Request.of_json(question.payload) for question in questions.values()]

        def took(number: int, reply: Reply) -> None:
            answer = self.checked(questions[keys[number]], reply)
            # A sample is another one next time.
            self.cache.put(keys[number], answer, across_runs=not answer.get("approx", False))
            found[keys[number]] = answer

        self.client.ask_many(requests, cancel, took)

    def checked(self, question: Question, reply: Reply) -> Answer:
        """Read an answer.

        Raises `RemoteError` if the service reports an error.
        Raises `BadReplyError` if it is not the answer to this question.
        """
        value = self.read(reply)
        try:
            check_reply(question.kind, value)
        except BadReplyError as error:
            raise self.unusable(error) from error
        # With a document come its own tokens, or those of the question: see `Views`.
        if "doc_ix" not in question.kind.reply and value["token_ids"] != question.query_ids:
            raise self.unusable("the answer is about other tokens")
        if wrong := nonsense(question, value):
            raise self.unusable(wrong)
        return {name: value[name] for name in (*question.kind.reply, "tokens", DOCUMENT_IDS) if name in value}

    def read(self, reply: Reply) -> Any:
        """Read the value of an answer that reports no error."""
        value = read_json(reply, self.client.address)
        # A status of 200 does not mean success.
        if isinstance(value, dict) and "error" in value:
            raise self.reported(stated(reply.data))
        return value

    def reported(self, text: str) -> RemoteError:
        """Make the error for what the service reports."""
        return RemoteError(mark("{host} reports: {text}"), reason="service-reports", host=self.host, text=text)

    def unusable(self, cause: object) -> BadReplyError:
        """Make the error for an answer that makes no sense."""
        return BadReplyError(
            mark("{host} gave an answer that cannot be used: {cause}"),
            reason="bad-reply",
            host=self.host,
            cause=str(cause).rstrip("."),
        )

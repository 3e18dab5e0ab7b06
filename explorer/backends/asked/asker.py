"""One index on another machine that answers the questions of the seam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from explorer.backends.asked.plausible import Bounds, is_plausible
from explorer.backends.asked.questions import QUESTIONS, QuestionError, read_answer, written
from explorer.backends.protocol.values import Numbers
from explorer.core.jobs import CancelToken
from explorer.errors import CorpusError
from explorer.i18n import mark

Send = Callable[[str, list[Any], CancelToken | None], Any]
"""Sends a question with its arguments, both as JSON, and gives the answer as JSON. Raises CorpusError."""


class AnswerError(CorpusError):
    """An index on another machine gave an answer that cannot be one."""


class Asker:
    """Asks one index, and lets through only what can be an answer.

    send: How a question reaches the index; called from any thread.
    host: The name of the machine, for errors.
    """

    def __init__(self, send: Send, host: str) -> None:
        self.send = send
        self.host = host
        # Known when the index has described itself.
        self.bounds: Bounds | None = None

    def ask(self, name: str, *arguments: Any, cancel: CancelToken | None = None) -> Any:
        """Ask a question.

        Raises `AnswerError` if it is of another kind, or has numbers that no answer can have.
        Raises `CorpusError` if there is none.
        """
        answer = self.send(name, written(arguments), cancel)
        try:
            found = read_answer(QUESTIONS[name], answer)
        except QuestionError as error:
            raise self.wrong(name) from error
        if self.bounds is not None and not is_plausible(name, found, arguments, self.bounds):
            raise self.wrong(name)
        return found

    def many(self, name: str, count: int, *arguments: Any, cancel: CancelToken | None = None) -> Any:
        """Ask a question whose answer has one entry per item; raises AnswerError if it has more or fewer."""
        answer = self.ask(name, *arguments, cancel=cancel)
        if len(answer) != count:
            raise self.wrong(name)
        return answer

    def wrong(self, name: str) -> AnswerError:
        """The error for an answer that cannot be one."""
        sentence = mark("{host} answered the question {question} with something that cannot be its answer.")
        return AnswerError(sentence, reason="wrong-answer", host=self.host, question=name)


def as_numbers(values: Numbers) -> Numbers:
    """The same numbers as int64, which is what questions take."""
    return np.asarray(values, dtype=np.int64)

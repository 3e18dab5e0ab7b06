"""What is wrong with a question or with an answer, as both ends tell each other."""

from __future__ import annotations

from explorer.errors import CorpusError

PREFIX = "[Flask] "
"""What a refusal with a status begins with: the API's own, which clients may look for."""


class RefusedError(Exception):
    """A question that is not answered; the message is the value of `error` in the answer.

    status: The status of the answer: 200 for a question beyond a limit, 400 for one that cannot be read, 500 for a
        failure, 503 for a server with too much to do.
    """

    def __init__(self, sentence: str, status: int = 200) -> None:
        super().__init__(sentence if status == 200 else PREFIX + sentence)
        self.sentence, self.status = sentence, status

    @property
    def reply(self) -> dict[str, str]:
        """The answer.

        Examples
        --------
        >>> RefusedError("Invalid index: news", 400).reply
        {'error': '[Flask] Invalid index: news'}
        """
        return {"error": str(self)}


class BadReplyError(CorpusError):
    """An answer lacks a field, or a field has another type."""

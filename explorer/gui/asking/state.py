"""What the tabs of the Statistics screen have in common: an answer that may need the index of words. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from explorer.backends.metadata import texts_first
from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.index.word_index import offer
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import no_index, told, why_unable
from explorer.i18n import mark, tr


class TabAnswer(Protocol):
    """What a tab is told."""

    @property
    def rule(self) -> Any:
        """What was asked."""

    @property
    def bytes(self) -> int:
        """How large the index of words becomes at most, where it is missing."""

    @property
    def found(self) -> Any:
        """The answer; None where the words have to be made first."""


R = TypeVar("R")
A = TypeVar("A", bound=TabAnswer)


@dataclass(frozen=True, eq=False)
class TabState(Generic[R, A]):
    """What is asked of an index, and the answer.

    error: Why something beside the answer failed.
    """

    rule: R
    corpus: Corpus | None = None
    answer: Answer[A] = field(default_factory=Answer[A])
    error: CorpusError | None = None

    @property
    @abstractmethod
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence; see `Headline`."""

    working: ClassVar[str] = mark("Counting …")
    """What is shown before the first answer."""
    otherwise: ClassVar[str] = ""
    """What can be asked without the index of words, as a sentence to be translated."""

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of the answer: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        if self.missing:
            return offer(self.most_bytes, tr(self.otherwise) if self.otherwise else "")
        if self.open is not None:
            return self.open
        return (tr(self.working), "") if self.answer.awaited else ("", "")

    @property
    def open(self) -> tuple[str, str] | None:
        """What is to be chosen before anything is asked: a line, and what to do; None if the question is complete."""
        return None

    @property
    def fields(self) -> tuple[str, ...]:
        """The metadata fields of the index, those of the texts first."""
        return () if self.corpus is None else texts_first(self.corpus.metadata_fields)

    @property
    def found(self) -> A | None:
        """The answer that is shown."""
        value = self.answer.value
        return value if value is not None and value.found is not None else None

    @property
    def answered(self) -> bool:
        """Whether the answer takes the place of the invitation."""
        return self.found is not None

    @property
    def current(self) -> bool:
        """Whether the answer is about what is asked for now."""
        found = self.answer.current
        return found is not None and found.rule == self.rule

    @property
    def missing(self) -> bool:
        """Whether the words of the index have to be made first."""
        current = self.answer.current
        return current is not None and current.found is None

    @property
    def most_bytes(self) -> int:
        """How large the index of words becomes at most, where it is missing."""
        return 0 if self.answer.value is None else self.answer.value.bytes

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing. What can never be answered takes the place of the answer."""
        # The same of what is asked beside it.
        never = bool(why_unable(self.answer.error))
        errors = (error for error in (self.answer.error, self.error) if not (never and why_unable(error)))
        failed = next(filter(None, errors), None)
        return "" if failed is None else told(failed)


def why_no_settings(state: TabState[Any, Any]) -> str:
    """Why no settings lead to an answer of this index; "" if some may."""
    # Without words, tokens may still be counted; without lists, neither.
    lacks = state.corpus is not None and not state.corpus.index.capabilities.lists
    return why_unable(state.answer.error) if lacks else ""

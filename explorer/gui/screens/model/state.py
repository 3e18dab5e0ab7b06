"""What the tabs that ask about texts show alike: sources, the text in front, notices. No Qt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from explorer.corpus import Corpus
from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import no_index, offers, told, why_unable
from explorer.gui.sources.inputs import (
    ALL,
    REMEDIES,
    SourceRow,
    TextInputs,
    is_source,
    source_key,
    source_name,
    source_rows,
)
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import mark, tr

AGAIN, LEAVE = "again", "leave"
"""Remedies: of what failed for a reason that may be gone; of a text that is itself in the corpus."""
REMEDY_WORDS = {
    AGAIN: mark("Try again"),
    LEAVE: mark("Leave one out"),
    "field": mark("Use no fields"),
    "format": mark("Read as text"),
    "on_bad": mark("Skip bad lines"),
}
"""The words of remedies that all tabs have, not yet translated."""


class _OfSource(Protocol):
    """A text of a source."""

    @property
    def source(self) -> int:
        """The number of its source, from 0."""


class _Sourced(Protocol):
    """An answer about texts of sources."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sources."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of their texts."""

    @property
    def texts(self) -> Sequence[Any]:
        """The texts, each with the number of its source."""


A = TypeVar("A")
T = TypeVar("T")
S = TypeVar("S", bound=_Sourced)
O = TypeVar("O", bound=_OfSource)  # noqa: E741 - the texts of a source


@dataclass(frozen=True, eq=False)
class TextsState(Generic[A, T]):
    """Inputs and an answer about their texts, which are shown one at a time.

    place: The number of the text that is shown among those of what is chosen; `number` is the one that there is.
    token: The token of it that was clicked, by its number; -1 for none.
    error: Why something beside the answer failed.
    """

    corpus: Corpus | None = None
    inputs: TextInputs = field(default_factory=TextInputs)
    answer: Answer[A] = field(default_factory=Answer[A])
    place: int = 0
    token: int = -1
    error: CorpusError | None = None

    @property
    @abstractmethod
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources as chips."""

    @property
    @abstractmethod
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be shown, as keys and labels."""

    @property
    @abstractmethod
    def chosen(self) -> str:
        """The key of what is shown."""

    @property
    @abstractmethod
    def headline(self) -> tuple[str, str, str]:
        """The answer in a sentence; see `Headline`."""

    @property
    @abstractmethod
    def told_facts(self) -> str:
        """What its number is made of, in one line."""

    @property
    @abstractmethod
    def texts(self) -> tuple[T, ...]:
        """The texts of what is shown."""

    @property
    def number(self) -> int:
        """The number of the text that is shown among them, from 0."""
        return min(self.place, max(0, len(self.texts) - 1))

    @property
    def text(self) -> T | None:
        """The text that is shown."""
        return self.texts[self.number] if self.texts else None

    @property
    def begins(self) -> bool:
        """Whether texts can be given to begin with: without an index there is nothing to ask about them."""
        return self.corpus is not None and self.inputs.empty

    @property
    def failed(self) -> CorpusError | None:
        """What went wrong last."""
        return self.answer.error or self.error

    @property
    def kind(self) -> str:
        """The kind of the notice: "error" or "warn"."""
        return "warn" if self.failed is None else "error"

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        return "" if self.failed is None else told(self.failed)

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about it: keys of `REMEDIES`, or `AGAIN`."""
        # What this index can never answer is not asked again.
        if self.answer.error is None or why_unable(self.answer.error):
            return ()
        # Of what the hints offer, only these have a button on these tabs.
        return tuple(name for name in offers(self.answer.error) if name in REMEDIES) or (AGAIN,)

    @property
    def invitation(self) -> tuple[str, str]:
        """What takes the place of an answer: a line, and what to do."""
        if self.corpus is None:
            return no_index()
        return self.offer

    @property
    @abstractmethod
    def offer(self) -> tuple[str, str]:
        """The same with an index: what can be asked, or what is under way."""


@dataclass(frozen=True, eq=False)
class BySourceState(TextsState[S, O]):
    """An answer that can be shown by source.

    source: The source that was chosen last, as a key; `chosen` is the one that is shown.
    """

    source: str = ""

    @property
    def rows(self) -> tuple[SourceRow, ...]:
        """The sources as chips."""
        found = self.answer.value
        return source_rows(self.inputs, zip(found.names, found.counts, strict=True) if found is not None else ())

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be shown: all sources together first, if there are several."""
        names = self.answer.value.names if self.answer.value is not None else ()
        each = tuple((source_key(name), cell_text(name) or tr("text")) for name in names)
        return each if len(each) < 2 else ((ALL, tr("All sources")), *each)

    @property
    def chosen(self) -> str:
        """The key of what is shown."""
        keys = [key for key, _ in self.choices]
        return self.source if self.source in keys else keys[0] if keys else ""

    @property
    def group(self) -> int | None:
        """The number of the source that is shown; None for all."""
        found = self.answer.value
        return None if found is None or not is_source(self.chosen) else found.names.index(source_name(self.chosen))

    @property
    def several(self) -> bool:
        """Whether there are sources to compare."""
        return self.answer.value is not None and len(self.answer.value.names) > 1

    @property
    def source_row(self) -> int:
        """The row of what is shown in a table of sources, in which all together are last; -1 for none."""
        found = self.answer.value
        return -1 if found is None else len(found.names) if self.group is None else self.group

    @property
    def texts(self) -> tuple[O, ...]:
        """The texts of what is shown."""
        found = self.answer.value
        return () if found is None else tuple(text for text in found.texts if self.group in (None, text.source))


def key_of(answer: Answer[S], row: int) -> str:
    """The key of a row in a table of an answer's sources, in which all together are last; "" for none."""
    names = answer.value.names if answer.value is not None else ()
    return source_key(names[row]) if 0 <= row < len(names) else ALL if row >= 0 else ""

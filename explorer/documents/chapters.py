"""Documents of a text with headings: the whole text, or one for each chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.documents.read_settings import CHAPTER
from explorer.documents.record import Document

_AROUND = " \n\r"


@dataclass(frozen=True)
class Heading:
    """A heading: its level, from 1 for the highest, its place in the text, and its words."""

    level: int
    place: int
    title: str


@dataclass(frozen=True)
class Headed:
    """A text with its headings, in order, and its notes, each with the place that refers to it."""

    text: str
    headings: Sequence[Heading] = ()
    notes: Sequence[tuple[int, str]] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def documents(self, per: str) -> Iterator[Document]:
        """The whole text as a document, or each chapter with its title; notes are after what refers to them."""
        chosen = chapter_headings(self.headings, self.text) if per == CHAPTER else []
        if not chosen:
            yield Document(self._between(0, len(self.text)), self.metadata)
            return
        bounds = [*(each.place for each in chosen), len(self.text)]
        pieces = [("", self._between(0, bounds[0]))]
        pieces += [
            (each.title, self._between(begin, end))
            for each, begin, end in zip(chosen, bounds, bounds[1:], strict=False)
        ]
        for number, (title, text) in enumerate(piece for piece in pieces if piece[1]):
            yield Document(text, {**self.metadata, **({"chapter": title} if title else {})}, number)

    def _between(self, begin: int, end: int) -> str:
        # A note follows words of its chapter; one without words before it is of the first chapter.
        notes = (note for place, note in self.notes if begin < place <= end or place == begin == 0)
        return "\n".join(filter(None, [self.text[begin:end].strip(_AROUND), *notes]))


def chapter_headings(headings: Sequence[Heading], text: str) -> list[Heading]:
    """The headings that begin chapters: those of the highest level with two of them, and those above it.

    A heading that only another one follows, such as that of a part, begins the same chapter as the other one.
    """
    counts = Counter(each.level for each in headings)
    level = min((level for level, count in counts.items() if count > 1), default=0)
    found: list[Heading] = []
    for each in headings:
        if each.level > level:
            continue
        if found and "".join(text[found[-1].place : each.place].split()) in ("", "".join(found[-1].title.split())):
            found[-1] = Heading(each.level, found[-1].place, each.title)
        else:
            found.append(each)
    return found

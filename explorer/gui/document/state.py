"""What the document panel shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.gui.presenting.answer import Answer, Freshness
from explorer.gui.presenting.hints import told
from explorer.gui.style.direction import isolated, reads_right_to_left
from explorer.gui.style.text_positions import cell_text
from explorer.i18n import tr, trn

if TYPE_CHECKING:
    from explorer.analyses.search.in_document import DocumentPart, Hit
    from explorer.corpus import Corpus
    from explorer.errors import CorpusError
    from explorer.gui.presenting.requests import DocumentRequest

SCALE = 10_000
"""The position of a part in its document is given as a share of this."""


@dataclass(frozen=True)
class HitMark:
    """A hit to be marked: characters [start, end) of the part; strong: the one that is looked at."""

    start: int
    end: int
    strong: bool


@dataclass(frozen=True, eq=False)
class DocumentState:
    """A document, or the part of a long one around a hit.

    request: The document that was asked for last.
    hit: Offset, length and begin of the hit that is looked at.
    found: Offset and length of the text that was found last, which is looked at in place of the hit.
    kept: The token that was at the edge of the part before, and is kept in view; -1 for none.
    position: Where the user moved the scale, 0 to `SCALE`.
    listed: Whether any of the listed lines is in the document.
    find_note: What the search in the document has come to.
    error: Why something else that was asked for failed: a search, a citation.
    """

    corpus: Corpus | None = None
    request: DocumentRequest | None = None
    part: Answer[DocumentPart] = field(default_factory=Answer)
    hit: tuple[int, ...] = (0, 0, 0)
    found: tuple[int, int] | None = None
    kept: int = -1
    position: int = 0
    listed: bool = True
    find_note: str = ""
    said: str = ""
    error: CorpusError | None = None

    @property
    def own_part(self) -> DocumentPart | None:
        """The part that is shown, if it is of the document that was asked for last."""
        part = self.part.value
        return part if part is not None and self.request is not None and part.number == self.request.number else None

    @property
    def dimmed(self) -> bool:
        """Whether what is shown is of another document, or another part than the one that was asked for in vain.

        While a document is scrolled, its last part is not outdated.
        """
        return self.part.dimmed and (self.own_part is None or self.part.freshness is Freshness.FAILED)

    @property
    def notice(self) -> str:
        """What went wrong last; "" for nothing."""
        # That of the part first: without a part there is nothing to search or to cite.
        error = self.part.error or self.error
        return "" if error is None else told(error)

    @property
    def title(self) -> str:
        """The title on one line."""
        return "" if self.part.value is None else isolated(cell_text(self.part.value.title))

    @property
    def place(self) -> str:
        """The number and the size of the document."""
        part = self.part.value
        if part is None:
            return ""
        return trn(
            "Document {number:,} · {n:,} token",
            "Document {number:,} · {n:,} tokens",
            part.token_count,
            number=part.number + 1,
        )

    @property
    def outside(self) -> str:
        """That no listed line is in the document; "" if one is."""
        return "" if self.listed else tr("None of the listed lines is in this document.")

    @property
    def right_to_left(self) -> bool:
        """The direction of the text."""
        return self.part.value is not None and reads_right_to_left(self.part.value.text)

    @property
    def has_scale(self) -> bool:
        """Whether only a part of the document is shown."""
        part = self.part.value
        return part is not None and not (part.first == 0 and part.last >= part.token_count)

    @property
    def scale(self) -> int:
        """Where the part is in the document, 0 to `SCALE`."""
        part = self.part.value
        # The last part begins its own length before the end of the document: there the scale is at its end.
        return 0 if part is None else SCALE * part.first // max(1, part.token_count - (part.last - part.first))

    @property
    def scale_step(self) -> int:
        """The share of the part in the document, out of `SCALE`."""
        part = self.part.value
        if part is None:
            return 1
        from explorer.analyses.search.in_document import PART_TOKENS

        return max(1, SCALE * PART_TOKENS // max(1, part.token_count))

    @property
    def kept_share(self) -> float | None:
        """Where the kept token is in the text, 0 to 1; None for none."""
        part = self.part.value
        if part is None or not part.first <= self.kept <= part.last:
            return None
        # An estimate: the characters are taken to be spread evenly over the tokens.
        return (self.kept - part.first) / max(1, part.last - part.first)

    @property
    def marks(self) -> tuple[HitMark, ...]:
        """All hits in the part, and the found text."""
        part = self.part.value
        if part is None:
            return ()
        return tuple(
            HitMark(hit.start, hit.end, self._is_looked_at(hit)) for hit in (*part.hits, *self._found_hit(part))
        )

    def _is_looked_at(self, hit: Hit) -> bool:
        # What was found takes the bright mark from the hit, since only one place is looked at.
        if self.found is not None:
            return (hit.offset, hit.length) == self.found
        return (hit.offset, hit.length, hit.begin) == self.hit

    def _found_hit(self, part: DocumentPart) -> tuple[Hit, ...]:
        """The found occurrence, if it is in this part and is not a hit itself."""
        if self.found is None or any((hit.offset, hit.length) == self.found for hit in part.hits):
            return ()
        offset, length = self.found
        if not (part.first <= offset and offset + length <= part.last):
            return ()
        from explorer.analyses.search.in_document import Hit
        from explorer.text.tokens.decode import trim

        # The text was found in whole tokens; spaces at the ends of these are not marked.
        start, end = (int(part.starts[place - part.first]) for place in (offset, offset + length))
        return (Hit(offset, length, *trim(part.text, start, end)),)

    @property
    def number(self) -> int:
        """The number of the hit among all hits of the document, -1 if it is not one of them."""
        part = self.part.value
        if part is None:
            return -1
        return next((place for place, hit in enumerate(part.offsets.tolist()) if tuple(hit) == self.hit), -1)

    @property
    def hits_total(self) -> int:
        """The number of hits in the document."""
        return 0 if self.part.value is None else self.part.value.hits_total

    @property
    def navigation(self) -> str:
        """Which hit of how many is looked at."""
        number, total = self.number, self.hits_total
        if number >= 0:
            return tr("Hit {number:,} of {total:,}", number=number + 1, total=total)
        return trn("{n:,} hit", "{n:,} hits", total) if total else ""

    @property
    def can_go_back(self) -> bool:
        """Whether there is a hit before."""
        # While another document is awaited, the numbers are those of the one before.
        return self.own_part is not None and self.number > 0

    @property
    def can_go_on(self) -> bool:
        """Whether there is a hit after it."""
        number, total = self.number, self.hits_total
        # From a place that is not a hit (-1), the way leads to the first one, as in `DocumentPresenter.step`.
        return self.own_part is not None and (0 <= number < total - 1 or number < 0 < total)


def settled(part: DocumentPart, hit: tuple[int, ...]) -> tuple[int, ...]:
    """Choose the hit at the requested tokens, if only these are known and not the byte at which it begins.

    hit: Offset, length and begin of the hit that was asked for.
    Returns: The same of a hit of the document; unchanged if none is at these tokens.
    """
    # Several hits may begin in the same token. If the requested byte is of none of them, the first one counts.
    same = [found for found in part.offsets.tolist() if tuple(found[:2]) == hit[:2]]
    return hit if not same or list(hit) in same else tuple(same[0])

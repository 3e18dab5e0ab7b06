"""What a literal text would also find if more counted as the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from explorer.analyses.search.find import QueryOptions, QueryResult
from explorer.analyses.search.language import Expression
from explorer.backends.protocol.protocol import Backend, Part
from explorer.core.jobs import CancelToken
from explorer.errors import QueryError
from explorer.i18n import counted, mark, tr
from explorer.text.patterns.equal import checked_equate, may_equate
from explorer.text.patterns.equates import EQUATES, Equate

MOST_TEXTS = 1_000
"""The most texts that are looked for again."""

_NAMES: dict[Equate, str] = {
    "spacing": mark("other white space"),
    "quotes": mark("other quotation marks or dashes"),
    "forms": mark("other forms of characters"),
}


@dataclass
class More:
    """Counts what literal texts would also find, one after the other.

    options: How the texts are matched.
    count: Counts occurrences; None for all of the index.
    """

    index: Backend
    options: QueryOptions
    count: Callable[[Part], int] | None = None
    _found: int = 0
    _texts: list[str] = field(default_factory=list)
    _seen: dict[str, None] = field(default_factory=dict)
    _equate: tuple[Equate, ...] = ()

    def look(self, text: str, cancel: CancelToken | None = None) -> None:
        """Count a text with what is not equated, unless this has no effect or would be a question over a network."""
        options = self.options
        if options.match != "text" or isinstance(text, Expression) or text in self._seen:
            return
        if len(self._seen) >= MOST_TEXTS or self.index.local is None:
            return
        self._seen[text] = None
        names = tuple(name for name in EQUATES if name not in options.equate and may_equate(name, text))
        more = self._more(text, names, cancel) if names else 0
        if more > 0:
            self._found += more
            self._texts.append(text)
            # One of them alone as a rule; where only several together find more, all of them.
            alone = [name for name in names if len(names) == 1 or self._more(text, (name,), cancel) > 0]
            self._equate = checked_equate((*self._equate, *(alone or names)))

    def look_at(self, found: QueryResult, cancel: CancelToken | None = None) -> None:
        """Count each phrase of a query."""
        for phrase in (*(phrase for clause in found.clauses for phrase in clause.phrases), *found.excluded):
            self.look(phrase.query, cancel)

    def _more(self, text: str, names: Iterable[Equate], cancel: CancelToken | None) -> int:
        equated = replace(self.options, equate=checked_equate((*self.options.equate, *names)))
        try:
            counts = [self._count(options, text, cancel) for options in (equated, self.options)]
        except QueryError:
            # Too broad, or nothing is left of it: there is nothing to report.
            return 0
        return counts[0] - counts[1]

    def _count(self, options: QueryOptions, text: str, cancel: CancelToken | None) -> int:
        found = self.index.hits.find_text(options.pattern(text), cancel=cancel)
        return found.count if self.count is None else self.count(found)

    @property
    def equate(self) -> tuple[Equate, ...]:
        """What finds more if it is equated, too; empty if nothing does."""
        return self._equate

    def described(self) -> str:
        """Write how many more there are, and where they differ; "" if there are none."""
        if not self._found:
            return ""
        names = tr(" or ").join(tr(_NAMES[name]) for name in self._equate)
        if len(self._seen) == 1:
            return tr("{count:,} more with {names}", count=self._found, names=names)
        where = f"“{self._texts[0]}”" if len(self._texts) == 1 else counted("text", len(self._texts))
        return tr("{count:,} more of {where} with {names}", count=self._found, where=where, names=names)

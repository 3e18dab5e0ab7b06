"""How the window matches queries: chosen by the user, stored, and passed to the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from explorer.text.patterns.equates import EQUATES, Equate

if TYPE_CHECKING:
    from explorer.analyses.search.find import Match, QueryOptions


CASES = ("lower", "upper", "title")
"""The variants of "any case"."""


@dataclass(frozen=True)
class Matching:
    """How phrases are matched; the fields are those of `QueryOptions`."""

    match: Match = "text"
    ignore_case: bool = False
    whole_words: bool = True
    variants: tuple[str, ...] = ("space",)
    equate: tuple[Equate, ...] = EQUATES

    def as_json(self) -> dict[str, Any]:
        """The data in the settings file."""
        return {**asdict(self), "variants": list(self.variants), "equate": list(self.equate)}

    def in_options(self, options: QueryOptions) -> QueryOptions:
        """The options with this matching: those that do not apply are reset (tokens have variants, texts switches)."""
        if self.match == "tokens":
            options = replace(options, match="tokens", variants=self.variants)
            return replace(options, ignore_case=False, whole_words=False, equate=())
        options = replace(options, match=self.match, variants=(), equate=self.equate)
        return replace(options, ignore_case=self.ignore_case, whole_words=self.whole_words)


def read_matching(found: Mapping[str, Any]) -> Matching | None:
    """How a stored query was matched; None if this is not stored. Earlier versions matched tokens only."""
    from explorer.analyses.search.find import MATCHES
    from explorer.analyses.search.query import VARIANTS

    match, variants = found.get("match"), found.get("variants")
    # From the settings file, which may have been edited by hand: what is unknown is left out.
    known = tuple(name for name in variants if name in VARIANTS) if isinstance(variants, list) else None
    if match is None:
        return None if known is None else Matching("tokens", variants=known)
    if match not in MATCHES:
        return None
    equate = found.get("equate")
    # Earlier versions found text exactly as it was typed.
    equated = tuple(name for name in EQUATES if isinstance(equate, list) and name in equate)
    switches = (found.get("ignore_case") is True, found.get("whole_words") is True)
    return Matching(match, *switches, known or (), equated)

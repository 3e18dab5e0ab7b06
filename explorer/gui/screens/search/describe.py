"""What the search screen says about its answers."""

from __future__ import annotations

from explorer.gui.screens.search.work import LinesAnswer
from explorer.search.find import QueryResult


def describe(found: QueryResult, answer: LinesAnswer | None, documents: int | None) -> str:
    """What stands beside the count."""
    parts = [f"{found.per_million:,.2f} per million tokens"]
    filtered = answer is not None and bool(answer.request.view.filters)
    where = "" if documents is None else f"in {documents:,} document{'' if documents == 1 else 's'}"
    if where and not filtered:
        parts.insert(0, where)
    if not found.exact:
        parts.append(f"estimated from {found.sample_size:,} of {found.walkable:,} occurrences of the rarest clause")
    if found.parsed.plain and len(variants := found.clauses[0].phrases[0].variants) > 1:
        shown = [f"“{v.text}” {v.matches.count:,}" for v in variants[:4]]
        parts.append(", ".join(shown) + (" …" if len(variants) > 4 else ""))
    if answer is not None:
        parts += _describe_lines(answer, where)
    return " · ".join(parts)


def _describe_lines(answer: LinesAnswer, where: str) -> list[str]:
    view, arranged = answer.request.view, answer.lines.arranged
    parts = []
    if view.filters:
        filters = "filters" if len(view.filters) > 1 else "filter"
        parts.append(f"{arranged.passed:,} hits pass the {filters}{', ' if where else ''}{where}")
    if not arranged.exact:
        parts.append(f"lines are a random sample of {arranged.looked_at:,} (seed {view.seed})")
    elif view.sample and len(answer.lines) < arranged.passed:
        parts.append(f"a random sample of {len(answer.lines):,} lines (seed {view.seed})")
    if view.collapse:
        parts.append(f"{len(answer.lines):,} different lines")
    return parts


def why_nothing(answer: LinesAnswer) -> str:
    """Why there are no lines, and what to do."""
    found = answer.request.found
    if answer.request.view.filters and found.count:
        return f"None of the {found.count:,} hits passes the filters. Remove one of them."
    if not found.parsed.plain:
        if found.impossible:
            return "A phrase of the query does not occur at all; the line under the query names it."
        return "The phrases occur, but not together. Try a larger distance."
    variants = found.clauses[0].phrases[0].variants
    unseen = [token.text for v in variants[:1] for token in v.tokens if token.count == 0]
    if unseen:
        return f"The token {unseen[0]} does not occur in this index at all."
    return "Its tokens occur, but never in this order. Try fewer words, or “any case”."

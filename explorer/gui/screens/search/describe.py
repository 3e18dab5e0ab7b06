"""What the search screen says about its answers."""

from __future__ import annotations

from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.text_positions import short_text
from explorer.search.arrange import MAX_SORTED
from explorer.search.find import QueryResult
from explorer.words import counted, tr, trn


def describe(found: QueryResult, answer: LinesAnswer | None, documents: int | None) -> str:
    """What stands beside the count."""
    parts = [tr("{per_million:,.2f} per million tokens", per_million=found.per_million)]
    filtered = answer is not None and bool(answer.request.view.filters)
    where = "" if documents is None else tr("in {documents}", documents=counted("document", documents))
    if where and not filtered:
        parts.insert(0, where)
    if not found.exact:
        parts.append(
            trn(
                "estimated from {sample_size:,} of {n:,} occurrence of the rarest clause",
                "estimated from {sample_size:,} of {n:,} occurrences of the rarest clause",
                found.walkable,
                sample_size=found.sample_size,
            )
        )
    if found.parsed.plain and len(variants := found.clauses[0].phrases[0].variants) > 1:
        shown = [tr("“{text}” {count:,}", text=short_text(v.text), count=v.matches.count) for v in variants[:4]]
        parts.append(", ".join(shown) + (" …" if len(variants) > 4 else ""))
    if answer is not None:
        parts += _describe_lines(answer, where)
    return " · ".join(parts)


def _describe_lines(answer: LinesAnswer, where: str) -> list[str]:
    view, arranged = answer.request.view, answer.lines.arranged
    parts = []
    if view.filters:
        passed = trn("{n:,} hit passes the filters", "{n:,} hits pass the filters", arranged.passed)
        parts.append(f"{passed}, {where}" if where else passed)
    if not arranged.exact:
        parts.append(
            tr("lines are a random sample of {looked_at:,} (seed {seed})", looked_at=arranged.looked_at, seed=view.seed)
        )
    elif view.sample and len(answer.lines) < arranged.passed:
        parts.append(
            trn(
                "a random sample of {n:,} line (seed {seed})",
                "a random sample of {n:,} lines (seed {seed})",
                len(answer.lines),
                seed=view.seed,
            )
        )
    if arranged.unsorted:
        parts.append(tr("in index order: more than {limit:,} lines are not sorted", limit=MAX_SORTED))
    if view.collapse:
        parts.append(trn("{n:,} different line", "{n:,} different lines", len(answer.lines)))
    return parts


def why_nothing(answer: LinesAnswer) -> str:
    """Why there are no lines, and what to do."""
    found = answer.request.found
    if answer.request.view.filters and found.count:
        return trn(
            "The only hit does not pass the filters. Remove one of them.",
            "None of the {n:,} hits passes the filters. Remove one of them.",
            found.count,
        )
    if not found.parsed.plain:
        if found.impossible:
            return tr("A phrase of the query does not occur at all; the line under the query names it.")
        return tr("The phrases occur, but not together. Try a larger distance.")
    variants = found.clauses[0].phrases[0].variants
    unseen = [token.text for v in variants[:1] for token in v.tokens if token.count == 0]
    if unseen:
        return tr("The token {unseen} does not occur in this index at all.", unseen=short_text(unseen[0]))
    return tr("Its tokens occur, but never in this order. Try fewer words, or “any case”.")

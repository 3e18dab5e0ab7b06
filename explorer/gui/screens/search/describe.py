"""What the search screen says about its answers."""

from __future__ import annotations

from explorer.gui.direction import isolated
from explorer.gui.screens.search.work import LinesAnswer
from explorer.gui.text_positions import short_text
from explorer.search.arrange import MAX_SORTED, View
from explorer.search.find import QueryResult
from explorer.words import counted, numeral, tr, trn


def headline(found: QueryResult, view: View, answer: LinesAnswer | None) -> tuple[str, str]:
    """The large number and its unit: what is listed, and out of how many if that is less than all hits.

    Until the answer is known, a view that leaves lines out has no number.
    """
    narrows = bool(view.filters or view.sample or view.collapse)
    listed = None if answer is None else len(answer.lines)
    if answer is None or listed is None:
        return ("…", tr("of {hits}", hits=_hits(found))) if narrows else (_number(found), _unit(found))
    if (found.exact and listed == found.count) or not (narrows or not answer.lines.arranged.exact):
        return _number(found), _unit(found)
    if view.collapse:
        unit = trn("different line of {hits}", "different lines of {hits}", listed, hits=_hits(found))
    elif view.sample:
        unit = trn("line at random of {hits}", "lines at random of {hits}", listed, hits=_hits(found))
    else:
        unit = tr("of {hits}", hits=_hits(found))
    return numeral(listed), unit


def _number(found: QueryResult) -> str:
    return numeral(found.count) if found.exact else f"≈ {numeral(found.count)}"


def _unit(found: QueryResult) -> str:
    """The unit of a query's hits; those of an AND are places, counted once however many phrases are near."""
    if len(found.clauses) == 1:
        return trn("hit", "hits", found.count)
    return trn("place of {phrases}", "places of {phrases}", found.count, phrases=_phrases(found))


def _hits(found: QueryResult) -> str:
    return f"{_number(found)} {_unit(found)}"


def describe(found: QueryResult, answer: LinesAnswer | None, documents: int | None) -> str:
    """The text beside the number."""
    parts = [] if documents is None else [tr("in {documents}", documents=counted("document", documents))]
    parts.append(_rate(found, answer))
    if len(found.clauses) > 1:
        parts.append(tr("each with the other phrases nearby"))
    if not found.exact:
        parts.append(_estimate(found, answer))
    if found.parsed.plain and len(variants := found.clauses[0].phrases[0].variants) > 1:
        shown = [
            tr("“{text}” {count:,}", text=isolated(short_text(v.text)), count=v.matches.count) for v in variants[:4]
        ]
        parts.append(", ".join(shown) + (" …" if len(variants) > 4 else ""))
    if answer is not None:
        parts += _describe_lines(answer)
    return " · ".join(parts)


def _rate(found: QueryResult, answer: LinesAnswer | None) -> str:
    """The rate of all hits; the text states this if fewer are listed."""
    rate = tr("{per_million:,.2f} per million tokens", per_million=found.per_million)
    if answer is None or (found.exact and len(answer.lines) == found.count):
        return rate
    return tr("all {hits}: {rate}", hits=_hits(found), rate=rate) if found.exact else f"≈ {rate}"


def _phrases(found: QueryResult) -> str:
    """The phrases whose occurrences are counted."""
    phrases = found.parsed.clauses[found.node]
    return tr(" or ").join(f"“{isolated(short_text(phrase, 30))}”" for phrase in phrases[:3])


def _estimate(found: QueryResult, answer: LinesAnswer | None) -> str:
    said = trn(
        "estimated from {sample_size:,} of {n:,} occurrence",
        "estimated from {sample_size:,} of {n:,} occurrences",
        found.walkable,
        sample_size=found.sample_size,
    )
    listed = "" if answer is None else trn(", {n:,} line listed", ", {n:,} lines listed", len(answer.lines))
    return said + listed


def _describe_lines(answer: LinesAnswer) -> list[str]:
    view, arranged = answer.request.view, answer.lines.arranged
    parts = []
    if not arranged.exact:
        parts.append(
            tr("lines are a random sample of {looked_at:,} (seed {seed})", looked_at=arranged.looked_at, seed=view.seed)
        )
    elif view.sample and (view.collapse or len(answer.lines) < arranged.passed):
        parts.append(
            trn(
                "sampled from {n:,} line with seed {seed}",
                "sampled from {n:,} lines with seed {seed}",
                arranged.passed,
                seed=view.seed,
            )
        )
    if arranged.unsorted:
        parts.append(tr("in index order: more than {limit:,} lines are not sorted", limit=MAX_SORTED))
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
        return tr("The token {unseen} never occurs in this index.", unseen=isolated(short_text(unseen[0])))
    return tr("Its tokens occur, but never in this order. Try fewer words, or “any case”.")

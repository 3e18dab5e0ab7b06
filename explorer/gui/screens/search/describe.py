"""The search screen's sentences about its answers."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.analyses.search.arrange import MAX_SORTED, LineSettings
from explorer.analyses.search.find import QueryResult
from explorer.gui.presenting.hints import no_index
from explorer.gui.screens.search.work import LinesAnswer, LinesRequest
from explorer.gui.style.direction import isolated, isolated_phrases
from explorer.gui.style.text_positions import short_text
from explorer.i18n import counted, numeral, tr, trn


@dataclass(frozen=True)
class MoreFacts:
    """Counts that follow after the lines are shown; None: not known yet, or never.

    documents: those of the lines. within: hits if parts of words counted too.
    """

    documents: int | None = None
    within: int | None = None


def headline(found: QueryResult, view: LineSettings, answer: LinesAnswer | None) -> tuple[str, str]:
    """Write the large number and its unit: what is listed, and out of how many if that is less than all hits.

    answer: The lines; None until they are known. A view that leaves lines out has no number until then.
    Returns: The number and the unit.
    """
    # Only then can the lines be fewer than the hits.
    narrows = bool(view.filters or view.sample or view.collapse)
    listed = None if answer is None else len(answer.lines)
    if answer is None or listed is None:
        return ("…", tr("of {hits}", hits=_hits(found))) if narrows else (_number(found), _unit(found))
    deleted = 0 if answer.full is None else len(answer.full) - listed
    if answer.request.handled.kept is not None:
        name = isolated(short_text(answer.request.handled.name, 40))
        unit = trn("line of the set “{name}”", "lines of the set “{name}”", listed, name=name)
        return numeral(listed), _with_deleted(unit, deleted)
    if deleted and not narrows:
        return numeral(listed), _with_deleted(tr("of {hits}", hits=_hits(found)), deleted)
    if (found.exact and listed == found.count) or not (narrows or not answer.lines.arranged.exact):
        return _number(found), _unit(found)
    if view.collapse:
        unit = trn("different line of {hits}", "different lines of {hits}", listed, hits=_hits(found))
    elif view.sample:
        unit = trn("random line of {hits}", "random lines of {hits}", listed, hits=_hits(found))
    else:
        unit = tr("of {hits}", hits=_hits(found))
    return numeral(listed), _with_deleted(unit, deleted)


def _with_deleted(unit: str, deleted: int) -> str:
    if not deleted:
        return unit
    return trn("{unit}, {n:,} deleted", "{unit}, {n:,} deleted", deleted, unit=unit)


def _number(found: QueryResult) -> str:
    return numeral(found.count) if found.exact else f"≈ {numeral(found.count)}"


def _unit(found: QueryResult) -> str:
    """The unit of a query's hits; those of an AND are places, counted once however many phrases are near."""
    if len(found.clauses) == 1:
        return trn("hit", "hits", found.count)
    return trn("occurrence of {phrases}", "occurrences of {phrases}", found.count, phrases=_phrases(found))


def _hits(found: QueryResult) -> str:
    return f"{_number(found)} {_unit(found)}"


def describe(found: QueryResult, answer: LinesAnswer | None, more: MoreFacts) -> str:
    """Write the text beside the number.

    answer: The lines; None until they are known.
    more: Figures that are counted after the lines.
    Returns: Documents, rate, and whatever restricts the figures.
    """
    # None is unknown, and is left out; 0 is a number.
    known = more.documents
    parts = [] if known is None else [tr("in {documents}", documents=counted("document", known))]
    parts.append(_rate(found, answer))
    if more.within is not None and more.within > found.count:
        parts.append(tr("{within:,} including parts of words", within=more.within))
    if len(found.clauses) > 1:
        parts.append(tr("each with the other phrases nearby"))
    if found.parsed.echo:
        parts.append(tr("read as {parsed}", parsed=isolated_phrases(found.parsed.echo)))
    # After the exact figures: it explains their sign.
    if not found.exact:
        parts.append(_estimate(found, answer))
    if answer is not None:
        parts += _describe_lines(answer)
    return " · ".join(parts)


def _rate(found: QueryResult, answer: LinesAnswer | None) -> str:
    """The rate of all hits; the text states this if fewer are listed."""
    # Of all hits: the corpus, and not the filtered part of it, is what is divided by.
    rate = tr("{per_million:,.2f} per million tokens", per_million=found.per_million)
    if answer is None or (found.exact and len(answer.lines) == found.count):
        return rate
    return tr("all {hits}: {rate}", hits=_hits(found), rate=rate) if found.exact else f"≈ {rate}"


def _phrases(found: QueryResult) -> str:
    """The phrases whose occurrences are counted."""
    phrases = found.parsed.clauses[found.node]
    return tr(" or ").join(f"“{isolated(short_text(phrase, 30))}”" for phrase in phrases[:3])


def _estimate(found: QueryResult, answer: LinesAnswer | None) -> str:
    sentence = trn(
        "estimated from {sample_size:,} of {n:,} occurrence",
        "estimated from {sample_size:,} of {n:,} occurrences",
        found.walkable,
        sample_size=found.sample_size,
    )
    listed = "" if answer is None else trn(", {n:,} line listed", ", {n:,} lines listed", len(answer.lines))
    return sentence + listed


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
        parts.append(tr("in index order, because more than {limit:,} lines are not sorted", limit=MAX_SORTED))
    return parts


def why_nothing(answer: LinesAnswer) -> str:
    """Why there are no lines, and what to do."""
    found = answer.request.found
    if answer.full is not None and len(answer.full):
        return tr("All lines are deleted. Ctrl+Z brings them back.")
    if answer.request.view.filters and found.count:
        return trn(
            "The only hit does not pass the filters. Remove a filter.",
            "None of the {n:,} hits passes the filters. Remove a filter.",
            found.count,
        )
    if not found.parsed.plain:
        if found.impossible:
            return tr("One phrase of the query does not occur at all. The line below the query names it.")
        return tr("The phrases occur, but not close enough to each other. Try a larger distance.")
    return _why_no_phrase(answer.request)


def _why_no_phrase(request: LinesRequest) -> str:
    """Suggestions for a query of one phrase that does not occur."""
    options, found = request.options, request.found
    if options.match == "tokens":
        variants = found.clauses[0].phrases[0].variants
        unseen = [token.text for v in variants[:1] for token in v.tokens if token.count == 0]
        if unseen:
            return tr(
                "Not found as these tokens: {unseen} never occurs as a token. Texts may be split differently. "
                "Choose “Text” in the “…” menu next to the query.",
                unseen=isolated(short_text(unseen[0])),
            )
        return tr("These tokens do not occur in this order. Choose “Text” in the “…” menu next to the query.")
    switches = []
    if options.whole_words:
        switches.append(tr("turn “Whole words” off"))
    if not options.ignore_case:
        switches.append(tr("turn “Ignore case” on"))
    if not options.equate:
        switches.append(tr("turn “Exactly as typed” off"))
    kind = tr("Nothing matches this expression.") if options.match == "regex" else tr("Not found as written.")
    if not switches:
        return kind
    return tr("{kind} To find more, {switches}.", kind=kind, switches=tr(" or ").join(switches))


def invitation(name: str | None) -> tuple[str, str]:
    """Title and text of the empty screen; name: of the open index, None if there is none."""
    if name is None:
        return no_index()
    return tr("Search {name}", name=name), tr(
        "Counts and contexts appear while you type. Press Enter on a line to open its document, or F3 for "
        'the next line.\nCombine phrases with AND, OR and NOT:  "suffix array" AND (index OR search)'
    )

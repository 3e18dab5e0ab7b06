"""What an answer was computed from: index, tokenizer, program, query and settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from explorer import version
from explorer.backends.protocol import Backend
from explorer.chart import Chart
from explorer.documents.document import document_title
from explorer.documents.reading import metadata_of, text_of
from explorer.i18n import counted
from explorer.search.arrange import LineSettings
from explorer.search.concordance import Concordance
from explorer.search.find import QueryOptions, QueryResult

_MOST_QUOTED = 200

Facts = tuple[tuple[str, str], ...]


def index_facts(index: Backend) -> Facts:
    """Name, folders, sizes and fingerprint of an index, its tokenizer's hash, and the program's version."""
    tokenizer = f"{index.tokenizer.name} {index.tokenizer.fingerprint}".strip() if index.has_tokenizer else "none"
    # What was really subtracted: documents that are not in the index changed no number.
    less = index.subtracted.documents - index.subtracted.unmatched
    subtracted = [("subtracted", counted("document", less))] if index.subtracted.documents else []
    return (
        ("program", f"Corpus Explorer {version.VERSION}"),
        # In UTC and to the second, so that files from several machines can be ordered.
        ("time", datetime.now(UTC).isoformat(timespec="seconds")),
        ("index", index.name),
        ("index folders", "; ".join(index.sources)),
        ("index fingerprint", index.fingerprint),
        *subtracted,
        *([("index parts left out", "; ".join(index.missing))] if index.missing else []),
        ("index tokens", str(index.token_count)),
        ("index documents", str(index.document_count)),
        ("tokenizer", tokenizer),
    )


def with_facts(charts: tuple[Chart, ...], index: Backend, more: Facts = ()) -> tuple[Chart, ...]:
    """Add to charts what they were computed from.

    Parameters
    ----------
    charts
        The charts.
    index
        The index; its fingerprint is read from the disk.
    more
        Facts to add after those of the index.

    Returns
    -------
    tuple[Chart, ...]
        The charts with the facts.
    """
    facts = (*index_facts(index), *more)
    return tuple(replace(chart, facts=facts) for chart in charts)


def query_facts(found: QueryResult, options: QueryOptions, view: LineSettings, lines: Concordance) -> Facts:
    """List what was asked, how the lines were chosen and ordered, and how many there are.

    Parameters
    ----------
    found
        The occurrences of the query.
    options
        How it was matched.
    view
        The filters, the order, the sample and the merging of lines.
    lines
        The lines.

    Returns
    -------
    Facts
        Names and values, in the order in which they are shown; in English, so that files can be compared.
    """
    order = (
        "random"
        if view.shuffle
        else ", ".join(f"{level.key}{' descending' if level.descending else ''}" for level in view.sort)
    )
    # The order that the lines have, not the one that was asked for.
    if lines.arranged.unsorted or not order:
        order = "index order"
    bound = f"at least {found.count}"
    estimate = f"about {found.count}, from {found.sample_size} of {found.walkable} occurrences"
    facts = [
        ("query", found.query),
        ("read as", found.parsed.echo or str(found.parsed)),
        *_match_facts(options),
        ("hits", str(found.count) if found.exact else bound if found.missing else estimate),
        ("lines", str(len(lines))),
        ("order", order),
        ("seed", str(view.seed)),
    ]
    if len(found.clauses) > 1:
        # Right after how the query was read, because both explain it; the distance comes before the places.
        facts.insert(2, ("places of", " OR ".join(found.parsed.clauses[found.node])))
    if not found.parsed.plain:
        facts.insert(2, ("distance", counted("token", options.max_distance)))
    facts += [("filter", str(condition)) for condition in view.filters]
    if view.sample:
        facts.append(("sample", f"{view.sample} of {lines.arranged.passed} hits"))
    if view.collapse:
        facts.append(
            ("collapsed", f"lines with identical context of {counted('token', view.collapse)} on both sides are merged")
        )
    if not lines.arranged.exact:
        facts.append(("looked at", f"a sample of {lines.arranged.looked_at} of {lines.arranged.of} hits"))
    return tuple(facts)


def _match_facts(options: QueryOptions) -> Facts:
    """How the phrases were matched."""
    if options.match == "tokens":
        return ("match", options.match), ("variants", ", ".join(options.variants) or "none")
    switches = (("ignore case", options.ignore_case), ("whole words", options.whole_words))
    return ("match", options.match), *((name, "yes" if on else "no") for name, on in switches)


def citation(index: Backend, number: int, offset: int, length: int) -> str:
    """Write one line that locates some tokens of a document, so that anyone with the index can find them.

    Parameters
    ----------
    index
        The index.
    number
        The document's number, from 0.
    offset
        The first token in it, from 0.
    length
        The number of tokens; 0 cites the whole document.

    Returns
    -------
    str
        The line, in which documents and tokens count from 1, as in the window.
    """
    title = document_title(metadata_of(index, number), number)
    quoted = " ".join(text_of(index, number, offset, offset + length).text.split())
    shown = quoted if len(quoted) <= _MOST_QUOTED else quoted[:_MOST_QUOTED] + "…"
    place = f", tokens {offset + 1:,} to {offset + length:,}: “{shown}”" if length else ""
    return f"{index.name} (fingerprint {index.fingerprint}), document {number + 1:,}, {title}{place}"

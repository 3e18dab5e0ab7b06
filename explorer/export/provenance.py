"""What an answer was computed from: index, tokenizer, program, query and settings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from explorer import version
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.concordance import Concordance
from explorer.analyses.search.find import QueryOptions, QueryResult
from explorer.backends.documents.document import document_title
from explorer.backends.documents.reading import metadata_of, text_of
from explorer.backends.made_of import made_of
from explorer.backends.protocol.protocol import Backend
from explorer.chart import Chart
from explorer.i18n import counted
from explorer.text.graphemes import beginning

_MOST_QUOTED = 200

Facts = tuple[tuple[str, str], ...]


def index_facts(index: Backend) -> Facts:
    """Name, folders, sizes and fingerprint of an index, its tokenizer's hash, and the program's version.

    Of an index that was made of another one, those of the other one, and how it was made.
    """
    if made := made_of(index):
        sizes = (("tokens used", str(index.token_count)), ("documents used", str(index.document_count)))
        return (*index_facts(made.index), *made.how, *sizes)
    tokenizer = f"{index.tokenizer.name} {index.tokenizer.fingerprint}".strip() if index.has_tokenizer else "none"
    # What was really subtracted: documents that are not in the index changed no number.
    less = index.subtracted.documents - index.subtracted.unmatched
    subtracted = [("subtracted", counted("document", less))] if index.subtracted.documents else []
    subtracted += [("subtracted index", source) for source in index.subtracted.sources]
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


def with_facts(charts: Iterable[Chart], facts: Facts) -> tuple[Chart, ...]:
    """Add to charts what they were computed from."""
    return tuple(replace(chart, facts=facts) for chart in charts)


def query_facts(found: QueryResult) -> Facts:
    """List what was asked, how it was read and matched, and how many hits there are; in English, so that files can be
    compared."""
    options, facts = found.options, [("query", found.query), ("read as", found.parsed.echo or str(found.parsed))]
    if not found.parsed.plain:
        facts.append(("distance", counted("token", options.max_distance)))
    if len(found.clauses) > 1:
        facts.append(("places of", " OR ".join(found.parsed.clauses[found.node])))
        facts += [("hits checked", "all")] if options.exact else []
    facts += match_facts(options)
    facts += [("condition", str(condition)) for condition in found.where]
    bound = f"at least {found.count}"
    estimate = f"about {found.count}, from {found.sample_size} of {found.walkable} occurrences"
    facts.append(("hits", str(found.count) if found.exact else bound if found.missing else estimate))
    if found.sampled and options.seed:
        facts.append(("seed of the estimate", str(options.seed)))
    return tuple(facts)


def line_facts(view: LineSettings, lines: Concordance) -> Facts:
    """List how lines were chosen and ordered, and how many there are."""
    levels = ", ".join(f"{level.key}{' descending' if level.descending else ''}" for level in view.sort)
    # The order that the lines have, not the one that was asked for.
    order = "index order" if lines.arranged.unsorted or not levels else levels
    facts = [
        ("lines", str(len(lines))),
        ("order", "random" if view.shuffle else order),
        ("seed", str(view.seed)),
        *(("filter", str(condition)) for condition in view.filters),
    ]
    if view.sample:
        facts.append(("sample", f"{view.sample} of {lines.arranged.passed} hits"))
    if view.collapse:
        facts.append(
            ("collapsed", f"lines with identical context of {counted('token', view.collapse)} on both sides are merged")
        )
    if not lines.arranged.exact:
        facts.append(("looked at", f"a sample of {lines.arranged.looked_at} of {lines.arranged.of} hits"))
    return tuple(facts)


def match_facts(options: QueryOptions) -> Facts:
    """List how the phrases of a query are matched."""
    literal = (("literal", "yes"),) if options.literal else ()
    if options.match == "tokens":
        return ("match", options.match), ("variants", ", ".join(options.variants) or "none"), *literal
    switches = (("ignore case", options.ignore_case), ("whole words", options.whole_words))
    equated = ("equate", ", ".join(options.equate) or "none")
    return ("match", options.match), *((name, "yes" if on else "no") for name, on in switches), equated, *literal


def setting_facts(settings: Mapping[str, object]) -> Facts:
    """State settings by their names: truth values as yes or no, nothing as none."""
    return tuple((name.replace("_", " "), _stated(value)) for name, value in settings.items())


def _stated(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(_stated, value)) or "none"
    return "none" if value is None or value == "" else str(value)


def text_facts(name: str, text: str) -> Facts:
    """State a text that was given: as it is if it is short, otherwise its beginning and what identifies it."""
    if not text:
        return ()
    shown = text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}… ({len(text)} characters)"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return (name, shown), *(((f"SHA-256 of the {name}", digest),) if shown != text else ())


def citation(index: Backend, number: int, offset: int, length: int) -> str:
    """Write one line that locates some tokens of a document, so that anyone with the index can find them.

    number: The document's number, from 0.
    offset: The first token in it, from 0.
    length: The number of tokens; 0 cites the whole document.
    Returns: The line, in which documents and tokens count from 1, as in the window.
    """
    title = document_title(metadata_of(index, number), number)
    quoted = " ".join(text_of(index, number, offset, offset + length).text.split())
    shown = quoted if len(quoted) <= _MOST_QUOTED else beginning(quoted, _MOST_QUOTED) + "…"
    place = f", tokens {offset + 1:,} to {offset + length:,}: “{shown}”" if length else ""
    return f"{index.name} (fingerprint {index.fingerprint}), document {number + 1:,}, {title}{place}"

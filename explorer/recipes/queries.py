"""The results of Search as code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from explorer.analyses.metadata.values import FieldFilter, parse_filter
from explorer.analyses.search.arrange import NearFilter
from explorer.analyses.search.language import parse, quoted
from explorer.backends.places import HitPlace
from explorer.errors import QueryError
from explorer.project.values import Query
from explorer.recipes.code import Recipe, Source, call, command, comment, option, program

_USUAL = Query("")
_VIEW = "from explorer.analyses.search.arrange import LineSettings, merge_views, parse_sort"
_NEAR = "from explorer.analyses.search.find import QueryOptions, near_filter"
_FIELD = "from explorer.analyses.metadata.values import FieldFilter"
_DELETED = "from explorer.analyses.search.chosen import without_places"
_KEPT = "from explorer.analyses.search.chosen import kept_lines"
_PLACE = "from explorer.backends.places import HitPlace"
_MOST_DELETED = 1_000
"""Deleted lines that are written into a program."""


@dataclass(frozen=True)
class Lines:
    """The lines that a result is about.

    query: The query, with filters and order.
    exact: Whether every hit of an AND was checked, however many there are.
    deleted: Lines that the user removed.
    kept: Exactly these lines, those of a saved set; None: the hits of the query.
    """

    source: Source
    query: Query
    exact: bool = False
    deleted: tuple[HitPlace, ...] = ()
    kept: tuple[HitPlace, ...] | None = None

    @property
    def narrowed(self) -> bool:
        """Whether fewer lines may be listed than there are hits."""
        query = self.query
        return bool(query.filters or query.sample or query.collapse or self.deleted or self.kept is not None)


def count_recipe(lines: Lines) -> Recipe:
    """The number above the lines: hits, or lines if filters, a sample or deletions leave some out."""
    # Without filters the number is counted, not listed: a query may have millions of hits.
    if not lines.narrowed:
        code = program((), lines.source, [_found(lines), "print(found.count)"])
        return Recipe(code, (_command("count", lines, _query_options(lines)),))
    # The order of the index costs nothing, and none changes a number.
    unsorted = replace(lines, query=replace(lines.query, sort="index"))
    code = program(_imports(unsorted), lines.source, [*_statements(unsorted), "print(len(lines))"])
    return Recipe(code, (_lines_command("kwic", lines, ["--count"]),))


def lines_recipe(
    lines: Lines, width: int = 10, characters: bool = False, fields: Sequence[str] = (), first: int = 20
) -> Recipe:
    """The lines themselves.

    width: Context on each side, in tokens.
    characters: Whether `width` counts characters.
    Returns: Code that prints the first lines.
    """
    # A number alone is the width in tokens, the usual unit of `lines`.
    size = f"{width}, characters=True" if characters else f"{width}"
    cells = ["line.left", "line.match", "line.right"]
    names = ["--fields=" + ",".join(fields)] if fields else []
    # `shown_recipe` divides the program at this line.
    loop = [f"for line in lines.lines(0, {first}, {size}):"]
    if fields:
        loop.append("    metadata = flat_metadata(lines.metadata(line))")
        cells += [f"metadata.get({name!r})" for name in fields]
    loop.append(f"    print({', '.join(cells)}, sep='\\t')")
    imports = (*_imports(lines), *(["from explorer.backends.metadata import flat_metadata"] if fields else []))
    code = program(imports, lines.source, [*_statements(lines), *loop])
    options = [option("--sort", lines.query.sort), option("--width", width), option("--limit", first), *names]
    # The command gets the order as an option; the program has it in its view.
    options += ["--characters"] if characters else []
    return Recipe(code, (_lines_command("kwic", lines, options),))


def shown_recipe(lines: Lines, width: int, characters: bool, fields: Sequence[str] = ()) -> Recipe:
    """The number above the lines, and the first lines.

    Returns: Code that prints the number, and then the lines.
    """
    number, listed = count_recipe(lines), lines_recipe(lines, width, characters, fields)
    shown = "print(len(lines))" if lines.narrowed else "print(found.count)"
    # The program of the lines has found the hits already; so the query is asked once for both.
    head, loop, rest = listed.python.partition("for line in lines.lines(")
    # Where there are no commands, both have the same comment, which is given once.
    commands = dict.fromkeys((*number.commands, *listed.commands))
    return Recipe(f"{head}{shown}\n{loop}{rest}", tuple(commands))


def breakdown_recipe(lines: Lines, field: str) -> Recipe:
    """The lines by the values of a field.

    Returns: Code that prints each value with its lines and documents.
    """
    unsorted = replace(lines, query=replace(lines.query, sort="index"))
    statements = [
        f"found = facet(lines, {field!r}, corpus.columns)",
        "for bar in found.bars:",
        "    print(bar.label, bar.hits, bar.documents, sep='\\t')",
    ]
    imports = (*_imports(unsorted), "from explorer.analyses.breakdown.facets import facet")
    code = program(imports, lines.source, [*_statements(unsorted), *statements])
    return Recipe(code, (_lines_command("breakdown", lines, [option("--by", field)]),))


def dispersion_recipe(lines: Lines) -> Recipe:
    """How the lines spread over the documents.

    Returns: Code that prints the documents with a line, and Gries's DP.
    """
    unsorted = replace(lines, query=replace(lines.query, sort="index"))
    imports = (*_imports(unsorted), "from explorer.analyses.breakdown.facets import dispersion")
    statements = ["spread = dispersion(lines)", "print(spread.documents, spread.deviation)"]
    code = program(imports, lines.source, [*_statements(unsorted), *statements])
    return Recipe(code, (_lines_command("dispersion", lines, []),))


def compare_recipe(sources: Sequence[Source], queries: Sequence[str], options: Query) -> Recipe:
    """Counts of several queries in one or several indexes.

    options: How they are matched; its text is not used.
    Returns: Code that prints each count. The command prints one row per query, for each index after the other.
    """
    opened = ", ".join(f"{source.python}.index" for source in sources)
    imports = (
        "from explorer.analyses.compare.compare import compare",
        "from explorer.analyses.search.find import QueryOptions",
    )
    lines = [
        "import explorer",
        *imports,
        "",
        f"indexes = [{opened}]",
        f"options = {_options_python(options)}",
        f"found = compare(indexes, {list(queries)!r}, options)",
        "for query, cells in zip(found.queries, found.cells):",
        "    print(query, *(cell.count for cell in cells), sep='\\t')",
        "",
    ]
    # The source has no part in these options; the first one is as good as any other.
    how = _query_options(Lines(sources[0], options), *queries)
    commands = tuple(_command("count", Lines(source, options), how, *queries) for source in sources)
    return Recipe("\n".join(lines), commands)


def watch_recipe(source: Source, path: str, options: Query) -> Recipe:
    """Counts of the patterns of a watch list.

    options: How patterns are matched; its text is not used.
    Returns: Code that prints the number of hits and of documents of each pattern. The command also prints its first
        ones.
    """
    imports = (
        "from pathlib import Path",
        "from explorer.analyses.search.find import QueryOptions",
        "from explorer.analyses.watch.counting import count_patterns",
        "from explorer.analyses.watch.watch_list import read_watch_list",
    )
    lines = (
        f"options = {_options_python(options)}",
        f"listed = read_watch_list(Path({path!r}))",
        "for found in count_patterns(corpus.index, listed.patterns, options):",
        "    print(found.pattern.pattern, found.count, found.documents, sep='\\t')",
    )
    # A pattern is one phrase, which has no center and no distance.
    how = _query_options(Lines(source, replace(options, distance=_USUAL.distance, node=_USUAL.node)), "one phrase")
    return Recipe(program(imports, source, lines), (command("count", source, [*how, option("--patterns", path)]),))


def lines_statements(lines: Lines) -> tuple[tuple[str, ...], list[str]]:
    """From a query to its lines, in no order.

    Returns: What a program imports for it, and what it does; `lines` is the concordance then.
    """
    unsorted = replace(lines, query=replace(lines.query, sort="index"))
    return _imports(unsorted), _statements(unsorted)


def around_command(name: str, lines: Lines, options: Iterable[str]) -> str:
    """The command that counts around lines, or why there is none."""
    if lines.query.sample or lines.query.collapse:
        return comment("The command line takes all hits, not a sample or merged lines. Use the Python program.")
    # All hits are checked there, and without --match the query is words.
    match = ["--match=text"] * (lines.query.match == "text")
    return _lines_command(name, replace(lines, exact=False), [*match, *options])


def _text(query: Query) -> str:
    """The query in the query language, in which a literal one is quoted."""
    return quoted(query.text) if query.literal and query.match != "regex" else query.text


def _search_options(lines: Lines) -> dict[str, object]:
    """The named arguments of `Corpus.search`, without those that are usual."""
    query = lines.query
    found: dict[str, object] = {
        "match": query.match,
        "ignore_case": query.ignore_case,
        "whole_words": query.whole_words,
        "equate": query.equate,
        "variants": query.variants,
        "max_distance": query.distance,
    }
    # `Query` and `Corpus.search` have the same usual values, so a program states only what was chosen.
    usual = {name: getattr(_USUAL, name) for name in ("match", "ignore_case", "whole_words", "equate", "variants")}
    usual["max_distance"] = _USUAL.distance
    given = {name: value for name, value in found.items() if value != usual[name]}
    node = _node(query, query.text)
    given |= {} if node is None else {"node": node}
    return given | ({"exact": True} if lines.exact else {})


def _found(lines: Lines) -> str:
    return f"found = {call('corpus.search', [repr(_text(lines.query))], _search_options(lines))}"


def _options_python(query: Query) -> str:
    options = replace(query.options, seed=0)
    names = ("variants", "max_distance", "node", "match", "ignore_case", "whole_words", "literal", "equate")
    given = {name: getattr(options, name) for name in names if getattr(options, name)}
    # The first phrase is number 0, which is not the same as no choice: then the rarest one is listed.
    return call("QueryOptions", [], given if options.node is None else {**given, "node": options.node})


def _imports(lines: Lines) -> tuple[str, ...]:
    filters = lines.query.filters
    near = any(isinstance(condition, NearFilter) for condition in filters)
    fields = any(isinstance(condition, FieldFilter) for condition in filters)
    deleted = [_DELETED] if lines.deleted else []
    deleted += [_KEPT] if lines.kept is not None else []
    deleted += [_PLACE] if deleted else []
    return (_VIEW, *([_NEAR] if near else []), *([_FIELD] if fields else []), *deleted)


def _statements(lines: Lines) -> list[str]:
    """From the query to its lines."""
    query = lines.query
    made = [_found(lines)]
    numbers = {name: getattr(query, name) for name in ("sample", "collapse", "seed") if getattr(query, name)}
    # With a comma after each, which makes a tuple of one, too.
    given = [f"filters=({''.join(f'{_filter_python(query, each)}, ' for each in query.filters)})"] * bool(query.filters)
    given += [f"{name}={value}" for name, value in numbers.items()]
    made.append(f"view = merge_views(parse_sort({query.sort!r}), LineSettings({', '.join(given)}))")
    if lines.kept is None:
        made.append("lines = corpus.concordance(found, view=view)")
    else:
        places = ", ".join(map(_place_python, lines.kept[:_MOST_DELETED]))
        # A set is made from its places. Searching again could find other lines.
        made.append(f"lines = kept_lines(corpus.index, [{places}], view, found.parts, corpus.columns)")
        if len(lines.kept) > _MOST_DELETED:
            more = f"The first {_MOST_DELETED:,} of {len(lines.kept):,} lines of the set. Use explorer.open_project."
            made.append(comment(more).strip())
    if lines.deleted:
        places = ", ".join(_place_python(place) for place in lines.deleted[:_MOST_DELETED])
        made.append(f"lines = without_places(lines, [{places}])")
        if len(lines.deleted) > _MOST_DELETED:
            said = (
                f"More lines were deleted: {len(lines.deleted):,} in all. Save them as a set to reproduce the number."
            )
            made.append(comment(said).strip())
    return made


def _place_python(place: HitPlace) -> str:
    return f"HitPlace({place.document}, {place.offset}, {place.length}, {place.begin}, {place.rest})"


def _filter_python(query: Query, condition: FieldFilter | NearFilter) -> str:
    if isinstance(condition, FieldFilter):
        return f"FieldFilter({condition.field!r}, {condition.operator!r}, {condition.value!r})"
    # Words nearby are matched in the spelling of the query; what AND joins has no part in them.
    options = _options_python(replace(query, node=None, distance=100, literal=False))
    shown = f"{condition.text!r}, {condition.distance}, {condition.wanted}"
    return f"near_filter(corpus.index, {shown}, {options})"


def _node(query: Query, *texts: str) -> int | None:
    """The clause whose occurrences are hits, where that makes a difference; the default is the rarest."""
    if query.node is None or query.literal:
        return None
    most = max((len(parse(text, query.match).clauses) for text in texts), default=1)
    # As the window does: a query with fewer clauses lists the last one.
    return None if most < 2 else min(query.node, most - 1)


def _query_options(lines: Lines, *texts: str) -> list[str]:
    query = lines.query
    found = [] if query.match == "text" else [option("--match", query.match)]
    found += ["--ignore-case"] * query.ignore_case + ["--whole-words"] * query.whole_words
    found += [option("--equate", ",".join(query.equate))] * bool(query.equate)
    found += [option("--variants", ",".join(query.variants))] * bool(query.variants)
    # A single expression is one phrase, for which these have no effect and are refused.
    if query.match != "regex":
        found += [option("--distance", query.distance)] * (query.distance != _USUAL.distance)
        node = _node(query, *(texts or (query.text,)))
        found += [option("--node", node + 1)] if node is not None else []
        found += ["--exact"] * lines.exact
    return found


def _command(name: str, lines: Lines, options: Iterable[str], *queries: str) -> str:
    asked = queries or (_text(lines.query),)
    # The window reads operators between expressions; the command line takes an expression as it is.
    if lines.query.match == "regex" and any(_joined(text) for text in asked):
        return comment(
            "The command line reads a regular expression as a whole, without AND, OR and NOT. Use the Python program."
        )
    return command(name, lines.source, options, *asked)


def _where(condition: FieldFilter) -> str:
    return f"{condition.field}{condition.operator}{condition.value}"


def where_options(filters: Sequence[FieldFilter]) -> list[str] | None:
    """Write conditions on documents as the command line and the library take them.

    Returns: The conditions; None if one of them cannot be written.
    """
    return [_where(each) for each in filters] if all(map(_can_be_typed, filters)) else None


def _can_be_typed(condition: FieldFilter) -> bool:
    """Whether the command line reads the condition back: a field may have a sign of an operator in its name."""
    try:
        return parse_filter(_where(condition)) == condition
    except QueryError:
        return False


def _joined(text: str) -> bool:
    return any(f" {word} " in f" {text} " for word in ("AND", "OR", "NOT"))


def _lines_command(name: str, lines: Lines, options: Iterable[str]) -> str:
    """A command with filters, or why there is none."""
    query = lines.query
    if lines.kept is not None:
        return comment("These are the lines of a saved set: corpus-explorer project lines FILE SET")
    if lines.deleted:
        return comment(
            "The command line does not know which lines were deleted. Use the Python program, or save the lines as a "
            "set and run: corpus-explorer project lines FILE SET"
        )
    # A command that ignored one condition would print another number, so each of these cases gets a reason instead.
    near = [condition for condition in query.filters if isinstance(condition, NearFilter)]
    if len({condition.distance for condition in near}) > 1:
        return comment("The command line has one --near-distance for all conditions. Use the Python program.")
    if near and query.variants not in ((), ("space",)):
        return comment("The command line finds words nearby in one spelling only. Use the Python program.")
    found = []
    for condition in query.filters:
        if isinstance(condition, FieldFilter):
            if not _can_be_typed(condition):
                return comment("The command line cannot write one of the conditions. Use the Python program.")
            found.append(option("--where", _where(condition)))
        else:
            found.append(option("--near" if condition.wanted else "--not-near", condition.text))
    found += [option("--near-distance", near[0].distance)] if near else []
    found += [option(f"--{key}", getattr(query, key)) for key in ("sample", "collapse", "seed") if getattr(query, key)]
    return _command(name, lines, [*_query_options(lines), *found, *options])

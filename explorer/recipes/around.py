"""Collocates and clusters as code: what is counted around a phrase, or around any lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.recipes.code import Recipe, Source, call, command, comment, option, program, stop_list
from explorer.recipes.queries import Lines, around_command, lines_statements, where_options
from explorer.search.values import FieldFilter


class Neighbors(Protocol):
    """How words near a query are counted."""

    @property
    def words(self) -> bool:
        """Whether words are counted; otherwise tokens."""

    @property
    def left(self) -> int:
        """Words of a window on the left."""

    @property
    def right(self) -> int:
        """Words of a window on the right."""

    @property
    def min_count(self) -> int:
        """How often a word must be in the windows."""

    @property
    def within(self) -> str:
        """What a window does not reach beyond: document, sentence or line."""

    @property
    def min_documents(self) -> int:
        """The least number of documents in which a word is in a window."""

    @property
    def measure(self) -> str:
        """The measure to sort by."""

    @property
    def stop(self) -> str:
        """The file of words without a row; "" for none."""


def collocates_recipe(source: Source, query: str | Lines, filters: Sequence[FieldFilter], rule: Neighbors) -> Recipe:
    """The words near a query.

    Parameters
    ----------
    source
        The index.
    query
        The phrase, or the lines whose hits are taken.
    filters
        Conditions on the documents.
    rule
        How words are counted.

    Returns
    -------
    Recipe
        Code that prints the collocates.
    """
    unit = "words" if rule.words else "tokens"
    more: dict[str, Any] = {"within": rule.within} if rule.within != "document" else {}
    more |= {"min_documents": rule.min_documents} if rule.min_documents > 1 else {}
    imports, stop, left_out = stop_list(rule.stop)
    given = {"window": (rule.left, rule.right), "min_count": rule.min_count, "unit": unit, **more, **stop}
    order = "found" if rule.measure == "logdice" else f"sorted(found, key=lambda row: -(row.{rule.measure} or 0))"
    lines = [
        "print(found.node_count, found.window_tokens, found.total)",
        f"for row in {order}:",
        f"    print(row.form, row.observed, row.count, row.expected, row.{rule.measure})",
    ]
    options = [option("--window", f"{rule.left},{rule.right}"), option("--min-count", rule.min_count)]
    options += [option(f"--{key.replace('_', '-')}", value) for key, value in more.items()]
    options += [option("--unit", unit), option("--sort", rule.measure), *left_out]
    return _counted(_Call("collocates", given, options, lines, tuple(imports)), source, query, filters)


class Containing(Protocol):
    """Which n-grams with a query are listed."""

    @property
    def words(self) -> bool:
        """Whether they are of words; otherwise of tokens."""

    @property
    def shortest(self) -> int:
        """Words or tokens of the shortest."""

    @property
    def longest(self) -> int:
        """Words or tokens of the longest."""

    @property
    def side(self) -> str:
        """Where the query is: any, left or right."""

    @property
    def min_count(self) -> int:
        """Their least count."""

    @property
    def min_documents(self) -> int:
        """The least number of documents that they are in."""


def clusters_recipe(
    source: Source, query: str | Lines, filters: Sequence[FieldFilter], rule: Containing, top: int = 500
) -> Recipe:
    """The n-grams that contain a query.

    Parameters
    ----------
    source
        The index.
    query
        The phrase, or the lines whose hits are taken.
    filters
        Conditions on the documents.
    rule
        Which n-grams are listed.
    top
        How many.

    Returns
    -------
    Recipe
        Code that prints the clusters.
    """
    size, unit = (rule.shortest, rule.longest), "words" if rule.words else "tokens"
    numbers = {"min_count": rule.min_count, "min_documents": rule.min_documents, "top": top}
    lines = [
        "print(found.node_count, found.total, found.types)",
        "for row in found:",
        "    print(row.form, row.count, row.documents, row.per_million)",
    ]
    options = [option("--size", f"{rule.shortest},{rule.longest}"), option("--side", rule.side)]
    options += [option("--unit", unit), *(option(f"--{name.replace('_', '-')}", at) for name, at in numbers.items())]
    given = {"size": size, "side": rule.side, "unit": unit, **numbers}
    return _counted(_Call("clusters", given, options, lines), source, query, filters)


@dataclass(frozen=True)
class _Call:
    """What is called, with its arguments in Python and in a shell, and what a program does with the result."""

    name: str
    given: dict[str, Any]
    options: Sequence[str]
    lines: Sequence[str]
    imports: Sequence[str] = ()


def _counted(asked: _Call, source: Source, query: str | Lines, filters: Sequence[FieldFilter]) -> Recipe:
    """What is counted around a phrase or around lines."""
    where = where_options(filters)
    if where is None:
        reason = comment("One of the conditions cannot be written, since its field has a sign of an operator.")
        return Recipe(reason, (reason,))
    given = asked.given | ({"where": where} if where else {})
    if isinstance(query, str):
        found = f"found = {call(f'corpus.{asked.name}', [repr(query)], given)}"
        options = [*asked.options, *(option("--where", each) for each in where)]
        return Recipe(
            program(asked.imports, source, [found, *asked.lines]), (command(asked.name, source, options, query),)
        )
    imports, statements = lines_statements(query)
    found = f"found = {call(f'corpus.{asked.name}', ['lines'], given)}"
    code = program([*imports, *asked.imports], source, [*statements, found, *asked.lines])
    return Recipe(code, (around_command(asked.name, query, asked.options),))

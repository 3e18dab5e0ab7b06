"""Collocates and clusters as code: what is counted around a phrase, or around any lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.derive.kinds import WordFile
from explorer.recipes.code import Code, Recipe, Source, call, command, comment, option, program
from explorer.recipes.queries import Lines, around_command, lines_statements, where_options
from explorer.search.values import FieldFilter


def collocates_recipe(
    source: Source, query: str | Lines, filters: Sequence[FieldFilter], question: CollocatesQuestion
) -> Recipe:
    """The words near a query, with the settings that differ from the defaults.

    query: The phrase, or the lines whose hits are taken.
    """
    given = {each.name: Code(each.kind.python(value)) for each, value in question.changed() if each.name != "sort"}
    usual = question.sort == CollocatesQuestion.sort
    lines = [
        "print(found.node_count, found.window_tokens, found.total)",
        f"for row in {'found' if usual else f'found.sorted_by({question.sort!r})'}:",
        f"    print(row.form, row.observed, row.count, row.expected, row.{question.sort})",
    ]
    imports = ("from pathlib import Path",) if isinstance(question.stop, WordFile) else ()
    return _counted(_Call("collocates", given, question.options, lines, imports), source, query, filters)


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

    query: The phrase, or the lines whose hits are taken.
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

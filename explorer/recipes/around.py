"""Collocates and clusters as code: what is counted around a phrase, or around any lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.analyses.clusters.question import ClustersQuestion
from explorer.analyses.collocates.question import CollocatesQuestion
from explorer.analyses.metadata.values import FieldFilter
from explorer.derive.kinds import WordFile
from explorer.derive.question import Question
from explorer.recipes.code import Code, Recipe, Source, call, command, comment, option, program
from explorer.recipes.queries import Lines, around_command, lines_statements, where_options


def collocates_recipe(
    source: Source, query: str | Lines, filters: Sequence[FieldFilter], question: CollocatesQuestion
) -> Recipe:
    """The words near a query, with the settings that differ from the defaults.

    query: The phrase, or the lines whose hits are taken.
    """
    rows = "found" if question.sort == CollocatesQuestion.sort else f"found.sorted_by({question.sort!r})"
    lines = [
        "print(found.node_count, found.window_tokens, found.total)",
        f"for row in {rows}:",
        f"    print(row.form, row.observed, row.count, row.expected, row.{question.sort})",
    ]
    return _counted(_Call("collocates", question, lines, without=("sort",)), source, query, filters)


def clusters_recipe(
    source: Source, query: str | Lines, filters: Sequence[FieldFilter], question: ClustersQuestion, top: int
) -> Recipe:
    """The n-grams that contain a query, with the settings that differ from the defaults.

    query: The phrase, or the lines whose hits are taken.
    """
    lines = [
        "print(found.node_count, found.total, found.types)",
        "for row in found:",
        "    print(row.form, row.count, row.documents, row.per_million)",
    ]
    return _counted(_Call("clusters", question, lines, top), source, query, filters)


@dataclass(frozen=True)
class _Call:
    """What is called, and what a program does with the result."""

    name: str
    question: Question
    lines: Sequence[str]
    top: int | None = None
    without: tuple[str, ...] = ()

    @property
    def given(self) -> dict[str, Any]:
        """The arguments in Python."""
        changed = self.question.changed()
        given = {each.name: Code(each.kind.python(value)) for each, value in changed if each.name not in self.without}
        return given if self.top is None else {**given, "top": self.top}

    @property
    def options(self) -> list[str]:
        """The arguments in a shell."""
        return [*self.question.options, *(() if self.top is None else (option("--top", self.top),))]

    @property
    def imports(self) -> tuple[str, ...]:
        """What the arguments need."""
        files = any(isinstance(value, WordFile) for _, value in self.question.changed())
        return ("from pathlib import Path",) if files else ()


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

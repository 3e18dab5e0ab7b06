"""An analysis that the registry lists, as code."""

from __future__ import annotations

from explorer.analyses.registry import row_of
from explorer.derive.kinds import WordFile
from explorer.derive.question import Question
from explorer.derive.table import columns_of
from explorer.recipes.code import Code, Recipe, Source, call, command, program


def analysis_recipe(source: Source, name: str, question: Question) -> Recipe:
    """The rows of an analysis, with the settings that differ from the defaults."""
    row = row_of(name)
    given = {each.name: Code(each.kind.python(value)) for each, value in question.changed()}
    files = any(isinstance(value, WordFile) for _, value in question.changed())
    lines = [
        f"found = {call(f'corpus.{row.method}', [], given)}",
        "print(found.facts)",
        "for row in found:",
        f"    print({', '.join(f'row.{column}' for column in columns_of(row.analysis.record))})",
    ]
    python = program(("from pathlib import Path",) if files else (), source, lines)
    return Recipe(python, (command(name, source, question.options),))

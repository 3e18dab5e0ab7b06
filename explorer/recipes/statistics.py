"""The results of the Statistics screen as code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.derive.kinds import WordFile
from explorer.recipes.code import Code, Recipe, Source, call, command, option, program
from explorer.statistics.diversity import WINDOW

_ROWS = 1_000
_OF_WORDS = ("unit", "as_written", "min_n", "max_n")
"""Settings of a word list that are no arguments with their names."""


def wordlist_recipe(source: Source, question: WordlistQuestion) -> Recipe:
    """The most frequent words or n-grams: prints the figures of all n-grams, and the list."""
    several = question.min_n is not None
    given: dict[str, Any] = {"min_n": question.min_n, "max_n": question.max_n} if several else {}
    changed = (each for each in question.changed() if each[0].name not in _OF_WORDS)
    given |= {each.name: Code(each.kind.python(value)) for each, value in changed}
    words = call("corpus.words", [], {"fold": False} if question.as_written else {})
    called = f"{words}.ngrams" if question.words else "corpus.ngrams"
    lines = [
        f"found = {call(called, [] if several else [str(question.max_n)], given)}",
        "print(*found.figures)",
        "for row in found:",
        "    print(row.count, row.documents, row.form)",
    ]
    imports = ["from pathlib import Path"] if isinstance(question.stop, WordFile) else []
    return Recipe(program(imports, source, lines), (command("wordlist", source, question.options),))


def keywords_recipe(
    source: Source, question: KeywordsQuestion, where: str = "", against: str = "", other: bool = False
) -> Recipe:
    """The words that are more frequent, or rarer, than in a reference.

    where: The documents that are compared with the rest; "" for the whole index.
    against: The folder of another index, or the file of a word list; "" for none.
    other: Whether it is an index.
    """
    arguments = [f"explorer.open_index({against!r})" if other else repr(against)] if against else []
    given: dict[str, Any] = {"where": where} if where else {}
    given |= {each.name: Code(each.kind.python(value)) for each, value in question.changed()}
    lines = [
        f"found = {call('corpus.keywords', arguments, given)}",
        "print(found.total, found.reference_total, found.reference)",
        "for row in found:",
        f"    print(row.form, row.count, row.reference_count, row.{question.measure}, row.log_ratio)",
    ]
    options = [option("--field", where)] if where else []
    options += [*([option("--against", against)] if against and not other else []), *question.options]
    imports = ("from pathlib import Path",) if isinstance(question.stop, WordFile) else ()
    return Recipe(
        program(imports, source, lines), (command("keywords", source, options, *([against] if other else [])),)
    )


def diversity_recipe(source: Source, by: str, window: int = WINDOW) -> Recipe:
    """How varied the vocabulary is.

    by: The metadata field of the groups; "" for one group of all documents.
    Returns: Code that prints the measures.
    """
    lines = [
        f"for row in {call('corpus.diversity', [repr(by)] if by else [], {'window': window})}:",
        "    print(row.group, row.words, row.types, row.mattr, row.mtld, row.hdd)",
    ]
    options = [option("--window", window), *([option("--by", by)] if by else [])]
    return Recipe(program([], source, lines), (command("diversity", source, options),))


class Spread(Protocol):
    """How evenly words are spread over what."""

    @property
    def by(self) -> str | None:
        """The field whose values are the parts; None for other parts."""

    @property
    def cut(self) -> int | None:
        """How many slices; None for other parts."""

    @property
    def min_count(self) -> int:
        """The least count of a word that is listed."""

    @property
    def forms(self) -> Sequence[str]:
        """The words that are measured; none for the most frequent ones."""


def word_dispersion_recipe(source: Source, rule: Spread) -> Recipe:
    """How evenly words are spread, and where some of them are.

    Returns: Code that prints the measures.
    """
    parts = {name: value for name, value in (("by", rule.by), ("slices", rule.cut)) if value is not None}
    options = ["--words", *(option(f"--{name}", value) for name, value in parts.items())]
    if rule.forms:
        given: dict[str, Any] = parts
        asked = call("explorer.dispersion_strips", ["corpus", repr(list(rule.forms))], given)
        rows, options = "found.measures", options + [option("--form", form) for form in rule.forms]
    else:
        given = {**parts, "min_count": rule.min_count, "top": _ROWS}
        asked, rows = call("corpus.dispersion", [], given), "found"
        options += [option("--min-count", rule.min_count), option("--top", _ROWS)]
    lines = [
        f"found = {asked}",
        "print(found.parts, found.total)",
        f"for row in {rows}:",
        "    print(row.form, row.count, row.range, row.dp, row.dp_norm, row.d_a, row.arf)",
    ]
    return Recipe(program([], source, lines), (command("dispersion", source, options),))

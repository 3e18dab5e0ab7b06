"""The results of the Statistics screen as code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from explorer.analyses.dispersion.question import DispersionQuestion
from explorer.analyses.diversity.question import DiversityQuestion
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.wordlist.question import WordlistQuestion
from explorer.derive.kinds import WordFile
from explorer.recipes.code import Code, Recipe, Source, call, command, option, program

_OF_WORDS = ("unit", "as_written", "min_n", "max_n")
"""Settings of a word list that are not passed by name."""


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


def diversity_recipe(source: Source, question: DiversityQuestion) -> Recipe:
    """How varied the vocabulary is: prints the measures."""
    given = {each.name: Code(each.kind.python(value)) for each, value in question.changed()}
    lines = [
        f"for row in {call('corpus.diversity', [], given)}:",
        "    print(row.group, row.words, row.types, row.mattr, row.mtld, row.hdd)",
    ]
    return Recipe(program([], source, lines), (command("diversity", source, question.options),))


def word_dispersion_recipe(source: Source, question: DispersionQuestion, forms: Sequence[str] = ()) -> Recipe:
    """How evenly words are spread, and where some of them are.

    forms: The words that are measured; none for the most frequent ones.
    """
    if forms:
        # Typed words are measured however rare and however many they are.
        question = DispersionQuestion(by=question.by, slices=question.slices)
    given = {each.name: Code(each.kind.python(value)) for each, value in question.changed()}
    asked = call("explorer.dispersion_strips", ["corpus", repr(list(forms))], given)
    lines = [
        f"found = {asked if forms else call('corpus.dispersion', [], given)}",
        "print(found.parts, found.total)",
        f"for row in {'found.measures' if forms else 'found'}:",
        "    print(row.form, row.count, row.range, row.dp, row.dp_norm, row.d_a, row.arf)",
    ]
    options = ["--words", *question.options, *(option("--form", form) for form in forms)]
    return Recipe(program([], source, lines), (command("dispersion", source, options),))

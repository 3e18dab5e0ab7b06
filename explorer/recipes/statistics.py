"""The results of the Statistics screen as code."""

from __future__ import annotations

from typing import Any, Protocol

from explorer.recipes.code import Recipe, Source, call, command, option, program

_ROWS = 1_000


class Rule(Protocol):
    """What is listed."""

    @property
    def words(self) -> bool:
        """Whether n-grams are of words; otherwise of tokens."""

    @property
    def n(self) -> int:
        """Words or tokens of each."""

    @property
    def min_count(self) -> int:
        """Their least count."""

    @property
    def min_documents(self) -> int:
        """The least number of documents that they are in."""

    @property
    def text(self) -> str:
        """What they begin with, or contain; "" for anything."""

    @property
    def begins(self) -> bool:
        """Whether they begin with it."""


def wordlist_recipe(source: Source, rule: Rule) -> Recipe:
    """The most frequent words or n-grams.

    Parameters
    ----------
    source
        The index.
    rule
        What is listed.

    Returns
    -------
    Recipe
        Code that prints the figures of all n-grams and the list.
    """
    given: dict[str, Any] = {"top": _ROWS}
    given |= {name: getattr(rule, name) for name in ("min_count", "min_documents") if getattr(rule, name) > 1}
    if text := rule.text.strip() if rule.words else rule.text:
        given["begins_with" if rule.begins else "contains"] = text
    lines = [
        f"found = {call('corpus.words().ngrams' if rule.words else 'corpus.ngrams', [str(rule.n)], given)}",
        "print(found.figures[0])",
        "for row in found:",
        "    print(row.count, row.documents, row.form)",
    ]
    options = [option("--unit", "words" if rule.words else "tokens"), option("--n", rule.n)]
    options += [option(f"--{name.replace('_', '-')}", value) for name, value in given.items()]
    return Recipe(program([], source, lines), (command("wordlist", source, options),))

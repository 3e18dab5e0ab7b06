"""The results of the Statistics screen as code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from explorer.recipes.code import Recipe, Source, call, command, option, program, stop_list
from explorer.statistics.diversity import WINDOW

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

    @property
    def stop(self) -> str:
        """The file of words that none of them contains; "" for none."""


def wordlist_recipe(source: Source, rule: Rule) -> Recipe:
    """The most frequent words or n-grams.

    Returns: Code that prints the figures of all n-grams and the list.
    """
    given: dict[str, Any] = {"top": _ROWS}
    given |= {name: getattr(rule, name) for name in ("min_count", "min_documents") if getattr(rule, name) > 1}
    if text := rule.text.strip() if rule.words else rule.text:
        given["begins_with" if rule.begins else "contains"] = text
    imports, stop, left_out = stop_list(rule.stop)
    lines = [
        f"found = {call('corpus.words().ngrams' if rule.words else 'corpus.ngrams', [str(rule.n)], given | stop)}",
        "print(found.figures[0])",
        "for row in found:",
        "    print(row.count, row.documents, row.form)",
    ]
    options = [option("--unit", "words" if rule.words else "tokens"), option("--n", rule.n)]
    options += [option(f"--{name.replace('_', '-')}", value) for name, value in given.items()] + left_out
    return Recipe(program(imports, source, lines), (command("wordlist", source, options),))


class Comparison(Protocol):
    """What is compared."""

    @property
    def where(self) -> str:
        """The documents that are compared with the rest; "" for the whole index."""

    @property
    def against(self) -> str:
        """The folder of another index or the file of a word list; "" for none."""

    @property
    def reference(self) -> str:
        """What `against` is: "index" or "list"."""

    @property
    def measure(self) -> str:
        """The measure to sort by."""

    @property
    def min_count(self) -> int:
        """The least count of a word in either."""

    @property
    def min_documents(self) -> int:
        """The least number of documents of a word, on the side where it is more frequent."""

    @property
    def min_d_a(self) -> float:
        """Its least D_A over the documents of that side; 0 for any."""

    @property
    def stop(self) -> str:
        """The file of words without a row; "" for none."""

    @property
    def exclude_missing(self) -> bool:
        """Whether documents without a value of the field are excluded from the rest."""


def keywords_recipe(source: Source, rule: Comparison, top: int = 500) -> Recipe:
    """The words that are more frequent, or rarer, than in a reference.

    top: How many keywords and how many negative keywords.
    """
    other = rule.reference == "index" and bool(rule.against)
    arguments = [f"explorer.open_index({rule.against!r})" if other else repr(rule.against)] if rule.against else []
    given: dict[str, Any] = {"where": rule.where} if rule.where else {}
    homes: dict[str, Any] = {"min_documents": rule.min_documents} if rule.min_documents > 1 else {}
    missing = rule.exclude_missing and bool(rule.where)
    homes |= {"min_d_a": rule.min_d_a} if rule.min_d_a > 0 else {}
    imports, stop, left_out = stop_list(rule.stop)
    given |= {"exclude_missing": True} if missing else {}
    given |= {"measure": rule.measure, "min_count": rule.min_count, **homes, "top": top, **stop}
    lines = [
        f"found = {call('corpus.keywords', arguments, given)}",
        "print(found.total, found.reference_total, found.reference)",
        "for row in found:",
        f"    print(row.form, row.count, row.reference_count, row.{rule.measure}, row.log_ratio)",
    ]
    options = [option("--field", rule.where)] if rule.where else []
    if missing:
        options.append("--exclude-missing")
    if rule.against and not other:
        options.append(option("--against", rule.against))
    options += [option("--sort", rule.measure), option("--min-count", rule.min_count), option("--top", top)]
    options += [option(f"--{name.replace('_', '-')}", least) for name, least in homes.items()] + left_out
    return Recipe(
        program(imports, source, lines), (command("keywords", source, options, *([rule.against] if other else [])),)
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

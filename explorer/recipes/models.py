"""The results of the Model screen as code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from explorer.analyses.agreement.sources import InputChoice
from explorer.analyses.drafts.question import DraftsQuestion
from explorer.analyses.model.method import Formula
from explorer.recipes.code import Recipe, Source, call, changed, command, comment, option, program


class Texts(Protocol):
    """The texts that were asked about: files, and a text with its prompt."""

    @property
    def files(self) -> Sequence[Any]:
        """Paths."""

    @property
    def has_text(self) -> bool:
        """Whether there is a text beside the files."""

    @property
    def text(self) -> str:
        """The text."""

    @property
    def prompt(self) -> str:
        """Its prompt."""

    @property
    def removed(self) -> Sequence[str]:
        """Groups of the files that are left out."""

    @property
    def choice(self) -> InputChoice:
        """How the files are read."""


def perplexity_recipe(source: Source, texts: Texts, method: Formula, leave_one_out: bool = False) -> Recipe:
    """The perplexity of texts.

    leave_one_out: Whether the texts are in the index, and their own occurrences do not count.
    Returns: Code that prints the perplexity, or the score, and the number of zeros.
    """
    given: dict[str, Any] = {"leave_one_out": True} if leave_one_out else {}
    imports, lines = [], [f"model = {call('corpus.model', [repr(method.name)], changed(method))}"]
    if texts.files:
        imports.append("from explorer.analyses.agreement.sources import InputChoice, read_texts")
        lines += reading(texts)
        found = call("model.perplexity", ["texts", "prompts=prompts"], given)
    else:
        more = {"prompts": [texts.prompt]} if texts.prompt else {}
        found = call("model.perplexity", [repr([texts.text])], {**more, **given})
    lines += [f"found = {found}", "print(found.total.perplexity, found.total.zeros)"]
    options = [*method.options, *(["--leave-one-out"] if leave_one_out else [])]
    return Recipe(program(imports, source, lines), (_line("perplexity", source, texts, options),))


def draft_recipe(source: Source, texts: Texts, question: DraftsQuestion) -> Recipe:
    """What drafts from the corpus save for the answers of a model.

    Returns: Code that prints the tokens per step and the share of accepted tokens.
    """
    imports, lines = [], []
    if texts.files:
        imports.append("from explorer.analyses.agreement.sources import InputChoice, read_texts")
        lines += reading(texts)
    else:
        lines.append(f"texts = {[texts.text]!r}")
    lines += [
        f"found = {call('corpus.draft_bench', ['texts'], changed(question, 'draft_cost'))}.total",
        "print(found.tokens_per_step, found.accept_rate)",
    ]
    return Recipe(program(imports, source, lines), (_line("draft", source, texts, question.options),))


def reading(texts: Texts) -> list[str]:
    """Write the lines that read texts from files.

    Returns: Statements that set `texts`, `groups` and `prompts`; they need `InputChoice` and `read_texts`.
    """
    choice = texts.choice
    usual = InputChoice()
    # Only what differs from the defaults, as a person would write it.
    names = ("format", "group_field", "on_bad", "prompt_field")
    different = {name: getattr(choice, name) for name in names if getattr(choice, name) != getattr(usual, name)}
    beside = [(texts.text, "", texts.prompt)] if texts.has_text else []
    return [
        f"read = read_texts({[str(path) for path in texts.files]!r}, {call('InputChoice', [], different)})",
        "rows = list(zip(read.texts, read.groups, read.prompts or [''] * len(read.texts)))",
        *([f"rows = [row for row in rows if row[1] not in {list(texts.removed)!r}]"] if texts.removed else []),
        *([f"rows += {beside!r}"] if beside else []),
        "texts, groups, prompts = zip(*rows)",
    ]


def _line(name: str, source: Source, texts: Texts, options: Sequence[str]) -> str:
    """A command over these texts, with the options that choose how they are read."""
    if texts.files and (texts.has_text or texts.removed):
        return comment("The command line reads whole files, and no text beside them. Use the Python program.")
    # A text is given through standard input: as an argument, it would be taken for the name of a file.
    if not texts.files:
        if texts.prompt:
            return comment("The command line takes prompts from a field of a file. Use the Python program.")
        return command(name, source, ["--input=text", *options], "-", stdin=texts.text)
    choice, usual = texts.choice, InputChoice()
    names = {"--input": "format", "--group": "group_field", "--prompt-field": "prompt_field", "--on-bad": "on_bad"}
    different = [
        option(each, getattr(choice, field))
        for each, field in names.items()
        if getattr(choice, field) != getattr(usual, field)
    ]
    return command(name, source, [*options, *different], *map(str, texts.files))

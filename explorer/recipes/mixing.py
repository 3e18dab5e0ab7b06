"""A corpus mixed with a neural model as code."""

from __future__ import annotations

from typing import Any

from explorer.analyses.agreement.sources import InputChoice
from explorer.analyses.model.method import Formula
from explorer.recipes.code import Recipe, Source, call, changed, command, comment, option, program
from explorer.recipes.models import Texts, reading


def mix_recipe(
    source: Source, method: Formula, leave_one_out: bool, *,
    file: str = "", log_base: str | None = None, url: str = "", texts: Texts | None = None, remote: bool = False,
) -> Recipe:  # fmt: skip
    """A corpus mixed with a neural model.

    leave_one_out: Whether the texts are in the index, and their own occurrences do not count.
    file: A file of log probabilities, where no server is asked.
    texts: The texts that it scores; None for the file.
    remote: Whether the user agreed to send them to another machine.
    Returns: Code that prints the perplexity of the model and of the mixture, which is None where tokenizers differ, and
        both in bits per character.
    """
    options: dict[str, Any] = {"model": method.name, **changed(method)}
    imports: list[str] = []
    lines: list[str] = []
    if texts is None:
        options |= {"log_base": log_base} if log_base else {}
        scored = repr(file)
    else:
        imports, lines = _asking(url, texts, remote)
        scored = "scored"
    options |= {"leave_one_out": True} if leave_one_out else {}
    lines += [
        f"found = {call('corpus.mix', [scored], options)}",
        "for part in found.second.neural, found.second.hybrid:",
        "    print(part.perplexity, part.bits_per_character)",
    ]
    words = [*method.options, *(["--leave-one-out"] if leave_one_out else [])]
    if texts is None:
        words += [option("--log-base", log_base)] if log_base else []
        written = command("mix", source, [*words, option("--probabilities", file)])
    else:
        words += [option("--server", url), *(["--allow-remote"] if remote else [])]
        written = _command(source, texts, words)
    return Recipe(program(imports, source, lines), (written,))


def _asking(url: str, texts: Texts, remote: bool) -> tuple[list[str], list[str]]:
    """The imports and lines that have texts scored."""
    imports: list[str] = []
    lines: list[str] = []
    if texts.files:
        imports.append("from explorer.analyses.agreement.sources import InputChoice, read_texts")
        lines += reading(texts)
    else:
        lines.append(f"texts = {[texts.text]!r}")
    # A person who runs the program has agreed in the window; it is written where it can be seen.
    confirm = ", confirm=lambda host: True" if remote else ""
    lines.append(f"scored = list(explorer.ask_model({url!r}, texts{confirm}))")
    return imports, lines


def _command(source: Source, texts: Texts, words: list[str]) -> str:
    usual = InputChoice()
    if texts.removed or texts.choice != usual or (texts.files and texts.has_text):
        return comment(
            "The command line reads whole files as they are, and no text beside them. Use the Python program."
        )
    if texts.files:
        return command("mix", source, words, *map(str, texts.files))
    # Standard input is read as records where it looks like them, which a pasted text is not.
    if texts.text.lstrip().startswith(("{", "[")):
        return comment("The command line would take the text for records. Use the Python program.")
    return command("mix", source, words, "-", stdin=texts.text)

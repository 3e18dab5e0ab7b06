"""The commands of the shell: one row and one function each."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from explorer.analyses.search.query import show_token
from explorer.cli.options.common import require_utf8
from explorer.cli.options.queries import report_echo
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.shell.lines import ShellLine, read_line, unquoted
from explorer.cli.shell.settings import ShellSettings
from explorer.corpus import Corpus, open_index
from explorer.corpus.model.models import LanguageModel
from explorer.corpus.results.model.model import Generated
from explorer.errors import QueryError
from explorer.i18n import counted

_PREDICTED, _WRITTEN, _SAMPLES, _SAMPLE_TOKENS, _LINES, _WIDTH, _AROUND = 10, 50, 5, 30, 5, 60, 50


class Shell:
    """What a session of the shell knows: the corpus, the settings, and the models that were made.

    Examples
    --------
    >>> shell = Shell(corpus)
    >>> shell.execute("count cat")
    3
    >>> shell.execute("quit")
    >>> shell.ended
    True
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus, self.settings, self.ended = corpus, ShellSettings(), False
        self._models: dict[tuple[Any, ...], LanguageModel] = {}

    def execute(self, line: str) -> None:
        """Run a line.

        line: What was typed; an empty line, or one that begins with "#", does nothing.
        Raises `CorpusError` if the command does not exist or fails.
        """
        require_utf8(line)
        if not line.strip() or line.lstrip().startswith("#"):
            return
        typed = read_line(line, {name: each.letters for name, each in BY_NAME.items()})
        if typed.command not in BY_NAME:
            elsewhere = _ELSEWHERE.get(typed.command)
            hint = f"{elsewhere}." if elsewhere else '"help" lists the commands.'
            raise QueryError(f"There is no command {typed.command} here. {hint}", reason="unknown-command")
        command = BY_NAME[typed.command]
        if command.needs and not typed.text:
            raise QueryError(f"Usage: {command.usage}", reason="usage")
        command.run(self, typed)

    def use(self, corpus: Corpus) -> None:
        """Continue with another corpus."""
        self.corpus.close()
        self.corpus = corpus
        self._models.clear()

    def model(self) -> LanguageModel:
        """The model that the settings name, made at its first use."""
        settings = self.settings.of_model()
        key = (self.settings.method, *sorted(settings.items()))
        if key not in self._models:
            method = cast(Any, self.settings.method)
            self._models[key] = self.corpus.model(method, report=progress_bar(), **settings)
        return self._models[key]

    def write(self, prompt: str, length: int, temperature: float | None, seed: int) -> Generated:
        """Continue a text by the settings.

        temperature: The temperature; None for that of the settings.
        """
        return self.model().generate(
            prompt,
            max_tokens=length,
            temperature=self.settings.temperature if temperature is None else temperature,
            top_k=self.settings.top_k,
            top_p=self.settings.top_p,
            seed=seed,
        )

    def seed(self) -> int:
        """The seed of the settings, or a new one, which is reported."""
        if self.settings.seed is not None:
            return self.settings.seed
        seed = random.randrange(1 << 31)
        remark(f"seed {seed}")
        return seed


@dataclass(frozen=True)
class ShellCommand:
    """A command of the shell.

    names: Its names, the usual one first.
    usage: How it is typed.
    """

    names: tuple[str, ...]
    usage: str
    summary: str
    run: Callable[[Shell, ShellLine], None]
    letters: str = ""
    needs: bool = False


def _help(shell: Shell, line: ShellLine) -> None:
    chosen = [BY_NAME[line.text]] if line.text in BY_NAME else COMMANDS
    wide = max(len(each.usage) for each in chosen)
    for each in chosen:
        put(f"  {each.usage:<{wide}}  {each.summary}")
    if len(chosen) > 1:
        put()
        put('TEXT is taken as it is typed; in quotes it can begin or end with a space: predict "the cat "')
        put("QUERY is that of corpus-explorer count: a text, or texts with AND, OR and NOT.")


def _predict(shell: Shell, line: ShellLine) -> None:
    found = shell.model().distribution(unquoted(line.text))
    index = shell.corpus.index
    for token, share in list(zip(found.tokens.tolist(), found.probabilities.tolist(), strict=True))[
        : line.options.get("n", _PREDICTED)
    ]:
        text = index.tokenizer.token_bytes(token).hex(" ") if "b" in line.options else show_token(index, token)
        put(f"{share:.4f}  {text}")
    if found.levels:
        longest = found.levels[0]
        remark(f"longest context: {counted('token', longest.length)}, followed {counted('time', longest.followed)}")
    else:
        remark("no context of this text occurs with a token after it")


def _complete(shell: Shell, line: ShellLine) -> None:
    prompt = unquoted(line.text)
    found = shell.write(prompt, line.options.get("n", _WRITTEN), line.options.get("t"), shell.seed())
    put(prompt + found.text, keep="\n")
    remark(f"{counted('token', len(found))}; longest run that occurs in the corpus: {found.longest_verbatim:,}")


def _sample(shell: Shell, line: ShellLine) -> None:
    prompt, seed = unquoted(line.text), shell.seed()
    for number in range(line.options.get("n", _SAMPLES)):
        found = shell.write(prompt, line.options.get("l", _SAMPLE_TOKENS), line.options.get("t"), seed + number)
        put(f"[{number + 1}] {prompt}{found.text}", keep="\n")


def _count(shell: Shell, line: ShellLine) -> None:
    found = shell.corpus.search(line.text)
    report_echo(found.parsed)
    put(f"{'' if found.exact else '≈ '}{found.count:,}")


def _search(shell: Shell, line: ShellLine) -> None:
    found = shell.corpus.search(line.text)
    report_echo(found.parsed)
    lines = shell.corpus.concordance(found, sort="index")
    remark(f"{'' if found.exact else '≈ '}{counted('occurrence', found.count)}")
    width = line.options.get("w", _WIDTH)
    for each in lines.lines(0, line.options.get("n", _LINES), width, characters=True):
        left, right = (" ".join(text.split()) for text in (each.left, each.right))
        put(f"{each.document}:{each.offset}\t{left:>{width}} [{' '.join(each.match.split())}] {right}", keep="\t")


def _context(shell: Shell, line: ShellLine) -> None:
    parts = line.text.replace(":", " ").split()
    if not 1 <= len(parts) <= 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise QueryError("Usage: context DOCUMENT:TOKEN [-w TOKENS]", reason="usage")
    document = shell.corpus.document(int(parts[0]))
    at, width = int(parts[1]) if len(parts) > 1 else 0, line.options.get("w", _AROUND)
    if at >= document.token_count:
        raise QueryError(
            f"Document {document.number} has {counted('token', document.token_count)}.", reason="no-such-token"
        )
    part = document.part(max(0, at - width), at + width + 1)
    here = at - max(0, at - width)
    left, token = part.slice(0, here), part.slice(here, here + 1)
    put(f"{left}[{token}]{part.slice(here + 1, len(part.starts) - 1)}", keep="\n")


def _config(shell: Shell, line: ShellLine) -> None:
    for name, value, remarked in shell.settings.rows():
        put(f"{name:<12} {value}{f'  ({remarked})' if remarked else ''}")


def _set(shell: Shell, line: ShellLine) -> None:
    name, _, value = line.text.partition(" ")
    if not value.strip():
        raise QueryError(f"Usage: {BY_NAME['set'].usage}", reason="usage")
    changed = shell.settings.changed(name.lower(), value.strip())
    for row, shown, remarked in changed.rows():
        if row == name.lower() or (row == "method" and changed.method != shell.settings.method):
            put(f"{row} = {shown}")
            if remarked:
                remark(f"{row} is {remarked}")
    shell.settings = changed


def _info(shell: Shell, line: ShellLine) -> None:
    corpus = shell.corpus
    put_cells("index", corpus.index.name)
    put_cells("tokens", f"{corpus.token_count:,}")
    put_cells("documents", f"{corpus.document_count:,}")
    put_cells("tokenizer", corpus.index.tokenizer.name)
    put_cells("model", shell.settings.method)


def _use(shell: Shell, line: ShellLine) -> None:
    shell.use(open_index(unquoted(line.text)))
    _info(shell, line)


def _quit(shell: Shell, line: ShellLine) -> None:
    shell.ended = True


COMMANDS = (
    ShellCommand(
        ("predict",), "predict TEXT [-n N] [-b]", "list the most probable next tokens; -b: bytes", _predict, "nb", True
    ),
    ShellCommand(
        ("complete",), "complete TEXT [-n TOKENS] [-t T]", "continue a text; -t: temperature", _complete, "nt", True
    ),
    ShellCommand(
        ("sample",), "sample TEXT [-n TEXTS] [-l TOKENS] [-t T]", "continue it several times", _sample, "nlt", True
    ),
    ShellCommand(("count",), "count QUERY", "count the occurrences of a query", _count, "", True),
    ShellCommand(
        ("search",),
        "search QUERY [-n LINES] [-w CHARACTERS]",
        "list occurrences, each with DOCUMENT:TOKEN, counted from 0",
        _search,
        "nw",
        True,
    ),
    ShellCommand(
        ("context",), "context DOCUMENT:TOKEN [-w TOKENS]", "show the text around a token", _context, "w", True
    ),
    ShellCommand(("config",), "config", "show the settings", _config),
    ShellCommand(("set",), "set NAME VALUE", "change a setting; none for the usual value", _set, "", True),
    ShellCommand(("info", "model"), "info", "describe the index", _info),
    ShellCommand(("use", "load"), "use INDEX", "continue with another index", _use, "", True),
    ShellCommand(("help", "?"), "help [COMMAND]", "list the commands", _help),
    ShellCommand(("quit", "exit"), "quit", "end the session, as Ctrl-D does", _quit),
)
BY_NAME: Mapping[str, ShellCommand] = {name: each for each in COMMANDS for name in each.names}
_ELSEWHERE = {
    "build": "Build an index with: corpus-explorer build",
    "models": 'Open another index with "use INDEX"',
    "ls": 'Open another index with "use INDEX"',
    "cd": 'Open another index with "use INDEX"',
    "unload": "The session has one index, until it ends",
}
"""Commands of Infinigram that are not here, and what to do instead."""

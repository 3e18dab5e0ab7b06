"""The commands, one per row, and how a command line is matched to one."""

from __future__ import annotations

import argparse
import difflib
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from explorer.analyses.registry import derived, row_of
from explorer.cli.options.rules import refuse_unused
from explorer.cli.parser import COMMON_RULES, Parser, UsageError, leading_options
from explorer.core.files.paths import exists


@dataclass(frozen=True)
class Command:
    """`module` of explorer.cli has define_NAME, which takes a parser, and run_NAME; a dash is a `_` in these names."""

    name: str
    module: str
    summary: str


COMMANDS = (
    Command("demo", "window", "open the sample index with a worked example (builds it on first use)"),
    Command("build", "index.build", "build an index from files and folders"),
    Command("add", "index.add_merge", "add documents to an index"),
    Command("merge", "index.add_merge", "make one index from several, or from some of their documents"),
    Command("info", "index.build", "describe an index"),
    Command("verify", "index.build", "check an index for damage"),
    Command("set-tokenizer", "index.set_tokenizer", "remember the tokenizer of an index that has none"),
    Command(
        "publish-keys", "index.publish_keys", "write the keys with which an index is quickly read from a web server"
    ),
    Command("push", "index.push", "publish an index on the Hugging Face hub"),
    Command("workers", "index.workers", "list the folders on the workers of a cluster, and keep the list"),
    Command("count", "search.count", "count how often texts occur"),
    Command("kwic", "search.kwic", "list occurrences in context"),
    Command("breakdown", "search.breakdown", "count the lines of a query by a metadata field"),
    Command("dispersion", "search.breakdown", "measure how a query, or each word, spreads over the corpus"),
    Command("next", "search.kwic", "list the tokens that follow a text"),
    Command(
        "ngram-profile",
        "search.ngram_profile",
        "count every context before one token of a text, and how often it follows",
    ),
    Command("trace", "search.trace", "find the parts of a text that occur in the corpus"),
    Command("compare-texts", "search.ngram_profile", "compare two texts word by word"),
    Command("project", "index.project", "show or check a project file, or list one of its saved sets"),
    Command("agree", "search.agree", "measure the agreement of texts with the corpus by effective n"),
    Command("perplexity", "model.perplexity", "measure how probable texts are, with the corpus as a language model"),
    Command("generate", "model.perplexity", "continue a text, with where each token comes from"),
    Command("shell", "shell.shell", "ask one corpus many questions, line by line, as Infinigram's shell does"),
    Command("mix", "model.mix", "mix the corpus with a neural model's probabilities, and measure what it adds"),
    Command("probe", "model.probe", "ask whether prompts are completed as expected, by rank and probability"),
    Command("draft", "model.draft", "estimate how much faster a model would write with drafts from the corpus"),
    Command("hints", "model.hints", "sample what follows the context of each token elsewhere, as arrays for training"),
    Command("wordlist", "statistics.wordlist", "list the most frequent words or n-grams"),
    Command("spectrum", "statistics.spectrum", "count n-grams: of every length, by count, and as the corpus grows"),
    Command("fgrams", "model.fgrams", "list the most frequent n-grams of all lengths together, as arrays for training"),
    Command("clusters", "search.clusters", row_of("clusters").summary),
    Command(
        "embed-fgrams", "model.embed_fgrams", "give each f-gram of a table its embedding, from a matrix or a model"
    ),
    Command("collocates", "search.collocates", row_of("collocates").summary),
    Command("keywords", "statistics.keywords", "list the words that are more frequent, or rarer, than in a reference"),
    Command(
        "diversity", "statistics.diversity", "measure how varied the vocabulary is, whole or by groups of documents"
    ),
    *(Command(row.name, "statistics.analysis", row.summary) for row in derived()),
    Command("repeats", "curation.repeats", "list the passages that occur more than once"),
    Command(
        "duplicates", "curation.duplicates", "find the tokens to cut so that no passage is left twice, and cut them"
    ),
    Command("contamination", "curation.contamination", "find the items of benchmarks that occur in the corpus"),
    Command(
        "personal-data",
        "curation.personal_data",
        "find e-mail addresses, telephone numbers, cards and keys, and cut them",
    ),
    Command("decontaminate", "curation.decontaminate", "find the documents that evaluation sets make up, and cut them"),
    Command("bench", "index.bench", "measure how fast this machine answers from an index, and builds one"),
    Command("plan", "index.plan", "estimate disk, memory, hours and cost of an index, before it is built"),
    Command("serve", "serve.serve", "answer the questions of other programs about indexes"),
    Command("mcp", "serve.mcp", "answer an assistant's questions, by the Model Context Protocol"),
    Command("completion", "completion", "print a script that completes commands in bash, zsh or fish"),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def read_command_line(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; `run` of the result executes it. Raises UsageError, QueryError."""
    # `help count` is `count --help`; `help` alone is `--help`.
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    before = leading_options(arguments)
    command = _BY_NAME.get(arguments[before]) if before < len(arguments) else None
    if command is None:
        return _read_window(arguments)
    module = _module(command)
    args = command_parser(command).read([*arguments[:before], *arguments[before + 1 :]])
    args.command, args.run = command.name, getattr(module, f"run_{_function(command)}")
    writes = bool(args.out_suffixes) and args.out not in (None, "-")
    facts = {"--out FILE"} if writes else set()
    refuse_unused({*args.given, *facts}, (*COMMON_RULES, *module.RULES.get(command.name, ())))
    if args.out_suffixes or args.fields_of_records:
        from explorer.cli.output.envelope import check_output

        check_output(args, module.SHAPES[command.name])
    return args


def command_parser(command: Command) -> Parser:
    """Make the parser of a command."""
    parser = Parser(f"corpus-explorer {command.name}", f"{command.summary[:1].upper()}{command.summary[1:]}.")
    getattr(_module(command), f"define_{_function(command)}")(parser)
    return parser


def _module(command: Command) -> ModuleType:
    # Imported when it is needed, so that a command does not wait for the imports of the others.
    return importlib.import_module(f"explorer.cli.{command.module}")


def _function(command: Command) -> str:
    return command.name.replace("-", "_")


def window_parser() -> Parser:
    """Make the parser of a command line without a command."""
    from explorer.cli import window

    names = "\n".join(f"  {command.name:<13} {command.summary}" for command in COMMANDS)
    parser = Parser(
        "corpus-explorer",
        "Explore a text corpus, and find the parts of a language model's output that occur in it.\nWithout "
        "a command, this opens the window.",
        f"commands (corpus-explorer COMMAND --help explains each):\n{names}\n\n{window.CONVENTIONS}",
    )
    window.define_window(parser)
    return parser


def _read_window(arguments: Sequence[str]) -> argparse.Namespace:
    from explorer.cli import window

    parser, name = window_parser(), next(filter(_BY_NAME.get, arguments), None)
    option = arguments[0].partition("=")[0] if arguments else ""
    if name is not None and option.startswith("-") and not parser.has_option(option):
        raise UsageError(f"The command comes before its options: corpus-explorer {name} … {arguments[0]}")
    args = parser.read(arguments)
    args.command, args.run = "", window.run_window
    # `given` has arguments as they were typed; the rules call all folders INDEX.
    refuse_unused({*args.given, *(["INDEX"] if args.index else [])}, (*COMMON_RULES, *window.RULES[""]))
    # A mistyped command is taken for a folder. It is refused here, not by a window that opens without an index.
    for name in args.index:
        _require_folder(name)
    return args


def _require_folder(name: str) -> None:
    """Raise UsageError if a name is not a folder or an address, or, in the first place, not a command either."""
    # No command has such a name. Whether anybody answers there is found out by the window, which asks first.
    if "://" in name or exists(Path(name)):
        return
    # A command only counts in the first place; `corpus-explorer INDEX count` names one in the second.
    if name in _BY_NAME:
        raise UsageError(f"The command comes first: corpus-explorer {name} …")
    close = difflib.get_close_matches(name, _BY_NAME, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else "corpus-explorer --help lists the commands."
    raise UsageError(f'There is no command or folder "{name}"; {hint}')

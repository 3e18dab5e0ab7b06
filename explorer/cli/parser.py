"""The parser of one command: options and arguments in any order, and errors of one line."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import NoReturn

from explorer.cli.options.environment import INDEX, VARIABLES, named, table
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import MEANINGS
from explorer.cli.output.terminal import COLORS, flush, put
from explorer.errors import CorpusError

_NEGATIVE = re.compile("-[0-9]")
_TAKEN_AS_IS = "\0"
"""Marks arguments after "--" on their way through argparse. No program argument can contain this character."""


_OF_OPTION = re.compile(r"^argument (?:-\w/)?(-[-\w]+):(?= must)")
"""The start of argparse's message that an option has a wrong value."""

_SHORT = {"F": "--literal", "q": "--quiet", "v": "--verbose"}
"""Short options besides -h, with their long names. None takes a value."""
_ENDING = "ENVIRONMENT:\n{}\n\nEXIT STATUS:\n{}"

_VALUED, _FLAGS = ("--color",), ("--quiet", "--verbose", "--debug", "--help")
"""Options that every command has, with and without a value."""
_LETTERS = re.compile("-[qvh]+")


def leading_options(arguments: Sequence[str]) -> int:
    """Count the arguments before the command: options that every command has, with their values."""
    at = 0
    while at < len(arguments):
        name, sign, _ = arguments[at].partition("=")
        if name in _VALUED:
            at += 1 if sign else 2
        elif arguments[at] in _FLAGS or _LETTERS.fullmatch(arguments[at]):
            at += 1
        else:
            break
    return at


COMMON_RULES = (Rule("--quiet", without=("--verbose",)),)
"""Rules of the options that every command has."""


class UsageError(CorpusError):
    """The command line cannot be parsed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, reason="usage")


class Parser(argparse.ArgumentParser):
    """Parses a command line; every error is one line, and no option can be abbreviated."""

    def __init__(self, prog: str, description: str, epilog: str = "") -> None:
        ending = _ENDING.format(table(VARIABLES), table(tuple((str(code), text) for code, text in MEANINGS)))
        super().__init__(
            prog=prog,
            description=description,
            epilog=f"{epilog}\n\n{ending}" if epilog else ending,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            # An abbreviation in a script would become ambiguous with a later option.
            allow_abbrev=False,
        )
        self.add_argument("-q", "--quiet", action="store_true", help="print no remarks and no progress, only errors")
        self.add_argument("-v", "--verbose", action="store_true", help="report what was opened, and the time it took")
        self.add_argument(
            "--color", choices=COLORS, default="auto", help="color what is printed (default auto: on a terminal)"
        )
        self.add_argument("--debug", action="store_true", help="print the traceback of an error")
        self.index_from_environment = False
        self.out_suffixes: tuple[str, ...] = ()
        self.fields_of_records = False
        # Settings that JSON lists only where another one needs them, such as those of one method.
        self.at_times: tuple[str, ...] = ()
        self._beside = {"help", "quiet", "verbose", "color", "debug", "format", "json"}

    @property
    def words(self) -> tuple[argparse.Action, ...]:
        """Its options and arguments, in the order of the help; without those that are kept for a better error."""
        return tuple(action for action in self._actions if action.help is not argparse.SUPPRESS)

    def has_option(self, name: str) -> bool:
        """Whether this is one of its options."""
        return name in self._option_string_actions

    def beside_settings(self, *names: str) -> None:
        """Name options that decide where an answer goes or how it is shown, not what it is: JSON does not list them."""
        self._beside.update(names)

    def settings(self) -> dict[str, argparse.Action]:
        """The options and arguments that shape an answer, by their long names with underscores, but for the index."""
        found: dict[str, argparse.Action] = {}
        for action in self._actions:
            name = next((name[2:].replace("-", "_") for name in action.option_strings if name.startswith("--")), "")
            if not action.option_strings and action.dest != "index":
                name = action.dest
            # An option that is short for a value of another one (`--skip-bad`) writes to the other one's attribute.
            if name and name not in self._beside and not any(other.dest == action.dest for other in found.values()):
                found[name] = action
        return found

    def argument(
        self, name: str, metavar: str, text: str, nargs: str | None = None, default: str | None = None
    ) -> None:
        """Define a positional argument; its value is kept as it was typed.

        nargs: As in argparse: "?", "*", "+", or None for exactly one.
        """
        self.add_argument(name, metavar=metavar, help=text, nargs=nargs, default=default, type=_as_is)

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse; `given` of the result lists the options that were typed, by their long names.

        An option with choices is listed with its value too ("--match tokens"). Nothing after "--" is an option.
        """
        # Arguments and options can be mixed because argparse parses twice; only a mark survives both passes.
        cut = arguments.index("--") if "--" in arguments else len(arguments)
        before, after = self._with_values(arguments[:cut]), arguments[cut + 1 :]
        for argument in before:
            self._require_known(argument)
            if argument.startswith("--") and argument.endswith("=--"):
                # argparse would take this as the end of the options, and give the option an empty list.
                self.error(f"argument {argument[:-3]}: -- is not a value")
        may_lack_index = self.index_from_environment and named(INDEX) is not None
        if may_lack_index:
            self._argument("index").nargs = "?"
        args = self.parse_intermixed_args([*before, *(_TAKEN_AS_IS + text for text in after)])
        if may_lack_index:
            self._leave_out_index(args)
        # A value that looks like an option, such as `--near --sort`, cannot occur: argparse has refused it before.
        given = {name for argument in before for name in _long_names(argument)}
        args.given = frozenset(given | self._chosen(args, given))
        args.fields_of_records, args.out_suffixes = self.fields_of_records, self.out_suffixes
        args.settings = {name: getattr(args, action.dest) for name, action in self.settings().items()}
        return args

    def _require_known(self, argument: str) -> None:
        """Raise UsageError for an option that the command does not have, before an argument is found to be missing."""
        name = argument.partition("=")[0]
        # With a space it is a text that begins with dashes, as argparse sees it.
        if len(name) < 3 or not name.startswith("--") or " " in argument or name in self._option_string_actions:
            return
        close = difflib.get_close_matches(name, self._option_string_actions, n=1, cutoff=0.75)
        meant = f"; did you mean {close[0]}?" if close else "."
        raise UsageError(f"There is no option {name}{meant} Run {self.prog} --help for help.")

    def _with_values(self, arguments: Sequence[str]) -> list[str]:
        """Join an option and a value such as -1,5, which argparse would take for an option of its own."""
        joined: list[str] = []
        for argument in arguments:
            action = self._option_string_actions.get(joined[-1]) if joined else None
            if (
                action is not None
                and action.nargs is None
                and _NEGATIVE.match(argument)
                and joined[-1].startswith("--")
            ):
                joined[-1] += f"={argument}"
            else:
                joined.append(argument)
        return joined

    def _argument(self, name: str) -> argparse.Action:
        return next(action for action in self._actions if action.dest == name)

    def _leave_out_index(self, args: argparse.Namespace) -> None:
        """Give the first word to the next argument if that takes any number of words, and it is not an index."""
        arguments = [action for action in self._actions if not action.option_strings]
        following = arguments[1] if len(arguments) > 1 else None
        # With a fixed number of arguments, their number shows whether INDEX is among them.
        if following is None or following.nargs is None or args.index is None or _is_index(args.index):
            return
        given = getattr(args, following.dest)
        words = given if isinstance(given, list) else [] if given == following.default else [given]
        args.index, words = None, [args.index, *words]
        setattr(args, following.dest, words[0] if following.nargs == "?" else words)

    def _chosen(self, args: argparse.Namespace, given: set[str]) -> set[str]:
        names = (
            (name, getattr(args, action.dest))
            for action in self._actions
            for name in action.option_strings
            # A rule can so refer to one value of an option, as in `--match tokens`.
            if action.choices and name in given
        )
        return {f"{name} {value}" for name, value in names}

    def print_help(self, file: object = None) -> None:
        """Print the help and make sure that it is written; argparse would ignore a full disk."""
        put(self.format_help(), keep="\n", end="")
        flush()

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        # argparse writes "argument -F/--literal: must …"; the sentence begins with the long name instead.
        sentence = _OF_OPTION.sub(r"\1", message.replace(_TAKEN_AS_IS, "").rstrip("."))
        raise UsageError(f"{sentence[:1].upper()}{sentence[1:]}. Run {self.prog} --help for help.")


def _is_index(name: str) -> bool:
    # Imported here: only what is typed beside the variable is looked at.
    from explorer.backends.registry import BACKENDS

    # A web address may well be the query. That of a folder ends with a slash.
    is_page = name.lower().startswith(("http://", "https://")) and "#" not in name and not name.endswith("/")
    return not is_page and BACKENDS.claiming(name) is not None


def _as_is(text: str) -> str:
    return text.removeprefix(_TAKEN_AS_IS)


def _long_names(argument: str) -> set[str]:
    """The options that an argument names; another text if it does not name one."""
    if argument[:1] == "-" and argument[1:2] in _SHORT:
        # Short options may share one dash: -qF.
        return {_SHORT[letter] for letter in argument[1:] if letter in _SHORT}
    return {argument.split("=", 1)[0]}

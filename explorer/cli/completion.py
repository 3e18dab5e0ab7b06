"""completion: a script with which a shell completes commands, options, their values, and names of files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from explorer.cli.described import FILE, FOLDER, Described, Word, described
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import put
from explorer.cli.parser import Parser

RULES: dict[str, tuple[Rule, ...]] = {}

_BASH = """\
# Completion of corpus-explorer in bash: source <(corpus-explorer completion bash)
_corpus_explorer() {
    local current previous command options valued choices='' takes='' kinds rest first place=0 i
    current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    # bash splits --option=value at the sign.
    if [ "$current" = = ]; then current=
    elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
    COMPREPLY=()
    command= first=1
    [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]}
    case " @NAMES@ " in *" $command "*) [ -n "$command" ] && first=2 ;; esac
    case $command in
@COMMANDS@
    esac
    case "$command $previous" in
@VALUES@
    esac
    if [ -z "$choices$takes" ]; then
        if [ "${current#-}" != "$current" ]; then
            choices=$options
        else
            # The place of the argument: words after the command that are neither options nor their values.
            for ((i = first; i < COMP_CWORD; i++)); do
                case ${COMP_WORDS[i]} in
                    -*)
                        case " $valued " in *" ${COMP_WORDS[i]} "*)
                            [ "${COMP_WORDS[i + 1]}" = = ] && i=$((i + 1))
                            i=$((i + 1)) ;;
                        esac ;;
                    *) place=$((place + 1)) ;;
                esac
            done
            rest=($kinds)
            [ "$place" -lt "${#rest[@]}" ] || place=$((${#rest[@]} - 1))
            [ "$place" -ge 0 ] && takes=${rest[place]}
            case $takes in *,*) choices=${takes//,/ } takes= ;; esac
            [ "$COMP_CWORD" -eq 1 ] && choices='@NAMES@'
        fi
    fi
    local IFS=$'\\n'
    [ -n "$choices" ] && COMPREPLY=($(IFS=' '; compgen -W "$choices" -- "$current"))
    case $takes in
        folder) COMPREPLY+=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null ;;
        file) COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null ;;
    esac
    return 0
}
complete -F _corpus_explorer corpus-explorer
"""

_ZSH = """\
#compdef corpus-explorer
# Completion of corpus-explorer in zsh: source <(corpus-explorer completion zsh)
_corpus_explorer() {
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
@NAMES@
    )
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe -t commands command commands
        _files -/
        return
    fi
    case $words[2] in
@COMMANDS@
    esac
}
# Loaded by compinit as a function, or sourced.
if [[ $funcstack[1] == _corpus_explorer ]]; then
    _corpus_explorer "$@"
else
    compdef _corpus_explorer corpus-explorer
fi
"""

_FISH = """\
# Completion of corpus-explorer in fish: corpus-explorer completion fish | source
function __corpus_explorer_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end
function __corpus_explorer_first
    test (count (commandline -opc)) -eq 1
end
complete -c corpus-explorer -f
complete -c corpus-explorer -n __corpus_explorer_first -a '(__fish_complete_directories)'
"""


def define_completion(parser: Parser) -> None:
    """Define the command."""
    parser.add_argument("shell", choices=tuple(SHELLS), metavar="SHELL", help=f"the shell: {', '.join(SHELLS)}")


def run_completion(args: argparse.Namespace) -> int:
    """Print the script."""
    put(SHELLS[args.shell](described()), keep="\n", end="")
    return FINE


def bash(commands: Iterable[Described]) -> str:
    """Write the script for bash 3.2 or later.

    commands: What can be typed, without a command first.
    """
    found = tuple(commands)
    cases, values = [], []
    # What holds without a command is matched last.
    for command in (*found[1:], found[0]):
        valued = [name for word in command.options if word.takes for name in word.names]
        kinds = " ".join(",".join(word.choices) or word.takes for word in command.arguments)
        # Without a command, the first word is a folder or nothing that this script knows.
        cases.append(
            f"        {command.name or '*'}) options={_single(_names(command))} valued={_single(' '.join(valued))} "
            f"kinds={_single(kinds)} ;;"
        )
        values += [
            _bash_value(command.name, name, word) for word in command.options for name in word.names if word.takes
        ]
    names = " ".join(command.name for command in found if command.name)
    return _filled(_BASH, COMMANDS="\n".join(cases), VALUES="\n".join(values), NAMES=names)


def _bash_value(command: str, name: str, word: Word) -> str:
    pattern = f'"{command} {name}"' if command else f'*" {name}"'
    what = f"choices={_single(' '.join(word.choices))}" if word.choices else f"takes={word.takes}"
    return f"        {pattern}) {what} ;;"


def zsh(commands: Iterable[Described]) -> str:
    """Write the script for zsh.

    Returns: The script, which may also be a file `_corpus-explorer` in `fpath`.
    """
    found = tuple(commands)
    names = [f"        {_single(f'{command.name}:{command.summary}')}" for command in found if command.name]
    cases = [_zsh_case(command) for command in found]
    return _filled(_ZSH, NAMES="\n".join(names), COMMANDS="\n".join([*cases[1:], cases[0]]))


def _zsh_case(command: Described) -> str:
    specs = [_single(spec) for word in command.options for spec in _zsh_option(word)]
    # The arguments come after the command, which is the first of them.
    specs += ["':command: '"] if command.name else []
    specs += [_single(f"{'*' if word.repeats else ''}:{word.metavar}:{_zsh_value(word)}") for word in command.arguments]
    lines = " \\\n".join(f"            {spec}" for spec in specs)
    return f"        {command.name or '*'}) _arguments -s -S \\\n{lines} ;;"


def _zsh_option(word: Word) -> list[str]:
    text = word.text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    value = f":{word.metavar}:{_zsh_value(word)}" if word.takes else ""
    return [
        f"{'*' if word.repeats else ''}{name}{'=' if value and name.startswith('--') else ''}[{text}]{value}"
        for name in word.names
    ]


def _zsh_value(word: Word) -> str:
    if word.choices:
        return f"({' '.join(word.choices)})"
    return {FILE: "_files", FOLDER: "_files -/"}.get(word.takes, " ")


def fish(commands: Iterable[Described]) -> str:
    """Write the script for fish."""
    lines = []
    for command in commands:
        here = f"'__corpus_explorer_in {command.name}'" if command.name else "__corpus_explorer_first"
        start = f"complete -c corpus-explorer -n {here}"
        if command.name:
            lines.append(
                f"complete -c corpus-explorer -n __corpus_explorer_first -a {command.name} -d {_fish(command.summary)}"
            )
        lines += [f"{start} {_fish_option(word)}" for word in command.options]
        lines += [f"{start} {_fish_value(word)}" for word in command.arguments if command.name and _fish_value(word)]
    return _FISH + "\n".join(lines) + "\n"


def _fish_option(word: Word) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in word.names)
    # -x: nothing but what is listed; without it, fish would add the names of files.
    value = f" {'-r' if word.takes == FILE else '-x'} {_fish_value(word)}" if word.takes else ""
    return f"{names}{value.rstrip()} -d {_fish(word.text)}"


def _fish_value(word: Word) -> str:
    if word.choices:
        return f"-a {_fish(' '.join(word.choices))}"
    return {FILE: "-F", FOLDER: "-a '(__fish_complete_directories)'"}.get(word.takes, "")


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _names(command: Described) -> str:
    return " ".join(name for word in command.options for name in word.names)


def _single(text: str) -> str:
    """Quote a text for a POSIX shell."""
    quoted = text.replace("'", "'\\''")
    return f"'{quoted}'"


def _filled(template: str, **parts: str) -> str:
    for name, text in parts.items():
        template = template.replace(f"@{name}@", text)
    return template


SHELLS: dict[str, Callable[[Iterable[Described]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The shells by name."""

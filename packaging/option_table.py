"""Run every option of every command on small indexes, and write what each does to docs/benchmarks/options.md.

    python packaging/option_table.py            write the page
    python packaging/option_table.py --check    fail if it is not what would be written

An option changes the result of a command line, is refused with what it needs and then changes the result together with
that, or changes nothing, which needs a reason. The command lines are those of tests/support/option_runs.py.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from option_runs import SCENARIOS, make_home, outcome  # noqa: E402

from explorer.cli.commands import COMMANDS, command_parser  # noqa: E402
from explorer.cli.main import main as main_of_program  # noqa: E402

PAGE = ROOT / "docs" / "benchmarks" / "options.md"
NOT_RUN = ("demo", "publish-keys", "push", "workers", "shell", "bench", "serve", "mcp")
"""They open a window, serve until they are stopped, need a cluster or a hub, or print times; their own tests run
them."""
ELSEWHERE = {
    "a cluster": "build --cluster, build --allow-remote, build --insecure, count --partial, kwic --partial",
    "a server": "kwic --token-file, count --token-file, next --token-file, trace --token-file, agree --token-file, "
    "generate --mix, generate --weight-by, generate --candidates, generate --allow-remote, "
    "generate --api-key-variable, mix --server, mix --probabilities-out, mix --resume, mix --window, "
    "mix --allow-remote, mix --api-key-variable",
    "another file": "embed-fgrams --model, embed-fgrams --tensor, set-tokenizer --no-fit-check, merge --memory, "
    "personal-data --sources-only",
    "cuts of whole documents": "duplicates --removal-index, personal-data --removal-index",
}
"""Options that are refused here by the name of what they need."""
SHARED = ("--help", "--quiet", "--verbose", "--color", "--debug")
CHANGES, NEEDS, SAME, REFUSED = "changes", "needs", "same", "refused"
REASONS = {
    "a permission": "--allow-same, --allow-remote, --insecure, --no-fit-check",
    "the value is the one that holds anyway": "--tokenizer, --mask, --jsonl, --input, --unit, --squash, --against",
    "every hit is checked, and none sampled, unless there are a million": "--exact, --seed",
    "nothing is wrong here": "--deep, --on-bad, --skip-bad, --sources-only, --whole-words, --forget, --resume",
    "every document has the field": "--exclude-missing",
    "tokens are bytes": "--characters, --density",
    "a limit of memory changes no result": "--memory, --batch",
    "these texts are too few or too plain": "--abbreviations, --equate, --floor, --within, --transform, --vocabulary, "
    "--factor, --instance, --min-words, --read, --index, --neural, --node",
}
"""Why an option changes nothing on these indexes."""


def reason_of(option: str) -> str:
    """The reason why an option changes nothing; "" if there is none."""
    return next((reason for reason, options in REASONS.items() if option in options.split(", ")), "")


def command_lines(command: str) -> Iterator[str]:
    """The scenarios of a command, each also without its --format, which excludes --json and --out."""
    for name in [name for name in SCENARIOS if name.split()[0] == command]:
        yield name
        base, values = SCENARIOS[name]
        if "--format" in base and f"{name} plain" not in SCENARIOS:
            at = base.index("--format")
            SCENARIOS[f"{name} plain"] = ([*base[:at], *base[at + 2 :]], values)
            yield f"{name} plain"


def found(command: str, option: str, home: Path) -> tuple[str, str]:
    """What an option does to a command: the most that it does in one of its command lines, and the first refusal."""
    kinds, refusals = set(), []
    for scenario in command_lines(command):
        kind, said = tried(scenario, option, home)
        kinds.add(kind)
        refusals += [said] if said else []
        if kind == CHANGES:
            break
    best = next(kind for kind in (CHANGES, NEEDS, SAME, REFUSED) if kind in kinds)
    needs = next((said for said in refusals if " needs " in said), "")
    return (NEEDS if best == CHANGES and needs else best), needs or (refusals[0] if refusals else "")


def tried(scenario: str, option: str, home: Path) -> tuple[str, str]:
    """What an option does to one command line, alone or beside what it needs."""
    if option in SCENARIOS[scenario][0]:
        # Without it, the command line would be another one, or none.
        return CHANGES, ""
    bare, alone = outcome(scenario, [], home), outcome(scenario, [option], home)
    if alone.code != 2:
        return (CHANGES if alone[:3] != bare[:3] else SAME), ""
    said = alone.messages.strip().splitlines()[-1].removeprefix("corpus-explorer: ")
    if known := re.search(r"The fields are (\w+), (\w+)", said):
        SCENARIOS[scenario][1][option] = ",".join(known.groups())
        return tried(scenario, option, home)
    return together(scenario, option, said, (), home) or REFUSED, said


def together(scenario: str, option: str, said: str, helpers: tuple[str, ...], home: Path) -> str | None:
    """What an option does together with what a refusal says that it needs; None if it is refused all the same."""
    values = SCENARIOS[scenario][1]
    for name, value in needed(said):
        if name in helpers:
            continue
        before = values.get(name)
        if value:
            values[name] = value
        more = (*helpers, name)
        without, both = outcome(scenario, more, home), outcome(scenario, [*more, option], home)
        kind = (NEEDS if both[:3] != without[:3] else SAME) if both.code != 2 else None
        if kind is None and len(more) < 2:
            kind = together(scenario, option, both.messages.strip().splitlines()[-1], more, home)
        if before is not None:
            values[name] = before
        elif value:
            del values[name]
        if kind is not None:
            return kind
    return None


def needed(said: str) -> Iterator[tuple[str, str]]:
    """The options that a refusal names after "needs", each with its value or ""."""
    _, _, rest = said.partition(" needs ")
    for name, value in re.findall(r"(--[a-z-]+)(?: ([a-z0-9-]+)(?=[,.]| or| when))?", rest):
        yield name, "" if value in ("or", "when") else value


def table(home: Path) -> tuple[list[str], list[str]]:
    """The lines of the table, and what has neither an effect nor a reason."""
    kinds: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    said: dict[str, set[str]] = defaultdict(set)
    wrong = []
    elsewhere = {one: what for what, all_ in ELSEWHERE.items() for one in all_.split(", ")}
    for command in COMMANDS:
        for option in options_of(command.name):
            kind, refusal = found(command.name, option, home)
            kind = elsewhere.get(f"{command.name} {option}", kind) if kind == REFUSED else kind
            kinds[option][kind].append(command.name)
            if kind == NEEDS:
                said[option].add(refusal.partition(" needs ")[2].rstrip("."))
            if kind == REFUSED or (kind == SAME and not reason_of(option)):
                wrong.append(f"{command.name} {option}: {kind} {refusal}")
    lines = []
    for option in sorted(kinds):
        row = kinds[option]
        others = [f"needs {what}: {_listed(row[what])}" for what in ELSEWHERE if row[what]]
        same = [f"{reason_of(option)}: {_listed(row[SAME])}"] if row[SAME] else []
        needs = _listed(row[NEEDS]) + (f" ({'; '.join(sorted(said[option]))})" if row[NEEDS] else "")
        lines.append(f"| `{option}` | {_listed(row[CHANGES])} | {needs} | {'; '.join([*others, *same])} |")
    return lines, wrong


def options_of(command: str) -> list[str]:
    """The options of a command that are tried: those with an effect of their own."""
    parser = command_parser(next(one for one in COMMANDS if one.name == command))
    names = [next((name for name in word.option_strings if name[:2] == "--"), "") for word in parser.words]
    return [] if command in NOT_RUN else [name for name in names if name and name not in SHARED]


def not_options() -> tuple[int, list[str]]:
    """The pairs of a command and an option of others, and those that are not refused by name."""
    every = {name for command in COMMANDS for name in options_of(command.name)}
    tried_, accepted = 0, []
    for command in COMMANDS:
        parser = command_parser(command)
        for option in sorted(name for name in every if not parser.has_option(name)):
            messages = io.StringIO()
            with redirect_stderr(messages):
                code = main_of_program([command.name, option])
            tried_ += 1
            if code != 2 or not messages.getvalue().startswith(f"corpus-explorer: There is no option {option}"):
                accepted.append(f"{command.name} {option}")
    return tried_, accepted


def _listed(commands: Sequence[str]) -> str:
    return ", ".join(commands)


def page(lines: Sequence[str], count: int) -> str:
    """The page of docs."""
    return "\n".join([TITLE.format(count=count, commands=len(COMMANDS), skipped=", ".join(NOT_RUN)), *lines, ""])


TITLE = """\
# Options and commands

Made by `python packaging/option_table.py`, which runs every option of every command on small indexes. An option that
would have no effect is an error. What a row does not list is not an option of that command: {count:,} such pairs were
tried, and each is refused by name. `-q`, `-v`, `--color`, `--debug` and `--help` are options of all {commands}
commands. Not run here: {skipped}, which open a window, serve until they are stopped, need a
cluster or a hub, or print times.

- **Changes the result**: alone, in one command line of the script.
- **Needs**: refused alone with a sentence that names what it needs, and changes the result together with that.
- **The same here**: accepted, or refused for want of what the script does not have, with the reason.

| option | changes the result | needs | the same here |
| --- | --- | --- | --- |"""


def main() -> int:
    """Write the page, or check it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        make_home(home)
        os.chdir(home)
        lines, wrong = table(home)
        count, accepted = not_options()
    text = page(lines, count)
    for line in [*wrong, *accepted]:
        print(line)
    if "--check" in sys.argv:
        return int(bool(wrong or accepted) or PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return int(bool(wrong or accepted))


if __name__ == "__main__":
    sys.exit(main())

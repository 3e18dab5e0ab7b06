"""The results of the Curation screen as code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.curation.item_matches import Thresholds
from explorer.derive.question import Question
from explorer.recipes.code import Code, Recipe, Source, call, command, comment, option, program


def duplicates_recipe(source: Source, question: DuplicatesQuestion, listed: RepeatsQuestion, runs: bool) -> Recipe:
    """What goes if repeats are cut, and the passages that repeat, or the stretches that repeat themselves."""
    lines = [
        f"found = {call('corpus.duplicates', [str(question.length)], _changed(question, 'length'))}",
        "print(found.tokens_removed, len(found), found.documents_touched, found.documents_emptied)",
        f"repeats = {call('corpus.repeats', [str(listed.length)], _changed(listed, 'length'))}",
    ]
    lines += (
        ["for run in repeats.runs:", "    print(run.period, run.times, run.document, run.text)"]
        if runs
        else ["for row in repeats:", "    print(row.tokens, row.count, row.documents, row.text)"]
    )
    return Recipe(program([], source, lines), _commands(source, question, listed))


def _changed(question: Question, *without: str) -> dict[str, Code]:
    """The settings that differ from the defaults, as arguments."""
    return {each.name: Code(each.kind.python(value)) for each, value in question.changed() if each.name not in without}


def _commands(source: Source, question: DuplicatesQuestion, listed: RepeatsQuestion) -> tuple[str, ...]:
    if question.never:
        return (comment("The command reads passages that are never cut from files, not token ids: --keep FILE"),)
    length = option("--length", question.length)
    options = [length, *(each for each in question.options if each != length)]
    rows = [*listed.options, option("--top", listed.top)]
    return command("duplicates", source, options), command("repeats", source, rows)


def personal_recipe(source: Source, question: PersonalDataQuestion) -> Recipe:
    """What looks like personal data: code that prints the findings."""
    lines = [
        f"found = {call('corpus.personal_data', [], _changed(question))}",
        "for kind in found.kinds:",
        "    print(kind.kind, kind.count, kind.documents)",
        "for row in found:",
        "    print(row.kind, row.text, row.document, row.character)",
    ]
    return Recipe(program([], source, lines), (command("personal-data", source, question.options),))


class Bench(Protocol):
    """Which benchmarks are looked for."""

    @property
    def files(self) -> Sequence[str]:
        """Their files."""

    @property
    def unit(self) -> str:
        """What is compared: words or tokens."""

    @property
    def question(self) -> str:
        """The field with the question; "" for a guess."""

    @property
    def answer(self) -> str:
        """The field with the answer; "" for a guess."""

    @property
    def score(self) -> str:
        """The field with the score of a model; "" for a guess."""

    @property
    def without_own(self) -> bool:
        """Whether a benchmark that is in the index itself is left out."""

    @property
    def against(self) -> Sequence[str]:
        """Indexes in which the items are looked for as well."""


class Limits(Protocol):
    """From which shares on items are flagged or suspicious, in percent."""

    @property
    def flagged(self) -> int:
        """Of an item in its longest match."""

    @property
    def suspicious(self) -> int:
        """Of an item in matches of 8 or more."""


def contamination_recipe(source: Source, rule: Bench, limits: Limits) -> Recipe:
    """Which items of benchmarks occur.

    Returns: Code that prints the figures of each benchmark, and its items.
    """
    fields = {name: text for name in ("question", "answer", "score") if (text := getattr(rule, name).strip())}
    # What `Thresholds` of the library has as its defaults is not written.
    moved = {name: share / 100 for name, share, usual in _shares(limits) if share != usual}
    beside = [place for place in rule.against if (place,) != source.paths]
    options = [option("--unit", rule.unit), *(option(f"--{name}-field", text) for name, text in fields.items())]
    options += [option(f"--{name.replace('_', '-')}", f"{share:g}") for name, share in moved.items()]
    options += [*(["--without-own"] if rule.without_own else []), *(option("--against", each) for each in beside)]
    lines = [
        *_looked_for(rule, fields, moved, beside),
        "for file in found.files:",
        "    print(file.file, file.items, file.flagged, file.suspicious, file.too_short)",
        "for row in found:",
        "    print(row.id, row.verdict, row.longest, row.longest_share, row.best_document)",
    ]
    return Recipe(program([], source, lines), (command("contamination", source, options, *rule.files),))


def _looked_for(
    rule: Bench, fields: Mapping[str, str], moved: Mapping[str, float], beside: Sequence[str]
) -> tuple[str, ...]:
    """The lines that find the items, in several indexes if there are some beside the open one."""
    given = [repr(list(rule.files)), *([f"thresholds={call('explorer.Thresholds', [], moved)}"] if moved else [])]
    options = {"unit": rule.unit, **fields, **({"without_own": True} if rule.without_own else {})}
    if not beside:
        return (f"found = {call('corpus.contamination', given, options)}",)
    corpora = ", ".join(["corpus", *(call("explorer.open_index", [repr(place)], {}) for place in beside)])
    return (
        f"board = {call('explorer.contamination_board', [f'[{corpora}]', *given], options)}",
        "for row in board:",
        "    print(row.index, row.file, row.flagged, row.flagged_share, row.flagged_low, row.flagged_high)",
        "found = board.tables[0]",
    )


def _shares(limits: Limits) -> tuple[tuple[str, int, int], ...]:
    """The names of the library, the thresholds, and the usual ones."""
    usual = Thresholds()
    return (
        ("flag_at", limits.flagged, round(100 * usual.flag_at)),
        ("suspect_at", limits.suspicious, round(100 * usual.suspect_at)),
    )

"""The results of the Curation screen as code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.analyses.contamination.item_matches import Thresholds
from explorer.analyses.contamination.question import ContaminationQuestion
from explorer.analyses.duplicates.question import DuplicatesQuestion
from explorer.analyses.personal_data.question import PersonalDataQuestion
from explorer.analyses.repeats.question import RepeatsQuestion
from explorer.recipes.code import Recipe, Source, call, changed, command, comment, option, program


def duplicates_recipe(source: Source, question: DuplicatesQuestion, listed: RepeatsQuestion, runs: bool) -> Recipe:
    """What goes if repeats are cut, and the passages that repeat, or the stretches that repeat themselves."""
    lines = [
        f"found = {call('corpus.duplicates', [str(question.length)], changed(question, 'length'))}",
        "print(found.tokens_removed, len(found), found.documents_touched, found.documents_emptied)",
        f"repeats = {call('corpus.repeats', [str(listed.length)], changed(listed, 'length'))}",
    ]
    lines += (
        ["for run in repeats.runs:", "    print(run.period, run.times, run.document, run.text)"]
        if runs
        else ["for row in repeats:", "    print(row.tokens, row.count, row.documents, row.text)"]
    )
    return Recipe(program([], source, lines), _commands(source, question, listed))


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
        f"found = {call('corpus.personal_data', [], changed(question))}",
        "for kind in found.kinds:",
        "    print(kind.kind, kind.count, kind.documents)",
        "for row in found:",
        "    print(row.kind, row.text, row.document, row.character)",
    ]
    return Recipe(program([], source, lines), (command("personal-data", source, question.options),))


def contamination_recipe(source: Source, question: ContaminationQuestion, thresholds: Thresholds) -> Recipe:
    """Which items of benchmarks occur.

    Returns: Code that prints the figures of each benchmark, and its items.
    """
    beside = [place for place in question.against if (place,) != source.paths]
    options = [*replace(question, against=tuple(beside)).options, *thresholds.options]
    lines = [
        *_looked_for(question, thresholds, beside),
        "for file in found.files:",
        "    print(file.file, file.items, file.flagged, file.suspicious, file.too_short)",
        "for row in found:",
        "    print(row.id, row.verdict, row.longest, row.longest_share, row.best_document)",
    ]
    return Recipe(program([], source, lines), (command("contamination", source, options, *question.files),))


def _looked_for(question: ContaminationQuestion, thresholds: Thresholds, beside: Sequence[str]) -> tuple[str, ...]:
    """The lines that find the items, in several indexes if there are some beside the open one."""
    moved = changed(thresholds)
    given = [repr(list(question.files)), *([f"thresholds={call('explorer.Thresholds', [], moved)}"] if moved else [])]
    options = changed(question, "files", "against")
    if not beside:
        return (f"found = {call('corpus.contamination', given, options)}",)
    corpora = ", ".join(["corpus", *(call("explorer.open_index", [repr(place)], {}) for place in beside)])
    return (
        f"board = {call('explorer.contamination_board', [f'[{corpora}]', *given], options)}",
        "for row in board:",
        "    print(row.index, row.file, row.flagged, row.flagged_share, row.flagged_low, row.flagged_high)",
        "found = board.tables[0]",
    )

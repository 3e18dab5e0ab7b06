"""The results of the Curation screen as code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from explorer.curation.item_matches import Thresholds
from explorer.recipes.code import Recipe, Source, call, command, comment, option, program

_ROWS = 1_000


class Cut(Protocol):
    """Which copies go."""

    @property
    def length(self) -> int:
        """Tokens of the shortest repeat that counts."""

    @property
    def rule(self) -> str:
        """The rule: separate, first or all."""

    @property
    def across(self) -> bool:
        """Whether only copies of another document go."""

    @property
    def gap(self) -> int:
        """The most tokens between two cuts that go with them."""

    @property
    def prefer(self) -> str:
        """A condition on documents whose copies are kept; "" for the first copy."""

    @property
    def never(self) -> Sequence[Sequence[int]]:
        """Passages that are never removed, as token ids."""


class Listing(Protocol):
    """What is cut, and what is listed."""

    @property
    def cut(self) -> Cut:
        """What is cut."""

    @property
    def listed(self) -> str:
        """The order of the passages; another word where stretches are listed."""


def duplicates_recipe(source: Source, rule: Listing) -> Recipe:
    """What goes if repeats are cut, and the passages that repeat.

    Returns: Code that prints both.
    """
    cut = rule.cut
    order = rule.listed if rule.listed in ("saved", "length", "count") else ""
    given: dict[str, Any] = {"rule": cut.rule}
    given |= {name: value for name in ("gap", "across", "prefer") if (value := getattr(cut, name))}
    kept = {"never": [list(ids) for ids in cut.never]} if cut.never else {}
    listed: dict[str, Any] = {"top": _ROWS, "by": order} if order else {"top": 1}
    lines = [
        f"found = {call('corpus.duplicates', [str(cut.length)], {**given, **kept})}",
        "print(found.tokens_removed, len(found), found.documents_touched, found.documents_emptied)",
        f"repeats = {call('corpus.repeats', [str(cut.length)], listed)}",
    ]
    lines += (
        ["for row in repeats:", "    print(row.tokens, row.count, row.documents, row.text)"]
        if order
        else ["for run in repeats.runs:", "    print(run.period, run.times, run.document, run.text)"]
    )
    return Recipe(program([], source, lines), _commands(source, cut, order))


def _commands(source: Source, cut: Cut, order: str) -> tuple[str, ...]:
    if cut.prefer or cut.never:
        reason = (
            "Preferred copies and passages that are never removed are not known to the command, only to the library."
        )
        return (comment(reason),)
    options = [option("--length", cut.length), option("--rule", cut.rule)]
    options += [*([option("--gap", cut.gap)] if cut.gap else []), *(["--across"] if cut.across else [])]
    options += [option("--prefer", cut.prefer)] if cut.prefer else []
    rows = [option("--length", cut.length), option("--top", _ROWS), *([option("--by", order)] if order else [])]
    return command("duplicates", source, options), command("repeats", source, rows)


class Kinds(Protocol):
    """Which personal data are looked for."""

    @property
    def kinds(self) -> Sequence[str]:
        """Their names."""

    @property
    def shown(self) -> bool:
        """Whether texts are shown in full."""


def personal_recipe(source: Source, rule: Kinds) -> Recipe:
    """What looks like personal data.

    Returns: Code that prints the findings.
    """
    asked = call("corpus.personal_data", [repr(list(rule.kinds))], {"masked": not rule.shown})
    lines = [
        f"found = {asked}",
        "for kind in found.kinds:",
        "    print(kind.kind, kind.count, kind.documents)",
        "for row in found:",
        "    print(row.kind, row.text, row.document, row.character)",
    ]
    options = [option("--kind", ",".join(rule.kinds)), *(["--show"] if rule.shown else [])]
    return Recipe(program([], source, lines), (command("personal-data", source, options),))


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

"""Which options need or exclude which others, as data. An option that would have no effect is refused.

A rule names options and facts. Facts are terms for what the command found out: "one text", "--out -".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from explorer.errors import QueryError


@dataclass(frozen=True)
class Rule:
    """needs: `option` has an effect only with one of these. without: it has no effect with any of these.

    when: the rule holds only with this.
    """

    option: str
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    when: str = ""


def refuse_unused(present: Collection[str], rules: Iterable[Rule]) -> None:
    """Refuse options that would have no effect.

    present: The options that were given, and the facts that hold.
    Raises `QueryError` for the first rule that is broken.
    """
    # If several rules are broken, the first row of the table is reported.
    for rule in rules:
        if rule.option not in present or (rule.when and rule.when not in present):
            continue
        if rule.needs and not any(name in present for name in rule.needs):
            when = f" when used with {rule.when}" if rule.when else ""
            raise QueryError(f"{rule.option} needs {_listed(rule.needs)}{when}.", reason="option-missing")
        for name in rule.without:
            if name in present:
                raise QueryError(f"{rule.option} cannot be used with {name}.", reason="options-exclude")


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"

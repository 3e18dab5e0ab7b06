"""The options that choose a method of the corpus as a language model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from explorer.agreement.sources import InputChoice, read_texts
from explorer.api import Corpus
from explorer.api.models import LanguageModel
from explorer.cli import ranges
from explorer.cli.common import show_problems
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule
from explorer.cli.terminal import progress_bar, remark
from explorer.errors import QueryError
from explorer.model.making import METHODS, WEIGHTS, settings_of
from explorer.model.transforms import TRANSFORM_NAMES
from explorer.model.trust import Learned

_SETTINGS = ("levels", "decay", "n", "weight", "base", "alpha", "factor", "discount", "context", "floor")


def _methods_with(setting: str) -> tuple[str, ...]:
    return tuple(f"--method {name}" for name in METHODS if setting in settings_of(name))


def method_rules(default: str, mixes: bool = False) -> tuple[Rule, ...]:
    """Make the rules of a command with these options: each setting needs a method that has it.

    mixes: Whether --weight is also the weight of a neural model, and then needs no method.
    """
    needed = [Rule(f"--{name}", needs=_methods_with(name)) for name in _SETTINGS if name not in settings_of(default)]
    if mixes:
        needed = [replace(rule, needs=(*rule.needs, "--mix")) if rule.option == "--weight" else rule for rule in needed]
    # Given with another method, a setting of the default one would be ignored.
    others = [
        Rule(f"--{name}", without=tuple(f"--method {other}" for other in METHODS if name not in settings_of(other)))
        for name in _SETTINGS
        if name in settings_of(default) and len(_methods_with(name)) < len(METHODS)
    ]
    tuned = Rule("--tune", needs=("--method learned",)) if default != "learned" else _only_learned()
    return (*needed, *others, tuned)


def _only_learned() -> Rule:
    return Rule("--tune", without=tuple(f"--method {name}" for name in METHODS if name != "learned"))


def add_method_arguments(
    parser: Parser, default: str, floor: bool = True, halves: bool = False, mixes: bool = False
) -> None:
    """Define --method and the settings of the methods.

    floor: Whether there is an option for what a probability of 0 counts as.
    halves: Whether the command takes `--tune half`.
    mixes: Whether the command defines --weight itself, which is then also the weight of a neural model.
    """
    parser.at_times = (*(name for name in _SETTINGS if floor or name != "floor"), "tune")
    group = parser.add_argument_group("method: how contexts of different lengths are weighed")
    group.add_argument(
        "--method",
        choices=tuple(METHODS),
        default=default,
        metavar="METHOD",
        help=f"{', '.join(METHODS)} (default {default}); counts is levels",
    )
    group.add_argument(
        "--levels", type=ranges.number_or_all, default=2, metavar="K", help='levels: how many, or "all" (default 2)'
    )
    group.add_argument("--decay", type=ranges.SHARE, default=0.1, metavar="D", help="levels: weight of each next one")
    group.add_argument("--n", type=ranges.N_OF_MODEL, default=5, metavar="N", help="ngram: tokens of an n-gram")
    if not mixes:
        group.add_argument("--weight", choices=WEIGHTS, default="linear", help="weighted: growth with the length")
    group.add_argument("--base", type=ranges.BASE, default=2.0, metavar="B", help="weighted: base of the exponential")
    group.add_argument(
        "--alpha",
        type=ranges.ALPHA,
        metavar="A",
        help="backoff: factor per step (0.4); laplace (1), weighted and infinigram-backoff (0): added to each count",
    )
    group.add_argument("--factor", type=ranges.SHARE, default=0.4, metavar="F", help="infinigram-backoff: per step")
    group.add_argument(
        "--discount", type=ranges.SHARE, default=0.9, metavar="D", help="discount: subtracted from each count"
    )
    group.add_argument("--context", type=ranges.CONTEXT, default=100, metavar="N", help="most tokens of context")
    _add_common(group, floor, halves)


def _add_common(group: argparse._ArgumentGroup, floor: bool, halves: bool) -> None:
    """Options of every method: what is left over, the forms of a context, and what is learned from."""
    if floor:
        group.add_argument(
            "--floor",
            type=ranges.FLOOR,
            metavar="P",
            help="what a probability of 0 counts as (levels: 1e-10; others: none)",
        )
    group.add_argument(
        "--vocabulary",
        choices=("seen", "all"),
        help="tokens that share what is left to those that do not follow: of the corpus, or of its tokenizer",
    )
    group.add_argument(
        "--transform",
        choices=TRANSFORM_NAMES,
        action="append",
        default=[],
        help="also look up each context in lower, upper or folded case, without white space around it, or with one "
        "space for each white space; the longest match counts; repeatable",
    )
    _add_tune_argument(group, halves)


def _add_tune_argument(group: argparse._ArgumentGroup, halves: bool) -> None:
    half = '; "half": one half of FILE, and only the other one is scored' if halves else ""
    group.add_argument(
        "--tune",
        metavar="FILE",
        help=f"learned: texts to learn from (default: the corpus, each token left out in turn){half}",
    )


def model_of(corpus: Corpus, args: argparse.Namespace, own: Sequence[str] = ()) -> LanguageModel:
    """Make the model that the options name.

    own: Texts to learn from in place of those that the options name; () for none.
    """
    chosen = chosen_model(args, own)
    return corpus.model(**chosen, report=progress_bar())


def chosen_model(args: argparse.Namespace, own: Sequence[str] = ()) -> dict[str, Any]:
    """Give the method that the options name, and its settings.

    own: Texts to learn from in place of those that the options name; () for none.
    """
    if "--base" in args.given and args.weight != "exponential":
        raise QueryError("--base needs --weight exponential.", reason="option-missing")
    # Only what was typed: the defaults are those of the method, which differ between methods.
    settings: dict[str, Any] = {
        name: getattr(args, name)
        for name in _SETTINGS
        if f"--{name}" in args.given and name in settings_of(args.method) and not _is_mixed(args, name)
    }
    tune = own or (None if args.tune is None else _texts(args.tune))
    return {
        "name": args.method,
        "tune": tune,
        "vocabulary": args.vocabulary,
        "transforms": args.transform,
        **settings,
    }


def used_settings(args: argparse.Namespace) -> dict[str, Any]:
    """List the settings of a command without those of other methods.

    Returns: What `args.settings` has; an option that was not typed has the default of the method.
    """
    taken, typed = settings_of(args.method), {name for name in _SETTINGS if f"--{name}" in args.given}
    defaults = {each.name: each.default for each in fields(METHODS[args.method])}
    return {
        name: value if name not in _SETTINGS or name in typed or _is_mixed(args, name) else defaults[name]
        for name, value in args.settings.items()
        if name not in _SETTINGS or name in taken or _is_mixed(args, name)
        if name != "tune" or args.method == Learned.name
    }


def _is_mixed(args: argparse.Namespace, name: str) -> bool:
    """Whether an option is about the neural model beside the corpus."""
    return name == "weight" and getattr(args, "mix", None) is not None


def _texts(path: str) -> Sequence[str]:
    read = read_texts([path], InputChoice())
    for note in read.notes:
        remark(note)
    show_problems(read.problems, "fail")
    return read.texts

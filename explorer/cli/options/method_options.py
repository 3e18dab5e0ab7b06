"""The options that choose a method of the corpus as a language model."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.model.making import METHODS, settings_of
from explorer.analyses.model.transforms import TRANSFORM_NAMES
from explorer.analyses.model.trust import Learned
from explorer.cli.options.common import show_problems
from explorer.cli.options.question_options import given
from explorer.cli.options.rules import Rule
from explorer.cli.output.terminal import progress_bar, remark
from explorer.cli.parser import Parser
from explorer.corpus import Corpus
from explorer.corpus.model.models import LanguageModel
from explorer.derive.question import Setting
from explorer.derive.question import settings_of as declared
from explorer.errors import QueryError

_USES: Mapping[str, Mapping[str, Setting]] = {
    setting: {name: declared(kind)[setting] for name, kind in METHODS.items() if setting in declared(kind)}
    for setting in dict.fromkeys(name for kind in METHODS.values() for name in declared(kind))
}
_SETTINGS = sorted(_USES, key=lambda name: len({METHODS[method] for method in _USES[name]}))
"""The settings of all methods; those that most methods have are last."""
_MOST_NAMED = 4
"""Methods with a setting that its help names."""


def _option(setting: str) -> str:
    return next(iter(_USES[setting].values())).option


def _methods_with(setting: str) -> tuple[str, ...]:
    return tuple(f"--method {name}" for name in _USES[setting])


def method_rules(default: str, mixes: bool = False) -> tuple[Rule, ...]:
    """Make the rules of a command with these options: each setting needs a method that has it.

    mixes: Whether --weight is also the weight of a neural model, and then needs no method.
    """
    taken = settings_of(default)
    needed = [Rule(_option(name), needs=_methods_with(name)) for name in _SETTINGS if name not in taken]
    if mixes:
        needed = [replace(rule, needs=(*rule.needs, "--mix")) if rule.option == "--weight" else rule for rule in needed]
    # Given with another method, a setting of the default one would be ignored.
    others = [
        Rule(_option(name), without=tuple(f"--method {other}" for other in METHODS if other not in _USES[name]))
        for name in taken
        if len(_USES[name]) < len(METHODS)
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
    names = [name for name in _SETTINGS if floor or name != "floor"]
    parser.at_times = (*names, "tune")
    group = parser.add_argument_group("method: how contexts of different lengths are weighed")
    group.add_argument(
        "--method",
        choices=tuple(METHODS),
        default=default,
        metavar="METHOD",
        help=f"{', '.join(METHODS)} (default {default}); counts is levels",
    )
    for name in names:
        if not (mixes and name == "weight"):
            group.add_argument(_option(name), **_given(name))
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


def _given(name: str) -> dict[str, Any]:
    """How argparse reads a setting; without a default where the methods have different ones."""
    uses = _USES[name]
    found = given(next(iter(uses.values())))
    if len({each.default for each in uses.values()}) > 1:
        found["default"] = None
    parts: dict[str, list[str]] = {}
    for method, each in uses.items():
        parts.setdefault(given(each)["help"], []).append(method)
    texts = [f"{_named(methods, 'others: ' if len(parts) > 1 else '')}{text}" for text, methods in parts.items()]
    return found | {"help": "; ".join(texts)}


def _named(methods: Sequence[str], many: str) -> str:
    # "counts" is another name of "levels".
    named = [name for name in methods if name == METHODS[name].name]
    return f"{', '.join(named)}: " if len(named) <= _MOST_NAMED else many


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
        if _option(name) in args.given and args.method in _USES[name] and not _is_mixed(args, name)
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
    own = declared(METHODS[args.method])
    return {
        name: value if name not in own or own[name].option in args.given or _is_mixed(args, name) else own[name].default
        for name, value in args.settings.items()
        if name not in _USES or name in own or _is_mixed(args, name)
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

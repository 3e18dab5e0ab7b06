"""generate --mix: text that a model on this machine and a corpus write together."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from explorer.analyses.mix.mixing_tokens import by_confidence, constant
from explorer.analyses.model.methods import WEIGHTS
from explorer.cli.options import ranges
from explorer.cli.options.asked import add_key_argument, server_key
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser
from explorer.corpus.model.mixed_model import MixedModel
from explorer.corpus.model.models import LanguageModel
from explorer.errors import QueryError
from explorer.export.records.model import GeneratedRecord
from explorer.i18n import counted


def add_mix_arguments(parser: Parser) -> None:
    """Define --mix and its settings."""
    group = parser.add_argument_group("a neural model beside the corpus")
    group.add_argument(
        "--mix",
        metavar="URL",
        help="write from the mixture with the model of a server with llama.cpp's interface on this machine",
    )
    group.add_argument(
        "--weight",
        metavar="W",
        help="with --mix: weight of the model, 1 for it alone, 0 for the corpus alone (default 0.5); "
        f"with --method weighted: {', '.join(WEIGHTS)}",
    )
    group.add_argument(
        "--weight-by",
        choices=("constant", "confidence"),
        default="constant",
        help="confidence: the corpus gets its weight times 0.7 min(n/10, 1) + 0.3 min(m/100, 1), for a match of n "
        "tokens that is followed m times",
    )
    group.add_argument(
        "--candidates",
        type=ranges.CONTEXT,
        default=100,
        metavar="K",
        help="how many of the model's most probable tokens are mixed (default 100)",
    )
    group.add_argument("--allow-remote", action="store_true", help="send the text to a server that is not this machine")
    add_key_argument(group)
    parser.beside_settings("api_key_variable")


def check_mix(args: argparse.Namespace) -> None:
    """Read --weight, which is a number beside --mix, and a name otherwise.

    args: The parsed command line; its `weight` is replaced.
    """
    if args.mix is None:
        if args.weight not in (None, *WEIGHTS):
            raise QueryError(f"--weight must be one of {', '.join(WEIGHTS)}.", reason="bad-weight")
        return
    # Read here and not by the parser, to which the option is either of two things.
    try:
        args.weight = 0.5 if args.weight is None else ranges.MODEL_WEIGHT(args.weight)
    except argparse.ArgumentTypeError as error:
        raise QueryError(f"--weight, the weight of the model: {error}", reason="bad-weight") from error
    args.settings["weight"] = args.weight


def mixed_model(model: LanguageModel, args: argparse.Namespace) -> MixedModel:
    """Connect to the server, and put its model beside the corpus."""
    # Checked here as well, since the command line names the option.
    weigh = by_confidence if args.weight_by == "confidence" else constant
    confirm = (lambda host: True) if args.allow_remote else None
    return model.mixed_with(
        args.mix, weight=weigh(args.weight), candidates=args.candidates, confirm=confirm, key=server_key(args)
    )


def mixed_record(mixed: MixedModel, prompt: str, args: argparse.Namespace) -> GeneratedRecord:
    """Write a text.

    Returns: The text, with the shares of both sides in each token.
    """
    tokens = mixed.write(
        prompt,
        max_tokens=args.max_tokens,
        temperature=args.temperature,
        top_k=args.top_k,
        top_p=args.top_p,
        seed=args.seed,
        stop_at_ends=not args.no_stop,
        report=progress_bar(),
    )
    return mixed.text_of(prompt, list(tokens)).record()


def print_mixed(records: Iterable[GeneratedRecord]) -> None:
    """Print texts, and a table of their tokens."""
    for record in records:
        put(record.prompt + record.text)
        put_cells("token", "probability", "model", "corpus", "weight", "context", "followed", "document", "offset")
        for token in record.tokens:
            # The longest context only; JSON has all of them.
            first = token.levels[0] if token.levels else None
            shares = token.probability, token.model_probability, token.corpus_probability
            # As a literal: a token may be white space, or a part of a character.
            put_cells(
                repr(token.text),
                *(f"{share or 0:.4f}" for share in shares),
                f"{token.model_weight or 0:.2f}",
                *((first.n, first.m) if first else (0, 0)),
                *((token.document, token.offset) if token.document is not None else ("-", "-")),
            )
        remark(
            f"{counted('token', record.token_count)} of {record.model}; longest run that occurs in the corpus: "
            f"{counted('token', record.longest_verbatim)} of the index"
        )

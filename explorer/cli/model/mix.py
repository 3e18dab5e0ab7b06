"""mix: the corpus mixed with a neural model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.model.instance import INSTANCE_KINDS
from explorer.cli.options import ranges
from explorer.cli.options.asked import SERVER_RULES, add_server_arguments, ask_server
from explorer.cli.options.common import STDOUT, add_index_arguments, open_corpus, stdin_once
from explorer.cli.options.method_options import add_method_arguments, chosen_model, method_rules, used_settings
from explorer.cli.options.rules import Rule, refuse_unused
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser
from explorer.corpus.results.model.mixing import Mix
from explorer.errors import QueryError
from explorer.export.destination import save_text
from explorer.export.provenance import setting_facts
from explorer.export.records.mix import MixFacts, MixPartRecord, MixRecord
from explorer.export.reports.mix_html import mix_html
from explorer.i18n import counted
from explorer.neural.records import LOG_BASES, ScoredText, read_scored

MIX = Shape("mix", MixRecord, MixFacts)
SHAPES = {"mix": (MIX,)}
_LEARNED_BY = {"learned": "length and count of the context", "forest": "a Random Forest"}
_TO_STDOUT = "--html -"
# With a report on standard output there are no records.
_REPORT_RULES = tuple(Rule(option, without=(_TO_STDOUT,)) for option in ("--json", "--format", "--fields", "--out"))
# A document that is halved away has no occurrence to leave out.
_NOT_BOTH = Rule("--halvings", without=("--leave-one-out",))
RULES = {
    "mix": (*FORMAT_RULES, *method_rules("infgram"), *SERVER_RULES, Rule("--seed", needs=("--halvings",)), _NOT_BOTH)
}


def define_mix(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument(
        "file", "FILE", "the texts: those that --server scores, or to check that --probabilities are of them", nargs="*"
    )
    group = parser.add_argument_group("neural model")
    group.add_argument(
        "--probabilities",
        metavar="FILE",
        help='log probabilities of its tokens, JSON Lines; "-" reads standard input',
    )
    group.add_argument(
        "--log-base", choices=LOG_BASES, help="base of the logarithms in a file that does not state it (default e)"
    )
    add_server_arguments(group)
    parser.add_argument(
        "--leave-one-out",
        action="store_true",
        help="the texts are in the corpus: score each token as if its own occurrence were not there",
    )
    parser.add_argument(
        "--instance",
        choices=INSTANCE_KINDS,
        default="learned",
        help="how the λ of each token is learned, beside those of all: by length and count of its context (learned, "
        "the default), or by a Random Forest, which needs scikit-learn (forest)",
    )
    parser.add_argument(
        "--halvings",
        type=ranges.HALVINGS,
        default=0,
        metavar="N",
        help="mix smaller parts of the corpus, too: its documents, halved up to N times",
    )
    parser.add_argument("--seed", type=ranges.SEED, default=0, metavar="N", help="seed of the order of the documents")
    parser.add_argument(
        "--html",
        metavar="OUT",
        help='write a report: the text, shaded by what the corpus adds; "-": standard output',
    )
    # A probability of 0 is one: the neural model knows the token.
    add_method_arguments(parser, "infgram", floor=False)
    add_format_arguments(parser)
    parser.beside_settings("html", "probabilities_out", "resume", "allow_remote", "print_script", "api_key_variable")


def run_mix(args: argparse.Namespace) -> int:
    """Mix, and print what the corpus adds."""
    refuse_unused({*args.given, *([_TO_STDOUT] if args.html == STDOUT else [])}, _REPORT_RULES)
    stdin_once([*args.file, *filter(None, (args.probabilities, args.tune))])
    scored = _scored(args)
    corpus = open_corpus(args)
    chosen = chosen_model(args)
    method = chosen.pop("name")
    model = corpus.model(method, **chosen, report=progress_bar())
    found = corpus.mix(
        scored, model=model, leave_one_out=args.leave_one_out, instance=args.instance, report=progress_bar()
    )
    facts = found.facts(args.tune)
    if args.halvings:
        sizes = corpus.mix_by_size(
            scored, halvings=args.halvings, model=method, seed=args.seed, report=progress_bar(), **chosen
        )
        facts = replace(facts, sizes=sizes.rows)
    args.settings = used_settings(args)
    if args.html:
        asked = setting_facts({name: value for name, value in args.settings.items() if value not in (None, False, [])})
        _write_report(args.html, mix_html(corpus.index, facts, found.rows, len(found.texts), asked))
    if args.html == STDOUT:
        return FINE
    put_answer(Answer(MIX, found.rows, corpus.index, facts), args, lambda _: _print(found, facts))
    return FINE


def _scored(args: argparse.Namespace) -> Sequence[ScoredText]:
    """The texts with the log probabilities of the neural model."""
    if args.server is not None:
        return ask_server(args)
    if args.probabilities is None:
        raise QueryError("Give --probabilities FILE, or --server URL.", reason="option-missing")
    scored = read_scored(args.probabilities, args.log_base)
    if args.file:
        _check_texts(read_texts(args.file, InputChoice()).texts, scored)
    return scored


def _write_report(path: str, page: str) -> None:
    if path == STDOUT:
        put(page, keep="\n\t", end="")
    else:
        save_text(Path(path), page)


def _check_texts(texts: Sequence[str], scored: Sequence[ScoredText]) -> None:
    """Refuse probabilities of other texts."""
    if len(texts) != len(scored):
        raise QueryError(
            f"There are {counted('text', len(texts))}, and probabilities of {len(scored):,}.", reason="other-texts"
        )
    for number, (text, found) in enumerate(zip(texts, scored, strict=True), start=1):
        if text != found.text:
            pairs = zip(text, found.text, strict=False)
            place = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(text), len(found.text)))
            raise QueryError(
                f"The probabilities of text {number:,} are of another text: they differ at character {place + 1:,}.",
                reason="other-texts",
            )


def _print(found: Mix, facts: MixFacts) -> None:
    names = ("neural", "corpus", "hybrid") if facts.same_tokenizer else ()
    unit = "tokens" if facts.same_tokenizer else "units"
    put_cells("part", unit, *names, "neural b/c", "corpus b/c", "hybrid b/c", "improvement")
    for part in facts.parts:
        put_cells(*_cells(part, facts.same_tokenizer))
    put(
        f"λ, tuned on the first half: {facts.lambda_sparse:.3f} where the corpus knows one next token only "
        f"({facts.sparse_share:.1%}), {facts.lambda_other:.3f} elsewhere; a single one: {facts.lambda_single:.3f}."
    )
    by_token = facts.by_token.second
    if by_token.bits_per_character is not None:
        perplexity = "" if by_token.perplexity is None else f"perplexity {by_token.perplexity:.3f}, "
        put(
            f"With a λ by {_LEARNED_BY[facts.by_token.kind]}, learned there: {perplexity}"
            f"{by_token.bits_per_character:.4f} bits per character on the second half."
        )
    whole = facts.parts[2]
    if whole.corpus.zeros:
        put(f"The corpus alone gives {counted(unit[:-1], whole.corpus.zeros)} a probability of 0.")
    if not facts.same_tokenizer:
        put("The tokenizers differ: only bits per character (b/c) can be compared.")
    _print_sizes(facts)
    for copy in facts.copies:
        remark(
            f"text {copy.text + 1:,} is itself in the corpus ({copy.share:.0%} of it in a row); leave it out of the "
            "index, or add --leave-one-out"
        )
    if found.mixture.units.same_tokens and facts.model is not None:
        remark(f"neural model: {facts.model}")


def _print_sizes(facts: MixFacts) -> None:
    """What each size of the corpus adds, on the half where λ was not tuned."""
    if facts.sizes:
        put_cells("documents", "tokens", "hybrid b/c", "saved b/c", "improvement")
    for size in facts.sizes:
        bits = _shown(size.hybrid_bits_per_character, size.zeros, 4)
        gained = "-" if size.improvement is None else f"{size.improvement:.1%}"
        put_cells(size.document_count, size.token_count, bits, _shown(size.gain, 0, 4), gained)


def _cells(part: MixPartRecord, per_token: bool) -> tuple[str, ...]:
    totals = part.neural, part.corpus, part.hybrid
    perplexities = [_shown(each.perplexity, each.zeros, 3) for each in totals] if per_token else []
    bits = [_shown(each.bits_per_character, each.zeros, 4) for each in totals]
    gained = "-" if part.improvement is None else f"{part.improvement:.1%}"
    return part.part, f"{part.unit_count}", *perplexities, *bits, gained


def _shown(value: float | None, zeros: int, digits: int) -> str:
    return ("inf" if zeros else "-") if value is None else f"{value:.{digits}f}"

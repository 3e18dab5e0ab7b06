"""perplexity and generate: the corpus as a language model."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.model.arpa import BACKOFF_METHODS, MOST_CONTEXT
from explorer.analyses.model.making import DEFAULT_METHOD, METHODS
from explorer.analyses.model.scoring import Total
from explorer.cli.model.generate_mix import add_mix_arguments, check_mix, mixed_model, mixed_record, print_mixed
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    add_index_arguments,
    add_input_arguments,
    bad_records,
    open_corpus,
    read_argument,
    show_problems,
    stdin_once,
)
from explorer.cli.options.halves import HALF, in_halves
from explorer.cli.options.method_options import add_method_arguments, method_rules, model_of, used_settings
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import FORMAT_RULES, Answer, add_format_arguments, put_answer, state_file
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser
from explorer.corpus.model.models import LanguageModel
from explorer.corpus.results.model.model import Generated, Perplexity
from explorer.export.records.model import GeneratedRecord, PerplexityFacts, PerplexityRecord
from explorer.export.records.perplexity import perplexity_facts
from explorer.i18n import counted

PERPLEXITY = Shape("perplexity", PerplexityRecord, PerplexityFacts)
GENERATE = Shape("generate", GeneratedRecord)
SHAPES = {"perplexity": (PERPLEXITY,), "generate": (GENERATE,)}
_NOT_ARPA = tuple(f"--method {name}" for name in METHODS if name not in BACKOFF_METHODS)
RULES = {
    "perplexity": (
        *FORMAT_RULES,
        *method_rules(DEFAULT_METHOD),
        Rule("--skip-bad", without=("--on-bad",)),
        Rule("--accuracy", without=("--leave-one-out",)),
        Rule("--arpa", without=(*_NOT_ARPA, "--transform")),
    ),
    "generate": (
        *FORMAT_RULES,
        *method_rules("levels", mixes=True),
        *(
            Rule(option, needs=("--mix",))
            for option in ("--weight-by", "--candidates", "--allow-remote", "--api-key-variable")
        ),
        *(Rule(option, without=("--mix",)) for option in ("--most-verbatim", "--transform")),
    ),
}


def define_perplexity(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("file", "FILE", 'texts, JSON Lines, CSV, Parquet …; "-" reads standard input', nargs="+")
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or skip and list them"
    )
    parser.add_argument("--group", metavar="FIELD", help="field with the source of each text: a name or a path")
    parser.add_argument("--prompt-field", metavar="FIELD", help="field with what comes before each text, unscored")
    parser.add_argument(
        "--leave-one-out",
        action="store_true",
        help="the texts are in the corpus: score each token as if its own occurrence were not there",
    )
    parser.add_argument(
        "--accuracy",
        action="store_true",
        help="also find out how often the most probable token is the one that comes; takes milliseconds per token",
    )
    parser.add_argument(
        "--arpa",
        metavar="OUT",
        help="also write the model as an ARPA file for KenLM or SRILM, with token ids as words: for witten-bell, "
        f"discount and learned with --context 1 to {MOST_CONTEXT} (default with --arpa: {MOST_CONTEXT})",
    )
    add_method_arguments(parser, DEFAULT_METHOD, halves=True)
    add_format_arguments(parser)
    parser.beside_settings("arpa")


def run_perplexity(args: argparse.Namespace) -> int:
    """Score the texts, and print their perplexity."""
    stdin_once([*args.file, *([args.tune] if args.tune else [])])
    if args.arpa is not None:
        _shorten_context(args)
    args.settings = used_settings(args)
    read = read_texts(args.file, InputChoice(args.input, args.text_field, args.group, args.on_bad, args.prompt_field))
    for note in read.notes:
        remark(note)
    show_problems(read.problems, args.on_bad)
    halves = in_halves(read) if args.tune == HALF else None
    corpus = open_corpus(args)
    model = model_of(corpus, args, halves.learned if halves else ())
    scored = halves.scored if halves else read
    found = model.perplexity(
        scored.texts,
        sources=scored.groups,
        prompts=scored.prompts,
        leave_one_out=args.leave_one_out,
        accuracy=args.accuracy,
        report=progress_bar(),
    )
    written = (args.arpa, model.save_arpa(args.arpa, report=progress_bar())) if args.arpa is not None else (None, ())
    problems = bad_records(read.problems)
    tuned_on = halves.name if halves else args.tune or model.tuned_on
    facts = perplexity_facts(
        found.total, found.sources, model.normalized, tuned_on, model.tuned_tokens, found.transforms
    )
    facts = replace(facts, arpa=written[0], arpa_ngrams=written[1])
    if args.arpa is not None:
        state_file(args, corpus.index, Path(args.arpa))
    answer = Answer(PERPLEXITY, found.texts, corpus.index, facts, problems=lambda: problems)
    put_answer(answer, args, lambda _: _print_perplexity(found, model, tuned_on, facts))
    return FINE


def _shorten_context(args: argparse.Namespace) -> None:
    """Give the model contexts that fit an ARPA file, unless their length was typed."""
    if "--context" not in args.given:
        args.context, args.given = MOST_CONTEXT, args.given | {"--context"}
        args.settings["context"] = MOST_CONTEXT


def _print_perplexity(found: Perplexity, model: LanguageModel, tuned_on: str | None, facts: PerplexityFacts) -> None:
    """One row per source, in the columns that n-gram programs have."""
    # The names of SRILM: an OOV is not a zeroprob, and ppl is of the tokens that are neither. Its ppl1 also leaves out
    # the ends of sentences; no end is scored here, so the two are equal.
    figures = ("perplexity", "ppl", "ppl1", "bits/char") if model.normalized else ("score",)
    figures = (*figures, *(("accuracy",) if found.total.accuracy is not None else ()))
    put_cells("source", "tokens", "zeroprobs", "OOVs", *figures)
    rows = found.sources if len(found.sources) > 1 else ()
    total = perplexity_facts(found.total, found.sources, model.normalized, None, 0)
    for source in rows:
        put_cells(source.source, *_sizes(source), *_figures(source, model.normalized))
    put_cells("all" if rows else found.sources[0].source, *_sizes(total), *_figures(total, model.normalized))
    if model.normalized and total.zeros and total.perplexity is None:
        put(
            f"The perplexity is infinite: {counted('token', total.zeros)} had a probability of 0. "
            "ppl is that of the others."
        )
    if not model.normalized:
        put("These are scores: they do not add up to 1 over all tokens, so they have no perplexity.")
    _print_fallbacks(found.total)
    for form in found.transforms:
        remark(f"contexts looked up {form.transform or 'as they are'}: {form.token_count:,}")
    if tuned_on is not None:
        remark(f"learned from {counted('token', model.tuned_tokens)}: {tuned_on}")
    if facts.arpa is not None:
        sizes = ", ".join(f"{size:,} of {counted('token', n)}" for n, size in enumerate(facts.arpa_ngrams, start=1))
        remark(f"the model is in {facts.arpa}, n-grams: {sizes}")


def _print_fallbacks(total: Total) -> None:
    """Report tokens whose probability uses no context, or no count."""
    if total.unigram:
        remark(f"no part of the context occurs for {counted('token', total.unigram)}: the unigram distribution is used")
    if total.uniform:
        remark(f"no part of the context occurs for {counted('token', total.uniform)}: the uniform distribution is used")


def _sizes(row: PerplexityRecord | PerplexityFacts) -> tuple[str, ...]:
    return f"{row.token_count}", f"{row.zeros - row.unknown_count}", f"{row.unknown_count}"


def _figures(row: PerplexityRecord | PerplexityFacts, normalized: bool) -> tuple[str, ...]:
    accuracy = () if row.accuracy is None else (f"{row.accuracy:.1%}",)
    if not normalized:
        return (_shown(row.score), *accuracy)
    found = (row.perplexity, row.perplexity_of_rest, row.perplexity_of_rest, row.bits_per_character)
    # A text without tokens has no perplexity, and one with an impossible token an infinite one.
    return (*(_shown(value, "inf" if row.zeros else "-") for value in found), *accuracy)


def _shown(value: float | None, missing: str = "-") -> str:
    return missing if value is None else f"{value:.4f}"


def define_generate(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("prompt", "PROMPT", 'text to continue; "-" reads standard input', nargs="+")
    _add_text_arguments(parser)
    add_mix_arguments(parser)
    # --weight is of both groups, so it is defined once, beside --mix.
    add_method_arguments(parser, "levels", mixes=True)
    add_format_arguments(parser)


def _add_text_arguments(parser: Parser) -> None:
    """Define how the text is drawn and where it ends."""
    group = parser.add_argument_group("text")
    group.add_argument("--max-tokens", type=ranges.TOKENS, default=200, metavar="N", help="most tokens (default 200)")
    group.add_argument(
        "--temperature",
        type=ranges.TEMPERATURE,
        default=0.8,
        metavar="T",
        help="0 takes the most probable token, 1 draws by probability (default 0.8)",
    )
    group.add_argument("--top-k", type=ranges.NO_OR_TOKENS, default=0, metavar="K", help="only the K most probable")
    group.add_argument(
        "--top-p",
        type=ranges.TOP_P,
        default=1.0,
        metavar="P",
        help="only the most probable that have this much together",
    )
    group.add_argument("--seed", type=ranges.SEED, default=0, metavar="N", help="the same seed gives the same text")
    group.add_argument(
        "--most-verbatim",
        type=ranges.NO_OR_TOKENS,
        default=0,
        metavar="N",
        help="most tokens in a row that may occur in the corpus as they are (default: any number)",
    )
    group.add_argument(
        "--no-stop", action="store_true", help="continue where a document of the corpus ends, or the model would end"
    )


def run_generate(args: argparse.Namespace) -> int:
    """Continue each prompt."""
    stdin_once(args.prompt)
    check_mix(args)
    args.settings = used_settings(args)
    prompts = [read_argument(prompt) for prompt in args.prompt]
    corpus = open_corpus(args)
    model = model_of(corpus, args)
    if args.mix is None:
        records = (_generated(model, prompt, args) for prompt in prompts)
        put_answer(Answer(GENERATE, records, corpus.index), args, _print_generated)
        return FINE
    with mixed_model(model, args) as mixed:
        both = (mixed_record(mixed, prompt, args) for prompt in prompts)
        put_answer(Answer(GENERATE, both, corpus.index), args, print_mixed)
    return FINE


def _generated(model: LanguageModel, prompt: str, args: argparse.Namespace) -> GeneratedRecord:
    found: Generated = model.generate(
        prompt,
        max_tokens=args.max_tokens,
        temperature=args.temperature,
        top_k=args.top_k,
        top_p=args.top_p,
        seed=args.seed,
        most_verbatim=args.most_verbatim,
        stop_at_ends=not args.no_stop,
    )
    return found.record(prompt)


def _print_generated(records: Iterable[GeneratedRecord]) -> None:
    for record in records:
        put(record.prompt + record.text)
        longest = f"longest run that occurs in the corpus: {counted('token', record.longest_verbatim)}"
        if not record.tokens:
            # Methods that blend contexts need one: an empty text occurs everywhere.
            cause = "the end of the prompt never occurs in the corpus with a token after it"
            remark(f"nothing was written: {cause if record.prompt else 'the prompt is empty'}")
            continue
        remark(f"{counted('token', len(record.tokens))}; {longest}")

"""agree: how predictable texts are from the corpus."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from explorer.analyses.agreement.analysis import AgreementAnalysis, Texts, analyze, unscored_names
from explorer.analyses.agreement.chart import agreement_chart, count_chart, neural_chart, overlay_chart
from explorer.analyses.agreement.clusters import STRETCH
from explorer.analyses.agreement.clusters import TEXT as WHOLE_TEXT
from explorer.analyses.agreement.dips import Step
from explorer.analyses.agreement.figure import AgreementFigure
from explorer.analyses.agreement.neural import neural_figure
from explorer.analyses.agreement.question import AgreementQuestion
from explorer.analyses.agreement.sources import InputChoice, read_texts
from explorer.analyses.agreement.table import (
    AgreementFacts,
    BinRecord,
    ContextFacts,
    NeuralFacts,
    bin_records,
    neural_records,
)
from explorer.analyses.agreement.table import agreement_facts as agreement_record
from explorer.chart import Chart
from explorer.cli.options import ranges
from explorer.cli.options.common import (
    STDOUT,
    add_index_arguments,
    add_input_arguments,
    add_remote_argument,
    bad_records,
    open_corpus,
    show_problems,
    stdin_once,
    with_rest,
)
from explorer.cli.options.inputs import report_repeated
from explorer.cli.options.question_options import add_settings, question_of
from explorer.cli.options.rules import Rule, refuse_unused
from explorer.cli.output.codes import FINE
from explorer.cli.output.envelope import (
    FORMAT_RULES,
    TEXT,
    Answer,
    add_format_arguments,
    file_facts,
    format_of,
    put_answer,
)
from explorer.cli.output.plots import save_plot
from explorer.cli.output.rows import put_rows
from explorer.cli.output.shapes import Shape
from explorer.cli.output.terminal import progress_bar, put, put_cells, remark
from explorer.cli.parser import Parser
from explorer.derive.question import settings_of
from explorer.export.agreement_facts import agreement_facts, neural_facts
from explorer.export.figure import MM_PER_POINT, Paper
from explorer.export.provenance import Facts
from explorer.export.records.record import as_cells, column_names
from explorer.export.registry import FIGURES
from explorer.export.tables import save_table
from explorer.i18n import counted
from explorer.neural.records import LOG_BASES, read_scored

KINDS = ("panels", "overlaid", "count")
_UNITS = {WHOLE_TEXT: "texts", STRETCH: "stretches of consecutive tokens"}


# --neural reads probabilities with their tokens, so nothing is left to choose about texts and groups.
_NOT_NEURAL = (
    "--group", "--text-field", "--input", "--on-bad", "--skip-bad", "--plot-kind", "--prompt", "--prompt-field",
    *(each.option for each in settings_of(AgreementQuestion).values()),
)  # fmt: skip
_CSV_TO_STDOUT, _PLOT_TO_STDOUT = "--csv -", "--plot -"
RULES = {
    "agree": (
        *(Rule(option, without=("--neural",)) for option in _NOT_NEURAL),
        Rule("--log-base", needs=("--neural",)),
        *(Rule(option, needs=("--plot",)) for option in ("--plot-kind", "--title", "--width", "--height", "--dpi")),
        Rule("--seed", needs=("--max-texts",)),
        Rule("--skip-bad", without=("--on-bad",)),
        Rule("--prompt", without=("--prompt-field",)),
        Rule("--prompt-join", needs=("--prompt", "--prompt-field")),
        *FORMAT_RULES,
    ),
}
AGREE, NEURAL = Shape("agree", BinRecord, AgreementFacts), Shape("agree-neural", BinRecord, NeuralFacts)
SHAPES = {"agree": (AGREE, NEURAL)}
# Two results in one stream could not be told apart.
_OUT_RULES = (
    *(Rule(option, without=(_CSV_TO_STDOUT, _PLOT_TO_STDOUT)) for option in ("--json", "--format")),
    Rule(_CSV_TO_STDOUT, without=(_PLOT_TO_STDOUT,)),
)


def _figure_rules() -> tuple[Rule, ...]:
    """Which options each format of a figure takes."""
    taken = {"--width": "size", "--height": "size", "--dpi": "dpi"}
    # What a format takes is a property of its row, so a new format needs no rule here.
    untitled = tuple(f"--plot OUT{form.suffix}" for form in FIGURES if "title" not in form.takes)
    return (
        *(
            Rule(option, needs=tuple(f"--plot OUT{form.suffix}" for form in FIGURES if what in form.takes))
            for option, what in taken.items()
        ),
        Rule("--title", without=untitled),
    )


def define_agree(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    add_remote_argument(parser)
    parser.argument("file", "FILE", 'texts, JSON Lines, CSV, Parquet …; "-" reads standard input', nargs="+")
    add_input_arguments(
        parser, "what to do with lines that cannot be read: stop (default), skip them, or skip and list them"
    )
    parser.add_argument("--group", metavar="FIELD", help="field to group the texts by: a name or a path")
    group = parser.add_argument_group("prompt: context that is not scored")
    group.add_argument("--prompt-field", metavar="FIELD", help="field with the prompt of each text: a name or a path")
    group.add_argument("--prompt", metavar="TEXT", help="prompt of every text")
    add_settings(parser.add_argument_group("agreement"), AgreementQuestion)
    parser.add_argument(
        "--neural",
        action="store_true",
        help="compute agreement from a model's token probabilities, which the files contain",
    )
    parser.add_argument(
        "--log-base", choices=LOG_BASES, help="base of the logarithms in a file that does not state it (default e)"
    )
    parser.add_argument(
        "--csv", metavar="OUT", help='write the bins of the figure as CSV; "-" writes to standard output'
    )
    _add_plot_arguments(parser)
    add_format_arguments(parser)
    parser.beside_settings("csv", "plot", "plot_kind", "title", "width", "height", "dpi")


def _add_plot_arguments(parser: Parser) -> None:
    group = parser.add_argument_group("figure")
    group.add_argument(
        "--plot",
        metavar="OUT",
        help=f'write the figure or its data ({", ".join(FIGURES.suffixes)}); "-" writes SVG to standard output',
    )
    group.add_argument(
        "--plot-kind",
        choices=KINDS,
        default="panels",
        help="one row of panels per group, all groups in one panel, or agreement by context count",
    )
    group.add_argument("--title", help="title of the figure")
    group.add_argument("--width", type=ranges.MILLIMETRES, default=0, metavar="MM", help="width in millimeters")
    group.add_argument("--height", type=ranges.MILLIMETRES, default=0, metavar="MM", help="height in millimeters")
    group.add_argument("--dpi", type=ranges.DPI, default=300, help="pixels per inch of a PNG (default 300)")


def run_agree(args: argparse.Namespace) -> int:
    """Analyze the files, print a summary, write what was asked for."""
    # Before any text is read: the format of the figure is known only from its file name, so the parser could not refuse
    # it.
    refuse_unused({*args.given, *_outputs(args)}, (*_figure_rules(), *_OUT_RULES))
    stdin_once(args.file)
    report_repeated(args.file)
    if args.neural:
        return _run_neural(args)
    read = read_texts(args.file, InputChoice(args.input, args.text_field, args.group, args.on_bad, args.prompt_field))
    for note in read.notes:
        remark(note)
    # Texts are read before the index is opened, so unreadable input fails without that wait.
    show_problems(read.problems, args.on_bad)
    corpus = open_corpus(args)
    # One prompt serves every text.
    prompts = read.prompts if args.prompt is None else (args.prompt,) * len(read.texts)
    texts = Texts(read.texts, read.groups, prompts)
    analysis = analyze(corpus.index, texts, question_of(args, AgreementQuestion), progress_bar())
    facts = (*file_facts(args, corpus.index), *agreement_facts(analysis))
    _write_csv(args, facts, bin_records(analysis))
    if args.plot:
        title = args.title if args.title is not None else f"Agreement with {corpus.index.name}"
        _plot(replace(_chart(analysis, args.plot_kind, title), facts=facts), args)
    if format_of(args) == TEXT:
        _report_texts(analysis)
    # The summary would be lines in the middle of a table or a drawing.
    if not _outputs(args) & {_CSV_TO_STDOUT, _PLOT_TO_STDOUT}:
        summary = agreement_record(analysis, _context(analysis, args))
        problems = with_rest(bad_records(read.problems), len(read.problems), ", ".join(args.file))
        stated = agreement_facts(analysis)
        answer = Answer(AGREE, bin_records(analysis), corpus.index, summary, problems=lambda: problems, stated=stated)
        put_answer(answer, args, lambda _: _print_summary(analysis))
    return FINE


def _outputs(args: argparse.Namespace) -> set[str]:
    """The outputs, in the terms of the rules; raises QueryError for an unknown figure format."""
    found = {_CSV_TO_STDOUT} if args.csv == STDOUT else set()
    # Standard output has no ending. SVG is the only drawing that is text.
    if args.plot == STDOUT:
        return {*found, _PLOT_TO_STDOUT, "--plot OUT.svg"}
    if args.plot is None:
        return found
    return {*found, f"--plot OUT{FIGURES.of_path(Path(args.plot)).suffix}"}


def _write_csv(args: argparse.Namespace, facts: Facts, records: Iterable[BinRecord]) -> None:
    header = column_names(BinRecord)
    rows = (as_cells(record, header) for record in records)
    if args.csv == STDOUT:
        put_rows(header, rows, "csv")
    elif args.csv:
        save_table(Path(args.csv), header, rows, "csv", facts)


def _context(analysis: AgreementAnalysis, args: argparse.Namespace) -> ContextFacts:
    """What was context and not scored."""
    return ContextFacts(
        prompt_field=args.prompt_field,
        prompt=args.prompt,
        prompt_join=analysis.question.prompt_join,
        prompt_tokens=analysis.question.prompt_tokens,
        text_count=sum(len(text.context) > 0 for text in analysis.texts),
        token_count=analysis.context_tokens,
    )


def _dips(figure: AgreementFigure) -> list[Step]:
    """The falls that are more than chance; `steps` of the figure are all that were tested."""
    return [step for step in figure.steps if step.is_dip]


def _run_neural(args: argparse.Namespace) -> int:
    """Agreement of the ∞-gram in each tenth of a neural model's probabilities."""
    texts = [text for name in args.file for text in read_scored(name, args.log_base)]
    corpus = open_corpus(args)
    figure = neural_figure(corpus.index, texts, progress_bar())
    facts = (*file_facts(args, corpus.index), *neural_facts(figure, ()))
    _write_csv(args, facts, neural_records(figure))
    if args.plot:
        title = args.title if args.title is not None else f"Agreement with {corpus.index.name} by a model's probability"
        _plot(replace(neural_chart(title, figure), facts=facts), args)
    if not _outputs(args) & {_CSV_TO_STDOUT, _PLOT_TO_STDOUT}:
        summary = NeuralFacts(figure.tokens, figure.without)
        put_answer(Answer(NEURAL, neural_records(figure), corpus.index, summary), args, _print_tenths)
    return FINE


def _print_tenths(records: Iterable[BinRecord]) -> None:
    put_cells("probability", "tokens", "agreeing", "agreement")
    for row in records:
        put_cells(f"{row.from_:.1f}-{row.to:.1f}", row.token_count, row.agreeing_count, f"{_or_nan(row.agreement):.4f}")


def _or_nan(share: float | None) -> float:
    return math.nan if share is None else share


def _chart(analysis: AgreementAnalysis, kind: str, title: str) -> Chart:
    # A single group is the same as the sum of all, which is drawn anyway.
    groups = list(analysis.groups.items()) if len(analysis.groups) > 1 else []
    if kind == "overlaid":
        return overlay_chart(title, analysis.groups)
    if kind == "count":
        return count_chart(title, analysis.by_count)
    return agreement_chart(title, [("all" if groups else next(iter(analysis.groups)), analysis.figure), *groups])


def _plot(chart: Chart, args: argparse.Namespace) -> None:
    # 0 stays 0: the size that suits the chart.
    paper = Paper(args.width / MM_PER_POINT, args.height / MM_PER_POINT, dpi=args.dpi)
    if args.plot != STDOUT:
        save_plot(chart, Path(args.plot), paper)
        return
    # The painter writes into files. They are read back as text, so that names from a corpus pass through `put`, which
    # keeps control characters from the terminal.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figure.svg"
        save_plot(chart, path, paper)
        put(path.read_text(encoding="utf-8"), keep="\n\t", end="")


def _report_texts(analysis: AgreementAnalysis) -> None:
    """Report the texts that agree with themselves, and those that are too short to be scored."""
    if analysis.self_matched:
        left_out = len(analysis.left_out)
        remark(
            f"texts that are in the corpus themselves: {analysis.self_matched:,}"
            + (f"; excluded: {counted('document', left_out)}" if left_out else " (see --without-self)")
        )
    if analysis.unscored:
        named = ", ".join(unscored_names(analysis.unscored))
        remark(f"too short to score, and not counted: {counted('text', len(analysis.unscored))}: {named}")


def _print_summary(analysis: AgreementAnalysis) -> None:
    for group, figure in analysis.groups.items():
        if len(analysis.groups) > 1:
            put(group)
        share = figure.share
        for panel in figure.panels:
            put(
                f"{panel.name:<22} {panel.tokens:>9,} tokens   agreement {panel.overall:6.1%}   "
                f"effective n: mean {panel.mean_n:.2f}, median {panel.median_n:g}"
            )
        put(
            f"95% interval of the ∞-gram: {share.low:.1%} to {share.high:.1%} "
            f"(over {share.clusters:,} {_UNITS[share.unit]})"
        )
        for step in _dips(figure):
            put(f"dip: effective n {step.before} to {step.after}, {100 * step.change:+.1f} points, p = {step.p:.2g}")

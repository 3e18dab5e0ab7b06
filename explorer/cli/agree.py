"""agree: how predictable texts are from the corpus."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, analyse
from explorer.agreement.neural import neural_figure, read_neural
from explorer.agreement.sources import read_texts
from explorer.cli import ranges
from explorer.cli.common import add_index_arguments, add_json_argument, open_corpus, read_text, stdin_once
from explorer.cli.parser import Parser
from explorer.cli.rules import Rule, refuse_unused
from explorer.cli.terminal import progress_bar, put, put_cells, put_json, remark
from explorer.errors import QueryError
from explorer.export.agreement_charts import agreement_chart, count_chart, neural_chart, overlay_chart
from explorer.export.chart import Chart
from explorer.export.destination import save_text
from explorer.export.provenance import index_facts
from explorer.export.tables import FIGURE_HEADER, figure_rows, table_text

PLOT_ENDINGS = (".png", ".svg", ".pdf", ".csv", ".json")
KINDS = ("panels", "overlaid", "count")


_PAPER = ("--plot OUT.png", "--plot OUT.svg", "--plot OUT.pdf")
_NOT_NEURAL = ("--neural",)
RULES = {
    "agree": (
        *(
            Rule(option, without=_NOT_NEURAL)
            for option in ("--group", "--text-field", "--n", "--max-tokens", "--max-texts", "--seed", "--without-self")
        ),
        Rule("--plot-kind", needs=("--plot",), without=_NOT_NEURAL),
        Rule("--seed", needs=("--max-texts",)),
        *(Rule(option, needs=("--plot",)) for option in ("--title", "--width", "--height", "--dpi")),
    ),
}
_PLOT_RULES = (
    Rule("--width", needs=_PAPER),
    Rule("--height", needs=_PAPER),
    Rule("--dpi", needs=_PAPER[:1]),
    Rule("--title", without=("--plot OUT.csv",)),
)


def define_agree(parser: Parser) -> None:
    """Define the command."""
    add_index_arguments(parser)
    parser.argument("file", "FILE", 'text or JSONL files; "-": standard input', nargs="+")
    parser.add_argument("--group", metavar="FIELD", help="JSONL field that names each text's group")
    parser.add_argument("--text-field", default="text", metavar="F")
    parser.add_argument("--n", type=ranges.N_OF_MODEL, default=5, metavar="N", help="n of the n-gram model (default 5)")
    parser.add_argument(
        "--max-tokens",
        type=ranges.NO_OR_TOKENS,
        default=0,
        metavar="N",
        help="tokens taken of each text (default: all)",
    )
    parser.add_argument(
        "--max-texts", type=ranges.TEXTS, default=0, metavar="N", help="texts drawn of each group (default: all)"
    )
    parser.add_argument("--seed", type=ranges.SEED, default=0, metavar="N", help="seed of the draw")
    parser.add_argument(
        "--without-self", action="store_true", help="leave out documents of the index that hold most of a text"
    )
    parser.add_argument(
        "--neural", action="store_true", help="the files hold a model's token probabilities: agreement by these"
    )
    parser.add_argument("--csv", metavar="OUT", help='the bins of the figure as CSV; "-": standard output')
    _add_plot_arguments(parser)
    add_json_argument(parser)


def _add_plot_arguments(parser: Parser) -> None:
    group = parser.add_argument_group("figure")
    group.add_argument("--plot", metavar="OUT", help="figure as .png, .svg or .pdf, or what it draws as .csv or .json")
    group.add_argument(
        "--plot-kind",
        choices=KINDS,
        default="panels",
        help="a row of panels for each group, the groups over each other, or agreement by count of the context",
    )
    group.add_argument("--title", help="title of the figure")
    group.add_argument("--width", type=ranges.MILLIMETRES, default=0, metavar="MM", help="width in millimetres")
    group.add_argument("--height", type=ranges.MILLIMETRES, default=0, metavar="MM", help="height in millimetres")
    group.add_argument("--dpi", type=ranges.DPI, default=300, help="pixels per inch of a PNG (default 300)")


def run_agree(args: argparse.Namespace) -> int:
    """Analyse the files, print a summary, write what was asked for."""
    if args.plot and Path(args.plot).suffix.lower() not in PLOT_ENDINGS:
        raise QueryError(
            f"{args.plot}: a figure is written as {', '.join(PLOT_ENDINGS)}. Give the file one of these endings."
        )
    if args.plot:
        refuse_unused({*args.given, f"--plot OUT{Path(args.plot).suffix.lower()}"}, _PLOT_RULES)
    stdin_once(args.file)
    if args.neural:
        return _run_neural(args)
    texts, groups = _read(args)
    corpus = open_corpus(args)
    request = AgreementRequest(texts, groups, args.n, args.max_tokens, args.max_texts, args.seed, args.without_self)
    analysis = analyse(corpus.index, request, progress_bar())
    if args.csv:
        save_text(Path(args.csv), table_text(FIGURE_HEADER, figure_rows(analysis.groups.items()), "csv"))
    if args.plot:
        title = args.title if args.title is not None else f"Agreement with {corpus.index.name}"
        _plot(replace(_chart(analysis, args.plot_kind, title), facts=index_facts(corpus.index)), args)
    if args.json:
        put_json(
            {
                "figure": analysis.figure,
                "groups": analysis.groups,
                "sources": analysis.sources,
                "by_count": analysis.by_count,
                "counts": analysis.counts,
                "unseen": analysis.unseen,
                "self_matched": analysis.self_matched,
                "left_out": analysis.left_out,
            }
        )
    else:
        _print_summary(analysis)
    return 0


def _run_neural(args: argparse.Namespace) -> int:
    """Agreement of the ∞-gram in each tenth of a neural model's probabilities."""
    texts = [text for name in args.file for text in read_neural(Path(name))]
    corpus = open_corpus(args)
    figure = neural_figure(corpus.index, texts, progress_bar())
    if args.plot:
        title = args.title if args.title is not None else f"Agreement with {corpus.index.name} by a model's probability"
        _plot(replace(neural_chart(title, figure), facts=index_facts(corpus.index)), args)
    if args.json:
        put_json(figure)
        return 0
    put_cells("probability", "tokens", "agreeing", "agreement")
    for b in figure.bins:
        share = f"{b.effective_n / 10:.1f}-{(b.effective_n + 1) / 10:.1f}"
        put_cells(share, b.tokens, b.agreeing, f"{b.agreement:.4f}")
    return 0


def _chart(analysis: AgreementAnalysis, kind: str, title: str) -> Chart:
    groups = list(analysis.groups.items()) if len(analysis.groups) > 1 else []
    if kind == "overlaid":
        return overlay_chart(title, analysis.groups)
    if kind == "count":
        return count_chart(title, analysis.by_count)
    return agreement_chart(title, [("all" if groups else next(iter(analysis.groups)), analysis.figure), *groups])


def _plot(chart: Chart, args: argparse.Namespace) -> None:
    # The figure is drawn with Qt, which no other command needs.
    from explorer.gui.figures.save import MM_A_POINT, Paper, save_without_window

    save_without_window(chart, Path(args.plot), Paper(args.width / MM_A_POINT, args.height / MM_A_POINT, dpi=args.dpi))


def _read(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if args.file == ["-"]:
        return (read_text("-"),), ("standard input",)
    return read_texts([Path(name) for name in args.file], args.text_field, args.group)


def _print_summary(analysis: AgreementAnalysis) -> None:
    if analysis.self_matched:
        remark(
            f"{analysis.self_matched} of the texts stand in the corpus themselves"
            + (f"; {len(analysis.left_out)} documents are left out" if analysis.left_out else " (see --without-self)")
        )
    for group, figure in analysis.groups.items():
        if len(analysis.groups) > 1:
            put(group)
        for panel in figure.panels:
            put(
                f"{panel.name:<22} {panel.tokens:>9,} tokens   agreement {panel.overall:6.1%}   "
                f"effective n: mean {panel.mean_n:.2f}, median {panel.median_n:g}"
            )

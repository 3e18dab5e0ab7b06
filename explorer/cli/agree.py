"""agree: how predictable texts are from the corpus."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, analyse
from explorer.agreement.neural import neural_figure, read_neural
from explorer.agreement.sources import read_texts
from explorer.cli.common import (
    Commands,
    add_index_arguments,
    add_json_argument,
    open_corpus,
    print_json,
    progress_bar,
    read_text,
)
from explorer.errors import QueryError
from explorer.export.tables import FIGURE_HEADER, figure_rows, save_text, table_text

PLOT_ENDINGS = (".png", ".svg", ".pdf")


def add_command(commands: Commands) -> None:
    """Define the command."""
    agree = commands.add_parser("agree", help="agreement of texts with the corpus, by effective n")
    add_index_arguments(agree)
    agree.add_argument("file", metavar="FILE", nargs="+", help='text or JSONL files, or "-"')
    agree.add_argument("--group", metavar="FIELD", help="JSONL field that names each text's group")
    agree.add_argument("--text-field", default="text", metavar="F")
    agree.add_argument("--n", type=int, default=5, help="n of the n-gram model (default 5)")
    agree.add_argument("--max-tokens", type=int, default=0, help="tokens taken of each text (default: all)")
    agree.add_argument("--max-texts", type=int, default=0, metavar="N", help="texts drawn of each group (default: all)")
    agree.add_argument("--seed", type=int, default=0, help="seed of the draw")
    agree.add_argument(
        "--without-self", action="store_true", help="leave out documents of the index that hold most of a text"
    )
    agree.add_argument(
        "--neural", action="store_true", help="the files hold a model's token probabilities: agreement by these"
    )
    agree.add_argument("--csv", metavar="OUT")
    agree.add_argument("--plot", metavar="OUT", help="figure as .png, .svg or .pdf")
    add_json_argument(agree)
    agree.set_defaults(run=run_agree)


def run_agree(args: argparse.Namespace) -> int:
    """Analyse the files, print a summary, write what was asked for."""
    if args.plot and Path(args.plot).suffix.lower() not in PLOT_ENDINGS:
        raise QueryError(
            f"{args.plot}: a figure is written as {', '.join(PLOT_ENDINGS)}. Give the file one of these endings."
        )
    if args.neural:
        return _run_neural(args)
    texts, groups = _read(args)
    corpus = open_corpus(args)
    if min(args.max_tokens, args.max_texts) < 0:
        raise QueryError("--max-tokens and --max-texts must not be negative.")
    request = AgreementRequest(texts, groups, args.n, args.max_tokens, args.max_texts, args.seed, args.without_self)
    analysis = analyse(corpus.index, request, progress_bar())
    if args.csv:
        save_text(Path(args.csv), table_text(FIGURE_HEADER, figure_rows(analysis.groups.items()), "csv"))
    if args.plot:
        _plot(analysis, Path(args.plot), f"Agreement with {corpus.index.name}")
    if args.json:
        print_json(
            {
                "figure": analysis.figure,
                "groups": analysis.groups,
                "sources": analysis.sources,
                "by_count": analysis.by_count,
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
    figure = neural_figure(open_corpus(args).index, texts, progress_bar())
    if args.json:
        print_json(figure)
        return 0
    print("probability\ttokens\tagreeing\tagreement")
    for b in figure.bins:
        print(f"{b.effective_n / 10:.1f}-{(b.effective_n + 1) / 10:.1f}\t{b.tokens}\t{b.agreeing}\t{b.agreement:.4f}")
    return 0


def _plot(analysis: AgreementAnalysis, path: Path, title: str) -> None:
    # The figure is drawn with Qt, which no other command needs.
    from explorer.gui.figures.save import save_agreements_without_window

    groups = list(analysis.groups.items()) if len(analysis.groups) > 1 else []
    save_agreements_without_window([(title, analysis.figure), *groups], path)


def _read(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if args.file == ["-"]:
        return (read_text("-"),), ("standard input",)
    return read_texts([Path(name) for name in args.file], args.text_field, args.group)


def _print_summary(analysis: AgreementAnalysis) -> None:
    if analysis.self_matched:
        print(
            f"# {analysis.self_matched} of the texts stand in the corpus themselves"
            + (f"; {len(analysis.left_out)} documents are left out" if analysis.left_out else " (see --without-self)"),
            file=sys.stderr,
        )
    for group, figure in analysis.groups.items():
        if len(analysis.groups) > 1:
            print(group)
        for panel in figure.panels:
            print(
                f"{panel.name:<22} {panel.tokens:>9,} tokens   agreement {panel.overall:6.1%}   "
                f"effective n: mean {panel.mean_n:.2f}, median {panel.median_n:g}"
            )

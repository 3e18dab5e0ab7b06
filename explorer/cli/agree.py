"""agree: how predictable texts are from the corpus."""

from __future__ import annotations

import argparse
from pathlib import Path

from explorer.agreement.analysis import AgreementAnalysis, AgreementRequest, analyse
from explorer.agreement.figure import AgreementFigure
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
    texts, groups = _read(args)
    corpus = open_corpus(args)
    request = AgreementRequest(texts, groups, args.n, args.max_tokens)
    analysis = analyse(corpus.index, request, progress_bar())
    if args.csv:
        save_text(Path(args.csv), table_text(FIGURE_HEADER, figure_rows(analysis.groups.items()), "csv"))
    if args.plot:
        _plot(analysis.figure, Path(args.plot), f"Agreement with {corpus.index.name}")
    if args.json:
        print_json({"figure": analysis.figure, "groups": analysis.groups})
    else:
        _print_summary(analysis)
    return 0


def _plot(figure: AgreementFigure, path: Path, title: str) -> None:
    # The figure is drawn with Qt, which no other command needs.
    from explorer.gui.figures.save import save_agreement_without_window

    save_agreement_without_window(figure, path, title)


def _read(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if args.file == ["-"]:
        return (read_text("-"),), ("standard input",)
    return read_texts([Path(name) for name in args.file], args.text_field, args.group)


def _print_summary(analysis: AgreementAnalysis) -> None:
    for group, figure in analysis.groups.items():
        if len(analysis.groups) > 1:
            print(group)
        for panel in figure.panels:
            print(
                f"{panel.name:<22} {panel.tokens:>9,} tokens   agreement {panel.overall:6.1%}   "
                f"effective n: mean {panel.mean_n:.2f}, median {panel.median_n:g}"
            )

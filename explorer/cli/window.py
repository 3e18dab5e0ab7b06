"""The window, and the demonstration on the sample corpus."""

from __future__ import annotations

import argparse
import os
import sys

from explorer.cli.common import Commands, progress_bar
from explorer.errors import CorpusError


def add_command(commands: Commands) -> None:
    """Define `demo`; the window itself needs no command."""
    demo = commands.add_parser("demo", help="build the sample index once, and open it with a worked example")
    demo.add_argument("--no-window", action="store_true", help="print the example's trace instead")
    demo.set_defaults(run=run_demo)


def has_display() -> bool:
    """Whether a window can be shown (or Qt was told to do without a screen)."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


def run_window(args: argparse.Namespace) -> int:
    """Open the window on the given indexes."""
    if not has_display():
        raise CorpusError(
            "There is no display to show the window on. Start it from a desktop session; "
            "corpus-explorer --help lists the commands that need no window."
        )
    # Qt is loaded only where a window is shown.
    from explorer.gui.app import Startup, run_app

    return run_app(Startup(tuple(args.index), tuple(args.minus), args.tokenizer, restore=True))


def run_demo(args: argparse.Namespace) -> int:
    """Build the sample index where it is missing, then show the worked example."""
    if args.no_window:
        return print_demo()
    if not has_display():
        print("There is no display to show the window on; here is the worked example as text.", file=sys.stderr)
        return print_demo()
    from explorer.gui.app import Startup, run_app

    return run_app(Startup(demo=True))


def print_demo() -> int:
    """The worked example's trace on standard output."""
    from explorer.api import open_index
    from explorer.cli.trace import print_trace
    from explorer.corpus.sample import build_sample, sample_folder, sample_is_built
    from explorer.trace.example import example_answer, example_prompt

    if not sample_is_built():
        manifest = build_sample(progress_bar())
        print(f"Built {sample_folder()} in {manifest.seconds:.1f} s", file=sys.stderr)
    corpus = open_index(sample_folder())
    print_trace(corpus.trace(example_answer(), example_prompt()), sys.stdout.isatty())
    return 0

"""The window, and the demonstration on the sample corpus."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from explorer import version
from explorer.cli.options.rules import Rule
from explorer.cli.output.codes import FINE
from explorer.cli.output.terminal import progress_bar, put, remark
from explorer.cli.parser import Parser, UsageError
from explorer.cli.system_libraries import named_libraries
from explorer.errors import CorpusError

RULES = {
    "": tuple(
        Rule(option, needs=("INDEX",)) for option in ("--minus", "--tokenizer", "--allow-remote", "--token-file")
    ),
    "demo": (Rule("--folder", without=("--no-window",)),),
}

CONVENTIONS = """\
conventions:
  "-" means standard input for FILE, QUERY and PROMPT, and standard output for OUT.
  Options and arguments can come in any order. Nothing after "--" is an option."""


def define_demo(parser: Parser) -> None:
    """Define `demo`; the window itself needs no command."""
    parser.add_argument(
        "--no-window", action="store_true", help="print the trace of the example instead of opening the window"
    )
    parser.add_argument(
        "--folder", action="store_true", help="print the folder of the sample index, for other commands, and do no more"
    )


def define_window(parser: Parser) -> None:
    """Define the arguments that need no command."""
    parser.argument(
        "index", "INDEX", "index folders, addresses, or a project file (.cxproj), to open in the window", nargs="*"
    )
    parser.add_argument("--minus", metavar="INDEX", action="append", default=[], help="subtract an index")
    parser.add_argument("--tokenizer", metavar="FILE", help='tokenizer.json of the index, or "bytes"')
    # Not by `common`, whose modules the window starts without.
    parser.add_argument(
        "--allow-remote", action="store_true", help="send queries to the host of an address without asking first"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="file with the token that the server of the index asks for"
    )
    parser.add_argument(
        "--alone", action="store_true", help="run a window of its own, even if the program runs already"
    )
    parser.add_argument("--version", action="store_true", help="print the version")


def has_display() -> bool:
    """Whether a window can be shown (or Qt was told to do without a screen)."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    # macOS and Windows have no variable that tells; there, Qt itself reports a missing screen.
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


def has_window() -> bool:
    """Whether the window is installed: its packages, and Qt."""
    # Looked for, not imported: Qt takes a while to load.
    try:
        return all(importlib.util.find_spec(name) for name in ("explorer.gui", "PySide6", "pyqtgraph"))
    # A hook on imports may refuse a package where Python would not find it.
    except ModuleNotFoundError:
        return False


def require_window(what: str) -> None:
    """Check that the window is installed.

    what: What needs it; begins the error's sentence.
    """
    if not has_window():
        raise CorpusError(
            "{what} needs the window, which is not installed. To get it, run pip uninstall corpus-explorer-core, and "
            "in the folder of the program's source: {command}",
            reason="no-window",
            what=what,
            command=version.install_command(),
        )


def run_window(args: argparse.Namespace) -> int:
    """Open the window on the given indexes.

    Returns: The exit code, once the window is closed.
    Raises `CorpusError` if the window, a library that it needs, or a display is missing.
    """
    # An option and not a command, and before the check of the display: it works everywhere.
    if args.version:
        put(f"corpus-explorer {version.VERSION}")
        return FINE
    require_window("corpus-explorer without a command")
    if not has_display():
        raise CorpusError(
            "There is no display for the window. Start it from a desktop session, or use a command that needs "
            "no window (see corpus-explorer --help).",
            reason="no-display",
        )
    project = _project(args)
    # Qt is loaded only where a window is shown.
    from explorer.gui.app.launch import launch

    # Absolute, since the window outlives the folder that it was started from.
    token = str(Path(args.token_file).absolute()) if args.token_file else ""
    with named_libraries():
        if project:
            return launch(project=project, alone=args.alone)
        return launch(
            tuple(args.index),
            tuple(args.minus),
            args.tokenizer,
            restore=True,
            allow_remote=args.allow_remote,
            token_file=token,
            alone=args.alone,
        )


def _project(args: argparse.Namespace) -> str:
    """The project file that was named; "" for none. Raises UsageError if it is not alone."""
    projects = [name for name in args.index if name.lower().endswith(".cxproj")]
    if projects and (len(args.index) > 1 or args.minus or args.tokenizer):
        raise UsageError("A project names its own indexes: give it alone.")
    # Absolute, since the window outlives the folder that it was started from.
    return str(Path(projects[0]).absolute()) if projects else ""


def run_demo(args: argparse.Namespace) -> int:
    """Build the sample index where it is missing, then show the worked example."""
    if args.folder:
        put(str(ready_sample()))
        return FINE
    if args.no_window:
        return print_demo()
    if not has_window():
        remark("The window is not installed, so the worked example is printed as text.")
        return print_demo()
    if not has_display():
        remark("There is no display for the window, so the worked example is printed as text.")
        return print_demo()
    from explorer.gui.app.launch import launch

    with named_libraries():
        return launch(demo=True)


def print_demo() -> int:
    """The worked example's trace on standard output."""
    from explorer.analyses.trace.example import example_answer, example_prompt
    from explorer.cli.search.trace import print_trace
    from explorer.corpus import open_index

    corpus = open_index(ready_sample())
    print_trace(corpus.trace(example_answer(), example_prompt()))
    return FINE


def ready_sample() -> Path:
    """The folder of the sample index, which is built if it is missing."""
    from explorer.building.own_places import sample_folder, sample_is_built
    from explorer.building.sample_corpus import build_sample

    # On standard error, so that what follows can be piped.
    if not sample_is_built():
        manifest = build_sample(progress_bar())
        remark(f"Built {sample_folder()} in {manifest.seconds or 0:.1f} s")
    return sample_folder()

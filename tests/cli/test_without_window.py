"""What needs the window says how to get it, where the window is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NO_QT = Path(__file__).resolve().parents[1] / "support" / "noqt"
HOW = "which is not installed. To get it, run: pip uninstall corpus-explorer-core, then pip install corpus-explorer.\n"


def run(*arguments, **environment):
    """`python -m explorer` in a Python without Qt, with a display."""
    return subprocess.run(
        [sys.executable, "-m", "explorer", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(NO_QT), "DISPLAY": ":0", **environment},
        # Not the tree of the sources, whose packages `-m` would find first.
        cwd=NO_QT,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("display", [":0", ""])
@pytest.mark.parametrize("with_index", [False, True])
def test_without_a_command(small_index, display, with_index):
    done = run(*([small_index] if with_index else []), DISPLAY=display)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"corpus-explorer: corpus-explorer without a command needs the window, {HOW}"


def test_the_rest_needs_no_window(small_index):
    assert run("--version").returncode == run("--help").returncode == 0
    done = run("count", small_index, "the cat")
    assert (done.returncode, done.stdout) == (0, "7\tthe cat\n")

"""What needs the window says how to get it, where the window is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from explorer.version import install_command

NO_QT = Path(__file__).resolve().parents[1] / "support" / "noqt"
SVG = "{http://www.w3.org/2000/svg}"
HOW = (
    "which is not installed. To get it, run pip uninstall corpus-explorer-core, and in the folder of the program's "
    f"source: {install_command()}"
)


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
    assert done.stderr == f"corpus-explorer: corpus-explorer without a command needs the window, {HOW}\n"


def test_the_rest_needs_no_window(small_index):
    assert run("--version").returncode == run("--help").returncode == 0
    done = run("count", small_index, "the cat")
    assert (done.returncode, done.stdout) == (0, "7\tthe cat\n")


def test_figures(small_index, tmp_path):
    rows = [{"text": "the cat sat on the mat", "model": "a < b"}, {"text": "the dog", "model": "b"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = ("agree", small_index, tmp_path / "a.jsonl", "--group", "model")
    done = run(*asked, "--plot", "-", "--plot-kind", "overlaid", "--title", "A title")
    assert done.returncode == 0
    texts = [element.text for element in ET.fromstring(done.stdout.encode()).iter(f"{SVG}text")]
    assert {"A title", "a < b", "b", "0%", "100%"} <= {text.replace(" %", "%") for text in texts}
    for name in ("a.csv", "a.json", "a.svg"):
        assert run(*asked, "--plot", tmp_path / name).returncode == 0
        assert (tmp_path / name).stat().st_size > 100
    for name in ("a.png", "a.pdf"):
        done = run(*asked, "--plot", tmp_path / name)
        assert done.returncode == 2
        assert done.stderr.endswith(f"{name[2:].upper()} files need the window, which is not installed.\n")
        assert not (tmp_path / name).exists()

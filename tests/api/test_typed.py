"""A script uses the whole library; strict type checkers find no error in it, and all planted mistakes in another one.

`make check` runs mypy and pyright over both: a mistake that one of them does not find is an error there, because the
comment that ignores it ignores nothing. Here, the first script runs, in a Python without Qt.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import explorer
from explorer.analyses.registry import derived
from explorer.corpus.tabular import Tabular

ROOT = Path(__file__).parents[2]
TYPED = ROOT / "tests" / "typed"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# `close` is what `with` calls; checkers know neither the type of `to_arrow` nor the methods that are made from rows.
ELSEWHERE = {"close", "to_arrow", *(row.method for row in derived())}


def test_mistakes_are_ignored_by_both_checkers():
    lines = (TYPED / "mistakes.py").read_text(encoding="utf-8").splitlines()
    planted = [line for line in lines if "# type: ignore[" in line]
    assert len(planted) >= 7
    assert planted == [line for line in lines if "# pyright: ignore[" in line]


def test_both_checkers_report_comments_that_ignore_nothing():
    # `strict` of mypy includes warn_unused_ignores.
    assert SETTINGS["tool"]["mypy"]["strict"] is True
    assert "tests/typed" in SETTINGS["tool"]["mypy"]["files"]
    pyright = SETTINGS["tool"]["pyright"]
    assert (pyright["include"], pyright["typeCheckingMode"]) == (["tests/typed"], "strict")
    assert pyright["reportUnnecessaryTypeIgnoreComment"] == "error"
    assert pyright["enableTypeIgnoreComments"] is False
    checked = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck: install\n")[2].partition("\n\n")[0]
    assert "$(BIN)/mypy" in checked and "$(BIN)/basedpyright" in checked


def test_the_script_uses_the_whole_library():
    text = (TYPED / "whole_library.py").read_text(encoding="utf-8")
    functions = {name for name in explorer.__all__ if name[0].islower()}
    methods = {name for kind in (explorer.Corpus, Tabular) for name in vars_of(kind)}
    used = set(re.findall(r"\w+", text))
    assert (functions | methods) - used == ELSEWHERE


def vars_of(kind):
    return [name for name in dir(kind) if not name.startswith("_") and name not in ("index", "columns")]


@pytest.mark.nightly
@pytest.mark.local("builds folders")
def test_the_script_runs_without_qt(tmp_path):
    pytest.importorskip("pandas", reason="make test-all installs pandas")
    program = "import pathlib, sys, whole_library; print(whole_library.main(pathlib.Path(sys.argv[1])))"
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "support" / "noqt"), str(TYPED)])},
        # Not the sources, whose packages Python would find first.
        cwd=tmp_path,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "<html" in done.stdout and "none.cxproj" in done.stdout
    assert len(list(tmp_path.glob("*.parquet"))) == 16

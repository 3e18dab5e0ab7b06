"""A script that uses the whole library has no error in strict type checkers, and planted mistakes are all found.

`make check` runs mypy over both files, with the rest of the project. pyright is not a dependency, because it needs
Node: where the command is installed, it runs here.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import explorer

TYPED = Path(__file__).parents[1] / "typed"
PLANTED = 7


def test_there_are_seven_mistakes():
    lines = (TYPED / "mistakes.py").read_text(encoding="utf-8").splitlines()
    assert sum("# type: ignore[" in line for line in lines) == PLANTED
    assert sum("# pyright: ignore" in line for line in lines) == PLANTED


def test_mypy_reports_comments_that_ignore_nothing():
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    # `strict` includes warn_unused_ignores, by which a mistake that is not found is an error.
    assert re.search(r'^files = \[.*"tests/typed".*\]$', project, re.MULTILINE)
    assert re.search(r"^strict = true$", project, re.MULTILINE)


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_pyright_is_content(tmp_path):
    shutil.copytree(TYPED, tmp_path / "typed")
    options = {
        "include": ["typed"],
        "typeCheckingMode": "strict",
        "enableTypeIgnoreComments": False,
        "reportUnnecessaryTypeIgnoreComment": "error",
        "extraPaths": [str(Path(explorer.__file__).parents[1])],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(options), encoding="utf-8")
    ran = subprocess.run(
        ["pyright", "--pythonpath", sys.executable, "--project", str(tmp_path)], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout

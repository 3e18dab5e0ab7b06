"""An analysis is a folder and a row of the registry: no other file of the program names it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADDED = ROOT / "tests" / "analyses" / "added_analysis"


# In a process of its own: the program reads the registry when it is imported.
@pytest.mark.qt
def test_a_folder_and_a_row_are_an_analysis_on_every_surface():
    path = os.pathsep.join(filter(None, (str(ADDED), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"}
    command = [
        sys.executable,
        # The program under test is the installed one, not the sources in this folder, which nothing has compiled.
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "added_row",
        "-p",
        "no:cacheprovider",
        str(ADDED / "checks.py"),
    ]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    assert " passed" in ran.stdout

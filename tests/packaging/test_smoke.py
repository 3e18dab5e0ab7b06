"""The smoke test of bundles and packages, on the program that is installed here."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SMOKE = Path(__file__).resolve().parents[2] / "packaging" / "smoke.py"
PROGRAM = shutil.which("corpus-explorer", path=sysconfig.get_path("scripts"))


@pytest.mark.skipif(PROGRAM is None, reason="the command is not installed beside this Python")
@pytest.mark.qt
def test_the_installed_program_passes():
    done = subprocess.run([sys.executable, "-P", SMOKE, PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()[1:]] == ["builds", "counts", "exports", "cancels"]


def test_a_program_that_fails_is_told(tmp_path):
    program = tmp_path / "corpus-explorer"
    program.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
    program.chmod(0o755)
    done = subprocess.run([sys.executable, "-P", SMOKE, program], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "failed (3)" in done.stderr and "no" in done.stderr

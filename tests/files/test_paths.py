"""Where the program keeps its files, also for a user who has no home."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.core.files import paths


def test_variables_name_the_places(monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "c"))
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "d"))
    assert (paths.cache_folder(), paths.data_folder()) == (tmp_path / "c", tmp_path / "d")


def test_a_user_without_a_home_has_the_root(monkeypatch):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    for name in ("CORPUS_EXPLORER_CACHE", "CORPUS_EXPLORER_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    root = Path.cwd().anchor
    assert str(paths.cache_folder()).startswith(root) and paths.data_folder().name == "corpus-explorer"


@pytest.mark.skipif(
    shutil.which("setpriv") is None or os.geteuid() != 0, reason="only root becomes a user without a name"
)
def test_a_container_without_a_name_for_its_user_counts(small_index, tmp_path):
    """As `docker run --user 12345` has it: no HOME, and nobody of that number."""
    capabilities = "+dac_read_search"
    command = [
        "setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", f"--inh-caps={capabilities}",
        f"--ambient-caps={capabilities}", "env", "-i", "PATH=/usr/bin:/bin", sys.executable, "-P", "-m", "explorer",
        "count", str(small_index), "the cat",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith("the cat\n")

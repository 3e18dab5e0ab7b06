"""What is imported before the window is shown: neither arrays nor the engine, nor what reads, searches or builds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import explorer

SHOWN = """
import json
import sys
from pathlib import Path

from explorer.gui.app import Startup, make_application, show_window
from explorer.gui.settings import Settings

settings = Settings(Path(sys.argv[1]) / "settings.json")
application = make_application(settings)
window = show_window(Startup(restore=True), settings)
print(json.dumps(sorted(sys.modules)))
window.close()
"""
LATER = {"numpy", "_fastsa", "tokenizers", "zstandard", "pyarrow", "pyqtgraph", "xlsxwriter", "multiprocessing"}
"""Packages that take long to import."""
ROOMS = {
    "agreement",
    "api",
    "backends",
    "checking",
    "cli",
    "documents",
    "export",
    "index",
    "overlap",
    "recipes",
    "tokens",
}
"""Rooms of which nothing is needed."""
MOST = 190
"""Modules of the program, of which each takes about a millisecond."""


def test_what_is_imported_before_the_window_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", SHOWN, str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found = set(json.loads(done.stdout))
    assert {name.partition(".")[0] for name in found} & LATER == set()
    ours = [name for name in found if name.startswith("explorer.")]
    assert {name.split(".")[1] for name in ours} & ROOMS == set()
    assert "explorer.gui.screens.index.screen" in ours and len(ours) <= MOST


def test_a_thread_that_needs_types_of_arrays_waits_for_another_that_imports_arrays():
    # `import numpy` waits until another thread has imported it; `numpy.typing` alone begins in the middle, and fails.
    for path in Path(explorer.__file__).parent.rglob("*.py"):
        before, found, _ = path.read_text(encoding="utf-8").partition("\nfrom numpy.typing import")
        assert not found or re.search("^import numpy", before, re.MULTILINE), path

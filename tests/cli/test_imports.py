"""The core runs where Qt is not installed."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "pyqtgraph", "shiboken6"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
from explorer.cli.main import main
main(["count", sys.argv[1], "the cat"])
main(["trace", sys.argv[1], sys.argv[2]])
import explorer
assert explorer.build_index and explorer.verify_index
"""


def test_commands_without_qt(small_index, tmp_path):
    (tmp_path / "a.txt").write_text("the cat sat")
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, small_index, tmp_path / "a.txt"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"the cat" in done.stdout

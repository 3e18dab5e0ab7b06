"""Compressed indexes with changed or cut files: an error that tells which, or the same answers; never a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from explorer import build_index

DAMAGED = Path(__file__).parents[1] / "support" / "damaged_fm.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two parts with their text, and more than one block and page of each."""
    made = tmp_path_factory.mktemp("damaged") / "index"
    lines = [
        {"text": f"the cat {i} sat on the mat {i * i}, and the dog saw it {i % 7} times", "year": i} for i in range(900)
    ]
    build_index(lines, made, format="fm", keep_text=True, shards=2)
    return made


def test_damaged_files(folder, scale):
    count = scale(200, 10_000)
    done = subprocess.run(
        [sys.executable, "-P", str(DAMAGED), str(folder), "0", str(count)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"died after {rows[-1:]}: {done.stderr[-2000:]}"
    assert len(rows) == count
    assert [row for row in rows if row["outcome"].startswith("FAULT")] == []
    honest = [row for row in rows if not row["change"].startswith("forge")]
    # Only who makes checksums for what was changed gets other answers.
    assert [row for row in honest if row["outcome"] == "OTHER"] == []
    for row in rows:
        assert row["outcome"] in ("as before", "OTHER") or row["message"].endswith("."), row
    # Every part is checked as a whole, so nothing but a file that was put in its own place remains unnoticed.
    same = [row for row in honest if row["outcome"] == "as before"]
    assert all(row["change"].startswith("swap") for row in same), Counter(row["change"] for row in same)
    kinds = Counter(row["change"].split()[0] for row in rows)
    assert {"change", "cut", "grow", "swap", "forge"} <= set(kinds)

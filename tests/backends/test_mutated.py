"""Damaged index folders, by the hundred: an error that says what is wrong, or an answer; never anything else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import build_index

MUTATE = Path(__file__).parents[1] / "support" / "mutate.py"
COMMAND = Path(sys.executable).with_name("corpus-explorer")


def run_seeds(base, first, last):
    done = subprocess.run(
        [sys.executable, "-P", str(MUTATE), str(base), str(first), str(last)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"died after {rows[-1:]}: {done.stderr[-2000:]}"
    return rows


@pytest.fixture(scope="module")
def two_shards(text_folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("mutated") / "two"
    lines = [json.dumps({"text": f"the cat {i} sat on the mat, and the dog saw it", "year": i}) for i in range(300)]
    source = tmp_path_factory.mktemp("mutated") / "a.jsonl"
    source.write_text("\n".join(lines))
    build_index([text_folder, source], out, tokenizer="train:500", shards=2)
    return out


@pytest.mark.parametrize("kind", ["small_index", "byte_index", "two_shards"])
def test_mutated_folders(kind, request, scale):
    rows = run_seeds(request.getfixturevalue(kind), 0, scale(20, 1_500))
    assert [row for row in rows if row["outcome"].startswith("FAULT")] == []
    assert rows[-1]["megabytes"] - rows[0]["megabytes"] < 300
    # Most damage is noticed.
    refused = sum(row["outcome"] != "ok" for row in rows)
    assert refused > len(rows) / 2
    for row in rows:
        assert row["outcome"] == "ok" or row["message"].rstrip().endswith("."), row


def test_on_the_command_line(two_shards, tmp_path, scale):
    """The same by the program: exit code 0 or 2, one line, no traceback."""
    import shutil

    sys.path.insert(0, str(MUTATE.parent))
    from mutate import mutate

    for seed in range(10_000, 10_000 + scale(1, 150)):
        folder = tmp_path / str(seed)
        shutil.copytree(two_shards, folder)
        change = mutate(folder, seed)
        for command in (["kwic", folder, "the cat"], ["verify", folder, "--deep"]):
            done = subprocess.run([COMMAND, *command], capture_output=True, text=True, timeout=300, check=False)
            # 1 is what verify found unsound; a query has no such answer.
            assert done.returncode in ((0, 1) if command[0] == "verify" else (0, 2)), (change, done.stderr)
            assert "Traceback" not in done.stderr, (change, done.stderr)
        shutil.rmtree(folder, ignore_errors=True)

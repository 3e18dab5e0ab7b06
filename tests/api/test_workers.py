"""A corpus that is sent to workers answers there, and they share the memory of its files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import explorer

pytestmark = [
    pytest.mark.local("folders are opened again in each worker"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
]
PROGRAM = Path(__file__).parents[1] / "support" / "worker_modes.py"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What workers of every kind answer."""
    pytest.importorskip("joblib")
    index = tmp_path_factory.mktemp("workers") / "index"
    # Large enough that pages are more than headers, and small enough to be read at once.
    texts = [{"text": f"the cat sat on the mat {number} and the dog saw it. " * 40} for number in range(100)]
    explorer.build_index(texts, index, tokenizer="bytes", name="Cats")
    # Elsewhere than in the sources, whose folders Python would find first.
    done = subprocess.run(
        [sys.executable, PROGRAM, index], capture_output=True, text=True, timeout=300, cwd=index.parent, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["loky", "threading", "spawn", "fork"])
def test_workers_count(found, kind):
    assert found["here"]["counts"][0] == 4000
    assert found[kind]["counts"] == found["here"]["counts"]
    assert found[kind]["elsewhere"] is (kind != "threading")


@pytest.mark.parametrize("kind", ["spawn", "fork", "futures"])
def test_workers_read(found, kind):
    assert found["here"]["read"][0].startswith("Corpus('Cats', ")
    assert found[kind]["read"] == found["here"]["read"]


@pytest.mark.parametrize("kind", ["spawn", "fork"])
def test_rows_of_a_data_set(found, kind):
    assert len(found[kind]["rows"]) == 100
    assert found[kind]["rows"] == found["here"]["rows"]


@pytest.mark.skipif(sys.platform != "linux", reason="the figures are of Linux")
@pytest.mark.parametrize("kind", ["spawn", "fork"])
def test_memory_is_shared(found, kind):
    memory = found[kind]["memory"]
    # The first process has read the index, too: if both share the pages, this one's share is half of what is resident.
    assert memory["Rss"] > 500
    assert memory["Pss"] < 0.7 * memory["Rss"]

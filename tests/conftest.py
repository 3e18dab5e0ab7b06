"""Fixtures for all rooms."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest

# How long an example takes depends on the machine, and says nothing about the program.
hypothesis.settings.register_profile(
    "unhurried",
    parent=hypothesis.settings.default,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("unhurried")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What tests open leaves nothing in the user's cache.
CACHE = tempfile.mkdtemp(prefix="corpus-explorer-test-")
os.environ["CORPUS_EXPLORER_CACHE"] = CACHE

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

TEXTS = {
    "one.txt": "the cat sat on the mat. the cat sat on the rug.\nA dog saw the cat.\n",
    "two.txt": "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3,
    "three.md": "# Title\n\nUnicode: naïve café, 日本語, 😀 emoji; the cat sat on the mat.\n",
    "code/four.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
}


def pytest_unconfigure() -> None:
    """Nor in the folder for temporary files."""
    shutil.rmtree(CACHE, ignore_errors=True)


def pytest_collection_modifyitems(items) -> None:
    """What tests the window needs Qt; a few others are marked one by one."""
    window = Path(__file__).parent / "gui"
    for item in items:
        if window in item.path.parents:
            item.add_marker("qt")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared data is not here")
    return SHARED


@pytest.fixture(scope="session")
def text_folder(tmp_path_factory) -> Path:
    """A small folder of texts."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small_index(text_folder, tmp_path_factory) -> Path:
    """An index of that folder, with a tokenizer trained on it."""
    from explorer import build_index

    out = tmp_path_factory.mktemp("index") / "small"
    build_index(text_folder, out, tokenizer="train:400", name="Small")
    return out


@pytest.fixture(scope="session")
def byte_index(text_folder, tmp_path_factory) -> Path:
    """A byte index of that folder."""
    from explorer import build_index

    out = tmp_path_factory.mktemp("index") / "bytes"
    build_index(text_folder, out, tokenizer="bytes")
    return out


@pytest.fixture
def small(small_index):
    """The small index, opened."""
    from explorer import open_index

    return open_index(small_index)


@pytest.fixture
def scale():
    """scale(few, many): how often a test repeats itself, in the suite and in `make soak`."""
    return lambda few, many: many if os.environ.get("CORPUS_EXPLORER_SOAK") else few

"""Two builds into one folder: the second is refused, and leaves the first as it is."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from explorer.building.lock import build_lock
from explorer.building.process import build_in_process
from explorer.building.request import BuildRequest, partial_folder
from explorer.building.run import build_index, discard_unless_resumable
from explorer.corpus import open_index
from explorer.errors import BuildError


def test_the_second_build_is_refused_and_the_first_goes_on(text_folder, tmp_path):
    begun, go_on, made = threading.Event(), threading.Event(), []

    def wait(progress):
        begun.set()
        go_on.wait(30)

    first = threading.Thread(
        target=lambda: made.append(build_index(text_folder, tmp_path / "out", tokenizer="bytes", report=wait))
    )
    first.start()
    try:
        assert begun.wait(30)
        for build in (
            lambda: build_index(text_folder, tmp_path / "out", tokenizer="bytes"),
            lambda: build_in_process(BuildRequest((Path(text_folder),), tmp_path / "out", "bytes")),
        ):
            with pytest.raises(BuildError, match=r"Another build into .* is under way"):
                build()
        discard_unless_resumable(tmp_path / "out")
        assert partial_folder(tmp_path / "out").exists()
    finally:
        go_on.set()
        first.join(30)
    assert open_index(tmp_path / "out").token_count == made[0].token_count


def test_one_is_free_again_after_the_other(tmp_path):
    with build_lock(tmp_path / "a") as free:
        assert free
        with build_lock(tmp_path / "a") as again, build_lock(tmp_path / "b") as elsewhere:
            assert not again and elsewhere
    with build_lock(tmp_path / "a") as free:
        assert free


def test_without_a_place_for_locks_builds_go_on(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "file"))
    with build_lock(tmp_path / "a") as free:
        assert free
    assert "would not be noticed" in caplog.text and "set CORPUS_EXPLORER_CACHE to a folder of yours" in caplog.text
    assert "Errno" not in caplog.text

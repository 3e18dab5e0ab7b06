"""The window is killed in the middle of a build: the next start offers what was done, and goes on to the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

from explorer.building.file_source import FileSource
from explorer.building.paused import paused_builds
from explorer.building.readers import ReadState, list_files
from explorer.building.request import partial_folder
from explorer.building.run import build_from, build_index, discard
from explorer.building.state import read_state
from explorer.errors import BuildError

WINDOW = """
import sys
from pathlib import Path
from explorer.building import tokenize as build_tokens
from explorer.gui.app import Startup, make_application, show_window
from explorer.gui.settings import Settings
settings = Settings(Path(sys.argv[1]) / "settings.json")
application = make_application(settings)
window = show_window(Startup(), settings)
form = window.index.form
form.add_sources([sys.argv[2]])
form.out.setText(sys.argv[3])
form.tokenizer.setCurrentIndex(1)
form.shards.setValue(4)
form.start()
form.built.connect(lambda *_: application.quit())
application.exec()
"""


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "index.json"}


def go_on(build):
    """Resume as the window does; its child may need a moment to notice that the window is gone."""
    state, until = ReadState(), time.monotonic() + 20
    source = FileSource(list_files(build.request.sources, state), build.request.options(), state)
    while True:
        try:
            return build_from(build.request, source)
        except BuildError as error:
            if "under way" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.1)


def test_killed_at_any_moment(tmp_path, scale, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    chance = random.Random(9)
    sources = tmp_path / "texts"
    sources.mkdir()
    for number in range(40):
        (sources / f"{number:02}.txt").write_text("".join(chance.choices("abcdef ghij\n", k=60_000)))
    build_index(sources, tmp_path / "whole", tokenizer="bytes", shards=4)
    whole = files_of(tmp_path / "whole")
    seen = set()
    for moment in range(scale(3, 20)):
        out = tmp_path / f"out{moment}"
        arguments = [sys.executable, "-P", "-c", WINDOW, str(tmp_path), str(sources), str(out)]
        window = subprocess.Popen(arguments, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        until = time.monotonic() + 60
        while not partial_folder(out).exists() and not out.exists() and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 3))
        window.send_signal(signal.SIGKILL)
        window.wait()
        until = time.monotonic() + 20
        while not (offered := paused_builds()) and not out.exists() and time.monotonic() < until:
            time.sleep(0.1)
        if out.exists():
            seen.add("done")
        else:
            (build,) = offered
            assert build.request.out == out
            seen.add("sorting" if build.read == 1 else "reading" if build.read else "before")
            if build.read:
                before = read_state(partial_folder(out))
                assert before.document_count > 0
            go_on(build)
        assert files_of(out) == whole
        assert paused_builds() == ()
        discard(out)
    print(f"killed windows: {sorted(seen)}")
    assert seen - {"done"}

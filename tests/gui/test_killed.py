"""The window is killed in the middle of a build: the next start offers what was done, and goes on to the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import held

from explorer.building.paused import paused_builds
from explorer.building.request import partial_folder
from explorer.building.run import build_from, build_index, discard
from explorer.building.sources.file_source import FileSource
from explorer.building.sources.readers import ReadState, list_files
from explorer.building.state import read_state
from explorer.errors import BuildError

PATIENCE = 120
"""Seconds that a test waits for what must come: only one that fails waits so long."""

WINDOW = """
import os
import signal
import sys
from pathlib import Path
import held
from explorer.gui.app.app import make_application, show_window
from explorer.gui.app.startup import Startup
from explorer.gui.settings.store import Settings
settings = Settings(Path(sys.argv[1]) / "settings.json")
application = make_application(settings)
window = show_window(Startup(), settings)
screen = window.screens["index"]
screen.presenter.add_sources((sys.argv[2],))
options = screen.pages.prepare.options
options.out.setText(sys.argv[3])
options.tokenizer.setCurrentIndex(1)
options.shards.setValue(4)
share = float(sys.argv[4])
held.replace_builds()


def die(progress):
    if progress.overall > share:
        os.kill(os.getpid(), signal.SIGKILL)


screen.lanes.named("build").progressed.connect(die)
screen.presenter.build.start()
screen.requested.connect(lambda request: application.quit())
application.exec()
"""


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in ("index.json", "report.json")}


def go_on(build):
    """Resume as the window does; its child may need a moment to notice that the window is gone."""
    state, until = ReadState(), time.monotonic() + PATIENCE
    source = FileSource(list_files(build.request.sources, state), build.request.options(), state)
    while True:
        try:
            return build_from(build.request, source)
        except BuildError as error:
            if "under way" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.1)


def test_killed_at_any_moment(tmp_path, scale, monkeypatch):
    """The first three deaths are at points where the build waits, so that none of them can come after its end."""
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHONPATH", str(Path(held.__file__).parent))
    chance = random.Random(9)
    sources = tmp_path / "texts"
    sources.mkdir()
    for number in range(40):
        (sources / f"{number:02}.txt").write_text("".join(chance.choices("abcdef ghij\n", k=60_000)))
    build_index(sources, tmp_path / "whole", tokenizer="bytes", shards=4)
    whole = files_of(tmp_path / "whole")
    shares = [0.05, 0.4, 0.8, *(chance.uniform(0, 0.99) for _ in range(scale(0, 17)))]
    seen = []
    for moment, share in enumerate(shares):
        out, gates = tmp_path / f"out{moment}", tmp_path / f"gates{moment}"
        held.HeldBuilds(monkeypatch, gates, *([share] if moment < 3 else []))
        arguments = [sys.executable, "-P", "-c", WINDOW, str(tmp_path), str(sources), str(out), str(share)]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        assert subprocess.run(arguments, env=environment, check=False).returncode == -signal.SIGKILL
        until = time.monotonic() + PATIENCE
        while not (offered := paused_builds()) and not out.exists() and time.monotonic() < until:
            time.sleep(0.1)
        if out.exists():
            seen.append("done")
        else:
            (build,) = offered
            assert build.request.out == out
            seen.append("sorting" if build.read == 1 else "reading")
            if build.read:
                before = read_state(partial_folder(out))
                assert before.document_count > 0
            go_on(build)
        assert files_of(out) == whole
        assert paused_builds() == ()
        discard(out)
    assert seen[:3] == ["reading", "reading", "sorting"]

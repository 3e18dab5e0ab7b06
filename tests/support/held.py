"""Builds in a child process that wait at given points until the test lets them go on.

So a test can look at a build that is certainly running, however fast or busy the machine is. The test's process makes a
`HeldBuilds`; in the child, which finds this module by PYTHONPATH, `build` and `build_sample` take the place of the
program's own functions.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.building import process
from explorer.building.request import BuildRequest
from explorer.building.sample_corpus import StandardLibrary
from explorer.core.jobs import Progress
from explorer.core.jobs.cancel import ASKED
from explorer.index.manifest import Manifest

Report = Callable[[Progress], None]

_WISHES = "CORPUS_EXPLORER_TEST_HELD"
# Longer than a runner keeps reports back, so that one of those that are repeated certainly arrives.
_AGAIN_SECONDS = 0.06
_BUILD, _SAMPLE = process._build, process._sample


class HeldBuilds:
    """Every build of this process waits at the first report past each of the shares, while the fixture lasts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, *shares: float) -> None:
        self._folder = folder
        folder.mkdir()
        self.shares = shares
        monkeypatch.setenv(_WISHES, json.dumps([str(folder), *shares]))
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
        replace_builds(monkeypatch.setattr)

    def let_go(self, *shares: float) -> None:
        """Let builds go past these points; without one, past all."""
        for share in shares or self.shares:
            (self._folder / str(share)).touch()


def replace_builds(setattr_: Callable[[object, str, Any], None] = setattr) -> None:
    """Let this process's children build with the functions of this module."""
    setattr_(process, "_build", build)
    setattr_(process, "_sample", build_sample)


def build(request: BuildRequest, report: Report) -> Manifest:
    """In the child."""
    return _BUILD(request, _held(report))


def build_sample(nothing: None, report: Report) -> Manifest:
    """In the child. Of one package of the library: to train a tokenizer on all of it takes half a minute."""
    whole = StandardLibrary.at
    setattr(StandardLibrary, "at", lambda root: whole(root / "asyncio"))  # noqa: B010 - a method, to mypy
    return _SAMPLE(nothing, _held(report))


def _held(report: Report) -> Report:
    folder, *shares = json.loads(os.environ[_WISHES])

    def tell(progress: Progress) -> None:
        report(progress)
        while shares and progress.overall > shares[0]:
            gate = Path(folder, str(shares[0]))
            while not gate.exists() and not ASKED.cancelled:
                time.sleep(_AGAIN_SECONDS)
                report(progress)
            shares.pop(0)

    return tell

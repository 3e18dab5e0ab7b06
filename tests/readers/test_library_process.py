"""The process in which libraries read: if it crashes, hangs or answers anything, and what it may not do."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.core.files.encoding import NotTextError
from explorer.documents import library_process
from explorer.documents.content import Content
from explorer.documents.library_process import answer_of

KINDS = Path(__file__).resolve().parents[1] / "data" / "kinds"
GOOD = r"""
import json, os, sys, time
served = 0
for line in sys.stdin:
    reader, path = json.loads(line)
    served += 1
    if open(path).read() == "bad":
        BEHAVIOR
    if served == FATAL:
        os.abort()
    print(json.dumps({"read": open(path).read(), "served": served}))
    print('["", ""]', flush=True)
"""


@pytest.fixture
def acting(monkeypatch, tmp_path):
    """Let a process act in some way in place of the real one."""
    library_process._end()

    def act(on_bad="pass", fatal=0):
        script = tmp_path / "child.py"
        script.write_text(GOOD.replace("BEHAVIOR", on_bad).replace("FATAL", str(fatal)))
        monkeypatch.setattr(library_process, "command_of", lambda _: [sys.executable, str(script)])
        monkeypatch.setattr(library_process, "PATIENCE", 1.0)
        library_process._end()

    yield act
    library_process._end()


def content(data):
    stream = io.BufferedReader(io.BytesIO(data))
    return Content("a", "a", stream, stream)


def answer(data=b"x", most=1_000):
    return [part.decode().strip() for part in answer_of("any", content(data), most)]


@pytest.mark.parametrize(
    ("behavior", "reason"),
    [
        ("os.abort()", "ends the library"),
        ("os._exit(0)", "ends the library"),
        ("print('{\"half', end='', flush=True); os.abort()", "ends the library"),
        ("time.sleep(60)", "takes more than 1 seconds"),
        ("print('{}', flush=True); time.sleep(60)", "takes more than 1 seconds"),
        ("while True: print('{}', flush=True)", "contains more than"),
        ("while True: print('x', end='', flush=True)", "contains more than"),
        ('print(\'["locked", ""]\', flush=True); continue', "needs a password"),
        ('print(\'["damaged", "odd bytes"]\', flush=True); continue', r"is damaged \(odd bytes\)"),
    ],
)
def test_a_file_at_which_the_process_ends_is_refused_and_the_next_one_is_read(acting, behavior, reason):
    acting(behavior)
    assert answer(b"good") == ['{"read": "good", "served": 1}']
    with pytest.raises(NotTextError, match=reason):
        answer(b"bad")
    assert '"read": "good"' in answer(b"good")[0]


def test_a_file_is_not_to_blame_for_what_others_left(acting):
    acting(fatal=3)
    assert [answer()[0][-2] for _ in range(5)] == ["1", "2", "1", "2", "1"]


def test_one_process_serves_all_files(acting):
    acting()
    assert [answer()[0][-2] for _ in range(3)] == ["1", "2", "3"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit all of it")
@pytest.mark.parametrize(
    ("act", "error"),
    [
        ("open(sys.argv[1], 'w').write('x' * 9_999)", "File too large"),
        ("bytearray(1 << 30)", "MemoryError"),
    ],
)
def test_the_process_writes_no_file_and_takes_little_memory(act, error, tmp_path):
    code = f"import sys; from explorer.documents.library_child import _limit; _limit(); {act}"
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "new")], capture_output=True, text=True, check=False
    )
    assert ended.returncode and error in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_a_name_that_is_not_unicode_is_read(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.pdf")
    path.write_bytes((KINDS / "cairo.pdf").read_bytes())
    with open(path, "rb") as raw:
        parts = answer_of("pdf", Content("a.pdf", "a.pdf", raw, raw, path=path), 1 << 20)
    assert len(parts) == 2

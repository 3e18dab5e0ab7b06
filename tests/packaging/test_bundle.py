"""The program as a folder: how it starts its own processes, and how its sizes are held."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import runpy
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import childwork
import pytest
import zstandard

from explorer.core.jobs import programs
from explorer.core.jobs.child import run_in_child
from explorer.core.jobs.programs import MODULES, RUN_MODULE, command_of

BUNDLE = Path(__file__).resolve().parents[2] / "packaging" / "bundle"
ENTRY = BUNDLE / "entry.py"


@pytest.fixture(scope="module")
def make():
    spec = importlib.util.spec_from_file_location("bundle_make", BUNDLE / "make.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bundle_make"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["bundle_make"]


@pytest.fixture
def frozen(tmp_path, monkeypatch):
    """As in a bundle: `sys.executable` is a program that takes no options of Python."""
    program = tmp_path / "corpus-explorer"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{ENTRY}" "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    return program


@pytest.mark.skipif(os.name == "nt", reason="the program of the test is a shell script")
def test_work_in_a_process_of_a_bundle(frozen, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(childwork.__file__).parent))
    assert command_of(MODULES[0]) == [str(frozen), RUN_MODULE, MODULES[0]]
    assert run_in_child(childwork.double, 21) == 42


def test_only_its_own_modules_are_run():
    """Otherwise the argument is one of the command line, which does not know it."""
    done = subprocess.run(
        [sys.executable, "-P", ENTRY, RUN_MODULE, "this"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and RUN_MODULE in done.stderr and "Zen" not in done.stdout


def test_the_command_line_of_a_bundle():
    done = subprocess.run([sys.executable, "-P", ENTRY, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("corpus-explorer ")


def test_every_process_is_started_by_a_bundle():
    """No module starts the interpreter by its name, which a bundle does not have."""
    sources = [path for path in Path(programs.__file__).parents[1].rglob("*.py") if path.name != "programs.py"]
    assert [path.name for path in sources if re.search(r"\[\s*sys\.executable", path.read_text(encoding="utf-8"))] == []


def test_sizes_are_held(make, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make, "SIZES", tmp_path / "sizes.json")
    assert make.check_sizes({"installed": 1000, "download": 100}, record=False) == 0
    assert make.check_sizes({"installed": 1000, "download": 100}, record=True) == 0
    assert make.check_sizes({"installed": 1050, "download": 90}, record=False) == 0
    assert make.check_sizes({"installed": 1051, "download": 90}, record=False) == 1
    assert "installed: 1,051 bytes, and 1,000 were recorded" in capsys.readouterr().err


def test_parts_and_archive(make, tmp_path):
    made = tmp_path / "corpus-explorer"
    for name, size in (("corpus-explorer", 5), ("_internal/numpy/a.so", 7), ("_internal/numpy/b/c.so", 4)):
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    assert make.largest_parts(made) == [("numpy", 11), ("corpus-explorer", 5)]
    packed = [tmp_path / "a.tar.zst", tmp_path / "b.tar.zst"]
    make.pack(made, packed[0])
    os.utime(made / "corpus-explorer", (5, 5))
    make.pack(made, packed[1])
    assert packed[0].read_bytes() == packed[1].read_bytes()
    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed[0].read_bytes())).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert "corpus-explorer/_internal/numpy/b/c.so" in tar.getnames()


def test_an_archive_for_windows(make, tmp_path):
    made = tmp_path / "corpus-explorer"
    (made / "_internal").mkdir(parents=True)
    (made / "_internal" / "Töne.txt").write_bytes(b"x" * 999)
    packed = [tmp_path / "a.zip", tmp_path / "b.zip"]
    make.pack(made, packed[0])
    os.utime(made / "_internal" / "Töne.txt", (5, 5))
    make.pack(made, packed[1])
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        assert archive.namelist() == ["corpus-explorer/_internal/Töne.txt"]
        assert archive.read("corpus-explorer/_internal/Töne.txt") == b"x" * 999


def test_where_the_wheel_was_is_forgotten(make, tmp_path):
    place = tmp_path / "_internal" / "one-1.dist-info"
    place.mkdir(parents=True)
    (place / "direct_url.json").write_text('{"url": "file:///home/me/one.whl"}')
    (place / "RECORD").write_text("one-1.dist-info/direct_url.json,sha256=5,9\none/a.py,sha256=6,9\n")
    make.forget_place(tmp_path / "_internal")
    assert [path.name for path in place.iterdir()] == ["RECORD"]
    assert (place / "RECORD").read_text() == "one/a.py,sha256=6,9\n"


@pytest.fixture(scope="module")
def entry():
    spec = importlib.util.spec_from_file_location("bundle_entry", ENTRY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def made(tmp_path, make):
    """A program with two libraries and a link."""
    inside = tmp_path / make.NAME / "_internal"
    (inside / "PySide6").mkdir(parents=True)
    for name in ("libone.so.1", "PySide6/QtCore.abi3.so", "text.md"):
        (inside / name).write_bytes(b"content")
    (inside / "libQt.so").symlink_to("PySide6/QtCore.abi3.so")
    (inside.parent / make.NAME).write_bytes(b"the program")
    make.write_parts(inside.parent)
    return inside.parent


def test_a_complete_program_misses_nothing(entry, made):
    inside = made / "_internal"
    assert (inside / entry.PARTS).read_text() == "PySide6/QtCore.abi3.so\nlibone.so.1\n"
    # A library that somebody replaced by another one, as the license of Qt allows.
    (inside / "PySide6" / "QtCore.abi3.so").write_bytes(b"x")
    assert entry.missing_parts(inside) == []


def test_a_program_tells_what_a_full_disk_cut(entry, made, monkeypatch):
    inside = made / "_internal"
    (inside / "libone.so.1").write_bytes(b"")
    assert entry.missing_parts(inside) == ["libone.so.1"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(inside), raising=False)
    with pytest.raises(SystemExit, match=r"not complete: 1 of its files .* such as libone\.so\.1"):
        entry.refuse_half_a_program()
    (inside / "libone.so.1").unlink()
    assert entry.missing_parts(inside) == ["libone.so.1"]
    # The list may be cut, too.
    (inside / entry.PARTS).write_bytes(b"")
    assert entry.missing_parts(inside) == [entry.PARTS]


def test_what_starts_the_program_comes_first_out_of_its_archive(make, made, tmp_path):
    (made / "_internal" / "python3.11").mkdir()
    (made / "_internal" / "python3.11" / "_struct.so").write_bytes(b"x")
    make.pack(made, tmp_path / "a.tar.zst")
    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO((tmp_path / "a.tar.zst").read_bytes())).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        names = tar.getnames()
    assert len(names) == len(set(names)) == 10
    assert names[:4] == [
        f"{make.NAME}/{name}"
        for name in ("_internal/parts.txt", "_internal/python3.11", "_internal/python3.11/_struct.so", make.NAME)
    ]


def test_a_program_without_a_console_has_streams(monkeypatch):
    before = sys.stdin
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    runpy.run_path(str(BUNDLE / "streams.py"))
    with sys.stdout as out, sys.stderr as errors:
        print("read by nobody", file=out)
        assert (out.isatty(), errors.writable(), sys.stdin) == (False, True, before)


def test_the_spec_is_python_and_names_what_exists():
    text = (BUNDLE / "corpus-explorer.spec").read_text(encoding="utf-8")
    compile(text, "corpus-explorer.spec", "exec")
    for name in ("entry.py", "streams.py", "make.py"):
        assert (BUNDLE / name).is_file() and name.removesuffix(".py") in text
    assert (BUNDLE.parent / "macos" / "Info.plist").is_file()


def test_the_application_of_macos_has_what_the_folder_has(make, tmp_path):
    data = tmp_path / "Corpus Explorer.app" / "Contents" / "Resources"
    made = tmp_path / "corpus-explorer"
    for folder in (data, made / "_internal"):
        folder.mkdir(parents=True)
    for name in ("LICENSES.txt", "sbom.cdx.json"):
        (made / name).write_text(name)
    assert make.data_folders(tmp_path) == [made / "_internal", data]
    make.copy_facts(made, tmp_path)
    assert sorted(path.name for path in data.iterdir()) == ["LICENSES.txt", "sbom.cdx.json"]
    assert list((made / "_internal").iterdir()) == []

"""Where an index is put: odd names, links, mount points, full and read-only disks. A build is never lost there."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import build_index, open_index, verify_index
from explorer.building.request import partial_folder
from explorer.building.state import can_resume
from explorer.core.hints import REMEDIES, with_hints
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled

ODD = os.fsdecode(b"caf\xe9")
COMMAND = Path(sys.executable).with_name("corpus-explorer")


def texts(folder, count=3):
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number}.txt").write_text(f"text number {number} " * 20)
    return folder


def is_sound(out, documents=3):
    assert open_index(out).document_count == documents
    return verify_index(out, deep=True).sound and not partial_folder(out).exists()


@pytest.mark.parametrize("odd", ["skipped", "hidden", "read", "jsonl", "folder", "source", "out", "tokenizer", "name"])
def test_names_that_are_not_utf8(tmp_path, small_index, odd):
    """Each place where a name can be so; the JSON that results is UTF-8 and spells the name."""
    source, out, wishes = texts(tmp_path / "s"), tmp_path / "out", {"tokenizer": "bytes"}
    count = 3
    if odd in ("skipped", "hidden"):
        (source / (f"{ODD}.bin" if odd == "skipped" else f".{ODD}")).write_bytes(b"\0\1")
    elif odd in ("read", "folder"):
        path = source / f"{ODD}.txt" if odd == "read" else texts(source / ODD, 1) / "0.txt"
        path.write_text("one more")
        count = 4
    elif odd == "jsonl":
        (source / f"{ODD}.jsonl").write_text('{"text": "one more"}\nbad\n')
        count, wishes["skip_bad"] = 4, True
    elif odd == "source":
        source = source.rename(tmp_path / ODD)
    elif odd == "out":
        out = tmp_path / ODD
    elif odd == "tokenizer":
        wishes["tokenizer"] = tmp_path / f"{ODD}.json"
        wishes["tokenizer"].write_bytes((small_index / "tokenizer.json").read_bytes())
    else:
        wishes["name"] = ODD
    build_index(source, out, **wishes)
    assert is_sound(out, count)
    told = "".join((out / name).read_bytes().decode("utf-8") for name in os.listdir(out) if name.endswith("json"))
    for name in ("index.json", "report.json"):
        if (out / name).exists():
            assert "\\ud" not in json.dumps(json.loads((out / name).read_text("utf-8")), ensure_ascii=True)
    documents = [open_index(out).document(number).metadata["path"] for number in range(count)]
    if odd != "out":
        assert r"caf\\xe9" in told or any(r"caf\xe9" in path for path in documents)


@pytest.mark.parametrize("odd", ["source", "out"])
def test_resuming_with_such_names(tmp_path, odd):
    source, out = texts(tmp_path / (ODD if odd == "source" else "s")), tmp_path / (ODD if odd == "out" else "out")

    def interrupt(progress):
        if progress.stage == "Sorting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(source, out, tokenizer="bytes", report=interrupt)
    assert can_resume(out)
    build_index(source, out, tokenizer="bytes", resume=True)
    assert is_sound(out)


@pytest.mark.parametrize(
    "kind", ["new", "empty", "link", "dangling", "link to link", "slash", "dot", "up", "in a source"]
)
def test_folders_that_can_be_built_into(tmp_path, monkeypatch, kind):
    source, out = texts(tmp_path / "s"), tmp_path / "out"
    real = out
    if kind in ("empty", "slash", "dot", "up"):
        out.mkdir()
    elif kind in ("link", "dangling", "link to link"):
        real = tmp_path / "real"
        if kind != "dangling":
            real.mkdir()
        out.symlink_to(real)
        if kind == "link to link":
            (tmp_path / "again").symlink_to(out)
    elif kind == "in a source":
        out = real = source / "out"
    asked = {"slash": f"{out}/", "dot": ".", "up": "../out/../out", "link to link": tmp_path / "again"}.get(kind, out)
    if kind in ("dot", "up"):
        monkeypatch.chdir(out)
    build_index(source, asked, tokenizer="bytes")
    assert is_sound(real)
    assert kind not in ("dot", "up") or Path("index.json").is_file()
    assert out.is_symlink() == (kind in ("link", "dangling", "link to link"))


def test_the_folder_that_stands_there_keeps_its_permissions(tmp_path):
    source, out = texts(tmp_path / "s"), tmp_path / "out"
    out.mkdir(mode=0o700)
    before = out.stat()
    build_index(source, out, tokenizer="bytes")
    assert (out.stat().st_ino, out.stat().st_mode) == (before.st_ino, before.st_mode)


@pytest.fixture
def mounted(tmp_path):
    """mounted(path, size): a small file system of its own there."""
    places = []

    def mount(path, *options):
        path.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *options, str(path)], capture_output=True, check=False)
        if done.returncode:
            pytest.skip("sudo .venv/bin/pytest tests/building/test_places.py: only root can mount")
        places.append(path)
        return path

    yield mount
    for path in reversed(places):
        # Lazily: an index that was opened there may still be mapped.
        subprocess.run(["umount", "-l", str(path)], check=True)


@pytest.fixture
def refused_early(monkeypatch):
    """Fails where texts are tokenized: what cannot be put anywhere is refused before the work."""
    monkeypatch.setattr("explorer.building.run.tokenize", lambda *_: pytest.fail("tokenized"))


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_mount_points_are_refused_before_the_work(tmp_path, mounted, refused_early, monkeypatch):
    source, drive = texts(tmp_path / "s"), ("-t", "tmpfs", "-o", "size=4m", "tmpfs")
    (tmp_path / "real").mkdir()
    mounted(tmp_path / "bound", "--bind", str(tmp_path / "real"))
    mounted(tmp_path / "drive", *drive)
    mounted(tmp_path / "unseen", *drive)
    (tmp_path / "link").symlink_to(tmp_path / "drive")
    for kind in ("drive", "bound", "link", "unseen"):
        asked = tmp_path / kind
        with monkeypatch.context() as patch, pytest.raises(BuildError) as raised:
            if kind == "unseen":
                patch.setattr(os.path, "ismount", lambda path: False)
            build_index(source, asked, tokenizer="bytes")
        assert f"Choose a folder inside it, such as {asked / 'index'}." in with_hints(raised.value, REMEDIES)
        assert list(asked.iterdir()) == [] and not [*tmp_path.glob("*.partial")], kind


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_a_folder_of_another_disk(tmp_path, mounted):
    drive = mounted(tmp_path / "drive", "-t", "tmpfs", "-o", "size=4m", "tmpfs")
    build_index(texts(tmp_path / "s"), drive / "index", tokenizer="bytes")
    assert is_sound(drive / "index")


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_a_read_only_disk_is_refused(tmp_path, mounted, refused_early):
    drive = mounted(tmp_path / "drive", "-t", "tmpfs", "-o", "size=4m,ro", "tmpfs")
    with pytest.raises(BuildError, match="Read-only"):
        build_index(texts(tmp_path / "s"), drive / "index", tokenizer="bytes")


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_a_full_disk_says_so_and_a_larger_one_goes_on(tmp_path, mounted):
    """Whatever it fills up at: an error in words, and the build can be resumed, or nothing is there."""
    source, full = texts(tmp_path / "s", 300), 0
    for kilobytes in (16, 40, 80, 120, 200, 300, 600, 1_200):
        drive = mounted(tmp_path / str(kilobytes), "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs")
        full += fills_up(source, drive)
    assert full > 3


def fills_up(source, drive):
    """Build on a small disk, and again on a larger one if it was full; returns whether it was."""
    try:
        build_index(source, drive / "index", tokenizer="train:300")
    except BuildError as error:
        kept = can_resume(drive / "index")
        assert "is full" in str(error)
        assert (error.outcome == "kept") == kept
        assert kept or list(drive.iterdir()) == []
        subprocess.run(["mount", "-o", "remount,size=8m", str(drive)], check=True)
        build_index(source, drive / "index", tokenizer="train:300", resume=True)
        assert is_sound(drive / "index", 300)
        return True
    assert is_sound(drive / "index", 300)
    return False


STEPS = ("rename", "replace", "rmdir", "unlink")


@pytest.mark.parametrize("stands", [False, True], ids=["new", "stands there"])
@pytest.mark.parametrize("call", range(12))
def test_the_last_step_fails_or_is_killed_anywhere(tmp_path, monkeypatch, stands, call):
    """Every call that moves or removes a file at the end fails once: the index is kept, and resuming only moves it."""
    from explorer.building import place as build_place
    from explorer.building import run as build

    source, out = texts(tmp_path / "s"), tmp_path / "out"
    if stands:
        out.mkdir()
    made = []
    place = build_place.put_in_place

    def failing(partial, target):
        made.append(partial)
        left = [call]
        with monkeypatch.context() as patch:
            for name in STEPS:
                patch.setattr(Path, name, fail_after(left, getattr(Path, name)))
            place(partial, target)

    with monkeypatch.context() as patch:
        patch.setattr(build_place, "put_in_place", failing)
        try:
            build_index(source, out, tokenizer="bytes")
        except BuildError as error:
            assert "The index is complete" in str(error) and error.option == "resume"
            assert not is_whole(out)
    assert made
    if not is_whole(out):
        monkeypatch.setattr(build, "tokenize", lambda *_: pytest.fail("tokenized again"))
        build_index(source, out, tokenizer="bytes", resume=True)
    assert is_sound(out)


def is_whole(out):
    return (out / "index.json").is_file() and not (out / "build.json").exists()


def fail_after(left, work):
    def step(self, *args, **options):
        left[0] -= 1
        if left[0] == -1:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(self))
        return work(self, *args, **options)

    return step


def test_a_folder_with_other_files_is_never_touched(tmp_path):
    source = texts(tmp_path / "s")
    for place in ("out", "new.partial"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "mine").write_text("x")
    with pytest.raises(BuildError, match="not empty"):
        build_index(source, tmp_path / "out", tokenizer="bytes")
    with pytest.raises(BuildError, match="not part of a build"):
        build_index(source, tmp_path / "new", tokenizer="bytes")
    assert (tmp_path / "out" / "mine").exists() and (tmp_path / "new.partial" / "mine").exists()


@pytest.mark.parametrize("memory", [float("nan"), float("inf"), float("-inf"), -1, -0.5, "much", None])
def test_memory_that_is_no_amount_is_refused(tmp_path, memory):
    with pytest.raises(BuildError, match="memory limit must"):
        build_index(texts(tmp_path / "s"), tmp_path / "out", memory=memory)


def test_a_cancelled_build_leaves_nothing_but_a_failed_one_does(tmp_path):
    cancel = CancelToken()

    def stop(progress):
        if progress.stage == "Sorting":
            cancel.cancel()

    with pytest.raises(Cancelled):
        build_index(texts(tmp_path / "s"), tmp_path / "out", tokenizer="bytes", report=stop, cancel=cancel)
    assert sorted(os.listdir(tmp_path)) == ["s"]

    def fail(progress):
        if progress.stage == "Sorting":
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        build_index(tmp_path / "s", tmp_path / "out", tokenizer="bytes", report=fail)
    build_index(tmp_path / "s", tmp_path / "out", tokenizer="bytes", resume=True)
    assert is_sound(tmp_path / "out")


def test_more_shards_than_files_may_be_open(tmp_path):
    """As many shards as documents, in a process that may open 64 files."""
    (tmp_path / "a.jsonl").write_text("".join(f'{{"text": "document number {i}"}}\n' for i in range(400)))
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "from explorer import build_index\n"
        f"made = build_index({str(tmp_path / 'a.jsonl')!r}, {str(tmp_path / 'out')!r}, tokenizer='bytes', shards=300)\n"
        "assert made.shard_count == 300 and made.document_count == 400"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True, timeout=120)

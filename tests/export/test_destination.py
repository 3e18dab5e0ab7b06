"""Files that a person names: what stands at the path decides how they are written."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from explorer.export import destination
from explorer.export.destination import ExportError, descriptor, is_plain, replacing, save_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes, links and devices of Unix")
as_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root makes devices")
OLD = "old and longer than the new one"


@pytest.fixture(params=[0o022, 0o077, 0o000])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_mode_of_the_umask(tmp_path, umask):
    save_text(tmp_path / "a", "new\r\n")
    assert (tmp_path / "a").read_bytes() == b"new\r\n"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~umask
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755, 0o4755])
def test_mode_is_kept(tmp_path, mode):
    path = tmp_path / "a"
    path.write_text(OLD)
    path.chmod(mode)
    with replacing(path) as partial:
        assert not stat.S_IMODE(partial.stat().st_mode) & 0o077
        partial.write_text("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)
    assert names(tmp_path) == ["a"]


@as_root
def test_owner_is_kept(tmp_path):
    path = tmp_path / "a"
    path.write_text(OLD)
    os.chown(path, 12345, 54321)
    save_text(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_attributes_are_kept(tmp_path):
    path = tmp_path / "a"
    path.write_text(OLD)
    try:
        os.setxattr(path, "user.note", b"mine")
    except (OSError, AttributeError):
        pytest.skip("there are no attributes here")
    save_text(path, "new")
    assert os.getxattr(path, "user.note") == b"mine"


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("exists", [True, False])
def test_links_are_followed(tmp_path, hops, exists):
    (tmp_path / "deep").mkdir()
    real = tmp_path / "deep" / "real"
    if exists:
        real.write_text(OLD)
    link = Path("deep/real")
    for hop in range(hops):
        (tmp_path / f"link{hop}").symlink_to(link)
        link = Path(f"link{hop}")
    save_text(tmp_path / link, "new")
    assert all((tmp_path / f"link{hop}").is_symlink() for hop in range(hops))
    assert real.read_text() == "new" and not real.is_symlink()
    assert names(tmp_path / "deep") == ["real"]


@pytest.mark.parametrize("text", ["new", OLD + OLD])
def test_hard_links_are_kept(tmp_path, text):
    (tmp_path / "a").write_text(OLD)
    os.link(tmp_path / "a", tmp_path / "b")
    save_text(tmp_path / "a", text)
    assert (tmp_path / "b").read_text() == text
    assert (tmp_path / "a").stat().st_nlink == 2


@pytest.mark.parametrize("text", ["new", OLD + OLD])
def test_where_a_file_cannot_be_replaced_it_is_overwritten(tmp_path, monkeypatch, text):
    """A file that is a mount point of its own, or a folder that cannot be written to."""
    path = tmp_path / "a"
    path.write_text(OLD)
    number = path.stat().st_ino

    def busy(self, target):
        raise OSError(errno.EBUSY, "busy")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", busy)
        save_text(path, text)
    assert (path.read_text(), path.stat().st_ino, names(tmp_path)) == (text, number, ["a"])
    access = os.access
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda p, mode: Path(p) != tmp_path and access(p, mode))
        save_text(path, text + "!")
    assert (path.read_text(), path.stat().st_ino, names(tmp_path)) == (text + "!", number, ["a"])


def test_a_full_drive_leaves_an_overwritten_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text(OLD)
    os.link(path, tmp_path / "b")

    def full(number, start, size):
        os.ftruncate(number, size - 1)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(ExportError, match="No space left"):
        save_text(path, OLD + OLD)
    assert path.read_text() == OLD


@as_root
def test_devices_stay_devices(tmp_path):
    for name, minor in (("null", 3), ("full", 7)):
        os.mknod(tmp_path / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        (tmp_path / f"to-{name}").symlink_to(name)
    try:
        open(tmp_path / "null", "wb").close()
    except OSError:
        pytest.skip("devices cannot be used here")
    for name in ("null", "to-null"):
        save_text(tmp_path / name, "new")
    for name in ("full", "to-full"):
        with pytest.raises(ExportError, match="No space left"):
            save_text(tmp_path / name, "new")
    assert all(stat.S_ISCHR((tmp_path / name).stat().st_mode) for name in ("null", "full"))
    assert (tmp_path / "to-null").is_symlink() and len(names(tmp_path)) == 4


def test_a_named_pipe_is_written_into(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_text()))
    reader.start()
    save_text(tmp_path / "pipe", "new" * 100_000)
    reader.join()
    assert found == ["new" * 100_000] and stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


STDOUT = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "deep/link"]


@pytest.mark.parametrize("place", STDOUT)
@pytest.mark.parametrize("into", ["pipe", "file", "append"])
def test_standard_output(tmp_path, place, into):
    if place.startswith("/") and not os.path.lexists(place):
        pytest.skip(f"there is no {place} here")
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    (tmp_path / "deep" / "link").symlink_to("../link")
    code = (
        "import sys; from pathlib import Path; from explorer.export.destination import save_text\n"
        f"print('before'); save_text(Path({place!r}), 'new\\n'); print('after')"
    )
    command = [sys.executable, "-P", "-c", code]
    if into == "pipe":
        found = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        assert found == "before\nnew\nafter\n"
        return
    (tmp_path / "out").write_text("first\n")
    with open(tmp_path / "out", "ab" if into == "append" else "wb") as out:
        subprocess.run(command, cwd=tmp_path, check=True, stdout=out)
    expected = "before\nnew\nafter\n"
    assert (tmp_path / "out").read_text() == ("first\n" + expected if into == "append" else expected)
    assert (tmp_path / "link").is_symlink() and names(tmp_path) == ["deep", "link", "out"]


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "none" / "a", tmp_path / "loop", tmp_path / "file" / "a", Path()):
        with pytest.raises(ExportError, match="cannot be written"):
            save_text(place, "new")
    (tmp_path / "a").write_text(OLD)
    monkeypatch.setattr(destination.os, "access", lambda path, mode: False)
    with pytest.raises(ExportError, match="Permission denied"):
        save_text(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == OLD
    assert names(tmp_path) == ["a", "file", "loop"]


def test_the_longest_names(tmp_path):
    save_text(tmp_path / ("n" * 255), "new")
    assert (tmp_path / ("n" * 255)).read_text() == "new"
    with pytest.raises(ExportError, match="too long"):
        save_text(tmp_path / ("n" * 256), "new")


def test_an_error_or_an_interruption_changes_nothing(tmp_path):
    path = tmp_path / "a"
    path.write_text(OLD)
    for error in (RuntimeError, KeyboardInterrupt, OSError):
        with pytest.raises((error, ExportError)), replacing(path) as partial:
            partial.write_text("half")
            raise error
    assert path.read_text() == OLD and names(tmp_path) == ["a"]


def test_beside_what_a_second_file_can_lie(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("new")
    assert is_plain(tmp_path / "new") and is_plain(tmp_path / "link")
    assert not is_plain(tmp_path / "pipe") and not is_plain(Path("/dev/null")) and not is_plain(Path("/dev/stdout"))
    assert descriptor(Path("/dev/fd/7")) == 7 and descriptor(tmp_path / "1") is None

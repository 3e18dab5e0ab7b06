"""A missing library of the system is named, with the command that installs it, before Qt ends the process."""

from __future__ import annotations

import sys

import pytest

from explorer.cli import system_libraries
from explorer.errors import CorpusError

pytestmark = [
    pytest.mark.qt,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these packages"),
]


@pytest.fixture
def without(monkeypatch):
    """Makes some libraries of the system missing, and the platform for X11 the one that Qt would open."""

    def remove(*names, apt="/usr/bin/apt"):
        def opened(name):
            # Each platform needs the lost libraries of its kind, and those of no kind.
            kind = {"libqxcb.so": "libwayland", "libqwayland.so": "libxcb"}.get(name.rpartition("/")[2])
            needed = [name] if kind is None else [each for each in names if not each.startswith(kind)]
            if lost := next((each for each in needed if each in names), None):
                raise OSError(f"{lost}: cannot open shared object file: No such file or directory")

        monkeypatch.setattr(system_libraries.ctypes, "CDLL", opened)
        monkeypatch.setattr(system_libraries.shutil, "which", lambda name: apt)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
        monkeypatch.setenv("DISPLAY", ":0")

    return remove


def refused():
    with pytest.raises(CorpusError) as found, system_libraries.named_libraries():
        pytest.fail("the window began")
    assert found.value.reason == "no-library"
    return str(found.value)


def test_all_that_is_missing_is_installed_by_one_command(without):
    without("libxcb-cursor.so.0", "libEGL.so.1")
    assert refused() == (
        "The window needs the library libxcb-cursor.so.0 of the system, which is not installed. To install all that is "
        "missing, run: sudo apt install libegl1 libxcb-cursor0"
    )


def test_a_library_that_is_not_known_is_named(without):
    without("libodd.so.7")
    assert refused() == "The window needs the library libodd.so.7 of the system, which is not installed."


def test_a_system_without_apt(without):
    without("libxcb-cursor.so.0", apt=None)
    assert refused().endswith("libxcb-cursor.so.0 of the system, which is not installed.")


def test_qt_itself_may_need_it(without):
    without()
    with pytest.raises(CorpusError, match=r"libGL\.so\.1 of the system"), system_libraries.named_libraries():
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")


def test_other_errors_are_not_renamed(without):
    without()
    with pytest.raises(ImportError, match="no module"), system_libraries.named_libraries():
        raise ImportError("no module")


@pytest.mark.parametrize(
    ("lost", "platform", "shown", "package"),
    [
        ("libxcb-cursor.so.0", "", "x11", "libxcb-cursor0"),
        ("libxcb-cursor.so.0", "xcb", "both", "libxcb-cursor0"),
        ("libxcb-cursor.so.0", "xcb:dpi=96", "both", "libxcb-cursor0"),
        ("libwayland-cursor.so.0", "", "wayland", "libwayland-cursor0"),
        ("libwayland-cursor.so.0", "wayland", "both", "libwayland-cursor0"),
        # What Qt does without: it tries the other platform, or needs neither.
        ("libxcb-cursor.so.0", "", "wayland", ""),
        ("libxcb-cursor.so.0", "", "both", ""),
        ("libwayland-cursor.so.0", "", "both", ""),
        ("libwayland-cursor.so.0", "", "x11", ""),
        ("libwayland-cursor.so.0", "wayland;xcb", "both", ""),
        ("libxcb-cursor.so.0", "offscreen", "x11", ""),
        # Both need it.
        ("libEGL.so.1", "", "both", "libegl1"),
    ],
)
def test_only_what_qt_opens_is_looked_at(without, monkeypatch, lost, platform, shown, package):
    without(lost)
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    monkeypatch.setenv("WAYLAND_DISPLAY", "" if shown == "x11" else "wayland-0")
    monkeypatch.setenv("DISPLAY", "" if shown == "wayland" else ":0")
    if package:
        assert refused().endswith(f"sudo apt install {package}")
    else:
        with system_libraries.named_libraries():
            pass


def test_what_another_platform_needs_is_not_installed(without, monkeypatch):
    without("libxcb-cursor.so.0", "libwayland-cursor.so.0", "libEGL.so.1")
    assert refused().endswith("sudo apt install libegl1 libxcb-cursor0")
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert refused().endswith("sudo apt install libegl1 libwayland-cursor0")


@pytest.mark.parametrize("platform", ["xcb", "wayland"])
def test_the_platform_of_this_machine_opens(monkeypatch, platform):
    """Its libraries are there, or the first that is missing has a package."""
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    try:
        with system_libraries.named_libraries():
            pass
    except CorpusError as error:
        assert "sudo apt install" in str(error)

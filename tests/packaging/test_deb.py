"""The package for Debian: what is in it, and that the menu and file types name what exists."""

from __future__ import annotations

import configparser
import importlib.util
import platform
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from explorer.project.values import SUFFIX

LINUX = Path(__file__).resolve().parents[2] / "packaging" / "linux"

spec = importlib.util.spec_from_file_location("make_deb", LINUX / "make_deb.py")
make_deb = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_deb)


@pytest.fixture
def bundle(tmp_path):
    """A program that prints what it was asked, as a bundle."""
    made = tmp_path / "corpus-explorer"
    (made / "_internal" / "numpy").mkdir(parents=True)
    (made / "_internal" / "numpy" / "a.so").write_bytes(b"x" * 3000)
    program = made / "corpus-explorer"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o700)
    return made


@pytest.mark.skipif(
    shutil.which("dpkg-deb") is None or platform.machine() not in ("x86_64", "aarch64"), reason="dpkg-deb is not here"
)
def test_what_is_in_a_package(bundle, tmp_path):
    made = make_deb.make(bundle, tmp_path / "out", "0.2.0~dev0")
    again = make_deb.make(bundle, tmp_path / "again", "0.2.0~dev0")
    assert made.read_bytes() == again.read_bytes()
    listed = subprocess.run(["dpkg-deb", "--contents", made], capture_output=True, text=True, check=True).stdout
    rows = {line.split(maxsplit=5)[5]: line.split()[:2] for line in listed.splitlines()}
    assert rows["./usr/lib/corpus-explorer/corpus-explorer"] == ["-rwxr-xr-x", "root/root"]
    assert rows["./usr/lib/corpus-explorer/_internal/numpy/a.so"] == ["-rw-r--r--", "root/root"]
    assert "./usr/bin/corpus-explorer -> ../lib/corpus-explorer/corpus-explorer" in rows
    assert "./usr/share/man/man1/corpus-explorer-count.1.gz" in rows
    # Nothing outside /usr: a purge has nothing else to remove.
    assert {name.split("/")[1] for name in rows if name != "./"} == {"usr"}
    subprocess.run(["dpkg-deb", "--extract", made, tmp_path / "root"], check=True)
    completion = tmp_path / "root/usr/share/bash-completion/completions/corpus-explorer"
    assert completion.read_text() == "completion bash\n"
    fields = subprocess.run(["dpkg-deb", "--field", made], capture_output=True, text=True, check=True).stdout
    assert "Version: 0.2.0~dev0\n" in fields and "libxcb-cursor0" in fields


def test_dependencies_are_those_of_the_script():
    script = (LINUX.parent / "system-libraries.sh").read_text()
    block = script[script.index('packages="libegl1') :].split('"')[1].split()
    wanted = {name for name in block if not name.startswith(("font", "fonts"))}
    assert wanted == {name.split()[0] for name in make_deb.DEPENDS} - {"libc6"}


def test_the_menu_entry_and_the_type():
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(LINUX / "corpus-explorer.desktop", encoding="utf-8")
    rows = entry["Desktop Entry"]
    assert rows["Icon"] == "corpus-explorer" and (LINUX / "corpus-explorer.svg").exists()
    assert rows["Exec"].split() == ["corpus-explorer", "%F"]
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    [kind] = ElementTree.parse(LINUX / "corpus-explorer.xml").getroot()
    assert kind.get("type") in rows["MimeType"].split(";")
    # Tables and texts stay with the programs that open them.
    assert [glob.get("pattern") for glob in kind.iter(f"{space}glob")] == [f"*{SUFFIX}"]
    described = ElementTree.parse(LINUX / "corpus-explorer.metainfo.xml").getroot()
    assert described.findtext("launchable") == "corpus-explorer.desktop"
    assert described.findtext("provides/mediatype") == kind.get("type")


def test_changes_are_in_the_form_of_debian(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    text = make_deb.changes_of("0.2.0~dev0")
    assert text.startswith("corpus-explorer (0.2.0~dev0) unstable; urgency=medium\n\n  * ")
    assert re.search(r"^ -- .+ <\S+@\S+>  Thu, 01 Jan 2026 00:00:00 [-+]0000$", text, re.M)

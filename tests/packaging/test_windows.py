"""The installer for Windows: what is in it, and what it installs, refuses and removes (in wine, where that is)."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.project.values import SUFFIX

WINDOWS = Path(__file__).resolve().parents[2] / "packaging" / "windows"
SCRIPT = (WINDOWS / "installer.nsi").read_text(encoding="utf-8")
HAS_NSIS = shutil.which("makensis") is not None
HAS_64_BITS = any(Path("/usr/share/nsis/Stubs").glob("lzma_solid-amd64-unicode"))
HAS_WINE = shutil.which("wine") is not None and any(Path("/usr/lib").glob("*/wine/x86_64-windows/cmd.exe"))


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, WINDOWS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_installer = load("make_installer")
sign = load("sign")


@pytest.fixture
def bundle(tmp_path):
    """The shape of a bundle for Windows."""
    made = tmp_path / "corpus-explorer"
    (made / "_internal" / "numpy").mkdir(parents=True)
    for name in ("Corpus Explorer.exe", "corpus-explorer.exe", "LICENSES.txt", "_internal/numpy/a.pyd"):
        (made / name).write_bytes(b"x" * 5000)
    (made / "_internal" / "Töne.txt").write_text("ö", encoding="utf-8")
    return made


def test_the_list_of_what_is_installed(bundle):
    names = make_installer.parts_of(bundle)
    assert names == ["Corpus Explorer.exe", "LICENSES.txt", "_internal", "corpus-explorer.exe"]
    first, *lines = make_installer.list_of(names).split("\r\n")
    assert lines == [*names, ""]
    # The script compares this line, and cuts two letters from the end of each.
    defined = dict(re.findall(r'^!define (\w+) "(.*)"$', SCRIPT, re.M))
    assert first == defined["FIRST_LINE"].replace("${TITLE}", defined["TITLE"])


@pytest.mark.parametrize("name", ["Töne.txt", "a;b", ".hidden"])
def test_a_name_that_could_not_be_removed(bundle, name):
    (bundle / name).write_text("")
    with pytest.raises(SystemExit, match="could not remove"):
        make_installer.parts_of(bundle)


def test_a_bundle_of_another_system(bundle):
    (bundle / "corpus-explorer.exe").rename(bundle / "corpus-explorer")
    with pytest.raises(SystemExit, match=r"has no corpus-explorer\.exe: it is not a bundle for Windows"):
        make_installer.parts_of(bundle)


def test_the_size_is_that_of_clusters(bundle):
    assert make_installer.size_of(bundle) == 4 * 8 + 4


@pytest.mark.parametrize(
    ("version", "numbers"), [("0.2.0.dev0", "0.2.0.0"), ("1.0rc1", "1.0.0.0"), ("1.2.3.4.5", "1.2.3.4")]
)
def test_numbers_of_a_version(version, numbers):
    assert make_installer.numbers_of(version) == numbers


def test_a_version_without_numbers():
    with pytest.raises(SystemExit, match="does not begin with a number"):
        make_installer.numbers_of("new")


def test_the_description_of_a_program():
    """PyInstaller evaluates it with names of its own."""
    names = (
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    )
    made = {name: lambda *values, **named: (values, named) for name in names}
    text = make_installer.resource_of("0.2.0.dev0", "Corpus Explorer")
    _, parts = eval(text, made)
    assert parts["ffi"][1]["filevers"] == (0, 2, 0, 0)
    assert "StringStruct('OriginalFilename', 'Corpus Explorer.exe')" in text


def test_no_type_of_others_is_taken():
    keys = set(re.findall(r'WriteReg\w+ HKCU "(?:\$\{CLASSES\}\\|\$\{FOLDERS\}())([^"\\]*)', SCRIPT))
    assert {name for _, name in keys if name} == {"${KIND}", SUFFIX}
    assert '"Software\\Classes\\Directory\\shell\\CorpusExplorer"' in SCRIPT.replace("${CLASSES}", "Software\\Classes")
    # Nothing that would ask for an administrator.
    assert "RequestExecutionLevel user\n" in SCRIPT and "HKLM" not in SCRIPT and "HKCR" not in SCRIPT


def test_only_what_is_listed_is_removed_with_its_folders():
    assert re.findall(r"^ *RMDir /r (.*)$", SCRIPT, re.M) == ['"$Folder\\$R1"']


@pytest.mark.qt
@pytest.mark.skipif(not HAS_NSIS, reason="apt-get install nsis: makensis is not here")
def test_what_is_in_an_installer(bundle, tmp_path):
    made = make_installer.make(bundle, tmp_path / "out", "0.2.0.dev0")
    assert made.name == "corpus-explorer-0.2.0.dev0-windows-x86_64.exe" and made.read_bytes()[:2] == b"MZ"
    # Windows reads the wish for no administrator, and for sharp letters, from here.
    assert b'level="asInvoker"' in made.read_bytes() and b"dpiAware" in made.read_bytes()
    if shutil.which("7z"):
        listed = subprocess.run(["7z", "l", "-slt", made], capture_output=True, text=True, check=True).stdout
        names = set(re.findall(r"^Path = (.*)$", listed, re.M))
        assert {"Corpus Explorer.exe", "_internal/Töne.txt", "_internal/numpy/a.pyd", "installed.txt"} <= names


@pytest.mark.qt
@pytest.mark.skipif(not (HAS_NSIS and HAS_64_BITS and HAS_WINE), reason="apt-get install nsis wine: one is not here")
# A minute and a half, and the release workflow does it on Windows.
@pytest.mark.skipif("TRY_INSTALLER" not in os.environ, reason="TRY_INSTALLER=1 asks for it, with NSIS and wine")
def test_a_stand_in_is_installed_updated_and_removed():
    command = [sys.executable, WINDOWS / "try_installer.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.stderr == "" and done.returncode == 0
    told = [line for line in done.stdout.splitlines() if not line.startswith("Not signed")]
    assert told == ["installs", "updates", "refuses", "needs_space", "keeps_path", "moves", "removes"]


def test_exit_codes_are_those_of_the_script():
    trial = (WINDOWS / "try_installer.py").read_text(encoding="utf-8")
    names, numbers = re.findall(r"^(OTHERS_FOLDER, RUNS, NO_SPACE) = (.*)$", trial, re.M)[0]
    defined = dict(re.findall(r"^!define (\w+) (\d)$", SCRIPT, re.M))
    assert [defined[name] for name in names.split(", ")] == numbers.split(", ")


def test_nothing_is_signed_without_a_certificate(monkeypatch, capsys):
    monkeypatch.delenv("WINDOWS_CERTIFICATE", raising=False)
    assert sign.main(["a.exe"]) == 0
    assert capsys.readouterr().out == "Not signed, since there is no certificate: a.exe\n"


def test_the_newest_signtool(monkeypatch, tmp_path):
    for version in ("10.0.9.0", "10.0.22621.0"):
        place = tmp_path / "Windows Kits" / "10" / "bin" / version / "x64" / "signtool.exe"
        place.parent.mkdir(parents=True)
        place.touch()
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    tool = sign.find_signtool()
    assert tool.parts[-3] == "10.0.22621.0"
    command = sign.signing(tool, tmp_path / "c.pfx", "secret", ["a.exe", "b.exe"])
    assert command[1] == "sign" and command[-4:] == ["/p", "secret", "a.exe", "b.exe"]


def test_without_an_sdk(monkeypatch, tmp_path):
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    with pytest.raises(SystemExit, match="install the SDK of Windows"):
        sign.find_signtool()

"""Make an installer for Windows of a bundle.

python packaging/windows/make_installer.py BUNDLE FOLDER [--version V] [--target T]

BUNDLE is the folder of `make bundle` on Windows, and FOLDER gets the installer, which is for one user and needs no
administrator. Needs NSIS and PySide6 (for the icon). It is compiled on any system; `--target amd64-unicode` makes one
of 64 bits, where NSIS can (Debian's, for wine).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "corpus-explorer"
TITLE = "Corpus Explorer"
OWNER = "Corpus Explorer developers"
RESOURCE = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers}), mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1,
                    subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('CompanyName', '{owner}'),
      StringStruct('FileDescription', '{title}'),
      StringStruct('FileVersion', '{version}'),
      StringStruct('InternalName', '{name}'),
      StringStruct('LegalCopyright', '2026 The Corpus Explorer authors. Apache License 2.0'),
      StringStruct('OriginalFilename', '{name}.exe'),
      StringStruct('ProductName', '{title}'),
      StringStruct('ProductVersion', '{version}')])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])
  ]
)
"""
"""What PyInstaller reads as the description of a program for Windows, in English."""


def numbers_of(version: str) -> str:
    """The four numbers that Windows wants for a version.

    Examples
    --------
    >>> numbers_of("0.2.0.dev0"), numbers_of("1.0rc1"), numbers_of("1.2.3")
    ('0.2.0.0', '1.0.0.0', '1.2.3.0')
    """
    released = re.match(r"\d+(\.\d+)*", version)
    if released is None:
        raise SystemExit(f"The version {version!r} does not begin with a number.")
    return ".".join([*released.group().split("."), "0", "0", "0"][:4])


def resource_of(version: str, name: str) -> str:
    """The description of a program that Windows shows in its properties."""
    fields = {"numbers": numbers_of(version).replace(".", ", "), "version": version, "name": name}
    return RESOURCE.format(**fields, owner=OWNER, title=TITLE)


def parts_of(bundle: Path) -> list[str]:
    """What is at the top of a bundle: the installer removes these names, and no others.

    Raises
    ------
    SystemExit
        If the bundle is not one for Windows, or has a name that the installer refuses to remove.
    """
    names = sorted(path.name for path in bundle.iterdir())
    missing = {f"{NAME}.exe", f"{TITLE}.exe", "_internal"} - set(names)
    if missing:
        raise SystemExit(f"{bundle} has no {', '.join(sorted(missing))}: it is not a bundle for Windows.")
    strange = [name for name in names if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_. -]*", name)]
    if strange:
        raise SystemExit(f"{bundle} has {', '.join(strange)}, which the installer could not remove.")
    return names


def list_of(names: list[str]) -> str:
    """The file that marks an installed folder: a fixed line, then what the installer put there.

    The lines end as Windows writes them, and every name is ASCII: the installer reads bytes.
    """
    return "".join(f"{line}\r\n" for line in (f"{TITLE}: an update and the uninstaller remove these:", *names))


def size_of(bundle: Path) -> int:
    """What it takes on a disk, in units of 1024 bytes, with what clusters of 4096 bytes leave unused."""
    return sum((path.stat().st_size + 4095) // 4096 * 4 for path in bundle.rglob("*") if path.is_file())


def find_makensis() -> str:
    """The compiler of NSIS: on the path, or where its own installer puts it."""
    found = shutil.which("makensis")
    for variable in ("PROGRAMFILES(X86)", "PROGRAMFILES"):
        place = Path(os.environ.get(variable, "")) / "NSIS" / "makensis.exe"
        if found is None and place.is_absolute() and place.exists():
            found = str(place)
    if found is None:
        raise SystemExit("makensis is missing: install NSIS 3.08 or newer.")
    return found


def command_of(makensis: str, values: dict[str, str]) -> list[str]:
    """The command that compiles the script. Warnings are errors."""
    return [makensis, "-V2", "-WX", *(f"-D{key}={value}" for key, value in values.items()), str(HERE / "installer.nsi")]


def make(bundle: Path, folder: Path, version: str, target: str = "", size: int = 0) -> Path:
    """Make the installer, which asks for the space that the bundle takes, or for another size; gives its file."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder.resolve() / f"{NAME}-{version}-windows-x86_64.exe"
    with tempfile.TemporaryDirectory() as place:
        marker, icon, picture = (Path(place) / name for name in ("installed.txt", "icon.ico", "picture.bmp"))
        marker.write_bytes(list_of(parts_of(bundle)).encode("ascii"))
        subprocess.run([sys.executable, HERE.parent / "bundle" / "icons.py", icon, picture], check=True)
        values = {
            "BUNDLE": str(bundle.resolve()), "MARKER": str(marker), "ICON": str(icon), "OUT": str(made),
            "PICTURE": str(picture),
            # The uninstaller is signed, too: only NSIS has it at hand.
            "SIGN": f'"{sys.executable}" "{HERE / "sign.py"}"',
            "VERSION": version, "NUMBERS": numbers_of(version), "SIZE": str(size or size_of(bundle)), "OWNER": OWNER,
        }  # fmt: skip
        subprocess.run(command_of(find_makensis(), {**values, **({"TARGET": target} if target else {})}), check=True)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--version", help="the version of the installer (default: that of the program)")
    parser.add_argument("--target", default="", help="the kind of installer (default: that of NSIS)")
    args = parser.parse_args()
    version = args.version
    if not version:
        command = [args.bundle / f"{NAME}.exe", "--version"]
        version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]
    made = make(args.bundle, args.folder, version, args.target)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

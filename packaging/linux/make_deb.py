"""Make a package for Debian and Ubuntu from a bundle.

python packaging/linux/make_deb.py BUNDLE OUT [--version V]

BUNDLE is the folder of `make bundle`, and OUT the folder of the package. What is installed: the bundle in
/usr/lib/corpus-explorer, the command, its manual pages and completion, an entry in the menu with an icon, and the
type of project files. No file is written elsewhere, so a purge leaves nothing outside the homes of users.
"""

from __future__ import annotations

import argparse
import email.utils
import gzip
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "corpus-explorer"
DEPENDS = (
    "libc6 (>= 2.36)", "libegl1", "libgl1", "libxkbcommon0", "libxkbcommon-x11-0", "libdbus-1-3", "libfontconfig1",
    "libglib2.0-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0",
    "libxcb-render-util0", "libxcb-shape0", "libxcb-xinerama0", "libxcb-xkb1", "libwayland-cursor0", "libwayland-egl1",
)  # fmt: skip
"""What Qt needs of the system; the same as in packaging/system-libraries.sh."""
EPOCH = "1767225600"
"""The time of all files, in seconds since 1970: equal in every package of a bundle, and after 1984, as Debian asks."""
CONTROL = """\
Package: corpus-explorer
Version: {version}
Architecture: {architecture}
Maintainer: Corpus Explorer developers <corpus-explorer@users.noreply.github.com>
Installed-Size: {size}
Depends: {depends}
Recommends: fonts-noto-core, fonts-noto-mono
Section: science
Priority: optional
Description: see what is in a text corpus, and what a model took from it
 Corpus Explorer opens infini-gram indexes, or builds one of your own texts. It
 shows how often something occurs and in which context, what follows it, and
 which parts of a language model's output occur in the corpus, with the
 documents that have them. Everything runs on your computer.
"""
CHANGES = """\
corpus-explorer ({version}) unstable; urgency=medium

  * Made of the bundle of this version; what is new is in CHANGELOG.md.gz.

 -- Corpus Explorer developers <corpus-explorer@users.noreply.github.com>  {time}
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Corpus Explorer

Files: *
Copyright: 2026 The Corpus Explorer authors
License: Apache-2.0
 See /usr/share/common-licenses/Apache-2.0. The bundled components and their own
 licenses are listed in /usr/lib/corpus-explorer/LICENSES.txt.
"""


def debian_version(version: str) -> str:
    """A version of Python's kind as Debian sorts it: 0.2.0.dev0 is before 0.2.0.

    Examples
    --------
    >>> debian_version("0.2.0.dev0"), debian_version("1.0rc1"), debian_version("1.0")
    ('0.2.0~dev0', '1.0~rc1', '1.0')
    """
    return re.sub(r"\.?(dev|a|b|rc)(\d)", r"~\1\2", version)


def changes_of(version: str) -> str:
    """The list of changes in Debian's form: of the package, whose only change is a new version of the program."""
    return CHANGES.format(version=version, time=email.utils.formatdate(_epoch()))


def _epoch() -> int:
    return int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))


def lay_out(bundle: Path, root: Path) -> None:
    """All files of the package below `root`."""
    shutil.copytree(bundle, root / "usr/lib" / NAME, symlinks=True)
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin" / NAME).symlink_to(f"../lib/{NAME}/{NAME}")
    for name, folder in (
        (f"{NAME}.desktop", "applications"),
        (f"{NAME}.xml", "mime/packages"),
        (f"{NAME}.svg", "icons/hicolor/scalable/apps"),
        (f"{NAME}.metainfo.xml", "metainfo"),
    ):
        _copy(HERE / name, root / "usr/share" / folder / name)
    _copy(HERE / "lintian-overrides", root / "usr/share/lintian/overrides" / NAME)
    for page in sorted((ROOT / "packaging/man").glob("*.1")):
        _write(root / f"usr/share/man/man1/{page.name}.gz", _packed(page.read_bytes()))
    _write(root / f"usr/share/doc/{NAME}/CHANGELOG.md.gz", _packed((ROOT / "CHANGELOG.md").read_bytes()))
    _write(root / f"usr/share/doc/{NAME}/copyright", COPYRIGHT.encode())


def add_completion(root: Path) -> None:
    """What the program itself prints, for each shell."""
    program = root / "usr/lib" / NAME / NAME
    for shell, path in (
        ("bash", f"bash-completion/completions/{NAME}"),
        ("zsh", f"zsh/vendor-completions/_{NAME}"),
        ("fish", f"fish/vendor_completions.d/{NAME}.fish"),
    ):
        script = subprocess.run([program, "completion", shell], capture_output=True, check=True).stdout
        _write(root / "usr/share" / path, script)


def _packed(data: bytes) -> bytes:
    # Without the time, so that two packages of one bundle are equal.
    return gzip.compress(data, 9, mtime=0)


def _copy(source: Path, target: Path) -> None:
    _write(target, source.read_bytes())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def set_modes(root: Path) -> None:
    """Folders and programs 755, all others 644, whatever the mask of whoever makes the package."""
    for path in root.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or path == root / "usr/lib" / NAME / NAME
            path.chmod(0o755 if runs else 0o644)


def make(bundle: Path, out: Path, version: str) -> Path:
    """Make the package; gives its file."""
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    target = out / f"{NAME}_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        lay_out(bundle, root)
        add_completion(root)
        set_modes(root)
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        _write(root / f"usr/share/doc/{NAME}/changelog.gz", _packed(changes_of(version).encode()))
        fields = {"version": version, "architecture": architecture, "size": size >> 10, "depends": ", ".join(DEPENDS)}
        _write(root / "DEBIAN/control", CONTROL.format(**fields).encode())
        root.chmod(0o755)
        out.mkdir(parents=True, exist_ok=True)
        epoch = {"SOURCE_DATE_EPOCH": str(_epoch())}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(target)]
        subprocess.run(command, check=True, env={**os.environ, **epoch})
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--version", help="the version of the package (default: that of the program)")
    args = parser.parse_args()
    told = subprocess.run([args.bundle / NAME, "--version"], capture_output=True, text=True, check=True).stdout
    target = make(args.bundle, args.out, args.version or debian_version(told.split()[-1]))
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

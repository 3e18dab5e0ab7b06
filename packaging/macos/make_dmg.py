"""Sign the application for macOS and make a disk image of it.

python packaging/macos/make_dmg.py APP FOLDER [--version V]

APP is `Corpus Explorer.app` of `make bundle` on macOS, and FOLDER gets the image, in which the application is beside
a link to the folder of applications. With CORPUS_EXPLORER_IDENTITY, the name of a certificate in the keychain, it signs
for distribution; with NOTARY_KEY (a file), NOTARY_KEY_ID and NOTARY_ISSUER, too, Apple is asked to notarize the image.
Without them the signature is one that names nobody, and macOS warns people before the first start. Needs macOS.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "corpus-explorer"
TITLE = "Corpus Explorer"
NOTARY = ("NOTARY_KEY", "NOTARY_KEY_ID", "NOTARY_ISSUER")


def signing(app: Path, identity: str) -> list[str]:
    """The command that signs an application with all that is in it.

    The hardened runtime is for distribution: with a signature that names nobody it would refuse the libraries.
    """
    # `--deep`: PyInstaller puts code only where it is found. What changed since it signed is signed anew.
    command = ["codesign", "--force", "--deep", "--sign", identity or "-"]
    if identity:
        command += ["--options", "runtime", "--timestamp", "--entitlements", str(HERE / "entitlements.plist")]
    return [*command, str(app)]


def packing(folder: Path, image: Path) -> list[str]:
    """The command that makes a compressed image of a folder."""
    command = ["hdiutil", "create", "-volname", TITLE, "-srcfolder", str(folder), "-fs", "HFS+"]
    return [*command, "-format", "UDZO", "-ov", str(image)]


def publishing(image: Path, identity: str, environment: Mapping[str, str]) -> list[list[str]]:
    """The commands after an image was made: none without a certificate, and no notary without its key.

    Raises
    ------
    SystemExit
        If the notary's key is named in part, or without a certificate.
    """
    named = [name for name in NOTARY if environment.get(name)]
    if named and (len(named) < len(NOTARY) or not identity):
        raise SystemExit(f"To notarize, set CORPUS_EXPLORER_IDENTITY, {', '.join(NOTARY)}; only {named} is set.")
    commands = [["codesign", "--force", "--timestamp", "--sign", identity, str(image)]] if identity else []
    if named:
        key, number, issuer = (environment[name] for name in NOTARY)
        asked = ["xcrun", "notarytool", "submit", str(image), "--wait"]
        commands += [[*asked, "--key", key, "--key-id", number, "--issuer", issuer]]
        commands += [["xcrun", "stapler", "staple", str(image)]]
    return commands


def image_name(version: str, machine: str) -> str:
    """The name of an image: Apple's own processors are called arm64."""
    return f"{NAME}-{version}-macos-{machine}.dmg"


def make(app: Path, folder: Path, version: str) -> Path:
    """Make the image; gives its file."""
    identity = os.environ.get("CORPUS_EXPLORER_IDENTITY", "")
    image = folder.resolve() / image_name(version, platform.machine())
    # Before the long work: a variable that is missing is told at once.
    later = publishing(image, identity, os.environ)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / app.name
        shutil.copytree(app, copy, symlinks=True)
        (Path(place) / "Applications").symlink_to("/Applications")
        checking = ["codesign", "--verify", "--deep", "--strict", str(copy)]
        for command in (signing(copy, identity), checking, packing(Path(place), image), *later):
            subprocess.run(command, check=True)
    return image


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("app", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--version", help="the version of the image (default: that of the program)")
    args = parser.parse_args()
    version = args.version
    if not version:
        command = [args.app / "Contents" / "MacOS" / NAME, "--version"]
        version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]
    image = make(args.app, args.folder, version)
    signed = "signed" if os.environ.get("CORPUS_EXPLORER_IDENTITY") else "signed without a name: macOS will warn"
    print(f"{image}: {image.stat().st_size / 1e6:.1f} MB, {signed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

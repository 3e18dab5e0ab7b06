"""What a bundle is made of: every component with its version and the text of its license, also as a CycloneDX file.

python packaging/bundle/licenses.py SITE_PACKAGES BUNDLE

Writes LICENSES.txt and sbom.cdx.json into BUNDLE. A component without a text is an error. Runs on the Python of the
bundle, where the program is installed, which reads LICENSES.txt again.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from explorer.core.licenses import Component, component_of, licenses_text

LEFT_OUT = {
    "pip", "setuptools", "wheel", "pyinstaller-hooks-contrib", "altgraph", "packaging",
    "huggingface-hub", "hf-xet", "tqdm", "pyyaml", "fsspec", "filelock", "httpx2", "httpcore2", "colorama",
}  # fmt: skip
"""What makes a bundle, and what make.py leaves out of it. PyInstaller stays: a part of it starts the program."""
TEXTS = Path(__file__).resolve().parent / "texts"
QT = """\
Qt and PySide6

This program uses Qt {version} and PySide6 (the distribution PySide6-Essentials), under the GNU Lesser General
Public License, version 3. Both are shared libraries in the folder _internal/PySide6. You may replace them by others
of the same version that you have changed: nothing checks them. Nothing forbids to find out how they work together
with the program. Their sources are at

  https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version}-src/
  https://download.qt.io/official_releases/qt/{minor}/{version}/single/

The text of the license is below, at PySide6_Essentials. The notices of what Qt itself is made of are at
https://doc.qt.io/qt-6/licenses-used-in-qt.html.
"""


@dataclass(frozen=True)
class Part:
    """A component, and by which address a list of known faults calls it."""

    component: Component
    purl: str


def installed_parts(folder: Path) -> list[Part]:
    """All that is installed in a folder and goes into a bundle."""
    found = [_with_text(component_of(each)) for each in distributions(path=[str(folder)])]
    kept = [each for each in found if _plain(each.name) not in LEFT_OUT]
    return [Part(each, f"pkg:pypi/{_plain(each.name)}@{each.version}") for each in kept]


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _with_text(found: Component) -> Component:
    """A component whose wheel came without a text, with the text that it names."""
    if found.text:
        return found
    if found.license.startswith("LGPL-3.0"):
        return replace(found, text=_text("LGPL-3.txt") + "\n\n" + _text("GPL-3.txt"))
    if "Apache" in found.license:
        return replace(found, text=(TEXTS.parents[2] / "LICENSE").read_text(encoding="utf-8"))
    return found


def _text(name: str) -> str:
    return (TEXTS / name).read_text(encoding="utf-8")


def python_part() -> Part:
    """The Python that runs this."""
    version = platform.python_version()
    short = ".".join(version.split(".")[:2])
    folders = (sysconfig.get_paths()["stdlib"], sys.base_prefix, f"/usr/share/doc/python{short}")
    files = [Path(folder, name) for folder in folders for name in ("LICENSE.txt", "LICENSE", "copyright")]
    text = next((file.read_text(encoding="utf-8") for file in files if file.is_file()), "")
    return Part(Component("Python", version, "PSF-2.0", text), f"pkg:generic/python@{version}")


def icu_part(bundle: Path) -> list[Part]:
    """The library of Unicode that comes with Qt for Linux."""
    versions = sorted({path.name.rpartition(".so.")[2] for path in bundle.rglob("libicuuc.so.*")})
    return [Part(Component("ICU", each, "ICU", _text("ICU.txt")), f"pkg:generic/icu@{each}") for each in versions]


def system_parts(packages: dict[str, list[str]]) -> list[Part]:
    """The packages of Debian, which have the texts of their libraries."""
    return [_system_part(name, packages[name]) for name in sorted(packages) if name]


def packages_of(bundle: Path) -> dict[str, list[str]]:
    """The libraries of the system that made the bundle, by the packages of Debian that they are from; "" for none."""
    packages: dict[str, list[str]] = {}
    for path in native_libraries(bundle):
        packages.setdefault(_package_of(path), []).append(path.name)
    return packages


def native_libraries(bundle: Path) -> list[Path]:
    """Libraries that are in the bundle beside those of the components. Python's own is a part of Python."""
    found = [path for path in (bundle / "_internal").glob("*.so*") if not path.is_symlink()]
    return sorted(path for path in found if not path.name.startswith("libpython"))


def _package_of(library: Path) -> str:
    """The package of Debian that a library is from; "" for none, or on another system."""
    try:
        done = subprocess.run(["dpkg", "--search", f"*/{library.name}"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    rows = [line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line]
    # Another copy may have the same name. Stripping a library leaves its build id.
    own = _build_id(library)
    return next((package.partition(":")[0] for package, path in rows if own and _build_id(Path(path)) == own), "")


def _build_id(library: Path) -> str:
    done = subprocess.run(["readelf", "--notes", library], capture_output=True, text=True, check=False)
    found = re.search(r"Build ID: (\w+)", done.stdout)
    return found[1] if found else ""


def _system_part(package: str, libraries: list[str]) -> Part:
    query = ["dpkg-query", "--show", "--showformat", "${Version}\n", package]
    version = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    text = Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
    license = f"see the text ({', '.join(libraries)})"
    return Part(Component(package, version, license, text), f"pkg:deb/debian/{package}@{version}")


def parts(folder: Path, bundle: Path, packages: dict[str, list[str]]) -> Iterator[Part]:
    """All parts of a bundle, of which some are from packages of the system."""
    yield from installed_parts(folder)
    yield python_part()
    yield from icu_part(bundle)
    yield from system_parts(packages)


def bill_of(found: list[Part]) -> dict[str, Any]:
    """The components in the format CycloneDX 1.5."""
    rows = [
        {
            "type": "library",
            "name": each.component.name,
            "version": each.component.version,
            "purl": each.purl,
            "licenses": [{"license": {"name": each.component.license}}],
        }
        for each in found
    ]
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": rows}


def write(folder: Path, bundle: Path) -> list[str]:
    """Write both files; gives the names of components that have no text of a license."""
    packages = packages_of(bundle)
    found = sorted(parts(folder, bundle, packages), key=lambda each: each.component.name.lower())
    components = [each.component for each in found]
    [qt] = [each.version for each in components if _plain(each.name) == "pyside6-essentials"]
    notes = [QT.format(version=qt, minor=qt.rpartition(".")[0])]
    if own := packages.get(""):
        notes.append(f"Libraries of the system that made this program, under their own licenses: {', '.join(own)}")
    (bundle / "LICENSES.txt").write_text(licenses_text(components, notes), encoding="utf-8")
    (bundle / "sbom.cdx.json").write_text(json.dumps(bill_of(found), indent=2) + "\n", encoding="utf-8")
    return [each.name for each in components if not each.text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site_packages", type=Path)
    parser.add_argument("bundle", type=Path)
    args = parser.parse_args()
    without = write(args.site_packages, args.bundle)
    if without:
        print(f"No text of a license: {', '.join(without)}", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())

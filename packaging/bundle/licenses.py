"""What a bundle is made of: every component with its version and the text of its license, also as a CycloneDX file.

python packaging/bundle/licenses.py SITE_PACKAGES BUNDLE

Writes LICENSES.txt and sbom.cdx.json into BUNDLE. A component of SITE_PACKAGES without a text is an error.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

LEFT_OUT = {
    "pip", "setuptools", "wheel", "pyinstaller", "pyinstaller-hooks-contrib", "altgraph", "packaging",
    "huggingface-hub", "hf-xet", "tqdm", "pyyaml", "fsspec", "filelock", "httpx2", "httpcore2", "colorama",
}  # fmt: skip
"""What makes a bundle, and what make.py leaves out of it."""
TEXTS = Path(__file__).resolve().parent / "texts"
UNKNOWN = "see the text"
QT = """\
Qt and PySide6

This program uses Qt {version} and PySide6 (the distribution PySide6-Essentials), under the GNU Lesser General
Public License, version 3. Both are shared libraries in the folder _internal/PySide6. You may replace them by others
of the same version that you have changed: nothing checks them. Nothing forbids to find out how they work together
with the program. Their sources are at

  https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version}-src/
  https://download.qt.io/official_releases/qt/{minor}/{version}/single/

The text of the license is below, at PySide6-Essentials.
"""
PYTHON = "Python {version}, under the license of the Python Software Foundation: https://docs.python.org/3/license.html"


@dataclass(frozen=True)
class Component:
    """One component.

    Attributes
    ----------
    name, version, license
        As its metadata state them.
    text
        The text of its license, or of several.
    """

    name: str
    version: str
    license: str
    text: str


def component_of(found: Distribution) -> Component:
    """Describe an installed distribution."""
    fields = found.metadata
    stated = [str(fields[key]) for key in ("License-Expression", "License") if key in fields]
    license = (stated[0].strip() or UNKNOWN).splitlines()[0] if stated else _classified(found)
    name = str(fields["Name"])
    texts = [
        Path(str(found.locate_file(file))).read_text(encoding="utf-8", errors="replace")
        for file in found.files or ()
        if _is_license(file.parts)
    ]
    # Wheels that come without a text.
    if not texts and license.startswith("LGPL-3.0"):
        texts = [(TEXTS / name).read_text(encoding="utf-8") for name in ("LGPL-3.txt", "GPL-3.txt")]
    if not texts and "Apache" in license:
        texts = [(TEXTS.parents[2] / "LICENSE").read_text(encoding="utf-8")]
    return Component(name, found.version, license, "\n\n".join(dict.fromkeys(text.strip() for text in texts)))


def _classified(found: Distribution) -> str:
    kinds = [each for each in found.metadata.get_all("Classifier") or () if each.startswith("License ::")]
    return kinds[0].rpartition(" :: ")[2] if kinds else UNKNOWN


def _is_license(parts: tuple[str, ...]) -> bool:
    beginnings = ("licen", "copying", "notice", "authors")
    return any(part.endswith(".dist-info") for part in parts[:-1]) and (
        parts[-1].lower().startswith(beginnings) or "licenses" in parts[1:-1]
    )


def components(folder: Path) -> list[Component]:
    """All that is installed in a folder and goes into a bundle, by name."""
    found = [component_of(each) for each in distributions(path=[str(folder)])]
    kept = [each for each in found if each.name.lower().replace("_", "-") not in LEFT_OUT]
    return sorted(kept, key=lambda each: each.name.lower())


def native_libraries(bundle: Path) -> list[str]:
    """Libraries that are in the bundle beside those of the components: they are from the system that made it."""
    return sorted(path.name for path in (bundle / "_internal").glob("*.so*") if not path.is_symlink())


def text_of(found: list[Component], libraries: list[str]) -> str:
    """The whole file."""
    [qt] = [each.version for each in found if each.name.replace("_", "-") == "PySide6-Essentials"]
    lines = ["What this program is made of, and under which licenses", ""]
    lines += [f"  {each.name} {each.version}: {each.license}" for each in found]
    lines += ["", PYTHON.format(version=sys.version.split()[0]), "", QT.format(version=qt, minor=qt.rpartition(".")[0])]
    if libraries:
        lines += ["Libraries of the system on which it was made, under their own licenses:", "", *libraries, ""]
    for each in found:
        lines += ["=" * 100, f"{each.name} {each.version}", "=" * 100, "", each.text, ""]
    return "\n".join(lines)


def bill_of(found: list[Component]) -> dict[str, Any]:
    """The components in the format CycloneDX 1.5."""
    rows = [
        {
            "type": "library",
            "name": each.name,
            "version": each.version,
            "purl": f"pkg:pypi/{each.name.lower().replace('_', '-')}@{each.version}",
            "licenses": [{"license": {"name": each.license}}],
        }
        for each in found
    ]
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": rows}


def write(folder: Path, bundle: Path) -> list[str]:
    """Write both files; gives the names of components that have no text of a license."""
    found = components(folder)
    (bundle / "LICENSES.txt").write_text(text_of(found, native_libraries(bundle)), encoding="utf-8")
    (bundle / "sbom.cdx.json").write_text(json.dumps(bill_of(found), indent=2) + "\n", encoding="utf-8")
    return [each.name for each in found if not each.text]


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

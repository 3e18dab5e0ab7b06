"""The licenses of a bundle: no component is left out, and none is without its text."""

from __future__ import annotations

import importlib.util
import json
import platform
import shutil
import sys
from pathlib import Path

import pytest

from explorer.core.licenses import read_licenses

FILE = Path(__file__).resolve().parents[2] / "packaging" / "bundle" / "licenses.py"


@pytest.fixture(scope="module")
def licenses():
    spec = importlib.util.spec_from_file_location("bundle_licenses", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["bundle_licenses"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["bundle_licenses"]


def installed(folder: Path, name: str, metadata: str, texts: dict[str, str]) -> None:
    """A distribution as pip leaves it."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}")
    for file, text in texts.items():
        (info / file).parent.mkdir(parents=True, exist_ok=True)
        (info / file).write_text(text)
    (info / "RECORD").write_text("".join(f"{info.name}/{file},,\n" for file in ("METADATA", *texts)))


def test_both_files(licenses, monkeypatch, tmp_path):
    site, bundle = tmp_path / "site", tmp_path / "bundle"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "_internal" / "libcrypto.so.3").write_bytes(b"")
    (bundle / "_internal" / "libown.so.1").write_bytes(b"")
    qt = bundle / "_internal" / "PySide6" / "Qt" / "lib"
    qt.mkdir(parents=True)
    (qt / "libicuuc.so.73").write_bytes(b"")
    (bundle / "_internal" / "libQt6Core.so.6").symlink_to("PySide6/libQt6Core.so.6")
    installed(site, "one", "License-Expression: MIT\n", {"licenses/LICENSE": "the text of one"})
    installed(site, "two", "Classifier: License :: OSI Approved :: Apache Software License\n", {})
    installed(site, "PySide6_Essentials", "License-Expression: LGPL-3.0-only OR GPL-3.0-only\n", {})
    installed(site, "pip", "License-Expression: MIT\n", {})
    # As on a system that has no packages of Debian.
    monkeypatch.setattr(licenses, "_package_of", lambda name: "")
    assert licenses.write(site, bundle) == []
    text = (bundle / "LICENSES.txt").read_text()
    for wanted in (
        "one 1.0: MIT",
        "the text of one",
        "two 1.0: Apache",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "under their own licenses: libcrypto.so.3, libown.so.1",
        "Unicode data files",
        "PSF-2.0",
    ):
        assert wanted in text
    assert "pip" not in text and "libQt6Core" not in text and "PySide6-1.0-src" in text
    bill = json.loads((bundle / "sbom.cdx.json").read_text())
    assert [(row["name"], row["purl"]) for row in bill["components"]] == [
        ("ICU", "pkg:generic/icu@73"),
        ("one", "pkg:pypi/one@1.0"),
        ("PySide6_Essentials", "pkg:pypi/pyside6-essentials@1.0"),
        ("Python", f"pkg:generic/python@{platform.python_version()}"),
        ("two", "pkg:pypi/two@1.0"),
    ]
    # The program reads what was written.
    assert [each.name for each in read_licenses(text)] == [row["name"] for row in bill["components"]]
    assert all(each.text for each in read_licenses(text))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")


def test_a_component_without_a_text_is_told(licenses, tmp_path):
    (tmp_path / "_internal").mkdir()
    installed(tmp_path / "site", "PySide6_Essentials", "License-Expression: LGPL-3.0-only\n", {})
    installed(tmp_path / "site", "odd", "License: Custom\n", {})
    assert licenses.write(tmp_path / "site", tmp_path) == ["odd"]


@pytest.mark.skipif(
    None in (shutil.which("dpkg"), shutil.which("readelf")), reason="no packages of Debian, or nothing reads libraries"
)
def test_a_library_of_the_system_has_the_text_of_its_package(licenses, tmp_path):
    (tmp_path / "_internal").mkdir()
    own = tmp_path / "_internal"
    for name in ("libc.so.6", "libm.so.6"):
        shutil.copy(Path("/lib", f"{platform.machine()}-linux-gnu", name), own / name)
    # Of the same name as a library of the system, and another one; one that no package has; and Python's own.
    shutil.copy(own / "libm.so.6", own / "libdl.so.2")
    for name in ("libno-such-library.so.1", "libpython3.11.so.1.0"):
        (own / name).write_bytes(b"")
    packages = licenses.packages_of(tmp_path)
    assert packages == {"libc6": ["libc.so.6", "libm.so.6"], "": ["libdl.so.2", "libno-such-library.so.1"]}
    [part] = licenses.system_parts(packages)
    assert part.component.name == "libc6" and "GNU C Library" in part.component.text
    assert part.component.license == "see the text (libc.so.6, libm.so.6)" and "pkg:deb/debian/libc6@2." in part.purl

"""The application and the disk image for macOS: what the Finder is told, and the commands that sign."""

from __future__ import annotations

import importlib.util
import plistlib
from pathlib import Path

import pytest

from explorer.project.values import SUFFIX

MACOS = Path(__file__).resolve().parents[2] / "packaging" / "macos"

spec = importlib.util.spec_from_file_location("make_dmg", MACOS / "make_dmg.py")
make_dmg = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_dmg)

NOTARY = {"NOTARY_KEY": "key.p8", "NOTARY_KEY_ID": "AB12", "NOTARY_ISSUER": "an issuer"}


def test_only_project_files_are_ours():
    stated = plistlib.loads((MACOS / "Info.plist").read_bytes())
    ranks = {
        kind: (row["LSHandlerRank"], row["CFBundleTypeRole"])
        for row in stated["CFBundleDocumentTypes"]
        for kind in row["LSItemContentTypes"]
    }
    [own] = stated["UTExportedTypeDeclarations"]
    assert ranks == {own["UTTypeIdentifier"]: ("Owner", "Editor"), "public.folder": ("Alternate", "Viewer")}
    assert own["UTTypeTagSpecification"] == {"public.filename-extension": [SUFFIX.removeprefix(".")]}
    # The old way of naming endings, which would take them for every kind of file.
    assert not any("CFBundleTypeExtensions" in row for row in stated["CFBundleDocumentTypes"])


def test_the_window_is_shown():
    stated = plistlib.loads((MACOS / "Info.plist").read_bytes())
    assert stated["NSHighResolutionCapable"] is True and stated["LSBackgroundOnly"] is False
    assert stated["LSMinimumSystemVersion"] and stated["LSApplicationCategoryType"].startswith("public.app-category.")


def test_no_more_rights_than_needed():
    rights = plistlib.loads((MACOS / "entitlements.plist").read_bytes())
    assert rights == {"com.apple.security.cs.disable-library-validation": True}


def test_no_module_has_functions_that_need_more_rights():
    """A function that C calls through ctypes is code that is made at run time."""
    root = MACOS.parents[1] / "explorer"
    uses = [path for path in root.rglob("*.py") if "FUNCTYPE(" in path.read_text(encoding="utf-8")]
    assert uses == []


def test_a_signature_without_a_name():
    command = make_dmg.signing(Path("A.app"), "")
    assert command[:5] == ["codesign", "--force", "--deep", "--sign", "-"] and "runtime" not in command
    assert make_dmg.publishing(Path("a.dmg"), "", {}) == []


def test_a_signature_for_distribution():
    command = make_dmg.signing(Path("A.app"), "Developer ID Application: Me")
    assert command[command.index("--options") + 1] == "runtime"
    assert Path(command[command.index("--entitlements") + 1]).is_file()
    image, notary, ticket = make_dmg.publishing(Path("a.dmg"), "Developer ID Application: Me", NOTARY)
    assert image[0] == "codesign" and image[-1] == "a.dmg"
    assert notary[1:4] == ["notarytool", "submit", "a.dmg"] and notary[notary.index("--key-id") + 1] == "AB12"
    assert ticket == ["xcrun", "stapler", "staple", "a.dmg"]
    assert len(make_dmg.publishing(Path("a.dmg"), "Developer ID Application: Me", {})) == 1


@pytest.mark.parametrize(("identity", "left_out"), [("", ""), ("Me", "NOTARY_ISSUER")])
def test_a_notary_that_lacks_something(identity, left_out):
    known = {name: value for name, value in NOTARY.items() if name != left_out}
    with pytest.raises(SystemExit, match="To notarize, set CORPUS_EXPLORER_IDENTITY, NOTARY_KEY"):
        make_dmg.publishing(Path("a.dmg"), identity, known)


def test_the_image():
    command = make_dmg.packing(Path("folder"), Path("a.dmg"))
    assert command[:2] == ["hdiutil", "create"] and command[-1] == "a.dmg"
    assert make_dmg.image_name("0.2.0", "arm64") == "corpus-explorer-0.2.0-macos-arm64.dmg"

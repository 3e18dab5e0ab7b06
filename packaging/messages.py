"""Collects every sentence of the program for translators, and makes catalogs of their files.

messages.py FOLDER: writes FOLDER/corpus-explorer.pot. Each resources/locale/LANGUAGE/LC_MESSAGES/corpus-explorer.po
that there is takes over what is new, and gets its .mo, which the program reads.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from explorer.gui.chrome.actions import Submenu
from explorer.gui.chrome.commands import commands_of
from explorer.gui.screens.registry import SCREENS
from explorer.gui.settings.schema import SETTINGS
from explorer.i18n import DOMAIN
from explorer.version import VERSION

ROOT = Path(__file__).parent.parent
KEYWORDS = {
    "tr": None, "trn": (1, 2), "mark": None, "markn": (1, 2),
    # Stages and reasons are kept in English, and translated where they are shown.
    "Progress": None, "note": None,
}  # fmt: skip


def collected() -> Catalog:
    """All of them, with the places where they stand."""
    catalog = Catalog(project="Corpus Explorer", version=VERSION, fuzzy=False)
    found = extract_from_dir(ROOT / "explorer", keywords=KEYWORDS, comment_tags=())
    for name, line, message, _, _ in found:
        catalog.add(message, None, [(f"explorer/{name}", line)])
    for place, text in from_tables():
        catalog.add(text, None, [(place, 1)])
    return catalog


def from_tables() -> list[tuple[str, str]]:
    """What stands in tables of the window, as (file, text)."""
    commands = [
        ("explorer/gui/chrome/commands.py", text) for c in commands_of(SCREENS) for text in (c.menu, c.text, c.help)
    ]
    commands += [
        ("explorer/gui/chrome/commands.py", c.does.empty) for c in commands_of(SCREENS) if isinstance(c.does, Submenu)
    ]
    settings = [
        ("explorer/gui/settings/schema.py", text)
        for setting in SETTINGS
        for text in (setting.title, setting.help, setting.section, *(name for _, name in setting.choices))
    ]
    screens = [("explorer/gui/screens/registry.py", text) for s in SCREENS for text in (s.title, s.page.title)]
    return [(place, text) for place, text in (*commands, *settings, *screens) if text]


def update(path: Path, template: Catalog) -> None:
    """Bring a translator's file up to date, and compile it."""
    with path.open("rb") as source:
        catalog = read_po(source, locale=path.parent.parent.name, domain=DOMAIN)
    catalog.update(template)
    with path.open("wb") as target:
        write_po(target, catalog, width=110)
    with path.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalog)


def main() -> None:
    template = collected()
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{DOMAIN}.pot").open("wb") as target:
        write_po(target, template, width=110)
    for path in sorted(ROOT.glob(f"resources/locale/*/LC_MESSAGES/{DOMAIN}.po")):
        update(path, template)
        print(f"{path}: {sum(bool(message.string) for message in template)} sentences")
    print(f"{folder / DOMAIN}.pot: {len(template)} sentences")


if __name__ == "__main__":
    main()

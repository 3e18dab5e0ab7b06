"""Pages about the code name files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = [path.parent for path in (ROOT / "explorer").glob("*/__init__.py")]
PAGES = [
    "ARCHITECTURE.md",
    "_fastsa/README.md",
    *(str(p.relative_to(ROOT)) for p in (ROOT / "explorer").rglob("README.md")),
]
FILE = re.compile(r"`([\w./-]*\w(?:\.pyx|\.pxd|\.py|/))(?::\w+)?`")


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_each_package_has_a_page(room):
    # One that is small is described by its docstring alone.
    assert (room / "README.md").is_file() or len([*room.rglob("*.py")]) <= 12


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    here = (ROOT / page).parent
    # Names of a form, such as `question.py` of every analysis, exist somewhere below the folder.
    places = [here, ROOT, ROOT / "explorer"]
    found = FILE.findall(text)
    missing = [
        name
        for name in found
        if not any((p / name).exists() for p in places) and not [*here.glob(f"**/{name.rstrip('/')}")]
    ]
    assert found and missing == []

"""The sample corpus: documents and metadata of the standard library."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from explorer.building.own_places import sample_folder
from explorer.building.sample_corpus import StandardLibrary
from explorer.core.files.paths import data_folder


def test_the_documents_are_the_librarys_files():
    source = StandardLibrary.at(Path(sysconfig.get_paths()["stdlib"]))
    names = {file.name for file in source.files}
    assert {"heapq.py", "json/decoder.py", "asyncio/__init__.py"} <= names
    assert not any("site-packages" in name or "__pycache__" in name for name in names)


def test_every_document_says_what_it_is():
    root = Path(sysconfig.get_paths()["stdlib"])
    every = StandardLibrary.at(root)
    chosen = [file for file in every.files if file.name in ("heapq.py", "json/__init__.py")]
    source = StandardLibrary(chosen, every.options, every.state)
    documents = {document.path: document for document, _ in source.documents()}
    assert documents["heapq.py"].metadata == {
        "module": "heapq",
        "package": "heapq",
        "size": (root / "heapq.py").stat().st_size,
        "license": "PSF-2.0",
    }
    assert documents["json/__init__.py"].metadata["module"] == "json"


def test_it_lies_in_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert sample_folder().parent == tmp_path

"""The page about the hub runs against a stand-in on this machine."""

from __future__ import annotations

import importlib.util
import io
import shutil
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hub_server import HubServer

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location("page_blocks", ROOT / "packaging" / "page_blocks.py")
assert _spec is not None and _spec.loader is not None
page_blocks = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("page_blocks", page_blocks)
_spec.loader.exec_module(page_blocks)


def letters(first: int, last: int, year: int) -> bytes:
    rows = [
        {"text": f"Letter {number}, written in Metz on a cold morning.", "year": year, "place": "Metz"}
        for number in range(first, last)
    ]
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    return file.getvalue()


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_page_about_the_hub(tmp_path):
    text = (ROOT / "docs" / "how-to-hub.md").read_text(encoding="utf-8")
    with HubServer() as hub:
        data = {
            "data/train-00000-of-00002.parquet": letters(0, 20, 1916),
            "data/train-00001-of-00002.parquet": letters(20, 40, 1917),
            "data/test-00000-of-00001.parquet": letters(40, 41, 1918),
        }
        hub.add("example/letters", {"README.md": b"# Letters", ".gitattributes": b""} | data)
        variables = {
            "HF_ENDPOINT": hub.url,
            "HF_TOKEN": hub.token,
            "HF_HOME": str(tmp_path / "hf"),
            # The stand-in keeps large files as Git LFS does.
            "HF_HUB_DISABLE_XET": "1",
            "CORPUS_EXPLORER_DATA": str(tmp_path / "data"),
            "CORPUS_EXPLORER_CACHE": str(tmp_path / "cache"),
        }
        ran = page_blocks.run(text, tmp_path, variables)
        assert hub.repos["models", "example/letters-index"].private
    assert "\n".join(filter(None, (each.differs() for each in ran))) == ""

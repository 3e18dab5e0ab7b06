"""The distribution without the window: what it requires, and what it leaves out."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import tomllib
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = SETTINGS["tool"]["corpus-explorer"]["core"]
_spec = importlib.util.spec_from_file_location("core_wheel", ROOT / "packaging" / "core_wheel.py")
assert _spec is not None and _spec.loader is not None
core_wheel = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(core_wheel)

WHOLE = """Metadata-Version: 2.4
Name: corpus-explorer
Version: 1.0
Requires-Dist: numpy>=1.26
Requires-Dist: PySide6-Essentials>=6.8
Provides-Extra: window
Requires-Dist: qt>=4.4; extra == "window"

# Title

From here on, the README is the same.
"""


def test_the_core_requires_no_qt():
    found = core_wheel.core_requirements(SETTINGS["project"], CORE)
    names = {extra: {core_wheel.distribution(text) for text in texts} for extra, texts in found.items()}
    assert names[""] == {
        "numpy", "tokenizers", "zstandard", "XlsxWriter", "pyromark", "urllib3", "truststore", "PyYAML",
        "huggingface_hub",
    }  # fmt: skip
    assert names["arrow"] == {"pyarrow"}
    assert names["serve"] == {"starlette", "uvicorn", "httptools"}
    assert not {"PySide6-Essentials", "pyqtgraph"} & set().union(*names.values())
    every = {core_wheel.distribution(text) for text in SETTINGS["project"]["dependencies"]}
    assert every == names[""] | names["arrow"] | (set(CORE["without"]) & every)


def test_what_is_left_out_exists():
    assert CORE["without-files"][0] == "explorer/gui"
    for name in CORE["without-files"]:
        assert (ROOT / name.replace("explorer/resources", "resources")).is_dir() or name == "explorer/gui"


def test_metadata_is_rewritten():
    requirements = {"": ["numpy>=1.26"], "arrow": ["pyarrow>=15"], "mcp": ["a>=1; python_version < '3.14'"]}
    text = core_wheel.rewritten(WHOLE, requirements)
    found = Parser().parsestr(text)
    assert found.get_all("Name") == ["corpus-explorer-core"]
    assert found["Version"] == "1.0"
    assert found.get_all("Provides-Extra") == ["arrow", "mcp"]
    assert found.get_all("Requires-Dist") == [
        "numpy>=1.26",
        'pyarrow>=15; extra == "arrow"',
        "a>=1; (python_version < '3.14') and extra == \"mcp\"",
    ]
    assert text.endswith(WHOLE.partition("\n\n")[2])


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_every_target_can_be_made():
    """A dry run: a Makefile with a mistake, or a target that is named twice, makes nothing at all."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    # Not as a part of the make that runs the tests.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--dry-run", *targets], cwd=ROOT, env=outside, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "packaging/core_wheel.py" in done.stdout

"""Makes the distribution without the window, corpus-explorer-core, from a wheel of the program.

core_wheel.py WHEEL FOLDER: writes FOLDER/corpus_explorer_core-VERSION-….whl. It has the same packages and script, but
not what the table [tool.corpus-explorer.core] of pyproject.toml excludes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NAME = "corpus-explorer-core"
# The headers that differ.
_REWRITTEN = ("Name", "Requires-Dist", "Provides-Extra")


def core_requirements(project: dict[str, Any], core: dict[str, Any]) -> dict[str, list[str]]:
    """Select what the core requires.

    Parameters
    ----------
    project
        The table [project] of pyproject.toml.
    core
        The table [tool.corpus-explorer.core].

    Returns
    -------
    dict[str, list[str]]
        Requirements by the name of their extra; "" has what is always installed.
    """
    extra_of = {name: extra for extra, names in core["extras"].items() for name in names}
    found: dict[str, list[str]] = {
        "": [],
        **{extra: [] for extra in core["extras"]},
        **project["optional-dependencies"],
    }
    for requirement in project["dependencies"]:
        if distribution(requirement) not in core["without"]:
            found[extra_of.get(distribution(requirement), "")].append(requirement)
    return found


def distribution(requirement: str) -> str:
    """The name in a requirement, without its versions and markers."""
    found = re.match(r"[\w.-]+", requirement)
    return found[0] if found else ""


def rewritten(text: str, requirements: dict[str, list[str]]) -> str:
    """Replace the name and the requirements of a wheel's METADATA.

    Parameters
    ----------
    text
        The content of the file.
    requirements
        As from `core_requirements`.

    Returns
    -------
    str
        The new content.
    """
    # The text after the headers is the README, which stays as it is.
    head, _, readme = text.partition("\n\n")
    message: Message = Parser().parsestr(head)
    for field in _REWRITTEN:
        del message[field]
    message["Name"] = NAME
    for extra, needed in requirements.items():
        if extra:
            message["Provides-Extra"] = extra
        for requirement in needed:
            message["Requires-Dist"] = _in_extra(requirement, extra)
    return f"{message.as_string().rstrip()}\n\n{readme}"


def _in_extra(requirement: str, extra: str) -> str:
    if not extra:
        return requirement
    text, _, marker = requirement.partition(";")
    condition = f'extra == "{extra}"'
    return f"{text.strip()}; {f'({marker.strip()}) and ' if marker else ''}{condition}"


def make_core_wheel(wheel: Path, folder: Path) -> None:
    """Write the core's wheel into a folder.

    Parameters
    ----------
    wheel
        A wheel of the whole program.
    folder
        Where to write.
    """
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)
    core = settings["tool"]["corpus-explorer"]["core"]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        _wheel("unpack", "--dest", place, str(wheel))
        (unpacked,) = Path(place).iterdir()
        for part in core["without-files"]:
            shutil.rmtree(unpacked / part)
        (facts,) = unpacked.glob("*.dist-info")
        metadata = facts / "METADATA"
        requirements = core_requirements(settings["project"], core)
        metadata.write_text(rewritten(metadata.read_text(encoding="utf-8"), requirements), encoding="utf-8")
        # `wheel pack` takes the name of the wheel from this folder, and computes the list of files again.
        for part in (facts, *unpacked.glob("*.data")):
            part.rename(unpacked / part.name.replace("corpus_explorer", NAME.replace("-", "_")))
        _wheel("pack", "--dest-dir", str(folder), str(unpacked))


def _wheel(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True)


if __name__ == "__main__":
    make_core_wheel(Path(sys.argv[1]), Path(sys.argv[2]))

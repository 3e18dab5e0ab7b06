"""What the program is made of: each component with its version and the text of its license.

A program for people without Python has the file LICENSES.txt, which `licenses_text` writes when it is made and
`read_licenses` reads. An installed copy has what pip knows of its packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from explorer.resources import program_file

FILE = "LICENSES.txt"
UNKNOWN = "see the text"
_BAR = "=" * 100
_ROW = re.compile(r"  (\S+) (\S+): (.*)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BEGINNINGS = ("licen", "copying", "notice", "authors")
"""Of the names of files that are texts of licenses."""


@dataclass(frozen=True)
class Component:
    """One component.

    name, version, license: As its metadata state them.
    text: The text of its license, or of several; "" if it came without one.
    """

    name: str
    version: str
    license: str
    text: str


def component_of(found: Distribution) -> Component:
    """Describe an installed distribution.

    Returns: What its metadata state, and all its texts of licenses.
    """
    fields = found.metadata
    stated = [str(fields[key]).strip() for key in ("License-Expression", "License") if key in fields]
    license = (stated[0] or UNKNOWN).splitlines()[0] if stated else _classified(found)
    texts = [
        Path(str(found.locate_file(file))).read_text(encoding="utf-8", errors="replace").strip()
        for file in found.files or ()
        if _is_license(file.parts)
    ]
    return Component(str(fields["Name"]), found.version, license, "\n\n".join(dict.fromkeys(texts)))


def _classified(found: Distribution) -> str:
    kinds = [each for each in found.metadata.get_all("Classifier") or () if each.startswith("License ::")]
    return kinds[0].rpartition(" :: ")[2] if kinds else UNKNOWN


def _is_license(parts: tuple[str, ...]) -> bool:
    return any(part.endswith(".dist-info") for part in parts[:-1]) and (
        parts[-1].lower().startswith(_BEGINNINGS) or "licenses" in parts[1:-1]
    )


def licenses_text(components: Sequence[Component], notes: Iterable[str] = ()) -> str:
    """Write the components as a text for people.

    components: The components, in the order of the text.
    notes: Paragraphs between the list and the texts.
    """
    lines = ["What this program is made of, and under which licenses", ""]
    lines += [f"  {each.name} {each.version}: {each.license}" for each in components]
    for note in notes:
        lines += ["", note]
    for each in components:
        lines += ["", _BAR, f"{each.name} {each.version}", _BAR, "", each.text]
    return "\n".join(lines) + "\n"


def read_licenses(text: str) -> list[Component]:
    """Read what `licenses_text` wrote.

    Returns: The components; one without a part of its own has the text "".
    """
    head, *parts = text.split(f"\n{_BAR}\n")
    texts = dict(zip((name.strip() for name in parts[0::2]), (part.strip() for part in parts[1::2]), strict=False))
    rows = [match.groups() for line in head.splitlines() if (match := _ROW.fullmatch(line))]
    return [Component(name, version, license, texts.get(f"{name} {version}", "")) for name, version, license in rows]


def own_components() -> list[Component]:
    """What this program is made of.

    Returns: The program first, then what it needs, by name.

    Notes
    -----
    Reads a file of each package: takes up to a second.
    """
    file = program_file(FILE)
    return installed_components("corpus-explorer") if file is None else read_licenses(file.read_text(encoding="utf-8"))


def installed_components(name: str) -> list[Component]:
    """An installed distribution and all that it needs.

    name: Of the distribution. What only its extras need is left out.
    """
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        known = _known(waiting.pop())
        if known is None or _plain(known) in found:
            continue
        found[_plain(known)] = known
        # A package for another system or another Python is not installed, and is left out by that.
        needed = [each for each in known.requires or () if "extra ==" not in each]
        waiting += [match[0] for each in needed if (match := _NAME.match(each))]
    components = [component_of(each) for each in found.values()]
    # The distribution itself stays first.
    return components[:1] + sorted(components[1:], key=lambda each: each.name.lower())


def _known(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _plain(known: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", str(known.metadata["Name"])).lower()

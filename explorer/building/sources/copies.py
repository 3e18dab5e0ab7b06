"""Files of a build with the same content: counted, or skipped but for the first one.

Only files of one size that also begin alike are read to their end, so that looking for copies costs little.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from explorer.building.sources.archived import close_archives, open_file
from explorer.building.sources.source import COPIES, COPIES_READ, ReadState, SourceFile
from explorer.core.files.streams import CHUNK, BrokenStreamError
from explorer.i18n import tr


def without_copies(files: Sequence[SourceFile], skip: bool, state: ReadState) -> list[SourceFile]:
    """Note files whose content an earlier file has.

    files: The files of a build, in order.
    skip: Whether they are skipped.
    state: Receives a note about each of them, with the name of the first file with the content.
    """
    first = _copies(files)
    for number, original in first.items():
        name = files[original].label
        if skip:
            state.note(COPIES, files[number].label, reason=tr("copy of {name}", name=name))
        else:
            state.note(COPIES_READ, files[number].label, reason=tr("the same content as {path}", path=name))
    return [file for number, file in enumerate(files) if not (skip and number in first)]


def _copies(files: Sequence[SourceFile]) -> dict[int, int]:
    """The numbers of copies, each with the number of the first file with the content."""
    # Empty files have no text, and files on other machines are not read twice.
    able = [number for number, file in enumerate(files) if file.size and file.far is None]
    alike = _grouped(able, lambda number: (files[number].size, files[number].beginning))
    # In their order: an archive is read from its beginning.
    digests = {number: _digest(files[number]) for number in sorted(number for group in alike for number in group)}
    close_archives()
    equal = _grouped([number for number, digest in digests.items() if digest], lambda number: digests[number])
    return dict(sorted((copy, group[0]) for group in equal for copy in group[1:]))


def _grouped(numbers: Iterable[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    """The groups of several numbers with one key."""
    groups: defaultdict[Hashable, list[int]] = defaultdict(list)
    for number in numbers:
        groups[key(number)].append(number)
    return [group for group in groups.values() if len(group) > 1]


def _digest(file: SourceFile) -> str:
    """A digest of the whole content; "" if it cannot be read, which the build reports."""
    found = hashlib.blake2b(digest_size=16)
    try:
        with open_file(file) as raw:
            while data := raw.read(CHUNK):
                found.update(data)
    except (OSError, BrokenStreamError):
        return ""
    return found.hexdigest()

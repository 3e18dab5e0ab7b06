"""Print which lines and branches only the first of two runs reached, as Markdown.

    python packaging/lost_coverage.py BEFORE.json REVISION AFTER.json REVISION

Each file is what `coverage json` writes, of a run at that revision. Lines are matched by their text, since their
numbers change; a line that was changed or removed is not compared.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
Report = Mapping[str, Any]


def measured(report: Report) -> dict[str, Report]:
    """The measured files by their path in the repository, wherever the package was installed."""
    return {
        re.sub(r".*\bexplorer/", "explorer/", name.replace("\\", "/")): file for name, file in report["files"].items()
    }


def same_lines(old: list[str], new: list[str]) -> dict[int, int]:
    """The number of each unchanged line in the new text, by its number in the old one; both count from 1."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return {block.a + step + 1: block.b + step + 1 for block in blocks for step in range(block.size)}


def lost(before: Report, after: Report | None, same: Mapping[int, int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Lines and branches of one file, by their present numbers, that only the first run reached."""
    if after is None:
        return [], []
    missing, branches = set(after["missing_lines"]), {tuple(each) for each in after["missing_branches"]}
    lines = {same[line] for line in before["executed_lines"] if line in same} & missing
    # The end of a branch that leaves a function is minus the line of the function.
    reached = {
        (same[start], same[abs(end)] * (1 if end > 0 else -1))
        for start, end in before["executed_branches"]
        if start in same and abs(end) in same
    }
    return sorted(lines), sorted(each for each in reached & branches if each[0] not in lines)


def spans(numbers: Iterable[int]) -> str:
    """Numbers as 1-3, 7."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def lines_at(revision: str, path: str) -> list[str]:
    """A file at a revision; no line if it does not exist there."""
    done = subprocess.run(["git", "show", f"{revision}:{path}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files(old: str, new: str) -> set[str]:
    """The files that differ between two revisions; only these are read."""
    return set(subprocess.check_output(["git", "diff", "--name-only", old, new], cwd=ROOT, text=True).splitlines())


def totals(name: str, report: Report) -> str:
    """A row of the table of totals."""
    all_ = report["totals"]
    lines, branches = (all_["covered_lines"], all_["num_statements"]), (all_["covered_branches"], all_["num_branches"])
    cells = [f"{reached:,} of {of:,} ({reached / of:.2%})".replace("%", " %") for reached, of in (lines, branches)]
    return f"| {name} | {' | '.join(cells)} |"


def markdown(before: Report, old: str, after: Report, new: str) -> str:
    """Both totals, and what was lost by file."""
    rows, line_count, branch_count = [], 0, 0
    now, changed = measured(after), changed_files(old, new)
    for path, file in sorted(measured(before).items()):
        same = {line: line for line in file["executed_lines"]}
        if path in changed:
            same = same_lines(lines_at(old, path), lines_at(new, path))
        lines, branches = lost(file, now.get(path), same)
        line_count, branch_count = line_count + len(lines), branch_count + len(branches)
        if lines or branches:
            arrows = ", ".join(f"{start} → {end if end > 0 else 'end'}" for start, end in branches)
            rows.append(f"| {path} | {spans(lines)} | {arrows} |")
    head = [
        "| | lines | branches |",
        "| --- | --- | --- |",
        totals(f"before ({old})", before),
        totals(f"now ({new})", after),
    ]
    said = (
        f"Reached before and not now, in lines that are the same: {line_count:,} lines and {branch_count:,} branches."
    )
    return "\n".join(
        [*head, "", said, *(["", "| file | lines | branches |", "| --- | --- | --- |", *rows] if rows else [])]
    )


if __name__ == "__main__":
    first, old_revision, second, new_revision = sys.argv[1:]
    reports = [json.loads(Path(name).read_text(encoding="utf-8")) for name in (first, second)]
    print(markdown(reports[0], old_revision, reports[1], new_revision))

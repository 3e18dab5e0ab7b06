"""The table of test runs, and what a run no longer covers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, PACKAGING / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


tables, coverage = loaded("test_table"), loaded("lost_coverage")

LOG = """
tests/test_a.py ...s                                                     [100%]
=========================== short test summary info ============================
SKIPPED [1] tests/test_a.py:5: make test-all installs pandas
================== 1200 passed, 7 skipped in 81.20s (0:01:21) ==================
== 2 failed, 9000 passed, 20 skipped, 31 deselected, 1 error in 500.02s (0:08:20) ==
"""
REPORT = """<testsuites><testsuite>
<testcase classname="tests.search.test_kwic" name="test_a" time="1.25" />
<testcase classname="tests.search.test_kwic.TestMany" name="test_b" time="0.5"><skipped /></testcase>
<testcase classname="tests.test_i18n" name="test_c" time="2" />
</testsuite></testsuites>"""


def a_run(python="3.12.1", before=False, shared=False, rooms=None, target="test"):
    counts, rooms = tables.counted(LOG), rooms or {"search": (2, 1.75)}
    return tables.Run(target, python, shared, before, "abc1234", counts, 61.0, 600.0, 1080.0, rooms)


def test_each_call_of_pytest_is_counted():
    assert tables.counted(LOG) == [
        {"passed": 1200, "skipped": 7, "failed": 0},
        {"passed": 9000, "skipped": 20, "failed": 3},
    ]
    assert tables.counted("make: *** [Makefile:10: test] Error 2\n") == []


def test_seconds_by_room(tmp_path):
    (tmp_path / "report.xml").write_text(REPORT)
    assert tables.by_room(tmp_path / "report.xml") == {"": (1, 2.0), "search": (2, 1.8)}


def test_rows_are_in_the_order_of_versions():
    runs = [a_run("3.13.0", shared=True), a_run("3.13.0"), a_run("3.9.1"), a_run("3.11.2", before=True)]
    runs.append(a_run("3.9.1", target="test-all"))
    _, _, *rows = tables.table(runs)
    assert rows[1] == "| 3.13.0 | no | 1,200 + 9,000 | 7 + 20 | 0 + 3 | 1.0 min | 10.0 min | 18.0 min |"
    first = ["| 3.9.1", "| 3.13.0", "| 3.13.0", "| 3.9.1 (make test-all)", "| 3.11.2 (abc1234, before)"]
    assert [row.split(" | ")[0] for row in rows] == first


def test_rooms_before_and_now():
    earlier = a_run(before=True, rooms={"gui": (30, 1500.4), "search": (5, 9.0)})
    others = [a_run(target="test-all", rooms={"api": (9, 9.0)}), a_run(shared=True, rooms={"api": (9, 9.0)})]
    assert tables.room_table([a_run(), earlier, *others])[2:] == [
        "| gui | 30 | 1,500 | 0 | 0 |",
        "| search | 5 | 9 | 2 | 2 |",
        "| **all** | 35 | 1,509 | 2 | 2 |",
    ]
    assert tables.room_table([a_run()])[2:] == ["| search | 2 | 2 |", "| **all** | 2 | 2 |"]


def test_a_run_is_kept_with_its_coverage(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "RUNS", tmp_path / "runs")
    (tmp_path / "report").write_text("{}")
    tables.keep(a_run(), tmp_path / "none")
    tables.keep(a_run(shared=True, before=True), tmp_path / "report")
    names = {path.name for path in (tmp_path / "runs").iterdir()}
    kept = "before-test-3.12.1-shared"
    assert names == {"now-test-3.12.1.json", f"{kept}.json", f"{kept}.coverage"}
    assert tables.table(tables.stored()) == tables.table([a_run(), a_run(shared=True, before=True)])


def test_the_table_is_written_between_its_marks():
    old = f"before\n{tables.BEGIN}\nold\n{tables.END}\nafter\n"
    new = tables.between(old, ["a", "b"])
    assert new == f"before\n{tables.BEGIN}\n\na\nb\n\n{tables.END}\nafter\n"
    assert tables.between(new, ["a", "b"]) == new
    with pytest.raises(SystemExit, match="CONTRIBUTING"):
        tables.between("no marks", ["a"])
    tables.between((PACKAGING.parent / "CONTRIBUTING.md").read_text(encoding="utf-8"), [])


def file(executed, missing, branches=(), missing_branches=()):
    return {
        "executed_lines": executed,
        "missing_lines": missing,
        "executed_branches": list(branches),
        "missing_branches": list(missing_branches),
    }


def test_lines_are_matched_by_their_text():
    same = coverage.same_lines(["a", "b", "c", "d"], ["new", "a", "B", "c", "d"])
    assert same == {1: 2, 3: 4, 4: 5}
    before = file([1, 2, 3, 4], [], [[1, 3], [3, 4], [3, -1], [2, 4]])
    # b was changed, so that nothing of it is lost; c was reached before.
    after = file([2, 5], [3, 4], [], [[2, 4], [2, 5], [4, 5], [4, -2]])
    assert coverage.lost(before, after, same) == ([4], [(2, 4)])
    assert coverage.lost(before, after, {}) == coverage.lost(before, None, same) == ([], [])


def test_what_is_lost_is_printed(monkeypatch):
    files = {"old": ["a", "b", "c", "d", "e", "f"], "new": ["a", "b", "c", "d", "e", "f"]}
    monkeypatch.setattr(coverage, "lines_at", lambda revision, path: files[revision])
    monkeypatch.setattr(coverage, "changed_files", lambda old, new: {"explorer/corpus/x.py"})
    totals = {"covered_lines": 3, "num_statements": 4, "covered_branches": 1, "num_branches": 2}
    path = "/a/corpus-explorer/.venv/lib/site-packages/explorer/corpus/x.py"
    before = {"totals": totals, "files": {path: file([1, 2, 3, 5, 6], [], [[5, 6], [5, -1]])}}
    after = {"totals": totals, "files": {"explorer/corpus/x.py": file([5], [1, 2, 3, 6], [], [[5, 6], [5, -1]])}}
    text = coverage.markdown(before, "old", after, "new")
    assert "| now (new) | 3 of 4 (75.00 %) | 1 of 2 (50.00 %) |" in text
    assert "4 lines and 2 branches" in text
    assert text.endswith("| explorer/corpus/x.py | 1-3, 6 | 5 → end, 5 → 6 |")
    assert "| file |" not in coverage.markdown(before, "old", before, "new")
    monkeypatch.setattr(coverage, "changed_files", lambda old, new: set())
    assert coverage.markdown(before, "old", after, "new") == text

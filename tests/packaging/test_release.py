"""The workflows: pinned actions, no more rights than each job needs, and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
WORKFLOW = WORKFLOWS["release.yml"]
JOBS = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", WORKFLOW[WORKFLOW.index("\njobs:") :], re.M))


@pytest.mark.parametrize(("name", "count"), [("release.yml", 9), ("ci.yml", 8), ("nightly.yml", 2)])
def test_every_action_is_pinned_to_a_commit(name, count):
    used = re.findall(r"uses: (\S+)( # v\S+)?", WORKFLOWS[name])
    assert len(used) >= count
    assert [name for name, version in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) or not version] == []


def test_only_what_publishes_may_write():
    assert "\npermissions: {}\n" in WORKFLOW
    rights = {name: set(re.findall(r"^      ([\w-]+: (?:read|write))$", text, re.M)) for name, text in JOBS.items()}
    assert set(rights) == {"wheels", "sdist", "audit", "bundles", "publish"}
    assert rights.pop("publish") == {"id-token: write", "attestations: write", "contents: write"}
    assert set(map(frozenset, rights.values())) == {frozenset({"contents: read"})}


def test_nothing_is_uploaded_before_it_was_tried():
    steps = JOBS["bundles"]
    assert steps.index("packaging/smoke.py") < steps.index("actions/upload-artifact")
    assert "needs: [wheels, sdist, audit, bundles]" in JOBS["publish"]


def test_installers_are_tried_before_they_are_uploaded():
    steps = JOBS["bundles"]
    places = [
        steps.index(text)
        for text in (
            "make_installer.py", "try_installer.py build/bundle/*-windows-x86_64.exe --smoke", "make_dmg.py",
            "hdiutil attach", "Corpus Explorer.app/Contents/MacOS/$program", "actions/upload-artifact",
        )
    ]  # fmt: skip
    assert places == sorted(places)


def test_every_kind_of_file_is_uploaded_and_published():
    kinds = set(re.findall(r"build/bundle/\*(\S+)$", JOBS["bundles"], re.M))
    assert kinds == {".tar.zst", ".zip", ".deb", ".exe", ".dmg"}
    assert set(re.findall(r"-name '\*(\S+)'", JOBS["publish"])) == kinds


def test_secrets_are_of_one_environment_and_single_steps():
    users = {name for name, text in JOBS.items() if "secrets." in text}
    assert users == {"bundles"} and "\n    environment: signing\n" in JOBS["bundles"]
    # Ten spaces: the variables of a step, and not of all steps.
    rows = [line for line in WORKFLOW.splitlines() if "secrets." in line]
    assert rows and all(re.match(r" {10}[A-Z_]+: \$\{\{ ", row) for row in rows)


@pytest.mark.parametrize("name", ["ci.yml", "nightly.yml"])
def test_tests_may_only_read(name):
    jobs = WORKFLOWS[name].partition("\njobs:\n")[2]
    assert "\npermissions: {}\n" in WORKFLOWS[name] and "secrets." not in jobs
    assert set(re.findall(r"^ +([\w-]+: (?:read|write))$", jobs, re.M)) == {"contents: read"}
    assert jobs.count("permissions:") == len(re.findall(r"^  [\w-]+:$", jobs, re.M))


@pytest.mark.parametrize("text", WORKFLOWS.values(), ids=WORKFLOWS)
def test_what_it_calls_exists(text):
    called = re.findall(r"packaging/[\w/.-]+\.(?:py|sh)", text)
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    made = re.findall(r"run: make ([\w-]+)", text)
    assert called or made
    assert all((ROOT / path).exists() for path in called) and set(made) <= set(targets)

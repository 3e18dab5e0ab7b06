"""The files that start a cluster: they are read, and what they would start is what the programs know."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from explorer.cli.commands import COMMANDS, command_parser

FILES = Path(__file__).parents[2] / "packaging" / "cluster"
SCRIPTS = ("ssh.sh", "slurm.sh")
pytestmark = [
    pytest.mark.local("starts nothing"),
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
]


def printed(script: str, *arguments: str, **environment: str) -> list[list[str]]:
    """The commands that a script would start."""
    done = subprocess.run(
        ["bash", FILES / script, *arguments],
        env={"PATH": os.environ["PATH"], "DRY_RUN": "1", **environment},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [shlex.split(line) for line in done.stdout.splitlines()]


@cache
def options_of(*command: str) -> set[str]:
    """The options of a program of Dask, by its help."""
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    done = subprocess.run(
        [Path(sys.executable).with_name("dask"), *command, "--help"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return set(re.findall(r"--[a-z-]+", done.stdout))


def check_dask(*commands: list[str]) -> None:
    for command in commands:
        assert command[0] == "dask"
        assert {part for part in command if part.startswith("--")} <= options_of(command[1])
        assert "--no-dashboard" in command


def check_ours(command: list[str]) -> None:
    assert command[0] == "corpus-explorer"
    (known,) = (each for each in COMMANDS if each.name == command[1])
    command_parser(known).read(command[2:])


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_sound_and_want_certificates(script):
    subprocess.run(["bash", "-n", FILES / script], check=True, timeout=60)
    done = subprocess.run(
        ["bash", FILES / script, "host"], env={"PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode and "without them, anybody could run programs" in done.stderr


def test_what_starts_by_ssh():
    scheduler, *workers = printed(
        "ssh.sh", "one", "two", CERTIFICATES="/my certificates", SHARDS="/a b:/c", ADDRESS="head", PORT="9"
    )
    there = [shlex.split(worker[-1]) for worker in workers]
    assert [worker[:-1] for worker in workers] == [
        ["ssh", "-tt", "-o", "BatchMode=yes", host] for host in ("one", "two")
    ]
    assert there[0][:2] == ["env", "CORPUS_EXPLORER_SHARDS=/a b:/c"] and "tls://head:9" in there[0]
    assert "/my certificates/key.pem" in there[1] and "--memory-limit" in there[1]
    check_dask(scheduler, *(words[2:] for words in there))


def test_what_starts_in_a_job_of_slurm(tmp_path, monkeypatch):
    names = tmp_path / "scontrol"
    names.write_text("#!/bin/sh\necho node7\necho node8\n")
    names.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    build = ["corpus-explorer", "build", "texts", "--out", "index", "--cluster", "{cluster}", "--allow-remote"]
    scheduler, workers, command = printed(
        "slurm.sh", *build, CERTIFICATES="/c", SLURM_JOB_NODELIST="node[7-8]", SLURM_NNODES="2"
    )
    assert "--nodelist=node7" in scheduler and "--ntasks=2" in workers and "tls://node7:8786" in workers
    check_dask(*(words[words.index("dask") :] for words in (scheduler, workers)))
    assert command[6] == "tls://node7:8786"
    check_ours(command)


def test_what_starts_in_kubernetes():
    yaml = pytest.importorskip("yaml", reason="the extra cluster is not installed")
    parts = list(yaml.safe_load_all((FILES / "kubernetes.yaml").read_text()))
    by_name = {(part["kind"], part["metadata"]["name"]): part for part in parts}
    pods = {
        key: part["spec"]["template"]["spec"] for key, part in by_name.items() if "template" in part.get("spec", {})
    }
    assert set(pods) == {("Deployment", "scheduler"), ("StatefulSet", "worker"), ("Deployment", "server")}
    for (_, name), pod in pods.items():
        (container,) = pod["containers"]
        # Everything that is mounted exists, and no program is root or has an account in Kubernetes.
        own = by_name.get(("StatefulSet", name), {"spec": {}})["spec"].get("volumeClaimTemplates", [])
        known = {volume["name"] for volume in pod["volumes"]} | {claim["metadata"]["name"] for claim in own}
        assert {mount["name"] for mount in container["volumeMounts"]} <= known
        assert pod["securityContext"]["runAsNonRoot"] and pod["automountServiceAccountToken"] is False
        (check_ours if name == "server" else check_dask)(container["command"])
        assert container["envFrom"] == [{"configMapRef": {"name": "cluster-settings"}}]
    for name in ("scheduler", "corpus"):
        chosen = by_name["Service", name]["spec"]["selector"]
        assert any(part["spec"].get("selector", {}).get("matchLabels") == chosen for part in parts if "spec" in part)

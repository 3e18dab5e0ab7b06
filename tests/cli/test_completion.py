"""What the shells complete, asked of the shells themselves."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from explorer.cli.commands import COMMANDS
from explorer.cli.described import described
from explorer.cli.main import main

NAMES = [command.name for command in COMMANDS]
PRINT = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _corpus_explorer; printf "%s\\n" "${COMPREPLY[@]}"'


def shell(name):
    """A shell that is installed; the test is skipped where it is not."""
    return shutil.which(name) or pytest.skip(f"apt-get install {name}: it is not installed")


@pytest.fixture
def script(tmp_path, monkeypatch, capsys):
    """script(shell): a file with its script, in a folder with a file and a folder."""
    (tmp_path / "here" / "a folder").mkdir(parents=True)
    (tmp_path / "here" / "a.txt").write_text("")
    monkeypatch.chdir(tmp_path / "here")

    def write(name):
        assert main(["completion", name]) == 0
        path = tmp_path / name
        path.write_text(capsys.readouterr().out, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ([""], [*NAMES, "a folder"]),
        (["cl"], ["clusters"]),
        (["co"], ["collocates", "count", "compare-texts", "completion", "contamination"]),
        (["--mi"], ["--minus"]),
        (["--minus", ""], ["a folder"]),
        (["count", "--ma"], ["--match"]),
        (["count", "--match", ""], ["text", "tokens", "regex"]),
        (["count", "--match", "=", "r"], ["regex"]),
        (["count", "--match", "="], ["text", "tokens", "regex"]),
        (["count", ""], ["a folder"]),
        (["count", "--color", "never", "-q", ""], ["a folder"]),
        (["count", "index", ""], []),
        (["count", "index", "--distance", ""], []),
        (["count", "--queries", ""], ["a folder", "a.txt"]),
        (["trace", "index", ""], ["a folder", "a.txt"]),
        (["agree", "index", "b.txt", ""], ["a folder", "a.txt"]),
        (["project", ""], ["show", "check", "lines"]),
        (["project", "show", ""], ["a folder", "a.txt"]),
        (["completion", "z"], ["zsh"]),
        (["a folder", "--tok"], ["--token-file", "--tokenizer"]),
    ],
)
def test_bash(script, typed, expected):
    path = script("bash")
    asked = [shell("bash"), "--norc", "-c", f'source "$0"; {PRINT}', path, "corpus-explorer", *typed]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    assert sorted(done.stdout.split("\n")[:-1]) == sorted(expected or [""])


def test_every_option_is_completed(script):
    for name in ("bash", "zsh", "fish"):
        text = script(name).read_text(encoding="utf-8")
        for command in described():
            for word in command.options:
                long = word.names[-1]
                assert (f"-l {long[2:]}" if name == "fish" else long) in text
                for choice in word.choices:
                    assert choice in text


def test_zsh_reads_its_script(script):
    subprocess.run([shell("zsh"), "-f", "-n", script("zsh")], timeout=60, check=True)


FISH = {
    "corpus-explorer comp": ["compare-texts", "completion", "contamination"],
    "corpus-explorer count --match ": ["regex", "text", "tokens"],
    "corpus-explorer count --mat": ["--match"],
    "corpus-explorer completion ": ["bash", "fish", "zsh"],
    "corpus-explorer trace --html ": ["a folder/", "a.txt"],
}


def test_fish(script, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    command = [shell("fish"), "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script("fish")]
    for line, expected in FISH.items():
        done = subprocess.run([*command, line], capture_output=True, text=True, timeout=60, check=True)
        found = sorted(row.split("\t")[0].replace("\\ ", " ") for row in done.stdout.splitlines())
        assert found == expected, line


def test_a_shell_is_named(capsys):
    assert main(["completion", "csh"]) == 2
    assert "bash" in capsys.readouterr().err

"""What a backend lacks, or how it fails, is one line on standard error: the same sentence as in the library."""

from __future__ import annotations

import pytest
from failing_backend import CLOSED, FAILED, WHY_NOT, FailingBackend
from opened_with import open_with

from explorer.cli.output.codes import FINE, TROUBLE
from explorer.cli.session import answer

TEXT = "the dog sat on the mat, and the dog saw the cat on the rug.\n" * 3

LACKING = {
    "next_tokens": ("next", "INDEX", "the cat", "--words"),
    "text_patterns": ("count", "INDEX", "cat"),
    "sorting": ("kwic", "INDEX", " the", "--match", "tokens", "--sort", "left"),
    "metadata": ("kwic", "INDEX", " the", "--match", "tokens", "--sort", "index", "--where", "path=x"),
    "documents": ("kwic", "INDEX", " the", "--match", "tokens", "--sort", "index"),
    "subtraction": ("agree", "INDEX", "FILE", "--without-self"),
}


@pytest.fixture
def command(small_index, tmp_path, monkeypatch, capsys):
    """command(change, *words): exit code, output and errors of a command line; `change` is told of the backend."""
    (tmp_path / "text.txt").write_text(TEXT)
    names = {"INDEX": str(small_index), "FILE": str(tmp_path / "text.txt")}

    def run(change, *words):
        def wrap(index):
            backend = FailingBackend(index)
            return change(backend) or backend

        with pytest.MonkeyPatch.context() as patch:
            open_with(patch, wrap)
            code = answer([names.get(word, word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("capability", LACKING)
def test_what_is_missing(command, capability):
    code, output, _ = command(lambda backend: None, *LACKING[capability])
    assert code == FINE and output
    code, output, errors = command(lambda backend: FailingBackend(backend, (capability,)), *LACKING[capability])
    assert (code, errors) == (TROUBLE, f"corpus-explorer: {WHY_NOT}\n")


@pytest.mark.parametrize("words", [("count", "INDEX", "cat"), ("trace", "INDEX", "FILE"), ("agree", "INDEX", "FILE")])
def test_a_failure_and_a_closed_index(command, words):
    fails = ("find_text", "windows", "followed", "longest_matches")
    code, output, errors = command(lambda backend: backend.fail(*fails), *words)
    assert (code, output, errors) == (TROUBLE, "", f"corpus-explorer: {FAILED}\n")
    code, output, errors = command(lambda backend: backend.close(), *words)
    assert (code, output, errors) == (TROUBLE, "", f"corpus-explorer: {CLOSED}\n")

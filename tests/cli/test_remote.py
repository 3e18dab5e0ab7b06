"""Commands whose INDEX is an address answer as over the folder, and ask first about other machines."""

from __future__ import annotations

import pytest
from remote_index import RemoteIndex

from explorer.cli.main import main
from explorer.http import cache, pace


@pytest.fixture
def address(small, tmp_path, monkeypatch):
    """The small index behind a service of this machine; nothing is kept from another test."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CORPUS_EXPLORER_DATA", str(tmp_path / "data"))
    pace._paces.clear()
    with RemoteIndex({"Small": small}) as service:
        yield service.url
    for kept in cache._shared.values():
        kept.close()
    cache._shared.clear()


@pytest.fixture
def run(capsys):
    """Runs a command; gives its code, output and errors."""

    def run(*words):
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


COMMANDS = (
    ("count", " the cat", "--match", "tokens"),
    ("next", "the cat sat on"),
    ("next", "the", "--n", "2", "--json"),
    ("kwic", " the dog", "--match", "tokens", "--count"),
    ("kwic", " the dog", "--match", "tokens", "--sort", "index"),
    ("trace", "TEXT"),
    ("agree", "TEXT"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_an_address_answers_as_the_folder(run, address, small_index, tmp_path, words):
    text = tmp_path / "text.txt"
    text.write_text("the cat sat on the rug, and the dog saw a bird.\n", encoding="utf-8")
    name, *rest = [text if word == "TEXT" else word for word in words]
    tokenizer = ("--tokenizer", small_index / "tokenizer.json")
    there, here = run(name, address, *rest, *tokenizer), run(name, small_index, *rest)
    assert there[0] == here[0] == 0, there
    strip = _without_places(address, small_index)
    assert strip(there[1]) == strip(here[1])


def _without_places(address, folder):
    """Output without what names the index, and without numbers of documents, which are given as they are met."""

    def strip(text):
        lines = [
            line for line in text.splitlines() if not any(mark in line for mark in ('"index', '"folders', "sources"))
        ]
        rows = [line.replace(address, "").replace(str(folder), "").split("\t") for line in lines]
        return [[*row[:1], *row[2:]] if len(row) > 10 else row for row in rows]

    return strip


def test_lines_come_in_the_order_of_the_index(run, address, small_index):
    tokenizer = ("--tokenizer", small_index / "tokenizer.json")
    code, out, _ = run("kwic", address, " the dog", "--match", "tokens", *tokenizer)
    assert code == 0 and out.count("\t the dog\t") == len(out.splitlines()) - 1 > 1
    code, _, err = run("kwic", address, " the dog", "--match", "tokens", "--sort", "left", *tokenizer)
    assert code == 2 and "127.0.0.1" in err


def test_what_a_service_cannot_do_is_told_with_what_helps(run, address, small_index):
    code, out, err = run("count", address, "the cat", "--match", "text", "--tokenizer", small_index / "tokenizer.json")
    assert (code, out) == (2, "") and "n-grams of tokens" in err and "Add --match tokens" in err


def test_another_machine_is_asked_about_first(run):
    code, out, err = run("count", "https://api.infini-gram.io/#v4_pileval_llama", "a", "--tokenizer", "bytes")
    assert (code, out) == (2, "") and "Nothing was sent" in err and "--allow-remote" in err


def test_a_name_that_is_gone(run, address):
    code, out, err = run("count", address + "er", "a", "--tokenizer", "bytes")
    assert (code, out) == (2, "") and 'has no index "Smaller". It has: Small.' in err

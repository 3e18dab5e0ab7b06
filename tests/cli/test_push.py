"""push: an index becomes a repository of the hub in one commit, after a question, and nothing else is sent."""

from __future__ import annotations

import shutil

import pytest
from command_line import run
from hub_server import Sent, own_hub

from explorer import open_index
from explorer.cli.index import push

# The package huggingface_hub calls its HTTP library in a way that is to go.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


@pytest.fixture
def hub(tmp_path, monkeypatch):
    from huggingface_hub import constants

    # The storage of the stand-in is Git LFS, which the hub takes from whoever has no client of its newer one.
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    with own_hub(tmp_path, monkeypatch) as made:
        monkeypatch.setenv("HF_TOKEN", made.token)
        yield made


@pytest.fixture
def index(small_index, tmp_path):
    folder = tmp_path / "cats"
    shutil.copytree(small_index, folder)
    (folder / "private.txt").write_text("not a part of the index")
    return folder


def test_an_index_is_published_and_opened_by_its_address(hub, index):
    before = {path.name: path.read_bytes() for path in index.iterdir()}
    done = run("push", index, "hf://owner/cats", "--yes", "--license", "cc-by-4.0")
    assert done.returncode == 0, done.stderr
    repo = hub.repos["models", "owner/cats"]
    files = repo.commits[repo.refs["main"]]
    assert repo.private and len(repo.commits) == 2
    assert "private.txt" not in files and "report.json" not in files
    assert all(before[name] == data for name, data in files.items() if name not in ("README.md", ".gitattributes"))
    assert {path.name: path.read_bytes() for path in index.iterdir()} == before
    card = files["README.md"].decode()
    assert 'license: "cc-by-4.0"' in card and 'open_index("hf://owner/cats")' in card and "| documents | 4 |" in card
    assert open_index("hf://owner/cats").count("the cat") == open_index(index).count("the cat") > 0
    assert hub.token.encode() not in done.stdout + done.stderr


def test_a_dry_run_sends_nothing(hub, index):
    done = run("push", index, "hf://datasets/owner/cats", "--dry-run")
    assert done.returncode == 0 and not hub.asked
    lines = done.stdout.decode().splitlines()
    assert f"index.json: {(index / 'index.json').stat().st_size:,} bytes" in lines
    assert any("all texts and metadata of 4 documents" in line for line in lines)
    assert "# Small" in lines and "license of the texts | not stated" in done.stdout.decode()


@pytest.mark.parametrize(("answer", "sent"), [("y", True), ("", False), ("no", False)])
def test_the_person_is_asked(hub, index, monkeypatch, answer, sent):
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or answer)

    class Terminal:
        @staticmethod
        def isatty():
            return True

    monkeypatch.setattr(push.sys, "stdin", Terminal())
    assert push.run_push(arguments(index)) == 0
    assert asked == ["Publish this at hf://owner/cats, visible to you only, if it is new? [y/N] "]
    assert (("models", "owner/cats") in hub.repos) == sent and bool(hub.asked) == sent


def arguments(index):
    from explorer.cli.commands import read_command_line

    return read_command_line(["push", str(index), "hf://owner/cats"])


def test_without_a_terminal_it_needs_yes(hub, index):
    done = run("push", index, "hf://owner/cats")
    assert done.returncode == 2 and b"add --yes" in done.stderr and not hub.asked


def test_an_upload_goes_on_where_it_stopped(hub, index):
    hub.fail("/commit/", *[Sent(500)] * 9)
    done = run("push", index, "hf://owner/cats", "--yes")
    assert done.returncode == 2 and b"Do the same again" in done.stderr
    repo = hub.repos["models", "owner/cats"]
    assert list(repo.commits[repo.refs["main"]]) == [".gitattributes"]
    hub.faults.clear()
    asked = len(hub.asked)
    assert run("push", index, "hf://owner/cats", "--yes").returncode == 0
    assert not any(each.method == "PUT" for each in hub.asked[asked:])
    assert "index.json" in repo.commits[repo.refs["main"]]


def test_a_card_that_somebody_wrote_stays(hub, index):
    hub.add("owner/cats", {"README.md": b"# My cats"}, "models")
    assert run("push", index, "hf://owner/cats", "--yes", "--public").returncode == 0
    repo = hub.repos["models", "owner/cats"]
    assert repo.commits[repo.refs["main"]]["README.md"] == b"# My cats"


@pytest.mark.parametrize("token", ["", "hf_other"])
def test_a_token_that_may_not_write_is_a_sentence(hub, index, monkeypatch, token):
    monkeypatch.setenv("HF_TOKEN", token)
    done = run("push", index, "hf://owner/cats", "--yes")
    assert done.returncode == 2 and b"Run hf auth login, or set HF_TOKEN" in done.stderr
    assert not token or token.encode() not in done.stderr
    assert not hub.repos


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("hf://owner/cats@v1", "published as a whole"),
        ("hf://datasets/owner/cats/en", "published as a whole"),
        ("https://example.org", "not an address of the hub"),
    ],
)
def test_other_targets_are_refused(hub, index, target, message):
    done = run("push", index, target, "--yes")
    assert done.returncode == 2 and message in done.stderr.decode() and not hub.asked


def test_what_is_no_index_is_not_published(hub, tmp_path, index):
    assert b"is not an index" in run("push", tmp_path, "hf://owner/cats", "--yes").stderr
    (index / "table.0").write_bytes(b"short")
    assert b"was cut short or replaced" in run("push", index, "hf://owner/cats", "--yes").stderr
    assert not hub.asked

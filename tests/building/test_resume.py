"""An interrupted build goes on to the bytes of an undisturbed one, or says why it cannot; it never loses work."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from unittest.mock import Mock

import pytest
import zstandard
from tiers import nightly

from explorer import build_index, open_index, verify_index
from explorer.building import run as build_run
from explorer.building.request import partial_folder
from explorer.building.state import can_resume, read_state
from explorer.building.steps import tokenize as build_tokens
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, CorpusError, NotAnIndexError, SourceError
from explorer.text.tokens.tokenizer import TextTokenizer
from explorer.version import VERSION

WORDS = ["a", "suffix", "array", "lists", "every", "text", "in", "the", "order", "of", "bytes", "naïve", "日本", "😀"]


def rows(chance, count):
    for number in range(count):
        yield json.dumps({"text": " ".join(chance.choices(WORDS, k=40)), "n": number}, ensure_ascii=False).encode()


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Every kind of file, with bad lines and a binary file among them."""
    folder = tmp_path_factory.mktemp("sources")
    chance = random.Random(5)
    for number in range(3):
        lines = list(rows(chance, 60))
        lines.insert(chance.randrange(60), b"not json")
        (folder / f"{number}.jsonl").write_bytes(b"\n".join(lines))
    (folder / "3.jsonl.gz").write_bytes(gzip.compress(b"\n".join(rows(chance, 60))))
    (folder / "4.jsonl.zst").write_bytes(zstandard.compress(b"\n".join(rows(chance, 60))))
    (folder / "5.txt").write_bytes(b"caf\xe9 " + " ".join(chance.choices(WORDS, k=9_000)).encode())
    (folder / "6.png").write_bytes(b"\x89PNG\0")
    (folder / "7.txt").write_text(" ".join(chance.choices(WORDS, k=500)))
    return folder


WISHES = {"tokenizer": "train:400", "shards": 4, "skip_bad": True}


@pytest.fixture(scope="module")
def whole(sources, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    build_index(sources, out, **WISHES)
    return files_of(out)


@pytest.fixture
def small_batches(monkeypatch):
    """A checkpoint after each batch, of about ten documents."""
    monkeypatch.setattr(build_tokens, "_CHECKPOINT_SECONDS", 0)
    monkeypatch.setattr(build_tokens, "_BATCH_CHARACTERS", 2_000)


def files_of(folder):
    """Content by name, except what tells of time: in index.json, and the report, which tells how long it took."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "report.json"}
    manifest = json.loads(found["index.json"])
    found["index.json"] = {key: value for key, value in manifest.items() if key not in ("created", "files")}
    return found


LAST = 10**9


def stop_at(stage, count, kind=KeyboardInterrupt):
    """A report that raises at the count-th report of a stage."""
    left = [count]

    def report(progress):
        left[0] -= progress.stage == stage
        if not left[0] or (count == LAST and progress.stage == stage and progress.done == progress.total):
            raise kind

    return report


def interrupted(sources, out, stage, count=1, **wishes):
    with pytest.raises(KeyboardInterrupt):
        build_index(sources, out, **(WISHES | wishes), report=stop_at(stage, count))
    return partial_folder(out)


@pytest.mark.parametrize("count", [1, 2, 5, 9, 14, 20, 23])
def test_stopped_while_tokenizing(sources, whole, tmp_path, small_batches, count):
    interrupted(sources, tmp_path / "out", "Tokenizing", count)
    with pytest.raises((NotAnIndexError, CorpusError)):
        open_index(tmp_path / "out.partial")
    build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert files_of(tmp_path / "out") == whole
    assert not (tmp_path / "out.partial").exists()


def test_stopped_again_and_again(sources, whole, tmp_path, small_batches):
    stops = 0
    while not (tmp_path / "out").exists():
        try:
            build_index(sources, tmp_path / "out", **WISHES, resume=True, report=stop_at("Tokenizing", 3))
        except KeyboardInterrupt:
            stops += 1
    assert stops > 5
    assert files_of(tmp_path / "out") == whole


def test_a_build_that_an_earlier_version_began(sources, whole, tmp_path, small_batches, monkeypatch):
    """The version is in `index.json` alone, and is that of the program that finished the index."""
    with monkeypatch.context() as earlier:
        earlier.setattr(build_run, "VERSION", "0.1.0")
        interrupted(sources, tmp_path / "out", "Tokenizing", 9)
    made = build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert made.program == f"corpus-explorer {VERSION}"
    assert files_of(tmp_path / "out") == whole


def test_only_what_was_not_declared_is_tokenised_again(sources, tmp_path, small_batches, monkeypatch):
    interrupted(sources, tmp_path / "out", "Tokenizing", 15)
    state = read_state(tmp_path / "out.partial")
    again = []
    encode = TextTokenizer.encode_batch
    monkeypatch.setattr(TextTokenizer, "encode_batch", lambda self, texts: again.extend(texts) or encode(self, texts))
    made = build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert state.document_count > 100
    assert len(again) == made.document_count - state.document_count


def test_one_shard_goes_on_too(sources, tmp_path, small_batches):
    build_index(sources, tmp_path / "whole", tokenizer="bytes", skip_bad=True)
    interrupted(sources, tmp_path / "out", "Tokenizing", 12, tokenizer="bytes", shards=1)
    assert read_state(tmp_path / "out.partial").document_count > 80
    build_index(sources, tmp_path / "out", tokenizer="bytes", skip_bad=True, resume=True)
    ours, theirs = files_of(tmp_path / "out"), files_of(tmp_path / "whole")
    assert ours == theirs


def test_a_paused_build_keeps_every_document_that_was_written(sources, whole, tmp_path):
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        build_index(sources, tmp_path / "out", **WISHES, report=lambda _: cancel.pause(), cancel=cancel)
    assert not (tmp_path / "out.partial").exists()

    def pause(progress):
        if progress.stage == "Tokenizing":
            cancel.pause()

    cancel = CancelToken()
    with pytest.raises(Cancelled):
        build_index(sources, tmp_path / "out", **WISHES, report=pause, cancel=cancel)
    assert read_state(tmp_path / "out.partial").document_count > 0
    build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert files_of(tmp_path / "out") == whole


NAMES = [
    f"{name}.{shard}" for name in ("tokenized", "offset", "metadata", "metaoff", "unigram", "table") for shard in "01"
]


@pytest.mark.parametrize("name", [*NAMES[::5], *nightly(*(name for name in NAMES if name not in NAMES[::5]))])
@pytest.mark.parametrize("damage", ["cut", "gone", "changed", "longer", "folder"])
def test_damaged_files_are_made_again(sources, whole, tmp_path, name, damage, caplog):
    partial = interrupted(sources, tmp_path / "out", "Sorting", LAST)
    path = partial / name
    spoil(path, damage)
    try:
        build_index(sources, tmp_path / "out", **WISHES, resume=True)
    except BuildError as error:
        # A folder in the place of a file is not ours to remove.
        assert damage == "folder" and name in str(error)
        assert can_resume(tmp_path / "out")
        return
    assert files_of(tmp_path / "out") == whole
    assert damage == "longer" or name in caplog.text


def spoil(path, damage):
    data = path.read_bytes()
    if damage == "cut":
        os.truncate(path, len(data) // 2)
    elif damage == "changed":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "longer":
        path.write_bytes(data + b"more")
    else:
        path.unlink()
        if damage == "folder":
            path.mkdir()


def test_a_table_that_nobody_declared_counts_for_nothing(sources, whole, tmp_path):
    partial = interrupted(sources, tmp_path / "out", "Sorting", 1)
    for number in range(6):
        if f"table.{number}" not in read_state(partial).tables:
            (partial / f"table.{number}").write_bytes(b"stray")
    build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert files_of(tmp_path / "out") == whole


def change_json(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"5", b'"x"', b"{}", b"[" * 100_000, b"\xff\xfe", b'{"tokens": "x"}', b'{"format": 2}'],
)
def test_a_damaged_state_is_refused_and_kept(sources, tmp_path, content):
    partial = interrupted(sources, tmp_path / "out", "Sorting")
    (partial / "build.json").write_bytes(content)
    before = {path.name: path.read_bytes() for path in partial.iterdir()}
    with pytest.raises(BuildError, match=r"build\.json cannot be read .* Nothing was changed\.") as raised:
        build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert (raised.value.reason, raised.value.option) == ("state-unreadable", "restart")
    assert before == {path.name: path.read_bytes() for path in partial.iterdir()}


def test_every_value_of_the_state_is_looked_at(sources, tmp_path):
    """Each value in turn becomes another, or one of another kind: refused, never a traceback, never a loss."""
    partial = interrupted(sources, tmp_path / "out", "Sorting", LAST)
    kept = (partial / "build.json").read_bytes()
    keys = json.loads(kept).keys()
    assert len(keys) > 10
    for key in keys:
        for value in ("x", -1, None, [], {}, [1], {"a": 1}, True, 1e9, "../../x"):
            if json.loads(kept)[key] is value:
                continue
            (partial / "build.json").write_bytes(kept)
            change_json(partial / "build.json", lambda state, key=key, value=value: state.update({key: value}))
            with pytest.raises(BuildError, match="Nothing was changed") as raised:
                build_index(sources, tmp_path / "out", **WISHES, resume=True)
            assert raised.value.option == "restart"
    (partial / "build.json").write_bytes(kept)
    build_index(sources, tmp_path / "out", **WISHES, resume=True)


def own_copy(sources, tmp_path):
    shutil.copytree(sources, tmp_path / "s", copy_function=shutil.copy2)
    return tmp_path / "s"


@pytest.mark.parametrize("change", ["edit", "touch", "remove", "add", "rename"])
@pytest.mark.parametrize("stage", ["Tokenizing", *nightly("Sorting")])
def test_sources_that_changed_are_refused(sources, tmp_path, small_batches, change, stage):
    own = own_copy(sources, tmp_path)
    partial = interrupted(own, tmp_path / "out", stage, 4)
    path = own / "1.jsonl"
    if change == "edit":
        path.write_bytes(path.read_bytes().replace(b"suffix", b"prefix"))
        os.utime(path, ns=(1, 2))
    elif change == "touch":
        os.utime(path, ns=(1, 2))
    elif change == "remove":
        path.unlink()
    elif change == "add":
        path = own / "1.md"
        path.write_text("new")
    else:
        path = path.rename(own / "0a.jsonl")
    with pytest.raises(BuildError, match=r"The source .* has changed since.*Nothing was changed") as raised:
        build_index(own, tmp_path / "out", **WISHES, resume=True)
    assert (raised.value.path, raised.value.option) == (str(path), "restart")
    assert can_resume(tmp_path / "out") and partial.exists()
    build_index(own, tmp_path / "out", **WISHES)
    assert verify_index(tmp_path / "out", deep=True).sound


def test_another_tokenizer_is_refused(sources, small_index, byte_index, tmp_path, text_folder):
    chosen = tmp_path / "tokenizer.json"
    shutil.copy(small_index / "tokenizer.json", chosen)
    build_index(sources, tmp_path / "whole", **(WISHES | {"tokenizer": chosen}))
    interrupted(sources, tmp_path / "out", "Sorting", tokenizer=chosen)
    build_index(text_folder, tmp_path / "other", tokenizer="train:300")
    shutil.copy(tmp_path / "other" / "tokenizer.json", chosen)
    with pytest.raises(BuildError, match="is not the tokenizer"):
        build_index(sources, tmp_path / "out", **(WISHES | {"tokenizer": chosen}), resume=True)
    chosen.unlink()
    # The copy in the folder serves where the file is gone.
    build_index(sources, tmp_path / "out", **(WISHES | {"tokenizer": chosen}), resume=True)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


@pytest.mark.parametrize("damage", ["cut", "gone", "changed"])
@pytest.mark.parametrize("name", ["tokenizer.json", "sources.json"])
def test_a_damaged_copy_is_refused(sources, tmp_path, name, damage):
    partial = interrupted(sources, tmp_path / "out", "Sorting")
    spoil(partial / name, damage)
    with pytest.raises(BuildError, match="Nothing was changed") as raised:
        build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert raised.value.option == "restart"
    assert can_resume(tmp_path / "out")


def test_after_a_bad_line_the_build_goes_on_without_it(sources, whole, tmp_path, small_batches):
    with pytest.raises(SourceError, match="is kept in"):
        build_index(sources / "0.jsonl", tmp_path / "out", tokenizer="bytes")
    assert read_state(tmp_path / "out.partial").document_count > 0
    build_index(sources / "0.jsonl", tmp_path / "out", tokenizer="bytes", skip_bad=True, resume=True)
    build_index(sources / "0.jsonl", tmp_path / "whole", tokenizer="bytes", skip_bad=True)
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


def test_killed_just_before_the_index_gets_its_name(sources, whole, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("explorer.building.place.put_in_place", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            build_index(sources, tmp_path / "out", **WISHES)
    assert can_resume(tmp_path / "out")
    build_index(sources, tmp_path / "out", **WISHES, resume=True)
    assert files_of(tmp_path / "out") == whole

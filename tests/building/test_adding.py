"""Adding documents: the index answers as one that was built of all documents at once, and is never half of anything."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from same_index import same_answers

from explorer import add_documents, build_index, open_index, verify_index
from explorer.building.lock import folder_lock
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, CorpusError, DamagedIndexError, SourceError, TokenizerError
from explorer.index.manifest import read_manifest

OLD = [{"text": "the cat sat on the mat", "year": 1990}, {"text": "a dog sat", "year": 1991}]
NEW = [{"text": "the cat saw the dog", "year": 2001, "by": "Ann"}, {"text": "", "year": 2002}, {"text": "on the mat"}]


def built(folder, rows=OLD, tokenizer="train:300", **options):
    build_index(rows, folder, tokenizer=tokenizer, **options)
    return folder


@pytest.mark.parametrize("tokenizer", ["bytes", "train:300"])
def test_the_same_answers_as_of_one_build(tokenizer, tmp_path):
    built(tmp_path / "grown", tokenizer=tokenizer)
    made = add_documents(tmp_path / "grown", NEW)
    own = "bytes" if tokenizer == "bytes" else tmp_path / "grown" / "tokenizer.json"
    built(tmp_path / "once", [*OLD, *NEW], own)
    grown, once = open_index(tmp_path / "grown"), open_index(tmp_path / "once")
    same_answers(grown, once)
    assert (made.document_count, made.shard_count, made.metadata_fields) == (
        5, 2, {"path": 5, "linenum": 5, "year": 4, "by": 1},
    )  # fmt: skip
    assert grown.metadata_fields == ("path", "linenum", "year", "by") and grown.metadata_fields_complete
    assert made == read_manifest(tmp_path / "grown") and made.changed >= made.created
    assert verify_index(tmp_path / "grown", deep=True).findings == ()
    assert [len(concordance) for concordance in (grown.concordance("the"), once.concordance("the"))] == [5, 5]


def test_files_and_several_additions(tmp_path):
    built(tmp_path / "out")
    before = open_index(tmp_path / "out")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"body": row["text"], "n": 1}) + "\n" for row in NEW))
    (tmp_path / "b.txt").write_text("the cat again")
    add_documents(tmp_path / "out", tmp_path / "a.jsonl", text_field="body", metadata_fields=[])
    made = add_documents(tmp_path / "out", [tmp_path / "b.txt"])
    assert (made.shard_count, made.document_count) == (3, 6)
    assert made.sources == ("the list", str(tmp_path / "a.jsonl"), str(tmp_path / "b.txt"))
    after = open_index(tmp_path / "out")
    assert after.document(5).metadata == {"path": "b.txt", "linenum": 0, "metadata": {}}
    assert after.document(2).metadata == {"path": "a.jsonl", "linenum": 0, "metadata": {}}
    # What was open keeps answering from the old index.
    assert (before.count("cat"), after.count("cat")) == (1, 3)
    assert before.index.fingerprint != after.index.fingerprint
    reports = ["report.json", "report.1.json", "report.2.json"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(["index.json", *reports, *made.files])


def test_bad_lines_are_reported_beside_the_first_report(tmp_path):
    built(tmp_path / "out", [*OLD, {"n": 1}], skip_bad=True)
    made = add_documents(tmp_path / "out", [{"n": 1}, {"n": 2}, *NEW], skip_bad=True)
    assert made.skipped == {"bad rows": 3} and len(made.noticed["bad rows"]) == 3
    told = [json.loads((tmp_path / "out" / name).read_text()) for name in ("report.json", "report.1.json")]
    assert [[problem["place"] for problem in report["problems"]] for report in told] == [[3], [1, 2]]
    assert open_index(tmp_path / "out").document_count == 5


def snapshot(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def failing():
    yield NEW[0]
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("sources", "options", "sentence"),
    [
        (lambda: [{"n": 1}], {}, 'The list, row 1: the field "text" is missing'),
        (failing, {}, "The generator failed at row 2"),
        (list, {}, "There is no text"),
        (lambda: ["no/such/file"], {}, "does not exist"),
        (lambda: NEW, {"memory": -1}, "memory limit"),
        (lambda: NEW, {"encoding": "no-such"}, "not an encoding"),
    ],
)
def test_a_fault_leaves_the_index_as_it_was(sources, options, sentence, tmp_path):
    before = snapshot(built(tmp_path / "out"))
    with pytest.raises(CorpusError, match=sentence):
        add_documents(tmp_path / "out", sources(), **options)
    assert snapshot(tmp_path / "out") == before
    assert add_documents(tmp_path / "out", NEW).document_count == 5


def test_a_cancelled_addition_leaves_the_index_as_it_was(tmp_path):
    before = snapshot(built(tmp_path / "out"))
    for stage in ("Tokenizing", "Sorting"):
        token, told = CancelToken(), []

        def report(progress, stage=stage, token=token, told=told):
            told.append(progress)
            if progress.stage == stage:
                token.pause()

        with pytest.raises(Cancelled):
            add_documents(tmp_path / "out", [{"text": "more"}] * 2_000, report=report, cancel=token)
        assert told and snapshot(tmp_path / "out") == before


def test_no_reader_ever_sees_half(tmp_path, monkeypatch):
    folder = built(tmp_path / "out")
    seen = []
    replace = Path.replace

    def look():
        corpus = open_index(folder)
        counts = (corpus.document_count, corpus.count("cat"), len(corpus.metadata_fields))
        assert verify_index(folder).sound
        if not seen or seen[-1] != counts:
            seen.append(counts)

    def replaced(path, target):
        moved = replace(path, target)
        # Only what happens in the index itself, and not while its new shards are made.
        if Path(target).parent == folder:
            look()
        return moved

    monkeypatch.setattr(Path, "replace", replaced)
    add_documents(folder, NEW)
    look()
    assert seen == [(2, 1, 3), (5, 2, 4)]


KILLED = """
import os, sys
from pathlib import Path
from explorer import add_documents
folder, left = Path(sys.argv[1]), int(sys.argv[2])
replace = Path.replace
def replaced(path, target):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
    return replace(path, target)
Path.replace = replaced
add_documents(folder, [{"text": "the cat again", "n": 1}])
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_a_killed_addition_leaves_the_old_index(tmp_path, scale):
    folder = built(tmp_path / "out", tokenizer="bytes")
    copy = tmp_path / "copy"
    ended = killed = 0
    # From the first rename on: those of the build in the folder beside, those of the files, and that of index.json.
    for left in range(0, 40, scale(6, 1)):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(copy), str(left)], capture_output=True, timeout=60, cwd=tmp_path
        )
        if done.returncode == 0:
            ended += 1
            break
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        killed += 1
        assert open_index(copy).document_count == 2 and verify_index(copy, deep=True).sound
        made = add_documents(copy, NEW)
        assert made.document_count == open_index(copy).document_count == 5
        # What the killed process had made is gone.
        names = sorted(path.name for path in copy.iterdir() if not path.name.startswith("report."))
        assert names == sorted(["index.json", *made.files]) and made.shard_count == 2
    assert ended == 1 and killed >= 2


def test_only_one_adds_at_a_time(tmp_path):
    folder, refused = built(tmp_path / "out"), []

    def report(progress):
        if not refused:
            with pytest.raises(BuildError, match=r"are being added to .* by another process") as raised:
                add_documents(folder, NEW)
            refused.append(raised.value.reason)

    assert add_documents(folder, NEW, report=report).document_count == 5
    assert refused == ["add-under-way"]


def test_another_process_is_kept_out(tmp_path):
    folder = built(tmp_path / "out")
    code = "import sys; from explorer import add_documents; add_documents(sys.argv[1], [{'text': 'x'}])"
    with folder_lock(folder) as free:
        assert free
        # Also another user's, who has another cache.
        environment = {**os.environ, "CORPUS_EXPLORER_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder)], capture_output=True, env=environment, timeout=60, cwd=tmp_path
        )
        assert done.returncode == 1 and b"by another process" in done.stderr
    assert add_documents(folder, NEW).document_count == 5


def test_indexes_that_cannot_grow(tmp_path):
    folder = built(tmp_path / "out")
    foreign = shutil.copytree(folder, tmp_path / "foreign")
    (foreign / "index.json").unlink()
    before = snapshot(foreign)
    with pytest.raises(BuildError, match=r"made by another program: it has no index.json"):
        add_documents(foreign, NEW)
    assert snapshot(foreign) == before
    stray = shutil.copytree(folder, tmp_path / "stray")
    shutil.copy(stray / "tokenized.0", stray / "tokenized.7")
    with pytest.raises(BuildError, match=r"contains tokenized\.7, which its index\.json does not list"):
        add_documents(stray, NEW)
    assert (stray / "tokenized.7").exists() and open_index(stray).document_count == 2
    damaged = shutil.copytree(folder, tmp_path / "damaged")
    (damaged / "offset.0").write_bytes(b"")
    with pytest.raises(DamagedIndexError):
        add_documents(damaged, NEW)
    other = shutil.copytree(folder, tmp_path / "other")
    build_index(NEW, tmp_path / "second", tokenizer="train:280")
    shutil.copy(tmp_path / "second" / "tokenizer.json", other)
    with pytest.raises(CorpusError):
        add_documents(other, NEW)
    with pytest.raises(CorpusError, match="does not exist"):
        add_documents(tmp_path / "nothing", NEW)
    with pytest.raises(SourceError):
        add_documents(folder, 5)


def test_a_changed_tokenizer_is_refused(tmp_path):
    folder = built(tmp_path / "out")
    value = json.loads((folder / "tokenizer.json").read_text())
    # As long as it was, and another file.
    text = json.dumps(value)
    (folder / "tokenizer.json").write_text(text.ljust((folder / "tokenizer.json").stat().st_size))
    manifest = json.loads((folder / "index.json").read_text())
    manifest["files"]["tokenizer.json"] = (folder / "tokenizer.json").stat().st_size
    (folder / "index.json").write_text(json.dumps(manifest))
    with pytest.raises(TokenizerError, match="is not the tokenizer with which the index was built"):
        add_documents(folder, NEW)


def test_a_wide_index_stays_wide(tmp_path):
    # Four bytes per token, as another program may have chosen for a vocabulary that needs two.
    import twin

    build_index(OLD, tmp_path / "two", tokenizer="train:300")
    tokenizer = tmp_path / "two" / "tokenizer.json"
    corpus = open_index(tmp_path / "two")
    documents = [corpus.document(number).tokens.tolist() for number in range(2)]
    twin.write_index(tmp_path / "four", [documents], width=4, metadata=False)
    shutil.copy(tokenizer, tmp_path / "four")
    manifest = json.loads((tmp_path / "two" / "index.json").read_text())
    files = {path.name: path.stat().st_size for path in (tmp_path / "four").iterdir()}
    (tmp_path / "four" / "index.json").write_text(json.dumps({**manifest, "token_width": 4, "files": files}))
    made = add_documents(tmp_path / "four", NEW)
    grown = open_index(tmp_path / "four")
    assert made.token_width == grown.index.local.token_width == 4
    assert grown.count("the cat") == 2 and verify_index(tmp_path / "four", deep=True).sound


@settings(max_examples=5)
@given(parts=st.lists(st.lists(st.text("ab ", max_size=12), min_size=1, max_size=3), min_size=1, max_size=3))
def test_any_additions_give_what_one_build_gives(parts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("added")
    rows = [[{"text": text + ".", "part": number} for text in part] for number, part in enumerate(parts)]
    built(folder / "grown", OLD, "bytes")
    for part in rows:
        add_documents(folder / "grown", part)
    built(folder / "once", [*OLD, *(row for part in rows for row in part)], "bytes")
    same_answers(open_index(folder / "grown"), open_index(folder / "once"))


def test_the_package_reads_a_grown_index(tmp_path):
    pytest.importorskip("infini_gram", reason="the infini-gram package does not install here")
    import twin
    from package_process import Package

    generator = random.Random(5)
    words = ["the", "cat", "dog", "sat", "saw", "on", "mat", "rug"]
    rows = [{"text": " ".join(generator.choices(words, k=20)), "n": n} for n in range(40)]
    built(tmp_path / "out", rows[:25])
    add_documents(tmp_path / "out", rows[25:35])
    add_documents(tmp_path / "out", rows[35:])
    ours = open_index(tmp_path / "out")
    text = twin.Twin.of_index(ours.index)
    ids = np.concatenate([ours.document(number).tokens for number in range(40)]).tolist()
    with Package(
        index_dir=str(tmp_path / "out"), eos_token_id=65534, vocab_size=65535, token_dtype="u16"
    ) as theirs:  # fmt: skip
        for start in range(0, len(ids) - 3, 7):
            query = ids[start : start + 3]
            count = ours.count(query)
            found = theirs.answer(
                count, lambda query=query: theirs.count(query)["count"], lambda query=query: text.count(query)
            )
            assert found == count


def test_what_is_in_the_index_is_not_added_again(tmp_path):
    source = tmp_path / "s"
    source.mkdir()
    (source / "a.txt").write_text("only once")
    (source / "big.txt").write_text("many words " * 200_000)
    build_index(source, tmp_path / "out", tokenizer="bytes")
    before = read_manifest(tmp_path / "out")
    (tmp_path / "renamed.txt").write_text("only once")
    for sources in (source / "a.txt", source, [tmp_path / "renamed.txt"], source / ".." / "s" / "big.txt"):
        with pytest.raises(BuildError, match=r"out already contains \d of \d files?: ") as raised:
            add_documents(tmp_path / "out", sources)
        assert (raised.value.reason, raised.value.option) == ("already-added", "again")
        assert read_manifest(tmp_path / "out") == before
    (source / "a.txt").write_text("changed meanwhile")
    with pytest.raises(BuildError, match=r"a\.txt \(its content has changed since\)"):
        add_documents(tmp_path / "out", source / "a.txt")
    assert add_documents(tmp_path / "out", source / "a.txt", again=True).document_count == 3
    # What was added is known from then on, and other files are added.
    (tmp_path / "b.txt").write_text("another one")
    assert add_documents(tmp_path / "out", tmp_path / "b.txt").read["files_found"] == 4
    with pytest.raises(BuildError, match="already contains 1 of 1 file"):
        add_documents(tmp_path / "out", tmp_path / "b.txt")


def test_an_index_without_a_list_of_its_files_knows_its_sources(tmp_path):
    (tmp_path / "a.txt").write_text("only once")
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    (tmp_path / "out" / "report.json").write_text(json.dumps({"seconds": report["seconds"], "problems": []}))
    # Its last change is known to the second.
    os.utime(tmp_path / "a.txt", (1, 1))
    with pytest.raises(BuildError, match="already contains 1 of 1 file"):
        add_documents(tmp_path / "out", tmp_path / "a.txt")


def test_an_index_is_no_source(tmp_path):
    (tmp_path / "a.txt").write_text("only once")
    for name, form in (("one", "suffix-array"), ("two", "fm")):
        build_index(tmp_path / "a.txt", tmp_path / name, tokenizer="bytes", format=form)
    for name in ("one", "two"):
        with pytest.raises(SourceError, match="is an index: indexes are merged"):
            build_index(tmp_path / name, tmp_path / "out", tokenizer="bytes")
        with pytest.raises(SourceError, match="is an index: indexes are merged"):
            add_documents(tmp_path / "one", tmp_path / name)
    made = build_index(tmp_path, tmp_path.parent / f"{tmp_path.name}-out", tokenizer="bytes")
    assert (made.document_count, made.skipped) == (1, {"folders that were passed over": 2})

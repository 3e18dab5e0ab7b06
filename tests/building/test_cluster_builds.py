"""Builds whose work is done by workers: threads here, which are lost when told to; see test_cluster_processes.py."""

from __future__ import annotations

import gzip
import json
import random
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_files import assert_same_files
from threaded_cluster import ThreadedCluster

from explorer import build_index, open_index
from explorer.backends.cluster.directory import ClusterError
from explorer.building import run
from explorer.building.cluster import crew, jobs, making, pieces
from explorer.building.cluster.dealing import NamedPiece, deal
from explorer.building.cluster.local import local_workers
from explorer.building.request import partial_folder
from explorer.building.sources.source import ReadState
from explorer.building.sources.walk import source_file
from explorer.building.steps.tokenize import ShardRule
from explorer.core.jobs import CancelToken
from explorer.errors import BuildError, Cancelled, SourceError, TokenizerError
from explorer.text.tokens.tokenizer import TextTokenizer

WORDS = [
    "a",
    "suffix",
    "array",
    "lists",
    "every",
    "suffix",
    "of",
    "a",
    "text",
    "in",
    "the",
    "order",
    "of",
    "its",
    "bytes",
]


@pytest.fixture(autouse=True)
def small_and_quick(monkeypatch):
    """Many pieces of a small corpus; and equal times in all manifests."""
    monkeypatch.setattr(jobs, "_LEAST", 1 << 10)
    monkeypatch.setattr(crew, "_PAUSE", 0.02)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Files of all kinds, with lines and files that cannot be read."""
    folder = tmp_path_factory.mktemp("sources")
    chance = random.Random(5)
    for number in range(12):
        rows = [
            json.dumps({"text": " ".join(chance.choices(WORDS, k=chance.randint(0, 40))), "n": i}) for i in range(30)
        ]
        rows[3:3] = ["{bad"] * (number % 4 == 1)
        (folder / f"rows-{number:02}.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "rows-20.csv").write_text("text,n\n" + "".join(f"{word} again,{n}\n" for n, word in enumerate(WORDS)))
    (folder / "more").mkdir()
    with gzip.open(folder / "more" / "text.txt.gz", "wt") as file:
        file.write("a text in a file, of some length. " * 80)
    (folder / "empty.txt").write_text("")
    (folder / "picture.bin").write_bytes(b"\0\1\2" * 100)
    return folder


@pytest.fixture
def cluster(monkeypatch):
    """Three workers that every build uses."""
    threads = ThreadedCluster("a", "b", "c")

    @contextmanager
    def connected(request):
        yield making.OnCluster(threads)

    monkeypatch.setattr(making, "cluster_of", connected)
    yield threads
    threads.close()


OPTIONS = [
    {"tokenizer": "bytes"},
    {"tokenizer": "train:400", "shards": 3},
    {"tokenizer": "bytes", "shards": 100, "metadata_fields": ["n"]},
    {"tokenizer": "bytes", "format": "fm", "keep_text": True, "shards": 2},
]


@pytest.mark.parametrize("options", OPTIONS, ids=["bytes", "trained", "many shards", "compressed"])
def test_files_are_those_of_one_process(sources, tmp_path, cluster, options):
    one, other = tmp_path / "one", tmp_path / "other"
    build_index(sources, one, skip_bad=True, name="x", **options)
    build_index(sources, other, skip_bad=True, name="x", cluster="threads", **options)
    assert_same_files(one, other)
    assert {worker for worker, name, _ in cluster.calls if name == "do"} == {"a", "b", "c"}
    assert not partial_folder(other).exists()


def test_tokens_of_four_bytes_and_a_table_of_metadata(tmp_path, cluster, monkeypatch):
    from tokenizers import Tokenizer, models, pre_tokenizers

    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(9):
        (texts / f"{number}.txt").write_text(" ".join(random.Random(number).choices(WORDS, k=200)))
    (tmp_path / "table.csv").write_text("path,year\n" + "".join(f"{n}.txt,{1900 + n}\n" for n in range(9)))
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys([*WORDS, *map(str, range(70_000))]))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="a"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.chdir(tmp_path)
    given = {"tokenizer": "tokenizer.json", "metadata": "table.csv", "shards": 2}
    build_index("texts", "one", name="x", **given)
    build_index("texts", "other", name="x", cluster="threads", **given)
    assert_same_files(tmp_path / "one", tmp_path / "other")
    assert open_index("one").index.local.token_width == 4


def test_what_is_on_disk_is_not_done_again(sources, tmp_path, cluster):
    """A build that stops in the middle continues with other workers, and with what is sound."""
    out, done = tmp_path / "out", []

    def stop_late(worker, name, arguments):
        if name == "do":
            done.append(arguments[1])
        return MemoryError() if len(done) == 6 else None

    cluster.before = stop_late
    with pytest.raises(BuildError):
        build_index(sources, out, tokenizer="bytes", skip_bad=True, name="x", cluster="threads")
    kept = {path.name: path for path in (partial_folder(out) / "pieces").iterdir() if (path / "piece.json").is_file()}
    assert len(kept) >= 3
    spoilt, *sound = kept.values()
    (spoilt / "tokenized.0").write_bytes(b"")
    times = {path.name: (path / "tokenized.0").stat().st_mtime_ns for path in sound}
    seen = {}

    def look(worker, name, arguments):
        for path in sound:
            if path.is_dir():
                seen[path.name] = (path / "tokenized.0").stat().st_mtime_ns

    cluster.before, cluster.here = look, ["b"]
    build_index(sources, out, tokenizer="bytes", skip_bad=True, name="x", cluster="threads", resume=True)
    assert seen == times
    build_index(sources, tmp_path / "one", tokenizer="bytes", skip_bad=True, name="x")
    assert_same_files(tmp_path / "one", out)


def test_one_process_continues_a_build_of_a_cluster_and_back(sources, tmp_path, cluster):
    out = tmp_path / "out"
    cluster.before = lambda worker, name, arguments: (
        MemoryError() if name == "do" and isinstance(arguments[1], jobs.ShardJob) else None
    )
    options = {"tokenizer": "bytes", "skip_bad": True, "name": "x", "shards": 3}
    for _ in range(2):
        with pytest.raises(BuildError):
            build_index(sources, out, cluster="threads", resume=True, **options)
    build_index(sources, out, resume=True, **options)
    build_index(sources, tmp_path / "one", **options)
    assert_same_files(tmp_path / "one", out)


def test_a_build_that_only_lacks_its_description_asks_no_worker(sources, tmp_path, cluster, monkeypatch):
    """Pieces are removed before the description is written."""
    out, real = tmp_path / "out", run.write_report

    def fail(*values):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run, "write_report", fail)
    options = {"tokenizer": "bytes", "skip_bad": True, "name": "x", "shards": 2, "cluster": "threads"}
    with pytest.raises(BuildError):
        build_index(sources, out, **options)
    assert not (partial_folder(out) / "pieces").exists()
    monkeypatch.setattr(run, "write_report", real)
    cluster.calls.clear()
    build_index(sources, out, resume=True, **options)
    build_index(sources, tmp_path / "one", tokenizer="bytes", skip_bad=True, name="x", shards=2)
    assert_same_files(tmp_path / "one", out)
    assert cluster.calls == []


@pytest.mark.parametrize("kind", [jobs.PieceJob, jobs.ShardJob], ids=["piece", "shard"])
def test_the_work_of_a_lost_worker_is_given_to_others(sources, tmp_path, cluster, kind, caplog):
    lost = []

    def lose(worker, name, arguments):
        if name == "do" and isinstance(arguments[1], kind) and worker != "c" and worker not in lost:
            lost.append(worker)
            cluster.here.remove(worker)
            time.sleep(0.1)

    cluster.before = lose
    build_index(sources, tmp_path / "out", tokenizer="bytes", skip_bad=True, name="x", shards=4, cluster="threads")
    build_index(sources, tmp_path / "one", tokenizer="bytes", skip_bad=True, name="x", shards=4)
    assert_same_files(tmp_path / "one", tmp_path / "out")
    assert sorted(lost) == ["a", "b"] and "2 jobs were done again" in caplog.text


def test_workers_that_come_later_take_part(sources, tmp_path, cluster):
    cluster.here = ["a"]

    def come(worker, name, arguments):
        if name == "do":
            cluster.here = ["a", "b", "c"]
            time.sleep(0.05)

    cluster.before = come
    build_index(sources, tmp_path / "out", tokenizer="bytes", skip_bad=True, cluster="threads")
    assert {worker for worker, name, _ in cluster.calls if name == "do"} == {"a", "b", "c"}


def test_a_job_that_ends_every_worker_ends_the_build(sources, tmp_path, cluster):
    cluster.before = lambda worker, name, arguments: OSError("lost") if name == "do" else None
    with pytest.raises(ClusterError, match="10 workers were lost at the same job") as refused:
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    assert refused.value.reason == "workers-lost" and not (tmp_path / "out").exists()


def test_without_workers(sources, tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(crew, "_ALONE", 0.1)
    cluster.here = []
    with pytest.raises(ClusterError, match="has no workers"):
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    cluster.here = ["a"]

    def leave(worker, name, arguments):
        if name == "do":
            cluster.here = []

    cluster.before = leave
    with pytest.raises(ClusterError, match="has no workers"):
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True, resume=True)


def test_a_worker_that_does_not_fit_may_come_to_others_but_not_alone(sources, tmp_path, cluster):
    found = {**JOINED, "version": "0.0"}
    cluster.here = ["a"]

    def come(worker, name, arguments):
        cluster.here = ["a", "b"]
        return found if worker == "b" else None

    cluster.before = come
    build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    assert {worker for worker, name, _ in cluster.calls if name == "do"} == {"a"}
    cluster.here, begun = ["b"], time.monotonic()

    def workers():
        # Nobody is there at first.
        return ["b"] if time.monotonic() > begun + 0.2 else []

    cluster.before, cluster.workers = lambda worker, name, arguments: found, workers
    with pytest.raises(ClusterError, match=r"b has version 0\.0"):
        build_index(sources, tmp_path / "other", tokenizer="bytes", cluster="threads", skip_bad=True)


JOINED = {"version": "0", "sees": True, "cannot_write": ""}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"version": "0.0"}, "b has version 0.0 of this program, and this is "),
        ({"sees": False}, "b does not see "),
        ({"cannot_write": "Read-only file system"}, "b cannot write into "),
    ],
)
def test_workers_that_do_not_fit_are_refused_before_any_work(sources, tmp_path, cluster, answer, expected):
    from explorer.version import version_of

    found = {**JOINED, "version": version_of("corpus-explorer"), **answer}
    cluster.before = lambda worker, name, arguments: found if worker == "b" else None
    with pytest.raises(ClusterError) as refused:
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    assert str(refused.value).startswith(expected)
    assert not any(name == "do" for _, name, _ in cluster.calls)


@pytest.mark.parametrize(
    ("error", "reason", "expected"),
    [
        (
            BuildError("{path} cannot be written", reason="worker-cannot-write", path="/p"),
            "worker-failed",
            "a: /p",
        ),
        (SourceError("not here", reason="source-not-on-worker"), "worker-failed", "a: not here"),
        (SourceError("a bad line", reason="bad-line"), "bad-line", "a bad line"),
        (ZeroDivisionError("by zero"), "worker-failed", "a: by zero"),
    ],
)
def test_what_stops_a_job_stops_the_build(sources, tmp_path, cluster, error, reason, expected):
    cluster.here = ["a"]
    cluster.before = lambda worker, name, arguments: error if name == "do" else None
    with pytest.raises((BuildError, SourceError)) as refused:
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    assert refused.value.reason == reason and str(refused.value).startswith(expected)


def test_a_file_that_changes_under_the_workers(sources, tmp_path, cluster):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("one text")

    def change(worker, name, arguments):
        if name == "do":
            (texts / "a.txt").write_text("another text")

    cluster.before = change
    with pytest.raises(SourceError, match="is another file on this worker"):
        build_index(texts, tmp_path / "out", tokenizer="bytes", cluster="threads")


def test_another_tokenizer_in_the_folder(tmp_path, sources, cluster):
    def change(worker, name, arguments):
        if name == "do":
            with open(arguments[1].partial / "tokenizer.json", "a") as file:
                file.write(" ")

    cluster.before = change
    with pytest.raises(TokenizerError, match="is another tokenizer on this worker"):
        build_index(sources, tmp_path / "out", tokenizer="train:300", cluster="threads", skip_bad=True)


def test_it_stops_when_asked_and_leaves_nothing(sources, tmp_path, cluster):
    cancel = CancelToken()

    def stop(worker, name, arguments):
        if name == "do":
            cancel.cancel()

    cluster.before = stop
    with pytest.raises(Cancelled):
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True, cancel=cancel)
    assert list(tmp_path.iterdir()) == []


def test_records_and_empty_sources_are_refused(tmp_path, cluster):
    with pytest.raises(BuildError, match="from files only"):
        build_index([{"text": "a"}], tmp_path / "out", tokenizer="bytes", cluster="threads")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(SourceError, match="There is no text to index"):
        build_index(tmp_path / "empty.txt", tmp_path / "out", tokenizer="bytes", cluster="threads")
    assert not (tmp_path / "out").exists()


def test_a_folder_called_pieces_that_is_not_ours_is_left_alone(sources, tmp_path, cluster):
    mine = tmp_path / "out.partial" / "pieces"
    mine.mkdir(parents=True)
    (mine / "thesis.txt").write_text("mine")
    with pytest.raises(BuildError, match="in the way"):
        build_index(sources, tmp_path / "out", tokenizer="bytes", cluster="threads", skip_bad=True)
    assert (mine / "thesis.txt").read_text() == "mine"


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9)), max_size=6), min_size=1, max_size=5),
    st.integers(1, 6),
    st.integers(1, 12),
)
def test_documents_are_dealt_one_after_the_other(groups, shards, limit):
    """A slow twin deals them from one list."""
    sizes = [sum(read for _, read in group) for group in groups]
    rule = ShardRule(shards, limit, sum(sizes))
    named = []
    for number, group in enumerate(groups):
        reads = np.cumsum([read for _, read in group])
        places = np.array([(0, n, read) for n, read in enumerate(reads, 1)], dtype=np.int64).reshape(-1, 3)
        note = pieces.Note(0, (), 0)
        made = pieces.Piece(np.array([tokens for tokens, _ in group], dtype=np.int64), places, (), note, ())
        named.append(NamedPiece(str(number), 1, sizes[number], made))
    twin, tokens, read = [[]], 0, 0
    for number, group in enumerate(groups):
        for document, (length, size) in enumerate(group):
            read += size
            if rule.begins(len(twin), tokens, len(twin[-1]), length, read):
                twin.append([])
                tokens = 0
            twin[-1].append((str(number), document))
            tokens += length + 1
    dealt = deal(named, rule, ReadState())
    assert [
        [(each.piece, at) for each in shard.slices for at in range(each.first, each.end)] for shard in dealt
    ] == twin
    assert [shard.document_count for shard in dealt] == [len(shard) for shard in twin]


def test_no_worker_waits_while_there_are_jobs(tmp_path, cluster):
    """Each job ends when both workers are at one: of 40 jobs, each has 20, and no time is lost between them."""
    cluster.here = ["a", "b"]
    partial = tmp_path / "out.partial"
    partial.mkdir()
    both = threading.Barrier(2)

    def meet(worker, name, arguments):
        if name == "do":
            both.wait(60)
            return "done"
        return None

    cluster.before = meet
    done = []
    crew.Crew(cluster, partial).run([object()] * 40, lambda number, _: done.append(number), CancelToken())
    given = Counter(worker for worker, name, _ in cluster.calls if name == "do")
    assert sorted(done) == list(range(40)) and given == {"a": 20, "b": 20}


@pytest.mark.parametrize("named", ["local:0", "local:", "local:-1", "local:two", "local:٣", "local:1000"])
def test_numbers_of_workers(named):
    with pytest.raises(ClusterError, match="does not name a number of workers"):
        local_workers(named)


def test_a_worker_gets_absolute_paths_and_no_tokenizer(sources, tmp_path, monkeypatch):
    """Its current folder is another one; and the tokenizer is in the folder of the build."""
    monkeypatch.chdir(sources)
    given = TextTokenizer.raw_bytes()
    request = run.BuildRequest((Path("empty.txt"),), tmp_path / "out", metadata="table.csv", given=given)
    state = run.BuildState(request.parameters, 1, "bytes", "", 0, {})
    (job,) = jobs.piece_jobs(request, state, [source_file(Path("empty.txt"), "empty.txt")], Path("out.partial"))
    assert job.files[0].path == sources / "empty.txt" and job.partial == sources / "out.partial"
    assert (job.request.given, job.request.metadata) == (None, "")

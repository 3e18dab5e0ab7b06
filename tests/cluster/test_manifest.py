"""A file that lists a cluster's folders: it opens as an index, and misses what is missing."""

from __future__ import annotations

import json
import os
import shutil
import signal

import pytest
from cluster import started
from served import running

from explorer import build_index, open_index
from explorer.backends.cluster import asking
from explorer.backends.cluster.directory import ClusterError, Directory, Group, Sizes
from explorer.backends.cluster.manifest import check_complete, placed, read_manifest, write_manifest
from explorer.cli.main import main

pytestmark = [
    pytest.mark.local("asks folders on workers itself"),
    # Dask and its event loop leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
ONE = Group(("a", "b"), ("part-0", "part-1"), ("tcp://n1:1",), (Sizes(5, 1, 1), Sizes(6, 2, 1)))
OTHER = Group(("c",), ("part-2",), ("tcp://n2:1", "tcp://n3:1"), (Sizes(7, 3, 2),))
WHOLE = Directory((ONE, OTHER))


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "news.cluster.json"
    write_manifest(path, "tls://n1:8786", WHOLE)
    return path


def test_what_is_written_is_read(written):
    found = read_manifest(written)
    assert found.address == "tls://n1:8786"
    assert [(group.fingerprints, group.names, group.sizes) for group in found.groups] == [
        (("a", "b"), ("part-0", "part-1"), ONE.sizes),
        (("c",), ("part-2",), OTHER.sizes),
    ]


def test_workers_may_change_and_be_joined_by_others(written):
    """The order of the file stays, and folders that it does not list do not belong to it."""
    now = Directory(
        (Group(("c", "z"), ("part-2", "new"), ("tcp://n9:1",)), Group(("a", "b"), ("x", "y"), ("tcp://n8:1",)))
    )
    groups = placed(read_manifest(written), now)
    assert [(group.fingerprints, group.workers) for group in groups] == [
        (("a", "b"), ("tcp://n8:1",)),
        (("c",), ("tcp://n9:1",)),
    ]


def test_a_missing_folder_is_named(written):
    groups = placed(read_manifest(written), Directory((ONE,)))
    assert [(group.names, group.workers) for group in groups] == [(ONE.names, ONE.workers), (("part-2",), ())]
    with pytest.raises(ClusterError, match=r"1 of 3 folders of the cluster are on no worker now: part-2\.") as refused:
        check_complete(groups)
    assert refused.value.reason == "shards-missing"


def test_folders_that_were_together_and_are_not(written):
    """They keep their order, and are asked one by one."""
    apart = Directory((Group(("a",), ("part-0",), ("tcp://n1:1",)), Group(("b",), ("part-1",), ("tcp://n2:1",)), OTHER))
    groups = placed(read_manifest(written), apart)
    check_complete(groups)
    assert [(group.names, group.workers, group.sizes) for group in groups] == [
        (("part-0",), ("tcp://n1:1",), ONE.sizes[:1]),
        (("part-1",), ("tcp://n2:1",), ONE.sizes[1:]),
        (OTHER.names, OTHER.workers, OTHER.sizes),
    ]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda value: [], "a field is missing"),
        (lambda value: {**value, "format": 2}, "another version"),
        (lambda value: {**value, "groups": []}, "none is"),
        (lambda value: {**value, "groups": [[]]}, "none is"),
        (lambda value: {**value, "groups": value["groups"] * 2}, "listed twice"),
        (lambda value: {**value, "groups": [[{"fingerprint": 5, "name": "x"}]]}, "another type"),
        (lambda value: {key: value[key] for key in ("format", "groups")}, "a field is missing"),
    ],
)
def test_other_files_are_refused(written, change, cause):
    written.write_text(json.dumps(change(json.loads(written.read_text()))))
    with pytest.raises(ClusterError, match=cause) as refused:
        read_manifest(written)
    assert refused.value.reason == "bad-manifest" and str(written) in str(refused.value)


def test_no_json_and_no_file(tmp_path):
    path = tmp_path / "x.cluster.json"
    with pytest.raises(ClusterError, match="No such file"):
        open_index(path)
    path.write_bytes(b"\xff")
    with pytest.raises(ClusterError, match="not UTF-8"):
        open_index(path)


def test_the_name_tells_what_it_is(tmp_path):
    with pytest.raises(ClusterError, match=r"must end in") as refused:
        write_manifest(tmp_path / "news.json", "tcp://localhost:1", WHOLE)
    assert refused.value.reason == "manifest-name" and not [*tmp_path.iterdir()]


@pytest.mark.nightly
def test_on_a_cluster(tmp_path, capsys, monkeypatch):
    """Listed, opened by the file, and refused when a folder is gone."""
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    for number, text in enumerate(("the cat sat", "a cat ran", "the dog")):
        build_index([{"text": text}], tmp_path / ("two" if number else "one") / f"part-{number}", tokenizer="bytes")
    path = tmp_path / "news.cluster.json"
    # A machine that is busy with other tests may take seconds to answer.
    monkeypatch.setattr(asking, "_ANSWERS", 6.0)
    with started({name: tmp_path / name for name in ("one", "two")}) as workers:
        assert main(["workers", workers.address, "--manifest", str(path)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[:4] for line in lines[1:4]] == [
            ["part-0", "1", "12", "1"],
            ["part-1", "1", "10", "1"],
            ["part-2", "1", "8", "1"],
        ]
        assert lines[4] == "3 of 3 folders on 2 machines now."
        with open_index(path) as corpus:
            assert corpus.search("cat").count == 2 and corpus.index.name == "news"
            assert corpus.index.sources == (str(path),) and corpus.index.remark == ""
        assert main(["count", str(path), "cat"]) == 0
        assert capsys.readouterr().out.split()[0] == "2"
        shutil.rmtree(tmp_path / "two" / "part-1")
        with pytest.raises(ClusterError, match="1 of 3 folders of the cluster are on no worker now: part-1"):
            open_index(path)
        assert main(["workers", str(path)]) == 1
        out, said = capsys.readouterr()
        assert out.splitlines()[2].split() == ["part-1", "1", "10", "0", "missing"]
        assert "1 folder of 3 missing" in said
        assert main(["workers", str(path), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["machine_count"], found["missing_count"]) == (2, 1)
        assert [len(row["machines"]) for row in found["results"]] == [1, 0, 1]
        # A server passes it on to the window.
        with running([("news", open_index(path, partial=True))]) as asker:
            assert main(["workers", f"{asker.address}#news", "--format", "jsonl"]) == 1
            rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
            assert rows == found["results"]
        assert main(["workers", str(path), "--manifest", str(tmp_path / "y.cluster.json")]) == 2
        stopped = workers.pause("one")
        try:
            assert main(["workers", str(path), "--json"]) == 1
            assert json.loads(capsys.readouterr().out)["missing_count"] == 2
        finally:
            os.kill(stopped, signal.SIGCONT)
    assert main(["workers", str(tmp_path / "two" / "part-2")]) == 2
    assert "is in one place" in capsys.readouterr().err

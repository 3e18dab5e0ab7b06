"""Answers without the folders that are on no worker: lower bounds that are marked, or errors."""

from __future__ import annotations

import json
import shutil
import time

import pytest
from cluster import started

from explorer import build_index, dispersion_strips, open_index
from explorer.backends.asked.answers import Answers
from explorer.backends.asked.questions import QUESTIONS, read_answer, written
from explorer.backends.cluster import asking, partial
from explorer.backends.cluster.directory import ClusterError
from explorer.backends.cluster.manifest import read_manifest, write_manifest
from explorer.backends.cluster.opening import asked_cluster
from explorer.backends.request import IndexRequest
from explorer.cli.main import main
from explorer.errors import CorpusError, QueryError
from explorer.text.patterns.pattern import Pattern

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = [
    pytest.mark.local("asks folders on workers itself"),
    # Dask and its event loop leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
TEXTS = (["the cat sat"], ["a cat ran", "the cat"], ["the dog and the cat"])


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The first worker has two folders, the second another one."""
    root = tmp_path_factory.mktemp("folders")
    for number, texts in enumerate(TEXTS):
        where = root / ("two" if number == 1 else "one") / f"part-{number}"
        build_index([{"text": text, "number": number} for text in texts], where, tokenizer="bytes")
    return {name: root / name for name in ("one", "two")}


@pytest.fixture(scope="module")
def manifest(folders, tmp_path_factory):
    """The cluster as it was when it was complete; its address is that of a cluster that has ended."""
    path = tmp_path_factory.mktemp("manifest") / "news.cluster.json"
    with started(folders) as workers:
        cluster = asked_cluster(workers.address, IndexRequest((workers.address,)))
        write_manifest(path, workers.address, cluster.directory)
        cluster.close()
    return path


@pytest.fixture(scope="module")
def incomplete(folders, manifest, tmp_path_factory):
    """A manifest of a cluster whose second worker is off."""
    with started({"one": folders["one"]}) as workers:
        path = tmp_path_factory.mktemp("now") / "news.cluster.json"
        path.write_text(json.dumps(json.loads(manifest.read_text()) | {"cluster": workers.address}))
        yield path


def test_without_leave_an_incomplete_cluster_is_not_opened(incomplete, capsys):
    begun = time.monotonic()
    with pytest.raises(ClusterError, match="1 of 3 folders of the cluster are on no worker now: part-1"):
        open_index(incomplete)
    assert time.monotonic() - begun < 3
    assert main(["count", str(incomplete), "cat"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "part-1" in said.err and "--partial" in said.err


def test_counts_are_lower_bounds(incomplete, capsys):
    assert main(["count", str(incomplete), "cat", "--partial"]) == 0
    said = capsys.readouterr()
    assert said.out == "≥ 2\tcat\n" and "lower bounds: left out of news were part-1" in said.err
    assert main(["kwic", str(incomplete), "cat", "--partial", "--count"]) == 0
    assert capsys.readouterr().out == "≥ 2\tcat\n"


@pytest.mark.parametrize("options", [(), ("--literal",), ("--match", "regex"), ("--documents",)])
def test_json_names_what_is_missing(incomplete, capsys, options):
    assert main(["count", str(incomplete), "cat", "--partial", "--json", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["index"]["missing"] == ["part-1"]
    assert (found["results"][0]["count"], found["results"][0]["exact"]) == (2, False)
    assert found["results"][0]["document_count"] == (2 if "--documents" in options else None)
    assert "part-1" in found["problems"][0]["reason"]


def test_lines_are_those_that_are_there(incomplete, capsys):
    assert main(["kwic", str(incomplete), "cat", "--partial", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["line_count"], found["exact"], found["index"]["missing"]) == (2, False, ["part-1"])
    assert len(found["results"]) == 2


def test_documents_keep_their_numbers(folders, manifest, incomplete):
    order = [name for group in read_manifest(manifest).groups for name in group.names]
    texts = [text for name in order for text in TEXTS[int(name[-1])]]
    with open_index(incomplete, partial=True) as corpus:
        assert corpus.document_count == 4
        assert corpus.index.missing == ("part-1",)
        for number, text in enumerate(texts):
            if text in TEXTS[1]:
                with pytest.raises(ClusterError, match="part-1"):
                    corpus.document(number)
            else:
                assert corpus.document(number).text == text


def test_what_is_no_bound_is_an_error(incomplete):
    with open_index(incomplete, partial=True) as corpus:
        questions = [
            lambda: corpus.trace("the cat sat"),
            lambda: corpus.next_tokens("the c"),
            lambda: corpus.infgram_prob("the c", 97),
            lambda: corpus.prob("the c", 97),
            lambda: corpus.count_many([[99]]),
            lambda: corpus.collocates("cat"),
            lambda: corpus.collocates("cat", unit="tokens"),
            lambda: dispersion_strips(corpus, ["cat"]),
            lambda: corpus.clusters("cat", unit="tokens"),
            lambda: corpus.dispersion(),
            lambda: corpus.longest_matches([99, 97]),
            lambda: corpus.agreement("the cat sat"),
            lambda: corpus.metadata(),
            lambda: corpus.count("cat", where="number=0"),
        ]
        for question in questions:
            with pytest.raises(CorpusError, match=r"part-1|on this machine only"):
                question()


def test_what_joins_clauses_needs_a_node(incomplete):
    with open_index(incomplete, partial=True) as corpus:
        with pytest.raises(QueryError, match="part-1 are missing") as refused:
            corpus.search('"cat" AND "the"')
        assert refused.value.reason == "node-unknown"
        found = corpus.search('"cat" AND "the"', node=0)
        assert found.count == 2 and not found.exact and repr(found).startswith("QueryResult(≥ ")
        found = corpus.search('"cat" AND NOT "dog"')
        assert (found.count, found.exact) == (1, False)


@pytest.mark.nightly
def test_a_worker_that_is_lost_later(folders):
    """Within two seconds, as an error or as a bound; and what was counted before stays exact."""
    with started(folders) as workers, open_index(workers.address) as strict:
        with open_index(workers.address, partial=True) as corpus:
            whole = corpus.search("cat")
            assert (whole.count, whole.exact, corpus.index.missing) == (4, True, ())
            workers.lose("two")
            begun = time.monotonic()
            found = corpus.search("cat")
            took = time.monotonic() - begun
            assert (found.count, found.exact, corpus.index.missing) == (2, False, ("part-1",))
            # Two seconds on an idle machine.
            assert asking.PATIENCE < took < 3, took
            begun = time.monotonic()
            assert corpus.search("cat").count == 2
            assert time.monotonic() - begun < asking.PATIENCE
        begun = time.monotonic()
        with pytest.raises(ClusterError, match=r"No worker of .* that has part-1 answers"):
            strict.search("cat")
        took = time.monotonic() - begun
        assert took < 3, took


@pytest.mark.nightly
def test_folders_that_come_back_count_again(folders, incomplete, tmp_path):
    shutil.copytree(folders["one"], tmp_path / "one")
    with started({"one": tmp_path / "one"}) as workers:
        path = tmp_path / "news.cluster.json"
        path.write_text(json.dumps(json.loads(incomplete.read_text()) | {"cluster": workers.address}))
        with open_index(path, partial=True) as corpus:
            assert corpus.count("cat") == 2
            shutil.copytree(folders["two"] / "part-1", tmp_path / "one" / "part-1")
            end = time.monotonic() + 20
            while corpus.count("cat") != 4:
                assert time.monotonic() < end
                time.sleep(0.1)
            # Answers without it may still be in use, so the mark stays.
            assert corpus.index.missing == ("part-1",)


@pytest.mark.parametrize("name", sorted(partial._NOTHING))
def test_what_is_missing_answers_as_an_index_without_hits(folders, name):
    """As a real index does to what it does not have."""
    with open_index(folders["two"] / "part-1") as corpus:
        ids, pattern = corpus.encode("zzz"), Pattern("zzz", "text", False, False)
        parts = (corpus.index.hits.find(ids),)
        arguments = {"find_text": [(pattern,)], "numbered": [parts]}.get(name, [ids])
        expected = Answers(corpus.index).answer(name, written(arguments))
    found = partial.to_json(partial._nothing(name, written(arguments)))
    assert read_answer(QUESTIONS[name], found) == read_answer(QUESTIONS[name], expected)


def test_options_that_cannot_carry_the_mark(incomplete, tmp_path, capsys):
    list_file = tmp_path / "list.txt"
    list_file.write_text("cat\n")
    assert main(["count", str(incomplete), "--patterns", str(list_file), "--partial"]) == 2
    assert main(["count", str(incomplete), "cat", "--partial", "--out", str(tmp_path / "x.csv")]) == 2
    assert main(["kwic", str(incomplete), "cat", "--partial", "--out", str(tmp_path / "x.csv")]) == 2
    assert capsys.readouterr().out == "" and not (tmp_path / "x.csv").exists()

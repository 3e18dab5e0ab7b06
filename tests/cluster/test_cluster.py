"""An index on the workers of a cluster: it answers as one in folders, and never with a part of an answer."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest
from cluster import started
from served import running

from explorer import build_index, open_index
from explorer.backends.cluster import asking, connection, host
from explorer.backends.cluster.directory import ClusterError, directory_of
from explorer.backends.registry import BACKENDS
from explorer.backends.request import IndexRequest
from explorer.cli.main import main
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, CorpusError, QueryError
from explorer.version import version_of

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = [
    pytest.mark.local("asks folders on workers itself"),
    # Dask and its event loop leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
TEXTS = (
    ["the cat sat on the mat", "a dog saw the cat"],
    ["the cat ran", "no bird sat on the mat", "a dog"],
    ["the dog sat on the cat"],
    ["on the mat, the cat sat and sat"],
)


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left():
    """What Dask leaves to the garbage collector goes here, and not in the middle of another test, which would fail."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """Four folders: the first worker has two of them, the second has two, of which one is also on the third."""
    root = tmp_path_factory.mktemp("shards")
    for number, texts in enumerate(TEXTS):
        build_index([{"text": text, "part": number} for text in texts], root / str(number), tokenizer="bytes")
    for name, numbers in (("one", (0, 1)), ("two", (2, 3)), ("three", (3,))):
        for number in numbers:
            shutil.copytree(root / str(number), root / name / f"part-{number}")
    return root


@pytest.fixture(scope="module")
def workers(shards):
    with started({name: shards / name for name in ("one", "two", "three")}) as found:
        yield found


@pytest.fixture
def corpus(workers):
    with open_index(workers.address) as opened:
        yield opened


@pytest.fixture(scope="module")
def whole(shards):
    """The same folders here."""
    return open_index([shards / str(number) for number in range(len(TEXTS))])


def test_it_is_one_index(corpus, whole, workers):
    assert (corpus.token_count, corpus.document_count) == (whole.token_count, whole.document_count)
    assert corpus.index.sources == (workers.address,) and corpus.index.local is None
    texts = {whole.document(number).text for number in range(whole.document_count)}
    assert {corpus.document(number).text for number in range(corpus.document_count)} == texts


def test_questions_are_answered_as_by_one_process(corpus, whole):
    random = np.random.default_rng(5)
    text = whole.encode(" ".join(text for texts in TEXTS for text in texts))
    for _ in range(60):
        first = int(random.integers(len(text) - 6))
        ids = text[first : first + int(random.integers(1, 6))]
        assert corpus.count(ids) == whole.count(ids)
        one, other = corpus.next_tokens(ids), whole.next_tokens(ids)
        assert (one.tokens.tolist(), one.counts.tolist()) == (other.tokens.tolist(), other.counts.tolist())
    answer = "I saw that the cat sat on the mat and no dog"
    assert [span.count for span in corpus.trace(answer).spans] == [span.count for span in whole.trace(answer).spans]
    assert corpus.search("the cat").count == whole.search("the cat").count == 5
    assert corpus.search("/s[ae]t/", match="regex").count == whole.search("/s[ae]t/", match="regex").count
    for query in ('"cat" AND "mat"', '"sat" AND NOT "dog"'):
        assert corpus.search(query).count == whole.search(query).count
    with pytest.raises(CapabilityError, match="cannot be sorted"):
        corpus.ngrams(2)
    with pytest.raises(QueryError):
        corpus.search("/[/", match="regex")


def test_one_message_per_group_and_question(corpus):
    cluster = corpus.index.parts.backends[0]._asker.send.cluster
    groups = len(cluster.directory.groups)
    assert groups == 3
    before = cluster.asked
    corpus.count("the cat")
    assert cluster.asked - before == groups


def test_the_command_line(workers, whole, capsys):
    assert main(["count", workers.address, "the cat"]) == 0
    assert capsys.readouterr().out.split()[0] == "5"


@pytest.mark.nightly
def test_documents_are_subtracted_on_the_workers(workers, shards, whole, tmp_path, capsys):
    """Also by a worker that was restarted, which was not told which."""
    removed = [{"text": text} for text in ("the cat ran", "a dog", "a new one")]
    build_index(removed, tmp_path / "less", tokenizer="bytes")
    folders = [shards / str(number) for number in range(len(TEXTS))]
    own = open_index(folders, minus=tmp_path / "less")
    with open_index(workers.address, minus=tmp_path / "less") as less:
        assert less.minus_unmatched == own.minus_unmatched == 1
        assert "1 of 3 documents to subtract are not in this index" in less.index.remark
        assert less.document_count == own.document_count == whole.document_count - 2
        for text in ("the cat", "dog", "a", "the cat ran"):
            assert less.search(text).count == own.search(text).count
        assert less.index.documents.numbers().tolist() != list(range(less.document_count))
        workers.kill("one")
        assert less.search("the cat").count == own.search("the cat").count == whole.search("the cat").count - 1
        last = pickle.loads(pickle.dumps(less))
        assert last.document_count == less.document_count
    assert main(["count", workers.address, "the cat", "--minus", str(tmp_path / "less")]) == 0
    assert capsys.readouterr().out.split()[0] == "4"


def test_a_part_of_the_documents_is_an_index_of_its_own(corpus, whole):
    mine, own = (each.subset("part = 1") for each in (corpus, whole))
    assert (mine.document_count, mine.token_count) == (own.document_count, own.token_count) == (3, own.token_count)
    texts = ["the cat", "mat", "a dog"]
    assert mine.count_many(texts).tolist() == own.count_many(texts).tolist() == [1, 1, 1]
    assert corpus.count_many(texts, where="part = 1").tolist() == [1, 1, 1]


@pytest.mark.nightly
def test_a_server_at_the_head(workers, whole):
    """The window and scripts ask it as any other server; what needs ranks is refused with a sentence."""
    with running([("news", open_index(workers.address))]) as asker:
        with open_index(f"{asker.address}#news") as remote:
            assert remote.count("the cat") == whole.count("the cat")
            answer = "I saw that the cat sat on the mat"
            assert [span.count for span in remote.trace(answer).spans] == [
                span.count for span in whole.trace(answer).spans
            ]
        question = {"index": "news", "query": "the cat"}
        assert asker.post({**question, "query_type": "count"})[1]["count"] == whole.count("the cat")
        ids = whole.encode("the ca").tolist()
        status, found = asker.post({"index": "news", "query_ids": ids, "query_type": "ntd"})
        assert status == 200 and found["prompt_cnt"] == whole.count("the ca")
        for kind in ("find", "search_docs"):
            assert "has no ranks" in asker.post({**question, "query_type": kind})[1]["error"]
        assert asker.get("/healthz")[1]["indexes"][0]["token_type"] == "u8"
        assert asker.complaints == []


@pytest.mark.nightly
def test_the_command_that_serves(workers, capsys):
    assert main(["serve"]) == 2
    assert "Give an INDEX, or --cluster." in capsys.readouterr().err
    command = [
        sys.executable,
        "-P",
        "-m",
        "explorer",
        "serve",
        "--cluster",
        workers.address,
        "--port",
        "0",
        "--name",
        "n",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        assert open_index(f"{address}#n").search("the cat").count == 5
    finally:
        process.terminate()
        _, said = process.communicate(timeout=30)
    assert (
        said == "# The cluster has 4 folders on 3 workers now.\n# serving n; Ctrl-C stops\n" and process.returncode == 0
    )


def test_a_lost_worker_comes_back_or_another_answers(workers, corpus):
    for name in ("two", "three", "one"):
        workers.kill(name)
        assert corpus.search("the cat").count == 5


@pytest.mark.nightly
def test_a_request_to_stop_is_seen_while_a_worker_hangs(workers, corpus):
    cancel = CancelToken()
    cancel.cancel()
    stopped = workers.pause("one")
    try:
        with pytest.raises(Cancelled):
            corpus.index.counts.count_many(np.array([97]), np.array([0]), np.array([1]), cancel)
    finally:
        os.kill(stopped, signal.SIGCONT)


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_ctrl_c_ends_the_command_while_a_worker_hangs(workers):
    stopped = workers.pause("one")
    try:
        command = [sys.executable, "-P", "-m", "explorer", "count", workers.address, "the cat"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=10)
        assert process.returncode == 130 and not out, said
    finally:
        os.kill(stopped, signal.SIGCONT)


@pytest.mark.nightly
def test_a_folder_that_is_gone_is_named(shards, tmp_path):
    shutil.copytree(shards / "one", tmp_path / "here")
    shutil.copytree(shards / "0", tmp_path / "other" / "lost")
    shutil.rmtree(tmp_path / "here" / "part-0")
    folders = {name: tmp_path / name for name in ("here", "other")}
    with started(folders) as workers, open_index(workers.address) as corpus:
        before = corpus.search("cat").count
        shutil.rmtree(tmp_path / "other" / "lost")
        time.sleep(host._SECONDS)
        with pytest.raises(ClusterError, match=r"No worker of .* that has lost answers") as refused:
            corpus.search("cat")
        assert before == 3 and refused.value.reason == "shards-missing"


@pytest.mark.nightly
def test_fifty_kills_in_the_middle_of_questions(workers, corpus, whole):
    """Right, or an error that names the folders; and right again within five seconds."""
    random = np.random.default_rng(1)
    text = whole.encode("the cat sat on the mat")
    expected = [whole.count(text[:size]) for size in range(1, len(text) + 1)]
    late = refused = 0
    for _ in range(50):
        threading.Timer(
            float(random.random()) * 0.3, workers.kill, (str(random.choice(["one", "two", "three"])),)
        ).start()
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                assert [corpus.count(text[:size]) for size in range(1, len(text) + 1)] == expected
            except ClusterError as error:
                refused += 1
                assert error.reason == "shards-missing"
            late = max(late, time.monotonic() - begun)
        workers.wait()
        assert corpus.count(text) == expected[-1]
    print(f"longest answer {late:.1f} s, refused {refused}")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A certificate authority of one's own, as files."""
    openssl = shutil.which("openssl") or pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=cluster"]
    names = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    subprocess.run([*command, *names], check=True, capture_output=True, timeout=60)
    return folder


@pytest.mark.nightly
def test_tls(shards, certificates, monkeypatch):
    import dask
    from distributed.security import Security

    key, certificate = str(certificates / "key.pem"), str(certificates / "cert.pem")
    named = {"ca-file": certificate, "client.key": key, "client.cert": certificate}
    security = Security(
        tls_ca_file=certificate, require_encryption=True, tls_client_key=key, tls_client_cert=certificate,
        tls_scheduler_key=key, tls_scheduler_cert=certificate, tls_worker_key=key, tls_worker_cert=certificate,
    )  # fmt: skip
    with started({"one": shards / "one"}, security=security) as workers:
        assert workers.address.startswith("tls://")
        with pytest.raises(ClusterError, match="does not answer"):
            open_index(workers.address)
        # Dask reads them from its own configuration.
        with (
            dask.config.set({f"distributed.comm.tls.{name}": value for name, value in named.items()}),
            open_index(workers.address) as corpus,
        ):
            assert corpus.search("the cat").count == 3


SIZES = {"tokens": 9, "documents": 1, "shards": 1}


def described(**more):
    folder = {"fingerprint": "5f", "name": "part", "tokenizer": "bytes", "separator": 255} | SIZES
    return {"version": version_of("corpus-explorer"), "unreadable": [], "folders": [folder]} | more


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("workers", "expected"),
    [
        ({"tcp://a:1": described(version="0.0")}, "tcp://a:1 has version 0.0 of this program, and this is "),
        ({"tcp://a:1": described(unreadable=["part: cut"])}, "tcp://a:1 has an index that cannot be opened: part: cut"),
        ({"tcp://a:1": described(folders=[])}, "None of 1 workers has an index folder."),
        ({}, "None of 0 workers has an index folder."),
        (
            {
                "tcp://a:1": described(),
                "tcp://b:1": described(
                    folders=[{"fingerprint": "60", "name": "p2", "tokenizer": "ab", "separator": 65_535} | SIZES]
                ),
            },
            "p2 on tcp://b:1 has another tokenizer than part on tcp://a:1.",
        ),
    ],
)
def test_workers_that_do_not_fit_are_refused(workers, expected):
    with pytest.raises(ClusterError) as refused:
        directory_of(workers)
    assert str(refused.value).startswith(expected)


@pytest.mark.nightly
def test_what_is_there_is_told(shards):
    """A worker that is off is not known; the number of folders shows that something is missing."""
    with started({"two": shards / "two"}) as some, open_index(some.address) as corpus:
        assert corpus.index.remark == "The cluster has 2 folders on 1 worker now."


@pytest.mark.nightly
def test_a_scheduler_that_goes_away(shards, monkeypatch):
    monkeypatch.setattr(asking, "RECOVERY", 1.0)
    monkeypatch.setattr(connection, "_LIST", 1.0)
    with started({"two": shards / "two"}) as some:
        corpus = open_index(some.address)
    with pytest.raises(ClusterError) as refused:
        corpus.search("cat")
    assert refused.value.reason in ("no-scheduler", "shards-missing")


def test_groups_do_not_depend_on_the_order_of_workers():
    folders = [
        {"fingerprint": f"{n}", "name": f"p{n}", "tokenizer": "bytes", "separator": 255} | SIZES for n in range(4)
    ]
    has = {"a": [0, 1], "b": [1, 2], "c": [3, 0]}
    pairs = [(name, described(folders=[folders[n] for n in numbers])) for name, numbers in has.items()]
    one, other = directory_of(dict(pairs)), directory_of(dict(reversed(pairs)))
    assert one.groups == other.groups
    assert sorted(each for group in one.groups for each in group.fingerprints) == ["0", "1", "2", "3"]
    assert one.workers_of(["0"]) and one.workers_of(["0", "3"]) == ("c",) and one.workers_of(["2", "3"]) == ()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp://localhost", "bad-cluster-address"),
        ("tcp://localhost:1/x", "bad-cluster-address"),
        ("tls://:1", "bad-cluster-address"),
        ("tcp://10.0.0.1:8786", "cluster-not-encrypted"),
        ("tls://10.0.0.1:8786", "sends-queries"),
    ],
)
def test_addresses(address, reason):
    with pytest.raises(CorpusError) as refused:
        BACKENDS.open(IndexRequest((address,)))
    assert refused.value.reason == reason


@pytest.mark.parametrize(("allow_remote", "reason"), [(False, "sends-queries"), (True, "no-scheduler")])
def test_insecure_lets_an_address_without_encryption_pass(monkeypatch, allow_remote, reason):
    """It is asked then, if it may be on another machine at all."""
    monkeypatch.setattr(connection, "_CONNECT", 0.2)
    with pytest.raises(CorpusError) as refused:
        BACKENDS.open(IndexRequest(("tcp://192.0.2.1:8786",), insecure=True, allow_remote=allow_remote))
    assert refused.value.reason == reason


def test_the_command_line_tells_how_to_allow_it(capsys):
    assert main(["workers", "tcp://192.0.2.1:8786", "--allow-remote"]) == 2
    assert "--insecure" in capsys.readouterr().err


@pytest.mark.nightly
def test_the_collector_closes_connections_on_any_thread(workers, capfd):
    """Also on that of Dask, and while others are opened."""
    dropped = []
    for _ in range(3):
        corpus = open_index(workers.address)
        cycle = [corpus]
        cycle.append(cycle)
        dropped.append(weakref.ref(corpus.index))
    del corpus, cycle
    connection._started().call_soon_threadsafe(gc.collect)
    with open_index(workers.address) as corpus:
        assert corpus.search("the cat").count == 5
    assert [each() for each in dropped] == [None] * 3
    assert capfd.readouterr().err == ""


@pytest.mark.nightly
def test_a_program_that_ends_with_an_open_cluster_writes_nothing(workers):
    script = f"from explorer import open_index; c = open_index({workers.address!r}); print(c.search('the cat').count)"
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("5", "")
    print(f"{time.monotonic() - begun:.1f} s")


def test_a_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr(connection, "_CONNECT", 0.5)
    with pytest.raises(ClusterError, match=r"The scheduler at tcp://127\.0\.0\.1:9 does not answer"):
        BACKENDS.open(IndexRequest(("tcp://127.0.0.1:9",)))


def test_without_the_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ClusterError, match="not installed"):
        BACKENDS.open(IndexRequest(("tcp://127.0.0.1:9",)))


def test_nothing_imports_dask_before_a_cluster_is_opened():
    script = (
        "import sys, explorer, explorer.cli.main, explorer.backends.cluster.opening, explorer.backends.cluster.host; "
        "print([name for name in sys.modules if name.split('.')[0] in ('dask', 'distributed')])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


@pytest.mark.nightly
def test_it_is_opened_again_in_another_process(workers, corpus):
    again = pickle.loads(pickle.dumps(corpus.index))
    assert again.fingerprint == corpus.index.fingerprint

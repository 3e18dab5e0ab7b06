"""Data sets of the hub as sources: read in parts from a stand-in, recorded with their commit, and never half."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import time
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hub_server import Sent, own_hub

from explorer import add_documents, build_index, estimate_build, open_index
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.building.sources.hub_sources import hub_files
from explorer.building.sources.readers import ReadState
from explorer.core.hints import REMEDIES, with_hints
from explorer.errors import BuildError, CorpusError, SourceError
from explorer.http import client as client_module
from explorer.http import pace
from explorer.http.errors import RemoteError

ROWS = [{"text": f"one two three {number} " * 9, "n": number} for number in range(40)]
NEWS = "hf://datasets/owner/news"


def parquet(rows=ROWS, **options):
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file, **options)
    return file.getvalue()


def lines(rows=ROWS):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """Waits between attempts take no time; how long they would be is kept."""
    found = []

    def wait_until(moment, check):
        found.append(moment - time.monotonic())
        check()

    for module in (client_module, pace):
        monkeypatch.setattr(module, "wait_until", wait_until)
    return found


@pytest.fixture
def hub(tmp_path, monkeypatch):
    with own_hub(tmp_path, monkeypatch) as made:
        yield made


def built(source, out, **options):
    manifest = build_index(source, out, tokenizer="bytes", **options)
    return manifest, open_index(out)


def test_a_data_set_is_built_as_its_files_are(hub, tmp_path):
    files = {"train-00000-of-00002.parquet": parquet(), "train-00001-of-00002.parquet": parquet(ROWS[:3])}
    repo = hub.add("owner/news", {"README.md": b"# News", ".gitattributes": b""} | files)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    manifest, _ = built(NEWS, tmp_path / "far")
    other, _ = built([tmp_path / name for name in files], tmp_path / "near")
    for name in other.files:
        assert (tmp_path / "far" / name).read_bytes() == (tmp_path / "near" / name).read_bytes(), name
    assert manifest.sources == (f"{NEWS}@{repo.refs['main']}",)
    assert manifest.read == other.read and manifest.kinds == {"parquet": 2}
    listed = json.loads((tmp_path / "far" / "report.json").read_text())["files"]
    assert [each[0] for each in listed] == [f"{NEWS}@{repo.refs['main']}/{name}" for name in files]


def test_packed_lines_and_texts_are_read(hub, tmp_path):
    hub.add("owner/lines", {"data/train.jsonl.gz": gzip.compress(lines()), "data/test.jsonl": lines(ROWS[:5])})
    hub.add("owner/texts", {"a.txt": b"one two", "b.txt": "drei vier für".encode("utf-16")})
    assert built("hf://datasets/owner/lines", tmp_path / "all")[1].document_count == 45
    assert built("hf://datasets/owner/lines:test", tmp_path / "test")[1].document_count == 5
    manifest, corpus = built("hf://datasets/owner/texts", tmp_path / "texts")
    assert corpus.count("für") == 1 and manifest.read["files_found"] == 2


def test_only_some_megabytes_are_read_of_a_large_file(hub):
    rows = [{"text": f"{number} " + "one two three " * 150} for number in range(6_000)]
    hub.add("owner/large", {"train.parquet": parquet(rows, compression="none", use_dictionary=False)})
    estimate = estimate_build("hf://datasets/owner/large", tokenizer="bytes")
    assert not estimate.exact and 5_000 < estimate.documents < 7_000
    spans = [asked.headers["range"].removeprefix("bytes=").split("-") for asked in hub.asked if asked.is_storage]
    assert sum(int(last) - int(first) + 1 for first, last in spans) < estimate.source_bytes / 2


def test_a_preview_shows_documents_and_what_is_no_data(hub, tmp_path):
    hub.add("owner/news", {"train.parquet": parquet(), "picture.png": b"\x89PNG"})
    request = BuildRequest((Path(NEWS),), tmp_path / "out", "bytes")
    found = estimate_requested(request, documents=2)
    assert [sample.metadata for sample in found.samples] == [{"n": 0}, {"n": 1}]
    assert found.skipped == {"files of a data set that are not its data": 1}
    assert (found.files_found, found.files) == (2, 1)


def test_a_revision_is_what_it_was(hub, tmp_path):
    repo = hub.add("owner/news", {"train.jsonl": lines(ROWS[:3])})
    first = repo.refs["main"]
    repo.commit({"train.jsonl": lines()}, "main")
    repo.refs["v1"] = first
    for revision in ("v1", first):
        manifest, corpus = built(f"{NEWS}@{revision}", tmp_path / revision)
        assert corpus.document_count == 3 and manifest.sources == (f"{NEWS}@{first}",)
    with pytest.raises(RemoteError, match=r"hf://datasets/owner/news@v9 has no revision v9\."):
        built(f"{NEWS}@v9", tmp_path / "v9")


def test_a_repository_without_data_files_is_read_as_the_hub_converted_it(hub, tmp_path):
    repo = hub.add("owner/odd", {"load.py": b"print()", "README.md": b""})
    made = repo.commit({"default/partial-train/0000.parquet": parquet()}, "refs/convert/parquet")
    manifest, corpus = built("hf://datasets/owner/odd", tmp_path / "out")
    assert corpus.document_count == 40
    assert manifest.sources == (f"hf://datasets/owner/odd@{made}",)
    assert manifest.skipped == {"data sets of which the hub has converted the beginning only": 1}
    again, _ = built(manifest.sources[0], tmp_path / "again")
    assert again.sources == manifest.sources
    hub.add("owner/empty", {"load.py": b""})
    with pytest.raises(SourceError, match="has no files with data"):
        built("hf://datasets/owner/empty", tmp_path / "empty")


def test_listings_come_in_pages(tmp_path, monkeypatch):
    with own_hub(tmp_path, monkeypatch, page=7) as hub:
        hub.add("owner/many", {f"part-{number:03}.txt": b"one two" for number in range(30)})
        assert len(hub_files(Path("hf://datasets/owner/many"), ReadState())) == 30
        assert sum("/tree/" in asked.path for asked in hub.asked) == 5


def test_documents_of_a_data_set_are_added_once(hub, tmp_path):
    hub.add("owner/news", {"train.jsonl": lines(ROWS[:3])})
    built(NEWS, tmp_path / "out")
    with pytest.raises(BuildError, match="already contains 1 of 1 file"):
        add_documents(tmp_path / "out", NEWS)
    hub.add("owner/more", {"train.jsonl": lines(ROWS[3:5])})
    grown = add_documents(tmp_path / "out", "hf://datasets/owner/more")
    assert grown.document_count == 5
    assert [source.partition("@")[0] for source in grown.sources] == [NEWS, "hf://datasets/owner/more"]


# --- what goes wrong -----------------------------------------------------------------------------


def test_a_private_data_set_needs_a_token(hub, tmp_path, monkeypatch):
    hub.add("owner/news", {"train.parquet": parquet()}, private=True)
    with pytest.raises(RemoteError) as refused:
        built(NEWS, tmp_path / "out")
    assert with_hints(refused.value, REMEDIES) == (
        f"{NEWS} does not exist, or is private. Run hf auth login, or set HF_TOKEN to a token that gives access."
    )
    assert not list(tmp_path.glob("out*"))
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    with pytest.raises(RemoteError, match="the token of this machine does not give access") as wrong:
        built(NEWS, tmp_path / "out")
    assert "hf_wrong" not in f"{wrong.value}{vars(wrong.value)}"
    monkeypatch.setenv("HF_TOKEN", hub.token)
    assert built(NEWS, tmp_path / "out")[1].document_count == 40


def test_the_token_goes_to_the_hub_only(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", hub.token)
    hub.add("owner/news", {"train.parquet": parquet()}, private=True)
    built(NEWS, tmp_path / "out")
    own, storage = ([a.headers for a in hub.asked if a.is_storage is there] for there in (False, True))
    assert own and all(headers["authorization"] == f"Bearer {hub.token}" for headers in own)
    assert storage and not any("authorization" in headers for headers in storage)
    assert not any(hub.token.encode() in path.read_bytes() for path in (tmp_path / "out").iterdir())


def test_a_gated_data_set_is_a_sentence_with_its_page(hub, tmp_path, monkeypatch):
    hub.add("owner/news", {"train.parquet": parquet()}, gated=True)
    with pytest.raises(RemoteError, match="sign in and accept its terms") as refused:
        built(NEWS, tmp_path / "out", skip_bad=True)
    assert f"{hub.url}/datasets/owner/news" in with_hints(refused.value, REMEDIES)
    assert not list(tmp_path.glob("out*"))


def test_a_hub_that_asks_to_wait_is_waited_for(hub, tmp_path, waits):
    hub.add("owner/news", {"train.parquet": parquet()})
    hub.fail("/resolve/", Sent.of({"error": "Too many"}, 429, {"Retry-After": "200"}))
    assert built(NEWS, tmp_path / "out")[1].document_count == 40
    assert 199 < max(waits) <= 200


def test_a_hub_that_asks_to_wait_too_long_is_a_sentence(hub, tmp_path):
    hub.add("owner/news", {"train.parquet": parquet()})
    hub.fail("/api/", Sent.of({"error": "Too many requests"}, 429, {"Retry-After": "4000"}))
    with pytest.raises(RemoteError, match=r"more requests than it allows \(status 429\)\. Too many requests"):
        built(NEWS, tmp_path / "out")
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("fault", [Sent(500), Sent(502), Sent(503), Sent(206, b"PAR", {}, cut=9_000)])
def test_what_passes_by_is_asked_again(hub, tmp_path, fault):
    hub.add("owner/news", {"train.parquet": parquet()})
    hub.fail("/resolve/", fault, fault)
    assert built(NEWS, tmp_path / "out")[1].document_count == 40


def test_a_build_goes_on_where_the_hub_stopped(hub, tmp_path):
    files = {f"train-0000{number}-of-00003.jsonl": lines(ROWS) for number in range(3)}
    hub.add("owner/news", files)
    stopped = []
    hub.faults.append(lambda asked: Sent(cut=10) if stopped and "00002-of" in asked.path else None)
    stopped.append(True)
    with pytest.raises(SourceError, match=r"train-00002-of-00003\.jsonl cannot be read further: .* broke") as broken:
        built(NEWS, tmp_path / "out", shards=2)
    assert broken.value.reason == "source-damaged"
    assert not (tmp_path / "out").exists()
    stopped.clear()
    _, corpus = built(NEWS, tmp_path / "out", shards=2, resume=True)
    assert corpus.document_count == 120 and not list(tmp_path.glob("out.partial"))
    fresh, _ = built(NEWS, tmp_path / "fresh", shards=2)
    assert {name: (tmp_path / "out" / name).read_bytes() for name in fresh.files} == {
        name: (tmp_path / "fresh" / name).read_bytes() for name in fresh.files
    }


def test_a_file_that_cannot_be_read_is_skipped_on_request(hub, tmp_path):
    hub.add("owner/news", {"a.jsonl": lines(), "b.jsonl": lines(), "c.jsonl": lines()})
    hub.faults.append(lambda asked: Sent(500) if "b.jsonl" in asked.path else None)
    manifest, corpus = built(NEWS, tmp_path / "out", skip_bad=True)
    assert corpus.document_count == 80
    assert manifest.read == {"files_found": 3, "files_skipped": 1, "documents_found": 80, "documents_skipped": 0}
    assert any("b.jsonl" in each for each in manifest.noticed["files that cannot be read to their end"])


@pytest.mark.parametrize(
    "sent",
    [
        Sent(206, b"x" * 5, {"Content-Range": "bytes 0-4/5"}),
        Sent(206, b"x" * 500, {"Content-Range": "bytes 9-508/90000"}),
        Sent(200, b"y" * 20),
        Sent(206, b"z" * (9 << 20)),
    ],
)
def test_another_part_than_was_asked_for_is_no_document(hub, tmp_path, sent):
    hub.add("owner/news", {"train.jsonl": lines()})
    hub.faults.append(lambda asked: sent if "/resolve/" in asked.path else None)
    with pytest.raises(SourceError, match=r"train\.jsonl cannot be read further"):
        built(NEWS, tmp_path / "out")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"sha": "main"}, "strange-hub"),
        ({"sha": 7}, "strange-hub"),
        ([], "strange-hub"),
        ({}, "strange-hub"),
    ],
)
def test_strange_facts_are_refused(hub, tmp_path, answer, reason):
    hub.fail("/api/datasets/owner/news", Sent.of(answer))
    with pytest.raises(RemoteError) as strange:
        built(NEWS, tmp_path / "out")
    assert strange.value.reason == reason


@pytest.mark.parametrize("name", ["../x.csv", "/etc/x.csv", "a/../../x.csv", "c:/x.csv", "a\\..\\x.csv", "a\0.csv", 7])
def test_names_that_lead_out_of_a_repository_are_refused(hub, tmp_path, name):
    hub.add("owner/news", {"train.jsonl": lines()})
    hub.fail("/tree/", Sent.of([{"type": "file", "path": name, "size": 4, "oid": "0"}]))
    with pytest.raises(RemoteError) as strange:
        built(NEWS, tmp_path / "out")
    assert strange.value.reason == "strange-hub"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("hf://datasets/", "is not an address of the hub"),
        ("hf://datasets/a/b/c/d", "is not an address of the hub"),
        ("hf://datasets/owner/..", "is not an address of the hub"),
        ("hf://owner/model", "is a repository of models"),
    ],
)
def test_other_addresses_are_no_data_sets(hub, tmp_path, source, message):
    with pytest.raises(CorpusError, match=message):
        built(source, tmp_path / "out")
    assert not hub.asked


def test_nothing_is_asked_where_the_hub_is_switched_off(hub, tmp_path, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(RemoteError, match="HF_HUB_OFFLINE is set"):
        built(NEWS, tmp_path / "out")
    assert not hub.asked


def test_files_of_the_hub_can_be_given_to_other_processes(hub):
    hub.add("owner/news", {"train.jsonl": lines()})
    (file,) = pickle.loads(pickle.dumps(hub_files(Path(NEWS), ReadState())))
    with file.open() as opened:
        opened.seek(-4, io.SEEK_END)
        assert opened.read() == lines()[-4:] and opened.tell() == file.size


@pytest.mark.nightly
def test_workers_read_a_data_set_themselves(hub, tmp_path):
    pytest.importorskip("distributed")
    hub.add("owner/news", {f"part-{number}.jsonl": lines() for number in range(3)})
    near, _ = built(NEWS, tmp_path / "one")
    far, _ = built(NEWS, tmp_path / "many", cluster="local:2")
    assert far.files == near.files and far.sources == near.sources
    for name in far.files:
        assert (tmp_path / "many" / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), name


def test_a_tokenizer_is_trained_on_a_data_set(hub, tmp_path):
    hub.add("owner/news", {"train.parquet": parquet(), "more.parquet": parquet(ROWS[:9])})
    manifest = build_index(NEWS, tmp_path / "out", tokenizer="train:300")
    assert open_index(tmp_path / "out").count("one two three") == 9 * 49 and manifest.document_count == 49

"""Crawls: the pages of WARC, WET and ARC files against texts written by hand, and files that are damaged."""

from __future__ import annotations

import gzip
import io
import random
import tracemalloc
import zlib
from pathlib import Path

import pytest
from make_crawls import answer, chunked, old, pages, record, response

from explorer import build_index, open_index
from explorer.cli.main import main
from explorer.core.files.encoding import NotTextError
from explorer.core.files.streams import BrokenStreamError, unpacked
from explorer.documents.content import Content
from explorer.documents.inputs.text_input import open_input
from explorer.documents.kinds import kind_named, kind_of
from explorer.documents.skipped import NO_PAGE, OTHER_CONTENT, UNDECODED
from explorer.documents.web import http_answers
from explorer.documents.web.crawl_records import MOST_BYTES
from explorer.documents.web.http_answers import EncodedError, HttpAnswer, without_chunks

DATA = Path(__file__).resolve().parents[1] / "data" / "crawls"
MOMENT = "2024-03-01T12:00:00Z"
GOLD = {
    "pages.warc.gz": [
        "Home\n\nOf mice\n\nA mouse ran up the clock.",
        "Das Mäuschen",
        "Мышь и кот.",
        "packed and in chunks",
        (OTHER_CONTENT, "image/png: http://example.org/a.png"),
        (NO_PAGE, "status 404: http://example.org/gone"),
        (OTHER_CONTENT, "the same as at an earlier visit: http://example.org/"),
        "plain\ntext",
    ],
    "texts.wet.gz": ["Of mice\nand men", "Von Mäusen"],
    "resources.warc.zst": ["A resource", "of no type", "in brotli"],
    "old.arc": ["Old\n\npage", "old text"],
    "warcio.warc.gz": ["Größe"],
}


def documents(data, kind="warc", **options):
    raw = io.BufferedReader(io.BytesIO(data))
    return list(kind_named(kind).read(Content("a", "a", raw, unpacked(raw), **options)))


@pytest.mark.parametrize("name", GOLD)
def test_the_pages_of_a_crawl_are_its_documents(name):
    if name == "resources.warc.zst":
        pytest.importorskip("brotli")
    found = documents((DATA / name).read_bytes())
    assert [each.text or (each.skipped, each.problem) for each in found] == GOLD[name]
    assert [each.place for each in found] == list(range(len(found)))
    assert kind_of(unpacked(io.BufferedReader(io.BytesIO((DATA / name).read_bytes()))).peek(64), "a").name == "warc"


def test_address_date_language_and_type_are_metadata():
    page, *_ = documents((DATA / "pages.warc.gz").read_bytes())
    assert page.metadata == {
        "title": "Mice",
        "url": "http://example.org/",
        "date": MOMENT,
        "language": "en",
        "mime": "text/html",
    }
    _, german = documents((DATA / "texts.wet.gz").read_bytes())
    assert german.metadata == {
        "url": "http://example.org/1",
        "date": MOMENT,
        "language": "deu",
        "mime": "text/plain",
    }
    page, _ = documents(old())
    assert page.metadata["date"] == "1997-02-03T04:05:06Z"


def test_a_build_counts_what_is_not_a_page(tmp_path):
    made = build_index(DATA / "pages.warc.gz", tmp_path / "index", tokenizer="bytes")
    assert made.read == {"files_found": 1, "files_skipped": 0, "documents_found": 8, "documents_skipped": 3}
    assert made.noticed[NO_PAGE] == ["pages.warc.gz:6 (status 404: http://example.org/gone)"]
    assert [each.text for each in open_index(tmp_path / "index").documents][:2] == GOLD["pages.warc.gz"][:2]


def test_a_crawl_is_traced_page_by_page():
    found = list(open_input(DATA / "pages.warc.gz").texts)
    assert [text.line for text in found] == [1, 2, 3, 4, 8]
    assert not any(text.problem for text in found) and found[0].fields["mime"] == "text/html"


def test_trace_and_agree_skip_and_count_what_is_no_page_as_a_build_does(tmp_path, capsys):
    build_index([{"text": "A mouse ran up the clock."}], tmp_path / "index", tokenizer="bytes")
    for command in ("trace", "agree"):
        assert main([command, str(tmp_path / "index"), str(DATA / "pages.warc.gz")]) == 0
        said = capsys.readouterr().err
        assert f"pages.warc.gz: {OTHER_CONTENT} (2)" in said and f"pages.warc.gz: {NO_PAGE} (1)" in said


def test_a_crawl_that_ends_within_a_record_keeps_the_pages_before():
    whole = b"".join(pages())
    with pytest.raises(BrokenStreamError, match="ends within a record") as raised:
        documents(whole[:-20])
    assert raised.value.cut


def test_bytes_between_records_are_one_problem():
    first, second = pages()[2:4]
    problems = [each.problem for each in documents(first + b"no\nrecord\nat all\n" + second)]
    assert problems == ["", "these bytes are not a record of WARC or ARC", ""]
    (found,) = documents(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -1\r\n\r\n")
    assert found.problem == "its record has no length"


@pytest.mark.parametrize(
    ("body", "encoding", "text"),
    [
        (zlib.compress(b"<p>a</p>"), "deflate", "a"),
        (zlib.compress(b"<p>a</p>")[2:-4], "deflate", "a"),
        (gzip.compress(gzip.compress(b"<p>a</p>")), "gzip, x-gzip", "a"),
        (b"<p>as it was stored</p>", "gzip", "as it was stored"),
        (gzip.compress(b"<p>a</p>" * 9)[:-8], "gzip", "\n\n".join("a" * 9)),
    ],
    ids=["zlib", "raw deflate", "gzip twice", "not packed", "gzip without its end"],
)
def test_encodings_of_a_body_are_undone(body, encoding, text):
    (found,) = documents(response("a", answer(body, Content_Encoding=encoding)))
    assert found.text == text


@pytest.mark.parametrize("size", [1, 5, 4_000])
def test_chunks_are_joined(size):
    assert without_chunks(chunked(b"one two three", size)) == b"one two three"
    assert without_chunks(b"<p>not in chunks") == b"<p>not in chunks"


def test_a_page_that_cannot_be_decoded_is_counted():
    for fields in ({"Content_Encoding": "strange"}, {"Content_Encoding": "gzip,gzip,gzip,gzip,gzip"}):
        (found,) = documents(response("a", answer(b"\x1f\x8bx", **fields)))
        assert found.skipped == UNDECODED and found.problem.endswith(": a")
    (found,) = documents(response("a", answer(bytes(range(256)) * 9)))
    assert found.skipped == UNDECODED


def test_a_declared_set_that_is_wrong_gives_way_to_what_the_page_names():
    page = "<meta charset=koi8-r><p>Мышь</p>".encode("koi8-r")
    (found,) = documents(response("a", answer(page, "text/html; charset=utf-8")))
    assert found.text == "Мышь"


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bombs_are_stopped_at_the_limit(name, monkeypatch):
    monkeypatch.setattr(http_answers, "MOST_BYTES", 1 << 20)
    bomb = bytes(3 << 20)
    if name == "br":
        packed = pytest.importorskip("brotli").compress(bomb)
    elif name == "zstd":
        packed = pytest.importorskip("zstandard").ZstdCompressor().compress(bomb)
    else:
        packed = gzip.compress(bomb) if name == "gzip" else zlib.compress(bomb)
    with pytest.raises(EncodedError, match=r"more than 1 MB|too much memory"):
        HttpAnswer(200, {"content-encoding": name}, packed).content()


class Zeros(io.RawIOBase):
    """A head, and then many bytes that are in no memory."""

    def __init__(self, head, size):
        self.head, self.left = head, size

    def readable(self):
        return True

    def readinto(self, buffer):
        count = min(len(buffer), len(self.head) or self.left)
        if self.head:
            buffer[:count] = self.head[:count]
            self.head = self.head[count:]
        else:
            self.left -= count
        return count


def test_a_record_that_is_too_large_is_skipped_without_being_held():
    size = MOST_BYTES + 1
    head = record("response", "a", b"").replace(b"Length: 0", b"Length: %d" % size).removesuffix(b"\r\n\r\n")
    stream = io.BufferedReader(Zeros(head, size))
    tracemalloc.start()
    (found,) = kind_named("warc").read(Content("a", "a", stream, stream))
    assert found.skipped == OTHER_CONTENT and "more than 64 MB" in found.problem
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


SPECIAL = [b"WARC/1.0\r\n", b"Content-Length: 99999999999999999999\r\n", b"\r\n\r\n", b"HTTP/1.1 200", b"\0", b"\xff",
           b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"filedesc://", b"ffffffffffffff\r\n",
           b"charset=utf-7", b"charset=idna\r\n", b"Content-Length: 7", b"<", b"\x1f\x8b\x08",
           b"charset=hex"]  # fmt: skip


def damaged(seed):
    chance = random.Random(seed)
    data = bytearray(chance.choice([b"".join(pages()), old(), (DATA / "texts.wet.gz").read_bytes()]))
    for _ in range(chance.choice([1, 3, 20])):
        at = chance.randrange(len(data) + 1)
        data[at : at + chance.choice([0, 1, 30])] = chance.choice(SPECIAL)
    return bytes(data)


def read_damaged(seeds):
    """Read damaged crawls, check what is found, and return in how many there was a page."""
    read = 0
    for seed in seeds:
        try:
            found = documents(damaged(seed), skip_bad=True)
        except (BrokenStreamError, NotTextError):
            continue
        assert [each.place for each in found] == list(range(len(found)))
        assert all(bool(each.problem) >= bool(each.skipped) for each in found)
        read += any(not each.problem for each in found)
    return read


def test_damaged_crawls_are_documents_or_problems():
    assert read_damaged(range(150)) > 50


@pytest.mark.nightly
def test_many_damaged_crawls_are_documents_or_problems():
    assert read_damaged(range(150, 2_150)) > 700

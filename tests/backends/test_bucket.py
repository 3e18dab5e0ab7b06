"""An index folder behind a web server answers as the local one does, in few rounds, and gives no wrong number."""

from __future__ import annotations

import gzip
import pickle
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import own_indexes
import pytest
import twin
from range_server import RangeServer, Sent

from explorer import open_index
from explorer.backends.bucket.keys import HEADER
from explorer.backends.bucket.publishing import write_keys
from explorer.backends.protocol.protocol import Backend
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CapabilityError, CorpusError, DamagedIndexError, QueryError
from explorer.http import client as client_module
from explorer.http.errors import RemoteError
from explorer.index.writer import write_table
from explorer.text.patterns.pattern import Pattern


@dataclass
class Pair:
    """The same folder, opened from a server and from the disk."""

    name: str
    server: RangeServer
    far: Backend
    near: Backend
    ids: np.ndarray


@pytest.fixture(scope="module", params=own_indexes.LAYOUTS)
def pair(request, tmp_path_factory):
    folder, tokenizer = own_indexes.write(tmp_path_factory.mktemp("bucket"), request.param)
    with RangeServer(folder.parent) as server:
        far = open_index(f"{server.url}/{folder.name}/", tokenizer=tokenizer).index
        near = open_index(folder, tokenizer=tokenizer).index
        yield Pair(request.param, server, far, near, near.tokenizer.encode(own_indexes.question())[:160])


def parts_of(pair: Pair, count: int) -> list[np.ndarray]:
    """N-grams of a text, which do and do not occur, and some of the documents."""
    draw = random.Random(5)
    texts = [pair.ids, *pair.near.documents.windows(np.arange(4), np.zeros(4, int), np.full(4, 400))]
    found = [np.empty(0, dtype=np.int64), np.array([pair.near.separator])]
    for _ in range(count):
        text = draw.choice(texts)
        at = draw.randrange(len(text))
        found.append(text[at : at + draw.choice([1, 1, 2, 3, 5, 9, 40, 300])])
    return found


def plain(value: Any) -> Any:
    """A value of a backend as something that compares."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    columns = getattr(value, "__dataclass_fields__", None)
    return value if columns is None else {name: plain(getattr(value, name)) for name in columns}


def test_it_is_what_the_local_one_is(pair):
    far, near = pair.far, pair.near
    assert (far.token_count, far.document_count, far.document_slots) == (
        near.token_count,
        near.document_count,
        near.document_slots,
    )
    assert (far.separator, far.tokenizer.fingerprint) == (near.separator, near.tokenizer.fingerprint)
    assert far.shards.reversed_text == near.shards[0].reversed_text == ("reversed" in pair.name)
    assert far.local is None and far.remark == "" and far.name == near.name


def test_counts_are_those_of_the_local_one(pair):
    ngrams = parts_of(pair, 80)
    assert [pair.far.counts.count(ids) for ids in ngrams] == [pair.near.counts.count(ids) for ids in ngrams]
    for ids in ngrams[2:30]:
        for name in ("continuation", "backed_off"):
            one, other = (getattr(each.counts, name)(ids[:-1], int(ids[-1])) for each in (pair.far, pair.near))
            assert one == other, name
        assert pair.far.counts.longest_suffix(ids) == pair.near.counts.longest_suffix(ids)


def test_texts_are_matched_as_by_the_local_one(pair):
    copied = pair.near.documents.windows(np.array([7]), np.array([0]), np.array([500]))[0]
    for ids in (pair.ids, copied, np.concatenate([pair.ids[:30], [pair.near.separator], copied]), pair.ids[:0]):
        found = pair.far.counts.longest_matches(ids)
        assert found.tolist() == pair.near.counts.longest_matches(ids).tolist()
        for one, other in zip(
            pair.far.counts.followed(ids, [None, 1, 3]), pair.near.counts.followed(ids, [None, 1, 3]), strict=True
        ):
            assert plain(one) == plain(other)
    starts, ends = np.array([0, 1, 0, 3, 0]), np.array([2, 1, 2, 9, 160])
    assert pair.far.counts.count_many(pair.ids, starts, ends).tolist() == (
        pair.near.counts.count_many(pair.ids, starts, ends).tolist()
    )


def test_what_follows_is_that_of_the_local_one(pair):
    refused = 0
    for ids in parts_of(pair, 40):
        for backoff in (False, True):
            try:
                found = pair.far.counts.next_tokens(ids, backoff)
            except CapabilityError:
                # Only what is followed by very much.
                assert len(ids) < 2
                refused += 1
                continue
            assert plain(found) == plain(pair.near.counts.next_tokens(ids, backoff))
    assert refused < 20
    context = pair.ids[:6]
    assert plain(pair.far.counts.levels(context, 2, None, True)) == plain(
        pair.near.counts.levels(context, 2, None, True)
    )
    assert pair.far.counts.greedy(context, 5, 0.0) == pair.near.counts.greedy(context, 5, 0.0)


def test_a_sample_is_marked_and_from_no_more_than_was_allowed(pair):
    token = int(np.bincount(pair.ids).argmax())
    count = pair.near.counts.count([token])
    found = pair.far.counts.next_tokens([token], limit=5)
    assert (found.exact, found.context_count, found.sample_size) == (False, count, 5)
    assert found.counts.sum() == 5
    assert pair.far.counts.next_tokens([token], limit=count).exact
    with pytest.raises(QueryError, match="limit"):
        pair.far.counts.next_tokens([token], limit=0)


def test_hits_and_documents_are_those_of_the_local_one(pair):
    for ids in parts_of(pair, 12):
        one, other = (each.hits.occurrences([each.hits.find(ids)]) for each in (pair.far, pair.near))
        assert (one.total, one.count, one.sieved) == (other.total, other.count, other.sieved)
        numbers = np.arange(one.total, dtype=np.int64)[:: max(1, one.total // 40)][::-1].copy()
        assert plain(one.locate(numbers)) == plain(other.locate(numbers))
        assert one.shown(one.locate(numbers)).all()
    everything = np.arange(pair.near.document_count)
    firsts = np.full(len(everything), -3)
    for name in ("lengths", "metadata"):
        assert plain(getattr(pair.far.documents, name)(everything)) == plain(
            getattr(pair.near.documents, name)(everything)
        )
    for lasts in (firsts + 9, firsts + 10**9, firsts):
        assert plain(pair.far.documents.windows(everything, firsts, lasts)) == plain(
            pair.near.documents.windows(everything, firsts, lasts)
        )
    for offset in (-1, 0, 3, 10**6):
        offsets = np.full(len(everything), offset)
        assert plain(pair.far.documents.tokens_at(everything, offsets)) == plain(
            pair.near.documents.tokens_at(everything, offsets)
        )
    assert set(pair.far.documents.field_names().names) == set(pair.near.documents.field_names().names)
    with pytest.raises(QueryError, match="no document"):
        pair.far.documents.lengths(np.array([10**6]))


def test_places_of_many_ngrams_are_those_of_the_local_one(pair):
    starts = np.arange(0, 40, 2)
    for most in (1, 4):
        one, other = (each.hits.some_places(pair.ids, starts, starts + 2, most, 17) for each in (pair.far, pair.near))
        assert plain(one) == plain(other)
    which, places = pair.far.hits.some_places(pair.ids, starts, starts + 1, 6, 3)
    assert len(which) > 20
    ngrams = [pair.ids[:1].tolist(), pair.ids[3:5].tolist()]
    for distance in (0, 3, 30):
        assert plain(pair.far.hits.near(places, ngrams, distance)) == plain(
            pair.near.hits.near(places, ngrams, distance)
        )


# --- rounds and bytes --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A folder of 1.2 million tokens, in which words repeat as they do in texts."""
    draw = np.random.default_rng(9)
    documents = [np.minimum(draw.zipf(1.3, 600), 30_000).tolist() for _ in range(2_000)]
    path = tmp_path_factory.mktemp("large") / "index"
    path.mkdir()
    (path / "tokenized.0").write_bytes(twin.pack(twin.flatten(documents, 2), 2))
    (np.arange(2_000, dtype="<u8") * 601 * 2).tofile(path / "offset.0")
    write_table(path, 0, 2, CancelToken(), np.zeros(1, dtype=np.int64))
    return path, documents


@contextmanager
def opened(folder: Path, **named: Any) -> Iterator[tuple[RangeServer, Any]]:
    """The index behind a server of its own."""
    with RangeServer(folder.parent, **named) as server:
        yield server, open_index(f"{server.url}/{folder.name}/").index


def test_a_count_takes_few_rounds_and_bytes_with_keys_fewer(large):
    folder, documents = large
    near = open_index(folder).index
    ngrams = [documents[number][at : at + 4] for number in (3, 500, 1999) for at in (0, 300)]
    with opened(folder) as (server, far):
        for number, ngram in enumerate(ngrams):
            blocks = far.shards.blocks
            before, parts = (blocks.rounds, blocks.requests, blocks.bytes), len(server.parts)
            assert far.counts.count(ngram) == near.counts.count(ngram) >= 1
            rounds, requests, size = blocks.rounds - before[0], blocks.requests - before[1], blocks.bytes - before[2]
            # 1.2 million: 32 × 32 × 1,172 suffixes. Two levels of entries and text, one window, and its text.
            assert rounds <= (8 if number == 0 else 7)
            assert requests == len(server.parts) - parts <= 180 and size < 300_000
            assert server.most_at_once <= 32
        rounds = blocks.rounds
        # What was read is kept.
        assert [far.counts.count(ngram) for ngram in ngrams] == [near.counts.count(ngram) for ngram in ngrams]
        assert blocks.rounds == rounds
    keyed = folder.with_name("keyed")
    shutil.copytree(folder, keyed)
    write_keys(keyed, keyed)
    with opened(keyed) as (_, far):
        blocks = far.shards.blocks
        for ngram in ngrams:
            rounds, requests = blocks.rounds, blocks.requests
            assert far.counts.count(ngram) == near.counts.count(ngram)
            # Keys, entries, and text once.
            assert blocks.rounds - rounds <= 3 and blocks.requests - requests <= 24
        assert far.remark == ""


def test_many_counts_take_hardly_more_rounds_than_one(large):
    folder, documents = large
    text = np.array(documents[7][:120] + documents[900][:120])
    with opened(folder) as (_, far):
        near, blocks = open_index(folder).index, far.shards.blocks
        starts = np.arange(len(text) - 3)
        assert plain(far.counts.count_many(text, starts, starts + 3)) == plain(
            near.counts.count_many(text, starts, starts + 3)
        )
        # A suffix for each in a round: about as many rounds as a search by halving, for all of them.
        assert blocks.rounds <= 45
    with opened(folder) as (_, far):
        assert far.counts.longest_matches(text).tolist() == near.counts.longest_matches(text).tolist()


# --- what a server does wrong --------------------------------------------------------------------


@pytest.fixture
def small_folder(tmp_path):
    documents = [[5, 6, 7, 8] * 40, [6, 7, 9], [], [5, 6, 7, 1]]
    return twin.write_index(tmp_path / "small", [documents], 2)


def changed(sent: Sent) -> None:
    """The file was replaced by one of the same size."""
    sent.headers["ETag"] = '"other"'


def resized(sent: Sent) -> None:
    sent.headers["Content-Range"] = sent.headers["Content-Range"].rpartition("/")[0] + "/999999"


def shifted(sent: Sent) -> None:
    sent.headers["Content-Range"] = "bytes 1-" + sent.headers["Content-Range"].partition("-")[2]


def shorter(sent: Sent) -> None:
    """Less than was asked for, and its range is the one that was asked for."""
    sent.body = sent.body[:-1]


def packed(sent: Sent) -> None:
    sent.body, sent.headers["Content-Encoding"] = gzip.compress(sent.body), "gzip"


def without_range(sent: Sent) -> None:
    del sent.headers["Content-Range"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (changed, "index-changed"),
        (resized, "index-changed"),
        (shifted, "bad-part"),
        (shorter, "bad-part"),
        (packed, "bad-part"),
        (without_range, "bad-part"),
    ],
)
@pytest.mark.parametrize("name", ["table.0", "tokenized.0"])
def test_an_answer_that_is_not_the_part_is_an_error(small_folder, fault, reason, name):
    with opened(small_folder) as (server, far):
        server.change = lambda sent: fault(sent) if sent.name == name else None
        with pytest.raises(RemoteError) as found:
            far.counts.count([5, 6])
        assert found.value.reason == reason
        server.change = None
        assert far.counts.count([5, 6]) == 41


def test_whole_files_are_refused_unread(small_folder):
    def whole(sent: Sent) -> None:
        if sent.status == 206:
            sent.status, sent.body = 200, bytes(1 << 20)
            sent.headers["Content-Length"] = str(1 << 40)

    with RangeServer(small_folder.parent, change=whole) as server, pytest.raises(RemoteError, match="whole files only"):
        open_index(f"{server.url}/{small_folder.name}/")


def test_broken_and_busy_answers_are_asked_for_again(small_folder, monkeypatch):
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    left = ["busy", "cut", "busy", "cut"]

    def breaks(sent: Sent) -> None:
        with server.lock:
            fault = left.pop() if left and sent.status == 206 else ""
        if fault == "busy":
            sent.status, sent.body = 503, b"<Code>SlowDown</Code>"
        sent.cut = 100 if fault == "cut" else 0

    with opened(small_folder) as (server, far):
        server.change = breaks
        assert far.counts.count([5, 6]) == 41
        assert not left


def rewritten(folder: Path, name: str, change: Any, dtype: str) -> None:
    array = np.fromfile(folder / name, dtype=dtype)
    change(array)
    array.tofile(folder / name)


def test_a_damaged_table_is_an_error_and_no_number(small_folder):
    def far_away(array):
        array[:] = 1 << 15

    def reverse(array):
        array[:] = array[::-1].copy()

    for change, reason in ((far_away, "entry-points-nowhere"), (reverse, "table-out-of-order")):
        shutil.copy(small_folder / "table.0", small_folder / "kept")
        rewritten(small_folder, "table.0", change, "<u2")
        with opened(small_folder) as (_, far), pytest.raises(DamagedIndexError) as found:
            far.counts.count([5, 6])
        assert found.value.reason == reason and found.value.path.endswith("/table.0")
        shutil.move(small_folder / "kept", small_folder / "table.0")


def test_damaged_offsets_and_metadata_are_errors(small_folder):
    rewritten(small_folder, "offset.0", lambda array: array.__setitem__(1, 4), "<u8")
    with opened(small_folder) as (_, far):
        for question in (lambda: far.documents.lengths(np.array([1])), lambda: far.documents.lengths(np.array([0]))):
            with pytest.raises(DamagedIndexError, match="out of order"):
                question()


def test_what_is_missing_or_cut_short_is_named(small_folder):
    for name in ("table.0", "offset.0", "tokenized.0"):
        kept = (small_folder / name).read_bytes()
        for content in (None, kept[:-1]):
            (small_folder / name).unlink() if content is None else (small_folder / name).write_bytes(content)
            with RangeServer(small_folder.parent) as server, pytest.raises(CorpusError) as found:
                open_index(f"{server.url}/{small_folder.name}/")
            assert found.value.reason in ("file-missing", "not-an-index", "cut-short")
        (small_folder / name).write_bytes(kept)


def test_a_shard_after_a_gap_is_an_error(tmp_path):
    folder = twin.write_index(tmp_path / "gap", [[[1, 2]], [[3, 4]], [[5, 6]]], 2)
    for file in folder.glob("*.1"):
        file.unlink()
    with RangeServer(tmp_path) as server, pytest.raises(DamagedIndexError, match=r"tokenized\.1 is missing"):
        open_index(f"{server.url}/gap/")


def test_shards_beyond_the_first_sixteen_are_found(tmp_path):
    folder = twin.write_index(tmp_path / "many", [[[number, 70]] for number in range(19)], 2)
    with opened(folder) as (_, far):
        assert (far.document_count, far.counts.count([70])) == (19, 19)
        assert far.documents.windows(np.array([18]), np.array([0]), np.array([9]))[0].tolist() == [18, 70]


@pytest.mark.parametrize("stale", ["other", "cut", "magic", "short"])
def test_keys_of_another_table_cost_time_and_change_no_answer(large, tmp_path, stale):
    folder, documents = large
    here = tmp_path / "here"
    shutil.copytree(folder, here)
    write_keys(here, here)
    data = bytearray((here / "keys.0").read_bytes())
    if stale == "other":
        # As many keys, of another text.
        data[HEADER.size :] = sorted_keys(len(data) - HEADER.size)
    elif stale == "cut":
        del data[-1:]
    elif stale == "magic":
        data[:4] = b"none"
    else:
        del data[20:]
    (here / "keys.0").write_bytes(data)
    near = open_index(folder).index
    with opened(here) as (_, far):
        for ngram in ([1], documents[5][:1], documents[5][:3], [29_999, 1], [1, 2, 29_998]):
            assert far.counts.count(ngram) == near.counts.count(ngram)
        assert "searches take longer" in far.remark


def sorted_keys(size: int) -> bytes:
    keys = np.sort(np.random.default_rng(1).integers(0, 1 << 62, size // 16)).astype(">u8")
    return np.stack([keys, keys], axis=1).tobytes()


def test_a_file_that_nobody_may_read_is_told_from_none(small_folder, monkeypatch):
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())

    def refuses(sent: Sent) -> None:
        sent.status, sent.body = 403, b"<Error><Code>AccessDenied</Code></Error>"

    with RangeServer(small_folder.parent, change=refuses) as server, pytest.raises(RemoteError) as found:
        open_index(f"{server.url}/{small_folder.name}/")
    assert found.value.reason == "service-refused"

    # As a bucket that nobody may list: 403 for what is not there.
    def hides(sent: Sent) -> None:
        sent.status = 403 if sent.status == 404 else sent.status

    with opened(small_folder, change=hides) as (_, far):
        assert far.counts.count([5, 6]) == 41


def test_other_machines_are_asked_about_first(monkeypatch):
    monkeypatch.setattr(client_module.Client, "ask_many", lambda *values: pytest.fail("a request was sent"))
    for address in ("https://example.org/index/", "http://192.0.2.1/a/index/"):
        with pytest.raises(RemoteError, match="tells what is searched for") as found:
            open_index(address)
        assert found.value.option == "allow_remote"
    with pytest.raises(RemoteError, match="not the address of an index folder"):
        open_index("http://localhost/index?list=1")


def test_a_cancelled_search_asks_nothing_more(large):
    folder, documents = large
    cancel = CancelToken()
    with opened(folder) as (server, far):
        opened_with = len(server.parts)
        server.change = lambda sent: cancel.cancel() if len(server.parts) == opened_with + 60 else None
        server.delay = 0.02
        with pytest.raises(Cancelled):
            far.counts.longest_matches(np.array(documents[3] * 4), cancel)
        # What was under way, and nothing after it.
        assert len(server.parts) < opened_with + 60 + 2 * 32
        with pytest.raises(Cancelled):
            far.counts.count_many(np.array([1]), np.array([0]), np.array([1]), cancel)


def test_a_token_is_sent_and_the_index_can_be_pickled(small_folder):
    seen = []
    with RangeServer(small_folder.parent, change=lambda sent: seen.append(sent.asked.get("authorization"))) as server:
        far = open_index(f"{server.url}/{small_folder.name}/", token="secret").index
        assert set(seen) == {"Bearer secret"}
        again = pickle.loads(pickle.dumps(far))
        assert again.counts.count([5, 6]) == 41 and again.fingerprint == far.fingerprint


def test_what_would_read_too_much_is_refused_and_nothing_is_read(small_folder):
    with opened(small_folder) as (server, far):
        parts = len(server.parts)
        located = far.hits.occurrences([])
        assert located.total == 0
        for question in (
            lambda: far.lists.repeats(3),
            lambda: far.documents.sizes(),
            lambda: far.hits.find_text(Pattern("a")),
            lambda: far.without([1]),
            lambda: far.within(np.array([1])),
        ):
            with pytest.raises(CapabilityError, match=r"files of this index are on 127\.0\.0\.1"):
                question()
        assert far.without([]) is far
        assert len(server.parts) == parts


def test_keys_help_every_ngram_also_at_the_end_of_a_text(tmp_path):
    draw = random.Random(3)
    with RangeServer(tmp_path) as server:
        for number in range(6):
            # Few words, and zeros at the end: keys of the last suffixes are filled up with the same zeros.
            documents = [
                [draw.randrange(3) for _ in range(draw.randrange(60))] + [0] * draw.randrange(9) for _ in "abc"
            ]
            folder = twin.write_index(tmp_path / str(number), [documents], draw.choice([1, 2]))
            write_keys(folder, folder)
            far, near = open_index(f"{server.url}/{number}/").index, open_index(folder).index
            assert far.shards.shards[0].keys is not None
            text = np.array([token for document in documents for token in document])
            for at in range(len(text)):
                for size in (1, 2, 5, 12, 30):
                    ids = text[at : at + size]
                    assert far.counts.count(ids) == near.counts.count(ids), (number, ids)
            assert far.remark == ""


@pytest.mark.parametrize("name", own_indexes.LAYOUTS)
def test_every_layout_answers_alike(tmp_path, name):
    folder, file = own_indexes.write(tmp_path, name)
    near = open_index(folder, tokenizer=file).index
    draw = random.Random(name)
    ngrams: list[np.ndarray] = []
    while len(ngrams) < 150:
        document = np.array([draw.randrange(near.document_count)])
        first = np.array([draw.randrange(max(1, int(near.documents.lengths(document)[0])))])
        found = near.documents.windows(document, first, first + draw.choice([1, 1, 2, 3, 4, 6, 10, 30, 120]))[0].copy()
        if len(found) > 1 and draw.random() < 0.3:
            found[draw.randrange(len(found))] = draw.randrange(min(300, near.separator))
        ngrams += [found] if len(found) else []
    with RangeServer(folder.parent) as server:
        far = open_index(f"{server.url}/{name}/", tokenizer=file).index
        ids, ends = np.concatenate(ngrams), np.cumsum(list(map(len, ngrams)))
        starts = ends - np.array(list(map(len, ngrams)))
        assert far.counts.count_many(ids, starts, ends).tolist() == near.counts.count_many(ids, starts, ends).tolist()
        assert far.counts.longest_matches(ids[:500]).tolist() == near.counts.longest_matches(ids[:500]).tolist()
        for ngram in ngrams[:20]:
            one, other = (each.hits.occurrences([each.hits.find(ngram)]) for each in (far, near))
            numbers = np.arange(min(30, other.total))
            assert plain(one.locate(numbers)) == plain(other.locate(numbers))

"""The compressed index against looking at every place, against the suffix array, and with bytes that were changed."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from _fastsa import Shard, Stopped, fm, suffix_array
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled
from explorer.index.fm.file import PAGE, check_of, write_part

# Few symbols repeat themselves, many make deep codes, and the extremes are those of bytes and of separators.
SYMBOLS = st.sampled_from([0, 1, 65, 66, 250, 255])
TEXTS = st.one_of(st.binary(max_size=300), st.lists(SYMBOLS, max_size=300).map(bytes))


def bytes_of(text):
    return np.frombuffer(bytes(text), dtype=np.uint8)


def numbers(*values):
    return np.array(values, dtype=np.int64)


def made(folder, text, documents=()):
    path, source = Path(folder) / "fm.0", Path(folder) / "text"
    source.write_bytes(bytes(text))
    write_part(path, source, numbers(*documents), CancelToken(), numbers(0))
    return np.fromfile(path, dtype=np.uint8)


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("fm")


def places_in(text, query):
    return [at for at in range(len(text) - len(query) + 1) if text.startswith(query, at)]


def found_by(part, query):
    first, last = part.find(bytes_of(query))
    return sorted((part.places(np.arange(first, last, dtype=np.int64)) - len(query)).tolist())


@given(TEXTS, st.lists(st.one_of(st.binary(max_size=6), st.lists(SYMBOLS, max_size=6).map(bytes)), max_size=8))
def test_places_of_any_text(room, text, queries):
    part = fm.Part(made(room, text))
    for query in [*queries, text[:1], text[1:4], text[-2:], text, text + b"x"]:
        # The empty text is also found behind the last byte.
        assert found_by(part, query) == places_in(text, query), query


@given(TEXTS, st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=6))
def test_every_byte_comes_back(room, text, spans):
    part = fm.Part(made(room, text))
    assert part.texts(numbers(0), numbers(len(text))).tobytes() == text
    for one, other in spans:
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        assert part.texts(numbers(start), numbers(end)).tobytes() == text[start:end]


@given(TEXTS, st.lists(st.binary(max_size=3), max_size=4))
def test_bytes_that_follow(room, text, contexts):
    part = fm.Part(made(room, text))
    for context in [*contexts, text[:2], b""]:
        span = part.find(bytes_of(context))
        rows = part.children(numbers(span[0]), numbers(span[1])).tolist()
        following = [text[at + len(context)] for at in places_in(text, context) if at + len(context) < len(text)]
        assert {byte: last - first for _, byte, first, last in rows} == {
            byte: following.count(byte) for byte in set(following)
        }
        for _, byte, first, last in rows:
            assert part.find(bytes_of(context + bytes([byte]))) == (first, last)


@given(TEXTS, TEXTS)
def test_longest_matches(room, text, other):
    part = fm.Part(made(room, text))
    query = other[:60] + text[:40] + text[-20:]
    for start, length in enumerate(part.longest(bytes_of(query)).tolist()):
        assert query[start : start + length] in text
        assert start + length == len(query) or query[start : start + length + 1] not in text


@given(st.sets(st.integers(0, 999), min_size=1, max_size=300))
def test_documents(room, begins):
    documents = sorted(begins)
    part = fm.Part(made(room, bytes(1000), documents))
    everywhere = np.arange(documents[0], 1001, dtype=np.int64)
    assert part.document_starts(np.arange(len(documents) + 1)).tolist() == [*documents, 1000]
    expected = np.searchsorted(documents, everywhere, side="right") - 1
    assert part.documents_at(everywhere).tolist() == expected.tolist()


def some_text(size, seed=3):
    """Words of a Zipf distribution, with separators, runs, and every byte somewhere."""
    rng = np.random.default_rng(seed)
    words = [bytes(rng.integers(97, 123, rng.integers(1, 9)).astype(np.uint8)) for _ in range(3000)]
    chosen = np.minimum(rng.zipf(1.3, size // 4), len(words)) - 1
    parts = [b"\xff"]
    for number, word in enumerate(chosen.tolist()):
        parts.append(words[word] + (b"\xff" if number % 97 == 0 else b" "))
        if number % 1000 == 0:
            parts.append(bytes(range(256)) + b"\xff\xff\xfa\x00\x00" + b"a" * (number % 701))
    return b"".join(parts)[:size]


@pytest.fixture(scope="module")
def large(room):
    """200,000 bytes, their part, and a shard of the same."""
    text = some_text(200_000)
    raw = bytes_of(text)
    order = suffix_array(raw, 256)
    table = order.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3].reshape(-1).copy()
    documents = np.flatnonzero(raw == 255).tolist()
    return text, made(room, text, documents), Shard(raw, table, 1, 3)


def random_queries(text, count, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = int(rng.choice([1, 2, 3, 4, 6, 10, 25, 60]))
        start = int(rng.integers(0, len(text) - size))
        query = bytearray(text[start : start + size])
        kind = rng.random()
        if kind < 0.3:
            query[int(rng.integers(0, size))] = int(rng.choice([0, 0xFA, 0xFF, 97, rng.integers(0, 256)]))
        elif kind < 0.35:
            query = bytearray(rng.integers(0, 256, size).astype(np.uint8))
        yield bytes(query)
    yield text + b"a"


def test_ten_thousand_queries_as_in_the_suffix_array(large):
    text, data, shard = large
    part = fm.Part(data)
    queries = list(random_queries(text, 10_000))
    flat = bytes_of(b"".join(queries))
    ends = np.cumsum([len(query) for query in queries], dtype=np.int64)
    starts = ends - np.array([len(query) for query in queries])
    firsts, lasts = part.find_many(flat, starts, ends)
    found = shard.find_many(flat, starts, ends)
    assert (lasts - firsts).tolist() == (found[1] - found[0]).tolist()
    # The places of all that have few, and of a few that have many.
    for i, query in enumerate(queries):
        if lasts[i] - firsts[i] <= 20 or i % 500 == 0:
            places = part.places(np.arange(firsts[i], lasts[i], dtype=np.int64)) - len(query)
            expected = shard.positions(np.arange(found[0][i], found[1][i], dtype=np.int64))
            assert sorted(places.tolist()) == sorted(expected.tolist()), query


def test_consecutive_queries_with_one_start(large):
    text, data, _ = large
    part = fm.Part(data)
    ends = np.array([3, 3, 5, 20, 20, 4, 0, 9], dtype=np.int64)
    starts = np.array([1, 1, 1, 1, 2, 2, 0, 0], dtype=np.int64)
    firsts, lasts = part.find_many(bytes_of(text[:20]), starts, ends)
    for start, end, first, last in zip(starts, ends, firsts, lasts, strict=True):
        assert part.find(bytes_of(text[start:end])) == (first, last)


def test_the_longest_matches_of_long_repeats(large):
    text, data, shard = large
    query = bytes_of(text[500:2500] + b"zq" * 40 + text[100:140] + text[500:2500])
    assert fm.Part(data).longest(query).tolist() == shard.longest_matches(query).tolist()


def damaged(data, seed):
    """The bytes of a file with one to three changed, or cut, or longer."""
    rng = np.random.default_rng(seed)
    changed = data.copy()
    kind = seed % 5
    if kind == 3:
        return changed[: int(rng.integers(0, len(data)))]
    if kind == 4:
        return np.append(changed, rng.integers(0, 256, int(rng.choice([1, 8, 4096])))).astype(np.uint8)
    for _ in range(kind + 1):
        changed[int(rng.integers(0, len(data)))] ^= int(rng.integers(1, 256))
    return changed


def answers(data, queries):
    """All that a file answers to some questions, or None if it is found to be damaged."""
    try:
        part = fm.Part(data)
        spans = [part.find(bytes_of(query)) for query in queries]
        rows = np.concatenate([np.arange(first, min(last, first + 3), dtype=np.int64) for first, last in spans])
        spread = part.children(*(np.array(side, dtype=np.int64) for side in zip(*spans, strict=True)))
        every = np.arange(part.documents, dtype=np.int64)
        return (
            spans,
            part.places(rows).tolist(),
            spread.tolist(),
            part.texts(numbers(0, 7000), numbers(3000, 7300)).tobytes(),
            part.document_starts(every).tolist(),
            part.documents_at(np.arange(0, part.size, 501)).tolist(),
        )
    except fm.DamagedPart:
        return None


def test_changed_files_are_found_out_or_answer_as_before(room, scale):
    text = some_text(40_000)
    data = made(room, text, np.flatnonzero(bytes_of(text) == 255).tolist())
    queries = list(random_queries(text, 40))
    expected = answers(data, queries)
    assert expected is not None
    outcomes = [answers(damaged(data, seed), queries) for seed in range(scale(60, 10_000))]
    # A page that no question read may be damaged; checking all of them finds it.
    assert all(found in (None, expected) for found in outcomes)
    assert sum(found is None for found in outcomes) > len(outcomes) // 2


def test_checking_all_pages_finds_every_change(room, scale):
    text = some_text(20_000)
    data = made(room, text, np.flatnonzero(bytes_of(text) == 255).tolist())
    fm.Part(data).check_pages()
    for seed in range(scale(40, 10_000)):
        with pytest.raises(fm.DamagedPart):
            fm.Part(damaged(data, seed)).check_pages()


def forged(data, seed):
    """A file that was changed by somebody who made its checksums again."""
    rng = np.random.default_rng(seed)
    changed = data.copy()
    head = changed[:PAGE].view("<u8")
    checks = int(head[8 + 18])
    for _ in range(int(rng.choice([1, 4, 100]))):
        at = int(rng.integers(PAGE, checks)) if seed % 4 else 8 * int(rng.integers(2, 288))
        changed[at] = rng.integers(0, 256)
    changed[checks:] = fm.page_checks(changed[PAGE:checks]).view(np.uint8)
    head[28] = check_of(changed[checks:])
    head[511] = check_of(changed[: PAGE - 8])
    return changed


def test_forged_files_do_not_end_the_process(room, scale):
    text = some_text(40_000)
    data = made(room, text, np.flatnonzero(bytes_of(text) == 255).tolist())
    queries = list(random_queries(text, 40))
    whole = [answers(forged(data, seed), queries) for seed in range(scale(60, 10_000))]
    # They may answer otherwise: nobody can tell. But some make no sense, and that is noticed.
    assert None in whole


@pytest.mark.parametrize("begins", [(5,), (0, 3, 900)])
def test_arguments_out_of_range(room, begins):
    part = fm.Part(made(room, bytes(1000), begins))
    with pytest.raises(IndexError):
        part.texts(numbers(3), numbers(1001))
    with pytest.raises(IndexError):
        part.texts(numbers(4), numbers(3))
    with pytest.raises(IndexError):
        part.places(numbers(1001))
    with pytest.raises(IndexError):
        part.children(numbers(0), numbers(1002))
    with pytest.raises(IndexError):
        part.find_many(bytes_of(b"ab"), numbers(1), numbers(3))
    with pytest.raises(IndexError):
        part.document_starts(numbers(len(begins) + 1))
    with pytest.raises(IndexError):
        part.documents_at(numbers(-1))
    with pytest.raises(ValueError, match="end"):
        part.texts(numbers(3), numbers())


def test_a_stop_flag_ends_every_long_call(large):
    text, data, _ = large
    part = fm.Part(data)
    stop = np.ones(1, dtype=np.uint8)
    rows = np.arange(1000, dtype=np.int64)
    with pytest.raises(Stopped):
        part.places(rows, stop)
    with pytest.raises(Stopped):
        part.texts(numbers(0), numbers(len(text)), stop)
    with pytest.raises(Stopped):
        part.longest(bytes_of(text[:100]), stop)
    with pytest.raises(Stopped):
        part.children(rows, rows + 1, stop)
    with pytest.raises(Stopped):
        part.check_pages(stop)
    with pytest.raises(Stopped):
        part.find_many(bytes_of(text[:100]), rows[:50], rows[:50] + 9, stop)


def test_a_cancelled_part_leaves_no_file(tmp_path):
    cancel = CancelToken()
    cancel.cancel()
    (tmp_path / "text").write_bytes(some_text(5000))
    with pytest.raises(Cancelled):
        write_part(tmp_path / "fm.0", tmp_path / "text", numbers(0), cancel, numbers(0))
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_threads_read_one_part(large):
    text, data, shard = large
    part = fm.Part(data)
    queries = list(random_queries(text, 300))
    wrong = []

    def ask():
        for query in queries:
            first, last = part.find(bytes_of(query))
            low, high = shard.find(bytes_of(query))
            if last - first != high - low:
                wrong.append(query)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_equal_texts_give_equal_files(room):
    text = some_text(30_000)
    assert made(room, text).tobytes() == made(room, text).tobytes()


def test_bits_in_every_way_of_storing_them():
    rng = np.random.default_rng(5)
    for density in (0.0, 0.001, 0.03, 0.2, 0.5, 0.8, 0.97, 1.0):
        for run in (1, 3, 40, 900):
            bits = np.repeat(rng.random(20_000 // run + 1) < density, run)[:20_000]
            words = np.packbits(bits, bitorder="little")
            padded = np.append(words, np.zeros(-len(words) % 8, dtype=np.uint8)).view("<u8")
            rows, _data = fm.encode_bits(padded, len(bits))
            before = (rows[::2] & 0x7FFFFFFF).tolist()
            assert before == [int(bits[:at].sum()) for at in range(0, 20_001, 4096)]

"""Watch lists: what is read from a file, and its counts against a scan of the texts."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from scan import scan
from scripts import TEXTS, write_tokenizer

from explorer import build_index, open_index
from explorer.analyses.search.find import QueryOptions
from explorer.analyses.watch.counting import FIRST_DOCUMENTS, count_patterns
from explorer.analyses.watch.watch_list import (
    MOST_PATTERNS,
    WatchPattern,
    join_lists,
    parse_watch_list,
    read_watch_list,
)
from explorer.core.jobs import CancelToken
from explorer.errors import Cancelled, CorpusError, QueryError, SourceError
from explorer.text.patterns.pattern import Pattern


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("watch")
    lines = ({"text": text, "title": f"text {number}"} for number, text in enumerate(TEXTS))
    (folder / "t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    build_index(folder / "t.jsonl", folder / "out", tokenizer=write_tokenizer("byte-fallback", folder), shards=2)
    return open_index(folder / "out", check_fit=False).index


def of_text(data):
    return parse_watch_list(data, "list.txt").patterns


def test_a_text_has_a_pattern_per_line():
    data = b"\xef\xbb\xbfcap\r\n\n   \n# a comment\n\\#1\n a b \n\\n\nlast"
    assert of_text(data) == tuple(
        WatchPattern(text, "", line) for text, line in (("cap", 1), ("#1", 5), (" a b ", 6), ("\\n", 7), ("last", 8))
    )
    bad = of_text(b"good\n\xff\xfe\nfine")
    assert [row.pattern for row in bad if not row.error] == ["good", "fine"]
    assert bad[1].line == 2 and "not UTF-8 text (byte 1)" in bad[1].error


def test_a_table_has_columns():
    data = '\ufeffkind,Pattern,LABEL,note\nkey,"a, ""b""",one,=1+1\n\n,,,\nname,"two\nlines",,\nx,last\n'.encode()
    found = parse_watch_list(data, "list.csv", ",")
    assert found.columns == ("kind", "note") and found.has_labels
    assert found.patterns == (
        WatchPattern('a, "b"', "one", 2, ("key", "=1+1")),
        WatchPattern("two\nlines", "", 5, ("name", "")),
        WatchPattern("last", "", 7, ("x", "")),
    )
    first = parse_watch_list(b"word\tn\ncap\t1\n# no comment\t2\n", "list.tsv", "\t")
    assert [row.pattern for row in first.patterns] == ["cap", "# no comment"] and not first.has_labels
    assert first.columns == ("n",)


def test_bad_rows_are_reported_by_their_lines():
    rows = parse_watch_list(b"pattern,n\na,1\nb,2,3\n ,4\nc,5\n", "list.csv", ",").patterns
    assert [row.line for row in rows if row.error] == [3, 4]
    assert "3 cells, and the first row has 2" in rows[1].error and "no pattern" in rows[2].error


@pytest.mark.parametrize(
    ("data", "delimiter", "said"),
    [
        (b"", "", "has no pattern"),
        (b"# only\n\n", "", "has no pattern"),
        (b"", ",", "has no pattern"),
        (b"pattern\n", ",", "has no pattern"),
        (b"pattern,a,a\nx,1,2\n", ",", 'two columns named "a"'),
        (b'pattern\nx\n"a"b\n', ",", "line 3 is not a row of a table"),
        (b'pattern\nx\n"never closed\nb', ",", "line 3 is not a row of a table"),
        (b"pattern\nx\n\xff\n", ",", "line 3: this is not UTF-8 text"),
        (b"x\n" * 100_001, "", "more than 100,000 patterns"),
        (b"\n" * (1 << 26) + b"x", "", "more than 67,108,864 bytes"),
    ],
    ids=range(10),
)
def test_what_is_no_list_is_refused(data, delimiter, said):
    with pytest.raises(QueryError, match=said):
        parse_watch_list(data, "list", delimiter)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path, tmp_path / "\0"):
        with pytest.raises(CorpusError, match="cannot be read"):
            read_watch_list(path)
    (tmp_path / "a.CSV").write_text("pattern,x\ncap,1\n")
    assert read_watch_list(tmp_path / "a.CSV").columns == ("x",)


RECORDS = [{"n": 1, "pattern": "cap", "label": "A"}, {"pattern": "a, b", "more": {"x": 2}}, {"n": 3}, {"pattern": 7}]
READ = (
    WatchPattern("cap", "A", 1, ("1", "")),
    WatchPattern("a, b", "", 2, ("", '{"x": 2}')),
    WatchPattern("", "", 3, ("3", ""), 'The field "pattern" has no pattern.'),
    WatchPattern("7", "", 4, ("", ""), 'The field "pattern" has no pattern.'),
)


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz", "a.json", "a.json.zst", "a.JSONL"])
def test_records_are_patterns(name, tmp_path):
    data = json.dumps(RECORDS) if ".json." in name or name.endswith(".json") else "\n".join(map(json.dumps, RECORDS))
    pack = gzip.compress if name.endswith("gz") else zstandard.compress if name.endswith("zst") else bytes
    (tmp_path / name).write_bytes(pack(data.encode()))
    found = read_watch_list(tmp_path / name)
    assert found.columns == ("n", "more") and found.has_labels
    assert found.patterns == tuple(replace(one, source=str(tmp_path / name)) for one in READ)


def test_a_parquet_file_is_a_list(tmp_path):
    table = pyarrow.table({"team": [1, 2], "Pattern": ["cap", None]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    found = read_watch_list(tmp_path / "a.parquet")
    assert [(row.pattern, row.more, bool(row.error)) for row in found.patterns] == [
        ("cap", ("1",), False),
        ("", ("2",), True),
    ]
    (tmp_path / "a.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-9])
    with pytest.raises(SourceError, match=r"a\.parquet is damaged"):
        read_watch_list(tmp_path / "a.parquet")


def test_damaged_and_long_records_are_refused(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"cap\n" * 9999)[:40])
    with pytest.raises(SourceError, match=r"a\.txt\.gz is cut short"):
        read_watch_list(tmp_path / "a.txt.gz")
    (tmp_path / "a.jsonl").write_bytes(b'{"pattern": "cap"}\n' * (MOST_PATTERNS + 1))
    with pytest.raises(QueryError, match="more than 100,000 patterns"):
        read_watch_list(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_bytes(b'{"pattern": "cap"}\nnot JSON\n')
    rows = read_watch_list(tmp_path / "a.jsonl").patterns
    assert (rows[0].error, rows[1].line) == ("", 2) and rows[1].error
    (tmp_path / "a.json").write_bytes(b"[1")
    assert read_watch_list(tmp_path / "a.json").patterns[0].error


def test_lists_are_joined():
    one = parse_watch_list(b"pattern,a,label\ncat,1,x\n", "one", ",")
    two = parse_watch_list(b"pattern,b,a\ndog,2,3\n", "two", ",")
    found = join_lists([one, two, parse_watch_list(b"cow\n", "three")])
    assert found.columns == ("a", "b") and found.has_labels
    assert [(row.pattern, row.label, row.more) for row in found.patterns] == [
        ("cat", "x", ("1", "")), ("dog", "", ("3", "2")), ("cow", "", ("", ""))
    ]  # fmt: skip


WORDS = ("cap", "the", "语言", "ana", "🎉", "nowhere", "delve", "العربية", "a")


@pytest.mark.parametrize(
    "how", [{}, {"ignore_case": True}, {"whole_words": True}, {"match": "regex", "whole_words": True}], ids=str
)
def test_counts_are_those_of_a_scan(index, how):
    options = QueryOptions(**{"match": "text", **how})
    rows = list(count_patterns(index, [WatchPattern(word, line=5) for word in WORDS], options))
    for word, row in zip(WORDS, rows, strict=True):
        places = scan(list(TEXTS), Pattern(word, options.match, options.ignore_case, options.whole_words))
        documents = sorted({number for number, _ in places})
        assert (row.count, row.documents, row.error) == (len(places), len(documents), ""), word
        assert row.per_million == pytest.approx(1e6 * len(places) / index.token_count)
        named = [(one.document, one.title) for one in row.first_documents]
        assert named == [(number, f"text {number}") for number in documents[:FIRST_DOCUMENTS]]


def test_a_long_cell_is_a_pattern_that_cannot_be_looked_for(index):
    watched = parse_watch_list(b'pattern\n"' + b"x" * 200_000 + b'"\ncap\n', "a.csv", ",")
    rows = list(count_patterns(index, watched.patterns, QueryOptions(match="text")))
    assert "200,000 characters" in rows[0].error and rows[0].count is None and rows[1].count > 0


def test_operators_have_no_meaning(index):
    for match in ("text", "tokens"):
        (row,) = count_patterns(index, [WatchPattern("cap AND the")], QueryOptions(match=match))
        assert row.count == 0


def test_one_that_cannot_be_looked_for_does_not_lose_the_others(index):
    patterns = [WatchPattern(text) for text in ("cap", "(", "a*", "(?<=a)b", "x" * 10_000, "the")]
    patterns.append(WatchPattern("the", error="a reason"))
    rows = list(count_patterns(index, patterns, QueryOptions(match="regex")))
    assert [bool(row.error) for row in rows] == [False, True, True, True, True, False, True]
    assert [row.count is None and row.documents is None for row in rows] == [bool(row.error) for row in rows]
    assert rows[0].count == len(scan(list(TEXTS), Pattern("cap"))) and rows[-1].error == "a reason"


def test_progress_and_cancel(index):
    told, cancel = [], CancelToken()

    def report(progress):
        told.append((progress.done, progress.total))
        if progress.done == 2:
            cancel.cancel()

    rows = count_patterns(index, [WatchPattern("cap")] * 5, QueryOptions(match="text"), report, cancel)
    assert next(rows).count and next(rows).count
    with pytest.raises(Cancelled):
        next(rows)
    assert told == [(0, 5), (1, 5), (2, 5)]

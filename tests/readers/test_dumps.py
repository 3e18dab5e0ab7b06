"""Dumps of wikis and of Reddit: texts written by hand, what is counted, and input that is made to harm."""

from __future__ import annotations

import bz2
import io
import json
import random
import time

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.core.files.streams import BrokenStreamError
from explorer.documents.content import Content
from explorer.documents.kinds import kind_named, kind_of
from explorer.documents.record import Records
from explorer.documents.skipped import DELETED, OTHER_PAGES, REDIRECTS
from explorer.documents.web.wiki_dumps import read
from explorer.documents.web.wikitext import plain_text
from explorer.errors import SourceError

HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">\n<siteinfo>'
    '<sitename>Wiki</sitename><namespaces><namespace key="0" /><namespace key="6">Datei</namespace>'
    '<namespace key="14">Kategorie</namespace></namespaces></siteinfo>\n'
)


def page(title, text, ns="0", more="", model="wikitext"):
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f"<page><title>{title}</title><ns>{ns}</ns><id>7</id>{more}<revision><id>99</id>"
        f"<timestamp>2024-01-02T03:04:05Z</timestamp><contributor><username>A</username><id>3</id></contributor>"
        f'<model>{model}</model><text bytes="1" xml:space="preserve">{text}</text></revision></page>\n'
    )


WIKI = HEAD + page("Maus", "Die '''Maus''' ist ein [[Tier]].[[Datei:a.jpg|mini|Eine Maus]]\n[[Kategorie:Tier]]")
WIKI += page("Mäuse", "#WEITERLEITUNG [[Maus]]", more='<redirect title="Maus" />') + page("Diskussion:Maus", "a", "1")
WIKI += page("Stil", "a {}", model="css") + page("Größe", "7 &nbsp;cm < 8") + "</mediawiki>\n"
COMMENT = {"id": "c1", "author": "ann", "subreddit": "mice", "created_utc": "1546300800", "score": 3, "body": "Hi"}
SUBMISSION = {"id": "s1", "author": "bob", "subreddit": "mice", "created_utc": 1546300801, "title": "My mouse",
              "selftext": "It is &lt;small&gt; &amp;amp; grey"}  # fmt: skip
REDDIT = [COMMENT, SUBMISSION, {**COMMENT, "id": "c2", "body": "[deleted]"}, {**SUBMISSION, "selftext": ""},
          {**SUBMISSION, "selftext": "[removed]"}, {"id": "x"}]  # fmt: skip


def documents(kind, data, **options):
    stream = io.BufferedReader(io.BytesIO(data))
    return list(kind_named(kind).read(Content("a", "a", stream, stream, **options)))


def lines(posts):
    return "".join(json.dumps(post) + "\n" for post in posts).encode()


def test_articles_are_documents_and_other_pages_are_counted():
    found = documents("wiki", WIKI.encode())
    assert [each.text or (each.skipped, each.problem) for each in found] == [
        "Die Maus ist ein Tier.",
        (REDIRECTS, "Mäuse"),
        (OTHER_PAGES, "namespace 1: Diskussion:Maus"),
        (OTHER_PAGES, "content of the model css: Stil"),
        "7 \xa0cm < 8",
    ]
    metadata = {"title": "Maus", "id": "7", "timestamp": "2024-01-02T03:04:05Z", "language": "de"}
    assert found[0].metadata == metadata and [each.place for each in found] == list(range(5))


def test_of_a_history_the_last_revision_is_read():
    revision = "<revision><id>1</id><timestamp>{0}</timestamp><text>{0}</text></revision>"
    pages = "<page><title>a</title><ns>0</ns>" + revision.format("old") + revision.format("new") + "</page>"
    (found,) = documents("wiki", (HEAD + pages + "</mediawiki>").encode())
    assert (found.text, found.metadata["timestamp"]) == ("new", "new")


def test_a_packed_dump_is_built(tmp_path):
    streams = (HEAD, WIKI.removeprefix(HEAD))
    packed = b"".join(bz2.compress(part.encode()) for part in streams)
    (tmp_path / "wiki-pages-articles.xml.bz2").write_bytes(packed)
    made = build_index(tmp_path / "wiki-pages-articles.xml.bz2", tmp_path / "index", tokenizer="bytes")
    assert made.read == {"files_found": 1, "files_skipped": 0, "documents_found": 5, "documents_skipped": 3}
    assert [each.metadata["metadata"]["title"] for each in open_index(tmp_path / "index").documents] == [
        "Maus",
        "Größe",
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (WIKI[:-20], "cut short"),
        (HEAD + "<page></pag>", "not well-formed"),
        (HEAD.replace("<mediawiki", '<!DOCTYPE a [<!ENTITY b "c">]><mediawiki'), "document type"),
        (HEAD + "<page a='" + "x" * (5 << 20), "tag of more than 4 MB"),
    ],
)
def test_damaged_dumps_are_errors(data, message):
    with pytest.raises(BrokenStreamError, match=message):
        documents("wiki", data.encode())


def test_a_page_that_is_too_long_is_counted_and_not_held():
    (found,) = documents("wiki", (HEAD + page("Lang", "a b " * (5 << 20)) + "</mediawiki>").encode())
    assert found.skipped == OTHER_PAGES and "more than 16 million characters" in found.problem


def test_memory_does_not_grow_with_a_dump():
    class Endless(io.RawIOBase):
        given = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            part = (HEAD if not self.given else page("A", "b " * 9_000)).encode()[: len(buffer)]
            self.given += 1
            buffer[: len(part)] = part
            return len(part)

    stream = io.BufferedReader(Endless(), 1 << 16)
    found = read(Content("a", "a", stream, stream))
    assert all(next(found).text for _ in range(50))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a [[b]] [[b|c]]s [[b (d)|]] [[:Category:E]]", "a b cs b (d) Category:E"),
        ("[[File:a.jpg|thumb|A [[mouse]]]]b[[Category:X]] [[fr:Souris]]", "b"),
        ("a{{b|{{c}}|d=[[e]]}}f {{{1|g}}} {{{{{2}}}}}", "af"),
        ("{{open and {{closed}} text", "{{open and  text"),
        ("''a'' '''b''' '''''c''''' d'''''' ''''e'''", "a b c d' 'e"),
        ("== A ==\ntext\n===B===\n# one\n*: two\n----\nend", "A\ntext\nB\none\ntwo\n\nend"),
        ("a<ref name=x>b</ref><ref name=x />c<!-- d -->e <math>x^2</math>", "ace"),
        ("a <nowiki>''[[b]]''</nowiki> <unknown> 1 < 2", "a ''[[b]]'' <unknown> 1 < 2"),
        ("[https://a.example b c] [//a.example] https://a.example", "b c  https://a.example"),
        ("{|\n! a !! b\n|-\n| x=1 | c || d\n|-\n|e\nf\n|}g", "a\tb\nc\td\ne\tf"),
        ("a<br/>b <span style='x'>c</span> &amp;lt; __TOC__", "a\nb c &lt;"),
        ("<NOWIKI>İ''</NOWIKI><ref>a</references>b</REF >c", "İ''c"),
        ("a [[b", "a [[b"),
        ("a]] b}}", "a]] b}}"),
    ],
)
def test_markup_is_what_readers_see(markup, text):
    assert plain_text(markup) == text


SIGNS = ["{{", "}}", "{|\n", "\n|}", "[[", "]]", "|", "<ref>", "</ref>", "<nowiki>", "</nowiki>", "<!--", "-->", "''",
         "\n=", "=", "\n*", "a", " ", "&amp;", "File:", "[http://", "]", "\n|-\n", "<br", ">", "İ", "b=c|"]  # fmt: skip


@given(st.lists(st.sampled_from(SIGNS), max_size=40).map("".join))
def test_any_markup_has_a_text(markup):
    assert isinstance(plain_text(markup), str)


@given(st.lists(st.sampled_from(["mouse", "Maus", "1", "a", "é"])).map(" ".join))
def test_plain_words_are_unchanged(text):
    assert plain_text(text) == text


@pytest.mark.parametrize("sign", ["{{", "[[", "{{a|", "[[a|{{", "<ref>", "<nowiki>", "<a b='", "{|\n|a\n", "''a", " "])
def test_nested_and_unclosed_markup_takes_time_by_its_length(sign):
    took = {}
    for size in (30_000, 240_000):
        began = time.process_time()
        plain_text(sign * (size // len(sign)))
        took[size] = time.process_time() - began
    # Eight times the length: 64 times the time if each sign were compared with all others.
    assert took[240_000] < 32 * max(took[30_000], 0.02)


def test_posts_are_documents_and_deleted_ones_are_counted():
    found = documents("reddit", lines(REDDIT))
    assert [each.text or (each.skipped, each.problem) for each in found] == [
        "Hi",
        "My mouse\n\nIt is <small> &amp; grey",
        (DELETED, "c2 was deleted"),
        "My mouse",
        (DELETED, "s1 was deleted"),
        ("", 'there is no text in "body", "selftext" or "title"'),
    ]
    assert found[0].metadata == {
        "id": "c1",
        "author": "ann",
        "subreddit": "mice",
        "created_utc": 1546300800,
        "date": "2019-01-01T00:00:00Z",
    }


def test_a_field_that_is_named_is_read_as_in_json_lines():
    stream = io.BufferedReader(io.BytesIO(lines(REDDIT)))
    found = kind_named("reddit").read(Content("a", "a", stream, stream, text_field="author"))
    assert isinstance(found, Records) and [record.fields["id"] for record in found.records][:2] == ["c1", "s1"]


@pytest.mark.parametrize(
    ("head", "name", "kind"),
    [
        (lines([COMMENT]), "rc_2019-04", "reddit"),
        (lines([SUBMISSION]), "a.jsonl", "reddit"),
        (lines([{**COMMENT, "long": "x" * 9_000}])[:8_000], "rc_2019-04", "reddit"),
        (lines([{**COMMENT, "text": "x"}]), "a.jsonl", "jsonl"),
        (lines([{"body": "x"}]), "a.jsonl", "jsonl"),
        (WIKI.encode(), "wiki.xml", "wiki"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<mediawiki>", "a", "wiki"),
        (b"<a><mediawiki>", "a.xml", "xml"),
    ],
)
def test_dumps_are_recognized_by_their_content(head, name, kind):
    assert kind_of(head, name).name == kind


def long_window(exponent, data):
    """A frame of Zstandard that declares a window of 2 to the power of `exponent`, as --long makes it."""
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(exponent - 10) << 3]) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def test_long_windows_are_accepted_up_to_the_limit(tmp_path):
    (tmp_path / "RC_2019-04.zst").write_bytes(long_window(31, lines(REDDIT[:2])))
    build_index(tmp_path / "RC_2019-04.zst", tmp_path / "index", tokenizer="bytes")
    assert open_index(tmp_path / "index").documents[0].text == "Hi"
    (tmp_path / "RC.zst").write_bytes(long_window(32, lines(REDDIT[:2])))
    with pytest.raises(SourceError, match=r"RC\.zst"):
        build_index(tmp_path / "RC.zst", tmp_path / "other", tokenizer="bytes")
    assert zstandard.decompress(long_window(20, b"a"), max_output_size=9) == b"a"


INPUTS = {"wiki": WIKI.encode(), "reddit": lines(REDDIT)}
SPECIAL = [b"<page>", b"</page>", b"<text>", b"</text>", b"<revision>", b"<redirect/>", b"&#x0;", b"&a;", b"\0",
           b"\xff", b"<!DOCTYPE a>", b'"', b"{", b"1e999", b"null", b"<![CDATA[", b"-1", b"[[", b"{{"]  # fmt: skip


def read_damaged(seeds):
    """Read damaged dumps, check what is found, and return in how many there was a text."""
    read = 0
    for seed in seeds:
        chance = random.Random(seed)
        kind = chance.choice(sorted(INPUTS))
        data = bytearray(INPUTS[kind])
        for _ in range(chance.choice([1, 3, 20])):
            at = chance.randrange(len(data) + 1)
            data[at : at + chance.choice([0, 1, 30])] = chance.choice(SPECIAL)
        try:
            found = documents(kind, bytes(data))
        except BrokenStreamError:
            continue
        assert all(isinstance(each.text, str) and bool(each.problem) >= bool(each.skipped) for each in found)
        read += any(not each.problem for each in found)
    return read


def test_damaged_dumps_are_documents_or_errors():
    assert read_damaged(range(200)) > 70


@pytest.mark.nightly
def test_many_damaged_dumps_are_documents_or_errors():
    assert read_damaged(range(200, 4_200)) > 1_400

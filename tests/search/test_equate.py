"""What counts as the same, in every layout of an index: counts, lines, documents, filters, AND and NOT, watch lists."""

import random
import unicodedata

import own_indexes
import pytest
import twin
from equal_scan import JOINERS, equal_spans
from scripts import write_tokenizer
from tiers import nightly

import explorer
from explorer.analyses.search.arrange import LineSettings
from explorer.analyses.search.find import QueryOptions, find_query, near_filter
from explorer.analyses.search.in_document import read_part
from explorer.analyses.search.more import More
from explorer.analyses.search.needle import Needle
from explorer.analyses.watch.counting import count_patterns
from explorer.analyses.watch.watch_list import WatchPattern
from explorer.text.patterns.equates import EQUATES
from explorer.text.patterns.pattern import Pattern

TEXTS = (
    "one of the\r\nbest, one of\nthe rest; one\u00a0of the\tlast, one  of   the first. one of"
    "\u2028the\u0085 end one of the",
    "O'Neill, O’Neill and Oʼneill said “don't”, \"don’t\" – well-known, well–known; 5′ 6″ 5' 6\"\n\n",
    "café cafe\u0301 CAFE\u0301 cafe Cafés Viê\u0323t Vi\u1ec7t Vie\u0323\u0302t Vie\u0302\u0323t "
    "각 각 가 \u212bngstro\u0308m Ångström",
    "Donau\u00addampf Donaudampf Do\u200dnau Donau\u00ad Donau, می\u200cخواهم می خواهم \u200cمی خواهم\u200c",
    "Straße STRASSE strasse Οδυσσεύς ΟΔΥΣΣΕΎΣ ﬁnal final ﬆop İstanbul i\u0307stanbul ǅ ǆ ŉ ʼn 'n Maß Mass masse",
    "", " ", "\u200d", "e\u0301", "\n\none of the",
)  # fmt: skip
QUERIES = (
    "one of the", "of the", " of ", "the ", " ", "O'Neill", "don’t", '"', "-", "well-known", "café", "cafe\u0301",
    "cafe", "Viê\u0323t", "각", "가", "Donaudampf", "Donau", "می", "می\u200cخواهم", "strasse", "ss", "s", "fi", "final",
    "οδυσσεύς", "i\u0307", "ʼn", "'N", "5'", "e", "\u0301", "Å",
)  # fmt: skip
STYLES = ("bytes", "fm", "byte-level", "byte-fallback", "two shards", "v5 llama", "v5 olmo", "u32 olmo", "u8 bytes")


def made(style, folder):
    """An index of the texts."""
    rows = [{"text": text} for text in TEXTS]
    if style in ("fm", "two shards"):
        options = {"format": "fm"} if style == "fm" else {"tokenizer": "bytes", "shards": 2}
        explorer.build_index(rows, folder / "index", **options)
        return explorer.open_index(folder / "index")
    if " " not in style:
        explorer.build_index(rows, folder / "index", tokenizer=write_tokenizer(style, folder))
        return explorer.open_index(folder / "index", check_fit=False)
    version, name = style.split()
    documents = [list(own_indexes.encoded(name, text)) for text in TEXTS]
    width = {"v5": 2, "u32": 4, "u8": 1}[version]
    path = twin.write_index(folder / "index", [documents[:3], documents[3:]], width, 5 if version == "v5" else 4)
    if name == "bytes":
        return explorer.open_index(path, tokenizer="bytes")
    (folder / "tokenizer.json").write_text(own_indexes.tokenizer_json(name), encoding="utf-8")
    return explorer.open_index(path, tokenizer=folder / "tokenizer.json", check_fit=False)


@pytest.fixture(scope="module", params=[*STYLES[:2], *nightly(*STYLES[2:])])
def corpus(request, tmp_path_factory):
    return made(request.param, tmp_path_factory.mktemp("equate"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return made("bytes", tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def texts(corpus):
    return [corpus.document(number).text for number in range(corpus.document_count)]


def scanned(texts, pattern):
    return [(number, *span) for number, text in enumerate(texts) for span in equal_spans(text, pattern)]


def without_joiners(texts, places):
    """The places without the joiners at their starts, which are a part of matches."""
    found = []
    for number, start, end in places:
        while texts[number][start] in JOINERS:
            start += 1
        found.append((number, start, end))
    return found


CASES = [
    (query, equate, ignore_case, whole_words)
    for query in QUERIES
    for equate in (EQUATES, *((name,) for name in EQUATES), ())
    for ignore_case in (False, True)
    for whole_words in (False, True)
    if query.strip(JOINERS)
]


def test_counts_lines_and_documents_agree_with_a_scan(corpus, texts):
    found = 0
    for query, equate, ignore_case, whole_words in random.Random(11).sample(CASES, 100):
        pattern = Pattern(query, "text", ignore_case, whole_words, equate)
        if corpus.index.tokenizer.adds_space and query[0] == " ":
            continue  # the space that the tokenizer puts before a text is part of the run that begins it
        expected = scanned(texts, pattern)
        options = {"equate": equate, "ignore_case": ignore_case, "whole_words": whole_words}
        assert corpus.count(query, **options) == len(expected), pattern
        lines = corpus.concordance(query, sort="document", **options).lines(0, 1000, 2000)
        spans = [(line.document, len(line.left), len(line.left) + len(line.match)) for line in lines]
        assert without_joiners(texts, sorted(spans)) == expected, pattern
        assert corpus.count_documents(query, **options) == len({number for number, _, _ in expected})
        hits = [
            (number, hit.start, hit.end)
            for number in range(corpus.document_count)
            for hit in read_part(corpus.document(number), 0, Needle(patterns=(pattern,))).hits
        ]
        assert without_joiners(texts, hits) == expected, pattern
        found += len(expected)
    assert found > 200


def test_what_equals_nothing_else_is_found_as_before(plain):
    for query in ("cat", "e", "日本"):
        for equate in ((), ("spacing",), ("quotes",), ("spacing", "quotes")):
            assert Pattern(query, equate=equate).node() == Pattern(query).node()


def test_and_not_and_words_nearby_are_equated(plain):
    options = QueryOptions(match="text", equate=EQUATES, literal=False)
    assert find_query(plain.index, '"one of the"', options).count == 7
    assert find_query(plain.index, '"one of the" AND "o\'neill"', options).count == 0
    assert find_query(plain.index, "O'Neill AND “don't”", options).count == 2
    assert find_query(plain.index, "café OR CAFÉ", options).count == 3
    assert find_query(plain.index, '"one of the" AND NOT rest', options).count == 1
    near = near_filter(plain.index, "of the", 30, options=options)
    lines = plain.concordance("first", view=LineSettings(filters=(near,)))
    assert len(lines) == 1
    rows = list(count_patterns(plain.index, [WatchPattern("one of the"), WatchPattern("CAFÉ")], options))
    assert [row.count for row in rows] == [7, 1]


@pytest.mark.parametrize(
    ("expression", "count", "exact"),
    [
        ("one of the", 7, 3), ("one +of the", 7, 3), ("(one|two) of the", 7, 3), ("caf[eé]", 3, 3), ("caf[é]", 2, 1),
        ("caf[^x]", 3, 3), (r"caf\w\b", 3, 2), ("O['x]N", 2, 1), ("O'N", 2, 1), (r"Donaudampf\b", 2, 1),
        ("we.l[- ]known", 2, 1), ("Vi(ệ|x)t", 4, 1),
    ],
)  # fmt: skip
def test_expressions_equate_what_is_written_in_them(plain, expression, count, exact):
    assert plain.count(expression, match="regex", equate=EQUATES) == count
    assert plain.count(expression, match="regex") == exact


def test_case_is_folded_in_full(plain):
    for one, count in (("STRASSE", 3), ("straße", 3), ("οδυσσευσ\u0301", 0), ("ΟΔΥΣΣΕΎΣ", 2), ("FINAL", 2), ("Ǆ", 2)):
        assert plain.count(one, ignore_case=True) == count, one
        assert plain.count(one, match="regex", ignore_case=True) == count, one
    assert plain.count("istanbul", ignore_case=True) == 0 and plain.count("i\u0307stanbul", ignore_case=True) == 2
    assert plain.count("mass", ignore_case=True, whole_words=True) == 2


@pytest.mark.local("more is counted where no question goes over a network")
def test_what_more_would_be_found(plain):
    for text, said in (
        ("one of the", "4 more with other white space"), ("O'Neill", "1 more with other quotation marks or dashes"),
        ("café", "1 more with other forms of characters"), ("first", ""), ("no such thing", ""),
    ):  # fmt: skip
        more = More(plain.index, QueryOptions(match="text"))
        more.look(text)
        assert more.described() == said, text
    more.look("one of the")
    assert more.described() == "4 more of “one of the” with other white space" and more.equate == ("spacing",)
    # An expression, tokens, and what is equated already find no more.
    for options in (
        QueryOptions(match="regex"),
        QueryOptions(match="tokens"),
        QueryOptions(match="text", equate=EQUATES),
    ):
        more = More(plain.index, options)
        more.look("one of the")
        assert not more.described()


@pytest.mark.parametrize("equate", ["spaces", ["quotes", "case"], [""]])
def test_what_cannot_be_equated_is_an_error(plain, equate):
    with pytest.raises(explorer.QueryError, match="cannot be equated"):
        plain.count("cat", equate=equate)


def test_tokens_and_ids_have_nothing_to_equate(plain):
    with pytest.raises(explorer.QueryError, match="not to tokens"):
        plain.count("cat", match="tokens", equate=["forms"])
    with pytest.raises(explorer.QueryError, match="Token ids"):
        plain.count([97], equate=["forms"])
    with pytest.raises(explorer.QueryError, match="joiners"):
        plain.count("\u200d", equate=["forms"])


def test_forms_of_the_query_are_one_query(plain):
    for query in ("Việt", "각", "Ångström"):
        counts = {plain.count(unicodedata.normalize(form, query), equate=["forms"]) for form in ("NFC", "NFD")}
        assert len(counts) == 1 and counts.pop() > 1

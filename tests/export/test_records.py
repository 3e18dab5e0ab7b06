"""Records: their columns, and what each of them takes from a result."""

from __future__ import annotations

import json
import math

import pytest

from explorer import build_index, open_index, verify_index
from explorer.analyses.agreement.analysis import Texts, analyze
from explorer.analyses.agreement.neural import neural_figure
from explorer.analyses.agreement.table import (
    BinRecord,
    ContextFacts,
    agreement_facts,
    bin_records,
    neural_records,
)
from explorer.analyses.breakdown.facets import count_tokens, dispersion, facet
from explorer.analyses.next_tokens.next_words import next_words
from explorer.analyses.next_tokens.table import (
    next_facts,
    next_words_facts,
    word_records,
    words_before_facts,
    words_before_records,
)
from explorer.analyses.next_tokens.word_tree import TreeShape, tree_before
from explorer.analyses.ngram_profile.compute import ngram_profile
from explorer.analyses.overlap.alignment import compare_texts
from explorer.analyses.search.find import QueryOptions, find_query
from explorer.analyses.trace.batch import trace_each
from explorer.analyses.trace.settings import TraceSettings
from explorer.analyses.watch.counting import count_patterns
from explorer.analyses.watch.watch_list import parse_watch_list
from explorer.building.estimate.estimate import estimate_requested
from explorer.building.request import BuildRequest
from explorer.documents.inputs.text_input import InputText
from explorer.export.records.count import variants_of
from explorer.export.records.index import estimate_record, finding_records, index_record, verify_facts
from explorer.export.records.line import LineRecord, LineTable
from explorer.export.records.passage import DIFFERENT, SAME, comparison_facts, passage_records
from explorer.export.records.pattern import pattern_record
from explorer.export.records.profile import profile_records
from explorer.export.records.record import as_cells, as_object, column_names
from explorer.export.records.spread import breakdown_facts, spread_record, value_records
from explorer.export.records.trace import FullTrace, TraceDetails, TraceRecord, full_record, trace_record
from explorer.neural.records import ScoredText, ScoredToken

TEXT = "so the cat sat on the mat and the dog saw it"


def test_a_record_as_an_object_and_as_cells():
    record = BinRecord(None, "infgram", "probability", 0.1, 0.2, 0, 0, math.nan, 0.0, 1.0)
    columns = column_names(BinRecord)
    assert columns[2:5] == ("by", "from", "to")
    found = as_object(record)
    assert tuple(found) == columns and (found["from"], found["agreement"]) == (0.1, None)
    assert as_cells(record, columns) == list(found.values())


def test_nested_values_are_json_in_a_cell(small):
    (record,) = LineTable(small.concordance("cat"), 3, numbers=(0,)).records()
    assert "more" not in column_names(LineRecord)
    assert json.loads(as_cells(record, ("metadata",))[0]) == record.metadata


def test_what_follows_a_context(small):
    found = small.infgram_next_tokens("the cat")
    facts = next_facts("the cat", found)
    assert (facts.sample_size, facts.distinct_count) == (found.context_count, len(found.tokens))
    ids = small.encode("the")
    words = next_words(small.index, ids)
    rows = list(word_records(words))
    assert [(row.rank, row.text, row.count) for row in rows[:2]] == [
        (rank, word.text, word.count) for rank, word in enumerate(words.words[:2])
    ]
    assert sum(row.probability for row in rows) == pytest.approx(1)
    assert next_words_facts("the", len(ids), 3, words).total_count == words.total == sum(row.count for row in rows)


def test_what_precedes_a_context(small):
    # A document begins with these words: what is before them there is not a word.
    ids = small.encode(small.document(0).part(0, 3).text)
    tree = tree_before(small.index, ids, TreeShape((9,)))
    rows = list(words_before_records(tree))
    assert [row.count for row in rows] == [node.count for node in tree.branches]
    assert "begin" in {row.kind for row in rows} and "end" not in {row.kind for row in rows}
    assert words_before_facts("", len(ids), tree).total_count == tree.total


def test_spellings_of_a_query(small):
    found = find_query(small.index, "the cat", QueryOptions(variants=("space", "upper")))
    counts = {variant.text: variant.count for variant in variants_of(found)}
    assert sum(counts.values()) == found.count and {"the cat", " the cat"} <= set(counts)


def test_values_and_spread(small):
    lines = small.concordance("the")
    found = count_tokens(facet(lines, "path", small.columns), small.index, small.columns)
    rows = list(value_records(found))
    facts = breakdown_facts("the", found)
    assert sum(row.line_count for row in rows) == facts.line_count == facts.sample_size == small.count("the")
    # A document without a line has no value here, and its tokens are not counted.
    assert 0 < sum(row.token_count for row in rows) <= small.token_count and facts.exact
    assert all(row.lines_per_million == pytest.approx(1e6 * row.line_count / row.token_count) for row in rows)
    spread = spread_record(dispersion(lines))
    assert (spread.document_count, spread.all_document_count) == (small.count_documents("the"), small.document_count)
    assert spread.exact and 0 <= spread.dp <= 1


def test_a_profile(small):
    found = ngram_profile(small.index, small.encode("the cat"))
    rows = list(profile_records(found))
    assert rows[0].count == small.token_count and [row.n for row in rows] == found.n.tolist()
    assert all(row.share == row.agreeing_count / row.count for row in rows)


@pytest.mark.parametrize("right", ["one cat sat on the mat and left", "nothing of it", ""])
def test_passages_cover_the_words_of_both_texts(right):
    left = "the cat sat on the mat, and the dog"
    found = compare_texts(left, right)
    rows = list(passage_records(left, right, found))
    for side, words in (("left", found.left), ("right", found.right)):
        places = [(getattr(row, f"{side}_word_start"), getattr(row, f"{side}_word_end")) for row in rows]
        assert [start for start, _ in places[1:]] == [end for _, end in places[:-1]]
        assert (places[0][0], places[-1][1]) == (0, len(words))
    same = [row for row in rows if row.kind == SAME]
    # Punctuation is not compared.
    assert [row.left_text.replace(",", "") for row in same] == [row.right_text for row in same]
    assert sum(row.word_count for row in same) == comparison_facts(found).same_count
    assert {row.word_count for row in rows if row.kind == DIFFERENT} == {None}


def test_bins_have_every_token_once(small):
    texts = (TEXT, "the dog saw the cat", "a rug")
    context = ContextFacts(None, None, "", 0, 0, 0)
    found = analyze(small.index, Texts(texts, ("a", "b", "a")))
    rows, facts = list(bin_records(found)), agreement_facts(found, context)
    for group, tokens in ((None, facts.scored.token_count), *((each.name, each.token_count) for each in facts.sources)):
        for series, by in (("ngram", "effective_n"), ("infgram", "effective_n"), ("infgram", "count")):
            mine = [row for row in rows if (row.group, row.series, row.by) == (group, series, by)]
            assert sum(row.token_count for row in mine) == tokens
            assert all(row.from_ < row.to for row in mine)
    whole, *groups = facts.sources
    assert (whole.name, [each.name for each in groups]) == (None, ["a", "b"])
    assert whole.token_count == sum(each.token_count for each in groups)
    assert (whole.text_count, whole.unit) == (3, "stretch")
    alone = list(bin_records(analyze(small.index, Texts(texts[:1], ("a",)))))
    assert {row.group for row in alone} == {None}


def test_tenths_of_a_model(small):
    starts = range(0, len(TEXT) - 3, 4)
    tokens = tuple(ScoredToken(start, start + 4, math.log((n + 1) / 12)) for n, start in enumerate(starts))
    figure = neural_figure(small.index, [ScoredText(TEXT, tokens)])
    rows = list(neural_records(figure))
    assert [row.from_ for row in rows] == [pytest.approx(k / 10) for k in range(10)]
    assert sum(row.token_count for row in rows) == figure.tokens
    one = list(neural_records(neural_figure(small.index, [ScoredText(TEXT, tokens[:1])])))
    assert [(row.token_count, row.agreement is None) for row in one] == [(1, False), *[(0, True)] * 9]


def test_a_traced_text_keeps_its_record(small):
    fields = {"output": TEXT, "id": 7, "title": "A", "q": "who?", "year": 2020, "tags": ["x"]}
    texts = [
        InputText("f", 3, TEXT, "who?", "output", fields),
        InputText("f", 4, "", problem="it is bad"),
        InputText("f", 5, "the cat", path="m[0].content", fields={"m": [{"content": "the cat"}], "id": [1]}),
    ]
    whole, bad, chat = trace_each(small.index, texts, settings=TraceSettings())
    record = trace_record(whole.row)
    assert (record.line, record.id, record.title, record.extra) == (3, 7, "A", {"year": 2020, "tags": ["x"]})
    assert record.token_count == len(small.encode(TEXT)) and record.problem == ""
    missing = trace_record(bad.row)
    assert (missing.token_count, missing.coverage, missing.problem) == (None, None, "it is bad")
    assert full_record(bad) == missing
    # An id that is a list names nothing; the messages that the text is one of do not come with it.
    assert (trace_record(chat.row).id, trace_record(chat.row).extra) == (None, {"id": [1]})
    full = full_record(whole)
    assert isinstance(full, FullTrace)
    found = as_object(full)
    assert tuple(found) == (*column_names(TraceRecord), *column_names(TraceDetails))
    assert (found["text"], found["prompt"], len(found["spans"])) == (TEXT, "who?", record.span_count)
    assert [row["length"] for row in found["novelties"]] == list(whole.trace.novelty.lengths)
    assert found["documents"][0]["title"] == record.best_document


def test_a_text_that_was_read_as_markdown(small):
    (found,) = trace_each(
        small.index, [InputText("f", 1, "so **the cat** sat")], settings=TraceSettings(read="markdown")
    )
    reading = as_object(full_record(found))["reading"]
    assert reading["text"] == "so the cat sat" and reading["runs"][0]["style"] == "bold"


def test_a_pattern(small):
    listed = parse_watch_list(b"pattern,owner\ncat,Ann\n", "list", ",")
    (row,) = count_patterns(small.index, listed.patterns, QueryOptions(match="text"))
    record = pattern_record(row, listed, QueryOptions(match="text"))
    assert (record.count, record.document_count) == (small.count("cat"), small.count_documents("cat"))
    assert (record.line, record.columns) == (2, {"owner": "Ann"})


@pytest.mark.local("what a build records is in its folder")
def test_an_index_and_what_is_wrong_with_it(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "a cat", "year": 1}\n{"text": "a dog"}\nno\n')
    request = BuildRequest((source,), tmp_path / "i", "bytes", skip_bad=True)
    estimate = estimate_record(estimate_requested(request))
    assert (estimate.document_count, estimate.exact, estimate.memory_limit_bytes) == (2, True, None)
    build_index(source, tmp_path / "i", tokenizer="bytes", skip_bad=True)
    corpus = open_index(tmp_path / "i")
    record = index_record(corpus.index, 1, corpus.metadata_fields, True)
    assert {field.name: field.document_count for field in record.fields}["year"] == 1
    assert (record.token_width, record.build.skipped[0].count) == (1, 1)
    assert verify_facts(verify_index(tmp_path / "i")).token_count == corpus.token_count
    (tmp_path / "i" / "table.0").write_bytes(b"")
    damaged = verify_index(tmp_path / "i")
    facts = verify_facts(damaged)
    assert (facts.sound, facts.token_count, facts.shard_count) == (False, None, None)
    assert [each.reason for each in finding_records(damaged)] == [each.error.reason for each in damaged.findings]

"""Keywords against plain loops, and Tiny Shakespeare against WikiText-2, from their texts on."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import QUESTIONS, text_named, text_names

from explorer import QueryError, build_index, open_index
from explorer.analyses.dispersion.measures import DISPERSIONS, Spread
from explorer.analyses.keywords.compute import CORRECTIONS, find_keywords
from explorer.analyses.keywords.keyness import KEYNESS, Frequencies
from explorer.analyses.keywords.list_files import read_word_list
from explorer.analyses.keywords.question import KeywordsQuestion
from explorer.analyses.keywords.word_lists import WordList, count_words, without_part
from explorer.words.rule import WordRule, words_of

LISTS = st.dictionaries(st.sampled_from("abcdefé"), st.integers(1, 40), min_size=1)


@given(LISTS, LISTS, st.integers(1, 20), st.sampled_from(sorted(KEYNESS)))
def test_rows_are_those_of_a_plain_loop(first, second, least, measure):
    request = KeywordsQuestion(measure=measure, min_count=least, correction=None)
    found = find_keywords(WordList.of("first", first), WordList.of("second", second), request)
    size, other = sum(first.values()), sum(second.values())
    wanted = {form for form in {*first, *second} if max(first.get(form, 0), second.get(form, 0)) >= least}
    assert set(found.forms) == wanted
    assert len(found.forms) == len(wanted)
    for row, form in enumerate(found.forms):
        pair = Frequencies.of([first.get(form, 0)], size, [second.get(form, 0)], other)
        assert (found.pair.count[row], found.pair.reference[row]) == (pair.count[0], pair.reference[0])
        np.testing.assert_array_equal(found.measures[measure][row], KEYNESS[measure].compute(pair)[0])
        assert found.positive[row] == (first.get(form, 0) / size >= second.get(form, 0) / other)
    # Keywords first, then negative ones.
    assert found.positive.tolist() == sorted(found.positive.tolist(), reverse=True)


def test_top_counts_either_direction_and_correction_counts_all_tests():
    corpus = WordList.of("corpus", {"a": 50, "b": 20, "c": 20, "d": 5, "e": 5})
    reference = WordList.of("reference", {"a": 5, "b": 10, "c": 20, "d": 20, "e": 45})
    everything = find_keywords(corpus, reference, KeywordsQuestion(min_count=1))
    found = find_keywords(corpus, reference, KeywordsQuestion(min_count=1, top=1))
    assert everything.forms == ("a", "b", "c", "e", "d")
    assert found.forms == ("a", "e")
    assert found.positive.tolist() == [True, False]
    assert found.p_corrected is not None
    assert found.p_corrected[0] == pytest.approx(5 * found.p[0])
    plain = find_keywords(corpus, reference, KeywordsQuestion(min_count=1, correction="bonferroni"))
    assert plain.p_corrected is not None
    assert plain.p_corrected == pytest.approx(np.minimum(5 * plain.p, 1))


COUNTS = st.tuples(st.integers(1, 40), st.integers(1, 9))


@given(
    st.dictionaries(st.sampled_from("abcdef"), COUNTS, min_size=1),
    st.dictionaries(st.sampled_from("abcdef"), COUNTS, min_size=1),
    st.integers(1, 5),
    st.booleans(),
)
def test_words_of_few_documents_are_left_out(first, second, least, known):
    one, other = (
        WordList(
            each.name, each.forms, each.counts, np.array([homes for _, homes in counts.values()]) if told else None
        )
        for counts, told in ((first, True), (second, known))
        for each in [WordList.of("list", {form: count for form, (count, _) in counts.items()})]
    )
    every = find_keywords(one, other, KeywordsQuestion(min_count=1))
    found = find_keywords(one, other, KeywordsQuestion(min_count=1, min_documents=least))
    wanted = [
        form
        for form, positive in zip(every.forms, every.positive, strict=True)
        if (positive and first[form][1] >= least) or (not positive and (not known or second[form][1] >= least))
    ]
    assert list(found.forms) == wanted and found.tested == every.tested
    # Fewer rows, but the same tests: p is corrected alike.
    levels = dict(zip(every.forms, every.p_corrected, strict=True))
    assert [levels[form] for form in found.forms] == found.p_corrected.tolist()
    assert found.documents.tolist() == [first[form][1] if form in first else 0 for form in found.forms]


@pytest.mark.parametrize("correction", sorted(CORRECTIONS))
def test_every_word_is_a_test_however_many_have_the_same_counts(correction):
    corpus = WordList.of("corpus", {"often": 30, **{f"rare{number}": 1 for number in range(20)}})
    found = find_keywords(
        corpus, WordList.of("other", {"often": 9, "else": 41}), KeywordsQuestion(min_count=1, correction=correction)
    )
    assert found.tested == len(found.forms) == 22
    assert found.p_corrected is not None
    np.testing.assert_allclose(found.p_corrected, CORRECTIONS[correction](found.p, np.ones(22, np.int64)), rtol=1e-12)


def test_spread_over_documents_is_that_of_one_word_at_a_time(tmp_path):
    texts = ["a b a c", "b b b d", "", "a d", "c a a a a"]
    build_index([{"text": text, "part": part} for text, part in zip(texts, "xxxyy", strict=True)], tmp_path / "index")
    corpus = open_index(tmp_path / "index")
    found = corpus.keywords(where="part=x", min_count=1, details=True)
    for row in found:
        for value, part in ((row.d_a, "xxxyy".count("x")), (row.reference_d_a, None)):
            some = texts[:3] if part else texts[3:]
            sizes = [len(text.split()) for text in some if text]
            counts = [text.split().count(row.form) for text in some if text]
            expected = DISPERSIONS["d_a"].compute(Spread.of(counts, sizes)) if sum(counts) else None
            assert value == (None if expected is None else pytest.approx(expected))
    every = {row.form: (row.d_a if row.positive else row.reference_d_a) for row in found}
    least = corpus.keywords(where="part=x", min_count=1, min_d_a=0.4)
    assert {row.form for row in least} == {form for form, value in every.items() if value >= 0.4} != set(every)
    assert least.tested == found.tested
    assert all(row.d_a is None and row.reference_d_a is None for row in corpus.keywords(where="part=x", min_count=1))
    # A list of others and a single document tell no spread, so their words are kept.
    assert [row.form for row in corpus.keywords({"d": 99}, min_count=1, min_d_a=1)][-1] == "d"
    build_index([{"text": "a b"}], tmp_path / "one")
    rows = open_index(tmp_path / "one").keywords(corpus, min_count=1, min_d_a=0.9)
    assert [(row.form, row.d_a) for row in rows if row.positive] == [("b", None), ("a", None)]


def test_stop_lists_leave_rows_out_and_change_no_other(tmp_path):
    build_index([{"text": "The cat sat on the mat"}, {"text": "A dog; a zebra"}], tmp_path / "index")
    corpus = open_index(tmp_path / "index")
    every = corpus.keywords({"the": 3, "nowhere": 9}, min_count=1)
    # Also a word that only the reference has.
    found = corpus.keywords({"the": 3, "nowhere": 9}, min_count=1, stop=["THE", "Nowhere", "dog zebra"])
    assert list(found) == [row for row in every if row.form not in ("the", "nowhere")]
    assert len(found) == len(every) - 2 and found.tested == every.tested
    tokens = corpus.keywords(corpus, unit="tokens", min_count=1)
    form = next(row.form for row in tokens if row.form)
    fewer = corpus.keywords(corpus, unit="tokens", min_count=1, stop=[form])
    assert len(fewer) in (len(tokens), len(tokens) - 1)
    with pytest.raises(QueryError, match="a list of words"):
        corpus.keywords({"the": 3}, stop="the")


def test_what_is_unknown_comes_last():
    corpus, reference = WordList.of("corpus", {"new": 9, "old": 9}), WordList.of("reference", {"old": 2, "else": 9})
    found = find_keywords(
        corpus, reference, KeywordsQuestion(measure="percent_difference", min_count=1, correction="fdr")
    )
    assert found.forms == ("old", "new", "else")
    assert math.isnan(found.measures["percent_difference"][1])


def by_definition(a, size, b, other):
    """G², its sum of two terms, and the log ratio of a word, written down as they are defined."""
    share = (a + b) / (size + other)
    cells = [(a, size * share), (b, other * share), (size - a, size * (1 - share)), (other - b, other * (1 - share))]
    terms = [2 * seen * math.log(seen / expected) if seen else 0 for seen, expected in cells]
    sign = 1 if a / size >= b / other else -1
    return sign * sum(terms), sign * sum(terms[:2]), math.log2(((a or 0.5) / size) / ((b or 0.5) / other))


@pytest.mark.parametrize("name", text_names("tinyshakespeare"))
def test_a_text_against_another(name, tmp_path):
    other = QUESTIONS.read_text(encoding="utf-8") if name == "answers" else text_named("wikitext2-valid")
    texts, lists = [text_named(name), other], []
    for number, text in enumerate(texts):
        build_index([{"text": text}], tmp_path / str(number), tokenizer="bytes")
        lists.append(count_words(open_index(tmp_path / str(number)).words().index, str(number)))
    found = find_keywords(lists[0], lists[1], KeywordsQuestion(min_count=5))
    first, second = (Counter(words_of(text, WordRule())) for text in texts)
    assert {*found.forms} == {form for form in first | second if max(first[form], second[form]) >= 5}
    for row, form in enumerate(found.forms):
        wanted = by_definition(first[form], first.total(), second[form], second.total())
        measured = [found.measures[measure][row] for measure in ("g2", "g2_two_terms", "log_ratio")]
        assert measured == pytest.approx(wanted, abs=1e-6), form
    if name == "tinyshakespeare":
        check_shakespeare(lists, found)


def check_shakespeare(lists, found):
    """The figures of another program."""
    assert found.forms[:10] == ("i", "my", "you", "me", "your", "thou", "thy", "will", "shall", "what")
    thou, king, the = (found.forms.index(form) for form in ("thou", "king", "the"))
    assert found.measures["g2"][[thou, king, the]] == pytest.approx([1807.861, 684.363, -4669.050], abs=5e-4)
    assert found.measures["log_ratio"][[thou, king, the]] == pytest.approx([11.3043, 3.1989, -1.3780], abs=5e-5)
    assert found.measures["g2_two_terms"][[thou, king]] == pytest.approx([1803.263, 682.907], abs=5e-4)
    assert found.measures["bic"][[thou, king]] == pytest.approx([1794.994, 671.496], abs=5e-4)
    assert found.measures["percent_difference"][[king, the]] == pytest.approx([818.233, -61.526], abs=5e-4)
    assert found.measures["simple_maths"][[thou, king]] == pytest.approx([6887.978, 9.1651], abs=5e-4)
    other = find_keywords(lists[0], lists[1], KeywordsQuestion(k=100))
    assert other.measures["simple_maths"][other.forms.index("thou")] == pytest.approx(69.8698, abs=5e-5)
    assert not found.positive[the]
    assert (found.pair.size, found.pair.reference_size) == (203_863, 183_606)


@given(LISTS, LISTS)
def test_a_part_and_the_rest_are_the_whole(part, rest):
    whole = {form: part.get(form, 0) + rest.get(form, 0) for form in {*part, *rest}}
    left = without_part(WordList.of("all", whole), WordList.of("part", part), "rest")
    assert dict(zip(left.forms.to_pylist(), left.counts.tolist(), strict=True)) == rest


@pytest.mark.parametrize("empty", [0, 1])
def test_nothing_to_compare(empty):
    lists = [WordList.of("left", {"a": 1}), WordList.of("right", {"a": 1})]
    lists[empty] = WordList.of("nothing", {})
    with pytest.raises(QueryError, match="nothing has no words"):
        find_keywords(lists[0], lists[1], KeywordsQuestion())


def test_word_lists_are_read(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_text("\ufeffRank\tFreq\tWord\r\n1\t20\tthe\r\n\r\n2\t3\tdon't\r\n", encoding="utf-8")
    found = read_word_list(path)
    assert (found.name, found.forms.to_pylist(), found.counts.tolist()) == ("list.tsv", ["the", "don't"], [20, 3])
    assert found.total == 23


@pytest.mark.parametrize(
    "text",
    [
        # AntConc 3 and 4, Sketch Engine, this program, and bare columns.
        "#Word Types: 2\n#Word Tokens: 23\n1\t20\tthe\n2\t3\tdon't\n",
        "Type\tRank\tFreq\tRange\nthe\t1\t20\t3\ndon't\t2\t3\t1\n",
        '"Item","Frequency","Relative frequency"\n"the","20","1.5"\n"don\'t","3","0.2"\n',
        "form,count,documents,per_million\nthe,20,3,869565.2\ndon't,3,1,130434.8\n",
        "the\t20\ndon't\t3\n",
        "20\tthe\n3\tdon't\n",
        "1\t15\tthe\n2\t5\tThe\n3\t3\tDon't\n",
    ],
)
def test_word_lists_of_other_programs_are_read(tmp_path, text):
    (tmp_path / "list.tsv").write_text(text, encoding="utf-8")
    found = read_word_list(tmp_path / "list.tsv")
    assert (found.forms.to_pylist(), found.counts.tolist()) == (["the", "don't"], [20, 3])


def test_the_file_of_a_word_list_is_a_reference(tmp_path):
    from explorer.cli.main import main

    build_index([{"text": "The cat, the dog"}], tmp_path / "index", tokenizer="bytes")
    for name in ("list.csv", "list.tsv"):
        out = tmp_path / name
        assert main(["wordlist", str(tmp_path / "index"), "--top", "all", "--out", str(out)]) == 0
        found = open_index(tmp_path / "index").keywords(out, min_count=1)
        assert {row.form: row.reference_count for row in found} == {"the": 2, "cat": 1, "dog": 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"hello\n", "list.tsv is not a word list"),
        (b"Lemma\tHits\nthe\t4\n", "list.tsv is not a word list"),
        (b"Type\tFreq\nthe\t4\ncat\n", "Line 3 of list.tsv does not have a word"),
        (b"Type\tFreq\nthe\t1.5\n", "Line 2 of list.tsv does not have a word"),
        (b"1\t2\ta\n2\tmany\tb\n", "Line 2 of list.tsv is not rank"),
        (b"1\t2\ta\n2 1 b\n", "Line 2 of list.tsv is not rank"),
        (b"1\t0\ta\n", "Line 1 of list.tsv is not rank"),
        (b"1\t2\ta\n2\t1\ta\n", "Line 2 of list.tsv repeats the word “a”"),
        (b"1\t2\t\xff\n", "not UTF-8"),
    ],
)
def test_bad_word_lists_are_a_sentence(tmp_path, text, sentence):
    (tmp_path / "list.tsv").write_bytes(text)
    with pytest.raises(QueryError, match=sentence):
        read_word_list(tmp_path / "list.tsv")


def test_a_missing_word_list_is_a_sentence(tmp_path):
    with pytest.raises(QueryError, match="cannot be read"):
        read_word_list(tmp_path / "none.tsv")

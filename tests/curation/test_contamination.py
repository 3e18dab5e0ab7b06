"""How much of an item occurs: against plain loops, and the figures of GSM8K."""

from __future__ import annotations

import gzip
import json
import re
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_answers import QUESTIONS, WRITTEN, read_texts
from own_indexes import DATA

from explorer import Cancelled, CancelToken, QueryError, build_index, open_index
from explorer.analyses.contamination.benchmarks import Item, benchmark_of, read_benchmark
from explorer.analyses.contamination.compute import find_items, substrings_found
from explorer.analyses.contamination.item_matches import COVERED, EVIDENCE, METRICS, SUBSTRING, ItemMatches, Thresholds
from explorer.analyses.contamination.rules import count_rules
from explorer.analyses.trace.measures.covering import longest_covering
from explorer.core.proportions import wilson_interval
from explorer.words.rule import WordRule, words_of

QUESTION = "a farmer keeps seven red hens and nine white ducks behind the old stone barn near the river"
FILLER = "nothing of the kind is said here at all by anybody who was asked about it on that day"
WORDS = f"{FILLER} {QUESTION} it is 16 he said".split()
"""The words of the text that has all of `QUESTION`."""


def indexed(folder, texts):
    build_index([{"text": text} for text in texts], folder, tokenizer="bytes")
    return open_index(folder)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    texts = [FILLER, f"{FILLER}. {QUESTION.upper().replace(' ', chr(10))}? It is 16, he said.", QUESTION[:40], FILLER]
    return indexed(folder / "index", texts)


def found_in(corpus, rows, **given_):
    return find_items(corpus.words().index, benchmark_of(rows), **given_)


def test_an_item_is_found_with_its_document_and_its_answer(planted):
    [found] = found_in(planted, [{"question": f"{QUESTION[0].upper()}{QUESTION[1:]}?", "answer": "16"}])
    assert (found.units, found.longest, found.longest_share, found.count) == (18, 18, 1.0, 1)
    assert (found.verdict, found.grams, found.covered) == ("flagged", 11, (18, 18, 18))
    where = found.evidence
    assert (where.document, where.offset, where.length, where.coverage, where.answer_near) == (1, 19, 18, 1.0, True)
    # Its words in the item, and at this place of the document.
    assert found.item.question[where.begin : where.end].lower() == QUESTION
    words = planted.words()
    [read] = words.index.documents.windows(np.array([1]), np.array([19]), np.array([37]))
    assert words.decode(read).split() == QUESTION.split()


def test_an_answer_elsewhere_is_not_near(planted):
    rows = [{"question": QUESTION, "answer": "17"}, {"question": QUESTION}, {"question": QUESTION, "answer": "..."}]
    assert [each.evidence.answer_near for each in found_in(planted, rows)] == [False, None, None]


def test_verdicts(planted):
    rows = [
        {"question": QUESTION},
        {"question": " ".join([*QUESTION.split()[:8], *(f"w{n}" for n in range(16))])},
        {"question": " ".join(f"w{n}" for n in range(16))},
        {"question": "a farmer keeps"},
        {"question": "?!"},
    ]
    found = found_in(planted, rows)
    assert [each.verdict for each in found] == ["flagged", "suspicious", "not-flagged", "too-short", "too-short"]
    assert found[2].evidence is None and found[2].longest == 0
    assert (found[4].units, found[4].longest_share, found[4].coverage(0)) == (0, 0.0, 0.0)


def test_thresholds_decide_the_verdicts(planted):
    half, fifth = QUESTION.split(), [f"w{n}" for n in range(16)]
    rows = [{"question": " ".join([*half[:size], *fifth])} for size in (16, 8)]
    found = found_in(planted, rows)
    shares = [[round(each.measured(metric), 4) for metric in METRICS] for each in found]
    assert shares == [[0.5, 0.5, 0.5, 0.5, 0.5], [0.3333, 0.3333, 0.0, 0.3333, 0.3333]]
    assert [each.verdict for each in found] == ["flagged", "suspicious"]
    asked = [
        (Thresholds(flag_at=0.5), ["flagged", "suspicious"]),
        (Thresholds(flag_at=0.51), ["suspicious", "suspicious"]),
        (Thresholds("coverage_13", 0.5, "best_chained", 0.34), ["flagged", "not-flagged"]),
        (Thresholds("best_chained", 1 / 3), ["flagged", "flagged"]),
    ]
    for thresholds, verdicts in asked:
        assert [thresholds.verdict(each) for each in found] == verdicts
    # What occurs nowhere is not flagged, however low the threshold is, and a short item is never told.
    rows = [{"question": " ".join(fifth)}, {"question": "a farmer keeps"}]
    least = Thresholds(flag_at=1e-9, suspect_at=1e-9)
    assert [least.verdict(each) for each in found_in(planted, rows)] == ["not-flagged", "too-short"]


@pytest.mark.parametrize("wrong", [{"flag_by": "longest"}, {"suspect_by": ""}, {"flag_at": 0}, {"suspect_at": 1.1}])
def test_thresholds_that_make_no_sense(wrong):
    with pytest.raises(QueryError, match=r"must be (longest_share, |a number above 0)"):
        Thresholds(**wrong)


def test_what_many_items_share_is_a_template(planted):
    rows = [{"question": f"{' '.join(QUESTION.split()[:9])} x{n} y{n} z{n} v{n}"} for n in range(5)]
    assert all(each.template for each in found_in(planted, rows))
    assert not any(each.template for each in found_in(planted, rows[:4]))


def test_tokens_are_compared_as_they_are(planted):
    rows = [{"question": QUESTION}]
    [found] = find_items(planted.index, benchmark_of(rows))
    # The document that has all of it has it in capitals.
    assert (found.units, found.longest, found.evidence.document) == (len(QUESTION), 40, 2)


def test_parts_are_looked_for_together(planted):
    rows = [{"question": FILLER, "answer": QUESTION}]
    [found] = found_in(planted, rows, parts=("question", "answer"))
    assert (found.units, found.longest, found.evidence.document) == (37, 37, 1)


def test_a_search_is_cancelled(planted):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        found_in(planted, [{"question": QUESTION}], cancel=cancel)


LETTERS = st.text(alphabet="ab", min_size=1, max_size=30)


def occurring(documents, text):
    """For each character, the longest match from there."""
    return [
        max(size for size in range(len(text) - at + 1) if any(text[at : at + size] in each for each in documents))
        for at in range(len(text))
    ]


def covered(matches, least):
    return {at for start, size in enumerate(matches) if size >= least for at in range(start, start + size)}


@given(st.lists(LETTERS, min_size=1, max_size=3), LETTERS)
def test_figures_are_those_of_plain_loops(tmp_path_factory, documents, text):
    corpus = indexed(tmp_path_factory.mktemp("letters") / "index", documents)
    [found] = find_items(corpus.index, benchmark_of([{"question": text}]))
    matches = occurring(documents, text)
    assert found.longest == max(matches)
    assert found.covered == tuple(len(covered(matches, least)) for least in COVERED)
    assert found.grams == sum(size >= EVIDENCE for size in matches)
    where = found.evidence
    if where is None:
        assert max(matches) == 0
        return
    best = text[where.begin : where.end]
    assert documents[where.document][where.offset : where.offset + where.length] == best
    each = [covered(occurring([document], text), EVIDENCE) for document in documents]
    if max(matches) >= EVIDENCE:
        assert where.coverage == max(map(len, each)) / len(text)
        assert where.document == [len(own) for own in each].index(max(map(len, each)))
    own = occurring([documents[where.document]], text)
    assert where.length == (max(own) if max(matches) >= EVIDENCE else max(matches))


def test_gsm8k_test_in_train(shared, tmp_path):
    """The figures of a bench that was computed with other programs."""
    with gzip.open(shared / "benchmarks" / "gsm8k-train.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    texts = [{"text": f"{row['question']}\n{row['answer']}"} for row in rows]
    tokenizer = shared / "tokenizers" / "llama-2-7b-hf.tokenizer.json"
    build_index(texts, tmp_path / "index", tokenizer=tokenizer)
    corpus = open_index(tmp_path / "index")
    benchmark = read_benchmark(shared / "benchmarks" / "gsm8k-test.jsonl.gz")
    found = find_items(corpus.index, benchmark)
    longest = np.array([each.longest for each in found])
    assert (sum(each.units for each in found), len(found)) == (88_939, 1_319)
    assert (np.median(longest), round(longest.mean(), 3), longest.max()) == (7, 7.027, 35)
    assert [found[number].item.id for number in np.argsort(-longest)[:3]] == ["632", "602", "581"]
    assert [int((longest >= least).sum()) for least in (8, 13, 25, 50)] == [398, 14, 2, 0]
    shares = np.array([each.coverage(0) for each in found])
    assert (round(shares.mean(), 4), int((shares >= 0.5).sum())) == (0.0581, 11)
    found = find_items(corpus.words().index, benchmark)
    longest = np.array([each.longest for each in found])
    assert (np.median(longest), round(longest.mean(), 3), longest.max()) == (5, 5.295, 25)
    assert [int((longest >= least).sum()) for least in (8, 13, 25)] == [79, 3, 1]


def test_rules_of_others(planted):
    rows = [{"question": QUESTION}, {"question": " ".join([*QUESTION.split()[:13], *(f"w{n}" for n in range(16))])}]
    found = found_in(planted, [*rows, {"question": "a farmer keeps"}])
    rules = count_rules(found)
    assert (rules.gpt_3, rules.palm, rules.llama_2, rules.any_13) == (2, 1, 1, 2)
    # The second item has 13 of 29 words in one match, and the third is shorter than any n-gram.
    assert (rules.llama_3, rules.con_tam, rules.infini_gram_mini, rules.bff) == (1, 1, 1, 1)
    assert count_rules([]).any_13 == 0


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=12))
def test_substrings_are_within_matches(words):
    starts, ends, matches, at = [], [], [], 3
    for row, (size, blank, match) in enumerate(words):
        starts.append(at)
        ends.append(at + size)
        matches.append(min(match, len(words) - row))
        at += size + blank
    spans = [(starts[row], ends[row + match - 1]) for row, match in enumerate(matches) if match]
    begins = range(starts[0], ends[-1] - SUBSTRING + 1)
    inside = [at for at in begins if any(low <= at and at + SUBSTRING <= high for low, high in spans)]
    found = substrings_found(*(np.array(each, np.int64) for each in (matches, starts, ends)))
    assert found == (len(inside), len(begins))


def test_rules_turn_at_their_shares(planted):
    words = QUESTION.split()
    others = [f"w{n}" for n in range(99)]
    # 17 of 34 words, then one less than half.
    half, less = words[:17] + others[:17], words[:16] + others[:17]
    counts = [count_rules(found_in(planted, [{"question": " ".join(each)}])) for each in (half, less)]
    assert [(each.llama_3, each.con_tam) for each in counts] == [(1, 1), (0, 0)]
    # An item of five words is one n-gram, and one of four is none.
    short = [count_rules(found_in(planted, [{"question": " ".join(words[:size])}])) for size in (4, 5, 12)]
    assert [each.bff for each in short] == [0, 1, 1]
    # Of 20 13-grams, 17 are more than 80 percent and 16 are just as many, which BFF leaves.
    run = f"{FILLER} {QUESTION}".split()
    # Of 6, 5 are enough: they would not be of 7.
    rows = [[*run[:size], *others[: units - size]] for size, units in ((29, 32), (28, 32), (17, 18))]
    assert [count_rules(found_in(planted, [{"question": " ".join(each)}])).bff for each in rows] == [1, 0, 1]


@given(st.integers(1, 60), st.integers(0, 60))
def test_the_share_of_substrings_is_compared_exactly(total, inside):
    inside = min(inside, total)
    each = ItemMatches(Item("1", QUESTION), 18, 0, 0, (0, 0, 0), 0, 0, (inside, total), None)
    assert count_rules([each]).infini_gram_mini == (5 * inside >= 4 * total)


PIECES = st.one_of(
    st.tuples(st.integers(0, 36), st.integers(1, 37)).map(lambda at: WORDS[at[0] : at[0] + at[1]]),
    st.integers(1, 6).map(lambda size: [f"w{n}" for n in range(size)]),
)


@given(st.lists(PIECES, min_size=1, max_size=4))
def test_rules_are_those_of_a_search_in_the_text(planted, pieces):
    words = [word for piece in pieces for word in piece]
    rules = count_rules(found_in(planted, [{"question": " ".join(words)}]))
    runs = {(low, high) for high in range(len(words) + 1) for low in range(high) if _occurs(words[low:high])}
    in_grams = {at for low, high in runs if high - low >= 8 for at in range(low, high)}
    longest = max((high - low for low, high in runs), default=0)
    size = min(13, len(words))
    grams = [(low, low + size) in runs for low in range(len(words) - size + 1)]
    assert rules.llama_3 == (2 * len(in_grams) >= len(words))
    assert rules.con_tam == (longest >= 8 and 2 * longest >= len(words))
    assert rules.bff == (len(words) >= 5 and 5 * sum(grams) > 4 * len(grams))
    assert rules.infini_gram_mini == _mostly_within(words, runs)


def _occurs(words):
    return f" {' '.join(words)} " in f" {' '.join(WORDS)} "


def _mostly_within(words, runs):
    text = " ".join(words)
    spans = [(len(" ".join([*words[:low], ""])), len(" ".join(words[:high]))) for low, high in runs]
    begins = range(len(text) - 49)
    inside = sum(any(low <= at and at + 50 <= high for low, high in spans) for at in begins)
    return inside > 0 and 5 * inside >= 4 * len(begins)


def test_an_interval_holds_the_share():
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.27753), abs=5e-5)
    assert wilson_interval(10, 10) == pytest.approx((0.72247, 1.0), abs=5e-5)
    assert Item("0", "q").text(["answer"]) == ""


def without_punctuation(text):
    return "".join(each for each in text if each.isalnum() or each.isspace())


def rewrapped(text):
    # Between blanks, so that double ones stay.
    words = text.split(" ")
    return "\n".join(" ".join(words[at : at + 8]) for at in range(0, len(words), 8))


CHANGES = [str, rewrapped, str.lower, without_punctuation]


def planted_texts(change):
    """Texts, of which thirty end with a changed question, and the questions as they are."""
    questions = [item.question for item in read_benchmark(QUESTIONS).items]
    texts = read_texts(WRITTEN)
    for number, question in enumerate(questions):
        texts[number] += f"\n\n{change(question)}"
    return texts, questions


def matches_by_loops(texts, questions, split):
    """Of each question, the longest match at each unit, with a character for each unit."""
    letters = {}

    def spelled(units):
        return "".join(chr(letters.setdefault(unit, len(letters) + 1)) for unit in units)

    text = "\0".join(spelled(split(text)) for text in texts)
    return [occurring([text], spelled(split(question))) for question in questions]


def check_figures(found, matches):
    """The figures of each question are those of its matches; returns the longest share of each."""
    for each, lengths in zip(found, matches, strict=True):
        assert (each.units, each.longest) == (len(lengths), max(lengths))
        assert each.covered == tuple(len(covered(lengths, least)) for least in COVERED)
    return [each.longest_share for each in found]


@pytest.mark.parametrize("change", CHANGES)
def test_planted_questions_are_found_by_words(tmp_path, change):
    """However they are wrapped and written; where punctuation is gone, "1.25" and "he'll" are other words."""
    texts, questions = planted_texts(change)
    found = found_in(indexed(tmp_path / "index", texts), [{"question": question} for question in questions])
    shares = check_figures(found, matches_by_loops(texts, questions, lambda text: words_of(text, WordRule())))
    whole = [change is not without_punctuation or not re.search(r"\w[.,:'/]\w", question) for question in questions]
    assert [share == 1 for share in shares] == whole
    assert all(each.evidence.document == number for number, each in enumerate(found) if shares[number] >= 0.5)
    assert all(each.evidence.chained >= 0.8 for each in found)


@pytest.mark.parametrize(
    ("change", "flagged", "most"),
    [(str, 30, 30), (rewrapped, 2, 30), (str.lower, 21, 29), (without_punctuation, 5, 29)],
)
def test_planted_questions_are_found_by_tokens(tmp_path, change, flagged, most):
    """The same in tokens, which line breaks, case and punctuation change: how many are flagged, and covered by 4/5."""
    texts, questions = planted_texts(change)
    build_index([{"text": text} for text in texts], tmp_path / "index", tokenizer=DATA / "llama.tokenizer.json")
    index = open_index(tmp_path / "index").index
    found = find_items(index, benchmark_of([{"question": question} for question in questions]))
    loops = matches_by_loops(texts, questions, lambda text: index.tokenizer.encode(text).tolist())
    shares = [(max(each) / len(each), len(covered(each, COVERED[0])) / len(each)) for each in loops]
    assert sum(each.longest_share >= 0.5 for each in found) == sum(share >= 0.5 for share, _ in shares) == flagged
    assert sum(each.coverage(0) >= 0.8 for each in found) == sum(share >= 0.8 for _, share in shares) == most


def test_a_question_is_found_within_a_sentence(tmp_path):
    """Tokens of OLMo at the beginning of a text have no blank, and within a sentence the first has one."""
    tokenizer = DATA / "olmo.tokenizer.json"
    question = "red hens keep seven zebras"
    build_index([{"text": f"He said: {question} and {question[0].lower()}"}], tmp_path / "index", tokenizer=tokenizer)
    index = open_index(tmp_path / "index").index
    [found] = find_items(index, benchmark_of([{"question": question, "answer": "and"}]))
    assert found.longest == found.units == len(index.tokenizer.encode(f" {question}"))
    where = found.evidence
    assert (question[where.begin : where.end], where.answer_near) == (question, True)
    assert where.answer_offset == where.offset + found.units
    assert int(index.counts.longest_matches(index.tokenizer.encode(question)).max()) < found.longest


def test_every_flagged_item_has_a_place_with_its_text_and_answer(tmp_path):
    texts, _ = planted_texts(str)
    items = read_benchmark(QUESTIONS).items
    texts = [text + f" {item.answer}" for text, item in zip(texts, items, strict=False)] + texts[30:]
    corpus = indexed(tmp_path / "index", texts)
    found = corpus.contamination([{"question": item.question, "answer": item.answer} for item in items])
    words = corpus.words()
    assert len(found.flagged) == 30
    for row, item in zip(found, items, strict=True):
        for text, offset in ((row.match, row.best_offset), (item.answer, row.answer_offset)):
            wanted = words.index.tokenizer.encode(text)
            place = (np.array([each]) for each in (row.best_document, offset, offset + len(wanted)))
            assert words.index.documents.windows(*place)[0].tolist() == wanted.tolist()


def lengths(found):
    """The median, the most and its item, and how many items have a match of 8, 13, 25 and 50 tokens."""
    longest = [each.longest for each in found]
    top = max(found, key=lambda each: each.longest)
    return median(longest), top.longest, top.item.id, [sum(each >= n for each in longest) for n in (8, 13, 25, 50)]


def test_the_figures_of_benchmarks_in_answers(shared, answers_index):
    """Benchmarks 2 and 3 of the specification: the 805 instructions, and HumanEval, in what twelve models wrote."""
    with gzip.open(shared / "llm-outputs" / "Mistral-7B-Instruct-v0.2.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [{"question": json.loads(line)["instruction"]} for line in lines]
    index = open_index(answers_index).index
    found = find_items(index, benchmark_of(rows))
    assert lengths(found) == (8, 228, "652", [476, 199, 52, 16])
    assert round(sum(each.longest for each in found) / len(found), 3) == 11.601
    assert sum(each.longest == each.units for each in found) == 6
    assert [sum(each.coverage(0) >= share for each in found) for share in (0.8, 0.5)] == [101, 260]
    ids = [index.tokenizer.encode(each.item.question) for each in found if each.longest >= 50]
    covering = [longest_covering(index.counts.longest_matches(each)) for each in ids]
    assert sum((each >= 50).mean() >= 0.8 for each in covering) == 4
    programs = read_benchmark(shared / "benchmarks" / "humaneval.jsonl.gz")
    found = find_items(index, programs, ("question", "answer"))
    assert lengths(found)[1:] == (28, "HumanEval/107", [100, 21, 2, 0])

"""N-grams and f-grams of the shared answers of twelve models, against figures that numpy's sort gave."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import open_index
from explorer.corpus.corpus import Corpus

# By n: total, types, hapaxes, types that occur five times, and the highest counts.
NGRAMS = {
    1: (2_856_074, 18_499, 1_636, 14_367, 128_373, 115_930, 94_706),
    2: (2_846_417, 430_949, 224_518, 88_713, 37_038, 34_942, 15_449),
    3: (2_836_781, 1_150_739, 810_696, 91_751, 18_838, 5_518, 3_408),
    4: (2_827_182, 1_700_528, 1_370_521, 64_972, 2_770),
    5: (2_817_604, 2_052_743, 1_773_982, 42_702, 2_386),
    6: (2_808_041, 2_267_666, 2_045_830, 28_358, 873),
    7: (2_798_500, 2_395_251, 2_219_432, 19_902, 873),
    8: (2_788_969, 2_473_100, 2_331_515, 14_751, 871),
}
CUTOFFS = {2: 21, 3: 30, 4: 33, 5: 35, 8: 38}
CANDIDATES = {2: 88_713, 3: 180_464, 4: 245_436, 5: 288_138, 8: 351_149}
DISTINCT = [392_902, 1_017_048, 1_480_865, 1_776_006, 1_955_643, 2_062_607, 2_128_152]
AT_LEAST_5 = [78_931, 78_552, 55_232, 36_421, 24_495, 17_437, 13_092]
OF_20_000 = {
    2: (18, 20_977, 1.515), 3: (26, 20_438, 1.652), 4: (29, 20_635, 1.715), 5: (31, 20_341, 1.742),
    6: (32, 20_354, 1.749), 8: (33, 20_490, 1.744),
}  # fmt: skip
OF_100_000 = {
    2: (5, 78_931, 1.689), 3: (7, 105_686, 1.941), 4: (8, 115_140, 2.041), 5: (9, 110_596, 2.067),
    6: (10, 102_005, 2.057), 8: (10, 109_805, 2.069),
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(answers_index):
    return open_index(answers_index)


def test_figures_of_all_answers(corpus):
    found = corpus.ngrams(top=3)
    for each in found.figures:
        listed = found.of_length(each.n)
        known = NGRAMS[each.n]
        assert (each.total, each.types, each.hapaxes, listed.spectrum[5:].sum()) == known[:4]
        assert tuple(listed.counts.tolist())[: len(known) - 4] == known[4:]
    whole = corpus.fgrams(8)
    at_least = np.cumsum([each.at_least for each in whole.by_n]).tolist()
    assert {n: at_least[n - 2] for n in CANDIDATES} == CANDIDATES
    assert corpus.fgrams(5, size=20_000).cutoff == CUTOFFS[5]
    smaller = {each.max_n: each.cutoff for each in whole.coverage([], sizes=[20_000])}
    assert {n: smaller[n] for n in CUTOFFS} == CUTOFFS


def test_fgrams_of_some_documents_match_answers_that_are_not_among_them(corpus, answers):
    firsts = np.cumsum([0, *map(len, answers.values())])[:-1]
    numbers = np.concatenate([np.arange(first, first + 705) for first in firsts])
    # The other documents are subtracted, which must leave exact counts.
    some = Corpus(corpus.index.within(numbers))
    assert (some.document_count, some.token_count) == (8_460, 2_477_104)
    found = some.fgrams(8)
    assert [each.distinct for each in found.by_n] == DISTINCT
    assert [each.at_least for each in found.by_n] == AT_LEAST_5
    asked = answers["gpt-4o-2024-05-13.jsonl.gz"][705:745]
    for each in found.coverage(asked, sizes=[20_000, 100_000]):
        known = (OF_20_000 if each.size == 20_000 else OF_100_000).get(each.max_n)
        if known is not None:
            assert (each.cutoff, each.kept, round(each.mean_length, 3)) == known
    assert (made := some.fgrams(5, size=20_000)).cutoff == 31 and len(made) == 20_341

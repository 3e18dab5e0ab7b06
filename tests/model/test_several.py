"""Several methods in one pass give what each gives alone."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analyses.model.making import METHODS, tuned
from explorer.analyses.model.methods import LevelCounts, NGram, Weighted
from explorer.analyses.model.scoring import Vocabulary, kinds_of, scorable, score_texts
from explorer.analyses.model.several import score_by_each

TEXTS = ("the cat sat on the mat and the dog saw a rug", "", "a", "zebra the cat", "the the the the")


@pytest.mark.parametrize("leave_one_out", [False, True])
def test_each_method_scores_as_alone(small, leave_one_out):
    index = small.index
    texts = [scorable(index.tokenizer, text) for text in TEXTS] + [scorable(index.tokenizer, "sat on", "the cat")]
    kinds = Vocabulary(kinds_of(index))
    every = Vocabulary(index.tokenizer.vocabulary_size, every=True)
    made = [tuned(index, kind(), kinds.size).method for kind in METHODS.values()]
    made += [LevelCounts(levels) for levels in (1, 3, None)]
    made += [NGram(1), NGram(3), Weighted("sigmoid", alpha=0.5, context=4)]
    pairs = [(method, every if method.of_tokenizer else kinds) for method in made]
    reports = []
    found = score_by_each(index, pairs, texts, leave_one_out, reports.append)
    for (method, shared), scores in zip(pairs, found, strict=True):
        alone = score_texts(index, method, texts, shared, leave_one_out)
        for one, other in zip(scores, alone, strict=True):
            # Sums over more columns, in which there is nothing, may differ in the last bit.
            np.testing.assert_allclose(one.shares, other.shares, rtol=1e-12, err_msg=method.name)
            assert one.lengths.tolist() == other.lengths.tolist() and one.known.tolist() == other.known.tolist()
            assert (one.first, one.characters, one.bytes, one.floor) == (
                other.first, other.characters, other.bytes, other.floor,
            )  # fmt: skip
    assert reports[-1].done == reports[-1].total > 0


def test_no_methods_and_no_tokens(small):
    text = scorable(small.index.tokenizer, "")
    assert score_by_each(small.index, [], [text]) == []
    (scores,) = score_by_each(small.index, [(LevelCounts(), Vocabulary(5))], [text])
    assert [len(each) for each in scores] == [0]

"""The question of what follows a text: one declaration, the same on every surface."""

from __future__ import annotations

import pytest

from explorer.analyses.next_tokens.question import NextTokensQuestion
from explorer.derive.question import settings_of
from explorer.errors import QueryError


def test_n_is_the_context_and_the_next_token(small):
    ids, counts = small.encode("the dog sat on the"), small.index.counts
    lengths = [NextTokensQuestion(n=n).length(ids, counts) for n in (1, 3, 99)]
    assert lengths == [0, 2, len(ids)]
    assert NextTokensQuestion().length(ids, counts) == counts.longest_suffix(ids)


@pytest.mark.parametrize("values", [{"n": 0}, {"n": -1}, {"n": 2.5}, {"words": 1}, {"limit": 0}])
def test_what_is_refused(values):
    with pytest.raises(QueryError, match=f"^{next(iter(values))} must be"):
        NextTokensQuestion(**values)


def test_the_command_line_reads_inf_as_the_longest_context():
    kind = settings_of(NextTokensQuestion)["n"].kind
    assert (kind.read("inf"), kind.read("3"), kind.check("n", kind.read("inf"))) == (None, 3, None)
    assert NextTokensQuestion(n=3, words=True).options == ["--n=3", "--words"]
    assert NextTokensQuestion().options == []


def test_sessions_of_0_2_have_0_for_the_longest_context():
    assert NextTokensQuestion(n=4).restored({"n": 0}).n is None
    assert NextTokensQuestion(n=4).restored({"n": 7, "words": True}) == NextTokensQuestion(n=7, words=True)
    # Not what no form shows, and nothing of another type.
    for value in (1_001, "many", 2.5, True):
        assert NextTokensQuestion(n=4).restored({"n": value}).n == 4


def test_provenance_names_the_model_and_the_unit(small):
    assert NextTokensQuestion(n=3, words=True).facts == (("n", "3"), ("unit", "words"))
    found = dict(small.infgram_next_tokens("", limit=3).provenance)
    assert (found["n"], found["unit"], found["limit"], found["exact"]) == ("∞", "tokens", "3", "false")
    assert dict(small.next_tokens(small.encode("the cat")).provenance)["n"] == str(len(small.encode("the cat")) + 1)

"""Files of log probabilities: what is read, what is refused, and what is written."""

from __future__ import annotations

import gzip
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import SourceError
from explorer.neural.records import LOG_BASES, ScoredText, ScoredToken, line_of, read_scored


def stream(data):
    return io.BufferedReader(io.BytesIO(data))


def read(*rows, **options):
    return read_scored(stream("\n".join(map(json.dumps, rows)).encode()), **options)


def one(token, text="ab", **line):
    """A line with one token of one character."""
    return {"text": text, "tokens": [{"start": 0, "end": 1} | token]} | line


def test_all_fields():
    tokens = [
        {"start": 0, "end": 3, "logprob": None},
        {"start": 4, "end": 7, "logprob": -0.5, "id": 7, "top": [[7, -0.5], [2, -3]]},
        {"start": 7, "end": 7, "probability": 0.25},
    ]
    (text,) = read({"text": "the cat", "model": "m", "tokens": tokens, "more": 1})
    assert text == ScoredText(
        "the cat",
        (
            ScoredToken(0, 3, None),
            ScoredToken(4, 7, -0.5, 7, ((7, -0.5), (2, -3.0))),
            ScoredToken(7, 7, math.log(0.25)),
        ),
        "m",
    )


def test_a_byte_order_mark_blank_lines_and_gzip(tmp_path):
    data = (
        b"\xef\xbb\xbf"
        + json.dumps(one({"logprob": -1})).encode()
        + b"\n\n"
        + json.dumps(one({"logprob": -2})).encode()
    )
    (tmp_path / "a.jsonl").write_bytes(data)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(data))
    for name in ("a.jsonl", "a.jsonl.gz"):
        assert [text.tokens[0].logprob for text in read_scored(tmp_path / name)] == [-1, -2]


@pytest.mark.parametrize(
    ("token", "logprob"),
    [
        ({"logprob": 1e-7}, 0.0),
        ({"probability": 1 + 1e-7}, 0.0),
        ({"probability": 0}, -math.inf),
        ({"logprob": -math.inf}, -math.inf),
        ({"logprob": -(10**400)}, -math.inf),
        ({"logprob": -9999}, -9999.0),
        ({"probability": None}, None),
        ({"logprob": -0.69, "probability": 0.5}, -0.69),
    ],
)
def test_values_at_the_edges(token, logprob):
    assert read(one(token))[0].tokens[0].logprob == logprob


@pytest.mark.parametrize("base", LOG_BASES)
def test_other_bases(base):
    value = math.log(0.2) / {"e": 1, "2": math.log(2), "10": math.log(10)}[base]
    token = {"logprob": value, "top": [[3, value]]}
    for (text,) in (read(one(token), log_base=base), read(one(token, log_base=base))):
        assert text.tokens[0].logprob == text.tokens[0].top[0][1] == pytest.approx(math.log(0.2), rel=1e-15)
    # JSON's number, too.
    if base != "e":
        assert read(one(token, log_base=int(base))) == read(one(token, log_base=base))


@pytest.mark.parametrize(
    ("line", "options", "words"),
    [
        # log10 0.05 = -1.3, whose exponential is 0.27.
        (one({"logprob": -1.30103, "probability": 0.05}), {}, r"does not fit its probability 0\.05; base 10 would fit"),
        (one({"logprob": -2.3219, "probability": 0.2}), {}, r"base 2 would fit"),
        (one({"logprob": -1, "probability": 0.9}), {}, r"probability 0\.9\.$"),
        # Ten tokens with 0.1 each, as decimal logarithms.
        (one({"logprob": -1, "top": [[i, -1] for i in range(10)]}), {}, r"add up to 3\.68; base 10 would fit"),
        (one({"logprob": 0, "top": [[1, 0], [2, 0]]}), {}, r"add up to 2\.00\.$"),
        (one({"logprob": -1}, log_base="e"), {"log_base": "10"}, "states base e for its logarithms, not 10"),
    ],
)
def test_a_wrong_base_is_named(line, options, words):
    with pytest.raises(SourceError, match=words) as caught:
        read(line, **options)
    assert caught.value.reason == "wrong-log-base"
    assert "line 1" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"text": "ab"}, 'needs "text"'),
        ({"text": "ab", "tokens": [3]}, "token 1 is not an object"),
        (one({"end": True, "probability": 1}), "token 1 has no range"),
        (one({"end": 5, "probability": 0.5}), r"token 1 has no range of characters within the text \(0 to 2\)"),
        (one({"logprob": 10**400}), "token 1 has a log probability above 0"),
        (one({"logprob": 0.3}), "token 1 has a log probability above 0"),
        (one({"logprob": "-1"}), "token 1 has a log probability that is not a number"),
        (one({"logprob": math.nan}), "token 1 has a log probability that is not a number \\(nan\\)"),
        (one({"probability": 1.5}), "token 1 has no probability"),
        (one({"probability": math.nan}), "token 1 has no probability"),
        (one({}), "token 1 has neither"),
        (one({"logprob": -1, "id": -1}), 'token 1: "id" must be'),
        (one({"logprob": -1, "id": True}), 'token 1: "id" must be'),
        (one({"logprob": -1, "top": 3}), 'token 1: "top" must be'),
        (one({"logprob": -1, "top": [{" the": -1}]}), 'token 1: "top" must be'),
        (one({"logprob": -1, "top": [[1, math.nan]]}), "token 1 has a log probability that is not"),
        (one({"logprob": -1, "top": [[1, -1], [1, -2]]}), 'token 1: "top" has a token twice'),
        # The neighbor's value, as a list that is shifted by one has it.
        (one({"logprob": -5.5, "id": 1, "top": [[1, -0.1]]}), "token 1 has the log probability -5.5, but -0.1 in"),
        (one({"logprob": -1}, model=3), '"model" must be'),
        (one({"logprob": -1}, log_base=3), '"log_base" must be e, 2 or 10'),
        (
            {
                "text": "ab",
                "tokens": [{"start": 0, "end": 2, "probability": 1}, {"start": 1, "end": 2, "probability": 1}],
            },
            "token 2 begins before token 1 ends",
        ),
        ([], "not a JSON object"),
    ],
)
def test_lines_that_cannot_be_read(row, words):
    with pytest.raises(SourceError, match=words) as caught:
        read({"text": "", "tokens": []}, row)
    assert caught.value.reason == "bad-probabilities"
    assert "line 2" in str(caught.value)


def test_a_file_without_texts():
    with pytest.raises(SourceError, match="has no texts"):
        read_scored(stream(b"\n"))


# Less than the least that a file can hold is read as minus infinity.
logprobs = st.just(-math.inf) | st.floats(min_value=-1e299, max_value=0)


@given(
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), min_size=3),
    st.none() | st.just("a model"),
    st.lists(st.tuples(st.none() | logprobs, st.none() | st.integers(0, 2**40)), max_size=3),
)
def test_what_is_written_is_read_again(text, model, values):
    tokens = tuple(ScoredToken(i, i + 1, value, id) for i, (value, id) in enumerate(values))
    written = ScoredText(text, tokens, model)
    assert read_scored(stream(line_of(written).encode())) == (written,)


def test_top_lists_are_written():
    written = ScoredText("a", (ScoredToken(0, 1, -1.0, 4, ((4, -1.0), (2, -2.5))),))
    assert read_scored(stream(line_of(written).encode())) == (written,)

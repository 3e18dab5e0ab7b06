"""`index.json`, whatever is in it: a wrong fact is an error that names it, and never a wrong answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import DamagedIndexError
from explorer.index.manifest import FORMAT_VERSION, Manifest, manifest_from

VALID = {
    "token_width": 2, "token_count": 9, "document_count": 2, "shard_count": 1, "tokenizer": "bytes",
    "tokenizer_sha256": "",
}  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.sampled_from([1e999, 0.5, "", "bytes", "maybe"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


def read(**values):
    return manifest_from(json.dumps({**VALID, **values}), "index.json")


def test_what_is_not_named_has_its_default():
    assert read() == Manifest(**VALID) and read(unknown=[1]) == read()


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        ({"token_width": 8}, "token_width cannot be 8"),
        ({"token_width": True}, "token_width cannot be true"),
        ({"token_count": float("inf")}, "token_count cannot be 1e999"),
        ({"token_count": -1}, "token_count cannot be -1"),
        ({"document_count": 2.0}, "document_count cannot be 2.0"),
        ({"reversed_text": "maybe"}, r"reversed_text cannot be \"maybe\""),
        ({"sources": [1]}, r"sources cannot be \[1\]"),
        ({"noticed": {"a": "b"}}, "noticed cannot be"),
        ({"files": {"tokenized.0": "x"}}, "files cannot be"),
        ({"name": None}, "name cannot be null"),
    ],
)
def test_a_wrong_value_is_named(values, cause):
    with pytest.raises(DamagedIndexError, match=cause) as error:
        read(**values)
    assert error.value.reason == "manifest-unreadable"


def test_what_is_missing_is_named():
    without = {key: value for key, value in VALID.items() if key not in ("shard_count", "tokenizer")}
    with pytest.raises(DamagedIndexError, match=r"\(shard_count, tokenizer is missing\)"):
        manifest_from(json.dumps(without), "index.json")
    with pytest.raises(DamagedIndexError, match="does not hold keys and values"):
        manifest_from("7", "index.json")


def test_values_of_a_newer_format_are_not_judged():
    with pytest.raises(DamagedIndexError) as error:
        read(format_version=FORMAT_VERSION + 1, name={"en": "x"})
    assert error.value.reason == "newer-format"


@given(st.sampled_from(sorted(Manifest.__dataclass_fields__)), VALUES)
def test_any_value_is_read_or_refused(name, value):
    try:
        found = read(**{name: value})
    except DamagedIndexError:
        return
    wanted = tuple(value) if name == "sources" else value
    assert getattr(found, name) == wanted

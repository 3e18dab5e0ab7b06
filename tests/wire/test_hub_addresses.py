"""Addresses of the hub: what is one, and how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.http.wire.hub import HubAddress, absolute_source, is_hub, read_hub, shown_source

COMMIT = "0123456789abcdef" * 2 + "01234567"
NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_]{0,9}", fullmatch=True)
REVISIONS = st.sampled_from(["", "main", "v1.2", COMMIT, "refs/pr/3", "refs/convert/parquet", "a/b"])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("hf://datasets/squad", HubAddress("squad", True)),
        ("HF://Datasets/o/n/", HubAddress("o/n", True)),
        ("hf://datasets/o/n@v1/en:train", HubAddress("o/n", True, "v1", "en", "train")),
        ("hf://datasets/o/n:train", HubAddress("o/n", True, split="train")),
        ("hf://datasets/o/n@refs/convert/parquet/en", HubAddress("o/n", True, "refs/convert/parquet", "en")),
        ("hf://o/n@a%2Fb", HubAddress("o/n", False, "a/b")),
    ],
)
def test_addresses_are_read(source, expected):
    assert read_hub(source) == read_hub(Path(source)) == expected


@pytest.mark.parametrize(
    "source",
    [
        *("hf://", "hf://datasets/", "hf://o", "hf://o/n/x", "hf://o/n:x", "hf://spaces/o", "hf://models/o"),
        *("hf://datasets/o/..", "hf://datasets/../o", "hf://datasets/o/n@..", "hf://datasets/o/n@a%2F..%2Fb"),
        *("hf://datasets/o/n?x=1", "hf://datasets/o/n#x", "hf://datasets/o n", "hf://datasets/o/n--x", "hf://o/n@"),
        *("hf://datasets/o/n@a b", "hf://datasets/o/n\n", "hf://datasets/ö/n"),
    ],
)
def test_other_texts_are_no_addresses(source):
    assert read_hub(source) is None and is_hub(source)


def test_paths_are_left_as_they_are():
    assert not is_hub("hf/o/n") and not is_hub(Path("/hf:/o")) and read_hub("/data/hf") is None
    assert shown_source(Path("a/b")) == str(Path("a/b")) and absolute_source(Path("a")).is_absolute()
    assert shown_source(Path("hf://o/n")) == "hf://o/n" and absolute_source(Path("hf://o/n")) == Path("hf://o/n")


@given(NAMES, NAMES, st.booleans(), REVISIONS, st.one_of(st.just(""), NAMES), st.one_of(st.just(""), NAMES))
def test_an_address_is_read_as_it_is_written(owner, name, is_dataset, revision, config, split):
    if not is_dataset:
        config = split = ""
        owner = f"x{owner}"
    address = HubAddress(f"{owner}/{name}", is_dataset, revision, config, split)
    assert read_hub(str(address)) == read_hub(Path(str(address))) == address
    assert address.is_pinned == (revision == COMMIT)


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error(text):
    found = read_hub(f"hf://{text}")
    assert found is None or read_hub(str(found)) == found

"""What could steer a terminal is shown as signs."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from steering import steers

from explorer.core.visible import visible, visible_json


def test_every_character():
    for code in range(0x110000):
        char = chr(code)
        assert (visible(char) == char) is not steers(char), hex(code)


@given(st.text())
def test_nothing_that_steers_is_left(text):
    assert not any(map(steers, visible(text)))


def test_signs_tell_characters_apart():
    signs = [visible(chr(code)) for code in range(0x110000) if steers(chr(code))]
    # The bytes of a file name that are not UTF-8 look like the control of the same number.
    assert len(set(signs)) >= len(signs) - 32
    assert visible("\x1b[2J\r\x7f\x9b\u202e\ud800\udce9") == "␛[2J␍␡\\x9b\\u202e\\ud800\\xe9"


def test_what_is_kept():
    assert visible("a\tb\nc\r", keep="\t\n") == "a\tb\nc␍"


@given(st.text(st.characters(exclude_categories=())))
def test_json_keeps_its_value(text):
    written = visible_json(json.dumps({"a": text}, ensure_ascii=False))
    assert json.loads(written) == {"a": text}
    assert not any(map(steers, written))

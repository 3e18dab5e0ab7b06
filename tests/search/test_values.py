"""The rule for metadata values, against a twin that states it case by case, and in every reading order."""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.breakdown.facets import facet
from explorer.analyses.metadata.fields import FieldColumns
from explorer.analyses.metadata.values import (
    OPERATORS,
    FieldFilter,
    as_json,
    exactly,
    labels,
    parse_filter,
    plain_value,
    show_value,
    sort_key,
    value_key,
)
from explorer.analyses.search.arrange import LineSettings, parse_sort
from explorer.backends.documents.reading import metadata_of
from explorer.backends.protocol.protocol import Capabilities, FieldNames
from explorer.errors import QueryError

HUGE = 10**400
ODD = [
    *(0, 1, -1, 1.0, 1.5, 0.0, -0.0, True, False, None, math.nan, math.inf, -math.inf, HUGE, -HUGE, 10**21, 1e21),
    *(2**70, float(2**70), 2**53 + 1, 2020, 2020.0, "", "1", "1.0", "true", "True", "none", "(none)", '"1"', "2020"),
    *("2020-05-01", "abc", "ABC", "null", "NaN", "Infinity", [1], [1.0], {"a": None}, "[1]", "٣", "1_0", "0x1"),
]
values = st.one_of(
    st.sampled_from(ODD), st.integers(), st.floats(), st.booleans(), st.text(max_size=5), st.lists(st.integers())
)


def kind(value):
    """The twin's kind of a raw value, and the value there: number by exact size, boolean, text, or nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "none", None
    if value is True or value is False:
        return "boolean", value
    if isinstance(value, float) and math.isinf(value):
        return "number", value
    if isinstance(value, (int, float)):
        return "number", Fraction(value)
    return "text", value if isinstance(value, str) else show_value(plain_value(value))


@given(values, values)
def test_equal_values_are_one(a, b):
    same = kind(a) == kind(b)
    assert (value_key(plain_value(a)) == value_key(plain_value(b))) == same
    assert (as_json(plain_value(a)) == as_json(plain_value(b))) == same
    assert (labels([plain_value(a), plain_value(b)])[0] == labels([plain_value(a), plain_value(b)])[1]) == same


def ordered_kind(value):
    """As `kind`, but a text that is a number as a whole is ordered as that number."""
    found, of_kind = kind(value)
    if found == "text" and of_kind.strip().lstrip("+-") == "Infinity":
        return "number", float(of_kind)
    number = as_number(of_kind.strip()) if found == "text" else None
    return (found, of_kind) if number is None else ("number", number)


@given(st.lists(values, max_size=12))
def test_order(raw):
    plain = sorted((plain_value(value) for value in raw), key=sort_key)
    kinds = [ordered_kind(value) for value in plain]
    assert [k for k, _ in kinds] == sorted((k for k, _ in kinds), key=["number", "boolean", "text", "none"].index)
    numbers = [value for k, value in kinds if k == "number"]
    assert all(a <= b for a, b in itertools.pairwise(numbers))


def as_number(text):
    """A number, read as JSON readers do: whole ones exactly, others as the nearest float."""
    if not text or set(text) - set("0123456789.eE+-"):
        return None
    try:
        return Fraction(int(text)) if text.lstrip("+-").isdecimal() else Fraction(float(text))
    except ValueError:
        return None


def twin_meets(raw, operator, typed):
    k, value = kind(raw)
    shown = show_value(plain_value(raw))
    number = as_number(typed)
    if operator in ("!=", "!~"):
        return not twin_meets(raw, operator[1:], typed)
    if operator == "=":
        if typed == "":
            return k == "none" or (k == "text" and value == "")
        return (
            (k == "text" and value == typed)
            or (k == "number" and number is not None and value == number)
            or (k == "boolean" and typed == ("true" if value else "false"))
            or (k == "none" and typed == "(none)")
        )
    if operator == "~":
        return k != "none" and typed.casefold() in shown.casefold()
    if operator == "^=":
        return k != "none" and shown.startswith(typed)
    compare = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "<": lambda a, b: a < b}
    if number is None:
        return k == "text" and compare[operator]((value.casefold(), value), (typed.casefold(), typed))
    if k == "text":
        date = 1000 <= number <= 9999 and number.denominator == 1 and value[4:5] == "-" and value[5:7].isdecimal()
        value = Fraction(value[:4]) if date and value[:4].isdecimal() else as_number(value.strip())
        k = "none" if value is None else "number"
    return k == "number" and compare[operator](value, number)


@given(values, st.sampled_from([op for op in OPERATORS if op != "=="]), st.sampled_from(ODD))
@settings(max_examples=10 * settings.default.max_examples)
def test_conditions_against_the_twin(raw, operator, typed):
    typed = typed if isinstance(typed, str) else show_value(plain_value(typed))
    assume(typed not in ('"1"', "Infinity", "-Infinity"))  # tested by hand below
    assume(raw != "Infinity" and raw != "-Infinity")
    assert FieldFilter("f", operator, typed).meets(plain_value(raw)) == twin_meets(raw, operator, typed)


@given(values, values)
def test_exactly_one_value(a, b):
    assert exactly("f", plain_value(a)).meets(plain_value(b)) == (kind(a) == kind(b))


OFFERED = [
    *(-math.inf, -HUGE, -1, 1, 1.0, 1.5, 2020, 2**70, HUGE, math.inf, True, False, None, math.nan),
    *("", "1", "1.0", "true", "True", "none", "(none)", "2020", "2020-05-01", "abc", "null", "Infinity"),
]


@pytest.mark.parametrize(
    ("typed", "meets"),
    [
        ("x=1", [1, 1.0, "1"]),
        ('x="1"', ["1"]),
        ("x==1", [1, 1.0]),
        ('x=="1"', ["1"]),
        ("x=true", [True, "true"]),
        ("x==true", [True]),
        ("x=(none)", [None, math.nan, "(none)"]),
        ("x==null", [None, math.nan]),
        ("x=", [None, math.nan, ""]),
        ('x=""', [""]),
        ("x>=1", [1, 1.0, 1.5, 2020, 2**70, HUGE, math.inf, "1", "1.0", "2020", "Infinity"]),
        ("x>1e400", []),
        ("x>=Infinity", [math.inf, "Infinity"]),
        ("x<0", [-math.inf, -HUGE, -1]),
        ('x>="1"', ["1", "1.0", "true", "True", "none", "2020", "2020-05-01", "abc", "null", "Infinity"]),
        ('x~"1"', ["1", "1.0", "2020-05-01"]),
        ("x>=2020", [2020, 2**70, HUGE, math.inf, "2020", "2020-05-01", "Infinity"]),
        ("x<=2020", [-math.inf, -HUGE, -1, 1, 1.0, 1.5, 2020, "1", "1.0", "2020", "2020-05-01"]),
    ],
)
def test_by_hand(typed, meets):
    condition = parse_filter(typed)
    found = [value for value in OFFERED if condition.meets(plain_value(value))]
    assert [repr(value) for value in found] == [repr(value) for value in meets]


def test_what_is_not_a_condition():
    for text in ("year", "=1", " =1", ""):
        with pytest.raises(QueryError, match="is not a condition"):
            parse_filter(text)
    with pytest.raises(QueryError, match="There is no operator"):
        FieldFilter("a", "≈", "1").meets(1)
    assert parse_filter("a>=b=c") == FieldFilter("a", ">=", "b=c")
    assert parse_filter("a == 1") == FieldFilter("a", "==", "1")


class Documents:
    """As much of an index as FieldColumns reads."""

    capabilities = Capabilities()

    def __init__(self, raw):
        self.raw = raw
        self.document_slots = len(raw)
        self.documents = self

    def metadata(self, documents):
        values = [self.raw[number] for number in documents.tolist()]
        return [{"metadata": {} if value == "missing" else {"f": value}} for value in values]


@given(st.lists(values, min_size=1, max_size=10), st.randoms())
def test_any_reading_order_gives_the_same(raw, chance):
    everything = np.arange(len(raw))
    expected = FieldColumns(Documents(raw), FieldNames(("f",), True)).column("f", everything)
    order = list(range(len(raw)))
    chance.shuffle(order)
    columns = FieldColumns(Documents(raw), FieldNames(("f",), True))
    for number in order:
        columns.column("f", np.array([number]))
    found = columns.column("f", everything)
    assert [repr(found.values[code]) for code in found.codes] == [
        repr(expected.values[code]) for code in expected.codes
    ]
    for operator in OPERATORS:
        condition = FieldFilter("f", operator, show_value(plain_value(raw[0])))
        assert found.kept(condition).tolist() == [condition.meets(plain_value(value)) for value in raw]
    for descending in (False, True):
        ranked = np.argsort(found.ranks(descending), kind="stable")
        keys = [sort_key(plain_value(raw[i])) for i in ranked]
        valued = [key for key in keys if key[0] < 3]
        assert keys[: len(valued)] == sorted(valued, reverse=descending)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    raw = [True, 1, 1.0, "1", 0, False, 0.0, math.nan, None, math.inf, HUGE, 2020.0, 2020, "x"]
    with open(folder / "t.jsonl", "w", encoding="utf-8") as file:
        for value in raw:
            file.write(json.dumps({"text": "alpha", "f": value}) + "\n")
        file.write(json.dumps({"text": "alpha"}) + "\n")
    build_index(folder / "t.jsonl", folder / "out", tokenizer="bytes", shards=2)
    return open_index(folder / "out")


def test_a_view_by_field_has_one_row_for_each_value(mixed):
    found = facet(mixed.concordance("alpha"), "f", mixed.columns)
    rows = {bar.label: bar.hits for bar in found.bars}
    assert rows == {
        **dict.fromkeys(["1", "0", "2020"], 2),
        **dict.fromkeys(["true", '"1"', "false", "Infinity", "x", str(HUGE)], 1),
        "(none)": 3,
    }
    for bar in found.bars:
        kept = mixed.concordance("alpha", view=LineSettings(filters=(found.condition(bar),)))
        assert len(kept) == bar.hits


def test_texts_that_are_numbers_are_shown_and_equal_as_written_and_ordered_by_size():
    written = ["10", "9", "1.10", "1.1", "01234", "1e5", " 5"]
    assert sorted(written, key=sort_key) == ["1.1", "1.10", " 5", "9", "10", "01234", "1e5"]
    assert [value for value in written if FieldFilter("f", "=", "1.10").meets(value)] == ["1.10"]
    assert [value for value in written if FieldFilter("f", ">", "9").meets(value)] == ["10", "01234", "1e5"]
    # A date that is typed is no number, and years are compared with it as texts.
    assert [value for value in ("2019", "2021") if FieldFilter("f", ">", "2020-05").meets(value)] == ["2021"]


def test_sorting_mixed_values(mixed):
    def shown(sort):
        lines = mixed.concordance("alpha", view=parse_sort(sort)).lines(0, 99)
        return [show_value(plain_value(metadata_of(mixed.index, x.document)["metadata"].get("f"))) for x in lines]

    up = ["0", "0", "1", "1", "1", "2020", "2020", str(HUGE), "Infinity", "false", "true", "x", *["(none)"] * 3]
    assert shown("field:f") == up
    assert shown("-field:f") == [*up[:-3][::-1], *["(none)"] * 3]


def test_the_answer_does_not_depend_on_what_was_read_first(mixed):
    for seed in range(10):
        mixed.columns.__init__(mixed.index)
        numbers = list(range(mixed.document_count))
        random.Random(seed).shuffle(numbers)
        for number in numbers[:5]:
            mixed.columns.column("f", np.array([number]))
        for typed, count in (("f=1", 3), ("f=true", 1), ("f>=1", 7), ("f==0", 2), ("f=", 3), ("f=2020", 2)):
            settings = LineSettings(filters=(parse_filter(typed),))
            assert len(mixed.concordance("alpha", view=settings)) == count, (seed, typed)

"""Sentences and numbers: catalogs, plural forms, signs of the locale, and that every sentence can be found."""

from __future__ import annotations

import ast
import importlib.util
import string
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer import i18n
from explorer.i18n import NumberFormat, Words, counted, numeral, tr, trn

PACKAGE = Path(explorer.__file__).parent
GERMAN = NumberFormat(".", ",")
RUSSIAN = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 \
&& n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "Open {name}"
msgstr "Открыть {name}"

msgid "{n:,} token"
msgid_plural "{n:,} tokens"
msgstr[0] "{n:,} токен"
msgstr[1] "{n:,} токена"
msgstr[2] "{n:,} токенов"
"""


@pytest.fixture(autouse=True)
def english_again():
    yield
    i18n.use(Words())


@pytest.fixture
def russian(tmp_path):
    folder = tmp_path / "ru" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "ru.po").write_text(RUSSIAN, encoding="utf-8")
    with (tmp_path / "ru.po").open("rb") as source, (folder / f"{i18n.DOMAIN}.mo").open("wb") as target:
        write_mo(target, read_po(source, locale="ru"))
    return tmp_path


def test_a_catalog_translates_with_plural_forms(russian):
    assert i18n.use(Words(("ru_RU", "ru"), NumberFormat("\u00a0", ",")), russian)
    assert tr("Open {name}", name="a {b}") == "Открыть a {b}"
    assert [counted("token", n) for n in (1, 2, 5, 11, 21, 1024)] == [
        "1 токен", "2 токена", "5 токенов", "11 токенов", "21 токен", "1\u00a0024 токена",
    ]  # fmt: skip
    # What is not in the catalog stays English.
    assert tr("Build index") == "Build index"


def test_without_a_catalog_it_is_english(tmp_path):
    assert not i18n.use(Words(("xx",)), tmp_path)
    assert (counted("token", 1), counted("token", 2), counted("time", 1)) == ("1 token", "2 tokens", "once")
    assert trn("{n:,} hit in {where}", "{n:,} hits in {where}", 1_000, where="a.txt") == "1,000 hits in a.txt"


def test_numbers_have_the_signs_of_the_locale():
    i18n.use(Words((), GERMAN))
    assert (numeral(1_234_567), numeral(0.1234, ".1%"), numeral(1234.5, ",.2f")) == ("1.234.567", "12,3%", "1.234,50")
    assert tr("{a:,} of {b:.1f} in {c}", a=1_000, b=2.5, c="x.y, z") == "1.000 of 2,5 in x.y, z"


def test_digits_of_other_scripts():
    i18n.use(Words((), NumberFormat("٬", "٫", "٠")))
    assert numeral(1_024) == "١٬٠٢٤"


@given(st.integers(-(10**12), 10**12), st.sampled_from([NumberFormat(), GERMAN, NumberFormat("\u202f", ",")]))
def test_no_digit_is_lost(value, form):
    shown = form.localize(f"{value:,}")
    assert int(shown.replace(form.group, "")) == value


def test_what_is_shown_is_never_a_format():
    assert tr("{text}", text="{0} {x.__class__}") == "{0} {x.__class__}"


def calls():
    """Every call of a function of words, with its file."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "i18n.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield path, node, node.func.id


@pytest.mark.qt
def test_fields_of_sentences_are_given():
    seen = 0
    for path, node, name in calls():
        if name not in ("tr", "trn") or any(keyword.arg is None for keyword in node.keywords):
            # Errors and hints pass on all their fields; tests/test_errors.py compares them with the sentences.
            continue
        texts = [argument.value for argument in node.args[: 1 + (name == "trn")] if isinstance(argument, ast.Constant)]
        fields = {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}
        given_ = {keyword.arg for keyword in node.keywords} | ({"n"} if name == "trn" else set())
        seen += len(texts)
        # A sentence without values is not formatted at all.
        if node.keywords or name == "trn":
            assert fields - given_ == set(), f"{path.name}:{node.lineno}"
            assert given_ - fields - {"n"} == set(), f"{path.name}:{node.lineno}"
    assert seen > 500


@pytest.mark.qt
def test_all_of_them_are_collected_for_translators():
    """packaging/messages.py finds what the code has, and what stands in tables."""
    spec = importlib.util.spec_from_file_location("messages", Path(__file__).parents[1] / "packaging" / "messages.py")
    messages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(messages)
    catalog = messages.collected()
    found = {form for message in catalog for form in ([message.id] if isinstance(message.id, str) else message.id)}
    said = {
        node.args[0].value
        for _, node, name in calls()
        if name in ("tr", "trn", "mark") and isinstance(node.args[0], ast.Constant)
    }
    assert len(said) > 500 and said - found - {""} == set()
    assert {
        "&Open index …",
        "Text size",
        "Next token",
        "Sorting",
        "files that cannot be read to their end",
        "{n:,} tokens",
    } <= found


def test_sentences_are_no_f_strings():
    """These could not be found, and no catalog has them."""
    for path, node, name in calls():
        if name in ("tr", "trn", "mark", "markn"):
            assert not any(isinstance(argument, ast.JoinedStr) for argument in node.args), f"{path.name}:{node.lineno}"

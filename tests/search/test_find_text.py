"""Finding text within a document against finding it in the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.analyses.search import in_document
from explorer.analyses.search.in_document import find_text
from explorer.errors import QueryError

TEXT = "ab aab b " * 40 + "Abc é日本 " + "aa b" * 60


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    folder = tmp_path_factory.mktemp("find")
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    build_index(folder / "a.txt", folder / "out", tokenizer="bytes")
    return open_index(folder / "out").document(0)


@given(st.sampled_from(["ab", "b ", "abc", "é日", "aa ba", "zz"]), st.integers(0, len(TEXT) + 10), st.booleans())
def test_as_in_the_whole_text(document, text, start, backwards):
    data, wanted = TEXT.lower().encode(), text.encode()
    places = [i for i in range(len(data)) if data[i : i + len(wanted)] == wanted]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_document, "_FIND_TOKENS", 100)
        patch.setattr(in_document, "_FIND_OVERLAP", 10)
        found = find_text(document, text, start, backwards)
    if not places:
        assert found is None
        return
    if backwards:
        expected = max((p for p in places if p < start), default=places[-1])
    else:
        expected = min((p for p in places if p > start), default=places[0])
    assert found == (expected, len(wanted))


def test_too_long_a_text(document):
    with pytest.raises(QueryError, match="200 characters"):
        find_text(document, "x" * 201, 0)


@pytest.mark.parametrize("text", ["Straße", "STRAßE", "straẞe", "lang, die STRASSE", "İstanbul"])
def test_case_is_ignored_beside_characters_that_grow_when_it_is_folded(tmp_path, text):
    whole = "die Straße ist lang, die STRASSE auch. İstanbul"
    (tmp_path / "a.txt").write_text(whole, encoding="utf-8")
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    at = whole.lower().find(text.lower()) if "İ" not in text else whole.find(text)
    expected = len(whole[:at].encode()), len(whole[at : at + len(text)].encode())
    assert find_text(open_index(tmp_path / "out").document(0), text, -1) == expected


def test_a_place_has_every_token_that_the_text_is_in(small):
    document = small.document(0)
    whole = document.text
    for first in range(len(whole) - 12):
        for size in (1, 2, 5, 12):
            text = whole[first : first + size].casefold()
            offset, length = find_text(document, text, -1)
            assert text in document.part(offset, offset + length).text.casefold()
            assert text not in document.part(offset + 1, offset + length).text.casefold()
            assert text not in document.part(offset, offset + length - 1).text.casefold()


@pytest.mark.parametrize(
    ("text", "found"), [("strasse", (4, 7)), ("STRASSE", (4, 7)), ("straß", (4, 6)), ("fin", (12, 4)), ("tras", None)]
)
def test_case_is_folded_in_full(tmp_path, text, found):
    (tmp_path / "a.txt").write_text("die Straße \ufb01nal", encoding="utf-8")
    build_index(tmp_path / "a.txt", tmp_path / "out", tokenizer="bytes")
    assert find_text(open_index(tmp_path / "out").document(0), text, 0) == found

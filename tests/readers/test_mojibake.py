"""Lines that were decoded in a wrong character set before they were stored."""

from __future__ import annotations

import pytest

from explorer import build_index, estimate_build, open_index
from explorer.building.sources.readers import REPAIRED
from explorer.documents.mojibake import repaired

TEXTS = ("café", "„Größe“ – 12 €", "Москва", "日本語 🙂", "Łódź à Ý")
UNDEFINED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)


def wrong(text, times=1):
    """As programs do that decode UTF-8 as Windows-1252, with control characters for undefined bytes."""
    for _ in range(times):
        text = "".join(chr(each) if each in UNDEFINED else bytes([each]).decode("cp1252") for each in text.encode())
    return text


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("text", TEXTS)
def test_a_line_is_repaired_however_often_it_was_decoded_wrongly(text, times):
    assert repaired(f"a\n{wrong(text, times)}\nb") == (f"a\n{text}\nb", 1)


@pytest.mark.parametrize("text", [*TEXTS, "plain", "«CAFÉ»", "Â", "naïve Ã© café"])
def test_a_line_that_is_not_wrong_as_a_whole_stays(text):
    assert repaired(text) == (text, 0)


def test_texts_and_records_are_repaired_only_on_request_and_counted(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(wrong("Größe\nund Länge"), encoding="utf-8")
    rows = '{"text": "' + wrong("café") + '"}\n{"text": "thé"}\n'
    (tmp_path / "in" / "b.jsonl").write_text(rows, encoding="utf-8")
    made = build_index(tmp_path / "in", tmp_path / "fixed", tokenizer="bytes", fix_encoding=True)
    assert [each.text for each in open_index(tmp_path / "fixed").documents] == ["Größe\nund Länge", "café", "thé"]
    assert made.skipped == {REPAIRED: 2}
    assert made.noticed[REPAIRED] == ["a.txt (repaired lines: 2)", "b.jsonl:1 (repaired lines: 1)"]
    assert estimate_build(tmp_path / "in", tokenizer="bytes", fix_encoding=True).changed == {REPAIRED: 2}
    build_index(tmp_path / "in", tmp_path / "as-is", tokenizer="bytes")
    assert list(open_index(tmp_path / "as-is").documents)[1].text == wrong("café")

"""Words of different elements never touch, and what is not text is left out."""

from __future__ import annotations

import pytest

from explorer.documents.markup.html_pages import html_text, page_document
from explorer.documents.markup.xml_documents import xml_text

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>T</title></teiHeader><text>{}</text></TEI>'


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<r><a>one</a><b>two</b></r>", "one two"),
        ("<r><w>The</w><w>cat</w></r>", "The cat"),
        (TEI.format("<lg><l>line one</l><l>line two</l></lg>"), "line one line two"),
        (TEI.format("<p>w<hi>or</hi>d</p><p>un<lb break='no'/>do a<lb/>b</p>"), "word undo a b"),
        ("<article><body><p>H<sub>2</sub>O</p><sec>x</sec></body></article>", "H2O x"),
        ("<rss><channel><title>A</title><item>B</item></channel></rss>", "A B"),
        ("<r>a<!-- c -->b<?pi > ?>c &lt; <![CDATA[<d>]]></r>", "abc < <d>"),
        ('<!DOCTYPE r [<!ENTITY x "why"><!-- ] > --> ]><r>&x; &nbsp;&eacute;</r>', "why é"),
        ("<r><a>not closed<b>at all", "not closed at all"),
    ],
)
def test_elements_of_xml_separate_words(source, words):
    assert " ".join(xml_text(source).split()) == words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<b>a</b>b<i>c</i>", "abc"),
        (
            "one<br>two<td>three<td>four<option>five<option>six<li>seven<dt>eight",
            "one two three four five six seven eight",
        ),
        ('<!DOCTYPE html [<!ENTITY x "y">]><p>text', "text"),
        ("<head><title>T</title><style>s</style></head><body>text", "text"),
        ("<html><title>T</title><p>text<script>no</script><!-- no -->", "text"),
        ("<head><meta charset=x><p>text", "text"),
    ],
)
def test_blocks_of_html_separate_words_and_the_head_is_not_text(source, words):
    assert " ".join(html_text(source).split()) == words


@pytest.mark.parametrize(
    ("page", "metadata"),
    [
        (
            "<html lang=de><head><title>Mäuse\n &amp; Katzen</title><meta property='article:published_time' "
            "content='2024-01-02'><meta name=date content=1999></head><p>a</p></html>",
            {"title": "Mäuse & Katzen", "date": "2024-01-02", "language": "de"},
        ),
        (
            "<html xml:lang='fr'><head/><meta itemprop=datePublished content='2024'/>a",
            {"date": "2024", "language": "fr"},
        ),
        ("<body><svg><title>a picture</title></svg>text", {}),
        ("<html lang=''><head><title> </title><meta name=date>", {}),
        ("<p>no head", {}),
        ("<title>T</title><p>no head", {"title": "T"}),
    ],
)
def test_title_date_and_language_are_those_that_a_page_states(page, metadata):
    assert page_document(page).metadata == metadata
    assert page_document(page).text == html_text(page)

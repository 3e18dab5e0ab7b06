"""Front matter of Markdown: fields and texts written by hand, and what is not a front matter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import build_index, open_index
from explorer.documents.plain.front_matter import divide

JEKYLL = """---
layout: post
title:  "Cats: a study"
date:   2020-01-02 12:30:00 +0100
categories: [pets, cats]
---

# Cats

The cat sat.
"""
HUGO = """---
title: Grüße
draft: false
weight: 007
version: 1.10
rating: 4.5
views: 1234
tags:
  - a
  - "2"
author:
  name: Ann
...
Text with --- dashes
---
and a rule.
"""
OBSIDIAN = "---\r\naliases:\r\n  - Katze\r\ncountry: no\r\nempty:\r\n---\r\nThe cat.\r\n"
QUARTO = "---\ntitle: |\n  Two\n  lines\nformat: {html: {toc: true}}\n---   \nBody"
WITHOUT_BODY = "---\nid: 1\n---"
FRONT = {
    "jekyll": (
        JEKYLL,
        {"layout": "post", "title": "Cats: a study", "date": "2020-01-02 12:30:00 +0100",
            "categories": ["pets", "cats"],
        },
        "# Cats\n\nThe cat sat.\n",
    ),
    "hugo": (
        HUGO,
        {
            "title": "Grüße", "draft": False, "weight": "007", "version": "1.10", "rating": 4.5, "views": 1234,
            "tags": ["a", "2"], "author": {"name": "Ann"},
        },
        "Text with --- dashes\n---\nand a rule.\n",
    ),
    "obsidian": (OBSIDIAN, {"aliases": ["Katze"], "country": "no", "empty": None}, "The cat.\r\n"),
    "quarto": (QUARTO, {"title": "Two\nlines\n", "format": {"html": {"toc": True}}}, "Body"),
    "without a body": (WITHOUT_BODY, {"id": 1}, ""),
}  # fmt: skip
TEXTS = [
    "---\n\nNote: a text between two rules\n\n---\n\nmore",
    "---\na text between two rules\n---\n",
    "---\n- a list\n---\n",
    "----\ntitle: x\n----\n",
    " ---\ntitle: x\n---\n",
    "---\ntitle: x\n",
    "---",
    "text\n---\ntitle: x\n---\n",
    "",
]
REFUSED = {
    "an alias": ("---\na: &a [x, x]\nb: [*a, *a]\n---\ntext", "by an alias"),
    "an object": ("---\na: !!python/object/apply:os.getcwd []\n---\ntext", "could not determine a constructor"),
    "depth": (f"---\na: {'[' * 5_000}\n---\ntext", "recursion"),
    "no YAML": ("---\na: [\n---\ntext", "while parsing"),
    "control characters": ("---\na: \x01\n---\ntext", "special characters"),
}


@pytest.mark.parametrize("name", FRONT)
def test_the_fields_are_metadata_and_the_rest_is_the_text(name):
    text, fields, body = FRONT[name]
    assert divide(text) == (fields, body, "")


@pytest.mark.parametrize("text", TEXTS)
def test_a_rule_and_other_dashes_are_text(text):
    assert divide(text) == ({}, text, "")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_safely_is_text_with_the_reason(name):
    text, reason = REFUSED[name]
    fields, rest, problem = divide(text)
    assert (fields, rest) == ({}, text) and reason in problem


@given(st.text())
def test_any_text_is_fields_and_a_rest(text):
    fields, rest, _ = divide("---\n" + text)
    assert rest == "---\n" + text or (fields and text.endswith(rest))


def test_mutated_blocks_are_fields_or_text(scale):
    parts = [
        "&a",
        "*a",
        "!!binary ",
        "? ",
        "- ",
        "{",
        "[",
        "}",
        ": ",
        "|",
        ">",
        "\t",
        "'",
        '"',
        "%YAML 9.9\n",
        "\n...\n",
        "<<: ",
    ]
    for seed in range(scale(300, 2_000)):
        generator = random.Random(seed)
        text = generator.choice([text for text, _, _ in FRONT.values()])
        for _ in range(generator.choice([1, 2, 5, 20])):
            at = generator.randrange(4, len(text))
            text = text[:at] + generator.choice(parts) + text[at + generator.randrange(3) :]
        fields, rest, _ = divide(text)
        assert text.endswith(rest) and all(isinstance(name, str) for name in fields)


def test_markdown_is_built_with_its_fields_and_other_texts_are_not(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text(JEKYLL)
    (tmp_path / "in" / "b.txt").write_text(HUGO)
    (tmp_path / "in" / "c.md").write_text(REFUSED["an alias"][0])
    made = build_index(tmp_path / "in", tmp_path / "out", tokenizer="bytes")
    first, second, third = open_index(tmp_path / "out").documents
    assert first.text == FRONT["jekyll"][2] and first.metadata["metadata"] == FRONT["jekyll"][1]
    assert second.text == HUGO and second.metadata["metadata"] == {}
    assert third.text == REFUSED["an alias"][0]
    kind = "files with a front matter that cannot be read (kept as text)"
    assert made.noticed == {kind: ["c.md (it refers to another part of itself by an alias)"]}
    (tmp_path / "about.csv").write_text("path,title,year\na.md,Other,1999\n")
    build_index(tmp_path / "in" / "a.md", tmp_path / "side", tokenizer="bytes", metadata=tmp_path / "about.csv")
    fields = open_index(tmp_path / "side").document(0).metadata["metadata"]
    assert fields["title"] == "Other" and fields["year"] == 1999 and fields["layout"] == "post"

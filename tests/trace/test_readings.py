"""Copies with and without their marks of Markdown: both are found, and places stay those of the text."""

from __future__ import annotations

import json
import random

import pytest

from explorer import TraceSettings, build_index, open_index
from explorer.analyses.trace.as_read import as_read
from explorer.analyses.trace.batch import trace_one
from explorer.analyses.trace.readings import reading_in
from explorer.core.jobs import CancelToken
from explorer.export.jsonable import to_json
from explorer.text.reading import read_text

MARKED = """# How to keep **bees**

1. Choose a *quiet* place that is dry and faces the south-east.
2. Paint the hive with [linseed oil](https://example.org/oil), never with varnish.

```python
for bee in hive.bees(alive=True):
    print(bee.name, sum(bee.flights))
```

| month | honey in kilograms |
|-------|--------------------|
| May   | **eleven** and a half |

The area of a comb is $$\\pi r^2
\\cdot \\frac{3}{4}$$ if its cells are counted &amp; measured."""
OTHER = """## Why **cats** sleep so long

- A cat that *hunts* at dawn has to rest through the warm hours of the day.
- Its `heart rate` falls by a third while it is asleep in the sun."""
ALONE = TraceSettings(density=1.0)
IN_WORDS = pytest.mark.local("words are cut in folders on this machine")


def _index(folder, tokenizer, *texts):
    filler = ["Some other text that is here so that a tokenizer can be trained on it."] * 20
    build_index([{"text": text} for text in [*texts, *filler]], folder / "index", tokenizer=tokenizer)
    return open_index(folder / "index")


@pytest.fixture(scope="module", params=["bytes", "train:300"])
def corpus(request, tmp_path_factory):
    """The first text as it was written, the second without its marks."""
    return _index(tmp_path_factory.mktemp("readings"), request.param, MARKED, read_text(OTHER).text)


@pytest.mark.parametrize("match", ["tokens", pytest.param("words", marks=IN_WORDS)])
@pytest.mark.parametrize("text", [MARKED, OTHER], ids=["with-marks", "without-marks"])
def test_a_copy_is_found_with_its_marks_and_without_them(corpus, text, match):
    found = corpus.trace(text, settings=TraceSettings(match=match))
    assert found.longest_passage.length == found.token_count == found.novelty.longest_match
    assert found.coverage == 1
    assert found.self_match is not None
    part = text[found.longest_passage.start : found.longest_passage.end]
    assert part.strip("#-* .") == text.strip("#-* ."), "places are those of the text that was given"


def test_one_text_can_have_copies_of_both_kinds(corpus):
    text = f"{MARKED}\n\nSomething **new** between them that nobody has written before, 1789.\n\n{OTHER}"
    found = corpus.trace(text, settings=ALONE)
    assert found.reading.mode == "mixed"
    held = [text[p.start : p.end] for document in found.documents[:2] for p in document.passages if p.length > 30]
    # Each of the two copies is one passage of its document.
    assert any("# How to keep **bees**" in part and "&amp; measured." in part for part in held)
    assert any("**cats** sleep" in part and "asleep in the sun." in part for part in held)
    by_reading = {read: [s for s in found.spans if s.read == read] for read in ("plain", "markdown")}
    assert all(span.end <= len(MARKED) + 1 for span in by_reading["plain"])
    assert by_reading["plain"]
    assert any(text[span.start : span.end] in OTHER for span in by_reading["markdown"])


def test_every_place_of_a_mixed_text_is_that_of_its_source(corpus):
    text = f"{OTHER}\n\n{MARKED}\r\n\r\n{OTHER}"
    found = corpus.trace(text, settings=ALONE)
    read = as_read(found)
    assert found.reading.mode == "mixed"
    for ours, theirs in ((found.spans, read.spans), (found.merged, read.merged)):
        for one, other in zip(ours, theirs, strict=True):
            assert text[one.start] == read.text[other.start]
            assert text[one.end - 1] == read.text[other.end - 1]
    pieces = found.reading.pieces
    assert pieces[0, 0] == 0
    assert pieces[-1, 1] == len(read.text)
    assert (pieces[1:, 0] == pieces[:-1, 1]).all()
    assert (pieces[1:, 2] >= pieces[:-1, 3]).all()
    for start, end in found.reading.written:
        assert read.text[start:end] in text
    assert all(run.end <= len(read.text) for run in found.reading.runs)


def test_no_reading_finds_more(tmp_path, scale):
    """Of texts of lines in any order, no match is longer as it is written, or as it is read."""
    lines = (MARKED + "\n" + OTHER).splitlines(keepends=True)
    draw = random.Random(7)
    texts = ["".join(draw.choices(lines, k=4)) for _ in range(10)]
    corpus = _index(tmp_path, "bytes", *texts[:5], *(read_text(text).text for text in texts[5:]))
    for _ in range(scale(60, 2_000)):
        text = "".join(draw.choices([*texts, *lines], k=draw.randint(1, 5)))
        figures = {}
        for read in ("plain", "markdown", "auto"):
            matched = reading_in(corpus.index, text, read, CancelToken()).text.encode()
            longest = corpus.longest_matches(list(matched))
            parts = [matched[at : at + n].decode(errors="ignore") for at, n in enumerate(longest.tolist())]
            figures[read] = max((sum(map(str.isalnum, part)) for part in parts), default=0)
        assert figures["auto"] >= max(figures.values()), text


def test_nothing_is_read_twice_without_marks(corpus, monkeypatch):
    calls = []
    monkeypatch.setattr(
        type(corpus.index.counts), "longest_matches", _counted(type(corpus.index.counts).longest_matches, calls)
    )
    corpus.trace("Choose a quiet place that is dry.")
    assert len(calls) == 1


def _counted(method, calls):
    def counted(*args):
        calls.append(1)
        return method(*args)

    return counted


def test_documents_of_both_kinds_are_excluded(corpus):
    for text in (MARKED, OTHER):
        found = trace_one(corpus.index, text, without_self=True)
        assert found.self_match is None
        assert found.coverage < 0.5


def test_json_names_the_reading_of_each_span(corpus):
    text = f"{MARKED}\n\n{OTHER}"
    found = json.loads(to_json(corpus.trace(text, settings=ALONE)))
    assert {span["read"] for span in found["spans"]} >= {"plain", "markdown"}
    assert found["reading"]["mode"] == "mixed"
    for start, end in found["reading"]["written"]:
        assert found["reading"]["text"][start:end] in text


def test_a_text_of_marks_alone_is_looked_up_as_it_is(corpus):
    assert corpus.trace("***\n").reading is None
    with pytest.raises(Exception, match="no text to trace"):
        corpus.trace("***\n", settings=TraceSettings(read="markdown"))


@pytest.mark.local("a text of a million bytes is too large for lists")
def test_many_lines_that_repeat_each_other_cost_no_square(corpus):
    """A step per line and match would be 10,000 million here."""
    text = "- **the same** words of this line, and of all others\n" * 20_000
    reading = reading_in(corpus.index, text, "auto", CancelToken())
    assert reading.source == text

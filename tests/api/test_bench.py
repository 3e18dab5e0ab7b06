"""The benchmark of one's own index: what is measured, on indexes with and without a tokenizer, and cancellation."""

from __future__ import annotations

import pytest

from explorer import build_index, open_index
from explorer.core.jobs import CancelToken
from explorer.corpus.bench import measure_index
from explorer.errors import Cancelled

WORDS = ["the", "ship", "sails", "over", "sea", "and", "cat", "sat", "on", "mat", "while", "it", "rained", "all"]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    lines = [" ".join(WORDS[start % 11 :] + WORDS[: start % 7]) for start in range(300)]
    (folder / "texts").mkdir()
    for number in range(3):
        (folder / "texts" / f"{number}.txt").write_text("\n".join(lines[number::3]))
    build_index(folder / "texts", folder / "index", tokenizer="bytes")
    return folder / "index"


@pytest.mark.local("texts are tokenized and sorted only where the index is in folders")
def test_figures_of_an_index(index):
    opened = []

    def reopen():
        opened.append(open_index(index))
        return opened[-1]

    rows = {row.name: row for row in measure_index(reopen)}
    assert len(opened) == 2 and all(corpus.closed for corpus in opened)
    assert {"open", "count of 1 token", "count of 10 tokens", "trace of 450 tokens", "tokenizing", "sorting"} <= set(
        rows
    )
    assert all(row.value > 0 for row in rows.values())
    assert all(row.most >= row.value for row in rows.values() if row.most is not None)
    assert rows["count of 5 tokens"].queries == 200 and rows["sorting"].unit == "tokens/s"
    # All documents, but for separators.
    assert rows["sorting"].queries == open_index(index).token_count - 3


@pytest.mark.local("as above")
def test_an_empty_index_has_nothing_to_count(tmp_path):
    (tmp_path / "texts.txt").write_text("ab")
    build_index(tmp_path / "texts.txt", tmp_path / "index", tokenizer="bytes")
    rows = [row.name for row in measure_index(lambda: open_index(tmp_path / "index"))]
    # Every document is shorter than the queries: nothing is measured that was not asked.
    assert "open" in rows and "sorting" in rows and not [name for name in rows if name.startswith(("count", "next"))]


def test_it_can_be_cancelled(index):
    cancel = CancelToken()
    seen = []

    def report(progress):
        seen.append(progress.done)
        cancel.cancel()

    with pytest.raises(Cancelled):
        measure_index(lambda: open_index(index), report=report, cancel=cancel)
    assert seen == [0]

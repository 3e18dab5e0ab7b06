"""A benchmark of four items, an index with two of them, another one with the benchmark itself, and their presenter."""

from __future__ import annotations

import json
from pathlib import Path

from by_hand import HandServices

from explorer import Corpus, build_index, open_index
from explorer.gui.presenting.cells import Cell
from explorer.gui.presenting.requests import DocumentRequest, ExportCuts, Saved
from explorer.gui.screens.curation.contamination.board import board_of
from explorer.gui.screens.curation.contamination.presenter import ContaminationPresenter
from explorer.gui.screens.curation.contamination.state import BenchState
from explorer.gui.screens.curation.contamination.work import ItemView

PLANE = "A plane travels 1200 miles in 3 hours. At the same rate, how many hours does it need for 2000 miles?"
FARM = "An old farm has 12 hens, 3 goats and a dog. How many legs do all of its animals have in sum today?"
ITEMS = [
    {"id": "plane", "question": PLANE, "answer": "5 hours"},
    {"id": "farm", "question": FARM, "answer": "64"},
    {"id": "short", "question": "Who won?", "answer": "they"},
    {
        "id": "new",
        "question": "If nobody wrote about purple zebras in Lapland, who would miss them on Monday morning?",
    },
]
TEXTS = [
    "Nothing is here.",
    f"A collection.\n{PLANE.replace(' miles in', chr(10) + 'MILES in')} It needs 5 hours. The end.",
    "They said: An old farm has 12 hens, 3 goats and a dog. Nobody knew more.",
]


def write_bench(place: Path) -> None:
    """Write the items, the texts, and an index of the texts to a folder."""
    (place / "texts.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in TEXTS))
    (place / "items.jsonl").write_text("\n".join(map(json.dumps, ITEMS)))
    (place / "other.csv").write_bytes(b'\xef\xbb\xbfquestion,answer\r\n"Who wrote\r\n""this""?",me\r\n')
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Answers")


def with_own_bench(place: Path) -> Corpus:
    """An index of the benchmark itself, and of the texts; its words are made, or a page would wait for a click."""
    folder = place / "with_own"
    folder.mkdir()
    for name, texts in (("a_bench", [item["question"] for item in ITEMS]), ("b_texts", TEXTS)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts))
    build_index(folder, place / "with own", tokenizer="bytes", name="With its own")
    corpus = open_index(place / "with own")
    corpus.words()
    return corpus


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus: Corpus, *files: Path) -> None:
        self.services = HandServices()
        self.shown: list[DocumentRequest] = []
        self.saved: list[Saved] = []
        self.handed: list[ExportCuts] = []
        self.presenter = ContaminationPresenter(self.services, self.shown.append, self.saved.append, self.handed.append)
        self.presenter.use_corpus(corpus)
        self.presenter.appear(True)
        self.presenter.add_files(files)
        self.services.answer_all()
        if self.state.missing:
            self.presenter.run(make=True)
            self.services.answer_all()

    @property
    def state(self) -> BenchState:
        return self.presenter.state

    @property
    def view(self) -> ItemView | None:
        return self.presenter.item.state.view.current

    def choose(self, id: str) -> ItemView | None:
        assert self.state.shown is not None
        rows = self.state.shown.rows
        self.presenter.choose([rows[at].id for at in self.state.order].index(id))
        self.services.answer_all()
        return self.view


def rows_of(bench: Bench) -> list[tuple[Cell, ...]]:
    """The table of benchmarks, a tuple of cells per benchmark."""
    return list(zip(*(column.cells for column in board_of(bench.state)), strict=True))

"""The tab of personal data: its findings are the library's, masked until they are shown, and open their documents."""

from __future__ import annotations

import csv
import json

import pytest
from by_hand import HandServices
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from explorer import build_index, open_index
from explorer.analyses.personal_data.question import KINDS, PersonalDataQuestion
from explorer.gui.screens.curation.personal.page import PersonalPage
from explorer.gui.screens.curation.personal.presenter import PersonalPresenter
from explorer.recipes import Source, personal_recipe

TEXTS = [
    "Write to ann@example.org or call (212) 555-0142.",
    "The server is at 192.0.2.7; ask bob@example.net.",
    "A card: 4111 1111 1111 1111. A number: 4111 1111 1111 1112.",
    "The key is AKIAIOSFODNN7EXAMPLE, and nothing else.",
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("personal")
    (place / "texts.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in TEXTS))
    build_index(place / "texts.jsonl", place / "index", tokenizer="bytes", name="Letters")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_EXPLORER_CACHE", str(place / "cache"))
        yield open_index(place / "index")


class Bench:
    """A presenter whose answers come when a test says so."""

    def __init__(self, corpus) -> None:
        self.services, self.shown, self.saved = HandServices(), [], []
        self.presenter = PersonalPresenter(self.services, self.shown.append, self.saved.append)
        self.presenter.use_corpus(corpus)
        assert not self.state.answer.awaited
        self.presenter.appear(True)
        self.services.answer_all()

    @property
    def state(self):
        return self.presenter.state

    def ask(self, **values):
        self.presenter.set(**values)
        self.presenter.run()
        self.services.answer_all()
        return self.state.answer.current


@pytest.fixture
def bench(corpus):
    return Bench(corpus)


def test_findings_are_those_of_the_library(bench, corpus):
    truth = corpus.personal_data()
    assert list(bench.state.found.rows) == list(truth) and truth.total == 6
    assert bench.state.headline[0] == "6 findings in 4 documents"
    for kind in truth.kinds:
        assert f"{KINDS[kind.kind]}: {kind.count}" in bench.state.told


def test_texts_are_masked_until_they_are_shown(bench):
    masked = [cells[2].text for cells in bench.state.table]
    assert all("•" in text for text in masked) and not any("ann@" in text for text in masked)
    bench.ask(masked=False)
    assert "ann@example.org" in [cells[2].text for cells in bench.state.table]


def test_a_finding_can_be_judged_by_what_is_around_it(bench, corpus):
    around = [(cells[1].before, cells[3].text) for cells in bench.state.table]
    # The words are there, and other personal data beside it is masked, too.
    assert around[0] == ("Write to ", " or call (•••) •••-••••.")
    assert around[2][1] == "; ask •••@•••••••.•••." and around[4][1] == ". A number: 4111 1111 1111 1112."
    only = bench.ask(kinds=["phone"])
    assert only.rows[0].before == "Write to •••@•••••••.••• or call "
    assert corpus.personal_data(masked=False)[0].after == " or call (212) 555-0142."


def test_one_row_is_revealed_and_masked_again(bench):
    assert not any("ann@" in cell.text for cells in bench.state.table for cell in cells)
    bench.presenter.reveal(0)
    assert bench.state.table[0][2].text == "ann@example.org" and "212" in bench.state.table[0][3].text
    assert all("•" in cells[2].text for cells in bench.state.table[1:])
    bench.presenter.reveal(0)
    assert "•" in bench.state.table[0][2].text
    bench.presenter.reveal(1)
    bench.ask(kinds=["email", "phone", "ip", "key"])
    assert not bench.state.revealed, "rows of another answer are masked"


def test_only_chosen_kinds_are_looked_for(bench, corpus):
    found = bench.ask(kinds=["email"])
    assert [row.kind for row in found.rows] == ["email", "email"]
    assert found.found.ranges.tokens == corpus.personal_data(["email"]).ranges.tokens


def test_rows_open_their_documents(bench):
    bench.presenter.open_row(0)
    [request] = bench.shown
    row = bench.state.found.rows[0]
    assert (request.number, request.offset, request.length) == (row.document, row.token, row.tokens)
    bench.presenter.open_row(99)
    assert len(bench.shown) == 1


def test_all_is_handed_to_the_export(bench, corpus):
    bench.ask(kinds=["email", "phone", "ip", "key"])
    cuts = bench.state.cuts
    assert cuts.ranges.tokens == corpus.personal_data(["email", "phone", "ip", "key"]).ranges.tokens
    assert cuts.asked == (("kinds", "email, phone, ip, key"),) and "E-mail" in cuts.title


def test_a_file_is_masked_as_the_table_is(bench, tmp_path):
    bench.presenter.save(tmp_path / "found.csv")
    bench.services.answer_all()
    with open(tmp_path / "found.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == [row.text for row in bench.state.found.rows]
    assert "ann" not in (tmp_path / "found.csv").read_text()


def test_nothing_found_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    build_index([{"text": "no such thing"}], tmp_path / "index", tokenizer="bytes")
    bench = Bench(open_index(tmp_path / "index"))
    assert bench.state.headline[0] == "Nothing of this shape was found" and bench.state.table == ()


def test_what_is_looked_for_is_kept(bench):
    bench.ask(kinds=["email", "phone", "ip", "key"])
    other = PersonalPresenter(HandServices())
    other.restore(json.loads(json.dumps(bench.presenter.session())))
    assert other.state.rule == bench.state.rule != PersonalDataQuestion(top=bench.state.rule.top)
    other.restore({"kinds": ["name"], "masked": 0})
    assert other.state.rule == bench.state.rule
    # A session of version 0.2.
    other.restore({"email": True, "phone": False, "ip": False, "card": True, "key": False, "shown": True})
    assert (other.state.rule.kinds, other.state.rule.masked) == (("email", "card"), False)


def test_the_code_finds_the_same(bench, corpus, capsys):
    bench.ask(kinds=["email", "ip", "card", "key"])
    recipe = personal_recipe(Source(corpus.index.sources), bench.state.rule)
    exec(recipe.python, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "email 2 2" and len(lines) == 4 + 5
    assert "--kind=email,ip,card,key" in recipe.command and "--show" not in recipe.command


def test_the_page_is_driven_by_keys(qtbot, corpus, window):
    screen = window.screens["curation"]
    window.show_screen("curation")
    page = screen.turn_to("personal")
    assert isinstance(page, PersonalPage)
    page.presenter.use_corpus(corpus)
    qtbot.waitUntil(lambda: page.model.rowCount() == 6)
    asked = []
    page.requested.connect(asked.append)
    qtbot.mouseClick(
        page.table.viewport(), Qt.MouseButton.LeftButton, pos=page.table.visualRect(page.model.index(0, 0)).center()
    )
    qtbot.mouseClick(page.reveal, Qt.MouseButton.LeftButton)
    assert page.model.index(0, 2).data() == "ann@example.org" and page.reveal.text() == "Mask this one"
    qtbot.mouseClick(page.reveal, Qt.MouseButton.LeftButton)
    assert "•" in page.model.index(0, 2).data() and page.table.currentIndex().row() == 0
    page.table.setFocus()
    page.table.setCurrentIndex(page.model.index(2, 0))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert asked and asked[0].number == page.presenter.state.found.rows[2].document
    boxes = {each.text(): each for each in page.bar.findChildren(QCheckBox)}
    qtbot.mouseClick(boxes["Card numbers"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.rowCount() == 5)
    for name in ("E-mail addresses", "Telephone numbers", "IP addresses", "Keys and secrets"):
        qtbot.mouseClick(boxes[name], Qt.MouseButton.LeftButton)
    # Without any, all would be looked for.
    assert page.presenter.state.rule.kinds == ("key",) and boxes["Keys and secrets"].isChecked()
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    qtbot.mouseClick(page.cut, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: screen.current == "export")

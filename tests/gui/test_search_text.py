"""The window counts text: switches, numbers, cuts, lines and the document of a query as it is typed."""

from __future__ import annotations

import re
import threading

import pytest
from marked import marked_runs
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog
from searching import lines, listed, sort_by_levels

from explorer.analyses.search.concordance import ConcordanceLine
from explorer.analyses.search.find import QueryOptions
from explorer.analyses.search.nearby import Mark
from explorer.analyses.search.query import TokenView, Variant
from explorer.backends.local.shards import ShardBackend
from explorer.gui.screens.search.lines.contexts import Context, context_of, fit_match
from explorer.gui.screens.search.lines.model import LEFT, MATCH, RIGHT, _row_cells
from explorer.gui.screens.search.lines.texts import word_of
from explorer.gui.screens.search.query.cut_chips import CutChips
from explorer.gui.screens.search.query.cuts import CutChip, chips_of_variants
from explorer.gui.screens.search.work import Row, rest_of_word
from explorer.gui.settings.history import PastQuery, past_query
from explorer.gui.settings.matching import Matching, read_matching
from explorer.gui.style.text_positions import flowing, one_line


def scanned(corpus, pattern, flags=0):
    """Occurrences in the texts, overlapping ones too."""
    ahead = re.compile(f"(?={pattern})", flags)
    return sum(len(ahead.findall(document.text)) for document in corpus.documents())


@pytest.fixture
def search(opened, qtbot):
    opened.show_screen("search")
    qtbot.waitUntil(lambda: not opened.search.busy)
    return opened.search


def settled(search):
    return not search.busy


def ask(search, qtbot, text, matching=None):
    search.search_for(text, matching)
    qtbot.waitUntil(lambda: listed(search) == text)


def test_the_switches_change_what_is_counted(search, qtbot, small):
    choice = search.bar.choice
    assert choice.matches["text"].isChecked()
    assert (choice.whole_words.isChecked(), choice.ignore_case.isChecked()) == (True, False)
    ask(search, qtbot, "at")
    whole, parts = scanned(small, r"(?<!\w)at(?!\w)"), scanned(small, "at")
    assert whole < parts
    assert search.presenter.state.query.found.count == whole
    qtbot.mouseClick(choice.whole_words, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.count.text() == f"{parts:,}")
    ask(search, qtbot, "THE")
    assert search.count.text() == f"{scanned(small, 'THE'):,}"
    qtbot.mouseClick(choice.ignore_case, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: search.count.text() == f"{scanned(small, 'the', re.IGNORECASE):,}")
    choice.matches["regex"].trigger()
    ask(search, qtbot, "c.t|d[aou]g")
    assert search.count.text() == f"{scanned(small, 'c.t|d[aou]g', re.IGNORECASE):,}"


def test_what_whole_words_leave_out_is_said_and_dropped_when_stale(search, qtbot, small):
    ask(search, qtbot, "at")
    parts = f"{scanned(small, 'at'):,} including parts of words"
    assert parts in search.answer.details.text()
    ask(search, qtbot, "at", Matching(whole_words=False))
    assert "parts of words" not in search.answer.details.text()
    ask(search, qtbot, "at", Matching())
    assert parts in search.answer.details.text()
    search.presenter.lines.sort_by("left")
    qtbot.waitUntil(lambda: settled(search))
    assert parts in search.answer.details.text()
    # Another query: the number goes before the new one is known.
    search.search_for("cat")
    assert search.presenter.state.facts.more.within is None
    ask(search, qtbot, "the")
    assert parts not in search.answer.details.text()


def test_shortcuts_turn_the_switches_and_tips_explain_them(opened, search, qtbot):
    choice = search.bar.choice
    for name, switch in (("whole_words", choice.whole_words), ("ignore_case", choice.ignore_case)):
        before, action = switch.isChecked(), opened.book.actions[name]
        opened.show_screen("trace")
        action.trigger()
        assert switch.isChecked() != before and opened.current_screen() is search
        assert action.shortcut().toString(QKeySequence.SequenceFormat.PortableText) in switch.toolTip()
    assert "capacity" in choice.whole_words.toolTip()
    choice.matches["tokens"].trigger()
    assert "Not available for tokens" in choice.whole_words.toolTip() and not choice.whole_words.isEnabled()
    choice.matches["text"].trigger()
    assert choice.whole_words.isEnabled() and not choice.space.isVisible()


def test_a_session_has_the_state_of_the_switches(search, qtbot):
    wanted = Matching("regex", ignore_case=True, whole_words=False, variants=("space", "lower", "upper", "title"))
    ask(search, qtbot, "c.t", wanted)
    kept = search.session()
    ask(search, qtbot, "dog", Matching("tokens", variants=()))
    assert search.presenter.state.query.options().variants == () and search.presenter.state.query.match == "tokens"
    search.restore_session(kept)
    assert search.presenter.state.query.matched == wanted and search.query.text() == "c.t"
    assert search.presenter.state.query.options() == QueryOptions(
        (), 100, None, node=0, match="regex", ignore_case=True, equate=("spacing", "quotes", "forms")
    )


def test_a_space_is_a_line_break_unless_it_is_exactly_as_typed(search, qtbot):
    choice, query = search.bar.choice, search.presenter.query
    ask(search, qtbot, "rug. the", Matching(whole_words=False))
    equated = search.presenter.state.query.found.count
    choice.as_typed.click()
    qtbot.waitUntil(lambda: query.state.answered)
    assert query.state.matching.equate == () and query.state.found.count == 0 < equated
    # What a project equates in part is neither on nor off, and stays as it is until the switch is used.
    query.choose(equate=("spacing",))
    assert not choice.as_typed.isChecked() and query.state.matching.equate == ("spacing",)


def test_the_kind_of_match_is_named_in_the_field(search, qtbot):
    choice = search.bar.choice
    assert choice.kind.isHidden()
    for match, name in (("regex", "Regular expression"), ("tokens", "Tokens")):
        choice.matches[match].trigger()
        assert not choice.kind.isHidden() and choice.kind.text() == name and name in choice.kind.accessibleName()
    choice.set_compact(True)
    choice.matches["regex"].trigger()
    assert choice.kind.text() == ".*" and "Regular expression" in choice.kind.toolTip()
    choice.matches["text"].trigger()
    assert choice.kind.isHidden()


@pytest.mark.parametrize(
    "matching", [None, Matching(), Matching("tokens", variants=()), Matching("regex", True, False, ("lower",))]
)
def test_a_past_query_keeps_how_it_was_matched(matching):
    past = PastQuery("cat", 3, matching=matching, distance=7)
    assert past_query("cat", past.as_json()) == past


def test_queries_of_earlier_versions_were_of_tokens():
    assert read_matching({"variants": ["space", "nonsense"]}) == Matching("tokens", variants=("space",))
    assert read_matching({"match": "nonsense"}) is None and read_matching({}) is None


def test_cuts_add_up_to_the_count_most_frequent_first(search, qtbot, small):
    ask(search, qtbot, "at", Matching(whole_words=False))
    cuts = search.answer.cuts.cuts
    assert len(cuts) > 2 and sum(cut.count for cut in cuts) == scanned(small, "at")
    assert [cut.count for cut in cuts] == sorted((cut.count for cut in cuts), reverse=True)
    assert search.answer.cuts.isVisible()
    assert cuts[0].told in search.answer.cuts.accessibleDescription()
    ask(search, qtbot, "a AND the")
    assert not search.answer.cuts.isVisible()


def test_chips_are_those_that_there_is_room_for(qtbot):
    chips = CutChips()
    qtbot.addWidget(chips)
    chips.show_cuts([CutChip(f"␣del·ve{n}", 9 - n, "") for n in range(5)], more=2)
    chips.resize(chips.sizeHint())
    assert [text for _, text, _ in chips.placed()[1]][-1] == "4 more"
    assert chips.placed()[0] == "As tokens (· cut, ␣ space)"
    # Chips come before the names of their marks.
    chips.set_room(chips.width() - 1)
    chips.resize(chips.sizeHint())
    assert chips.placed()[0] == "As tokens" and len(chips.placed()[1]) == 4
    chips.set_room(1)
    chips.resize(chips.sizeHint())
    name, placed = chips.placed()
    assert name == "" and [text for _, text, _ in placed] == ["split 7 ways"]
    assert placed[0][0].left() >= 0 and placed[0][0].right() < chips.width()


def test_a_character_in_two_tokens_is_written_whole():
    views = tuple(TokenView(n, text, 1) for n, text in enumerate(("Str", "⟨61⟩⟨C3⟩", "⟨9F⟩", "e")))
    chip = chips_of_variants([Variant("Straße", views, type("M", (), {"count": 3})())])[0]
    assert chip.shown == "Str·aß·e 3" and "⟨C3⟩" in chip.told


def line(left, match, right):
    return ConcordanceLine(0, 0, 0, 1, left, match, right)


@pytest.mark.parametrize(
    ("left", "match", "right", "rest"),
    [
        ("a c", "a", "p of", ("c", "p")), ("the ", "cap", " of", ("", "")), ("我们的", "语言", "模型", ("", "")),
        ("(", "cap", "-tain", ("", "")), ("x_", "1", "é́b ", ("x_", "é́b")), ("b", " a", "b", ("", "b")),
        ("", "", "", ("", "")), ("z" * 99, "a", "", ("z" * 40, "")),
    ],
)  # fmt: skip
def test_the_rest_of_a_word(left, match, right, rest):
    assert rest_of_word(line(left, match, right)) == rest


def test_contexts_leave_the_rest_of_a_word_to_the_match():
    row = Row(line("in the c", "a", "p of it"), "", head="c", tail="p")
    left, right = context_of(row, False), context_of(row, True)
    assert (left.text, right.text) == ("in the", "of it")
    # Words are counted from the match: what is joined to it is the first.
    assert word_of(right, 1) is None and right.text[slice(*word_of(right, 2))] == "of"
    assert word_of(left, -1) is None and left.text[slice(*word_of(left, -2))] == "the"
    glued = context_of(Row(line("", "a", "p, of"), "", tail="p"), True)
    assert glued.text == ", of" and glued.text[slice(*word_of(glued, 2))] == ","
    assert Context("of", True, False).words == "of"


def test_a_long_word_is_cut_at_its_far_ends():
    assert fit_match(("ca", "pac", "ity"), 8, len) == ("ca", "pac", "ity")
    for width in range(3, 8):
        head, match, tail = fit_match(("ca", "pac", "ity"), width, len)
        assert match == "pac" and (len(head + match + tail) <= width or not (head.strip("…") or tail.strip("…")))


def test_the_match_shows_its_characters_and_the_word_around_them(opened, search, qtbot):
    ask(search, qtbot, "a", Matching(whole_words=False))
    model = search.model
    for number in range(min(20, model.rowCount())):
        row = model.row(number)
        shown = model.index(number, MATCH).data(Qt.ItemDataRole.AccessibleTextRole)
        assert row.line.match == "a" and shown == row.head + "a" + row.tail
        left = model.index(number, LEFT).data(Qt.ItemDataRole.AccessibleTextRole)
        right = model.index(number, RIGHT).data(Qt.ItemDataRole.AccessibleTextRole)
        assert left == one_line(flowing(row.line.left[: len(row.line.left) - len(row.head)])).rstrip()
        assert not (row.tail and right[:1].isalpha() and not row.line.right[len(row.tail) :].startswith(" "))
    assert model.matched(0) == (model.row(0).head, "a", model.row(0).tail)
    sort_by_levels(search, "1R")
    qtbot.waitUntil(lambda: settled(search))
    search.table.grab()


def test_hits_in_one_token_are_told_apart(opened, search, qtbot, small):
    ask(search, qtbot, "[the]", Matching("regex", whole_words=False))
    lines = [search.model.row(number).line for number in range(search.model.rowCount()) if search.model.row(number)]
    second = next(n for n, line in enumerate(lines) if line.begin and any(
        (other.document, other.offset) == (line.document, line.offset) and other.begin < line.begin for other in lines
    ))  # fmt: skip
    search.pages.lines.open_line(second)
    panel = opened.panel
    qtbot.waitUntil(lambda: panel.part is not None and not panel.busy)
    total = len(re.findall("[the]", small.document(lines[second].document).text))
    assert panel.part.hits_total == total
    assert strong(panel) == 1
    number = hit_number(panel)
    assert panel.position.text() == f"Hit {number} of {total}"
    qtbot.mouseClick(panel.previous, Qt.MouseButton.LeftButton)
    assert hit_number(panel) == number - 1 and strong(panel) == 1
    # The hit before begins in the same token.
    assert panel.part.offsets[number - 2][0] == lines[second].offset


def hit_number(panel):
    """The number of the hit that is shown, from 1."""
    return int(panel.position.text().split()[1].replace(",", ""))


def strong(panel):
    return sum(form.fontWeight() == 700 for _, form in marked_runs(panel.text))


def test_words_near_are_looked_for_as_the_query_is(search, qtbot, small):
    ask(search, qtbot, "cat")
    search.presenter.filters.add_near("ma", 5, True)
    qtbot.waitUntil(lambda: settled(search) and len(search.presenter.state.filters.filters) == 1)
    qtbot.waitUntil(lambda: settled(search) and search.count.text() == "0")
    # As part of a word it is near: conditions follow the switches.
    search.bar.choice.whole_words.click()
    qtbot.waitUntil(lambda: settled(search) and search.count.text() != "0")
    near = scanned(small, "cat")
    assert 0 < len(lines(search)) <= near
    search.presenter.filters.remove(search.presenter.state.filters.filters[0])
    qtbot.waitUntil(lambda: settled(search) and search.presenter.state.filters.filters == ())


def test_the_builder_keeps_expressions(search, qtbot):
    search.presenter.query.set_options(Matching("text"), None)
    builder = search.presenter.builder
    builder.read('/c.t/ AND "the dog"', "text")
    assert builder.state.query == '/c.t/ AND "the dog"'
    builder.read("c.t AND d.g", "regex")
    assert builder.state.query == "/c.t/ AND /d.g/"


def test_nothing_found_never_says_that_a_character_is_missing(search, qtbot):
    ask(search, qtbot, "ca")
    assert search.count.text() == "0"
    said = search.presenter.state.invitation[1]
    assert "Whole words" in said and "Ignore case" in said and "token" not in said
    ask(search, qtbot, "cat AND ca")
    assert "as whole words" in search.answer.problem.text()
    ask(search, qtbot, "QQ", Matching(ignore_case=True, whole_words=False))
    assert search.presenter.state.invitation[1] == "Not found as written."


def test_patterns_and_vocabularies_are_read_off_the_interface_thread(window, qtbot, byte_index, monkeypatch):
    from explorer.backends.local.patterns import text as find
    from explorer.backends.local.patterns import text_finder as finder
    from explorer.gui.presenting.requests import OpenRequest

    threads = []
    for module, name in ((finder, "read_vocabulary"), (find, "any_of")):
        made = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, made=made: threads.append(threading.current_thread()) or made(*a))
    window.show_screen("search")
    window.open(OpenRequest((str(byte_index),)))
    # Before anything is typed.
    qtbot.waitUntil(lambda: window.corpus is not None and not window.search.busy and bool(threads))
    ask(window.search, qtbot, "cat")
    window.search.bar.choice.ignore_case.click()
    qtbot.waitUntil(lambda: settled(window.search))
    assert threading.main_thread() not in threads and isinstance(window.corpus.index, ShardBackend)


def test_a_pattern_that_cannot_be_used_is_one_sentence(search, qtbot):
    search.search_for("(a", Matching("regex", whole_words=False))
    qtbot.waitUntil(lambda: search.notice.isVisible())
    assert "not a regular expression" in search.notice.text()
    search.search_for("a*")
    qtbot.waitUntil(lambda: "empty text" in search.notice.text())


def test_a_watch_list_is_counted_and_leads_to_lines(opened, search, qtbot, small, tmp_path, monkeypatch):
    path = tmp_path / "list.csv"
    path.write_text('label,pattern\npet,cat\n,"the AND dog"\nodd,\nnone,zebra\n', encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    opened.book.actions["watch"].trigger()
    view = search.pages.watch
    assert search.pages.currentWidget() is view and search.tools.isVisible()
    qtbot.waitUntil(lambda: search.presenter.state.watch_list.answer.current is not None)
    texts = [[view.model.index(row, column).data() for column in range(5)] for row in range(4)]
    assert texts[0][:3] == ["pet", "cat", str(scanned(small, r"(?<!\w)cat(?!\w)"))]
    assert texts[0][3] == str(sum(bool(re.search(r"\bcat\b", document.text)) for document in small.documents()))
    assert texts[1][2] == "0" and texts[2][2] == "–" and texts[3][2] == "0"
    assert view.summary.text() == "4 patterns, 1 found, 1 invalid"
    # Switches count again.
    search.bar.choice.whole_words.click()
    assert search.presenter.state.watch_list.answer.awaited
    qtbot.waitUntil(lambda: search.presenter.state.watch_list.answer.current is not None)
    # The export has all of it.
    out = tmp_path / "out.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    qtbot.mouseClick(view.export, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(out.exists)
    assert out.read_text(encoding="utf-8").splitlines()[0].startswith("line,label,pattern,count")
    # A pattern is one phrase, whatever words it has.
    view.table.activated.emit(view.model.index(1, 1))
    qtbot.waitUntil(
        lambda: (
            search.presenter.state.query.found is not None
            and search.presenter.state.query.found.parsed.clauses == (("the AND dog",),)
        )
    )
    assert search.tabs.currentIndex() == 0


def test_a_list_that_cannot_be_read_is_one_sentence(search, qtbot, tmp_path):
    (tmp_path / "list.txt").write_text("# nothing\n", encoding="utf-8")
    search.presenter.show_view(4)
    search.presenter.watch_list.open(tmp_path / "list.txt")
    qtbot.waitUntil(lambda: "has no pattern" in search.pages.watch.notice.text())
    assert not search.pages.watch.export.isEnabled() and search.pages.watch.model.rowCount() == 0


def test_a_line_break_is_a_space_in_a_line():
    found = line("wrapped\nat 70\n", "the\ncat", "\r\ncolumns\n\nor more")
    row = Row(found, "", before=(Mark(0, 0, 7),), after=(Mark(1, 2, 9),))
    left, right = context_of(row, False), context_of(row, True)
    assert (left.text, right.text) == ("wrapped at 70", "columns or more")
    # Marks stay on their words.
    assert [left.text[m.start : m.end] for m in left.marks] == ["wrapped"]
    assert [right.text[m.start : m.end] for m in right.marks] == ["columns"]
    assert context_of(Row(found, ""), True).text == "columns or more"
    assert _row_cells(Row(found, "")).match[1] == "the cat"
    # The match itself is never invisible.
    assert _row_cells(Row(line("a", "\n", "b"), "")).match[1].strip() == "⏎"

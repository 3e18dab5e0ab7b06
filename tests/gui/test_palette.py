"""What the palette finds, in which order, and what it says of what cannot be used."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from explorer.gui.palette.delegate import caps, from_the_end
from explorer.gui.palette.fuzzy import match
from explorer.gui.palette.palette import CommandPalette
from explorer.gui.palette.rows import Command, Section, matching, rows
from explorer.resources import resource_path


def command(name, hint="", **more):
    return Command(name, hint, lambda: None, **more)


def names(found):
    return [row.command.name if row.command else row.heading.value for row in found]


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("open", "[Open] index"),
        ("index", "Open [index]"),
        ("ind op", "[Op]en [ind]ex"),
        ("oi", "[O]pen [i]ndex"),
        ("opin", "[Op]en [in]dex"),
        ("nde", "Open i[nde]x"),
        ("", "Open index"),
    ],
)
def test_the_letters_that_were_typed_are_marked(typed, marked):
    text, found = "Open index", match(typed, "Open index")
    shown = "".join(f"[{letter}]" if place in found.places else letter for place, letter in enumerate(text))
    assert shown.replace("][", "") == marked


@pytest.mark.parametrize("typed", ["xo", "openq", "pen ind q", "dni"])
def test_what_does_not_fit_is_not_found(typed):
    assert match(typed, "Open index") is None


def test_better_matches_come_first():
    commands = [command(name) for name in ("Reindex all", "Open index", "Index", "In a new window dexterity")]
    assert [found.name for found, _ in matching(commands, "index")] == [
        "Index", "Open index", "Reindex all", "In a new window dexterity",
    ]  # fmt: skip
    # What only an explanation has comes after all names.
    commands = [command("Check", "Look at every index"), command("Open index")]
    assert [found.name for found, _ in matching(commands, "index")] == ["Open index", "Check"]


def test_a_letter_whose_lower_case_is_longer_marks_no_wrong_place():
    found = match("corpus", "İstanbul corpus")
    assert "".join("İstanbul corpus"[place] for place in found.places) == "corpus"


def test_sections_and_what_was_used_last():
    commands = [
        command("Search", id="search"),
        command("Trace", id="trace"),
        command("llama", section=Section.INDEXES),
        command("Theme", section=Section.SETTINGS),
    ]
    assert names(rows(commands, "")) == ["Commands", "Search", "Trace", "Indexes", "llama", "Settings", "Theme"]
    # The newest first; what is above is not listed again.
    assert names(rows(commands, "", ["trace", "search", "gone"])) == [
        "Recently used", "Trace", "Search", "Indexes", "llama", "Settings", "Theme",
    ]  # fmt: skip
    assert names(rows(commands, "@")) == ["Indexes", "llama"]
    assert names(rows(commands, "#the", ["search"])) == ["Settings", "Theme"]
    assert names(rows(commands, "@trace")) == []


def test_keys_are_caps():
    assert caps("Ctrl+Shift+P") == ["Ctrl", "Shift", "P"]
    assert caps("Ctrl++") == ["Ctrl", "+"]
    assert caps("F1") == ["F1"] and caps("") == [] and caps("⌘P") == ["⌘P"]


def test_keys_are_read_from_left_to_right_in_every_window():
    # A line ends at the right, or at the left: there, the first key is placed first.
    assert from_the_end("Ctrl+Shift+P", False) == ["P", "Shift", "Ctrl"]
    assert from_the_end("Ctrl+Shift+P", True) == ["Ctrl", "Shift", "P"]


def test_a_thousand_entries_are_filtered_by_every_letter(opened, qtbot):
    """All are compared, and only those in view are drawn."""
    many = [command(f"Command number {number}", "What it does") for number in range(1_000)]
    palette = CommandPalette(many, opened)
    palette.open_over(opened)
    assert len(palette.shown()) == 1_000
    qtbot.keyClicks(palette.field, "num 999")
    assert [entry.name for entry in palette.shown()][:1] == ["Command number 999"] and len(palette.shown()) == 1
    palette.close()


def test_what_cannot_be_used_says_why_and_does_nothing(window, qtbot):
    palette = window.open_palette()
    qtbot.keyClicks(palette.field, "tokenizer")
    chosen = palette.chosen()
    assert chosen.name == "Choose the tokenizer" and chosen.why_not == "Open an index first"
    index = palette.list.currentIndex()
    assert palette.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "Choose the tokenizer, Open an index first"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert not window.book.actions["tokenizer"].isEnabled()
    palette.close()


def test_an_open_index_allows_it(opened):
    assert opened.book.actions["tokenizer"].isEnabled() and opened.book.why_not("tokenizer") == ""


def test_every_entry_has_an_icon(opened):
    palette = opened.open_palette()
    entries = palette.shown()
    assert len(entries) > 40
    assert [entry.name for entry in entries if not resource_path(f"icons/{entry.picture}.svg").is_file()] == []
    palette.close()


def test_what_was_run_is_on_top_the_next_time(opened, qtbot):
    palette = opened.open_palette()
    qtbot.keyClicks(palette.field, "agree")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert opened.settings.get("recent_commands") == ["agreement"]
    again = opened.open_palette()
    assert again.model.rows[0].heading is Section.RECENT and again.chosen().name == "Agreement"
    again.close()


def test_indexes_have_a_key_of_their_own(opened, qtbot, small_index):
    opened.activateWindow()
    qtbot.waitUntil(opened.isActiveWindow)
    qtbot.keyClick(opened, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    palette = next(found for found in opened.findChildren(CommandPalette) if found.isVisible())
    assert palette.field.text() == "@" and [entry.section for entry in palette.shown()] == [Section.INDEXES]
    before = opened.corpus
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.corpus is not before)


def test_nothing_found_is_told(opened, qtbot):
    palette = opened.open_palette()
    qtbot.keyClicks(palette.field, "qqqq")
    assert palette.nothing.isVisible() and not palette.list.isVisible() and palette.chosen() is None
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    palette.field.clear()
    assert palette.list.isVisible()
    palette.close()


def check_words_of_the_field_find_commands(opened, typed, name):
    palette = opened.open_palette()
    palette.field.setText(typed)
    assert name in [command.name for command in palette.shown()]
    palette.close()


def test_words_of_the_field_find_commands(opened):
    for typed, name in [
        ("wildcard", "Text, expression or tokens"),
        ("metadata", "Filter lines"),
        ("year", "Filter lines"),
        ("concordance", "Search"),
    ]:
        check_words_of_the_field_find_commands(opened, typed, name)


def test_the_filter_opens_from_the_palette(opened, qtbot):
    opened.show_screen("search")
    opened.search.presenter.typed("cat")
    qtbot.waitUntil(lambda: opened.search.answer.filters.isVisible() and not opened.search.busy)
    palette = opened.open_palette()
    palette.field.setText("metadata filter")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened.search.answer.filters.form.isVisible())
    opened.search.answer.filters.form.close()

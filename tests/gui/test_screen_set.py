"""Screens are made one after another behind the window, or at once when they are asked for."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import pytest

from explorer.gui.help.guide import GuidePage
from explorer.gui.presenting.requests import OpenRequest
from explorer.gui.screens.registry import SCREENS, ScreenSpec, check_screens
from explorer.gui.screens.screen import Screen
from explorer.gui.screens.screen_set import Preload, ScreenSet

pytestmark = pytest.mark.usefixtures("all_screens")

IDS = ["one", "two", "three", "four"]


@dataclass(frozen=True)
class Row(ScreenSpec):
    """A row that records that its screen is created, or that fails."""

    made: list[str] = field(default_factory=list)
    fault: str = ""

    def load(self):
        assert threading.current_thread() is threading.main_thread()
        if self.fault:
            raise ImportError(self.fault)

        def make():
            self.made.append(self.id)
            return Screen()

        return make


def row(id, module="explorer.errors", **fields):
    return Row(id, id, module, "search", id, id, "", GuidePage(id, id, str), **fields)


def test_modules_first_then_each_screen_in_two_calls(qtbot):
    made, adopted = [], []
    screens = ScreenSet(
        [row(id, f"explorer.{id}", made=made) for id in IDS], lambda spec, screen: adopted.append((spec.id, screen))
    )
    assert screens.importing and screens.make_next() and made == []
    qtbot.waitUntil(lambda: not screens.importing or not screens.make_next())
    assert made == adopted == []
    assert screens.make_next() and made == IDS[:1] and adopted == []
    assert screens.make_next() and (made, [id for id, _ in adopted]) == (IDS[:1], IDS[:1])
    # What is asked for is there at once, whether it was begun or not.
    second, third = screens["two"], screens["three"]
    assert [id for id, _ in adopted] == made == IDS[:3]

    def all_made():
        return not screens.make_next()

    qtbot.waitUntil(all_made)
    assert made == [id for id, _ in adopted] == IDS and not screens.importing
    assert (screens["two"], screens["three"]) == (second, third)
    assert screens.spec_of(third).id == "three" and list(screens) == IDS


@pytest.mark.parametrize("module", ["explorer.errors", "explorer.gui.no_such_module", ""])
def test_a_screen_that_does_not_load_is_reported_once_and_the_others_are_made(module, qtbot, caplog):
    adopted = []
    screens = ScreenSet(
        [row("broken", module, fault="no such part"), row("good")], lambda spec, _: adopted.append(spec.id)
    )

    def reported():
        try:
            screens.make_next()
        except ImportError as error:
            return str(error) == "no such part"
        return False

    qtbot.waitUntil(reported)
    qtbot.waitUntil(lambda: not screens.make_next())
    assert adopted == ["good"]
    with pytest.raises(ImportError, match="no such part"):
        screens["broken"]


def test_a_screen_that_is_wanted_is_made_before_the_others_and_then_shown(qtbot, qapp):
    made, shown = [], []
    screens = ScreenSet([row(id, made=made) for id in IDS], lambda spec, screen: qtbot.addWidget(screen))
    preload = Preload(screens, qapp)
    try:
        preload.want("four", lambda: shown.append("four"))
        # The newest counts.
        preload.want("three", lambda: shown.append("three"))
        assert made == shown == []
        qtbot.waitUntil(lambda: bool(shown))
        assert made == ["three"] and shown == ["three"]
        # What exists need not be waited for, and what somebody does meanwhile ends the wish.
        preload.want("three", lambda: shown.append("again"))
        preload.want("two", lambda: shown.append("two"))
        preload.forget()
        qtbot.waitUntil(lambda: screens.complete)
        assert shown == ["three", "again"] and sorted(made) == sorted(IDS)
    finally:
        preload.stop()


def test_a_screen_that_is_wanted_is_shown_when_its_parts_are_made(qtbot, qapp):
    parts, shown = [3], []

    class Parted(Screen):
        def prepare_next(self):
            parts[0] -= 1
            return parts[0] >= 0

    @dataclass(frozen=True)
    class PartedRow(Row):
        def load(self):
            return Parted

    screens = ScreenSet(
        [row("one"), PartedRow(*vars(row("two")).values())], lambda spec, screen: qtbot.addWidget(screen)
    )
    preload = Preload(screens, qapp)
    try:
        screens["two"]
        preload.want("two", lambda: shown.append(parts[0]))
        assert shown == []
        qtbot.waitUntil(lambda: bool(shown))
        assert shown == [-1]
    finally:
        preload.stop()


def test_a_screen_that_is_wanted_and_cannot_be_made_is_told_of(qtbot, qapp):
    screens = ScreenSet(
        [row("good"), row("broken", fault="no such part")], lambda spec, screen: qtbot.addWidget(screen)
    )
    preload, asked = Preload(screens, qapp), []
    try:
        with qtbot.captureExceptions() as errors:
            preload.want("broken", lambda: asked.append("broken"))
            qtbot.waitUntil(lambda: bool(asked))
        assert [str(error[1]) for error in errors] == ["no such part"]
    finally:
        preload.stop()


def test_an_unknown_id_is_a_key_error():
    with pytest.raises(KeyError):
        ScreenSet([row("one")], lambda spec, screen: None)["two"]


def test_every_row_names_a_screen_that_loads():
    for spec in SCREENS:
        assert issubclass(spec.load(), Screen) and spec.load().__name__ in spec.widget
        assert spec.page.read().startswith("# ")


@pytest.mark.parametrize(
    ("clash", "message"),
    [
        ({"id": "trace"}, "the id trace"),
        ({"key": "Ctrl+3"}, "the key Ctrl\\+3"),
        ({"page": SCREENS[0].page}, "the page search"),
    ],
)
def test_two_rows_with_the_same_are_an_error(clash, message):
    check_screens(SCREENS)
    usual = replace(SCREENS[1], id="other", key="Ctrl+9", page=GuidePage("other", "Other", str))
    check_screens((*SCREENS, usual))
    with pytest.raises(ValueError, match=message):
        check_screens((*SCREENS, replace(usual, **clash)))


@pytest.mark.parametrize("what", ["at_start", "after_opening"])
def test_one_screen_begins_and_one_comes_after_opening(what):
    without = [replace(spec, **{what: False}) for spec in SCREENS]
    with pytest.raises(ValueError, match=f"0 screens have {what}"):
        check_screens(without)
    with pytest.raises(ValueError, match=f"{len(SCREENS)} screens have {what}"):
        check_screens([replace(spec, **{what: True}) for spec in SCREENS])


def test_what_screens_are_owed_comes_to_one_at_a_time_or_when_it_is_asked_for(qtbot):
    screens = ScreenSet([row(id) for id in IDS], lambda spec, screen: None)
    for id in IDS[:3]:
        qtbot.addWidget(screens[id])
    given = []
    screens.owe(lambda id, screen: given.append((id, screen)))
    assert given == [] and not screens.settled and screens.got() == {}
    assert screens.give_next() and [id for id, _ in given] == ["one"]
    # One that is asked for does not wait; one that is made now has nothing to get.
    third, fourth = screens["three"], screens["four"]
    qtbot.addWidget(fourth)
    assert given[1:] == [("three", third)] and list(screens.got()) == ["one", "three", "four"]
    assert not screens.give_next() and [id for id, _ in given] == ["one", "three", "two"]
    assert screens.settled and not screens.give_next()


def test_only_the_newest_of_two_gifts_is_given(qtbot):
    screens = ScreenSet([row(id) for id in IDS], lambda spec, screen: None)
    for id in IDS[:2]:
        qtbot.addWidget(screens[id])
    given = []
    screens.owe(lambda id, screen: given.append(("old", id)))
    screens.give_next()
    screens.owe(lambda id, screen: given.append(("new", id)))
    while screens.give_next():
        pass
    assert given == [("old", "one"), ("new", "one"), ("new", "two")]


def test_the_screen_in_view_gets_the_open_index_first(opened, qtbot, small_index, monkeypatch):
    order = []
    opened.show_screen("trace")
    qtbot.waitUntil(lambda: opened.screens.settled)
    for id, screen in opened.screens.made().items():

        def note(corpus, id=id, give=screen.set_corpus):
            order.append(id)
            give(corpus)

        monkeypatch.setattr(screen, "set_corpus", note)
    before = opened.corpus
    opened.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: opened.corpus is not before and opened.screens.settled)
    assert order[0] == "trace" and sorted(order) == sorted(opened.screens)
    assert all(screen.corpus is opened.corpus for screen in opened.screens.values())

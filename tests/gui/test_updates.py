"""New versions: asked only when somebody wants to know, told once, and nothing of an answer but its numbers is used."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from by_hand import HandSlot
from faulty_service import Answer, FaultyService
from PySide6.QtGui import QDesktopServices

from explorer.core.jobs import Kind
from explorer.gui.app import app
from explorer.gui.presenting.requests import ShowUpdates, Told
from explorer.gui.updates.dialog import UpdateDialog
from explorer.gui.updates.presenter import ASKED, TOLD, WEEKLY, UpdatePresenter
from explorer.http import releases
from explorer.http.errors import RemoteError
from explorer.http.releases import Releases
from explorer.http.wire.address import read_address

PAGE = "https://example.org/releases"


class Kept:
    """Settings without a file."""

    def __init__(self, **values):
        self.values = {WEEKLY: False, ASKED: "", TOLD: "", **values}
        self.get, self.set = self.values.get, self.values.__setitem__


@pytest.fixture
def known():
    return Releases(read_address("https://api.example.org/latest"), PAGE)


@pytest.fixture
def answers(monkeypatch):
    """The versions that are answered, the last one first; an error instead of one is raised."""
    waiting = []

    def newest(known, cancel):
        found = waiting.pop()
        if isinstance(found, RemoteError):
            raise found
        return found

    monkeypatch.setattr(releases, "newest_version", newest)
    return waiting


def made(known, **values):
    said = []
    presenter = UpdatePresenter(HandSlot("updates", Kind.APART), Kept(**values), said.append, known)
    return presenter, presenter._slot, presenter._kept.values, said


def test_a_newer_version_is_told_once(known, answers):
    presenter, slot, kept, said = made(known, **{WEEKLY: True})
    for version in ("99.0", "99.0", "99.1", "0.0.1"):
        answers.append(version)
        kept[ASKED] = ""
        presenter.look_if_due()
        slot.answer()
    assert [each.sentence.split()[1] for each in said] == ["99.0", "99.1"]
    assert isinstance(said[0], Told) and isinstance(said[0].link[1], ShowUpdates)
    # After the last answer, which was older.
    assert not presenter.state.has_newer and presenter.state.answer == "This is the newest version."


@pytest.mark.parametrize(
    ("ago", "due"),
    [
        (timedelta(days=6, hours=23), False),
        (timedelta(days=7, minutes=1), True),
        # The clock was wrong: it would never be asked again.
        (timedelta(days=-900), True),
    ],
)
def test_it_is_asked_once_a_week(known, ago, due):
    presenter, slot, _, _ = made(known, **{WEEKLY: True, ASKED: (datetime.now(UTC) - ago).isoformat()})
    presenter.look_if_due()
    assert slot.busy is due


@pytest.mark.parametrize("asked", ["", "nonsense", "2026-01-01T00:00:00"])
def test_what_is_no_time_counts_as_never(known, asked):
    presenter, slot, _, _ = made(known, **{WEEKLY: True, ASKED: asked})
    presenter.look_if_due()
    assert slot.busy


def test_nothing_is_asked_unless_it_was_switched_on(known):
    presenter, slot, kept, _ = made(known)
    presenter.look_if_due()
    assert not slot.busy
    presenter.choose_weekly(True)
    presenter.look_if_due()
    assert slot.busy and kept[WEEKLY] is True


def test_a_copy_that_knows_nobody_to_ask_asks_nobody():
    presenter, slot, _, _ = made(None, **{WEEKLY: True})
    presenter.look()
    presenter.look_if_due()
    assert not slot.busy and "made from the source code" in presenter.state.about


def test_no_answer_is_told_in_the_dialog_only_and_asked_for_again(known, answers):
    presenter, slot, kept, said = made(known, **{WEEKLY: True})
    answers.append(RemoteError("{host} cannot be reached.", reason="no-answer", host="api.example.org"))
    presenter.look_if_due()
    slot.answer()
    assert not said and kept[ASKED] == "" and "api.example.org" in presenter.state.answer
    answers.append("99.0")
    presenter.look()
    slot.answer()
    # Asked for by hand: the answer is in the dialog, and no message repeats it.
    assert not said and presenter.state.answer.startswith("Version 99.0") and kept[ASKED]


def show(window) -> UpdateDialog:
    window.ask(ShowUpdates())
    return window.findChildren(UpdateDialog)[-1]


def test_the_window_asks_and_opens_its_own_page(opened, qtbot, monkeypatch):
    pages = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pages.append(url.toString()))
    with FaultyService(lambda _: Answer.of({"tag_name": "v99.0", "html_url": "https://evil.example"})) as service:
        found = Releases(read_address(service.url), PAGE)
        monkeypatch.setattr("explorer.gui.updates.desk.own_releases", lambda: found)
        dialog = show(opened)
        # Before anybody asks, it is told who would be asked, and nothing was sent.
        assert "127.0.0.1" in dialog.about.text() and not service.asked
        dialog.look.click()
        qtbot.waitUntil(lambda: dialog.answer.text().startswith("Version 99.0"))
        [button] = dialog.answer.buttons()
        button.click()
        assert pages == [PAGE] and len(service.asked) == 1
        dialog.weekly.click()
        assert opened.settings.get(WEEKLY) is True
    dialog.close_button.click()


def test_a_copy_of_the_source_code_offers_nothing_that_does_nothing(opened):
    dialog = show(opened)
    assert dialog.look.isHidden() and dialog.weekly.isHidden() and "source code" in dialog.about.text()
    dialog.close_button.click()


def test_the_start_of_the_program_asks_only_if_it_was_switched_on(opened, monkeypatch):
    asked = []
    monkeypatch.setattr(UpdatePresenter, "look_if_due", lambda self: asked.append(self.state.weekly))
    app._look_for_updates(opened)
    assert not asked
    opened.settings.set(WEEKLY, True)
    app._look_for_updates(opened)
    assert asked == [True]

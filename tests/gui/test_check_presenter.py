"""The check of an index, without a window: answers come in the order that the test decides."""

from __future__ import annotations

import pytest
from by_hand import HandServices

from explorer.building.verify import verify as verify_module
from explorer.building.verify.verify import Finding, VerifyReport
from explorer.core.jobs import Progress
from explorer.errors import DamagedIndexError
from explorer.gui.presenting.answer import Freshness
from explorer.gui.screens.index.check.presenter import CheckPresenter

DAMAGE = DamagedIndexError("{path} is shorter than it should be.", reason="too-short", path="table.0")


@pytest.fixture
def services():
    return HandServices()


@pytest.fixture
def check(services, small):
    made = CheckPresenter(services)
    made.use_corpus(small)
    return made


def test_without_an_index_nothing_is_asked(services):
    check = CheckPresenter(services)
    check.run()
    assert not services.slots["verify"].busy
    assert not check.state.can_check and check.state.message == "Open an index first."


def test_a_sound_index(check, services):
    check.run()
    assert not check.state.can_check and check.state.message == ""
    services.slots["verify"].answer()
    assert "positions sampled)" in check.state.message and check.state.rows == ()
    check.choose_deep(True)
    # What was found belongs to the quick check until the deep one is done.
    assert "positions sampled)" in check.state.message
    check.run()
    assert check.state.answer.dimmed
    services.slots["verify"].answer()
    assert "positions checked)" in check.state.message and not check.state.answer.dimmed


def test_a_second_click_does_not_begin_the_check_again(check, services):
    check.run()
    check.run()
    assert services.slots["verify"].asked == 1


def test_an_index_that_is_opened_during_a_check_ends_it(check, services):
    check.run()
    check.use_corpus(None)
    assert not services.slots["verify"].busy
    assert check.state.message == "Open an index first." and not check.state.answer.awaited


def test_what_went_wrong_in_one_index_is_not_told_of_the_next(check, services, small):
    check.run()
    services.slots["verify"].fail(DAMAGE)
    assert "shorter" in check.state.notice and check.state.can_check
    check.use_corpus(small)
    assert check.state.notice == ""


def test_a_failure_keeps_what_was_found_before(check, services):
    check.run()
    services.slots["verify"].answer()
    found = check.state.message
    check.run()
    services.slots["verify"].fail(DAMAGE)
    assert check.state.message == found and check.state.answer.dimmed and "shorter" in check.state.notice
    check.run()
    assert check.state.notice == ""


def test_stopping_keeps_what_was_found_before(check, services):
    check.run()
    services.slots["verify"].answer()
    check.run()
    check.stop()
    assert check.state.answer.freshness is Freshness.STOPPED and check.state.can_check
    assert "No damage" in check.state.message


def test_findings_come_with_files_and_progress(check, services, monkeypatch):
    def verify(path, deep, tokenizer, report, cancel):
        report(Progress("Checking", 1, 2))
        return VerifyReport(str(path), deep, 1, 1, 7, (Finding("/index/table.0", "too short", DAMAGE),))

    monkeypatch.setattr(verify_module, "verify_index", verify)
    check.run()
    assert check.state.progress is None
    services.slots["verify"].answer()
    assert check.state.progress.done == 1
    assert [row[0].text for row in check.state.rows] == ["table.0"]
    assert check.state.message == "1 finding"

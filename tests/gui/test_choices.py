"""What was chosen, step by step: Ctrl+Z takes back what a user calls one change."""

from __future__ import annotations

import pytest
from by_hand import HandServices

from explorer.gui.presenting.choices import Choices


class Settings:
    """Two settings of a screen, and what was asked with them."""

    def __init__(self) -> None:
        self.services = HandServices()
        self.values, self.asked, self.told = {"n": 1, "text": ""}, [], []
        self.choices = Choices(self.services, lambda: tuple(self.values.values()), self.take)
        self.choices.watch(lambda: self.told.append((self.choices.can_undo, self.choices.can_redo)))

    def take(self, values) -> None:
        self.values = dict(zip(self.values, values, strict=True))
        self.asked.append(values)

    def set(self, setting, value) -> None:
        with self.choices.step(setting):
            self.values[setting] = value

    @property
    def now(self):
        return tuple(self.values.values())


@pytest.fixture
def settings():
    return Settings()


def test_each_change_is_undone_and_redone(settings):
    settings.set("n", 2)
    settings.set("text", "sea")
    for _ in range(3):
        settings.choices.undo()
    assert settings.asked[:2] == [(2, ""), (1, "")] and not settings.choices.can_undo
    settings.choices.redo()
    settings.choices.redo()
    assert settings.now == (2, "sea") and not settings.choices.can_redo and settings.choices.can_undo
    assert (False, True) in settings.told and settings.told[-1] == (True, False)


def test_a_number_that_is_turned_is_one_step(settings):
    for n in (2, 3, 4):
        settings.set("n", n)
    settings.services.let_time_pass()
    settings.set("n", 5)
    settings.choices.undo()
    assert settings.now == (4, "")
    settings.choices.undo()
    assert settings.now == (1, "") and not settings.choices.can_undo


def test_two_settings_are_two_steps_without_a_pause(settings):
    settings.set("n", 2)
    settings.set("text", "sea")
    settings.set("n", 3)
    for expected in ((2, "sea"), (2, ""), (1, "")):
        settings.choices.undo()
        assert settings.now == expected


def test_what_is_turned_back_is_no_step(settings):
    settings.set("text", "sea")
    settings.services.let_time_pass()
    settings.set("n", 2)
    settings.set("n", 1)
    # This is not a part of the step before, although it is of the same setting as the last change.
    settings.set("n", 2)
    settings.choices.undo()
    assert settings.now == (1, "sea")
    settings.choices.undo()
    assert settings.now == (1, "")


def test_nothing_that_stays_is_noted(settings):
    settings.set("n", 1)
    assert not settings.choices.can_undo and settings.told == []
    settings.choices.undo()
    settings.choices.redo()
    assert settings.now == (1, "")


def test_a_new_choice_ends_what_was_undone(settings):
    settings.set("n", 2)
    settings.choices.undo()
    settings.set("text", "sea")
    assert not settings.choices.can_redo
    settings.choices.undo()
    assert settings.now == (1, "")


def test_after_an_undo_the_same_setting_is_a_step_of_its_own(settings):
    settings.set("n", 2)
    settings.set("text", "sea")
    settings.choices.undo()
    settings.set("n", 3)
    settings.choices.undo()
    assert settings.now == (2, "")


def test_a_beginning_forgets(settings):
    settings.set("n", 2)
    settings.choices.undo()
    settings.choices.forget()
    assert settings.told[-1] == (False, False)
    settings.choices.redo()
    assert settings.now == (1, "")


def test_what_changed_without_a_step_is_not_put_back(settings):
    """Another index may change a setting by itself: an undo then is of what the user did after that."""
    settings.values["text"] = "of the index"
    settings.set("n", 2)
    settings.choices.undo()
    assert settings.now == (1, "of the index")


def test_a_step_that_fails_is_not_noted(settings):
    with pytest.raises(ValueError), settings.choices.step("n"):
        settings.values["n"] = 2
        raise ValueError
    assert not settings.choices.can_undo

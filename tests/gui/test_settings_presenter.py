"""The Settings screen without a window: what is in view, what is stored, and what an undo puts back."""

from __future__ import annotations

import pytest

from explorer.gui.presenting.requests import ChangeSetting
from explorer.gui.screens.settings.presenter import SettingsPresenter
from explorer.gui.screens.settings.state import PAGES, SHORTCUTS, SHOWN, SettingsState
from explorer.gui.settings.schema import BY_KEY


class Stored(dict):
    """Settings that are changed by requests."""

    def get(self, key):
        return self[key] if key in self else BY_KEY[key].default

    def take(self, request):
        assert isinstance(request, ChangeSetting) and BY_KEY[request.key].valid(request.value)
        self[request.key] = request.value


@pytest.fixture
def stored():
    return Stored()


@pytest.fixture
def settings(stored):
    made = SettingsPresenter(stored.take)
    made.use(stored)
    return made


def keys(state: SettingsState) -> list[str]:
    return [setting.key for setting in state.found]


def test_every_page_has_settings(settings):
    assert PAGES == ("Appearance", "Search", "Trace", "Agreement", "Indexes and memory", "Shortcuts")
    seen = []
    for page in PAGES:
        settings.show_page(page)
        seen += keys(settings.state)
        assert settings.state.pages == (page,) and not settings.state.nothing_found
        assert settings.state.shows_shortcuts == (page == SHORTCUTS)
    assert seen == [setting.key for setting in SHOWN]


def test_a_change_is_stored_marked_and_undone(settings, stored):
    settings.set("scheme", "dark")
    settings.set("scheme", "light")
    assert stored == {"scheme": "light"}
    assert settings.state.changed(BY_KEY["scheme"]) and settings.state.page_changed("Appearance")
    settings.undo()
    assert stored == {"scheme": "dark"}
    settings.undo()
    settings.undo()
    assert stored == {"scheme": "system"} and not settings.state.changed(BY_KEY["scheme"])


def test_the_same_value_is_no_change(settings, stored):
    settings.set("threads", 3)
    assert stored == {} and settings.state.steps == ()


def test_a_page_is_reset_and_the_reset_is_one_step(settings, stored):
    settings.set("whole_words", False)
    settings.set("ignore_case", True)
    settings.set("scheme", "dark")
    settings.reset("Search")
    assert stored == {"whole_words": True, "ignore_case": False, "scheme": "dark"}
    assert not settings.state.page_changed("Search") and settings.state.page_changed("Appearance")
    settings.undo()
    assert stored == {"whole_words": False, "ignore_case": True, "scheme": "dark"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [("theme", ["scheme"]), ("DARK", ["scheme"]), ("font code", ["code_font"]), ("olmotrace", ["trace_relevance"])],
)
def test_words_find_settings_on_all_pages(settings, typed, found):
    settings.show_page(SHORTCUTS)
    settings.find(typed)
    assert keys(settings.state) == found and settings.state.pages == (BY_KEY[found[0]].section,)
    assert not settings.state.shows_shortcuts


def test_nothing_found_is_told_and_a_page_ends_the_search(settings):
    settings.find("no such words")
    assert settings.state.nothing_found
    settings.show_page("Trace")
    assert settings.state.typed == "" and not settings.state.nothing_found


def test_what_changes_elsewhere_is_seen(settings, stored):
    stored["text_size"] = 13
    assert settings.state.values["text_size"] == 0
    settings.refresh()
    assert settings.state.values["text_size"] == 13

"""An index on another machine in a window: the dialog, the chip, the list, and what is said without a connection."""

from __future__ import annotations

import pytest
from faulty_service import FAULTS, Answer, FaultyService
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from range_server import RangeServer
from remote_index import RemoteIndex
from served import running

from explorer import build_index, open_index
from explorer.backends.protocol.locations import Holding
from explorer.cli.main import main
from explorer.gui.app import app
from explorer.gui.index.opening import request_of
from explorer.gui.presenting.requests import ChooseRemote, OpenRequest, ShowStart
from explorer.gui.remote.hosts import is_here
from explorer.gui.screens.search.state import View
from explorer.http import cache as cache_module
from explorer.http import client as client_module
from explorer.http import pace
from explorer.recipes import Source
from explorer.serve.settings import Settings

TOKEN = "0123456789abcdef" * 2
PUBLIC = "https://corpora.example.org#news"


@pytest.fixture(autouse=True)
def afresh(tmp_path, monkeypatch):
    """Nothing is kept from another test, and nobody waits between attempts."""
    monkeypatch.setenv("CORPUS_EXPLORER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(client_module, "wait_until", lambda moment, check: check())
    pace._paces.clear()
    yield
    for kept in cache_module._shared.values():
        kept.close()
    cache_module._shared.clear()


@pytest.fixture
def server(small):
    """Our own server with two indexes."""
    with running([("news", small), ("letters", small)]) as asker:
        yield asker


def dialog_of(window):
    window.ask(ChooseRemote())
    return window.indexes.dialog


def opened(window, qtbot, address, **values):
    window.open(OpenRequest((address,), **values))
    qtbot.waitUntil(lambda: window.corpus is not None)
    return window


def press(qtbot, notice, words):
    """Press a button of a notice."""
    button = next(button for button in notice.buttons() if button.text() == words)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_an_index_is_found_by_its_address_and_opened(window, qtbot, server, small):
    dialog = dialog_of(window)
    assert dialog.open_button.isDefault() and dialog.focusWidget() is dialog.address and not dialog.table.isVisible()
    qtbot.keyClicks(dialog.address, server.address)
    # Enter lists as long as no index is named.
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 2)
    assert dialog.table.isVisible() and not dialog.notice.isVisible()
    assert dialog.where.text() == "This address is of this computer. Queries do not leave it."
    assert dialog.tokenizer.placeholderText() == "The server sends its own"
    dialog.table.clicked.emit(dialog.model.index(1, 0))
    assert dialog.name.text() == "letters"
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.corpus is not None)
    assert window.indexes.dialog is None and window.corpus.index.sources == (f"{server.address}#letters",)
    assert window.corpus.token_count == small.token_count
    # What leaves nothing behind: the token of a dialog is forgotten, and nobody was asked for consent.
    assert window.settings.hosts.all() == ()


def test_the_chip_has_a_cloud_the_host_and_the_last_answer(window, qtbot, server, small_index):
    opened(window, qtbot, f"{server.address}#news")
    switcher, host = window.top.switcher, server.address.removeprefix("http://")
    assert switcher.accessibleName() == f"Index: Small · {host}", "its own name, whatever the server calls it"
    QApplication.sendEvent(switcher, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), switcher.mapToGlobal(QPoint(2, 2))))
    assert f"{server.address}#news" in switcher.toolTip() and f"{host} last answered at " in switcher.toolTip()
    cloud = switcher.icon().cacheKey()
    switcher.menu().aboutToShow.emit()
    assert "Connect again" in [action.text() for action in switcher.menu().actions()]
    # A folder has none of it.
    window.open(OpenRequest((str(small_index),)))
    qtbot.waitUntil(lambda: window.corpus.folders != ())
    assert switcher.accessibleName() == "Index: Small" and switcher.icon().cacheKey() != cloud
    QApplication.sendEvent(switcher, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), switcher.mapToGlobal(QPoint(2, 2))))
    assert "last answered" not in switcher.toolTip()
    switcher.menu().aboutToShow.emit()
    assert "Connect again" not in [action.text() for action in switcher.menu().actions()]


def test_another_machine_is_asked_only_after_consent(window, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr("urllib3.connectionpool.HTTPConnectionPool.urlopen", lambda *a, **k: asked.append(a) or 1 / 0)
    window.open(OpenRequest((PUBLIC,)))
    screen = window.index
    qtbot.waitUntil(lambda: screen.notice.isVisible())
    assert screen.notice.title.text() == "Send queries to corpora.example.org?"
    assert screen.notice.text() == "Queries that you type are sent to corpora.example.org, which may keep them."
    assert [button.text() for button in screen.notice.buttons()] == ["Send", "Not now"] and asked == []
    press(qtbot, screen.notice, "Not now")
    assert not screen.notice.isVisible() and window.settings.hosts.all() == () and asked == []
    # A session of an earlier run asks as well.
    window.session.restore({"paths": [PUBLIC]})
    qtbot.waitUntil(lambda: screen.notice.isVisible())
    assert asked == []
    press(qtbot, screen.notice, "Send")
    qtbot.waitUntil(lambda: bool(asked))
    qtbot.waitUntil(lambda: not window.indexes.state.opening)
    assert window.settings.hosts.all() == ("corpora.example.org",)
    # It failed, and is said with what helps.
    assert [button.text() for button in screen.notice.buttons()] == ["Try again", "Change address …"]
    press(qtbot, screen.notice, "Change address …")
    dialog = window.indexes.dialog
    assert dialog.address.text() == "https://corpora.example.org" and dialog.name.text() == "news"
    assert dialog.withdraw.isVisible() and dialog.where.text().endswith("You agreed.")
    qtbot.mouseClick(dialog.withdraw, Qt.MouseButton.LeftButton)
    assert window.settings.hosts.all() == () and not dialog.withdraw.isVisible()
    before = len(asked)
    qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
    assert [button.text() for button in dialog.notice.buttons()] == ["Send", "Not now"] and dialog.isVisible()
    press(qtbot, dialog.notice, "Not now")
    assert not dialog.notice.isVisible() and len(asked) == before
    dialog.reject()


def test_a_session_and_the_list_open_it_again(window, qtbot, server, small_index):
    tokenizer = str(small_index / "tokenizer.json")
    opened(window, qtbot, f"{server.address}#news", tokenizer=tokenizer)
    session = window.indexes.state.request.as_session(opened=True)
    assert request_of(session) == OpenRequest((f"{server.address}#news",), tokenizer=tokenizer)
    recent = window.settings.recents.all()[0]
    assert recent.path == f"{server.address}#news" and recent.tokenizer == tokenizer
    window.ask(ShowStart())
    row = window.index.start.recent.rows[recent.path]
    assert (
        row.open.isEnabled()
        and server.address.removeprefix("http://") in window.index.start.presenter.state.rows[0].facts
    )
    menu = row.show_menu()
    assert {a.text(): a.isEnabled() for a in menu.actions()}["Check for damage"] is False
    menu.hide()
    row.open.click()
    qtbot.waitUntil(lambda: not window.indexes.state.opening)
    assert window.indexes.state.request.tokenizer == tokenizer, "as it was opened the last time"


def test_the_command_line_names_the_token_of_an_address(settings, qtbot, small, tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    with running([("news", small)], Settings(token=TOKEN)) as asker:
        address = f"{asker.address}#news"
        started = []
        monkeypatch.setattr("explorer.gui.app.app.run_app", lambda startup: started.append(startup) or 0)
        monkeypatch.setattr("explorer.gui.app.launch.prepare_imports", lambda: None)
        assert main([address, "--token-file", str(file), "--allow-remote"]) == 0
        [startup] = started
        assert startup.allow_remote and startup.token_file == str(file)
        shown = app.show_window(startup, settings)
        qtbot.addWidget(shown)
        qtbot.waitUntil(lambda: shown.corpus is not None)
        assert shown.corpus.token_count == small.token_count
        shown.close()


def test_a_token_of_a_file_is_remembered_by_its_path(window, qtbot, small, tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    with running([("news", small)], Settings(token=TOKEN)) as asker:
        dialog = dialog_of(window)
        qtbot.keyClicks(dialog.address, f"{asker.address}#news")
        qtbot.mouseClick(dialog.list, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: dialog.notice.isVisible())
        assert "token" in dialog.notice.text()
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(file), ""))
        qtbot.mouseClick(dialog.choose_token, Qt.MouseButton.LeftButton)
        assert dialog.token_file.text() == str(file)
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.corpus is not None)
        window.settings.flush()
        stored = window.settings.path.read_text()
        assert TOKEN not in stored and str(file) in stored
        file.chmod(0o644)
        window.indexes.presenter.again()
        qtbot.waitUntil(lambda: window.index.notice.isVisible())
        assert "Others can read the token" in window.index.notice.text()
        assert window.corpus is not None, "the index that was open stays"


def test_without_a_connection_it_says_so_and_tries_again(window, qtbot, small):
    with FaultyService(lambda _: Answer()) as gone:
        address = gone.url
    window.open(OpenRequest((f"{address}#news",)))
    notice = window.index.notice
    qtbot.waitUntil(lambda: notice.isVisible())
    assert "No service answers at" in notice.text() and window.corpus is None
    before = window.indexes.opener
    press(qtbot, notice, "Try again")
    assert window.indexes.state.opening and before.busy
    qtbot.waitUntil(lambda: not window.indexes.state.opening)


def test_what_was_kept_opens_without_a_connection(window, qtbot, small, small_index):
    tokenizer = str(small_index / "tokenizer.json")
    with RemoteIndex({"Small": small}) as service:
        port = service.port
        opened(window, qtbot, service.url, tokenizer=tokenizer)
        window.search.search_for("the cat")
        qtbot.waitUntil(lambda: window.search.model.rowCount() > 0)
    window.indexes.presenter.again()
    qtbot.waitUntil(lambda: not window.indexes.state.opening)
    said = "does not answer. Answers that were kept can still be shown."
    assert said in window.index_label.toolTip() and window.index_label.text().startswith("Without a connection: ")
    assert said in "".join(toast.sentence for toast in window.toasts.shown)
    offline = window.top.switcher.icon().cacheKey()
    # What was asked before is shown, and what was not is an error, never 0 hits.
    search = window.search
    search.search_for("the cat")
    qtbot.waitUntil(lambda: search.model.rowCount() > 0)
    search.search_for("the dog")
    qtbot.waitUntil(lambda: search.notice.isVisible())
    assert "No service answers at" in search.notice.text() and not search.presenter.state.query.answer.current
    window.show_screen("index")
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert said in window.index.notice.text()
    with RemoteIndex({"Small": small}, port=port):
        press(qtbot, window.index.notice, "Try again")
        qtbot.waitUntil(lambda: not window.indexes.state.opening)
        assert not window.indexes.state.is_offline and window.top.switcher.icon().cacheKey() != offline
        qtbot.waitUntil(lambda: not window.index.notice.isVisible())


def test_opening_can_be_stopped(window, qtbot):
    with FaultyService(lambda _: Answer(), "silence", "silence", "silence") as service:
        window.open(OpenRequest((f"{service.url}#news",)))
        qtbot.waitUntil(lambda: bool(service.asked))
        job = window.indexes.opener.job
        assert job is not None and job.title.startswith("Opening news · 127.0.0.1")
        job.stop()
        assert not window.indexes.state.opening and window.corpus is None


@pytest.fixture(scope="session")
def many(tmp_path_factory, small_index):
    """An index in which a token occurs 1,500 times."""
    folder = tmp_path_factory.mktemp("many") / "index"
    records = [
        {"text": f"the cat sat on the mat, and the {animal} saw the cat {number}.", "path": f"{number}.txt"}
        for number, animal in enumerate(("dog", "bird", "dog", "man", "cat") * 75)
    ]
    build_index(records, folder, tokenizer=str(small_index / "tokenizer.json"), name="Many")
    return folder


@pytest.fixture
def public(window, qtbot, many):
    """An index of a service that has infini-gram's protocol only, and samples above 1,000 hits."""
    corpus = open_index(many)
    with RemoteIndex({"many": corpus}, sampled=1_000) as service:
        opened(window, qtbot, service.url, tokenizer=str(many / "tokenizer.json"))
        window.local = corpus
        yield window


def at_rest(window, qtbot):
    qtbot.waitUntil(lambda: not any(screen.busy for screen in window.screens.made().values()))


def test_estimates_carry_a_sign_and_an_interval(public, qtbot):
    screen = public.next_token
    public.show_screen("next_token")
    screen.bar.prompt.setPlainText(" the")
    at_rest(public, qtbot)
    answer = screen.presenter.state.answer.current
    assert answer.sample and not answer.exact and not answer.request.question.words
    ids = public.local.encode(" the")
    truth = public.local.next_tokens(ids)
    assert answer.total == truth.context_count and answer.sample < answer.total
    for row in answer.rows:
        low, high = row.interval
        assert 0 <= low <= row.share <= high <= 1 and row.count == round(row.share * answer.total)
    cells = [screen.next.model.cell(screen.next.model.index(0, column)).text for column in (1, 3)]
    assert cells[0].startswith("≈ ") and "–" in cells[0] and cells[1].startswith("≈ ")
    assert "≈ from a sample of" in screen.next.subtitle.toolTip() and "at least" in screen.next.subtitle.toolTip()
    assert screen.next.why.isVisible() and "sample of" in screen.next.why.toolTip()
    assert not screen.bar.words.isEnabled() and "not this one" in screen.bar.words.toolTip()
    # The endings of the text say where more may follow.
    assert any(row.rung.sample for row in screen.presenter.state.ladder.value.rows)
    figures = [screen.ladder.model.cell(screen.ladder.model.index(row, 3)).text for row in range(2)]
    assert any(figure.startswith("≥ ") for figure in figures)
    # The tree says why there is none, and its sides are gray.
    assert "not this one" in screen.tree.subtitle.toolTip() and not screen.tree.sides.button(0).isEnabled()
    assert all("sample" in chart.title for chart in screen.presenter.charts()())


def test_rare_contexts_are_exact(public, qtbot):
    screen = public.next_token
    public.show_screen("next_token")
    screen.bar.prompt.setPlainText("sat on")
    at_rest(public, qtbot)
    answer = screen.presenter.state.answer.current
    truth = public.local.infgram_next_tokens(public.local.encode("sat on"))
    assert answer.exact and not answer.sample and answer.rows[0].count == truth.counts[0]
    assert not screen.next.why.isVisible() and "≈" not in screen.next.model.cell(screen.next.model.index(0, 1)).text


def test_what_cannot_be_answered_has_its_reason_in_its_place(public, qtbot):
    reason = "not this one."
    for id, tabs in (("statistics", ("words", "growth", "dispersion")), ("curation", ("duplicates", "personal"))):
        screen = public.screens[id]
        public.show_screen(id)
        for tab in tabs:
            page = screen.turn_to(tab)
            at_rest(public, qtbot)
            qtbot.waitUntil(lambda page=page: bool(page.empty.title))
            assert page.empty.title == "This index cannot answer that" and not page.notice.isVisible(), tab
            assert page.empty.hint, tab
            assert not page.export.isEnabled()
    page = public.screens["curation"].turn_to("duplicates")
    assert page.empty.hint.endswith(reason)
    # Nothing was found of it, which is not the same as nothing.
    public.show_screen("search")
    search = public.search
    search.search_for("sat on")
    at_rest(public, qtbot)
    assert search.model.rowCount() == public.local.count("sat on") > 0
    assert "only with a hit in it" in search.tabs.tabToolTip(View.BREAKDOWN)
    assert not search.tabs.isTabEnabled(View.BREAKDOWN) and not search.tabs.isTabEnabled(View.DISPERSION)


def test_files_of_another_machine_are_not_said_to_be_sound(public, qtbot):
    public.show_screen("index")
    public.index.presenter.check_now()
    at_rest(public, qtbot)
    view = public.index.pages.about.verify
    assert view.message.text() == "Only files on this machine can be checked." and not view.picture.isVisible()
    assert not view.check.isEnabled() and view.check.toolTip() == "Only files on this machine can be checked."
    assert "only with a hit in it" in public.index.pages.about.fields.notice.text()


def test_an_index_folder_on_a_web_server_is_read(window, qtbot, small_index, small):
    with RangeServer(small_index.parent) as web:
        address = f"{web.url}/{small_index.name}"
        dialog = dialog_of(window)
        qtbot.keyClicks(dialog.address, address)
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        # It might be a service, which is asked first.
        qtbot.waitUntil(lambda: dialog.said.text().startswith("127.0.0.1"))
        qtbot.waitUntil(lambda: "index folder" in dialog.said.text())
        qtbot.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: window.corpus is not None)
        assert window.corpus.index.sources == (address,)
        assert window.top.switcher.accessibleName().startswith("Index: Small · 127.0.0.1")
        window.search.search_for("the cat")
        qtbot.waitUntil(lambda: window.search.model.rowCount() == small.count("the cat"))
        assert "last answered" in window.indexes.state.asked_of
    # Another machine would learn something else than queries.
    window.open(OpenRequest(("https://corpora.example.org/news",)))
    qtbot.waitUntil(lambda: window.index.notice.isVisible())
    assert window.index.notice.title.text() == "Read the index at corpora.example.org?"
    assert "which parts of the index are read" in window.index.notice.text()


def test_copied_code_may_ask_what_the_user_agreed_to():
    source = Source((PUBLIC,), allow_remote=True, token_file="/tokens/news")
    assert source.python == (
        f"explorer.open_index('{PUBLIC}', allow_remote=True, token=open('/tokens/news').read().strip())"
    )
    assert source.options == ("--token-file=/tokens/news", "--allow-remote")
    assert Source(("/data/news",)).python == "explorer.open_index('/data/news')"
    assert is_here("/data/news") and is_here("http://localhost:8765#a") and not is_here(PUBLIC)


def test_what_failed_can_be_asked_again_on_its_screen(window, qtbot, small, small_index):
    with RemoteIndex({"Small": small}) as service:
        opened(window, qtbot, service.url, tokenizer=str(small_index / "tokenizer.json"))
        window.show_screen("next_token")
        screen = window.next_token
        service.faults += [FAULTS["error"]] * 40
        screen.bar.prompt.setPlainText("the cat")
        qtbot.waitUntil(lambda: screen.notice.isVisible() and not screen.busy)
        service.faults.clear()
        press(qtbot, screen.notice, "Try again")
        qtbot.waitUntil(lambda: not screen.notice.isVisible() and screen.presenter.state.answer.current is not None)
        window.show_screen("trace")
        service.faults += [FAULTS["error"]] * 40
        window.trace.presenter.trace_text("the dog sat on a mat")
        notice = window.trace.text.notice
        qtbot.waitUntil(lambda: notice.isVisible() and not window.trace.busy)
        service.faults.clear()
        press(qtbot, notice, "Try again")
        qtbot.waitUntil(lambda: window.trace.presenter.state.trace is not None)
        assert not notice.isVisible()


PLACED = (
    Holding("part-0", "5f", 1, 1_234_567, 9, ("tcp://n1:8786", "tcp://n2:8786")),
    Holding("part-1", "60", 2, 700, 8, ("tcp://n1:8786",)),
    Holding("part <b>2</b>\u202e", "61", 1, 7, 1, ()),
)


def test_the_machines_of_an_index_are_listed_and_what_is_missing(window, qtbot, server, small, monkeypatch):
    """The server of a cluster passes on where its folders are; one that is missing is seen before it is asked for."""
    placed = [PLACED]
    monkeypatch.setattr(type(small.index), "holdings", lambda self: placed[0])
    opened(window, qtbot, f"{server.address}#news")
    window.show_screen("index")
    view = window.index.pages.about.machines
    qtbot.waitUntil(lambda: view.isVisible())
    assert view.message.text() == "1 of 3 folders is missing. The others are on 2 machines."
    rows = [[view.model.index(row, column).data() for column in range(5)] for row in range(3)]
    # What is missing comes first, and a name is no markup.
    assert rows[0][0].startswith("part <b>2</b>") and rows[0][3:] == ["0", "missing"]
    assert rows[1:] == [
        ["part-1", "2", "700", "1", "tcp://n1:8786"],
        ["part-0", "1", "1.2 M", "2", "tcp://n1:8786, tcp://n2:8786"],
    ]
    placed[0] = PLACED[:2]
    qtbot.mouseClick(view.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.message.text() == "Nothing is missing: 2 folders on 2 machines.")
    placed[0] = [{"folder": 5}]
    qtbot.mouseClick(view.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.notice.isVisible())
    # What was seen before is not known to be so now.
    assert not view.message.isVisible()
    monkeypatch.setattr(type(small.index), "holdings", lambda self: ())
    window.open(OpenRequest((f"{server.address}#letters",)))
    qtbot.waitUntil(lambda: window.corpus.index.sources == (f"{server.address}#letters",))
    qtbot.waitUntil(lambda: not view.isVisible())

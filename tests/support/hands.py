"""A person at a window: keys or the mouse only, through the events of the platform, with every step counted.

A task is a generator. It yields what is to be done or to come; the driver does it from the event loop, so that menus
and dialogs that run a loop of their own are driven like everything else. A step is one chord of keys, one text typed or
pasted, one click, drag or turn of the wheel, or one answered dialog of the system.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEventLoop, QModelIndex, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAction, QGuiApplication, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

Condition = Callable[[], object]
Task = Generator[Any, None, None]
"""Yields steps, waits and parts that are tasks themselves."""

_TICK_MS = 5
_LASTING = 8
_AIMS = 20
_MOST_TICKS = 24_000
"""Two minutes and more: only a task that fails waits so long."""


@dataclass(frozen=True)
class Step:
    """Something a person does, once `ready` is true. text: what, for the list of steps; "" is not counted."""

    text: str
    act: Callable[[], object]
    ready: Condition = lambda: True


@dataclass(frozen=True)
class Wait:
    """Nothing is done until this is true."""

    text: str
    until: Condition


@dataclass(frozen=True)
class Place:
    """A point of a widget, and what is written there."""

    widget: QWidget
    point: QPoint
    top: QWidget | None = None
    """Kept, since PySide forgets the parts of a dialog with it."""

    @property
    def on_screen(self) -> QPoint:
        return self.widget.mapToGlobal(self.point)

    @property
    def open_to_clicks(self) -> bool:
        """Whether the pointer meets the widget here, and nothing that lies above it."""
        # Not of the screen: the one of the offscreen platform is smaller than windows are.
        top = self.widget.window()
        hit = top.childAt(top.mapFromGlobal(self.on_screen)) or top
        return (hit is self.widget or self.widget.isAncestorOf(hit)) and self.widget.isEnabled()


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def written_on(widget: QWidget) -> set[str]:
    """The words by which a person finds a control."""
    text = getattr(widget, "text", None)
    shown = text() if callable(text) and not isinstance(widget, QMenu) else ""
    tip = widget.toolTip().split("\n")[0]
    # Its own name, too: on Linux, Qt tells screen readers the chosen entry as the name of a combo box.
    names = (shown, name_of(widget), widget.accessibleName(), tip)
    return {str(words).replace("&", "").strip() for words in names if words}


class Hands:
    """Does tasks in a window and lists their steps.

    Parameters
    ----------
    window
        The window.
    settled
        Whether no answer is awaited: a person acts on what they see.
    """

    def __init__(self, window: QWidget, settled: Condition) -> None:
        self.window = window
        self.settled = settled
        self.steps: list[str] = []

    # Driving.

    def do(self, task: Task) -> int:
        """Do a task to its end, and return its number of steps."""
        driver = _Driver(self, task)
        driver.run()
        return len(self.steps)

    def until(self, condition: Condition, text: str = "what the task waits for") -> Wait:
        """Wait for something."""
        return Wait(text, condition)

    def count(self, text: str) -> None:
        """A step that is not an event, such as the dialog of the system that a stub answers."""
        self.steps.append(text)

    def _step(self, text: str, act: Callable[[], object], ready: Condition = lambda: True) -> Step:
        return Step(text, act, lambda: self.settled() and ready())

    # What both hands do.

    def type(self, text: str) -> Step:
        """Type into what has the focus."""
        return self._step(f"type {text!r}", lambda: _type(text))


class Keyboard(Hands):
    """Only keys."""

    def press(self, chord: str, ready: Condition = lambda: True) -> Step:
        """One chord, as "Ctrl+Shift+P"."""
        # PySide's stubs do not know that a sequence is a list of combinations.
        keys = QKeySequence.fromString(chord)[0]  # type: ignore[index]
        return self._step(chord, lambda: QTest.keyClick(_focus_window(), keys.key(), keys.keyboardModifiers()), ready)

    def to(self, *words: str, chord: str = "Tab", most: int = 40) -> Task:
        """Press a key until the focus is on a control with these words."""
        for _ in range(most):
            if _focused() & set(words):
                return
            moved = partial(_has_left, _focus_place())
            yield self.press(chord)
            yield Wait(f"the focus after {chord}", moved)
        raise AssertionError(f"{chord} never comes to {words}; the focus is on {_focused()}")

    def at(self, *words: str) -> Condition:
        """Whether the focus is on a control with these words, at the moment of a step."""
        return lambda: bool(_focused() & set(words))

    def command(self, name: str) -> Task:
        """Run a command from the palette."""
        yield self.press("Ctrl+Shift+P")
        yield Wait("the palette", lambda: QApplication.activeModalWidget() or QApplication.activePopupWidget())
        yield self.type(name)
        yield self.press("Enter")


class Mouse(Hands):
    """Only the mouse, and typed text where text is needed."""

    def click(
        self, words: str, within: str = "", kind: str = "", button: Qt.MouseButton = Qt.MouseButton.LeftButton
    ) -> Step:
        """Click what has these words on it."""
        return self.click_at(lambda: place_of(words, within, kind), words, button)

    def right_click(self, words: str, within: str = "") -> Step:
        """Open the menu of what has these words on it."""
        return self.click_at(lambda: place_of(words, within), words, Qt.MouseButton.RightButton)

    def click_at(
        self, find: Callable[[], Place | None], text: str, button: Qt.MouseButton = Qt.MouseButton.LeftButton
    ) -> Step:
        """Click a place that is found when the time comes."""
        what = "click" if button is Qt.MouseButton.LeftButton else "right-click"
        return self._step(f"{what} {text}", lambda: _click(find, button), lambda: _can_click(find()))

    def double_click_at(self, find: Callable[[], Place | None], text: str) -> Step:
        """Double-click a place."""

        def act() -> None:
            place = _click(find, Qt.MouseButton.LeftButton)
            window = _window_of(place)
            QTest.mouseDClick(
                window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, window.mapFromGlobal(place.on_screen)
            )

        return self._step(f"double-click {text}", act, lambda: _can_click(find()))


class _Driver:
    """Advances a task from the event loop."""

    def __init__(self, hands: Hands, task: Task) -> None:
        self._hands, self._stack = hands, [task]
        self._loop = QEventLoop()
        self._next: Step | Wait | None = None
        self._ticks = 0
        self._error: BaseException | None = None
        self._done = False
        self._acting, self._waited = False, 0

    def run(self) -> None:
        QTimer.singleShot(0, self._tick)
        self._loop.exec()
        if self._error is not None:
            raise self._error

    def _end(self, error: BaseException | None = None) -> None:
        self._error, self._done = error, True
        # A menu or dialog whose own loop runs inside of this one would keep it.
        while (open_one := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            if not open_one.close():
                break
        self._loop.quit()

    def _tick(self) -> None:
        if self._done:
            return
        if self._acting and not self._in_menu():
            QTimer.singleShot(_TICK_MS, self._tick)
            return
        try:
            self._advance()
        except BaseException as error:  # noqa: BLE001 - reported by `run`, in the frame of the test
            self._end(error)

    def _in_menu(self) -> bool:
        """Whether the step has not returned because a menu or dialog has a loop of its own."""
        # `QTest` processes events between press and release, too: only what lasts is such a loop.
        self._waited += 1
        return self._waited > _LASTING and bool(QApplication.activePopupWidget() or QApplication.activeModalWidget())

    def _advance(self) -> None:
        if self._next is None and not self._fetch():
            self._end()
            return
        now = self._next
        assert now is not None
        if QGuiApplication.focusWindow() is None:
            # A window manager gives the focus back when a dialog closes; the offscreen platform has none.
            (QApplication.activeModalWidget() or self._hands.window).activateWindow()
        if QGuiApplication.focusWindow() is None or not (now.ready() if isinstance(now, Step) else now.until()):
            self._ticks += 1
            if self._ticks > _MOST_TICKS:
                raise TimeoutError(f"{now.text!r} was never possible; done: {self._hands.steps}; {_where()}")
            QTimer.singleShot(_TICK_MS, self._tick)
            return
        self._next, self._ticks = None, 0
        # Before the act: if it opens a menu, the event loop of the menu has to come here again.
        QTimer.singleShot(0, self._tick)
        if isinstance(now, Step):
            if now.text:
                self._hands.steps.append(now.text)
            self._acting, self._waited = True, 0
            now.act()
            self._acting = False

    def _fetch(self) -> bool:
        while self._stack:
            try:
                found = next(self._stack[-1])
            except StopIteration:
                self._stack.pop()
                continue
            if isinstance(found, Step | Wait):
                self._next = found
                return True
            self._stack.append(found)
        return False


def _type(text: str) -> None:
    for char in text:
        _key(char)


def _key(char: str) -> None:
    # With its text, which the platform makes of the layout: `QTest.keyClick` would type every letter in lower case.
    key = Qt.Key(ord(char.upper()))
    shift = Qt.KeyboardModifier.ShiftModifier if char.isupper() else Qt.KeyboardModifier.NoModifier
    for action in (QTest.KeyAction.Press, QTest.KeyAction.Release):
        QTest.sendKeyEvent(action, _focus_window(), key, char, shift)


def _focus_window() -> QWindow:
    popup = QApplication.activePopupWidget()
    window = popup.windowHandle() if popup is not None else QGuiApplication.focusWindow()
    active = QApplication.activeWindow()
    # The platform of the tests may leave the focus with a list that has closed, which a real one does not.
    if window is not None and not window.isVisible() and active is not None:
        window = active.windowHandle()
    assert window is not None, "no window has the focus"
    return window


def _focused() -> set[str]:
    """What is written on the control that has the focus; of tabs, lists and menus, on the chosen part."""
    popup = QApplication.activePopupWidget()
    if isinstance(popup, QMenu):
        action = popup.activeAction()
        return set() if action is None else {_plain(action)}
    widget = QApplication.focusWidget()
    if widget is None:
        return set()
    words = written_on(widget)
    if isinstance(widget, QTabBar):
        words.add(widget.tabText(widget.currentIndex()))
    if isinstance(widget, QAbstractItemView) and widget.currentIndex().isValid():
        words.add(str(widget.currentIndex().data()))
    return words


def _focus_place() -> object:
    popup = QApplication.activePopupWidget()
    if isinstance(popup, QMenu):
        return popup, popup.activeAction()
    widget = QApplication.focusWidget()
    chosen: object = None
    if isinstance(widget, QTabBar):
        chosen = widget.currentIndex()
    if isinstance(widget, QAbstractItemView):
        chosen = widget.currentIndex().row(), widget.currentIndex().column()
    return widget, chosen


def _has_left(place: object) -> bool:
    return _focus_place() != place


def _where() -> str:
    return f"focus {_focused()}, {type(QApplication.focusWidget()).__name__}, popup {QApplication.activePopupWidget()}"


def _plain(action: QAction) -> str:
    return action.text().replace("&", "").split("\t")[0]


def place_of(words: str, within: str = "", kind: str = "") -> Place | None:
    """Where these words are on the screen; None if they are not, or at several places.

    Parameters
    ----------
    words
        Of a button, a tab, an entry of a menu, a cell or the header of a table.
    within
        The name of a container that they are in; "" for any.
    kind
        The class of the control, to tell a field from its label; "" for any.
    """
    top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    widgets = [top, *top.findChildren(QWidget)] if top is not None else QApplication.allWidgets()
    # Qt deletes widgets later than it lists them.
    widgets = [widget for widget in widgets if isValid(widget)]
    found = [
        place
        for widget in widgets
        if widget.isVisible() and kind in ("", type(widget).__name__) and (not within or _is_within(widget, within))
        for place in _places_in(widget, words)
    ]
    # A control and a part inside of it that carries the same words are one thing.
    outer = [p for p in found if not any(q.widget is not p.widget and q.widget.isAncestorOf(p.widget) for q in found)]
    clear = [place for place in outer if place.open_to_clicks]
    return replace(clear[0], top=top) if len(clear) == 1 else None


def _is_within(widget: QWidget, name: str) -> bool:
    above: QWidget | None = widget
    while above is not None:
        if name in written_on(above):
            return True
        above = above.parentWidget()
    return False


def _places_in(widget: QWidget, words: str) -> Iterator[Place]:
    if isinstance(widget, QMenu | QMenuBar):
        for action in widget.actions():
            if _plain(action) == words and action.isEnabled():
                yield Place(widget, widget.actionGeometry(action).center())
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            if widget.tabText(number).replace("&", "") == words:
                yield Place(widget, widget.tabRect(number).center())
    elif isinstance(widget, QHeaderView):
        model = widget.model()
        for section in range(widget.count()):
            text = model.headerData(section, widget.orientation()) if model is not None else None
            # Signs that keep a name in its order cannot be seen.
            text = text.strip("\u2066\u2068\u2069") if isinstance(text, str) else text
            if str(text or "").rstrip(" ↑↓") == words and not widget.isSectionHidden(section):
                left = widget.sectionViewportPosition(section)
                box = QRect(left, 0, widget.sectionSize(section), widget.height())
                yield Place(widget.viewport(), box.center())
    elif isinstance(widget, QAbstractItemView):
        for index in _cells(widget, words):
            yield Place(widget.viewport(), widget.visualRect(index).center())
    elif words in written_on(widget) and widget.isEnabled():
        yield Place(widget, widget.rect().center())


def _cells(view: QAbstractItemView, words: str) -> Iterator[QModelIndex]:
    model: QAbstractItemModel | None = view.model()
    if model is None:
        return
    for row in range(min(model.rowCount(QModelIndex()), 60)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())):
            index = model.index(row, column)
            if str(index.data()) == words and view.visualRect(index).intersects(view.viewport().rect()):
                yield index


def _can_click(place: Place | None) -> bool:
    return place is not None and place.open_to_clicks


def _window_of(place: Place) -> QWindow:
    window = place.widget.window().windowHandle()
    assert window is not None
    return window


def _click(find: Callable[[], Place | None], button: Qt.MouseButton) -> Place:
    """Click what is found, and give where it was."""
    place = _aim(find)
    window = _window_of(place)
    QTest.mouseClick(window, button, Qt.KeyboardModifier.NoModifier, window.mapFromGlobal(place.on_screen))
    return place


def _aim(find: Callable[[], Place | None]) -> Place:
    """Move the pointer to what is found, and after it if it moves: rows light up, and menus choose the entry below it.

    On a busy computer, a part of the window may be laid out only when the pointer is on its way, and a button that
    appears moves the ones beside it: a click at the place that was found first would meet another one, or none.
    """
    for _ in range(_AIMS):
        place = find()
        assert place is not None, "it went away before it was clicked"
        was, window = place.on_screen, _window_of(place)
        QTest.mouseMove(window, window.mapFromGlobal(was))
        now = find()
        if now is not None and now.widget is place.widget and now.on_screen == was:
            return now
    raise TimeoutError("it did not come to rest")

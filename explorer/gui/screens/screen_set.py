"""The screens of a window, each created when it is first needed: the window is shown before all of them exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, QTimer

from explorer.gui.app.module_queue import ModuleQueue
from explorer.gui.screens.registry import ScreenSpec
from explorer.gui.screens.screen import Screen
from explorer.gui.style.surfaces import style_next_part

_PRELOAD_MS = 20
# Between small steps, each of which takes a few milliseconds: what the user does comes first.
_STEP_MS = 5


class ScreenSet(Mapping[str, Screen]):
    """A mapping from ids to screens, which creates screens on request. `adopt(spec, screen)`: a new one."""

    def __init__(self, specs: Sequence[ScreenSpec], adopt: Callable[[ScreenSpec, Screen], None]) -> None:
        self._specs = {spec.id: spec for spec in specs}
        self._adopt = adopt
        self._screens: dict[str, Screen] = {}
        # Created but not adopted: the two take a turn of the event loop each, and `__getitem__` does both at once.
        self._ahead: dict[str, Screen] = {}
        # Parts first: an index that is opened at once needs the page about it before the other screens.
        parts = (part for spec in specs for part in spec.parts)
        self._modules = ModuleQueue([*parts, *(spec.module for spec in specs)])
        # Screens that have not been given yet what `owe` is about, and what gives it; those shown first come first.
        self._owed: list[str] = []
        self._give: Callable[[str, Screen], None] = lambda id, screen: None
        self._failed: set[str] = set()
        # In which they are made.
        self._order = list(self._specs)

    def __getitem__(self, id: str) -> Screen:
        spec = self._specs[id]
        if id not in self._screens:
            # Its modules may import a package that is there in part.
            self._modules.complete()
            screen = self._screens[id] = self._ahead.pop(id) if id in self._ahead else spec.load()()
            self._adopt(spec, screen)
        if id in self._owed:
            # Removed first: a screen may ask for another one, and that one for it.
            self._owed.remove(id)
            self._give(id, self._screens[id])
        return self._screens[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)

    def made(self) -> dict[str, Screen]:
        """The screens that were created so far."""
        return dict(self._screens)

    def got(self) -> dict[str, Screen]:
        """The screens that were created so far and are owed nothing."""
        return {id: screen for id, screen in self._screens.items() if id not in self._owed}

    def owe(self, give: Callable[[str, Screen], None]) -> None:
        """Owe every screen that was created a call: each gets it when it is asked for, or from `give_next`.

        give: Called with the id and the screen. It takes the place of a call that is still owed.
        """
        self._give = give
        # The visible screen is what the user looks at; all others can wait.
        self._owed = sorted(self._screens, key=lambda id: not self._screens[id].isVisible())

    def give_next(self) -> bool:
        """Give one screen what it is owed. False if nothing is owed."""
        if self._owed:
            self[self._owed[0]]
        return bool(self._owed)

    @property
    def settled(self) -> bool:
        """Whether no screen is owed anything."""
        return not self._owed

    @property
    def complete(self) -> bool:
        """Whether all screens were created, but for those that cannot be."""
        return not self._missing()

    def _missing(self) -> list[str]:
        return [id for id in self._order if id not in self._screens and id not in self._failed]

    def spec_of(self, screen: Screen) -> ScreenSpec:
        """The row of a screen that was created."""
        return next(self._specs[id] for id, known in self._screens.items() if known is screen)

    def id_with(self, property: str) -> str:
        """The id of the one screen whose row has a property of this name, such as `at_start`; see `check_screens`."""
        return next(id for id, spec in self._specs.items() if getattr(spec, property))

    def make_next(self) -> bool:
        """Import one more module, or create one more screen; the next call adopts it. False if all were created.

        Raises `Exception` if a screen cannot be created: once for each; the others are still created.
        """
        missing = self._missing()
        if not missing:
            return False
        self._modules.begin()
        if missing[0] in self._ahead:
            # Sheets for hundreds of widgets hold the window longer than all the rest: a turn for each part.
            if not style_next_part(self._ahead[missing[0]]):
                self[missing[0]]
        elif self._modules.ready(self._specs[missing[0]].module):
            self._make_ahead(missing[0])
        else:
            self._modules.step()
        return True

    def is_missing(self, id: str) -> bool:
        """Whether a screen is still to be made."""
        return id in self._missing()

    def hurry(self, id: str) -> bool:
        """Make a screen before the others that are missing. False if it exists, or cannot be made ahead."""
        if not self.is_missing(id):
            return False
        # Only one screen is made at a time: that which was begun is completed first.
        begun = [other for other in self._specs if other in self._ahead]
        rest = [other for other in self._specs if other not in (*begun, id)]
        self._order = [*begun, *([] if id in begun else [id]), *rest]
        return True

    @property
    def importing(self) -> bool:
        """Whether the modules of the next screen are still being imported."""
        missing = self._missing()
        return bool(missing) and not self._modules.ready(self._specs[missing[0]].module)

    @property
    def styling(self) -> bool:
        """Whether the next screen was created, and its parts get their style sheets."""
        return bool(self._ahead)

    def end(self) -> None:
        """Import nothing more, and discard what was made ahead: the window closes."""
        self._modules.end()
        for screen in self._ahead.values():
            screen.deleteLater()
        self._ahead.clear()

    def prepare_next(self) -> bool:
        """Have one screen make one more of its parts that are shown later. False if none has any left."""
        own = any(screen.prepare_next() for screen in self._screens.values())
        return own or self._prepare_later() or self._prepare_popover()

    def prepare(self, id: str) -> bool:
        """Have one screen make one more of its parts. False if none is left, or if the screen does not exist."""
        return id in self._screens and self._screens[id].prepare_next()

    def _prepare_later(self) -> bool:
        # The window is shown without it.
        from explorer.gui.widgets.layouts.later import LaterPage, LaterPopover

        screens = tuple(self._screens.values())
        return any(page.prepare_next() for screen in screens for page in screen.findChildren(LaterPage)) or any(
            popover.prepare_next() for screen in screens for popover in screen.findChildren(LaterPopover)
        )

    def _prepare_popover(self) -> bool:
        # The window is shown without it.
        from explorer.gui.widgets.fields.popover import Popover

        return any(popover.get_ready() for screen in self._screens.values() for popover in screen.findChildren(Popover))

    def _make_ahead(self, id: str) -> None:
        try:
            self._ahead[id] = self._specs[id].load()()
        except Exception:
            self._failed.add(id)
            raise


class Handover(QTimer):
    """Gives all screens something, such as the open index, in a turn of the event loop each."""

    def __init__(self, screens: ScreenSet, parent: QObject) -> None:
        super().__init__(parent, interval=0)
        self._screens = screens
        self.timeout.connect(self._give_another)

    def begin(self, give: Callable[[str, Screen], None]) -> None:
        """Begin; see `ScreenSet.owe`."""
        self._screens.owe(give)
        self.start()

    def _give_another(self) -> None:
        if not self._screens.give_next():
            self.stop()


class Preload(QTimer):
    """Creates the screens one by one after the window is shown, then what is shown later.

    others: Each makes one more part of the window that is shown later, before the parts of screens are made. False if
        none is left.
    """

    def __init__(self, screens: ScreenSet, parent: QObject, *others: Callable[[], bool]) -> None:
        super().__init__(parent, interval=_PRELOAD_MS)
        self._screens = screens
        self._later = (screens.make_next, *others, screens.prepare_next)
        self._wanted = ""
        self._then: Callable[[], object] = lambda: None
        self.timeout.connect(self._make_another)

    @property
    def wanted(self) -> str:
        """The id of the screen that was asked for and is still being made; "" for none."""
        return self._wanted

    def want(self, id: str, then: Callable[[], object]) -> None:
        """Call a function once a screen exists with its parts: now, or after they were made before all others.

        To make them at once takes up to a fifth of a second, in which the window would not answer.
        """
        self.forget()
        if self._screens.hurry(id) or self._screens.prepare(id):
            self._wanted, self._then = id, then
            self.start(0)
        else:
            then()

    def forget(self) -> None:
        """Want no screen any more."""
        self._wanted = ""

    def _make_another(self) -> None:
        if self._wanted:
            self._make_wanted()
        elif not any(make() for make in self._later):
            self.stop()
        steps = self._screens.importing or self._screens.styling
        self.setInterval(0 if self._wanted else _STEP_MS if steps else _PRELOAD_MS)

    def _make_wanted(self) -> None:
        missing, more = self._screens.is_missing(self._wanted), False
        try:
            more = self._screens.make_next() if missing else self._screens.prepare(self._wanted)
        finally:
            # Also if it cannot be made: who asks for it then gets the error.
            if not more:
                self.forget()
                self._then()

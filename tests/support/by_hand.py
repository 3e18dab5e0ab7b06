"""Slots and delays whose answers a test gives when it wants: presenters without a window, threads or waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.core.jobs import CancelToken, Kind, Progress, Report
from explorer.errors import Cancelled, CorpusError
from explorer.gui.presenting.job import Job


class HandSlot:
    """Keeps the newest request until `answer`; like a `Runner`, it forgets every earlier one."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind = name, kind
        self.asked = 0
        self.job: Job | None = None
        self._request: tuple[Any, Any, Any] | None = None
        self._working = False
        self._token = CancelToken()

    @property
    def busy(self) -> bool:
        return self._request is not None

    def run(
        self,
        work: Callable[[CancelToken], Any],
        done: Callable[[Any], None],
        failed: Callable[[CorpusError], None] | None = None,
        job: Job | None = None,
    ) -> None:
        self.asked += 1
        self.job = job
        self._request = (work, done, failed)
        self._token = CancelToken()

    def end(self, keep: bool) -> None:
        # The work learns of it in `answer`; what it returns is delivered, but not that it was cancelled.
        if keep:
            self._token.pause()
        else:
            self._token.cancel()

    def cancel(self) -> None:
        self._request = None

    def reporter(self, take: Callable[[Progress], None] | None = None) -> Report:
        # Of the request that `run` is about to make.
        number = self.asked + 1

        def report(progress: Progress) -> None:
            if take is not None and number == self.asked and self._working:
                take(progress)

        return report

    def interim(self, take: Callable[[Any], None], seconds: float = 0.5) -> Callable[[Callable[[], Any]], None]:
        # The work runs in `answer`, on this thread, so there can be no newer request.
        return lambda make: take(make())

    def answer(self) -> None:
        """Do the newest request's work and deliver its outcome; there must be one."""
        assert self._request is not None, f"nothing was asked of {self.name}"
        (work, done, failed), self._request = self._request, None
        self._working = True
        try:
            result = work(self._token)
        except Cancelled:
            return
        except CorpusError as error:
            if failed is not None:
                failed(error)
            return
        finally:
            self._working = False
        done(result)

    def fail(self, error: CorpusError) -> None:
        """Let the newest request fail."""
        assert self._request is not None, f"nothing was asked of {self.name}"
        (_, _, failed), self._request = self._request, None
        if failed is not None:
            failed(error)


class HandDelay:
    """Waits until `pass_by`."""

    def __init__(self, action: Callable[[], None]) -> None:
        self._action = action
        self.waiting = False

    def start(self) -> None:
        self.waiting = True

    def stop(self) -> None:
        self.waiting = False

    def pass_by(self) -> None:
        """The time is over; nothing happens if nobody waits."""
        if self.waiting:
            self.waiting = False
            self._action()


class HandServices:
    """Services whose slots are found by name."""

    def __init__(self) -> None:
        self.slots: dict[str, HandSlot] = {}
        self.delays: list[HandDelay] = []

    def slot(self, name: str, timed: bool = True, kind: Kind = Kind.ANSWER) -> HandSlot:
        assert name not in self.slots, f"two slots are named {name}"
        self.slots[name] = HandSlot(name, kind)
        return self.slots[name]

    def delay(self, milliseconds: int, action: Callable[[], None], asks: bool = True) -> HandDelay:
        self.delays.append(HandDelay(action))
        return self.delays[-1]

    def let_time_pass(self) -> None:
        """Every delay that waits is over."""
        for delay in self.delays:
            delay.pass_by()

    def answer_all(self) -> None:
        """Answer until nothing is asked any more."""
        while waiting := [slot for slot in self.slots.values() if slot.busy]:
            for slot in waiting:
                if slot.busy:
                    slot.answer()

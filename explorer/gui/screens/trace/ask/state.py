"""What the tab that asks models shows. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.errors import CorpusError
from explorer.gui.presenting.answer import Answer
from explorer.gui.presenting.hints import told
from explorer.gui.screens.trace.ask.work import Manner, Said
from explorer.gui.style.text_positions import short_text
from explorer.i18n import counted, numeral, tr
from explorer.neural.address import Address, ServerError, address_of
from explorer.neural.models import passes_on, shown_name

USUAL_URL = "http://127.0.0.1:8080"
"""Where llama.cpp's server is unless told otherwise."""
ASK_AGAIN, SEND, ADDRESS = "again", "send", "address"
"""What can be done about an answer that failed."""
_OF_CONSENT = ("not-this-machine", "passed-on")


@dataclass(frozen=True)
class Seat:
    """Which model is asked.

    url: The address of its server.
    model: Its name on the server; "" for the first one of the server.
    """

    url: str = USUAL_URL
    model: str = ""

    @property
    def address(self) -> Address | None:
        """The address, read; None if it is not one."""
        return self._read()[0]

    @property
    def problem(self) -> str:
        """Why it is not an address; "" if it is."""
        return self._read()[1]

    def _read(self) -> tuple[Address | None, str]:
        try:
            return address_of(self.url, lambda host: True), ""
        except ServerError as error:
            return None, told(error)

    @property
    def host(self) -> str:
        """The host and the port."""
        address = self.address
        return self.url if address is None else address.name

    @property
    def name(self) -> str:
        """The model as a person knows it."""
        return shown_name(self.model) if self.model else tr("First model")

    @property
    def stays_here(self) -> bool:
        """Whether it runs on this machine, as far as the address and the name of the model tell."""
        address = self.address
        return address is not None and address.is_local and not passes_on(self.model)


@dataclass(frozen=True, eq=False)
class SideState:
    """One model and its answer.

    seat: Which model is asked.
    said: The newest answer: awaited while it is written.
    manner: How it was asked.
    """

    seat: Seat = field(default_factory=Seat)
    said: Answer[Said] = field(default_factory=Answer)
    manner: Manner = field(default_factory=Manner)

    @property
    def answering(self) -> bool:
        """Whether the model is at work."""
        return self.said.awaited

    @property
    def model(self) -> str:
        """The model that answered, or that is asked next."""
        said = self.said.value
        return shown_name(said.model) if said is not None and said.model else self.seat.name

    @property
    def facts(self) -> str:
        """Tokens and speed of the newest answer, and how it ended; "" before the first question."""
        said = self.said.value
        if said is None:
            return ""
        if not said.pieces:
            return tr("Waiting for the first token …") if self.answering else ""
        if said.thinks and self.answering:
            return tr("Thinking …")
        return " · ".join(filter(None, (self._tokens(said), _speed(said), self._ending(said))))

    def _tokens(self, said: Said) -> str:
        # Servers send a part per token, mostly: only some tell at the end how many there were.
        return f"≈ {counted('token', said.pieces)}" if said.tokens is None else counted("token", said.tokens)

    def _ending(self, said: Said) -> str:
        if self.answering:
            return ""
        if said.reason == "length":
            return tr("cut at the length limit")
        if said.reason:
            return ""
        return tr("broke off") if self.said.error is not None else tr("stopped")

    @property
    def notice(self) -> str:
        """Why the newest question was not answered to the end; "" for nothing."""
        return "" if self.said.error is None or self.answering else told(self.said.error)

    @property
    def kind(self) -> str:
        """The kind of the notice: a question about consent is not an error."""
        error = self.said.error
        return "warn" if error is None or error.reason in _OF_CONSENT else "error"

    @property
    def consent(self) -> str:
        """What the user is asked to allow: a host or a model; "" for nothing."""
        error = self.said.error
        if error is None or error.reason not in _OF_CONSENT:
            return ""
        return str(error.fields["host" if error.reason == "not-this-machine" else "model"])

    @property
    def remedies(self) -> tuple[str, ...]:
        """What can be done about the notice."""
        if not self.notice:
            return ()
        return (SEND, ADDRESS) if self.consent else (ASK_AGAIN, ADDRESS)


def _speed(said: Said) -> str:
    if said.speed is None:
        return ""
    # Below ten, a decimal tells more than a rounded number.
    number = numeral(said.speed, ".0f" if said.speed >= 9.95 else ".1f")
    return (
        tr("≈ {number} tokens per second", number=number)
        if said.tokens is None
        else tr("{number} tokens per second", number=number)
    )


@dataclass(frozen=True, eq=False)
class AskState:
    """The question, and how it is asked.

    manner: Temperature, length and system prompt.
    two: Whether two models are asked.
    active: The side whose documents are listed.
    allowed: Hosts and models to which the user agreed to send texts; forgotten with the window.
    keys: What servers ask for, by host and port; forgotten with the window.
    error: Why something else failed.
    """

    question: str = ""
    manner: Manner = field(default_factory=Manner)
    two: bool = False
    active: int = 0
    allowed: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    error: CorpusError | None = None

    def key_of(self, seat: Seat) -> str | None:
        """The key of a model's server; None for none. A key goes to no other host than the one it was typed for."""
        return self.keys.get(seat.host) or None

    @property
    def manner_text(self) -> str:
        """Temperature and length in a few words."""
        return tr(
            "Temperature {temperature} · {tokens}",
            temperature=numeral(self.manner.temperature, ".1f"),
            tokens=counted("token", self.manner.most_tokens),
        )

    @property
    def manner_hint(self) -> str:
        """The beginning of the system prompt, or that there is none."""
        system = self.manner.system.strip()
        return tr("System prompt: {text}", text=short_text(system)) if system else tr("No system prompt")

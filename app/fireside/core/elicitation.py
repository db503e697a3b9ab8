"""MCP elicitations: requests for user input during a tool call, and the protocol of their handler."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

import msgspec

from fireside.core.graphemes import without_invisible


class FieldKind(StrEnum):
    """The kind of a form field's value."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    SWITCH = "switch"
    CHOICE = "choice"
    CHOICES = "choices"
    JSON = "json"
    """Any value, as the text of its JSON; of arguments only."""


class ElicitationField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a form."""

    name: str
    label: str
    description: str = ""
    kind: FieldKind = FieldKind.TEXT
    is_required: bool = False
    options: tuple[tuple[str, str], ...] = ()
    """Pairs of value and label."""
    default: str | int | float | bool | tuple[str, ...] | None = None
    minimum: float | None = None
    """The bounds of a number, or of a text's length."""
    maximum: float | None = None


class Elicitation(msgspec.Struct, frozen=True, kw_only=True):
    """A request of a server for user input within a call: a form, or a URL to open."""

    number: int
    server: str
    message: str
    fields: tuple[ElicitationField, ...] = ()
    url: str = ""


class ElicitationAction(StrEnum):
    """The user's response to an elicitation, as the protocol names it."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


class ElicitationReply(msgspec.Struct, frozen=True, kw_only=True):
    """The user's reply. ``content`` contains the values of an accepted form by field name."""

    number: int
    action: ElicitationAction
    content: dict[str, str | int | float | bool | tuple[str, ...]] = {}


class CallObserver(Protocol):
    """Receives progress and elicitations of a running tool call."""

    def on_progress(self, message: str, fraction: float | None) -> None:
        """Handle a progress report; ``fraction`` is 0 to 1, ``None`` if unknown."""

    def on_output(self, text: str) -> None:
        """Handle what the call has returned so far."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        """Return the user's reply. Cancelled when the call ends."""


def progress_text(message: str, fraction: float | None) -> str:
    """Return a progress report on one line, for the user."""
    percent = "" if fraction is None else f"{min(max(fraction, 0.0), 1.0):.0%}"
    return " · ".join(filter(None, (percent, without_invisible(message))))


class _NoObserver:
    def on_progress(self, message: str, fraction: float | None) -> None:
        """Ignore the progress."""

    def on_output(self, text: str) -> None:
        """Ignore the output."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        """Cancel, since there is no user to ask."""
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.CANCEL)


NO_OBSERVER: Final[CallObserver] = _NoObserver()

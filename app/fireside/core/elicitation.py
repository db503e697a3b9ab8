"""MCP elicitations: what a server asks the user during a tool call, and who handles it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

import msgspec


class FieldKind(StrEnum):
    """What a field of a form takes."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    SWITCH = "switch"
    CHOICE = "choice"
    CHOICES = "choices"


class ElicitationField(msgspec.Struct, frozen=True, kw_only=True):
    """One value that a server asks the user for."""

    name: str
    label: str
    description: str = ""
    kind: FieldKind = FieldKind.TEXT
    is_required: bool = False
    options: tuple[tuple[str, str], ...] = ()
    """Value and label of each."""
    default: str | int | float | bool | tuple[str, ...] | None = None
    minimum: float | None = None
    """Of a number; of a text its length."""
    maximum: float | None = None


class Elicitation(msgspec.Struct, frozen=True, kw_only=True):
    """What a server asks the user within a call: a form, or an address to open."""

    number: int
    server: str
    message: str
    fields: tuple[ElicitationField, ...] = ()
    url: str = ""


class ElicitationAction(StrEnum):
    """What the user said to an elicitation, in the words of the protocol."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


class ElicitationReply(msgspec.Struct, frozen=True, kw_only=True):
    """``content`` has the values of an accepted form by the names of its fields."""

    number: int
    action: ElicitationAction
    content: dict[str, str | int | float | bool | tuple[str, ...]] = {}


class CallObserver(Protocol):
    """Receives progress and elicitations of a running tool call."""

    def on_progress(self, message: str, fraction: float | None) -> None:
        """Handle a progress report; ``fraction`` is 0 to 1, ``None`` if unknown."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        """Return the user's reply. Cancelled when the call ends."""


class _Unwatched:
    def on_progress(self, message: str, fraction: float | None) -> None:
        """Ignore it."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        """Cancel: there is no user to ask."""
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.CANCEL)


NO_OBSERVER: Final[CallObserver] = _Unwatched()

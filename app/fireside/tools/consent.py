"""Decide which calls may run. Pure: the same facts, the same decision.

Of private data, untrusted content and an effect outside of the chat, a chat has at most two without the user:
instructions in a text that others wrote can then not carry the user's data away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    MessagePart,
    PassagesPart,
    ToolResultPart,
)
from fireside.core.tools import AllowedBy, CallState, Permission, Sources, Taint
from fireside.tools.documents import SEARCH_DOCUMENTS

ALL: Final = frozenset(Taint)
_ATTACHED: Final = (Taint.PRIVATE, Taint.UNTRUSTED)
_TOUCHED: Final = frozenset({CallState.RUNNING, CallState.DONE, CallState.FAILED, CallState.STOPPED})


class Verdict(StrEnum):
    """What becomes of a call."""

    RUN = "run"
    ASK = "ask"
    REFUSE = "refuse"


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict, and what it rests on."""

    verdict: Verdict
    allowed_by: AllowedBy | None = None
    is_risky: bool = False
    """With the call the chat has all taints: no standing permission counts."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """A permission as it was given: for the tool that had this fingerprint then."""

    permission: Permission
    fingerprint: str


def decide(
    *,
    fingerprint: str,
    default: Permission,
    granted: Granted | None,
    in_chat: bool,
    chat: frozenset[Taint],
    call: frozenset[Taint],
    prompts_each_time: bool = False,
) -> Decision:
    """Decide one call.

    ``granted`` is what the user decided about the tool of this name, ``in_chat`` whether it is allowed in
    this chat, ``chat`` what the chat has touched, also by calls before this one that may still run.
    """
    permission = permission_of(granted, fingerprint=fingerprint, default=default)
    if permission is Permission.NEVER:
        return Decision(verdict=Verdict.REFUSE)
    if call and chat | call == ALL:
        return Decision(verdict=Verdict.ASK, is_risky=True)
    if prompts_each_time:
        return Decision(verdict=Verdict.ASK)
    if permission is Permission.ALWAYS:
        return Decision(verdict=Verdict.RUN, allowed_by=AllowedBy.POLICY)
    if in_chat:
        return Decision(verdict=Verdict.RUN, allowed_by=AllowedBy.CHAT)
    return Decision(verdict=Verdict.ASK)


def permission_of(granted: Granted | None, *, fingerprint: str, default: Permission) -> Permission:
    """Return what holds: a tool that is another than the user decided on is asked about, or stays refused."""
    if granted is None:
        return default
    if granted.fingerprint == fingerprint or granted.permission is Permission.NEVER:
        return granted.permission
    return Permission.ASK


def sources_of(messages: Iterable[ChatMessage]) -> Sources:
    """Return what of the messages of a branch has brought something in or taken it out."""
    found: dict[tuple[Taint, str], None] = {}
    for message in messages:
        for part in message.parts:
            taints, name = _touched_by(part)
            found |= dict.fromkeys((taint, name) for taint in taints)
    return tuple(found)


def _touched_by(part: MessagePart) -> tuple[Iterable[Taint], str]:
    match part:
        case DocumentPart() | ImagePart():
            return _ATTACHED, part.server
        case PassagesPart():
            return _ATTACHED, SEARCH_DOCUMENTS
        case ToolResultPart() if part.state in _TOUCHED:
            return part.taints, part.name
        case _:
            return (), ""


def taints_of(sources: Sources) -> frozenset[Taint]:
    """Return what a chat has touched."""
    return frozenset(taint for taint, _ in sources)


def read_grants(lines: Iterable[str]) -> dict[str, Granted]:
    """Return the permissions by name of the tool; a line that says nothing known grants nothing."""
    grants: dict[str, Granted] = {}
    for line in lines:
        name, permission, fingerprint = (*line.split(), "", "", "")[:3]
        if name and permission in tuple(Permission):
            grants[name] = Granted(permission=Permission(permission), fingerprint=fingerprint)
    return grants


def write_grants(grants: Mapping[str, Granted]) -> tuple[str, ...]:
    """Return the lines that ``read_grants`` reads."""
    return tuple(
        f"{name} {granted.permission.value} {granted.fingerprint}" for name, granted in grants.items()
    )

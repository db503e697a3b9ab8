"""Decide which tool calls may run. Pure.

Of private data, untrusted content and an outbound effect, a chat gets at most two without the user's consent:
instructions in untrusted text can then not exfiltrate the user's data.
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
_ATTACHMENT_TAINTS: Final = (Taint.PRIVATE, Taint.UNTRUSTED)
_EXECUTED: Final = frozenset({CallState.RUNNING, CallState.DONE, CallState.FAILED, CallState.STOPPED})


class ConsentVerdict(StrEnum):
    """What happens to a call."""

    RUN = "run"
    ASK = "ask"
    REFUSE = "refuse"


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict and its reasons."""

    verdict: ConsentVerdict
    allowed_by: AllowedBy | None = None
    is_risky: bool = False
    """This call would give the chat all taints: standing permissions do not count."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """A permission as it was given, with the tool's fingerprint at that time."""

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

    ``granted`` is the user's decision about the tool of this name, ``in_chat`` whether it is allowed in this
    chat, ``chat`` the taints of the chat, including those of earlier calls that may still run.
    """
    permission = permission_of(granted, fingerprint=fingerprint, default=default)
    if permission is Permission.NEVER:
        return Decision(verdict=ConsentVerdict.REFUSE)
    if call and chat | call == ALL:
        return Decision(verdict=ConsentVerdict.ASK, is_risky=True)
    if prompts_each_time:
        return Decision(verdict=ConsentVerdict.ASK)
    if permission is Permission.ALWAYS:
        return Decision(verdict=ConsentVerdict.RUN, allowed_by=AllowedBy.POLICY)
    if in_chat:
        return Decision(verdict=ConsentVerdict.RUN, allowed_by=AllowedBy.CHAT)
    return Decision(verdict=ConsentVerdict.ASK)


def permission_of(granted: Granted | None, *, fingerprint: str, default: Permission) -> Permission:
    """Return the permission in force: a tool that changed since the decision is asked about, or stays
    refused."""
    if granted is None:
        return default
    if granted.fingerprint == fingerprint or granted.permission is Permission.NEVER:
        return granted.permission
    return Permission.ASK


def sources_of(messages: Iterable[ChatMessage]) -> Sources:
    """Return the taints of the messages of a branch, each with the tool or server that it comes from."""
    sources: dict[tuple[Taint, str], None] = {}
    for message in messages:
        for part in message.parts:
            taints, name = _taints_of_part(part)
            sources |= dict.fromkeys((taint, name) for taint in taints)
    return tuple(sources)


def _taints_of_part(part: MessagePart) -> tuple[Iterable[Taint], str]:
    match part:
        case DocumentPart() | ImagePart():
            return _ATTACHMENT_TAINTS, part.server
        case PassagesPart():
            return _ATTACHMENT_TAINTS, SEARCH_DOCUMENTS
        case ToolResultPart() if part.state in _EXECUTED:
            return part.taints, part.name
        case _:
            return (), ""


def taints_of(sources: Sources) -> frozenset[Taint]:
    """Return the taints of a chat."""
    return frozenset(taint for taint, _ in sources)


def read_grants(lines: Iterable[str]) -> dict[str, Granted]:
    """Return the permissions by name of the tool; an invalid line grants nothing."""
    grants: dict[str, Granted] = {}
    for line in lines:
        name, permission, fingerprint = (*line.split(), "", "", "")[:3]
        if name and permission in tuple(Permission):
            grants[name] = Granted(permission=Permission(permission), fingerprint=fingerprint)
    return grants


def write_grants(grants: Mapping[str, Granted]) -> tuple[str, ...]:
    """Return the lines that ``read_grants`` parses."""
    return tuple(
        f"{name} {granted.permission.value} {granted.fingerprint}" for name, granted in grants.items()
    )

"""Bring this program together with the engine that runs already, or make its own the one that others use."""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

import msgspec

from fireside import __version__
from fireside.bridge.runtime_folder import chats_endpoint, engine_endpoint
from fireside.engine.sharing.joined_engine import EngineUnresponsive, VersionMismatch
from fireside.engine.sharing.shared_engine import SharedEngine

log = logging.getLogger(__name__)


class ProgramLifetime(Enum):
    """How long a program runs, and so who may use its engine."""

    FOR_A_COMMAND = auto()
    """Others may not: it ends with the command."""
    FOR_A_CHAT = auto()
    """Other chats and commands may where nothing that stays for long runs, until the chat ends."""
    LONG = auto()
    """All may."""


class EngineSharing(msgspec.Struct, frozen=True, kw_only=True):
    """How a program shares an engine with others of the same user and data folder."""

    name: str
    """What it is called in lists of who uses a model."""
    stays: ProgramLifetime
    say: Callable[[str], object] = log.warning
    """Takes a line on why the engine that runs is not used."""


async def share_engine(engine: SharedEngine, sharing: EngineSharing, *, data_folder: Path) -> None:
    """Use the engine that runs, if one does. Where that cannot be, the engine is this program's own."""

    async def find() -> None:
        place, chats, name = engine_endpoint(data_folder), chats_endpoint(data_folder), sharing.name
        match sharing.stays:
            case ProgramLifetime.LONG:
                await engine.share(place, name=name)
            case ProgramLifetime.FOR_A_CHAT:
                if not await engine.join(place, name=name, on_lost=find):
                    await engine.share(chats, name=name, on_lost=find)
            case ProgramLifetime.FOR_A_COMMAND:
                if not await engine.join(place, name=name):
                    await engine.join(chats, name=name)

    try:
        await find()
    except (VersionMismatch, EngineUnresponsive) as exc:
        sharing.say(not_shared_text(exc))
    except OSError as exc:
        log.warning("the engine is not shared: %r", exc)


def not_shared_text(error: VersionMismatch | EngineUnresponsive) -> str:
    """Say why the engine that runs cannot be used, and what helps."""
    if isinstance(error, EngineUnresponsive):
        return (
            "Fireside is running but does not answer, so its loaded models cannot be used. "
            "Quit it and start it again.\n"
        )
    return (
        f"Fireside {error.version} is running and this is {__version__}, so they share no loaded models. "
        "Quit the other one to use only this version.\n"
    )

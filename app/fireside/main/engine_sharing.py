"""Share one engine between the programs of a user: use the running one, or offer this program's own."""

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
    """How long a program runs, which decides who may use its engine."""

    FOR_A_COMMAND = auto()
    """No other program may: it ends with the command."""
    FOR_A_CHAT = auto()
    """Other chats and commands may, where no window or server runs, until the chat ends."""
    LONG = auto()
    """All programs may."""


class EngineSharing(msgspec.Struct, frozen=True, kw_only=True):
    """How a program shares an engine with others of the same user and data folder."""

    name: str
    """The name of the program in lists of the clients of a model."""
    lifetime: ProgramLifetime
    warn: Callable[[str], object] = log.warning
    """Takes a line that says why the running engine is not used."""


async def share_engine(engine: SharedEngine, sharing: EngineSharing, *, data_folder: Path) -> None:
    """Use a running engine if there is one; otherwise, or if that fails, this program's own engine."""

    async def find() -> None:
        endpoint, chats, name = engine_endpoint(data_folder), chats_endpoint(data_folder), sharing.name
        match sharing.lifetime:
            case ProgramLifetime.LONG:
                await engine.share(endpoint, name=name)
            case ProgramLifetime.FOR_A_CHAT:
                if not await engine.join(endpoint, name=name, on_lost=find):
                    await engine.share(chats, name=name, on_lost=find)
            case ProgramLifetime.FOR_A_COMMAND:
                if not await engine.join(endpoint, name=name):
                    await engine.join(chats, name=name)

    try:
        await find()
    except (VersionMismatch, EngineUnresponsive) as exc:
        sharing.warn(not_shared_text(exc))
    except OSError as exc:
        log.warning("the engine is not shared: %r", exc)


def not_shared_text(error: VersionMismatch | EngineUnresponsive) -> str:
    """Return why the running engine cannot be used, and what helps."""
    if isinstance(error, EngineUnresponsive):
        return (
            "Fireside is running but does not answer, so its loaded models cannot be used. "
            "Quit it and start it again.\n"
        )
    return (
        f"Fireside {error.version} is running and this is {__version__}, so they share no loaded models. "
        "Quit the other one to use only this version.\n"
    )

"""Bring this program together with the engine that runs already, or make its own the one that others use."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from fireside import __version__
from fireside.bridge.runtime_folder import engine_place
from fireside.engine.sharing.joined_engine import OtherVersion
from fireside.engine.sharing.shared_engine import SharedEngine

log = logging.getLogger(__name__)


class EngineSharing(msgspec.Struct, frozen=True, kw_only=True):
    """How a program shares an engine with others of the same user and data folder."""

    name: str
    """What it is called in lists of who uses a model."""
    stays: bool = False
    """It runs for long: where no engine is shared yet, others may use its own."""
    say: Callable[[str], object] = log.warning
    """Takes a line on why the engine that runs is not used."""


async def share_engine(engine: SharedEngine, sharing: EngineSharing, *, data_folder: Path) -> None:
    """Use the engine that runs, if one does. Where that cannot be, the engine is this program's own."""
    try:
        place = engine_place(data_folder)
        await (engine.share if sharing.stays else engine.join)(place, name=sharing.name)
    except OtherVersion as exc:
        sharing.say(other_version_words(exc))
    except OSError as exc:
        log.warning("the engine is not shared: %r", exc)


def other_version_words(error: OtherVersion) -> str:
    """Say what another version that runs means, and what helps."""
    return (
        f"Fireside {error.version} is running and this is {__version__}, so they share no loaded models. "
        "Quit the other one to use only this version.\n"
    )

"""What is loaded in the engine that runs: ``fireside ps``, and ``fireside stop`` to unload it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar, assert_never

import msgspec

from fireside.cli.columns import columns
from fireside.cli.screen import printable
from fireside.core.errors import format_bytes
from fireside.core.options import Purpose
from fireside.core.status import (
    Broken,
    LoadingModel,
    OnRemoteEngine,
    Ready,
    RunningModel,
    Unloaded,
    Unloading,
)

PS_COMMAND: Final = "ps"
STOP_COMMAND: Final = "stop"
RUNNING_COMMANDS: Final = (PS_COMMAND, STOP_COMMAND)

NOT_RUNNING: Final = "Fireside is not running, so no model is loaded."
NOTHING_LOADED: Final = "Fireside is running; no model is loaded."

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
_HEAD: Final = ("NAME", "SIZE", "DEVICE", "CONTEXT", "STATE", "USED BY", "UNLOADED")
_NUMBERS: Final = (1, 3)
_UNKNOWN: Final = "–"
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600
_KINDS: Final[Mapping[str, str]] = {Purpose.EMBED: "embeddings", Purpose.RERANK: "reranking"}


class RunningRow(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded model for a program to read. Sizes in bytes, times in seconds."""

    model: str
    name: str
    state: str
    purpose: str
    """What it is loaded for: ``generate``, ``embed`` or ``rerank``."""
    pid: int | None = None
    size_bytes: int | None = None
    """What it takes, all devices together."""
    devices: tuple[str, ...] = ()
    """The processor first."""
    n_layers: int | None = None
    n_gpu_layers: int | None = None
    n_ctx: int | None = None
    """Of one answer."""
    n_seq_max: int | None = None
    """How many answers it can write at once."""
    n_active: int = 0
    """How many it writes now."""
    clients: tuple[str, ...] = ()
    """Who these are for: a name for each, and the process id of a program that uses another's engine."""
    loaded_part: float | None = None
    """Of the file, while it loads, 0 to 1."""
    expires_in_s: float | None = None
    """Until it is unloaded while unused; nothing while it is used, and where it stays."""


def add_running_commands(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the commands about what is loaded."""
    ps = commands.add_parser(
        PS_COMMAND,
        help="list loaded models",
        description="List the models that are loaded, and who uses them: in the window, “fireside serve” or "
        "a chat in a terminal, whose models “fireside run” uses too. Those loaded with --own are not listed.",
    )
    ps.add_argument("--json", action="store_true", dest="as_json", help="print as JSON")
    stop = commands.add_parser(
        STOP_COMMAND,
        help="unload a model",
        description="Unload a model now, even if another program uses it. A running answer is stopped.",
    )
    stop.add_argument("name", metavar="model", help="a name from “fireside ps”")


def running_table(models: Sequence[RunningModel]) -> str:
    """Return a line for each model that is loaded."""
    return columns([_HEAD, *map(_row, models)], numbers=_NUMBERS)


def running_json(models: Sequence[RunningModel], *, is_running: bool) -> str:
    """Return the same as JSON: ``running``, and ``models``."""
    whole = {"running": is_running, "models": [_for_program(model) for model in models]}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def find_running(models: Sequence[RunningModel], name: str) -> tuple[RunningModel, ...]:
    """Return the loaded models that can be meant: those called so, else those whose name begins so."""
    wanted = _plain(name)
    whole = [model for model in models if wanted in (_plain(model.model_id), _plain(model.name))]
    begun = [
        model
        for model in models
        if wanted and (_plain(model.model_id).startswith(wanted) or _plain(model.name).startswith(wanted))
    ]
    return tuple(whole or begun)


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix(".gguf").replace(" ", "-")


def _row(model: RunningModel) -> tuple[str, ...]:
    row = _for_program(model)
    size = format_bytes(row.size_bytes) if row.size_bytes is not None else _UNKNOWN
    context = _UNKNOWN
    if row.n_ctx is not None:
        context = f"{row.n_ctx:,}"
    return (
        printable(model.model_id),
        size,
        printable(_devices(row)),
        context,
        _state(row),
        _users(row),
        _until(row),
    )


def _devices(row: RunningRow) -> str:
    if not row.devices:
        return _UNKNOWN
    computer, *cards = row.devices
    if not cards or row.n_layers is None or row.n_gpu_layers is None:
        return computer
    names = ", ".join(cards)
    if row.n_gpu_layers > row.n_layers:
        return names
    return f"{names} ({row.n_gpu_layers} of {row.n_layers + 1} layers), {computer}"


def _state(row: RunningRow) -> str:
    kind = _KINDS.get(row.purpose)
    return _doing(row) if kind is None else f"{_doing(row)} ({kind})"


def _doing(row: RunningRow) -> str:
    if row.n_active:
        return "1 answer" if row.n_active == 1 else f"{row.n_active} answers"
    if row.loaded_part is not None:
        return f"loading {row.loaded_part:.0%}"
    return row.state


def _users(row: RunningRow) -> str:
    if not row.clients:
        return _UNKNOWN
    counted = Counter(row.clients)
    return printable(", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counted.items()))


def _until(row: RunningRow) -> str:
    if row.state != "ready":
        return _UNKNOWN
    if row.expires_in_s is None:
        return "while answering" if row.n_active else "when memory is needed"
    if row.expires_in_s < _MINUTE_S:
        return f"in {row.expires_in_s:.0f} s"
    if row.expires_in_s < _HOUR_S:
        return f"in {row.expires_in_s / _MINUTE_S:.0f} min"
    return f"in {row.expires_in_s / _HOUR_S:.1f} h"


def _for_program(model: RunningModel) -> RunningRow:
    row = RunningRow(
        model=model.model_id,
        name=model.name,
        state="ready",
        purpose=model.purpose,
        pid=model.pid,
        expires_in_s=model.expires_in_s,
        clients=model.clients,
    )
    match model.state:
        case Ready(loaded=loaded, n_active=n_active):
            return msgspec.structs.replace(
                row,
                size_bytes=loaded.n_bytes,
                devices=loaded.devices,
                n_layers=loaded.n_layers,
                n_gpu_layers=loaded.n_gpu_layers,
                n_ctx=loaded.n_ctx,
                n_seq_max=loaded.n_seq_max,
                n_active=n_active,
            )
        case LoadingModel(fraction=fraction):
            return msgspec.structs.replace(row, state="loading", loaded_part=fraction)
        case Unloading() | Unloaded() | OnRemoteEngine():
            return msgspec.structs.replace(row, state="unloading")
        case Broken():
            return msgspec.structs.replace(row, state="broken")
        case _:
            assert_never(model.state)

"""Run the command about builds of llama.cpp; it builds only their service."""

from __future__ import annotations

import asyncio
import sys

from fireside.cli.arguments import Arguments
from fireside.cli.exit_handling import INTERRUPTED
from fireside.cli.runtimes import run_action, show_step
from fireside.cli.screen import Screen
from fireside.core.errors import ModelNotFound
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.hub.connection_log import ConnectionLog
from fireside.main.about_setup import build_runtime_downloads
from fireside.main.hub_setup import build_access, build_secrets, route_of
from fireside.main.library_setup import build_library
from fireside.main.runtime_setup import build_runtime_parts
from fireside.main.startup_context import StartupContext
from fireside.services.machine.runtime_service import RuntimeService
from fireside.settings.redaction import Redaction
from fireside.settings.values import AppLayer, Layer, ModelLayer


def run_runtime_command(context: StartupContext, arguments: Arguments) -> int:
    """List runtimes or do something with one. Returns the exit status; raises ``FiresideError``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    try:
        return asyncio.run(_run(context, arguments, screen=screen))
    except KeyboardInterrupt:
        screen.say("\nCancelled; nothing was added.\n")
        return INTERRUPTED


async def _run(context: StartupContext, arguments: Arguments, *, screen: Screen) -> int:
    async def change(layer: Layer, /, *, key: str, value: SettingValue) -> None:
        assert isinstance(layer, AppLayer | ModelLayer), "runtimes are not set per chat"
        await asyncio.to_thread(context.settings.change, layer, key=key, value=value)

    def find_model(name: str) -> ModelId:
        entry = build_library(context).find(name)
        if entry.spec is None:
            raise ModelNotFound(name=name)
        return entry.spec.id

    log = ConnectionLog()
    access = build_access(context, build_secrets(context, redaction=Redaction()), log=log)
    downloads = build_runtime_downloads(context, route=route_of(access), log=log)
    runtimes = RuntimeService(
        build_runtime_parts(context.paths, downloads=downloads),
        settings=context.settings,
        change=change,
        emit=show_step(screen),
    )
    return await run_action(runtimes, arguments.runtime, find_model=find_model, screen=screen)

"""``fireside components``: list, install and remove the parts that no package contains."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from fireside.cli.command_parser import CommandParser, RunCommand
from fireside.cli.exit_handling import INTERRUPTED
from fireside.cli.screen import Screen, columns, json_text
from fireside.core.components import COMPONENTS, ComponentProgressed
from fireside.core.errors import format_bytes
from fireside.core.events import AppEvent
from fireside.core.i18n import tr

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext
    from fireside.services.components import ComponentService


def define(command: CommandParser) -> None:
    """Add what may be typed after ``components``."""
    command.description = (
        "Parts of Fireside that no package contains. They are downloaded from a package index (the setting "
        "hub.package_index), checked against the checksums that Fireside knows, and kept in the data folder."
    )
    list_ = command.add_action("list", _with_components(list_components), help="list components")
    list_.add_argument("--json", dest="as_json", action="store_true", help="print as JSON")
    install = command.add_action("install", _with_components(install_component), help="download one")
    remove = command.add_action("remove", _with_components(remove_component), help="delete one")
    for each in (install, remove):
        each.add_argument("name", choices=tuple(COMPONENTS), help="what “fireside components list” names")


async def list_components(service: ComponentService, screen: Screen, *, as_json: bool) -> int:
    """Print the components."""
    components = await service.components()
    if as_json:
        screen.write(json_text(components))
        return 0
    rows = [
        (
            each.id,
            each.version,
            "installed" if each.is_installed else "" if each.download_bytes else "not for this computer",
            format_bytes(each.disk_bytes if each.is_installed else each.download_bytes),
            each.licence,
            tr(each.purpose),
        )
        for each in components
    ]
    screen.write(columns([("NAME", "VERSION", "STATE", "SIZE", "LICENCE", "FOR"), *rows], numbers=(3,)))
    return 0


async def install_component(service: ComponentService, screen: Screen, *, name: str) -> int:
    """Download a component. Raises ``FiresideError``."""
    await service.install(name)
    screen.say(f"\r“{name}” installed.\n")
    return 0


async def remove_component(service: ComponentService, screen: Screen, *, name: str) -> int:
    """Delete a component. Raises ``FiresideError``."""
    await service.remove(name)
    screen.say(f"“{name}” removed.\n")
    return 0


def _with_components(work: Callable[..., Coroutine[Any, Any, int]]) -> RunCommand:
    @functools.wraps(work)
    def run(context: StartupContext, **arguments: Any) -> int:
        screen = Screen(output=sys.stdout, status=sys.stderr)

        async def build_and_work() -> int:
            return await work(_service(context, screen), screen, **arguments)

        try:
            return asyncio.run(build_and_work())
        except KeyboardInterrupt:
            screen.say("\nCancelled. The next “install” resumes the download.\n")
            return INTERRUPTED

    return run


def _service(context: StartupContext, screen: Screen) -> ComponentService:
    from fireside.hub.connection_log import ConnectionLog
    from fireside.main.network import build_access, build_components, build_secrets
    from fireside.services.components import ComponentService
    from fireside.settings.redaction import Redaction

    def show(event: AppEvent) -> None:
        if isinstance(event, ComponentProgressed):
            screen.say(f"\rDownloading … {event.fraction:.0%}")

    log = ConnectionLog()
    access = build_access(context, build_secrets(context, redaction=Redaction()), log=log)
    return ComponentService(build_components(context, access, log=log), emit=show)

"""Run the commands that export and import conversations; they open only the database."""

from __future__ import annotations

import asyncio
import sys
import time

from fireside.cli.arguments import Arguments
from fireside.cli.screen import Screen, one_line
from fireside.cli.transfer import (
    EXPORT_COMMAND,
    export_conversations,
    format_of,
    import_conversations,
)
from fireside.main.startup_context import StartupContext
from fireside.services.transfer.transfer_service import TransferService
from fireside.storage.store import Store


def run_transfer_command(context: StartupContext, arguments: Arguments) -> int:
    """Export or import; a window may be open. Returns the exit status; raises ``FiresideError``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    return asyncio.run(_run(context, arguments, screen=screen))


async def _run(context: StartupContext, arguments: Arguments, *, screen: Screen) -> int:
    async with await Store.join(context.paths.database_file, clock=time.time) as store:
        transfer = TransferService(store=store, emit=lambda _event: None, clock=time.time)
        if arguments.command != EXPORT_COMMAND:
            return await import_conversations(transfer, arguments.files, screen=screen)
        if not arguments.target:
            for summary in await store.conversations.all():
                screen.write(f"{summary.id}\t{one_line(summary.title)}\n")
            return 0
        return await export_conversations(
            transfer,
            name=arguments.name,
            form=format_of(arguments.form, target=arguments.target),
            target=arguments.target,
            screen=screen,
        )

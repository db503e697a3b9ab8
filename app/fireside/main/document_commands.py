"""Run the commands about collections of documents."""

from __future__ import annotations

import queue
import sys

from fireside.cli.arguments import Arguments
from fireside.cli.documents import Documents
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.files import model_files
from fireside.cli.screen import Screen
from fireside.core.events import AppEvent
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.startup_context import StartupContext
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction


def run_documents(context: StartupContext, arguments: Arguments) -> int:
    """Run ``fireside documents``. Returns the exit status; raises ``FiresideError``."""
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    redaction = Redaction()
    needs_engine = arguments.documents.action == "ask"
    sharing = EngineSharing(
        name="fireside documents", lifetime=ProgramLifetime.FOR_A_COMMAND, warn=sys.stderr.write
    )
    with LogFile(context.paths.logs_folder, redaction=redaction, name="commands"), EngineLoop() as loop:
        app = loop.wait(
            build_app(
                context,
                emit=events.put,
                persistence=Persistence.NOTHING,
                redaction=redaction,
                added=model_files(arguments.model) if needs_engine else (),
                sharing=sharing if needs_engine else None,
            )
        )
        try:
            screen = Screen(output=sys.stdout, status=sys.stderr)
            return Documents(app, loop, events, screen=screen).run(arguments.documents, model=arguments.model)
        finally:
            loop.wait(app.close())

"""Parse the command line and run its command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import msgspec

from fireside.bridge.display import missing_display
from fireside.cli.arguments import Arguments, parse
from fireside.cli.ask_window import ASK_WINDOW_COMMAND
from fireside.cli.doctor import DOCTOR_COMMAND
from fireside.cli.document_arguments import DOCUMENTS_COMMAND
from fireside.cli.hub_arguments import HUB_COMMANDS
from fireside.cli.launch import LAUNCH_COMMAND
from fireside.cli.loaded_models import RUNNING_COMMANDS
from fireside.cli.remove import REMOVE_COMMAND
from fireside.cli.runtimes import RUNTIME_COMMAND
from fireside.cli.serve import SERVE_COMMAND, TOKEN_COMMAND
from fireside.cli.transfer import TRANSFER_COMMANDS
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import render
from fireside.main import open_window, report_errors

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext


def run_command_line(argv: list[str]) -> int:
    """Run the command line and return the exit status."""
    arguments = parse(argv)
    # Help and version are printed by ``parse``, without the settings.
    from fireside.main.found_problems import print_problems
    from fireside.main.startup_context import load_context
    from fireside.settings.parse import parse_assignments

    try:
        command_line = parse_assignments(f"{key}={value}" for key, value in arguments.settings.items())
    except SettingInvalid as exc:
        typed_as = arguments.typed_as.get(render(exc.key))
        sys.stderr.write(f"fireside: {f'{typed_as}: {render(exc.reason)}' if typed_as else exc}\n")
        return 2
    context = load_context(os.environ, command_line=command_line)
    opens_window = arguments.command in ("window", ASK_WINDOW_COMMAND)
    if opens_window:
        return report_errors(lambda: _open_window(context, arguments))
    try:
        return report_errors(lambda: _run_command(context, arguments))
    finally:
        print_problems(context)


def _open_window(context: StartupContext, arguments: Arguments) -> int:
    problem = missing_display(os.environ)
    if problem is None:
        return open_window(
            context, files=arguments.files, quick_question=arguments.command == ASK_WINDOW_COMMAND
        )
    sys.stderr.write(f"{problem} Chat in the terminal with “fireside run”.\n")
    model = arguments.files[0] if arguments.files else None
    return _run_command(context, msgspec.structs.replace(arguments, command="run", model=model))


def _run_command(context: StartupContext, arguments: Arguments) -> int:
    # Each command imports its modules here, so that help is printed at once and the window does not load the
    # modules of the terminal.
    if arguments.command in HUB_COMMANDS:
        from fireside.main.hub_commands import run_hub_command

        return run_hub_command(context, arguments)
    if arguments.command == DOCTOR_COMMAND:
        from fireside.main.doctor import run_doctor

        return run_doctor(context, as_json=arguments.as_json)
    if arguments.command == DOCUMENTS_COMMAND:
        from fireside.main.document_commands import run_documents

        return run_documents(context, arguments)
    if arguments.command == REMOVE_COMMAND:
        from fireside.main.library_commands import run_remove

        return run_remove(context, arguments)
    if arguments.command == RUNTIME_COMMAND:
        from fireside.main.runtime_commands import run_runtime_command

        return run_runtime_command(context, arguments)
    if arguments.command in RUNNING_COMMANDS:
        from fireside.main.running_commands import run_running_command

        return run_running_command(context, arguments)
    if arguments.command == SERVE_COMMAND:
        from fireside.main.serve import run_serve

        return run_serve(context, arguments)
    if arguments.command == LAUNCH_COMMAND:
        from fireside.main.launch import run_launch

        return run_launch(context, arguments)
    if arguments.command == TOKEN_COMMAND:
        from fireside.main.api_tokens import run_api_token

        return run_api_token(context, arguments)
    if arguments.command in TRANSFER_COMMANDS:
        from fireside.main.transfer_commands import run_transfer_command

        return run_transfer_command(context, arguments)
    from fireside.main.terminal import run_terminal

    return run_terminal(context, arguments)

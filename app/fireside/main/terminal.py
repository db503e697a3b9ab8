"""Run Fireside in a terminal: build it, talk, end it."""

from __future__ import annotations

import queue
import sys
from pathlib import Path

from fireside.chat.app import App
from fireside.cli.arguments import Arguments
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.terminal import TerminalChat, describe_models, find_model, hint
from fireside.core.errors import FiresideError, ModelNotFound
from fireside.core.events import AppEvent
from fireside.main.build import Ground, build_app


def run_terminal(ground: Ground, arguments: Arguments) -> int:
    """Chat in the terminal, answer one prompt, or list the models."""
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    piped = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()
    one_answer = bool(piped) or arguments.prompt is not None or arguments.command == "list"
    with EngineLoop() as loop:
        app = loop.wait(
            build_app(
                ground,
                emit=events.put,
                database=None if one_answer else ground.paths.database_file,
                added=_model_files(arguments),
            )
        )
        try:
            return _in_terminal(app, loop, events, arguments, piped=piped)
        except FiresideError as exc:
            sys.stderr.write(f"fireside: {exc} {hint(exc)}\n")
            return 1
        except KeyboardInterrupt:
            return 130
        finally:
            loop.wait(app.close())


def _in_terminal(
    app: App,
    loop: EngineLoop,
    events: queue.SimpleQueue[AppEvent],
    arguments: Arguments,
    *,
    piped: str,
) -> int:
    if arguments.command == "list":
        describe_models(app, output=sys.stdout)
        return 0
    name, prompt = arguments.model, arguments.prompt
    try:
        spec = find_model(app, loop, name=name)
    except ModelNotFound:
        # `fireside run "Why is the sky blue?"`: one argument of several words is a prompt.
        if name is None or prompt is not None or " " not in name:
            raise
        spec, prompt = find_model(app, loop, name=None), name
    chat = TerminalChat(
        loop=loop,
        app=app,
        events=events,
        spec=spec,
        output=sys.stdout,
        status=sys.stderr,
        stats=arguments.stats,
    )
    if prompt is None and not piped:
        chat.converse(input)
        return 0
    return 0 if chat.answer("\n\n".join(part for part in (prompt, piped) if part)) else 1


def _model_files(arguments: Arguments) -> tuple[str, ...]:
    """Return the model named on the command line if it is a file."""
    if arguments.model is not None and Path(arguments.model).is_file():
        return (str(Path(arguments.model).absolute()),)
    return ()

"""``fireside tools call``: call a tool of an MCP server by hand."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import CommandParser, not_blank
from fireside.cli.inputs import confirms
from fireside.cli.screen import Screen, one_line
from fireside.cli.tool_calls import image_line
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply, progress_text
from fireside.core.errors import FiresideError
from fireside.core.i18n import render
from fireside.core.message import ImagePart
from fireside.core.os_errors import render_os_error
from fireside.core.tool_arguments import ArgumentInvalid, argument_fields, argument_value
from fireside.core.tool_servers import SEPARATOR
from fireside.core.tools import Permission, ToolInfo

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_INVALID_IN_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


def define_call(action: CommandParser) -> None:
    """Add what may be typed after ``tools call``."""
    action.add_argument(
        "name", type=not_blank, help="the tool: SERVER.TOOL, or its name in “fireside tools list”"
    )
    action.add_argument("--yes", dest="is_sure", action="store_true", help="do not ask")
    action.add_argument(
        "--arg", dest="values", action="append", default=[], type=_argument, metavar="NAME=VALUE",
        help="argument of the call; lists and objects as JSON; repeatable",
    )  # fmt: skip
    action.add_argument("--output", default="", metavar="FILE", help="where images of the result go")
    action.add_argument(
        "--json", dest="arguments", default="", metavar="JSON", help="all arguments, as a JSON object"
    )


def _argument(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        raise argparse.ArgumentTypeError(f"“{text}” is not NAME=VALUE")
    return name, value


def call(
    context: StartupContext,
    *,
    name: str,
    arguments: str,
    values: Sequence[tuple[str, str]],
    output: str,
    is_sure: bool,
) -> int:
    """Call a tool and print its result. Returns 1 where the tool says error, or was not called.

    Raises ``FiresideError``.
    """
    with command_app(context) as program:
        screen = program.screen
        tool = _tool_named(name, program.wait(program.app.tools.tools()))
        try:
            if tool is None:
                raise ArgumentInvalid("There is no such tool of a server. “fireside tools list” shows all.")
            text = hand_arguments(tool.parameters, arguments, values)
        except ArgumentInvalid as exc:
            screen.say(f"{one_line(render(exc.reason))}\n")
            return 1
        if tool.permission is Permission.NEVER:
            screen.say(
                f"You never allow {tool.name}. To change that: fireside tools permit {tool.name} ask\n"
            )
            return 1
        if tool.change and not is_sure:
            screen.write(f"{tool.name} is not what you allowed:\n{_lines(tool.change)}")
            if not confirms("Call it as it is now?"):
                return 1
        return _call(program, tool, text, output=output)


def _call(program: CommandApp, tool: ToolInfo, arguments: str, *, output: str) -> int:
    screen = program.screen
    screen.show_status(f"Calling {tool.name}…")
    try:
        result = program.wait(program.app.tool_servers.call_tool(tool.name, arguments, watch=_Watch(screen)))
    finally:
        screen.clear_status()
    if result.is_error:
        screen.say(_lines(result.text))
    else:
        screen.write(f"{result.text}\n")
    if result.structured and result.structured != result.text:
        screen.write(f"{msgspec.json.format(result.structured, indent=2)}\n")
    _save(result.images, output, screen=screen)
    return int(result.is_error)


def hand_arguments(parameters: str, json: str, values: Iterable[tuple[str, str]]) -> str:
    """Return the arguments of a call as JSON, from that of ``--json`` and the values of ``--arg``.

    Raises ``ArgumentInvalid`` with a sentence that names the argument.
    """
    try:
        arguments = decode_json(json or "{}", kind=dict[str, Any])
    except JsonInvalid as exc:
        raise ArgumentInvalid("--json: an object is wanted, such as '{\"name\": 1}'.") from exc
    fields = {field.name: field for field in argument_fields(parameters)}
    for name, text in values:
        if name not in fields:
            names = ", ".join(fields) or "none"
            raise ArgumentInvalid(f"There is no argument “{name}”. There are: {names}.")
        arguments[name] = argument_value(fields[name], text)
    missing = [name for name, field in fields.items() if field.is_required and name not in arguments]
    if missing:
        raise ArgumentInvalid(f"{missing[0]}: needs a value, by --arg {missing[0]}=… or by --json.")
    return msgspec.json.encode(arguments).decode()


def _tool_named(name: str, tools: Iterable[ToolInfo]) -> ToolInfo | None:
    """Return the tool that is called ``server__tool`` or, as servers name it, ``server.tool``."""
    server, _, tool = name.partition(".")
    names = (name, f"{server}{SEPARATOR}{_INVALID_IN_NAME.sub('_', tool)}")
    return next((each for each in tools if each.server and each.name in names), None)


def _lines(text: str) -> str:
    return "".join(f"{one_line(line)}\n" for line in text.splitlines())


def _save(images: tuple[ImagePart, ...], target: str, *, screen: Screen) -> None:
    """Save the images, numbered where there are several; without a target, name them."""
    path = Path(target).expanduser()
    for number, image in enumerate(images, 1):
        if not target:
            screen.say(f"Image: {image_line(image)}. --output FILE saves it.\n")
            continue
        stem = path.stem if number == 1 else f"{path.stem}-{number}"
        file = path.with_name(f"{stem}{path.suffix or _suffix(image)}")
        try:
            file.write_bytes(image.data)
        except OSError as exc:
            raise FiresideError.of("export_unwritable", path=str(file), reason=render_os_error(exc)) from exc
        screen.say(f"Image saved: {one_line(str(file))}\n")
    if target and not images:
        screen.say("There is no image in the result.\n")


def _suffix(image: ImagePart) -> str:
    return ".png" if image.media_type == "image/png" else ".jpg"


class _Watch:
    """Shows the progress of the call. What a server asks the user is cancelled."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def on_progress(self, message: str, fraction: float | None) -> None:
        self._screen.show_status(progress_text(message, fraction))

    def on_output(self, text: str) -> None:
        """Ignore it: results of servers come whole."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        asked = one_line(f"{elicitation.server} asks, and is not answered: {elicitation.message}")
        self._screen.say(f"{asked}\n")
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.CANCEL)

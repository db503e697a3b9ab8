"""Call a tool of an MCP server by hand, in the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside.chat.app import App
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import Screen, one_line
from fireside.cli.tool_arguments import ToolsArguments
from fireside.cli.tools import image_line
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply, progress_text
from fireside.core.errors import FiresideError
from fireside.core.i18n import render
from fireside.core.message import ImagePart
from fireside.core.os_errors import render_os_error
from fireside.core.tool_arguments import ArgumentInvalid, argument_fields, argument_value
from fireside.core.tool_servers import SEPARATOR
from fireside.core.tools import Permission, ToolInfo

_INVALID_IN_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


def call_tool(
    app: App,
    loop: EngineLoop,
    arguments: ToolsArguments,
    *,
    screen: Screen,
    confirms: Callable[[str], bool],
) -> int:
    """Print the result of a call and return the exit status: 1 where the tool says error, or was not called.

    ``confirms`` asks the user. Raises ``FiresideError``.
    """
    tool = _tool_named(arguments.name, loop.wait(app.tools.tools()))
    try:
        if tool is None:
            raise ArgumentInvalid("There is no such tool of a server. “fireside tools list” shows all.")
        text = hand_arguments(tool.parameters, arguments.json_file, arguments.values)
    except ArgumentInvalid as exc:
        screen.say(f"{one_line(render(exc.reason))}\n")
        return 1
    if tool.permission is Permission.NEVER:
        screen.say(f"You never allow {tool.name}. To change that: fireside tools permit {tool.name} ask\n")
        return 1
    if tool.change and not arguments.is_sure:
        screen.write(f"{tool.name} is not what you allowed:\n{_lines(tool.change)}")
        if not confirms("Call it as it is now?"):
            return 1
    screen.show_status(f"Calling {tool.name}…")
    try:
        output = loop.wait(app.tool_servers.call_tool(tool.name, text, watch=_Watch(screen)))
    finally:
        screen.clear_status()
    if output.is_error:
        screen.say(_lines(output.text))
    else:
        screen.write(f"{output.text}\n")
    if output.structured and output.structured != output.text:
        screen.write(f"{msgspec.json.format(output.structured, indent=2)}\n")
    _save(output.images, arguments.output, screen=screen)
    return int(output.is_error)


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

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        asked = one_line(f"{elicitation.server} asks, and is not answered: {elicitation.message}")
        self._screen.say(f"{asked}\n")
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.CANCEL)

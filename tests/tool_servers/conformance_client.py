"""The tool host as the client that the conformance tests try: ``conformance_client.py … ADDRESS``."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

import httpx2
import msgspec

from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness, open_servers
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply
from fireside.core.errors import FiresideError
from fireside.core.tool_servers import NewServer
from fireside.tools.tool import ToolFailed

_NAME = "tested"


class Watch:
    """A user that takes what a form proposes."""

    def on_progress(self, message: str, fraction: float | None) -> None:
        """Nothing is shown."""

    def on_output(self, text: str) -> None:
        """Ignore it: results of servers come whole."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        content = {field.name: field.default for field in elicitation.fields if field.default is not None}
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.ACCEPT, content=content)


async def open_pages(harness: ToolServersHarness) -> None:
    """Open what the user has to open to sign in, as a browser does."""
    opened = ""

    async def is_asked() -> bool:
        (info,) = await harness.servers.servers()
        return info.sign_in_url not in ("", opened)

    while True:
        await harness.until(is_asked)
        (info,) = await harness.servers.servers()
        opened = info.sign_in_url
        async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as browser:
            await browser.get(opened)


def arguments_for(schema: str) -> dict[str, object]:
    """Return some arguments that fit a schema."""
    properties = json.loads(schema).get("properties", {})
    usual = {"number": 2, "integer": 2, "boolean": True, "array": [], "object": {}}
    return {name: usual.get(one.get("type"), "x") for name, one in properties.items()}


async def use(harness: ToolServersHarness) -> None:
    """Start the server, and call each of its tools."""
    try:
        await harness.servers.test(_NAME)
    except FiresideError:
        (info,) = await harness.servers.servers()
        if not info.needs_sign_in:
            raise
        await harness.servers.sign_in(_NAME)
    for tool in await harness.servers.tools([_NAME]):
        arguments = msgspec.json.encode(arguments_for(tool.definition.parameters)).decode()
        try:
            await text_of(tool, arguments, watch=Watch())
        except ToolFailed as exc:
            sys.stderr.write(f"{tool.name}: {exc}\n")


async def main(address: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_servers(Path(folder)) as place:
            await place.servers.add(NewServer(name=_NAME, url=address))
            opening = asyncio.create_task(open_pages(place))
            try:
                await use(place)
            finally:
                opening.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[-1]))

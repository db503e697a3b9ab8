"""The tool host as the client that the conformance tests try: ``conformance_client.py … ADDRESS``."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

import httpx2
import msgspec

from fakes.tool_servers_place import ServersPlace, open_servers
from fireside.core.errors import FiresideError
from fireside.core.tool_servers import (
    Elicitation,
    ElicitationAction,
    ElicitationReply,
    NewServer,
)
from fireside.tools.tool import ToolFailed

_NAME = "tested"


class Watch:
    """A user that takes what a form proposes."""

    def progressed(self, message: str, fraction: float | None) -> None:
        """Nothing is shown."""

    async def asked(self, elicitation: Elicitation) -> ElicitationReply:
        content = {field.name: field.default for field in elicitation.fields if field.default is not None}
        return ElicitationReply(number=elicitation.number, action=ElicitationAction.ACCEPT, content=content)


async def sign_in(place: ServersPlace) -> None:
    """Sign in as a user with a browser does."""
    work = asyncio.create_task(place.servers.sign_in(_NAME))
    opened = ""

    async def is_asked() -> bool:
        (info,) = await place.servers.servers()
        return work.done() or info.sign_in_url not in ("", opened)

    while not work.done():
        await place.until(is_asked)
        (info,) = await place.servers.servers()
        if info.sign_in_url and info.sign_in_url != opened:
            opened = info.sign_in_url
            async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as browser:
                await browser.get(opened)
    await work


def arguments_for(schema: str) -> dict[str, object]:
    """Return some arguments that fit a schema."""
    properties = json.loads(schema).get("properties", {})
    usual = {"number": 2, "integer": 2, "boolean": True, "array": [], "object": {}}
    return {name: usual.get(one.get("type"), "x") for name, one in properties.items()}


async def main(address: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with open_servers(Path(folder)) as place:
            await place.servers.add(NewServer(name=_NAME, url=address))
            try:
                await place.servers.test(_NAME)
            except FiresideError:
                (info,) = await place.servers.servers()
                if not info.wants_sign_in:
                    raise
                await sign_in(place)
            for tool in await place.servers.tools([_NAME]):
                arguments = arguments_for(tool.definition.parameters)
                try:
                    await tool.run(msgspec.json.encode(arguments).decode(), watch=Watch())
                except ToolFailed as exc:
                    (info,) = await place.servers.servers()
                    if info.wants_sign_in:
                        await sign_in(place)
                    sys.stderr.write(f"{tool.name}: {exc}\n")
    return 0


if __name__ == "__main__":
    os.environ.pop("HTTP_PROXY", None)
    raise SystemExit(asyncio.run(main(sys.argv[-1])))

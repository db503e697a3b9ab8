"""A program with MCP servers that run: ``tool_servers_program.py FOLDER N HOW…``. Says its host's number, and
for each line that it reads starts them anew and says it again."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from fakes.tool_servers_harness import open_servers


async def main(folder: Path, n_servers: int, how: list[str]) -> None:
    async with open_servers(folder) as place:
        names = [f"s{number}" for number in range(n_servers)]
        for name in names:
            await place.add(*how, name=name)
        while True:
            await asyncio.gather(*map(place.servers.test, names))
            sys.stdout.write(f"{place.servers.host_pid}\n")
            sys.stdout.flush()
            if not await asyncio.to_thread(sys.stdin.readline):
                return


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))

"""An MCP server behind an address, which says its port; ``/sse`` is of the older transport, ``/away`` sends
requests to the server under another name."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

server = MCPServer("far")


@server.tool()
def header(name: str, context: Context[Any, Request]) -> str:
    """Say what a header of the request holds."""
    if name == "close":
        os._exit(0)
    request = context.request_context.request
    return "" if request is None else request.headers.get(name, "")


async def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]

    async def away(_request: Request) -> Response:
        return RedirectResponse(f"http://localhost:{port}/mcp", status_code=307)

    app = server.streamable_http_app()
    app.router.routes.append(Route("/away", away, methods=["GET", "POST"]))
    app.router.routes.extend(server.sse_app().routes)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    serving = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    stopped = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    running = asyncio.create_task(serving.serve(sockets=[listening]))
    await asyncio.wait({stopped, running}, return_when=asyncio.FIRST_COMPLETED)
    serving.should_exit = True
    await running


if __name__ == "__main__":
    asyncio.run(main())

"""The task of one server, without the host around it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fakes.tool_servers_harness import SERVER
from fireside.core.i18n import render
from fireside.tool_host import server_owner
from fireside.tool_host.host_messages import Report, ServerEnded, StartServer, StdioLaunch


async def test_a_server_that_never_answers_is_said_to_have_been_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_owner, "_CONNECT_S", 1.0)
    reports: list[Report] = []
    launch = StdioLaunch(
        command=(sys.executable, str(SERVER), "mute"),
        cwd=str(tmp_path),
        environment=dict(os.environ),
        readable=(sys.prefix, sys.base_prefix, str(SERVER.parent)),
        writable=(str(tmp_path),),
        network=False,
        without_sandbox=True,
    )
    await server_owner.ServerOwner(StartServer(server="s", launch=launch), report=reports.append).run()
    (ended,) = [report for report in reports if isinstance(report, ServerEnded)]
    assert render(ended.problem) == "It did not answer within 1 s and was ended."

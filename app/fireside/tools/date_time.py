"""The tool that returns date and time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from fireside.core.tools import Permission
from fireside.tools.tool import RunnableTool, ToolFailed


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    time_zone: str = ""


def date_time_tool(now: Callable[[], float]) -> RunnableTool[_Arguments]:
    """Return the tool; ``now`` is in seconds since the epoch."""

    async def run(arguments: _Arguments) -> str:
        moment = datetime.fromtimestamp(now()).astimezone()
        if arguments.time_zone:
            try:
                moment = moment.astimezone(ZoneInfo(arguments.time_zone))
            except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
                raise ToolFailed(
                    f"time_zone: there is no “{arguments.time_zone}”; a name such as Europe/Berlin is wanted."
                ) from exc
        # Without seconds: a model that calls it repeatedly gets the same result, so that the loop guard stops
        # it.
        return moment.strftime("%A, %Y-%m-%d %H:%M %Z (UTC%z)")

    return RunnableTool(
        "date_time",
        description="The current date and time, local or in an IANA time zone.",
        arguments=_Arguments,
        run=run,
        permission=Permission.ALWAYS,
    )

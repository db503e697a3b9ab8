"""The tool that computes: a subset of Python, in a worker process without files, network or environment."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.tools import Permission
from fireside.tools.tool import Tool, ToolFailed

_SECONDS: Final = 5.0
_MEMORY: Final = 128 * 1024 * 1024
_DEADLINE_S: Final = 10.0
"""A worker that does not end itself by then is killed."""


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    code: str


def calculator_tool() -> Tool[_Arguments]:
    """Return the tool. Nothing is imported or started before its first call, and nothing stays after it."""
    return Tool(
        "calculator",
        description="Runs Python for arithmetic and data work (math, json, re, datetime; no files, no net). "
        "Returns the last expression and what is printed.",
        arguments=_Arguments,
        run=_run,
        permission=Permission.ALWAYS,
    )


async def _run(arguments: _Arguments) -> str:
    import pydantic_monty as monty

    printed = monty.CollectString()
    try:
        async with (
            monty.AsyncMonty(binary_path=_worker(), max_processes=1, request_timeout=_DEADLINE_S) as pool,
            pool.checkout(
                limits={
                    "max_feed_duration_secs": _SECONDS,
                    "max_memory": _MEMORY,
                    "max_suspensions": 100,
                    "max_total_sleep_secs": 0.0,
                }
            ) as session,
        ):
            value = await session.feed_run(arguments.code, print_callback=printed)
    except monty.MontyError as exc:
        raise ToolFailed(f"{printed.output}{exc}") from exc
    shown = "" if value is None else str(value)
    return "\n".join(text for text in (printed.output.rstrip("\n"), shown) if text) or "(no result)"


def _worker() -> Path:
    """Return the worker's program, which lies beside the interpreter; one that PATH leads to is not ours."""
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        found = folder / ("monty.exe" if sys.platform == "win32" else "monty")
        if found.is_file():
            return found
    raise ToolFailed("The calculator is not installed: its worker program is missing.")

"""The chat in the terminal, where it is about typing."""

from __future__ import annotations

import io
import queue
from collections.abc import Iterator
from pathlib import Path

from fakes.app_harness import app_harness
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import Screen
from fireside.cli.terminal import TerminalChat


def chat(folder: Path, starter: Path, *typed: str | type[BaseException]) -> tuple[str, list[object]]:
    """Return what was told to a user who types this, and what they did not come to type."""
    status = io.StringIO()
    lines: Iterator[str | type[BaseException]] = iter(typed)

    def read_line(_prompt: str) -> str:
        line = next(lines)
        if isinstance(line, str):
            return line
        raise line

    with EngineLoop() as loop:
        manager = app_harness(folder, starter=starter)
        place = loop.wait(manager.__aenter__())
        try:
            TerminalChat(
                loop=loop,
                app=place.app,
                events=queue.SimpleQueue(),
                spec=place.app.models.spec(place.model_id),
                screen=Screen(output=io.StringIO(), status=status),
                stats=False,
            ).converse(read_line)
        finally:
            loop.wait(manager.__aexit__(None, None, None))
    return status.getvalue(), list(lines)


def test_an_interrupt_clears_the_line_and_the_chat_continues(
    tmp_path: Path, starter_model_path: Path
) -> None:
    told, left = chat(tmp_path, starter_model_path, KeyboardInterrupt, "/help", KeyboardInterrupt, "/bye")
    assert told.count("Press Ctrl+C again to quit") == 2
    assert "this list" in told
    assert left == []


def test_a_second_interrupt_leaves(tmp_path: Path, starter_model_path: Path) -> None:
    _, left = chat(tmp_path, starter_model_path, KeyboardInterrupt, KeyboardInterrupt, "never")
    assert left == ["never"]

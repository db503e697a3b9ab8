"""What every fake client does with a request: record it, and fail or hold it if a test says so."""

from __future__ import annotations

import asyncio

from fireside.core.errors import FiresideError


class Requests:
    """``calls`` lists what was asked as ``(name, arguments…)``; ``replies``, what is answered instead."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.replies: dict[str, object] = {}
        self._failures: dict[str, FiresideError] = {}
        self._held: dict[str, asyncio.Event] = {}

    def fail(self, name: str, error: FiresideError) -> None:
        """Make the next call of ``name`` raise ``error``."""
        self._failures[name] = error

    def called(self, name: str) -> list[tuple[object, ...]]:
        """Return the arguments of each call of ``name`` so far."""
        return [call[1:] for call in self.calls if call[0] == name]

    def hold(self, name: str) -> None:
        """Let calls of ``name`` wait until ``release``."""
        self._held.setdefault(name, asyncio.Event())

    def release(self, name: str) -> None:
        """Let the calls that wait, and those to come, go on."""
        self._held.pop(name).set()

    async def enter(self, name: str, *arguments: object) -> None:
        """Begin a request: called by each of them first."""
        self.calls.append((name, *arguments))
        if (held := self._held.get(name)) is not None:
            await held.wait()
        if error := self._failures.pop(name, None):
            raise error

"""Start services and read their state one by one: one that fails is reported and does not stop the others."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from fireside.core.errors import FiresideError, RequestError
from fireside.core.i18n import render
from fireside.core.problems import Problems

T = TypeVar("T")

log = logging.getLogger(__name__)


async def start_service(what: str, start: Callable[[], object], *, problems: Problems) -> None:
    """Call ``start``, and await what it returns if it can be awaited. ``what`` is the service's name for the
    user, to be translated."""
    try:
        started = start()
        if inspect.isawaitable(started):
            await started
    except Exception as exc:  # noqa: BLE001 - whatever fails in one service, the others start
        _report(what, exc, problems)


async def read_part(what: str, read: Callable[[], Awaitable[T]], *, default: T, problems: Problems) -> T:
    """Return what ``read`` returns, or ``default`` if it fails."""
    try:
        return await read()
    except Exception as exc:  # noqa: BLE001 - as above
        _report(what, exc, problems)
        return default


def _report(what: str, error: Exception, problems: Problems) -> None:
    log.error("%s failed", what, exc_info=error)
    reason = str(error) if isinstance(error, FiresideError) else f"{type(error).__name__}: {error}"
    problems.add(RequestError.of("service_failed", what=what, reason=render(reason).rstrip(".")))

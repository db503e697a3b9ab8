"""The mark on what the window may ask a service for."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

_MARK: Final = "__for_window__"
RequestT = TypeVar("RequestT", bound=Callable[..., Coroutine[Any, Any, Any]])


def for_window(method: RequestT) -> RequestT:
    """Let the window call this method of a service; see ``proxy`` in ``bridge/client.py``.

    Its arguments and its result cross a thread: they are immutable values, or lists and mappings, which are
    copied. It raises ``FiresideError`` only.
    """
    setattr(method, _MARK, True)
    return method


def is_for_window(method: object) -> bool:
    """Whether ``for_window`` marks a method, also where it is bound to its service."""
    return getattr(method, _MARK, False) is True

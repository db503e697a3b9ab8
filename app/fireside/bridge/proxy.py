"""One stand-in for each service of the engine thread: a call hops to its loop and the reply comes back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

AppT = TypeVar("AppT")
AppT_co = TypeVar("AppT_co", covariant=True)
ClientT = TypeVar("ClientT")
T = TypeVar("T")


class Ask(Protocol[AppT_co]):
    """Runs ``call`` with the app on its own loop and returns what it returns. GUI thread only.

    Cancelling the wait cancels the call.
    """

    def __call__(
        self, call: Callable[[AppT_co], Coroutine[object, object, T]], /
    ) -> Coroutine[object, object, T]: ...


def proxy(ask: Ask[AppT], service_of: Callable[[AppT], ClientT]) -> ClientT:
    """Return what looks like the service that ``service_of`` finds in the app, for use on this thread.

    Declare the result as a protocol of coroutine methods: the type checker then sees that the service keeps
    it, and that nothing else of the service is used. Lists and mappings among the arguments are copied when
    the method is called, so that no two threads share them; all else that crosses is immutable.
    """
    return cast("ClientT", _Proxy(ask, service_of))


class _Proxy(Generic[AppT]):
    def __init__(self, ask: Ask[AppT], service_of: Callable[[AppT], object]) -> None:
        self._ask = ask
        self._service_of = service_of

    def __getattr__(self, name: str) -> Callable[..., Coroutine[object, object, Any]]:
        def call(*arguments: object, **named: object) -> Coroutine[object, object, Any]:
            given = [_snapshot(argument) for argument in arguments]
            options = {key: _snapshot(argument) for key, argument in named.items()}
            return self._ask(lambda app: getattr(self._service_of(app), name)(*given, **options))

        return call


def _snapshot(argument: object) -> object:
    """Return an argument as it is now, where it is one that its owner may still change."""
    if isinstance(argument, list):
        return tuple(argument)
    return dict(argument) if isinstance(argument, Mapping) else argument

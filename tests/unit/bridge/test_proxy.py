"""Each request of the window reaches its service with its arguments; errors are raised by the call."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from fakes.app_harness import app_harness
from fireside.bridge import client as client_module
from fireside.bridge.client import EngineClient, proxy
from fireside.bridge.pdf_export import TransferService
from fireside.core.errors import RecordNotFound
from fireside.library.starter import starter_folder

APP_NAMES = {"settings": "preferences", "context": "contexts", "search_key": "web"}
"""Clients that are called something else than the service of the app."""


def clients() -> Iterator[tuple[str, type]]:
    """Yield each client of the façade by its name, with the protocol that its service has to keep."""
    nodes = list(ast.walk(ast.parse(inspect.getsource(client_module))))
    imported = {
        name.name: str(node.module)
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    for node in nodes:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            # The client imports them for the type checker alone.
            name = ast.unparse(node.annotation)
            protocol = getattr(import_module(imported[name]), name)
            yield node.target.attr, TransferService if node.target.attr == "transfer" else protocol


def methods(protocol: type) -> list[str]:
    matches = [
        name for name, _ in inspect.getmembers(protocol, inspect.isfunction) if not name.startswith("_")
    ]
    assert matches
    return matches


class Service:
    """Stands for the app and everything in it: says which method was called, with what."""

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Service:
        return Service(f"{self._name}.{name}".removeprefix("."))

    async def __call__(self, *given: object, **named: object) -> tuple[object, ...]:
        return (self._name, *given, *named.values())


async def ask(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
    return await call(Service())


@pytest.mark.parametrize(("name", "protocol"), [pytest.param(*each, id=each[0]) for each in clients()])
def test_every_request_reaches_the_service_of_its_name(name: str, protocol: type, qapp: object) -> None:
    class Thread:
        class frame:  # noqa: N801 - Qt's name of a signal
            connect = staticmethod(lambda *_: None)

        request = staticmethod(ask)

    client = getattr(EngineClient(Thread()), name)  # type: ignore[arg-type]
    if name == "transfer":
        client = client._service
    for method in methods(protocol):
        reached = asyncio.run(getattr(client, method)(1, key="v"))
        assert reached == (f"{APP_NAMES.get(name, name)}.{method}", 1, "v")


@asynccontextmanager
async def place(folder: Path) -> AsyncIterator[Any]:
    async with app_harness(folder, starter=starter_folder() / "starter.gguf") as made:
        yield made.app


async def test_the_real_services_take_what_the_window_gives_them(tmp_path: Path) -> None:
    """Mypy proves it for the types; this, that each name and default is there when the program runs."""
    async with place(tmp_path) as app:
        for name, protocol in clients():
            service = getattr(app, APP_NAMES.get(name, name))
            for method in methods(protocol):
                wanted = inspect.signature(getattr(protocol, method)).parameters
                given = inspect.signature(getattr(service, method)).parameters
                assert inspect.iscoroutinefunction(getattr(service, method)), f"{name}.{method}"
                for key, parameter in list(wanted.items())[1:]:
                    assert key in given, f"{name}.{method}: {key}"
                    assert given[key].kind is parameter.kind, f"{name}.{method}: {key}"
                    assert (given[key].default is parameter.empty) <= (
                        parameter.default is parameter.empty
                    ), f"{name}.{method}: {key}"


def test_no_list_and_no_mapping_is_shared_over_the_threads() -> None:
    paths, values = ["a"], {"k": 1}
    service: Any = proxy(ask, lambda app: app.models)
    waiting = service.add(paths, settings=values, fixed=MappingProxyType(values), name="same")
    paths.append("b")
    values["k"] = 2
    assert asyncio.run(waiting) == ("models.add", ("a",), {"k": 1}, {"k": 1}, "same")


def test_an_error_of_the_service_is_raised_by_the_call() -> None:
    class Failing:
        async def open(self) -> None:
            raise RecordNotFound(what="chat", id=7)

    async def ask_it(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
        return await call(Failing())

    failing: Any = proxy(ask_it, lambda app: app)
    with pytest.raises(RecordNotFound):
        asyncio.run(failing.open())
    with pytest.raises(AttributeError, match="close_it"):
        asyncio.run(failing.close_it())

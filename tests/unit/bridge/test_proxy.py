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
from fireside import ui
from fireside.bridge import client as client_module
from fireside.bridge.client import EngineClient, proxy
from fireside.core.errors import RecordNotFound
from fireside.core.for_window import for_window, is_for_window
from fireside.library.starter import starter_folder

APP_NAMES = {"settings": "preferences", "context": "contexts", "search_key": "web"}
"""Services that the client calls something else than the app does."""
FOR_THE_BRIDGE = {"all_ids", "printed"}
"""Requests that the PDF export makes for the window."""
UI = Path(ui.__file__).parent
TEXT_OF_UI = "".join(path.read_text("utf-8") for path in UI.rglob("*.py"))


def services() -> Iterator[tuple[str, type]]:
    """Yield each service of the client by its name there, with its class."""
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
            yield node.target.attr, getattr(import_module(imported[name]), name)


def requests(service: object) -> list[str]:
    matches = [name for name, _ in inspect.getmembers(service, is_for_window) if not name.startswith("_")]
    assert matches
    return matches


def asked_for() -> Iterator[tuple[str, str, str]]:
    """Yield each method of a service that the window names: where, the service and the method."""
    names = {name for name, _ in services()}

    def of_client(node: ast.expr) -> str | None:
        match node:
            case ast.Attribute(value=ast.Attribute(attr=owner) | ast.Name(id=owner), attr=name):
                return name if owner in ("client", "_client") and name in names else None
        return None

    for path in sorted(UI.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        kept = {
            node.targets[0].attr: service
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
            if (service := of_client(node.value))
        }
        for node in nodes:
            if not isinstance(node, ast.Attribute):
                continue
            service = of_client(node.value)
            if service is None and isinstance(node.value, ast.Attribute):
                service = kept.get(node.value.attr)
            if service is not None:
                yield f"{path.relative_to(UI)}:{node.lineno}", service, node.attr


class Service:
    """Stands for the app and everything in it: says which method was called, with what."""

    __for_window__ = True

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Service:
        return Service(f"{self._name}.{name}".removeprefix("."))

    async def __call__(self, *given: object, **named: object) -> tuple[object, ...]:
        return (self._name, *given, *named.values())


async def ask(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
    return await call(Service())


@pytest.mark.parametrize(("name", "service"), [pytest.param(*each, id=each[0]) for each in services()])
def test_every_request_reaches_the_service_of_its_name(name: str, service: type, qapp: object) -> None:
    class Thread:
        class frame:  # noqa: N801 - Qt's name of a signal
            connect = staticmethod(lambda *_: None)

        request = staticmethod(ask)

    client = getattr(EngineClient(Thread()), name)  # type: ignore[arg-type]
    if name == "transfer":
        client = client._service
    for method in requests(service):
        reached = asyncio.run(getattr(client, method)(1, key="v"))
        assert reached == (f"{APP_NAMES.get(name, name)}.{method}", 1, "v")


@asynccontextmanager
async def place(folder: Path) -> AsyncIterator[Any]:
    async with app_harness(folder, starter=starter_folder() / "starter.gguf") as made:
        yield made.app


async def test_the_window_asks_only_for_what_is_marked_for_it(tmp_path: Path) -> None:
    """Mypy proves that the services have it; this, that they offer it, and that nobody offers more."""
    found = list(asked_for())
    async with place(tmp_path) as app:
        of_app = {name: getattr(app, APP_NAMES.get(name, name)) for name, _ in services()}
        unmarked = [
            f"{place}: {service}.{method}"
            for place, service, method in found
            if not is_for_window(getattr(of_app[service], method))
        ]
        offered = {method for service in of_app.values() for method in requests(service)}
    assert unmarked == []
    assert len(found) > 100
    assert {name for name in offered - FOR_THE_BRIDGE if f".{name}" not in TEXT_OF_UI} == set()


def test_no_list_and_no_mapping_is_shared_over_the_threads() -> None:
    paths, values = ["a"], {"k": 1}
    service: Any = proxy(ask, lambda app: app.models)
    waiting = service.add(paths, settings=values, fixed=MappingProxyType(values), name="same")
    paths.append("b")
    values["k"] = 2
    assert asyncio.run(waiting) == ("models.add", ("a",), {"k": 1}, {"k": 1}, "same")


def test_an_error_of_the_service_is_raised_by_the_call() -> None:
    class Failing:
        async def close(self) -> None:
            raise AssertionError("called")

        @for_window
        async def open(self) -> None:
            raise RecordNotFound(what="chat", id=7)

    async def ask_it(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
        return await call(Failing())

    failing: Any = proxy(ask_it, lambda app: app)
    with pytest.raises(RecordNotFound):
        asyncio.run(failing.open())
    with pytest.raises(AttributeError, match="close"):
        asyncio.run(failing.close())

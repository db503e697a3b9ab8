"""Elicitation: requests of a server to the user during a call, as forms or as addresses to open."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from itertools import count
from typing import Any, Final

from mcp import types
from mcp.client.context import ClientRequestContext

from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationField,
    ElicitationReply,
    FieldKind,
)
from fireside.tool_host.call_limit import CallLimit

_CALL: ContextVar[int] = ContextVar("call", default=0)
_CANCELLED: Final = ElicitationReply(number=0, action=ElicitationAction.CANCEL)
_MAX_FIELDS: Final = 30
_MAX_OPTIONS: Final = 200
_LINE: Final = 500
_MESSAGE: Final = 4_000
_MAX_URL: Final = 4_000
_SECRET: Final = re.compile(
    r"pass[ _-]?(word|wd|phrase|code)|secret|credential|(api|access|private|auth)[ _-]?(key|token)|\bpin\b"
    r"|\bcvv|card[ _-]?number",
    re.IGNORECASE,
)
_KINDS: Final = {
    "string": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.INTEGER,
    "boolean": FieldKind.SWITCH,
    "array": FieldKind.CHOICES,
}


class ElicitationDeclined(Exception):
    """The request is not shown to the user; the message is the reason."""


class Elicitations:
    """The requests of one server. The user's time does not count as time of the call."""

    def __init__(
        self,
        server: str,
        *,
        ask: Callable[[int, Elicitation], None],
        log: Callable[[bytes], None],
    ) -> None:
        """``ask`` asks the user, by the number of the call; ``log`` records what is not shown to the user."""
        self._server = server
        self._ask = ask
        self._log = log
        self._numbers = count(1)
        self._waiting: dict[int, tuple[int, asyncio.Future[ElicitationReply]]] = {}
        self._completed: set[str] = set()
        self._has_completed = asyncio.Event()
        self._limits: dict[int, CallLimit] = {}
        """Of the calls that run, the last one last."""

    @contextlib.contextmanager
    def during_call(self, call: int, limit: CallLimit) -> Iterator[None]:
        """Attribute requests in this block to a call, whose limit pauses meanwhile."""
        token = _CALL.set(call)
        self._limits[call] = limit
        try:
            yield
        finally:
            del self._limits[call]
            _CALL.reset(token)
            for of, waiting in tuple(self._waiting.values()):
                if of == call and not waiting.done():
                    waiting.set_result(_CANCELLED)

    def handle_reply(self, reply: ElicitationReply) -> None:
        """Handle the user's reply; it is ignored where nothing waits for it any more."""
        _, waiting = self._waiting.get(reply.number, (0, None))
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    async def handle_request(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the library's signature
        params: types.ElicitRequestParams,
    ) -> types.ElicitResult:
        """Return the user's reply to an elicitation; decline what must not be shown to the user."""
        return await self._answer(params)

    async def open_pages(self, pages: Iterable[types.ElicitRequestURLParams]) -> bool:
        """Return once the user has finished on the pages that a server needs, as the server reports;
        whether all of them were opened."""
        for page in pages:
            if (await self._answer(page)).action != "accept":
                return False
            limit = self._limits[_CALL.get()]
            limit.pause()
            while page.elicitation_id not in self._completed:
                await self._has_completed.wait()
                self._has_completed.clear()
            limit.resume()
        return True

    def note_completed(self, elicitation_id: str) -> None:
        """The server reports that a page is done."""
        self._completed.add(elicitation_id)
        self._has_completed.set()

    async def _answer(self, params: types.ElicitRequestParams) -> types.ElicitResult:
        try:
            asked = _elicitation(params, number=next(self._numbers), server=self._server)
        except ElicitationDeclined as exc:
            self._log(f"Declined what it asked the user: {exc}.\n".encode())
            return types.ElicitResult(action="decline")
        # Before revision 2026-07-28 a server does not state the call that a request belongs to.
        call = _CALL.get() or next(reversed(self._limits), 0)
        if call not in self._limits:
            self._log(b"Cancelled what it asked the user: it runs no call of a chat.\n")
            return types.ElicitResult(action="cancel")
        said = await self._said(call, asked)
        if said.action is not ElicitationAction.ACCEPT or asked.url:
            return types.ElicitResult(action=said.action.value)
        content: dict[str, str | int | float | bool | list[str] | None] = {
            name: list(value) if isinstance(value, tuple) else value for name, value in said.content.items()
        }
        return types.ElicitResult(action="accept", content=content)

    async def _said(self, call: int, asked: Elicitation) -> ElicitationReply:
        limit = self._limits[call]
        waiting: asyncio.Future[ElicitationReply] = asyncio.get_running_loop().create_future()
        self._waiting[asked.number] = (call, waiting)
        limit.pause()
        self._ask(call, asked)
        try:
            return await waiting
        finally:
            del self._waiting[asked.number]
            if call in self._limits:
                limit.resume()


def _elicitation(params: types.ElicitRequestParams, *, number: int, server: str) -> Elicitation:
    """Return the request as it is shown to the user. Raises ``ElicitationDeclined``."""
    message = params.message[:_MESSAGE]
    if isinstance(params, types.ElicitRequestURLParams):
        if not params.url.startswith(("https://", "http://")) or len(params.url) > _MAX_URL:
            raise ElicitationDeclined("its address is none of the web")
        return Elicitation(number=number, server=server, message=message, url=params.url)
    properties = params.requested_schema.get("properties")
    if not isinstance(properties, dict) or len(properties) > _MAX_FIELDS:
        raise ElicitationDeclined("its form has no fields, or too many")
    required = params.requested_schema.get("required") or ()
    fields = tuple(_field(name, schema, required=required) for name, schema in properties.items())
    for field in fields:
        if _SECRET.search(f"{field.name} {field.label}"):
            raise ElicitationDeclined(f"its form asks for a secret, {field.label!r}")
    return Elicitation(number=number, server=server, message=message, fields=fields)


def _field(name: str, schema: Any, *, required: Any) -> ElicitationField:
    if not isinstance(schema, dict) or schema.get("type") not in _KINDS:
        raise ElicitationDeclined(f"its form has a field of an unknown type, {name[:_LINE]!r}")
    kind = _KINDS[schema["type"]]
    options = _options(schema["items"] if kind is FieldKind.CHOICES and "items" in schema else schema)
    if options and kind is FieldKind.TEXT:
        kind = FieldKind.CHOICE
    low, high = ("minLength", "maxLength") if kind is FieldKind.TEXT else ("minimum", "maximum")
    if kind is FieldKind.CHOICES:
        low, high = "minItems", "maxItems"
    return ElicitationField(
        name=name,
        label=str(schema.get("title") or name)[:_LINE],
        description=str(schema.get("description") or "")[:_LINE],
        kind=kind,
        is_required=isinstance(required, list) and name in required,
        options=options,
        default=_default(schema.get("default")),
        minimum=_number(schema.get(low)),
        maximum=_number(schema.get(high)),
    )


def _options(schema: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(schema, dict):
        return ()
    titled = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        found = [
            (str(one.get("const", "")), str(one.get("title") or one.get("const", "")))
            for one in titled
            if isinstance(one, dict)
        ]
    else:
        values, names = _list(schema.get("enum")), _list(schema.get("enumNames"))
        found = [(str(value), str(name)) for value, name in zip(values, names or values, strict=False)]
    return tuple((value, label[:_LINE]) for value, label in found[:_MAX_OPTIONS])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _default(value: Any) -> str | int | float | bool | tuple[str, ...] | None:
    match value:
        case bool() | int() | float() | str():
            return value
        case list():
            return tuple(map(str, value))
        case _:
            return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

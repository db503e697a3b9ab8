"""Manage remote engines: add, test and remove them, and list their models."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from fireside.core.errors import FiresideError, RemoteError, RemoteNotFound, RemoteUnreachable
from fireside.core.events import AppEvent, RemoteModelsChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId, RequestId
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.os_errors import render_os_error
from fireside.core.pairing import FoundFireside
from fireside.core.remote import (
    Connection,
    EngineTestResult,
    NewEngine,
    RemoteEngine,
    RemoteLocation,
    ServerKind,
)
from fireside.core.secret_location import SecretLocation
from fireside.gguf.header import printable
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.remote.address import host_of, validate_address
from fireside.remote.remote_client import RemoteClient
from fireside.services.remote_entries import pooled_models, remote_entries, without_pools
from fireside.services.secret_storage import store_secret
from fireside.settings.engines_file import EnginesFile, key_name
from fireside.settings.secret import Secret, secret_from_text
from fireside.settings.secrets import SecretRequester, Secrets

if TYPE_CHECKING:
    from fireside.remote.remote_answers import RemoteAnswers

_KEY_LABEL: Final = tr_noop("API key")
_MAX_NAME: Final = 60
_MDNS: Final = "224.0.0.251 (mDNS)"
_LOOK_S: Final = 3.0
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")


class EngineParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for remote engines."""

    file: EnginesFile
    secrets: Secrets
    route: Callable[[], Route]
    """Returns the network route of the current settings."""
    log: ConnectionLog
    on_problem: Callable[[FiresideError], None] = lambda _: None
    """Called with what the user must know, at the start."""
    is_owner: bool = True
    """Whether this program may change the file; others keep what they learn about engines to themselves."""


class EngineService:
    """Engines behind an address, on the engine's loop. Without ``parts`` there are none.

    An engine is contacted only when the user adds or tests it, or sends something to one of its models.
    """

    def __init__(self, parts: EngineParts | None, *, emit: Callable[[AppEvent], None]) -> None:
        self._parts = parts
        self._emit = emit
        self._engines: tuple[RemoteEngine, ...] = ()
        self._entries: tuple[ModelEntry, ...] = ()
        self._clients: dict[str, RemoteClient] = {}
        self._down: frozenset[str] = frozenset()
        self._writing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._answers: RemoteAnswers | None = None

    @property
    def answers(self) -> RemoteAnswers:
        """Generates answers of remote models. Created on first use, since it imports every protocol
        dialect."""
        if self._answers is None:
            from fireside.remote.remote_answers import RemoteAnswers

            self._answers = RemoteAnswers(
                self._client_for,
                on_unsupported=self._note_refused,
                on_reached=self._note_reached,
                clock=time.monotonic,
            )
        return self._answers

    def cancel(self, request_id: RequestId) -> None:
        """Request the end of an answer, if it is a remote one."""
        if self._answers is not None:
            self._answers.cancel(request_id)

    async def start(self) -> None:
        """Read the stored engines. Opens no connection."""
        if (parts := self._parts) is None:
            return
        stored = await asyncio.to_thread(parts.file.read)
        self._apply(without_pools(stored))
        if parts.is_owner and (names := pooled_models(stored)):
            parts.on_problem(RemoteError.of("pools_ended", name=", ".join(names)))
            await asyncio.to_thread(parts.file.write, self._engines)

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        """The models of all engines that the user allows."""
        return self._entries

    def spec(self, model_id: ModelId) -> ModelSpec | None:
        """Return a remote model; ``None`` if ``model_id`` is none."""
        specs = (entry.spec for entry in self._entries if entry.spec is not None)
        return next((spec for spec in specs if spec.id == model_id), None)

    @for_window
    async def engines(self) -> tuple[RemoteEngine, ...]:
        """Return all engines in the order in which they were added."""
        return self._engines

    @for_window
    async def add(self, new: NewEngine) -> EngineTestResult:
        """Test an engine, and store it if it can be used.

        Raises ``RemoteError``, ``SettingInvalid`` for a malformed key, or ``SettingsUnwritable``.
        """
        engine = RemoteEngine(
            id=secrets.token_hex(8),
            name="",
            address=validate_address(new.address, allows_plain=new.allows_plain),
            fingerprint=_checked_fingerprint(new.fingerprint),
            ca_file=new.ca_file.strip(),
            kind=ServerKind.ANTHROPIC if new.is_anthropic else ServerKind.OPENAI,
        )
        name = printable(" ".join(new.name.split()), limit=_MAX_NAME) or host_of(engine.address)
        key = secret_from_text(new.key, label=_KEY_LABEL) if new.key.strip() else None
        engine = msgspec.structs.replace(engine, name=name, has_key=key is not None)
        from fireside.remote.detection import detect_engine

        client = self._make_client(engine, key)
        try:
            result = await detect_engine(client)
        finally:
            await client.close()
        if key is not None:
            result = msgspec.structs.replace(result, key_location=await self._store_key(engine.id, key))
        engine = msgspec.structs.replace(engine, kind=result.kind, models=result.models)
        await self._change(lambda engines: (*engines, engine))
        return result

    @for_window
    async def look(self) -> tuple[FoundFireside, ...]:
        """Ask the local network for other Firesides, for some seconds. Raises ``RemoteError``."""
        parts = self._require_parts()
        if parts.route().is_offline:
            raise RemoteError.of("remote_offline", host=_MDNS)
        from fireside.remote.nearby import look, own_addresses

        entry = parts.log.start(host=_MDNS, why=tr("search for other Firesides"))
        try:
            return await look(seconds=_LOOK_S, own=await asyncio.to_thread(own_addresses))
        except OSError as exc:
            raise RemoteUnreachable(host=_MDNS, reason=render_os_error(exc)) from exc
        finally:
            entry.end()

    @for_window
    async def test(self, engine_id: str) -> EngineTestResult:
        """Test an engine again and store its current models. Raises ``RemoteError`` or ``SecretsError``."""
        from fireside.remote.detection import detect_engine

        engine = self._engine(engine_id)
        client = await self._client(engine, requester=SecretRequester.CLICK)
        async with client.hold():
            result = await detect_engine(client)
        client.unsupported.clear()
        known = {model.name: model for model in engine.models}
        models = tuple(
            msgspec.structs.replace(model, is_allowed=previous.is_allowed)
            if (previous := known.get(model.name)) is not None
            else model
            for model in result.models
        )
        self._down -= {engine_id}
        await self._replace(engine_id, kind=result.kind, models=models, refused=())
        return result

    @for_window
    async def store_key(self, engine_id: str, key: str) -> SecretLocation:
        """Replace the key of an engine, and return where it is stored.

        Raises ``SettingInvalid``, ``SecretsError`` or ``SettingsUnwritable``.
        """
        engine = self._engine(engine_id)
        location = await self._store_key(engine.id, secret_from_text(key, label=_KEY_LABEL))
        await self._retire(engine_id)
        await self._replace(engine_id, has_key=True)
        return location

    @for_window
    async def set_model_allowed(self, engine_id: str, *, model: str, is_allowed: bool) -> None:
        """Set whether a model is offered in chats. Raises ``SettingsUnwritable``."""
        engine = self._engine(engine_id)
        models = tuple(
            msgspec.structs.replace(model_entry, is_allowed=is_allowed)
            if model_entry.name == model
            else model_entry
            for model_entry in engine.models
        )
        await self._replace(engine_id, models=models)

    @for_window
    async def remove(self, engine_id: str) -> None:
        """Delete an engine and its key. Chats stay. Raises ``SettingsUnwritable`` or ``SecretsError``."""
        parts, engine = self._require_parts(), self._engine(engine_id)
        await self._change(lambda engines: tuple(each for each in engines if each.id != engine_id))
        if engine.has_key:
            await parts.secrets.forget(key_name(engine_id))

    @for_window
    async def connections(self) -> tuple[Connection, ...]:
        """Return all connections opened since the start of the program, the newest first."""
        return self._parts.log.all() if self._parts is not None else ()

    @for_window
    async def clear_connections(self) -> None:
        """Clear the log of connections."""
        if self._parts is not None:
            self._parts.log.clear()

    async def close(self) -> None:
        """Cancel what runs and close every connection."""
        if self._answers is not None:
            await self._answers.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(client.close() for client in self._clients.values()))

    # Internals

    def _require_parts(self) -> EngineParts:
        if self._parts is None:
            raise RemoteNotFound
        return self._parts

    def _engine(self, engine_id: str) -> RemoteEngine:
        for engine in self._engines:
            if engine.id == engine_id:
                return engine
        raise RemoteNotFound

    async def _store_key(self, engine_id: str, key: Secret) -> SecretLocation:
        return await store_secret(self._require_parts().secrets, key_name(engine_id), key, label=_KEY_LABEL)

    async def _client_for(self, location: RemoteLocation) -> RemoteClient:
        return await self._client(self._engine(location.engine_id), requester=SecretRequester.BACKGROUND)

    async def _client(self, engine: RemoteEngine, *, requester: SecretRequester) -> RemoteClient:
        parts = self._require_parts()
        if (known := self._clients.get(engine.id)) is not None:
            known.engine = engine
            return known
        entry = await parts.secrets.find(key_name(engine.id), requester=requester) if engine.has_key else None
        client = self._make_client(engine, None if entry is None else entry.secret)
        return self._clients.setdefault(engine.id, client)

    def _make_client(self, engine: RemoteEngine, key: Secret | None) -> RemoteClient:
        parts = self._require_parts()
        return RemoteClient(engine, key=key, route=parts.route, log=parts.log)

    async def _retire(self, engine_id: str) -> None:
        """Drop the client, so that the next request uses the current key. Running requests keep their
        connections."""
        if (client := self._clients.pop(engine_id, None)) is not None:
            await client.retire()

    def _note_refused(self, client: RemoteClient, parameter: str) -> None:
        """Store, in the background, which parameter an engine does not accept."""

        async def note() -> None:
            with contextlib.suppress(RemoteNotFound):
                refused = self._engine(client.engine.id).refused
                if parameter not in refused:
                    await self._replace(client.engine.id, refused=(*refused, parameter))

        task = asyncio.create_task(note(), name="note a refused parameter")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _note_reached(self, engine_id: str, is_reached: bool) -> None:
        """Update the model list with whether an engine could be reached."""
        down = self._down - {engine_id} if is_reached else self._down | {engine_id}
        if down != self._down:
            self._down = down
            self._apply(self._engines)
            self._emit(RemoteModelsChanged(entries=self._entries))

    async def _replace(self, engine_id: str, **values: Any) -> None:
        def change(engines: tuple[RemoteEngine, ...]) -> tuple[RemoteEngine, ...]:
            return tuple(
                msgspec.structs.replace(each, **values) if each.id == engine_id else each for each in engines
            )

        await self._change(change)

    async def _change(self, change: Callable[[tuple[RemoteEngine, ...]], tuple[RemoteEngine, ...]]) -> None:
        parts = self._require_parts()
        async with self._writing:
            engines = change(self._engines)
            if parts.is_owner:
                await asyncio.to_thread(parts.file.write, engines)
            for removed_id in {each.id for each in self._engines} - {each.id for each in engines}:
                await self._retire(removed_id)
            self._apply(engines)
        self._emit(RemoteModelsChanged(entries=self._entries))

    def _apply(self, engines: tuple[RemoteEngine, ...]) -> None:
        self._engines = engines
        self._entries = remote_entries(engines, down=self._down)


def _checked_fingerprint(text: str) -> str:
    """Return a fingerprint as it is stored: tools write it with colons and in capitals."""
    digits = re.sub(r"[\s:]", "", text.casefold().removeprefix("sha256"))
    if digits and not _FINGERPRINT.fullmatch(digits):
        raise RemoteError.of(
            "remote_address_invalid",
            reason=tr_noop("A certificate fingerprint (SHA-256) has 64 hexadecimal digits."),
        )
    return digits

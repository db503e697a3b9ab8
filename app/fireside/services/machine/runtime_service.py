"""Manage builds of llama.cpp: find, add, test, use, roll back and remove them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from fireside.core.errors import RuntimeBuildError, RuntimeNotAdded
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import (
    BUILT_IN,
    RUNTIME_KEY,
    Runtime,
    RuntimeChoice,
    RuntimeOffer,
    RuntimeProgressed,
    RuntimesChanged,
    RuntimeState,
    RuntimeStep,
    RuntimeTest,
    this_platform,
)
from fireside.engine.runtimes.libraries import backends_among
from fireside.engine.runtimes.manifest import read_manifest
from fireside.engine.runtimes.runtime_history import RuntimeHistory
from fireside.engine.runtimes.runtime_store import RuntimeStore, size_of
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.hub.cancel_token import CancelToken
from fireside.services.daemon_threads import DaemonThreads
from fireside.settings.conversions import load_options
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer, Layer, ModelLayer
from fireside.updates.manifest import PublishedRuntime
from fireside.updates.runtime_downloads import RuntimeDownloads
from fireside.wire.runner_modes import RuntimeFacts

_ALL_MODELS: Final = ""
"""Key in the history of the runtime that all models use."""
_PROGRESS_STEP: Final = 0.02


class RuntimeParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for runtimes."""

    store: RuntimeStore
    smoke_test: SmokeTest
    downloads: RuntimeDownloads | None = None
    """``None`` where no address for downloads is known."""


class SettingWriter(Protocol):
    """Writes one setting, see ``Preferences.change``."""

    def __call__(self, layer: Layer, /, *, key: str, value: SettingValue) -> Awaitable[None]: ...


class _Stopped(Exception):
    """The caller was cancelled."""


class RuntimeService:
    """Builds of llama.cpp. Lives on one event loop; disk access and tests run elsewhere.

    Progress of installations and tests arrives as ``RuntimeProgressed``, changes of the list as
    ``RuntimesChanged``.
    """

    def __init__(
        self,
        parts: RuntimeParts,
        *,
        settings: Settings,
        change: SettingWriter,
        emit: Callable[[AppEvent], None],
    ) -> None:
        self._store = parts.store
        self._smoke_test = parts.smoke_test
        self._downloads = parts.downloads
        self._threads = DaemonThreads(name="runtimes")
        self._published: tuple[PublishedRuntime, ...] | None = None
        self._settings = settings
        self._change = change
        self._emit = emit
        self._lock = asyncio.Lock()
        """One is added, tested or removed at a time."""
        self._built_in: Runtime | None = None

    @for_window
    async def choice(self) -> RuntimeChoice:
        """Return all runtimes and the one in use. Under a second."""
        built_in = await self._inspect_built_in()
        added = await asyncio.to_thread(self._store.runtimes)
        history = await asyncio.to_thread(self._store.history)
        chosen, note = self._chosen(None), history.note
        usable = {runtime.name for runtime in added if runtime.state is RuntimeState.WORKS} | {BUILT_IN}
        if chosen not in usable:
            note = note or tr("“{chosen}” cannot be used; the built-in runtime is active instead.").format(
                chosen=chosen
            )
            chosen = BUILT_IN
        return RuntimeChoice(
            runtimes=(_with_test(built_in, history.tests.get(BUILT_IN)), *added),
            in_use=chosen,
            previous=history.previous.get(_ALL_MODELS),
            note=note,
            is_published=self._downloads is not None,
            offers=self._offers(built_in, added),
        )

    @for_window
    async def check_for_updates(self) -> RuntimeChoice:
        """Look in Fireside's releases for runtimes for this computer.

        Only where the choice ``is_published``. May be cancelled. Raises ``UpdateError``.
        """
        self._published = await self._threads.run_until(CancelToken(), self._require_downloads().available)
        return await self.choice()

    @for_window
    async def install(self, name: str) -> Runtime:
        """Download a published runtime, verify its signature, add it and test it. May be cancelled.

        Raises ``UpdateError``, ``runtime_not_found`` if it is no longer offered, and what ``add`` raises.
        """
        downloads, loop = self._require_downloads(), asyncio.get_running_loop()

        def on_progress(share: float) -> None:
            loop.call_soon_threadsafe(self._report_step, name, RuntimeStep.DOWNLOADING, share)

        async with self._lock:
            try:
                archive = await self._threads.run_until(
                    CancelToken(), lambda cancel: downloads.fetch(name, cancel, on_progress)
                )
            except OSError as exc:
                folder = str(self._store.folder)
                raise RuntimeBuildError.of(
                    "runtime_unwritable", path=folder, reason=render_os_error(exc)
                ) from exc
        try:
            runtime = await self.add(str(archive))
        except RuntimeBuildError:
            await asyncio.to_thread(downloads.clean_up)
            raise
        await asyncio.to_thread(downloads.clean_up)
        return runtime

    @for_window
    async def add(self, path: str) -> Runtime:
        """Add a runtime from a folder or an archive and test it. May be cancelled.

        A runtime that fails its test is kept and marked, so that the user sees why.
        Raises ``RuntimeNotAdded`` or ``runtime_unwritable``.
        """
        source = Path(path)
        async with self._lock:
            self._report_step(source.name, RuntimeStep.UNPACKING)
            async with self._unpacked(source) as folder:
                self._report_step(source.name, RuntimeStep.CHECKING)
                facts = await asyncio.to_thread(self._smoke_test.facts, folder)
                if facts.problem:
                    raise RuntimeNotAdded(source=source.name, reason=facts.problem)
                await self._check_version(folder, facts, source=source.name)
                runtime = await asyncio.to_thread(
                    self._store.add,
                    folder,
                    source=source,
                    llama_cpp=facts.llama_cpp,
                    binding=facts.binding,
                )
            try:
                return await self._test(runtime)
            finally:
                self._emit(RuntimesChanged())

    @for_window
    async def test(self, name: str) -> Runtime:
        """Test a runtime with the starter model. May be cancelled. Raises ``runtime_not_found``."""
        async with self._lock:
            try:
                return await self._test(await self._find(name))
            finally:
                self._emit(RuntimesChanged())

    @for_window
    async def use(self, name: str, *, model_id: ModelId | None = None) -> None:
        """Use this runtime from the next load on, for all models or for one.

        Raises ``runtime_not_found``, ``runtime_refused`` if it has not passed its test, or a
        ``SettingsError``.
        """
        runtime = await self._find(name)
        if runtime.state is not RuntimeState.WORKS and not runtime.is_built_in:
            reason = tr_noop("Not tested yet. Test it first.")
            if runtime.test is not None:
                reason = tr("Test failed: {reason}").format(reason=tr(runtime.test.reason))
            raise RuntimeBuildError.of("runtime_refused", name=name, reason=reason)
        before = self._chosen(model_id)
        if before == name:
            return
        layer: Layer = AppLayer() if model_id is None else ModelLayer(model_id=model_id)
        key = model_id if model_id is not None else _ALL_MODELS

        def with_previous(history: RuntimeHistory) -> RuntimeHistory:
            previous = {**history.previous, key: before}
            return msgspec.structs.replace(history, previous=previous, note="")

        await self._change(layer, key=RUNTIME_KEY, value=name)
        await asyncio.to_thread(self._store.update_history, with_previous)
        self._emit(RuntimesChanged())

    @for_window
    async def roll_back(self, *, model_id: ModelId | None = None) -> str:
        """Return to the previous runtime, or the built-in one if that no longer exists, and return its name.

        Raises ``runtime_refused`` if there was none.
        """
        history = await asyncio.to_thread(self._store.history)
        previous = history.previous.get(model_id if model_id is not None else _ALL_MODELS)
        if previous is None:
            raise RuntimeBuildError.of(
                "runtime_refused",
                name=self._chosen(model_id),
                reason=tr_noop("No previous runtime to roll back to."),
            )
        is_usable = await asyncio.to_thread(self._store.usable_folder, previous) is not None
        name = previous if is_usable else BUILT_IN
        await self.use(name, model_id=model_id)
        return name

    @for_window
    async def remove(self, name: str) -> None:
        """Delete a runtime that is not in use.

        Raises ``runtime_not_found``, ``runtime_refused`` or ``runtime_unwritable``.
        """
        async with self._lock:
            if name != BUILT_IN and name == self._chosen(None):
                raise RuntimeBuildError.of(
                    "runtime_refused", name=name, reason=tr_noop("Active; switch to another one first.")
                )
            await asyncio.to_thread(self._store.remove, name)
        self._emit(RuntimesChanged())

    async def _test(self, runtime: Runtime) -> Runtime:
        self._report_step(runtime.name, RuntimeStep.TESTING)
        folder = None if runtime.is_built_in else Path(runtime.folder)
        changed = None
        if folder is not None:
            changed = await asyncio.to_thread(self._store.changed_file, runtime.name)
        test = await self._smoke_test.answer(folder)
        if changed is not None:
            reason = tr("“{changed}” in it was modified after it was added.").format(changed=changed)
            test = msgspec.structs.replace(test, works=False, reason=reason)
        if folder is None:
            await asyncio.to_thread(
                self._store.update_history, lambda history: history.with_test(BUILT_IN, test)
            )
            return _with_test(runtime, test)
        return await asyncio.to_thread(self._store.note_test, runtime.name, test)

    async def _find(self, name: str) -> Runtime:
        if name == BUILT_IN:
            return await self._inspect_built_in()
        return await asyncio.to_thread(self._store.find, name)

    async def _inspect_built_in(self) -> Runtime:
        if self._built_in is None:
            self._built_in = await asyncio.to_thread(_built_in, self._smoke_test)
        return self._built_in

    async def _check_version(self, folder: Path, facts: RuntimeFacts, *, source: str) -> None:
        """Raise if ``folder`` holds another version: equal structures are no proof, fields may have moved."""
        built_in = await self._inspect_built_in()
        our_version = _release(built_in.llama_cpp)
        if our_version and _release(facts.llama_cpp) != our_version:
            reason = tr("it is llama.cpp {version}; {needed} is required.").format(
                version=facts.llama_cpp, needed=built_in.llama_cpp
            )
            raise RuntimeNotAdded(source=source, reason=reason)
        manifest = await asyncio.to_thread(read_manifest, folder)
        if manifest is not None and manifest.binding != facts.binding:
            reason = tr("it was made for llama-cpp-python {version}, and this is {other}.").format(
                version=manifest.binding, other=facts.binding
            )
            raise RuntimeNotAdded(source=source, reason=reason)

    def _offers(self, built_in: Runtime, added: Sequence[Runtime]) -> tuple[RuntimeOffer, ...] | None:
        """Return the published runtimes that are not installed yet."""
        if self._published is None:
            return None
        installed = {(runtime.name, _release(runtime.llama_cpp)) for runtime in added}
        our_version = _release(built_in.llama_cpp)
        return tuple(
            RuntimeOffer(
                name=published.name,
                llama_cpp=published.llama_cpp,
                backends=published.backends,
                n_bytes=published.n_bytes,
                fits=not our_version or _release(published.llama_cpp) == our_version,
            )
            for published in self._published
            if (published.name, _release(published.llama_cpp)) not in installed
        )

    def _require_downloads(self) -> RuntimeDownloads:
        assert self._downloads is not None, "nothing offers it where there is none"
        return self._downloads

    def _chosen(self, model_id: ModelId | None) -> str:
        return load_options(self._settings.resolved(model_id=model_id)).runtime

    @contextlib.asynccontextmanager
    async def _unpacked(self, source: Path) -> AsyncIterator[Path]:
        """Yield the files of ``source`` in a folder that is removed after the block, unless it was moved."""
        loop, stop = asyncio.get_running_loop(), threading.Event()
        reported = -_PROGRESS_STEP

        def on_progress(n_done: int, n_total: int) -> None:
            nonlocal reported
            if stop.is_set():
                raise _Stopped
            fraction = n_done / n_total
            if fraction - reported >= _PROGRESS_STEP:
                reported = fraction
                loop.call_soon_threadsafe(self._report_step, source.name, RuntimeStep.UNPACKING, fraction)

        stack = contextlib.ExitStack()
        entering = asyncio.ensure_future(
            asyncio.to_thread(stack.enter_context, self._store.unpacked(source, on_progress=on_progress))
        )
        try:
            try:
                folder = await asyncio.shield(entering)
            except asyncio.CancelledError:
                # The thread writes until it notices the cancellation, and what it wrote must be removed.
                stop.set()
                await asyncio.wait({entering})
                entering.exception()
                raise
            yield folder
        finally:
            await asyncio.to_thread(stack.close)

    def _report_step(self, name: str, step: RuntimeStep, fraction: float | None = None) -> None:
        self._emit(RuntimeProgressed(name=name, step=step, fraction=fraction))


def _built_in(trial: SmokeTest) -> Runtime:
    facts = trial.facts(None)
    folder = Path(facts.folder) if facts.folder else None
    names = [file.name for file in folder.iterdir()] if folder is not None and folder.is_dir() else []
    return Runtime(
        name=BUILT_IN,
        llama_cpp=facts.llama_cpp,
        backends=backends_among(names),
        platform=this_platform(),
        folder=facts.folder,
        n_bytes=size_of(folder) if folder is not None else 0,
        licence="MIT",
        state=RuntimeState.UNTESTED,
    )


def _with_test(runtime: Runtime, test: RuntimeTest | None) -> Runtime:
    if test is None:
        return runtime
    state = RuntimeState.WORKS if test.works else RuntimeState.FAILED
    return msgspec.structs.replace(runtime, state=state, test=test)


def _release(version: str) -> str:
    """Return a version without its build suffix: ``0.5.0`` of ``0.5.0-dev``."""
    return version.partition("-")[0].partition("+")[0]

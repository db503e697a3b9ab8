"""The library of a fake client: changes the lines of the whole fake, and emits what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from fakes.requests import Requests
from fireside.core.errors import ErrorInfo, ModelFileMissing
from fireside.core.events import AppEvent
from fireside.core.hub import CheckEnded, CheckProgressed, VerifyResult
from fireside.core.ids import ModelId
from fireside.core.library import (
    DiskUse,
    ModelDetail,
    MoveEnded,
    MoveProgress,
    MoveProgressed,
    MoveResult,
    PersonalFacts,
    Removal,
    RemovalKind,
)
from fireside.core.model import ModelEntry


class FakeLibraryClient(Requests):
    """Checks and moves go on only as ``check_progress``, ``end_check`` and their like for moves say."""

    def __init__(
        self,
        publish: Callable[[AppEvent], None],
        *,
        models: Callable[[], Sequence[ModelEntry]],
        set_models: Callable[[Sequence[ModelEntry]], None],
    ) -> None:
        super().__init__()
        self._publish = publish
        self._models = models
        self._set_models = set_models
        self.removals: dict[str, Removal] = {}
        self.details: dict[str, ModelDetail] = {}
        self.use = DiskUse(folders=(), models=())

    # Playing the engine thread

    def check_progress(self, path: str, *, n_bytes: int, size_bytes: int, is_repairing: bool = False) -> None:
        """Let a check come further."""
        self._publish(
            CheckProgressed(path=path, n_bytes=n_bytes, size_bytes=size_bytes, is_repairing=is_repairing)
        )

    def end_check(
        self, path: str, *, results: Sequence[VerifyResult] = (), error: ErrorInfo | None = None
    ) -> None:
        """End a check; with neither results nor error it was cancelled."""
        self._publish(CheckEnded(path=path, results=tuple(results), error=error))

    def move_progress(self, progress: MoveProgress) -> None:
        """Let the move come further."""
        self._publish(MoveProgressed(progress=progress))

    def end_move(self, *, result: MoveResult | None = None, error: ErrorInfo | None = None) -> None:
        """End the move; with neither result nor error it was cancelled."""
        self._publish(MoveEnded(result=result, error=error))

    # Requests

    async def rename_model(self, model_id: ModelId, *, name: str) -> None:
        await self.enter("rename_model", model_id, name)

        def renamed(entry: ModelEntry) -> ModelEntry:
            assert entry.spec is not None
            own = entry.own_name or entry.spec.name
            return msgspec.structs.replace(
                self._noted(entry, name=name),
                own_name=own if name else "",
                spec=msgspec.structs.replace(entry.spec, name=name or own),
            )

        self._change(model_id, renamed)

    async def tag_model(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        await self.enter("tag_model", model_id, tuple(tags))
        self._change(model_id, lambda entry: self._noted(entry, tags=tuple(tags)))

    async def mark_favourite(self, model_id: ModelId, *, favourite: bool) -> None:
        await self.enter("mark_favourite", model_id, favourite)
        self._change(model_id, lambda entry: self._noted(entry, favourite=favourite))

    async def removal(self, path: str) -> Removal:
        await self.enter("removal", path)
        if path in self.removals:
            return self.removals[path]
        entry = self._entry(path)
        return Removal(
            kind=RemovalKind.TRASH,
            words=f"“{entry.file_name}” goes to the trash.",
            files=(path,),
            freed_bytes=entry.size_bytes,
        )

    async def model_detail(self, path: str) -> ModelDetail:
        await self.enter("model_detail", path)
        if path not in self.details:
            raise ModelFileMissing(path=path)
        return self.details[path]

    async def disk_use(self) -> DiskUse:
        await self.enter("disk_use")
        return self.use

    async def check_model(self, path: str, *, repair: bool) -> None:
        await self.enter("check_model", path, repair)

    async def cancel_check(self, path: str) -> None:
        await self.enter("cancel_check", path)
        self.end_check(path)

    async def move_library(self, folder: str) -> None:
        await self.enter("move_library", folder)

    async def cancel_move(self) -> None:
        await self.enter("cancel_move")
        self.end_move()

    # Inside

    def _entry(self, path: str) -> ModelEntry:
        for entry in self._models():
            if entry.path == path:
                return entry
        raise ModelFileMissing(path=path)

    def _change(self, model_id: ModelId, change: Callable[[ModelEntry], ModelEntry]) -> None:
        self._set_models(
            [
                change(entry) if entry.spec is not None and entry.spec.id == model_id else entry
                for entry in self._models()
            ]
        )

    def _noted(self, entry: ModelEntry, **noted: str | bool | tuple[str, ...]) -> ModelEntry:
        personal: PersonalFacts = msgspec.structs.replace(entry.personal, **noted)
        return msgspec.structs.replace(entry, personal=personal)

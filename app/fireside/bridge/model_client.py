"""Protocol of the service for models on this computer: files, loading, verification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ConversationId, ModelId
from fireside.core.library import DiskUse, ModelDetail, Removal
from fireside.core.model import LibraryFailure


class ModelClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes of the library arrive as ``LibraryChanged``, the state of loads as ``ModelStatusChanged``.
    """

    async def load(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load a model with the settings in force, or reload it if they changed. Returns when it is ready."""

    async def unload(self, model_id: ModelId) -> None: ...

    async def add(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        """Add files and folders to the library, in place. Returns those that could not be added."""

    async def remove(self, path: str) -> None:
        """Remove a file from the library: one in the library's own folder is moved to the system's trash, an
        added one is only no longer listed."""

    async def removal(self, path: str) -> Removal:
        """Return what ``remove`` would do. Raises ``ModelFileMissing``."""

    async def rescan(self) -> None: ...

    async def rename(self, model_id: ModelId, *, name: str) -> None:
        """Set the displayed name of a model; an empty one restores its own.

        Raises ``ModelNoteInvalid`` or ``StorageUnwritable``, as the next two methods do.
        """

    async def set_tags(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        """Set the tags of a model."""

    async def set_favourite(self, model_id: ModelId, *, favourite: bool) -> None: ...

    async def detail(self, path: str, *, with_template: str | None = None) -> ModelDetail:
        """Read the header again and return all of it. Raises ``ModelFileInvalid`` or ``ModelFileMissing``.

        The example prompt uses ``with_template`` if given, otherwise the template in force.
        """

    async def disk_use(self) -> DiskUse: ...


class VerificationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def start(self, path: str, *, repair: bool) -> None:
        """Start to compare a model's files with their digests, and to repair them if ``repair``.

        Progress arrives as ``CheckProgressed``, the end as ``CheckEnded``. A model of unknown origin is read
        once to identify it by its content. One model is checked at a time; others wait.
        """

    async def cancel(self, path: str) -> None: ...


class LibraryMoveClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def start(self, folder: str) -> None:
        """Start to move the library to ``folder`` and return once that has begun. Raises ``LibraryNotMoved``.

        Progress arrives as ``MoveProgressed``, at most ten times a second, the end as ``MoveEnded``.
        """

    async def cancel(self) -> None: ...

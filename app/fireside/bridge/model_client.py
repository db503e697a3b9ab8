"""Protocol of the service for models on this computer: files, loading, verification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ConversationId, ModelId
from fireside.core.library import DiskUse, ModelDetail, Removal
from fireside.core.model import LibraryFailure


class ModelClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What changes a line of the library arrives as ``LibraryChanged``, where a load stands as
    ``ModelStatusChanged``.
    """

    async def load(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load with the settings in force, or load again if they changed. Returns when ready."""

    async def unload(self, model_id: ModelId) -> None: ...

    async def add(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        """Add files and folders to the library, in place. Returns those that could not be added."""

    async def remove(self, path: str) -> None:
        """Take a file out of the library: a file in the library's own folder goes to the system's trash,
        an added one is only forgotten."""

    async def removal(self, path: str) -> Removal:
        """Return what ``remove`` would do. Raises ``ModelFileMissing``."""

    async def rescan(self) -> None: ...

    async def rename(self, model_id: ModelId, *, name: str) -> None:
        """Show another name; an empty one gives the model its own back.

        Raises ``ModelNoteInvalid`` or ``StorageUnwritable``, as the next two do.
        """

    async def set_tags(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        """Set the tags of a model."""

    async def set_favourite(self, model_id: ModelId, *, favourite: bool) -> None: ...

    async def detail(self, path: str, *, with_template: str | None = None) -> ModelDetail:
        """Read the header again and return all of it. Raises ``ModelFileInvalid`` or ``ModelFileMissing``.

        The example is by ``with_template``, where it is given, in place of the template in force.
        """

    async def disk_use(self) -> DiskUse: ...


class VerificationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def start(self, path: str, *, repair: bool) -> None:
        """Begin to compare a model's files with what was downloaded, and to mend them if asked to.

        Progress arrives as ``CheckProgressed``, the end as ``CheckEnded``. A model of unknown origin is read
        whole once, so that it is known by its content. One model at a time; others wait.
        """

    async def cancel(self, path: str) -> None: ...


class LibraryMoveClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def start(self, folder: str) -> None:
        """Begin to move to ``folder``, and return once that goes well. Raises ``LibraryNotMoved``.

        Progress arrives as ``MoveProgressed``, at most ten times a second, the end as ``MoveEnded``.
        """

    async def cancel(self) -> None: ...

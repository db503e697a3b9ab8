"""What the window may ask about the models on this computer, beyond listing and loading them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ModelId
from fireside.core.library import DiskUse, ModelDetail, ModelUpdate, Removal


class LibraryClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What changes a line arrives as ``LibraryChanged``.
    """

    async def rename_model(self, model_id: ModelId, *, name: str) -> None:
        """Show another name; an empty one gives the model its own back. Raises ``ModelNoteInvalid``."""

    async def tag_model(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        """Raises ``ModelNoteInvalid``."""

    async def mark_favourite(self, model_id: ModelId, *, favourite: bool) -> None: ...

    async def removal(self, path: str) -> Removal:
        """Return what ``EngineClient.remove_model`` would do. Raises ``ModelFileMissing``."""

    async def model_detail(self, path: str) -> ModelDetail:
        """Read the header again and return all of it. Raises ``ModelFileInvalid`` or ``ModelFileMissing``."""

    async def disk_use(self) -> DiskUse: ...

    async def check_model(self, path: str, *, repair: bool) -> None:
        """Begin to compare a model's files with what was downloaded, and to mend them if asked to.

        Progress arrives as ``CheckProgressed``, the end as ``CheckEnded``. A model of unknown origin is read
        whole once, so that it is known by its content. One model at a time; others wait.
        """

    async def cancel_check(self, path: str) -> None: ...

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        """Ask the hub which downloaded files have a newer version there. Raises ``HubError``."""

    async def move_library(self, folder: str) -> None:
        """Begin to move the library's folder; progress arrives as ``MoveProgressed``, the end as
        ``MoveEnded``. Raises ``LibraryNotMoved`` where it cannot begin."""

    async def cancel_move(self) -> None: ...

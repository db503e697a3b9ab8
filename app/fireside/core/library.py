"""Facts of a model beyond its header: locations, provenance, user metadata, disk use."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ModelId


class ModelLocation(msgspec.Struct, frozen=True, kw_only=True):
    """Another file with the same content."""

    path: str
    source: str
    """Its source, for the user."""
    size_bytes: int
    """Disk space; 0 if it is the same file under another path."""


class ModelOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The source of a downloaded file, which was verified when this was written beside it."""

    is_changed: bool = False
    """Whether the file was changed since, by its size or time; ``digest`` is then that of the original."""

    repo: str
    commit: str
    path: str
    digest: str
    """SHA-256 in hexadecimal."""
    downloaded_at: str
    """UTC, ISO 8601."""


class UserMetadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The user's metadata of a model, and when it was last used."""

    name: str = ""
    """Replaces the model's own name; empty for none."""
    tags: tuple[str, ...] = ()
    favourite: bool = False
    last_used_s: float | None = None
    """Seconds since 1970."""


class ModelPreset(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of another application for a model; ``None`` if it has none."""

    system: str = ""
    stop: tuple[str, ...] = ()
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repeat_penalty: float | None = None
    n_ctx: int | None = None


class RemovalKind(StrEnum):
    """What removing a model from the library does."""

    TRASH = "trash"
    """Its files are moved to the system's trash."""
    FORGET_FILE = "forget_file"
    """An added file is no longer listed, and remains in place."""
    FORGET_FOLDER = "forget_folder"
    """An added folder is no longer listed, with all its models."""
    NOT_POSSIBLE = "not_possible"


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """What ``Library.remove`` would do with a model; ``text`` describes it as a sentence."""

    kind: RemovalKind
    text: str
    files: tuple[str, ...] = ()
    """The files that are moved to the trash."""
    freed_bytes: int = 0
    """Disk space that is freed when the trash is emptied; 0 for files with other hard links."""


class FolderUse(msgspec.Struct, frozen=True, kw_only=True):
    """Disk use of one source of models."""

    source: str
    path: str
    n_models: int
    used_bytes: int
    free_bytes: int | None
    total_bytes: int | None
    """Of the disk; ``None`` if unknown."""


class ModelUse(msgspec.Struct, frozen=True, kw_only=True):
    """Disk use of one model, in all its locations."""

    id: ModelId | None
    """``None`` for an unusable file."""
    name: str
    path: str
    used_bytes: int
    copies_bytes: int = 0
    """The part of ``used_bytes`` outside of the first location."""


class DiskUse(msgspec.Struct, frozen=True, kw_only=True):
    """Disk use by folder and by model, largest first. No file is counted twice."""

    folders: tuple[FolderUse, ...]
    models: tuple[ModelUse, ...]


class MovePhase(StrEnum):
    """Phase of moving the library."""

    COPYING = "copying"
    CHECKING = "checking"
    """A copy is compared with the original."""
    REMOVING = "removing"
    """The new folder is in use; the old files are removed."""


class MoveProgress(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a move. Each byte counts twice in ``n_bytes``: when copied and when checked."""

    phase: MovePhase
    file_name: str
    n_files_done: int
    n_files: int
    n_bytes_done: int
    n_bytes: int


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a move. ``left_behind`` are files of the old folder that could not be removed."""

    folder: str
    n_files: int
    n_bytes: int
    left_behind: tuple[str, ...] = ()


class MoveProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="move_progressed"):
    """The library is being moved to another folder."""

    progress: MoveProgress


class MoveEnded(msgspec.Struct, frozen=True, kw_only=True, tag="move_ended"):
    """The move ended, with a result or an error; with neither, it was cancelled and nothing was moved."""

    result: MoveResult | None = None
    error: ErrorInfo | None = None


class ModelUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """The hub has another version of a downloaded file."""

    path: str
    """The path of the model in the library."""
    repo: str
    file: str
    """The path in the repository."""
    commit: str
    size_bytes: int
    replaces: str
    """Digest of the file in the library that the update is for."""


class MetadataLine(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a file's header."""

    key: str
    kind: str
    """The type's name: ``string``, ``uint32``, ``array of string``."""
    value: str
    """Truncated if it is long."""
    n_items: int = 1
    """The length of an array."""


class TensorKindUse(msgspec.Struct, frozen=True, kw_only=True):
    """All tensors of one type in a model."""

    kind: str
    """``Q4_K``, ``F32``."""
    n_tensors: int
    n_elements: int
    n_bytes: int


class TensorLine(msgspec.Struct, frozen=True, kw_only=True):
    """One tensor of a model."""

    name: str
    kind: str
    shape: tuple[int, ...]
    n_bytes: int


class ModelDetail(msgspec.Struct, frozen=True, kw_only=True):
    """The full content of a model's header."""

    path: str
    files: tuple[str, ...]
    """All parts, followed by the projector if there is one."""
    metadata: tuple[MetadataLine, ...]
    tensor_kinds: tuple[TensorKindUse, ...]
    """Largest first."""
    tensors: tuple[TensorLine, ...]
    chat_template: str
    """Empty if the file has none."""
    named_templates: tuple[tuple[str, str], ...] = ()
    """Additional templates of the file, by name."""
    own_template: str = ""
    """The user's template, which replaces the model's and is used for the example."""
    rendered_example: str
    """A short conversation as the model would see it."""
    template_problem: str = ""
    """Why there is no example, or which substitute was used, as a sentence."""
    preset: ModelPreset | None = None
    """The settings of the application that the file belongs to."""

"""What the library knows of a model beyond its header: locations, provenance, user metadata, disk use."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ModelId


class ModelLocation(msgspec.Struct, frozen=True, kw_only=True):
    """Another place of the same content."""

    path: str
    source: str
    """Where that is, in words."""
    size_bytes: int
    """What it takes on the disk; 0 if it is the same file, reached by another path."""


class ModelOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a file was downloaded from. It was whole and right when this was written beside it."""

    is_changed: bool = False
    """Whether the file is another one by now, by its size or its time: ``digest`` is what it was."""

    repo: str
    commit: str
    path: str
    digest: str
    """SHA-256 in hexadecimal digits."""
    downloaded_at: str
    """UTC, ISO 8601."""


class UserMetadata(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the user noted about a model, and when it was last used."""

    name: str = ""
    """Shown instead of the model's own name; empty means that one."""
    tags: tuple[str, ...] = ()
    favourite: bool = False
    last_used_s: float | None = None
    """Seconds since 1970."""


class ModelPreset(msgspec.Struct, frozen=True, kw_only=True):
    """What another application sets for a model; ``None`` is what it leaves open."""

    system: str = ""
    stop: tuple[str, ...] = ()
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repeat_penalty: float | None = None
    n_ctx: int | None = None


class RemovalKind(StrEnum):
    """What taking a model out of the library does."""

    TRASH = "trash"
    """Its files go to the system's trash."""
    FORGET_FILE = "forget_file"
    """An added file stays where it is and is no longer listed."""
    FORGET_FOLDER = "forget_folder"
    """An added folder is no longer listed, with all models in it."""
    NOT_POSSIBLE = "not_possible"


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """What ``Library.remove`` would do with one model. ``words`` says it, as a sentence."""

    kind: RemovalKind
    text: str
    files: tuple[str, ...] = ()
    """What goes to the trash."""
    freed_bytes: int = 0
    """On the disk, once the trash is emptied; a file that is also reached by another name frees nothing."""


class FolderUse(msgspec.Struct, frozen=True, kw_only=True):
    """One source of models: what its model files take, and what is free on its disk."""

    source: str
    path: str
    n_models: int
    used_bytes: int
    free_bytes: int | None
    total_bytes: int | None
    """Of the disk; ``None`` where it cannot be asked."""


class ModelUse(msgspec.Struct, frozen=True, kw_only=True):
    """What one model takes on the disk, in all its places."""

    id: ModelId | None
    """``None`` for a file that cannot be used."""
    name: str
    path: str
    used_bytes: int
    copies_bytes: int = 0
    """Of these, in all places but the first."""


class DiskUse(msgspec.Struct, frozen=True, kw_only=True):
    """Disk use by folder and by model, largest first. No file counts twice."""

    folders: tuple[FolderUse, ...]
    models: tuple[ModelUse, ...]


class MovePhase(StrEnum):
    """How far a move of the library is."""

    COPYING = "copying"
    CHECKING = "checking"
    """A copy is read once more and compared."""
    REMOVING = "removing"
    """The new folder is in use; the old files are removed."""


class MoveProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a move is. Bytes count twice over ``n_bytes``: once copied, once checked."""

    phase: MovePhase
    file_name: str
    n_files_done: int
    n_files: int
    n_bytes_done: int
    n_bytes: int


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move that is done. ``left_behind`` are files of the old folder that could not be removed."""

    folder: str
    n_files: int
    n_bytes: int
    left_behind: tuple[str, ...] = ()


class MoveProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="move_progressed"):
    """The library is being moved to another folder."""

    progress: MoveProgress


class MoveEnded(msgspec.Struct, frozen=True, kw_only=True, tag="move_ended"):
    """The move is over: done, failed, or, with neither set, cancelled; then all is where it was."""

    result: MoveResult | None = None
    error: ErrorInfo | None = None


class ModelUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """The hub has another version of a file that was downloaded from it."""

    path: str
    """Of the model in the library."""
    repo: str
    file: str
    """Its path in the repository."""
    commit: str
    size_bytes: int
    replaces: str
    """Digest of the content that is here; another one there is not what this is about any more."""


class MetadataLine(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a file's header."""

    key: str
    kind: str
    """The type's name: ``string``, ``uint32``, ``array of string``."""
    value: str
    """Shortened where it is long."""
    n_items: int = 1
    """Of an array."""


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
    """Everything that a model's file says about itself."""

    path: str
    files: tuple[str, ...]
    """All parts, and the projector last if there is one."""
    metadata: tuple[MetadataLine, ...]
    tensor_kinds: tuple[TensorKindUse, ...]
    """Largest first."""
    tensors: tuple[TensorLine, ...]
    chat_template: str
    """Empty if the file has none."""
    named_templates: tuple[tuple[str, str], ...] = ()
    """Others that the file has, each with its name."""
    own_template: str = ""
    """What the user put in its place; the example is by this one then."""
    rendered_example: str
    """A short conversation as the model would see it."""
    template_problem: str = ""
    """Why there is no example, or which stand-in was used, as a sentence."""
    preset: ModelPreset | None = None
    """What the application that keeps the file sets for it."""

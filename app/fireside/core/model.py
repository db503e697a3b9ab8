"""What a model file is: facts read from its header, never settings or progress."""

from __future__ import annotations

import msgspec

from fireside.core.ids import ModelId
from fireside.core.library import ModelLocation, ModelOrigin, UserMetadata
from fireside.core.memory_layout import ModelLayout
from fireside.core.options import Purpose
from fireside.core.remote import RemoteLocation


class ModelSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be loaded. Sizes in bytes, counts in units."""

    id: ModelId
    name: str
    path: str
    size_bytes: int
    architecture: str
    quantization: str
    n_params: int
    n_ctx_train: int
    n_layers: int
    n_embd: int
    n_vocab: int
    has_chat_template: bool
    reasons: bool = False
    """Whether its template knows reasoning before an answer."""
    n_head_kv: int = 0
    head_dim: int = 0
    licence: str = ""
    purpose: Purpose = Purpose.GENERATE
    """What the file was made for; only one made to write text can chat."""
    projector_path: str | None = None
    """The file beside the model with which it sees images, if there is one."""
    layout: ModelLayout | None = None
    """Where its bytes go; ``None`` for one that an earlier version of the program remembered."""
    sampling: tuple[tuple[str, float | str], ...] = ()
    """How its makers would have its tokens chosen, by the names of the header: ``temp``, ``top_k``."""
    remote: RemoteLocation | None = None
    """Set where another engine has it; then nothing is known of a file, and numbers may be 0."""

    @property
    def sees_images(self) -> bool:
        """Whether it takes pictures; another engine that does not say is believed to."""
        if self.remote is not None:
            return self.remote.model.sees is not False
        return self.projector_path is not None


class ModelEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the library: a file that was found, readable or not.

    Exactly one of ``spec`` and ``problem`` is set.
    """

    path: str
    file_name: str
    size_bytes: int
    source: str
    """Where it lives, in words: ``Comes with Fireside``, ``Library``, the application that keeps it, or the
    folder that was added."""
    removable: bool
    spec: ModelSpec | None = None
    problem: str | None = None
    added_s: float | None = None
    """When the file was written here, in seconds since 1970."""
    is_growing: bool = False
    """Whether it is still being copied; ``problem`` says so then."""
    is_disconnected: bool = False
    """Whether the drive that it is on is not connected; ``problem`` says so then."""
    other_names: tuple[str, ...] = ()
    """What else the application that keeps it calls it: each tag of Ollama's is a name."""
    own_name: str = ""
    """What the model itself is called, where the user gave it another name."""
    user_metadata: UserMetadata = UserMetadata()
    origin: ModelOrigin | None = None
    """Where it was downloaded from; set only for a file that was verified then."""
    last_id: ModelId | None = None
    """The id that it had when it could be used; ``None`` where it can be, or never was."""
    sha256: str = ""
    """Of a model in one file, where it is known without reading the file."""
    places: tuple[ModelLocation, ...] = ()
    """Other places of the same content; it is listed only once."""
    probable_copies: tuple[ModelLocation, ...] = ()
    """Other models of the library that look the same; only reading them whole would tell."""

    @property
    def can_chat(self) -> bool:
        """Whether it is a usable model that was made to write text."""
        return self.spec is not None and self.spec.purpose is Purpose.GENERATE


class LibraryFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A folder or file that could not be looked at, with the reason in words."""

    path: str
    reason: str
    is_missing: bool = False
    """Whether there is nothing at ``path``: it was moved, or its drive is not connected."""


def display_name(entry: ModelEntry) -> str:
    """Name for the user: the model's own, or the file's where the header says none."""
    return entry.spec.name if entry.spec is not None else entry.file_name

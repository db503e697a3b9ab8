"""Models of the library: facts from their headers, without settings or progress."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from fireside.core.ids import ModelId
from fireside.core.library import ModelLocation, ModelOrigin, UserMetadata
from fireside.core.options import Purpose
from fireside.core.remote import RemoteLocation


class Senses(NamedTuple):
    """Which media a model takes beside text."""

    sees: bool
    """Images, and videos as rows of images."""
    hears: bool
    """Sound, also that of videos."""


class ModelSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be loaded, or one of a remote engine."""

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
    """Whether its template supports reasoning."""
    calls_tools: bool | None = None
    """Whether its template has a place for tools; ``None`` if that is not known. A remote model's is in
    ``remote``."""
    n_head_kv: int = 0
    head_dim: int = 0
    licence: str = ""
    purpose: Purpose = Purpose.GENERATE
    """What the model was made for; only one for text generation can chat."""
    projector_path: str | None = None
    """The multimodal projector beside the model, if there is one."""
    projector_sees: bool = True
    """Whether the projector has an encoder for images."""
    projector_hears: bool = False
    """Whether the projector has an encoder for sound."""
    layout: ModelLayout | None = None
    """``None`` for an entry that was cached by an earlier version."""
    sampling: tuple[tuple[str, float | str], ...] = ()
    """The recommended sampling parameters, under the names of the header: ``temp``, ``top_k``."""
    tokenizer: str = ""
    """The kind of its tokenizer, as in the header: ``gpt2``, ``llama``; empty if that is not known."""
    n_heads: int = 0
    """Heads for multi-token prediction that can draft, in its own file."""
    heads_path: str | None = None
    """The file beside the model that has such heads, if there is one."""
    remote: RemoteLocation | None = None
    """Set for a model of a remote engine, which has no file, and whose numbers may be 0."""

    @property
    def sees_images(self) -> bool:
        """Whether it accepts images, and so videos, as rows of images; true for a remote model that does not
        report it."""
        if self.remote is not None:
            return self.remote.model.sees is not False
        return self.projector_path is not None and self.projector_sees

    @property
    def hears_audio(self) -> bool:
        """Whether it accepts sound; false for a remote model that does not report it."""
        if self.remote is not None:
            return self.remote.model.hears is True
        return self.projector_path is not None and self.projector_hears

    @property
    def senses(self) -> Senses:
        """What it takes beside text."""
        return Senses(sees=self.sees_images, hears=self.hears_audio)


class ToolAbility(StrEnum):
    """Whether a model gets the tools of a chat."""

    CALLS = "calls"
    """Also where nothing is known."""
    SELDOM = "seldom"
    """It was not made for tools, and is large enough to follow a description of them."""
    NONE = "none"
    """It gets none, since they would take its context and be of no use."""


_LARGE_PARAMS: Final = 3_000_000_000
_TOOLS: Final = re.compile(r"\btools\b")


def template_calls_tools(template: str) -> bool:
    """Whether a chat template has a place for tools."""
    return _TOOLS.search(template) is not None


def tool_ability(spec: ModelSpec, *, template: str = "") -> ToolAbility:
    """Return whether a model gets tools; ``template`` is the user's, which replaces its own, or empty."""
    if spec.remote is not None:
        return ToolAbility.NONE if spec.remote.model.calls_tools is False else ToolAbility.CALLS
    if (template_calls_tools(template) if template else spec.calls_tools) is not False:
        return ToolAbility.CALLS
    return ToolAbility.SELDOM if spec.n_params >= _LARGE_PARAMS else ToolAbility.NONE


class ModelEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the library: a file, readable or not.

    Either ``spec`` or ``problem`` is set.
    """

    path: str
    file_name: str
    size_bytes: int
    source: str
    """Its source for the user: ``Comes with Fireside``, ``Library``, the name of the other application, or
    the added folder."""
    removable: bool
    spec: ModelSpec | None = None
    problem: str | None = None
    added_s: float | None = None
    """When the file was written, in seconds since 1970."""
    is_growing: bool = False
    """Whether it is still being copied; ``problem`` says so."""
    is_disconnected: bool = False
    """Whether its drive is not connected; ``problem`` says so."""
    other_names: tuple[str, ...] = ()
    """Other names in the application that it belongs to, such as all tags of Ollama."""
    own_name: str = ""
    """The model's own name, if the user gave it another one."""
    user_metadata: UserMetadata = UserMetadata()
    origin: ModelOrigin | None = None
    """The source of a downloaded file, if it was verified."""
    last_id: ModelId | None = None
    """The former id of a model that is unusable now; ``None`` otherwise."""
    sha256: str = ""
    """Of a model in one file, if it is known without reading the file."""
    places: tuple[ModelLocation, ...] = ()
    """Other locations of the same content, which is listed once."""
    probable_copies: tuple[ModelLocation, ...] = ()
    """Other models of the library that seem to be the same; their full content was not compared."""

    @property
    def can_chat(self) -> bool:
        """Whether it is usable and made for text generation."""
        return self.spec is not None and self.spec.purpose is Purpose.GENERATE


class LibraryFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A folder or file that could not be read, with the reason."""

    path: str
    reason: str
    is_missing: bool = False
    """Whether ``path`` does not exist: it was moved, or its drive is not connected."""


def display_name(entry: ModelEntry) -> str:
    """Return the name for the user: the model's, or that of an unusable file."""
    return entry.spec.name if entry.spec is not None else entry.file_name


class LayerLayout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One layer. Widths are numbers of elements, independent of the data type."""

    weights_bytes: int = 0
    expert_bytes: int = 0
    """The part of ``weights_bytes`` of experts, of which a token uses only some."""
    k_width: int = 0
    """Elements of a token's key in the KV cache; 0 for a layer without a cache."""
    v_width: int = 0
    window: int = 0
    """Tokens of the sliding window; 0 for full attention."""
    state_width: int = 0
    """32-bit elements of the recurrent state, independent of the context length."""


class ModelLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes of a model's tensors."""

    layers: tuple[LayerLayout, ...]
    input_bytes: int
    """The embedding tables, which always remain in RAM."""
    output_bytes: int
    """The output layer."""
    tied_bytes: int = 0
    """The part of ``input_bytes`` that is used as the output layer too, and copied to its device."""
    n_head: int = 0
    n_ff: int = 0
    """Width of the widest feed-forward layer, all experts of one token together."""
    n_experts_used: int = 1
    n_experts: int = 0
    """Experts per layer; 0 for a dense model."""

    @property
    def weights_bytes(self) -> int:
        """The size of all tensors, each counted once."""
        return self.input_bytes + self.output_bytes + sum(layer.weights_bytes for layer in self.layers)

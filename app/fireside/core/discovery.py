"""Search results, model pages, recommendations and the catalogue of the hub, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.fit import Placement, QuantFit, Rating, SpeedRange, rate
from fireside.core.hub import HubFile
from fireside.core.i18n import tr_noop
from fireside.core.options import Purpose
from fireside.core.secret_location import SecretLocation


class SortOrder(StrEnum):
    """Sort order of models, descending."""

    TRENDING = "trending"
    DOWNLOADS = "downloads"
    LIKES = "likes"
    UPDATED = "updated"


class Access(StrEnum):
    """Who may download a model."""

    OPEN = "open"
    GATED = "gated"
    """The user must accept a licence on the hub's page; access is often granted at once."""
    PRIVATE = "private"


class ModelQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Search filters for models on the hub. Empty or ``None`` means any."""

    text: str = ""
    author: str = ""
    sort: SortOrder = SortOrder.TRENDING
    min_params: int | None = None
    max_params: int | None = None
    licence: str = ""
    """The hub's id: ``apache-2.0``, ``mit``, ``llama3.1``."""
    is_gated: bool | None = None
    task: str = ""
    """The hub's id: ``image-text-to-text``."""
    architecture: str = ""
    """A prefix of the architecture in the file: ``qwen`` also matches ``qwen3moe``."""
    min_ctx_train: int = 0
    calls_tools: bool = False
    """Whether the chat template must support tools."""
    reasons: bool = False
    """Whether the chat template must support reasoning."""


class HubSearchHit(msgspec.Struct, frozen=True, kw_only=True):
    """One search result. What the hub does not state is 0, empty or ``None``."""

    repo: str
    """``owner/name``."""
    commit: str = ""
    """The current commit; empty if unknown."""
    n_downloads: int = 0
    """In the last 30 days."""
    n_likes: int = 0
    updated_at: str = ""
    """UTC, ISO 8601."""
    access: Access = Access.OPEN
    licence: str = ""
    n_params: int = 0
    n_ctx_train: int = 0
    architecture: str = ""
    purpose: Purpose = Purpose.GENERATE
    sees_images: bool = False
    hears_audio: bool = False
    calls_tools: bool = False
    reasons: bool = False


class ModelOutline(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a listed model that a ``FitEstimate`` is based on."""

    repo: str
    n_params: int
    n_active_params: int = 0
    size_bytes: int = 0
    """0 for the size of the usual quantization."""
    n_ctx_train: int = 0
    generates_text: bool = True
    """Whether it generates text; only then a speed is estimated."""


class FitEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Estimate of where and how fast a model would run on this computer, in its usual quantization."""

    where: Placement
    n_bytes: int
    """Approximate size of the file."""
    speed: SpeedRange | None
    label: str = ""
    """The quantization whose header was read; empty if the estimate is for the usual one."""
    obstacle: str = ""
    """Why it does not run, as a sentence; empty if it does."""

    @property
    def rating(self) -> Rating:
        """How well it suits this computer."""
        return rate(self.where, self.speed)


class HubSearchPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of search results; ``next_page`` is the cursor of the next one, ``None`` after the last."""

    models: tuple[HubSearchHit, ...]
    next_page: str | None = None


class HubQuant(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be downloaded from a repository: a file, or all parts of a split one in order."""

    label: str
    """The quantization, or the file name if that contains none."""
    description: str
    """An explanation of the label for the user; empty if it is unknown."""
    files: tuple[HubFile, ...]
    name: str = ""
    """The file name, if several files of the repository have the same label."""

    @property
    def title(self) -> str:
        """The name or label, unique within the repository, for display."""
        return self.name or self.label

    @property
    def size_bytes(self) -> int:
        """The size of all files together."""
        return sum(file.size_bytes for file in self.files)

    @property
    def path(self) -> str:
        """The path of the first file, which identifies it within the repository."""
        return self.files[0].path


class HubModel(msgspec.Struct, frozen=True, kw_only=True):
    """A repository's page, at one commit."""

    found: HubSearchHit
    commit: str
    address: str
    """The web page, on which the licence of a gated model can be accepted."""
    card: str
    """The model card: Markdown without front matter, of limited length, not trusted."""
    quants: tuple[HubQuant, ...]
    """Sorted by size."""
    projectors: tuple[HubFile, ...] = ()
    """Multimodal projectors; the first is downloaded with every quant."""
    heads: tuple[HubFile, ...] = ()
    """Files with draft heads (MTP) alone; the first is downloaded with every quant."""
    base_model: str = ""
    licence_address: str = ""
    tags: tuple[str, ...] = ()
    requested_path: str = ""
    """The ``path`` of the quant that the user requested, if any."""
    has_access: bool = True
    """Whether its files can be downloaded; false for a gated model whose licence is not accepted yet."""

    @property
    def repo(self) -> str:
        """``owner/name`` on the hub."""
        return self.found.repo


class AdvisedFit(msgspec.Struct, frozen=True, kw_only=True):
    """How the quant with this ``path`` would run on this computer."""

    path: str
    fit: QuantFit


class HubAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """The recommended quant for this computer at the configured context length, and how each would run."""

    n_ctx: int
    """The context length that was assumed."""
    fits: tuple[AdvisedFit, ...]
    best: str
    """The ``path`` of the recommended quant; empty if none fits."""
    why: str
    """The reason, or that none fits, as a sentence."""


_EVERYDAY_PURPOSES: Final = frozenset({tr_noop("Everyday chat"), tr_noop("Low-memory PCs")})
_NON_TEXT_PURPOSES: Final = frozenset({tr_noop("Search and compare texts")})
_HELPER_PURPOSES: Final = _NON_TEXT_PURPOSES | {tr_noop("Draft models")}


class CatalogueModel(msgspec.Struct, frozen=True, kw_only=True):
    """A well-known model that is offered without network access."""

    repo: str
    quantization: str
    """The default quantization."""
    name: str
    publisher: str
    purpose: str
    """Its heading in the catalogue, such as “Everyday chat”."""
    about: str
    """One sentence for the user."""
    n_params: int
    n_active_params: int = 0
    """Parameters used for one token in a mixture of experts; 0 for other models."""
    size_bytes: int
    """Approximate size of the default quantization."""
    n_ctx_train: int
    licence: str
    sees_images: bool = False
    hears_audio: bool = False

    @property
    def download_name(self) -> str:
        """The name by which it is downloaded."""
        return f"{self.repo}:{self.quantization}"

    @property
    def is_for_everyday_use(self) -> bool:
        """Whether it is meant for all kinds of chats, not for one task."""
        return self.purpose in _EVERYDAY_PURPOSES

    @property
    def is_helper(self) -> bool:
        """Whether it does not chat: it searches documents, or makes other models faster."""
        return self.purpose in _HELPER_PURPOSES

    @property
    def outline(self) -> ModelOutline:
        """What a ``FitEstimate`` of it is based on."""
        return ModelOutline(
            repo=self.repo,
            n_params=self.n_params,
            n_active_params=self.n_active_params,
            size_bytes=self.size_bytes,
            n_ctx_train=self.n_ctx_train,
            generates_text=self.purpose not in _NON_TEXT_PURPOSES,
        )


class SuggestedModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model of the catalogue, and how it would run on this computer."""

    model: CatalogueModel
    estimate: FitEstimate
    is_first: bool = False
    """Whether it is the one that suits this computer."""
    is_comfortable: bool = True
    """Whether it answers as fast as one reads; otherwise it is the fastest there is."""


class HubTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a successful connection test of the hub; failures are raised."""

    host: str
    seconds: float
    """The time until its response."""
    user: str = ""
    """The user name of the access token; empty without one."""
    token_location: SecretLocation = SecretLocation.NONE

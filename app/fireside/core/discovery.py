"""Values of the hub before a download: search results, model pages, recommendations, the catalogue."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.fit import Placement, QuantFit, SpeedRange
from fireside.core.hub import HubFile
from fireside.core.options import Purpose
from fireside.core.secret_location import SecretLocation


class SortOrder(StrEnum):
    """In which order models are listed, the most first."""

    TRENDING = "trending"
    DOWNLOADS = "downloads"
    LIKES = "likes"
    UPDATED = "updated"


class Access(StrEnum):
    """Who may download a model."""

    OPEN = "open"
    GATED = "gated"
    """Its owner wants a licence accepted on the hub's page, with an account; often granted at once."""
    PRIVATE = "private"


class ModelQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Search filters for models on the hub. Empty or ``None`` means any."""

    text: str = ""
    author: str = ""
    sort: SortOrder = SortOrder.TRENDING
    min_params: int | None = None
    max_params: int | None = None
    licence: str = ""
    """As the hub writes it: ``apache-2.0``, ``mit``, ``llama3.1``."""
    is_gated: bool | None = None
    task: str = ""
    """What it is made for, as the hub writes it: ``image-text-to-text``."""
    architecture: str = ""
    """How its name in the file begins: ``qwen`` also means ``qwen3moe``."""
    min_ctx_train: int = 0
    calls_tools: bool = False
    """Whether its chat template must know tools."""
    reasons: bool = False
    """Whether its chat template must know reasoning."""


class HubSearchHit(msgspec.Struct, frozen=True, kw_only=True):
    """One search result. What the hub does not state is 0, empty or ``None``."""

    repo: str
    """``owner/name``."""
    commit: str = ""
    """The one that it is at; empty where that was not told."""
    n_downloads: int = 0
    """In the last thirty days."""
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
    calls_tools: bool = False
    reasons: bool = False


class ModelOutline(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a listed model from which its ``FitEstimate`` is made."""

    repo: str
    n_params: int
    n_active_params: int = 0
    size_bytes: int = 0
    """0 stands for the usual quantization."""
    n_ctx_train: int = 0
    generates_text: bool = True
    """Whether it writes text, of which a speed can be told."""


class FitEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """Estimate of where and how fast a model would run here in its usual quantization."""

    where: Placement
    n_bytes: int
    """Of the file, about."""
    speed: SpeedRange | None
    label: str = ""
    """The quantization, where its header was read; else this is a guess for the usual one."""


class HubSearchPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a search; ``next_page`` is to be asked for the next one, ``None`` after the last."""

    models: tuple[HubSearchHit, ...]
    next_page: str | None = None


class HubQuant(msgspec.Struct, frozen=True, kw_only=True):
    """One model that can be fetched from a repository: a file, or all parts of a split one in order."""

    label: str
    """The quantization, or the file's name where that tells none."""
    description: str
    """What the label means for the user; empty if it says nothing."""
    files: tuple[HubFile, ...]
    name: str = ""
    """The file's name, where several of the repository have one label."""

    @property
    def title(self) -> str:
        """What tells it from the others for the user."""
        return self.name or self.label

    @property
    def size_bytes(self) -> int:
        """Of all its files together."""
        return sum(file.size_bytes for file in self.files)

    @property
    def path(self) -> str:
        """What tells it from the others of its repository: the path of its first file."""
        return self.files[0].path


class HubModel(msgspec.Struct, frozen=True, kw_only=True):
    """A repository's page, at one commit."""

    found: HubSearchHit
    commit: str
    address: str
    """For a browser; there the licence of a gated model is accepted."""
    card: str
    """What its owner says about it: Markdown without its front matter, bounded; hostile input."""
    quants: tuple[HubQuant, ...]
    """In order of size."""
    projectors: tuple[HubFile, ...] = ()
    """Files that let the model see images; the first comes with every quant."""
    base_model: str = ""
    licence_address: str = ""
    tags: tuple[str, ...] = ()
    requested_path: str = ""
    """The ``path`` of the quant that was named, where the user named one."""
    has_access: bool = True
    """Whether its files may be fetched now; false for a gated model whose terms are not accepted yet."""

    @property
    def repo(self) -> str:
        """``owner/name`` on the hub."""
        return self.found.repo


class AdvisedFit(msgspec.Struct, frozen=True, kw_only=True):
    """How the quant with this ``path`` would run here."""

    path: str
    fit: QuantFit


class HubAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Which quant suits this computer at the context that is set, and how each would run."""

    n_ctx: int
    """Tokens of one conversation that were reckoned with."""
    fits: tuple[AdvisedFit, ...]
    best: str
    """The ``path`` of the quant to take; empty if none fits."""
    why: str
    """A sentence: the reason, or that none fits."""


class CatalogueModel(msgspec.Struct, frozen=True, kw_only=True):
    """A well-known model that is offered without asking the network."""

    repo: str
    quantization: str
    """The size to take where none is chosen."""
    name: str
    publisher: str
    purpose: str
    """The heading it stands under, such as “Everyday chat”."""
    about: str
    """One sentence for the user."""
    n_params: int
    n_active_params: int = 0
    """Of a mixture of experts, those at work for one token; 0 for others."""
    size_bytes: int
    """Of that quantization, about."""
    n_ctx_train: int
    licence: str
    sees_images: bool = False
    as_of: str = ""
    """The month in which it was recommended, as in ``2026-11``."""


class HubTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a successful connection test of the hub; failures are raised."""

    host: str
    seconds: float
    """Until it answered."""
    user: str = ""
    """Whose token is in use; empty without one."""
    token_location: SecretLocation = SecretLocation.NONE

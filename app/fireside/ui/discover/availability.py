"""Know for each model on offer whether it is in the library, on its way, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from fireside.core.discovery import CatalogueModel, HubQuant
from fireside.core.hub import Download, DownloadState
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry


class NotInLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """It can be downloaded."""


class InLibrary(msgspec.Struct, frozen=True, kw_only=True):
    model_id: ModelId
    chats: bool
    outdated: bool = False
    """The hub has another version of the same file."""


class BeingDownloaded(msgspec.Struct, frozen=True, kw_only=True):
    """It is in the queue, maybe paused or failed."""

    download: Download


Availability = NotInLibrary | InLibrary | BeingDownloaded
NOT_IN_LIBRARY = NotInLibrary()


def catalogue_key(model: CatalogueModel) -> str:
    """Return the name by which the suggested size of a model of the catalogue is asked for."""
    return f"{model.repo}:{model.quantization}"


class AvailabilityIndex:
    """What the library and the queue say, arranged for looking up. Asks the engine nothing."""

    def __init__(self) -> None:
        self._downloads: tuple[Download, ...] = ()
        self._by_origin: dict[tuple[str, str], tuple[InLibrary, str]] = {}
        """By repository and path; with the digest that the file has."""
        self._by_digest: dict[str, InLibrary] = {}
        self._by_label: dict[tuple[str, str], InLibrary] = {}
        """By repository and quantization, in small letters."""

    @property
    def repositories(self) -> frozenset[str]:
        """Those of the models in the library, in small letters, where they are known."""
        return frozenset(repo for repo, _ in self._by_label)

    def set_downloads(self, downloads: Iterable[Download]) -> None:
        self._downloads = tuple(downloads)

    def set_entries(self, entries: Iterable[ModelEntry]) -> None:
        self._by_origin, self._by_digest, self._by_label = {}, {}, {}
        for entry in entries:
            spec, origin = entry.spec, entry.origin
            if spec is None:
                continue
            here = InLibrary(model_id=spec.id, chats=entry.can_chat)
            if origin is not None:
                self._by_origin[origin.repo, origin.path] = (here, origin.digest)
            if entry.sha256:
                self._by_digest[entry.sha256] = here
            # Models in a folder with the hub's own layout are called “owner/name:Q4_K_M”, and maybe “…~2f”.
            repo, _, label = spec.id.rpartition(":")
            repo = origin.repo if origin is not None else repo
            if "/" in repo:
                for known in (spec.quantization, label.partition("~")[0]):
                    self._by_label[repo.casefold(), known.casefold()] = here

    def of_quant(self, repo: str, quant: HubQuant) -> Availability:
        """Return where one size on a repository's page stands."""
        for download in self._downloads:
            same = any(wanted.repo == repo and wanted.file.path == quant.path for wanted in download.files)
            if same and download.state is not DownloadState.DONE:
                return BeingDownloaded(download=download)
        digest = quant.files[0].digest
        if (repo, quant.path) in self._by_origin:
            here, own_digest = self._by_origin[repo, quant.path]
            return msgspec.structs.replace(here, outdated=bool(digest) and own_digest != digest)
        return self._by_digest.get(digest, NOT_IN_LIBRARY) if digest else NOT_IN_LIBRARY

    def of_catalogue(self, model: CatalogueModel) -> Availability:
        """Return where the suggested size of a model of the start page stands; other sizes do not count."""
        label = re.compile(rf"(?<![a-z0-9_]){re.escape(model.quantization.casefold())}(?![a-z0-9_])")
        for download in self._downloads:
            same = any(
                wanted.repo == model.repo and label.search(wanted.file.path.casefold()) is not None
                for wanted in download.files
            )
            if same and download.state is not DownloadState.DONE:
                return BeingDownloaded(download=download)
        return self._by_label.get((model.repo.casefold(), model.quantization.casefold()), NOT_IN_LIBRARY)

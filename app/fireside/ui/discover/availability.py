"""Availability of hub models: in the library, being downloaded, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from fireside.core.discovery import CatalogueModel, HubQuant
from fireside.core.hub import Download, DownloadState
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry


class NotInLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """Neither in the library nor in the queue."""


class InLibrary(msgspec.Struct, frozen=True, kw_only=True):
    model_id: ModelId
    chats: bool
    outdated: bool = False
    """The hub has another version of the same file."""


class BeingDownloaded(msgspec.Struct, frozen=True, kw_only=True):
    """In the download queue, possibly paused or failed."""

    download: Download


Availability = NotInLibrary | InLibrary | BeingDownloaded
NOT_IN_LIBRARY = NotInLibrary()


def catalogue_key(model: CatalogueModel) -> str:
    """Return the name by which a catalogue model is downloaded."""
    return model.download_name


class AvailabilityIndex:
    """Index of library and download queue by repository, digest and label. Sends no requests."""

    def __init__(self) -> None:
        self._downloads: tuple[Download, ...] = ()
        self._by_origin: dict[tuple[str, str], tuple[InLibrary, str]] = {}
        """By repository and path; with the digest of the local file."""
        self._by_digest: dict[str, InLibrary] = {}
        self._by_label: dict[tuple[str, str], InLibrary] = {}
        """By repository and quantization, casefolded."""

    @property
    def repositories(self) -> frozenset[str]:
        """Casefolded names of all known repositories of the library's models."""
        return frozenset(repo for repo, _ in self._by_label)

    def set_downloads(self, downloads: Iterable[Download]) -> None:
        self._downloads = tuple(downloads)

    def set_entries(self, entries: Iterable[ModelEntry]) -> None:
        self._by_origin, self._by_digest, self._by_label = {}, {}, {}
        for entry in entries:
            spec, origin = entry.spec, entry.origin
            if spec is None:
                continue
            in_library = InLibrary(model_id=spec.id, chats=entry.can_chat)
            if origin is not None:
                self._by_origin[origin.repo, origin.path] = (in_library, origin.digest)
            if entry.sha256:
                self._by_digest[entry.sha256] = in_library
            # Models in a folder of the hub's own layout have ids such as “owner/name:Q4_K_M”, possibly
            # “…~2f”.
            repo, _, label = spec.id.rpartition(":")
            repo = origin.repo if origin is not None else repo
            if "/" in repo:
                for each_label in (spec.quantization, label.partition("~")[0]):
                    self._by_label[repo.casefold(), each_label.casefold()] = in_library

    def of_quant(self, repo: str, quant: HubQuant) -> Availability:
        """Return the availability of one file of a repository."""
        for download in self._downloads:
            is_same = any(file.repo == repo and file.file.path == quant.path for file in download.files)
            if is_same and download.state is not DownloadState.DONE:
                return BeingDownloaded(download=download)
        digest = quant.files[0].digest
        if (repo, quant.path) in self._by_origin:
            in_library, own_digest = self._by_origin[repo, quant.path]
            return msgspec.structs.replace(in_library, outdated=bool(digest) and own_digest != digest)
        return self._by_digest.get(digest, NOT_IN_LIBRARY) if digest else NOT_IN_LIBRARY

    def of_catalogue(self, model: CatalogueModel) -> Availability:
        """Return the availability of the suggested quantization of a catalogue model; others do not count."""
        label = re.compile(rf"(?<![a-z0-9_]){re.escape(model.quantization.casefold())}(?![a-z0-9_])")
        for download in self._downloads:
            is_same = any(
                file.repo == model.repo and label.search(file.file.path.casefold()) is not None
                for file in download.files
            )
            if is_same and download.state is not DownloadState.DONE:
                return BeingDownloaded(download=download)
        return self._by_label.get((model.repo.casefold(), model.quantization.casefold()), NOT_IN_LIBRARY)

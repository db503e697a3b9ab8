"""Turn what the user typed into the files to fetch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from fireside.core.discovery import HubModel
from fireside.core.errors import HubChoiceUnknown
from fireside.core.hub import HubFile, WantedFile
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_files import Choice, Listing, choose, list_models
from fireside.hub.repository_names import parse_name
from fireside.hub.safe_filenames import local_names


class DownloadPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A download that could begin: a model with all that belongs to it."""

    title: str
    files: tuple[WantedFile, ...]
    why: str
    """Why this one of several, as a sentence; empty where the user chose."""

    @property
    def size_bytes(self) -> int:
        """Bytes of all files together."""
        return sum(wanted.file.size_bytes for wanted in self.files)


class Recommend(Protocol):
    """Chooses where the user left it open, with the reason as a sentence. Blocks; raises ``HubError``."""

    def __call__(self, listing: Listing, /, *, repo: str, commit: str) -> tuple[Choice, str]: ...


def make_plan(session: HubSession, text: str, *, recommend: Recommend | None = None) -> DownloadPlan:
    """Ask the hub what ``text`` names, pinned to the commit that it is at now.

    A model that can see gets the projector that lets it. Without ``recommend`` the usual size is taken where
    the user named none. Blocks; raises ``HubError``.
    """
    wanted = parse_name(text, endpoint=session.endpoint)
    commit = session.resolve(wanted.repo, wanted.revision)
    listing = list_models(session.tree(wanted.repo, commit))
    if recommend is not None and wanted.quantization is None and wanted.file is None:
        choice, why = recommend(listing, repo=wanted.repo, commit=commit)
    else:
        choice, why = choose(listing, repo=wanted.repo, quantization=wanted.quantization, file=wanted.file)
    is_model = any(choice.files == other.files for other in listing.choices)
    files = (*choice.files, *(listing.projectors[:1] if is_model else ()))
    return _plan(files, repo=wanted.repo, commit=commit, label=choice.title, why=why)


def plan_for_quant(model: HubModel, *, path: str) -> DownloadPlan:
    """Return the download of a quant of ``model``, known by its ``path``, with the projector that it needs.

    Raises ``HubChoiceUnknown`` if there is none, or ``HubFileUnsafe``.
    """
    quant = next((quant for quant in model.quants if quant.path == path), None)
    if quant is None:
        available = ", ".join(quant.title for quant in model.quants)
        raise HubChoiceUnknown(repo=model.repo, wanted=path, available=available)
    files = (*quant.files, *model.projectors[:1])
    return _plan(files, repo=model.repo, commit=model.commit, label=quant.title, why="")


def _plan(files: Sequence[HubFile], *, repo: str, commit: str, label: str, why: str) -> DownloadPlan:
    names = local_names(repo, [file.path for file in files])
    return DownloadPlan(
        title=f"{repo}:{label}",
        files=tuple(WantedFile(repo=repo, commit=commit, file=file, name=names[file.path]) for file in files),
        why=why,
    )

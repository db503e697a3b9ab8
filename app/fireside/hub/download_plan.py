"""Resolve what the user typed to the files to download."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from fireside.core.discovery import HubModel, HubQuant
from fireside.core.errors import HubChoiceUnknown
from fireside.core.hub import DownloadFile, HubFile
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_files import Listing, choose, list_models
from fireside.hub.repository_names import parse_name
from fireside.hub.safe_filenames import local_names


class DownloadPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A download that could start: a model with all its files."""

    title: str
    files: tuple[DownloadFile, ...]
    why: str
    """Why this quant was chosen, as a sentence; empty where the user chose it."""

    @property
    def size_bytes(self) -> int:
        return sum(file.file.size_bytes for file in self.files)


class Recommend(Protocol):
    """Chooses a quant where the user named none, with the reason as a sentence. Blocks; raises
    ``HubError``."""

    def __call__(self, listing: Listing, /, *, repo: str, commit: str) -> tuple[HubQuant, str]: ...


def make_plan(session: HubSession, text: str, *, recommend: Recommend | None = None) -> DownloadPlan:
    """Return the plan for what ``text`` names, pinned to the current commit.

    A model gets the projector and the draft heads that are beside it. Without ``recommend`` the usual quant
    is taken where the user named none. Blocks; raises ``HubError``.
    """
    requested = parse_name(text, endpoint=session.endpoint)
    commit = session.resolve(requested.repo, requested.revision)
    listing = list_models(session.tree(requested.repo, commit))
    if recommend is not None and requested.quantization is None and requested.file is None:
        choice, why = recommend(listing, repo=requested.repo, commit=commit)
    else:
        choice, why = choose(
            listing, repo=requested.repo, quantization=requested.quantization, file=requested.file
        )
    is_model = any(choice.files == other.files for other in listing.choices)
    files = (*choice.files, *(listing.beside if is_model else ()))
    return _plan(files, repo=requested.repo, commit=commit, label=choice.title, why=why)


def plan_for_quant(model: HubModel, *, path: str) -> DownloadPlan:
    """Return the plan for the quant at ``path`` of ``model``, with what is loaded along with it.

    Raises ``HubChoiceUnknown`` if it does not exist, or ``hub_file_unsafe``.
    """
    quant = next((quant for quant in model.quants if quant.path == path), None)
    if quant is None:
        available = ", ".join(quant.title for quant in model.quants)
        raise HubChoiceUnknown(repo=model.repo, wanted=path, available=available)
    files = (*quant.files, *model.projectors[:1], *model.heads[:1])
    return _plan(files, repo=model.repo, commit=model.commit, label=quant.title, why="")


def plan_of_files(files: Sequence[HubFile], *, repo: str, commit: str) -> DownloadPlan:
    """Return the plan for these files of a repository. Raises ``hub_file_unsafe``."""
    return _plan(files, repo=repo, commit=commit, label="", why="")


def _plan(files: Sequence[HubFile], *, repo: str, commit: str, label: str, why: str) -> DownloadPlan:
    names = local_names(repo, [file.path for file in files])
    return DownloadPlan(
        title=f"{repo}:{label}" if label else repo,
        files=tuple(
            DownloadFile(repo=repo, commit=commit, file=file, name=names[file.path]) for file in files
        ),
        why=why,
    )

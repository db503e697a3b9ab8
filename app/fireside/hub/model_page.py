"""Read the page of one repository: what it is, which models it holds, what its owner says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.discovery import Access, HubModel, HubQuant
from fireside.core.errors import (
    HubAnswerInvalid,
    HubChoiceUnknown,
    HubForbidden,
    HubGated,
    HubNotFound,
    HubTokenRefused,
)
from fireside.core.hub import HubFile
from fireside.core.i18n import tr_noop
from fireside.hub.hub_session import HubSession
from fireside.hub.model_card import MAX_CARD_BYTES, card_text, licence_address
from fireside.hub.model_facts import FACTS, base_model, cleaned_entry, found_model
from fireside.hub.quants import quant_words
from fireside.hub.repository_files import Listing, choose, list_models
from fireside.hub.repository_names import Wanted, parse_name

if TYPE_CHECKING:  # Slow to import, and only needed when something is asked.
    from huggingface_hub import ModelInfo

_README: Final = "README.md"


def read_model_page(session: HubSession, name: str) -> HubModel:
    """Return the page that ``name`` leads to, pinned to the commit that it is at now.

    ``name`` is what ``parse_name`` understands; a quant or file in it becomes ``wanted``. A repository
    without model files has no ``quants``. Of a gated one everything is given that the hub shows to this
    person. Blocks, from any thread; the first call takes longer. Raises ``HubError``.
    """
    wanted = parse_name(name, endpoint=session.endpoint)
    info = _info(session, wanted)
    if info.sha is None:
        raise HubAnswerInvalid(host=session.host, reason=tr_noop("it names no commit."))
    found = found_model(info)
    has_access = found.access is Access.OPEN or _has_access(session, info.id)
    files = _files(session, info.id, info.sha)
    listing = list_models(files)
    link = info.card_data.license_link if info.card_data else None
    address = session.page_of(info.id)
    return HubModel(
        found=msgspec.structs.replace(found, sees_images=found.sees_images or bool(listing.projectors)),
        commit=info.sha,
        address=address,
        card=_card(session, info.id, info.sha, files),
        quants=tuple(
            HubQuant(label=choice.label, words=quant_words(choice.label), files=choice.files)
            for choice in listing.choices
        ),
        projectors=listing.projectors,
        base_model=base_model(info),
        licence_address=licence_address(link or "", page=address, commit=info.sha),
        tags=tuple(info.tags or ()),
        wanted=_wanted_path(listing, wanted),
        has_access=has_access,
    )


def _info(session: HubSession, wanted: Wanted) -> ModelInfo:
    from fireside.hub.hf_transport import visit

    def cleaned(answer: object) -> object:
        entry = cleaned_entry(answer)
        if entry is None:
            raise msgspec.ValidationError("not a repository")
        return entry

    with visit(session, what=wanted.repo, repo=wanted.repo, clean=cleaned) as visiting:
        return visiting.api.model_info(
            wanted.repo,
            revision=wanted.revision,
            expand=["cardData", "sha", *FACTS],
        )


def _has_access(session: HubSession, repo: str) -> bool:
    try:
        session.get(f"/api/models/{repo}/auth-check", what=repo, repo=repo)
    except (HubGated, HubForbidden, HubNotFound, HubTokenRefused):
        return False
    return True


def _files(session: HubSession, repo: str, commit: str) -> tuple[HubFile, ...]:
    """Return the list of files. Most gated repositories show theirs to everybody."""
    try:
        return session.tree(repo, commit)
    except (HubGated, HubForbidden):
        return ()


def _card(session: HubSession, repo: str, commit: str, files: Iterable[HubFile]) -> str:
    """Return what the owner says; a page without it is better than none."""
    path = next((file.path for file in files if file.path.casefold() == _README.casefold()), None)
    if path is None:
        return ""
    try:
        return card_text(session.beginning_of(repo, commit, path, max_bytes=MAX_CARD_BYTES))
    except (HubGated, HubForbidden, HubNotFound, HubTokenRefused, HubAnswerInvalid):
        return ""


def _wanted_path(listing: Listing, wanted: Wanted) -> str:
    if wanted.quantization is None and wanted.file is None:
        return ""
    try:
        choice, _ = choose(listing, repo=wanted.repo, quantization=wanted.quantization, file=wanted.file)
    except HubChoiceUnknown:
        return ""
    return choice.files[0].path if choice in listing.choices else ""

"""Parse what the user typed or pasted to name a model of the hub. Pure."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from fireside.core.errors import HubNameInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.gguf.header import printable

MAIN: Final = "main"
_HUB_HOSTS: Final = frozenset({"huggingface.co", "www.huggingface.co", "hf.co"})
_PART = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?")
_NOT_MODELS: Final = frozenset({"datasets", "spaces", "collections", "papers", "docs", "api", "kernels"})
_LENGTH_LIMIT: Final = 2_000


class ModelName(msgspec.Struct, frozen=True, kw_only=True):
    """A model of the hub as it was named: only the repository is required."""

    repo: str
    """``owner/name``."""
    revision: str = MAIN
    quantization: str | None = None
    file: str | None = None
    """Path of a file in the repository."""


def parse_name(text: str, *, endpoint: str) -> ModelName:
    """Return what ``text`` names.

    Accepts ``owner/repo``, ``owner/repo:Q4_K_M``, ``owner/repo/file.gguf``, and addresses of a repository, a
    file or a download on the hub or on ``endpoint``. Raises ``HubNameInvalid``.
    """
    name = text.strip()
    if not name or len(name) > _LENGTH_LIMIT or not name.isprintable():
        raise HubNameInvalid(
            name=printable(name, limit=80), reason=tr_noop("use “owner/model” or paste its URL.")
        )
    if "://" in name:
        return _from_address(name, endpoint=endpoint)
    host, _, rest = name.partition("/")
    if host.casefold() in _HUB_HOSTS and rest:
        return _from_address(f"https://{name}", endpoint=endpoint)
    return _from_short(name)


def is_repo(name: str) -> bool:
    """Whether ``name`` is a valid ``owner/name`` of a repository."""
    owner, slash, repo = name.partition("/")
    return bool(slash) and _is_part(owner) and _is_part(repo)


def _from_short(name: str) -> ModelName:
    path, colon, choice = name.partition(":")
    owner, _, rest = path.partition("/")
    repo, _, file = rest.partition("/")
    model = _parsed_repo(name, owner=owner, repo=repo)
    if colon and (not choice.strip() or file):
        raise HubNameInvalid(
            name=name, reason=tr_noop("use a quantization such as “Q4_K_M” after the colon.")
        )
    if choice.casefold().endswith(".gguf"):
        return msgspec.structs.replace(model, file=choice)
    return msgspec.structs.replace(model, quantization=choice or None, file=file or None)


def _from_address(name: str, *, endpoint: str) -> ModelName:
    try:
        address = urlsplit(name)
        host = (address.hostname or "").casefold()
        own_hub = urlsplit(endpoint)
        is_own = (host, address.port) == ((own_hub.hostname or "").casefold(), own_hub.port)
    except ValueError as exc:
        raise HubNameInvalid(name=name, reason=tr_noop("this address cannot be read.")) from exc
    if address.scheme not in ("http", "https") or not (host in _HUB_HOSTS or is_own):
        raise HubNameInvalid(name=name, reason=tr_noop("this is not a Hugging Face URL."))
    path = address.path
    if is_own and own_hub.path.strip("/"):
        path = path.removeprefix(own_hub.path.rstrip("/"))
    parts = [unquote(part) for part in path.split("/") if part]
    if parts and parts[0] in _NOT_MODELS:
        raise HubNameInvalid(name=name, reason=tr_noop("this URL is not of a model."))
    owner, repo = (*parts, "", "")[:2]
    model = _parsed_repo(name, owner=owner, repo=repo.partition(":")[0])
    if ":" in repo:
        return msgspec.structs.replace(model, quantization=repo.partition(":")[2] or None)
    match parts[2:]:
        case ["blob" | "resolve" | "raw", revision, *file] if file:
            return msgspec.structs.replace(model, revision=revision, file="/".join(file))
        case ["tree", revision, *_]:
            return msgspec.structs.replace(model, revision=revision)
        case _:
            shown_file = parse_qs(address.query).get("show_file_info", [""])[0]
            return msgspec.structs.replace(model, file=shown_file or None)


def _parsed_repo(name: str, *, owner: str, repo: str) -> ModelName:
    if not owner or not repo:
        raise HubNameInvalid(name=name, reason=tr_noop("use “owner/model” or paste its URL."))
    for part in (owner, repo):
        if not _is_part(part):
            raise HubNameInvalid(name=name, reason=tr("“{part}” has invalid characters.").format(part=part))
    return ModelName(repo=f"{owner}/{repo}")


def _is_part(part: str) -> bool:
    return _PART.fullmatch(part) is not None and "--" not in part and ".." not in part

"""Search for models and read their pages, with a cache of recent answers."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from fireside.core.discovery import Access, HubModel, HubSearchPage, ModelQuery
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
from fireside.hub.model_facts import FACTS, base_model, cleaned_entry, to_search_hit
from fireside.hub.model_search import search
from fireside.hub.repository_files import Listing, choose, list_models
from fireside.hub.repository_names import ModelName, parse_name

if TYPE_CHECKING:
    from huggingface_hub import ModelInfo


class Discovery:
    """Queries through one session. Methods block, from any thread, and raise ``HubError``."""

    def __init__(self, session: HubSession, *, clock: Callable[[], float]) -> None:
        """``clock`` is monotonic, in seconds."""
        self._session = session
        self._results: TtlCache[HubSearchPage] = TtlCache(clock=clock)
        self._pages: TtlCache[HubModel] = TtlCache(clock=clock)

    def search(self, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
        """See ``model_search.search``. Cached answers are returned while offline, too."""
        key = (self._session.credential_key, query, page)
        result = self._results.get(key)
        if result is None:
            result = search(self._session, query, page=page)
            self._results.store(key, result)
        return result

    def model(self, name: str) -> HubModel:
        """See ``model_page.read_model_page``."""
        key = (self._session.credential_key, name.strip())
        model = self._pages.get(key)
        if model is None:
            model = read_model_page(self._session, name)
            # A page without access is not cached: the user may accept the terms in a browser and come back.
            if model.has_access:
                self._pages.store(key, model)
        return model

    def clear_cache(self) -> None:
        self._results.clear()
        self._pages.clear()


T = TypeVar("T", bound=msgspec.Struct)

TTL_S: Final = 600.0
_MAX_ENTRIES: Final = 100
_MAX_BYTES: Final = 16 * 1024 * 1024


class TtlCache(Generic[T]):
    """Answers not older than ``ttl_s``; the oldest are evicted where they are many or large.

    Thread-safe. Errors are not cached.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        ttl_s: float = TTL_S,
        max_entries: int = _MAX_ENTRIES,
        max_bytes: int = _MAX_BYTES,
    ) -> None:
        """``clock`` is monotonic, in seconds."""
        self._clock = clock
        self._ttl_s = ttl_s
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Hashable, tuple[float, int, T]] = OrderedDict()
        self._n_bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            self._drop_expired()
            entry = self._entries.get(key)
            return None if entry is None else entry[2]

    def store(self, key: Hashable, answer: T) -> None:
        """Cache ``answer``, unless it is too large."""
        n_bytes = len(msgspec.msgpack.encode(answer))
        with self._lock:
            self._drop(key)
            if n_bytes > self._max_bytes:
                return
            self._entries[key] = (self._clock(), n_bytes, answer)
            self._n_bytes += n_bytes
            self._drop_expired()
            while len(self._entries) > self._max_entries or self._n_bytes > self._max_bytes:
                self._drop(next(iter(self._entries)))

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._n_bytes = 0

    def _drop_expired(self) -> None:
        now = self._clock()
        while self._entries:
            key, (stored_at_s, _, _) = next(iter(self._entries.items()))
            if now - stored_at_s < self._ttl_s:
                break
            self._drop(key)

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._n_bytes -= entry[1]


# Read a repository's page: its models, files, licence and model card


MAX_CARD_BYTES: Final = 512 * 1024
_README: Final = "README.md"
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_CONTROLS: Final[dict[int, str | None]] = {
    **{code: None for code in (*range(32), 127) if chr(code) not in "\n\t"},
    # Bidirectional controls would change the direction of text around them, that of the window too.
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}


def read_model_page(session: HubSession, name: str) -> HubModel:
    """Return the page of the repository that ``name`` means, pinned to the current commit.

    ``name`` is parsed by ``parse_name``; a quant or file in it becomes ``requested_path``. A repository
    without model files has no ``quants``. Of a gated one everything is returned that the hub shows to this
    user. Blocks, from any thread; the first call takes longer. Raises ``HubError``.
    """
    requested = parse_name(name, endpoint=session.endpoint)
    info = _info(session, requested)
    if info.sha is None:
        raise HubAnswerInvalid(host=session.host, reason=tr_noop("it names no commit."))
    hit = to_search_hit(info)
    has_access = hit.access is Access.OPEN or _has_access(session, info.id)
    files = _files(session, info.id, info.sha)
    listing = list_models(files)
    link = info.card_data.license_link if info.card_data else None
    address = session.page_of(info.id)
    return HubModel(
        found=msgspec.structs.replace(
            hit, sees_images=hit.sees_images or (bool(listing.projectors) and not hit.hears_audio)
        ),
        commit=info.sha,
        address=address,
        card=_card(session, info.id, info.sha, files),
        quants=listing.choices,
        projectors=listing.projectors,
        heads=listing.heads,
        base_model=base_model(info),
        licence_address=licence_address(link or "", page=address, commit=info.sha),
        tags=tuple(info.tags or ()),
        requested_path=_requested_path(listing, requested),
        has_access=has_access,
    )


def _info(session: HubSession, requested: ModelName) -> ModelInfo:
    from fireside.hub.hf_transport import library_request

    def clean(answer: object) -> object:
        entry = cleaned_entry(answer)
        if entry is None:
            raise msgspec.ValidationError("not a repository")
        return entry

    with library_request(session, what=requested.repo, repo=requested.repo, clean=clean) as request:
        return request.api.model_info(
            requested.repo,
            revision=requested.revision,
            expand=["cardData", *FACTS],
        )


def _has_access(session: HubSession, repo: str) -> bool:
    try:
        session.get(f"/api/models/{repo}/auth-check", what=repo, repo=repo)
    except (HubGated, HubForbidden, HubNotFound, HubTokenRefused):
        return False
    return True


def _files(session: HubSession, repo: str, commit: str) -> tuple[HubFile, ...]:
    """Return the list of files. Most gated repositories list theirs without a token."""
    try:
        return session.tree(repo, commit)
    except (HubGated, HubForbidden):
        return ()


def _card(session: HubSession, repo: str, commit: str, files: Iterable[HubFile]) -> str:
    """Return the model card; a page without it is better than none."""
    path = next((file.path for file in files if file.path.casefold() == _README.casefold()), None)
    if path is None:
        return ""
    try:
        return card_text(session.read_start(repo, commit, path, max_bytes=MAX_CARD_BYTES))
    except (HubGated, HubForbidden, HubNotFound, HubTokenRefused, HubAnswerInvalid):
        return ""


def _requested_path(listing: Listing, requested: ModelName) -> str:
    if requested.quantization is None and requested.file is None:
        return ""
    try:
        choice, _ = choose(
            listing, repo=requested.repo, quantization=requested.quantization, file=requested.file
        )
    except HubChoiceUnknown:
        return ""
    return choice.files[0].path if choice in listing.choices else ""


def card_text(content: bytes) -> str:
    """Return the Markdown of a README without front matter and control characters."""
    text = content[:MAX_CARD_BYTES].decode("utf-8-sig", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    front = _FRONT_MATTER.match(text)
    return text[front.end() if front else 0 :].strip("\n")


def licence_address(link: str, *, page: str, commit: str) -> str:
    """Return the web address of a licence; ``link`` may name a file of the repository.

    Empty if it leads to no page.
    """
    link = link.strip()
    try:
        parts = urlsplit(link)
        host = parts.hostname
    except ValueError:
        return ""
    if parts.scheme in ("http", "https"):
        return link if host and "@" not in parts.netloc and " " not in link else ""
    if not link or parts.scheme or parts.netloc or ".." in link.split("/"):
        return ""
    return f"{page}/blob/{commit}/{quote(parts.path.lstrip('/'))}"

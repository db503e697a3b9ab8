"""Turn the hub's responses into errors, and check and parse their headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import (
    HubAnswerInvalid,
    HubError,
    HubFailed,
    HubForbidden,
    HubGated,
    HubNotFound,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
)
from fireside.core.hub import HubFile
from fireside.core.i18n import tr, tr_noop

COMMIT_HEADER: Final = "X-Repo-Commit"
_RATE_LIMIT = re.compile(r"r\s*=\s*(?P<left>\d+)\s*;\s*t\s*=\s*(?P<seconds>\d+)")
_RANGE = re.compile(r"bytes (?P<first>\d+)-(?P<last>\d+)/(?P<size>\d+)")
_DIGEST = re.compile(r"[0-9a-f]{64}|[0-9a-f]{40}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_MAX_WAIT_S: Final = 3600.0

Headers = Mapping[str, str]
"""Header names are case-insensitive."""


class HubRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What was requested, for error messages."""

    host: str
    is_hub: bool
    """``False`` for storage servers that the hub redirects to."""
    has_token: bool
    what: str
    repo: str = ""
    page: str = ""


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """What a branch or tag refers to."""

    sha: str


_Size = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class _Lfs(msgspec.Struct, frozen=True, kw_only=True):
    oid: str
    size: _Size


class TreeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a file list."""

    type: str
    path: str
    size: _Size = 0
    oid: str = ""
    lfs: _Lfs | None = None

    def as_file(self) -> HubFile:
        """Return it as a file; a large one has the digest of its content."""
        if self.lfs is None:
            return HubFile(path=self.path, size_bytes=self.size, digest=self.oid)
        return HubFile(path=self.path, size_bytes=self.lfs.size, digest=self.lfs.oid)


def tree_entry(line: msgspec.Raw) -> TreeEntry | None:
    """Return one entry of a file list; ``None`` if it is malformed, which affects no other entry."""
    try:
        return decode_json(line, kind=TreeEntry)
    except JsonInvalid:
        return None


def error_of(status: int, headers: Headers, request: HubRequest) -> HubError | None:
    """Return the error of a response's status; ``None`` for success or a redirect."""
    if status < 400:
        return None
    if status == 429:
        return HubRateLimited(wait_s=retry_after_s(headers))
    if status >= 500 or status in (408, 425):
        return HubFailed(host=request.host, status=status)
    if status == 407:
        return HubUnreachable(
            host=request.host, reason=tr_noop("the proxy requires a user name and password.")
        )
    if status not in (401, 403, 404) or not request.is_hub:
        # From a storage server this means that the address has expired.
        return HubAnswerInvalid(
            host=request.host, reason=tr("request refused ({status}).").format(status=status)
        )
    if headers.get("X-Error-Code") == "GatedRepo":
        return HubGated(repo=request.repo or request.what, page=request.page, with_token=request.has_token)
    if status == 404 or headers.get("X-Error-Code") in ("RepoNotFound", "EntryNotFound", "RevisionNotFound"):
        return HubNotFound(what=request.what)
    if status == 401:
        return HubTokenRefused() if request.has_token else HubNotFound(what=request.what)
    return HubForbidden(what=request.what)


def retry_after_s(headers: Headers) -> float | None:
    """Return the delay that the hub asks for, limited; ``None`` if it states none."""
    match = _RATE_LIMIT.search(headers.get("RateLimit", ""))
    if match is not None:
        return min(_MAX_WAIT_S, max(1.0, float(match["seconds"])))
    after = headers.get("Retry-After", "").strip()
    return min(_MAX_WAIT_S, max(1.0, float(after))) if after.isdecimal() else None


def check_plain(headers: Headers, *, host: str) -> None:
    """Raise ``HubAnswerInvalid`` for a web page in place of a file, or for compressed content."""
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().casefold()
    if media_type in ("text/html", "application/xhtml+xml"):
        raise HubAnswerInvalid(
            host=host,
            reason=tr_noop("it is a web page. If your network requires sign-in, do that in your browser."),
        )
    encoding = headers.get("Content-Encoding", "identity").strip().casefold()
    if encoding not in ("", "identity"):
        raise HubAnswerInvalid(
            host=host, reason=tr("unexpected compression ({packed}).").format(packed=encoding)
        )


def range_of(headers: Headers, *, host: str) -> tuple[int, int, int]:
    """Return start, end (exclusive) and total size that a ``206`` response states."""
    match = _RANGE.fullmatch(headers.get("Content-Range", "").strip())
    if match is None:
        raise HubAnswerInvalid(host=host, reason=tr_noop("it does not say which part of the file it is."))
    return int(match["first"]), int(match["last"]) + 1, int(match["size"])


def digest_of(headers: Headers) -> str | None:
    """Return the digest that the hub states for the content; ``None`` if there is none of use."""
    tag = headers.get("X-Linked-Etag") or headers.get("ETag") or ""
    digest = tag.strip().removeprefix("W/").strip('"').casefold()
    return digest if _DIGEST.fullmatch(digest) else None


def size_of(headers: Headers, *, is_redirect: bool) -> int | None:
    """Return the size of the whole file; the length of a redirect itself says nothing about it."""
    text = headers.get("X-Linked-Size") or ("" if is_redirect else headers.get("Content-Length") or "")
    return int(text) if text.isdecimal() and len(text) < 19 else None


def commit_of(text: str | None) -> str | None:
    """Return ``text`` if it is a commit hash."""
    return text if text is not None and _COMMIT.fullmatch(text) else None

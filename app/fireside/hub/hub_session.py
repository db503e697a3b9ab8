"""Query the hub: commits, file lists and file contents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import HubAnswerInvalid, HubNameInvalid
from fireside.core.hub import HubFile
from fireside.core.i18n import tr, tr_noop
from fireside.gguf import GgufHeader, read_header_by_ranges
from fireside.hub.hub_connection import PUBLIC_HUB, REDIRECTS, HubConnection, host_of
from fireside.hub.repository_names import is_repo
from fireside.hub.response_errors import (
    COMMIT_HEADER,
    Revision,
    check_plain,
    commit_of,
    digest_of,
    range_of,
    size_of,
    tree_entry,
)
from fireside.hub.response_stream import ResponseStream

T = TypeVar("T")

MAX_ANSWER_BYTES: Final = 32 * 1024 * 1024
_MAX_PAGES: Final = 200
_MAX_FILES: Final = 100_000


class FileMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """A file's current metadata on the hub. ``location`` is the URL of its content, valid for a few
    minutes."""

    commit: str
    digest: str
    size_bytes: int
    location: str


class HubPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a list; ``next_address`` is the URL of the next one."""

    content: bytes
    next_address: str | None


class HubSession(HubConnection):
    """Queries the hub. Methods block and may be called from any thread; they raise ``HubError``."""

    def resolve(self, repo: str, revision: str) -> str:
        """Return the commit of a branch or tag."""
        path = f"/api/models/{_valid_repo(repo)}/revision/{quote(revision, safe='')}"
        answer = self._decoded(self.get(path, what=repo, repo=repo).content, Revision)
        commit = commit_of(answer.sha)
        if commit is None:
            raise self._invalid_answer(tr_noop("it names no commit."))
        return commit

    def tree(self, repo: str, commit: str) -> tuple[HubFile, ...]:
        """Return every file of a repository at ``commit``."""
        address: str | None = (
            f"/api/models/{_valid_repo(repo)}/tree/{quote(commit, safe='')}?recursive=true&expand=false"
        )
        files: list[HubFile] = []
        for _ in range(_MAX_PAGES):
            if address is None:
                break
            page = self.get(address, what=repo, repo=repo)
            entries = map(tree_entry, self._decoded(page.content, list[msgspec.Raw]))
            files.extend(entry.as_file() for entry in entries if entry is not None and entry.type == "file")
            if len(files) > _MAX_FILES:
                raise self._invalid_answer(tr_noop("it is too long."))
            address = page.next_address
        return tuple(files)

    def get(self, path: str, *, what: str, repo: str = "", max_bytes: int = MAX_ANSWER_BYTES) -> HubPage:
        """Query the hub's API; ``path`` starts with a slash, or is an address of the hub.

        Limited in size and time. Sends the token if there is one.
        """
        address = self._address(path)
        request = self._describe_request(address, what=what, repo=repo)
        with self._send("GET", address, request=request) as response:
            check_plain(response.headers, host=request.host)
            content = self._read_bounded(response, host=request.host, n=max_bytes + 1)
            next_link = response.links.get("next", {}).get("url")
        if len(content) > max_bytes:
            raise self._invalid_answer(tr_noop("it is too long."))
        return HubPage(content=content, next_address=self._next_address(address, next_link))

    def read_start(self, repo: str, commit: str, path: str, *, max_bytes: int) -> bytes:
        """Return a file's first ``max_bytes`` bytes at most."""
        address = self._file_address(repo, commit, path)
        request = self._describe_request(address, what=f"{repo}/{path}", repo=repo)
        with self._send("GET", address, request=request) as response:
            check_plain(response.headers, host=request.host)
            return self._read_bounded(response, host=request.host, n=max_bytes)

    def file_metadata(self, repo: str, commit: str, path: str) -> FileMetadata:
        """Return a file's current metadata, with a fresh URL of its content."""
        address = self._file_address(repo, commit, path)
        request = self._describe_request(address, what=f"{repo}/{path}", repo=repo)
        with self._send("HEAD", address, request=request) as response:
            headers = response.headers
            is_redirect = response.status_code in REDIRECTS
            location = urljoin(str(response.url), headers.get("Location") or "")
            current_commit = commit_of(headers.get(COMMIT_HEADER))
            digest = digest_of(headers)
            size_bytes = size_of(headers, is_redirect=is_redirect)
            if current_commit is None:
                check_plain(headers, host=request.host)
                raise self._invalid_answer(
                    tr_noop(
                        "something on your network answered instead. If your network requires "
                        "sign-in, do that in your browser."
                    )
                )
        if digest is None or size_bytes is None:
            raise self._invalid_answer(tr_noop("the checksum is missing."))
        return FileMetadata(commit=current_commit, digest=digest, size_bytes=size_bytes, location=location)

    @contextmanager
    def open_range(self, location: str, *, begin: int, end: int, size_bytes: int) -> Iterator[ResponseStream]:
        """Open bytes ``begin`` to ``end`` (exclusive) of a file of ``size_bytes``.

        A server may send the whole file instead: ``first_byte`` of the stream tells where it starts.
        """
        request = self._describe_request(location, what=urlsplit(location).path.rpartition("/")[2])
        range_header = {"Range": f"bytes={begin}-{end - 1}"}
        with self._send("GET", location, request=request, headers=range_header) as response:
            headers = response.headers
            check_plain(headers, host=request.host)
            if response.status_code == 206:
                start, stop, total_bytes = range_of(headers, host=request.host)
                if start != begin or not begin < stop <= end or total_bytes != size_bytes:
                    raise HubAnswerInvalid(
                        host=request.host, reason=tr_noop("it is another part of the file.")
                    )
                first = begin
            elif response.status_code == 200 and headers.get("Content-Length") == str(size_bytes):
                first = 0
            else:
                raise HubAnswerInvalid(
                    host=request.host,
                    reason=tr("it is not that part of the file ({status}).").format(
                        status=response.status_code
                    ),
                )
            yield ResponseStream(
                first_byte=first,
                host=host_of(str(response.url)),
                stream=response.extensions.get("network_stream"),
                chunks=self._with_hub_errors(request.host, response.iter_raw()),
            )

    def _address(self, path: str) -> str:
        address = path if "://" in path else self._endpoint + path
        if not self.is_own(address):
            raise self._invalid_answer(tr_noop("it redirects elsewhere."))
        return address

    def _next_address(self, address: str, link: str | None) -> str | None:
        """Return the URL of the next page: on this hub, also where a mirror names the public hub."""
        if not link:
            return None
        link = urljoin(address, link)
        if link.startswith(f"{PUBLIC_HUB}/"):
            link = self._endpoint + link.removeprefix(PUBLIC_HUB)
        if not self.is_own(link):
            raise self._invalid_answer(tr_noop("it redirects elsewhere."))
        return link

    def _file_address(self, repo: str, commit: str, path: str) -> str:
        return f"{self._endpoint}/{_valid_repo(repo)}/resolve/{quote(commit, safe='')}/{quote(path)}"

    def _decoded(self, content: bytes, kind: type[T]) -> T:
        try:
            return decode_json(content, kind=kind)
        except JsonInvalid as exc:
            raise self._invalid_answer(tr_noop("it is invalid.")) from exc


def _valid_repo(repo: str) -> str:
    """Return ``repo`` if it is valid; it may come from a file beside a model, and must not lead to another
    path."""
    if not is_repo(repo):
        raise HubNameInvalid(name=repo, reason=tr_noop("use a name like “owner/model”."))
    return repo


# Read the GGUF header of a file on the hub, a few hundred kilobytes, without downloading the file


def read_remote_header(session: HubSession, file: HubFile, *, repo: str, commit: str) -> GgufHeader:
    """Return the header of ``file``. Blocks; raises ``HubError``, or ``ModelFileInvalid`` if it has none."""
    metadata = session.file_metadata(repo, commit, file.path)

    def read(offset: int, n: int) -> bytes:
        end = offset + n
        piece = bytearray()
        with session.open_range(
            metadata.location, begin=offset, end=end, size_bytes=metadata.size_bytes
        ) as body:
            position = body.first_byte
            for chunk in body:
                # A server without range support sends the file from its start.
                piece += chunk[max(0, offset - position) : max(0, end - position)]
                position += len(chunk)
                if position >= end:
                    break
        return bytes(piece)

    return read_header_by_ranges(read, size_bytes=metadata.size_bytes, path=file.path)

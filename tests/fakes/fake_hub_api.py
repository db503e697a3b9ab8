"""How a hub answers its interface: searches, descriptions, lists of files, accounts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex
from urllib.parse import urlencode

COMMIT = "a" * 40
TOKEN = "hf_fake_token"
USER = "ada"

Query = dict[str, list[str]]

_SORTS = {
    "trendingScore": "trending",
    "downloads": "n_downloads",
    "likes": "n_likes",
    "lastModified": "updated_at",
    "createdAt": "updated_at",
}
_EXPANDABLE = frozenset(
    [
        "author",
        "baseModels",
        "cardData",
        "childrenModelCount",
        "config",
        "createdAt",
        "disabled",
        "downloads",
        "downloadsAllTime",
        "evalResults",
        "gated",
        "gguf",
        "inference",
        "inferenceProviderMapping",
        "lastModified",
        "library_name",
        "likes",
        "mask_token",
        "model-index",
        "pipeline_tag",
        "private",
        "resourceGroup",
        "safetensors",
        "sha",
        "siblings",
        "spaces",
        "tags",
        "transformersInfo",
        "trendingScore",
        "usedStorage",
        "widgetData",
    ]
)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_USUAL_LIMIT = 1000


class LargeFile(bytes):
    """A file of which only the beginning is kept; the rest is zeros."""

    n_bytes: int

    def __new__(cls, beginning: bytes, *, n_bytes: int) -> LargeFile:
        made = super().__new__(cls, beginning)
        made.n_bytes = n_bytes
        return made

    def __len__(self) -> int:
        return self.n_bytes

    def __getitem__(self, wanted: SupportsIndex | slice) -> Any:
        if not isinstance(wanted, slice):
            return super().__getitem__(wanted)
        begin, end, _ = wanted.indices(self.n_bytes)
        return super().__getitem__(slice(begin, end)).ljust(end - begin, b"\0")


@dataclass(kw_only=True)
class Repo:
    files: dict[str, bytes]
    commit: str = COMMIT
    is_gated: bool = False
    """Its terms are accepted with ``TOKEN`` alone. What it is and holds is shown to all."""
    is_private: bool = False
    """Seen with ``TOKEN`` alone."""
    in_git: frozenset[str] = frozenset()
    """Files that are kept in git itself: the hub knows only git's own digest of them."""
    n_downloads: int = 0
    n_likes: int = 0
    trending: int = 0
    updated_at: str = "2026-01-02T03:04:05.000Z"
    pipeline_tag: str | None = None
    tags: tuple[str, ...] = ()
    card: dict[str, object] | None = None
    """The front matter of its README, as the hub has understood it."""
    header: dict[str, object] | None = None
    """What the hub has read from its model files; ``None`` if it has none."""
    strange: dict[str, object] = field(default_factory=dict)
    """Stands in its description in place of what is right."""

    def digest(self, path: str) -> str:
        content = self.files[path]
        if path in self.in_git:
            return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        return hashlib.sha256(content).hexdigest()

    def all_tags(self, name: str) -> list[str]:
        """Return its own and those that the hub adds."""
        added = ["gguf"] if any(path.endswith(".gguf") for path in self.files) else []
        if self.card and isinstance(self.card.get("license"), str):
            added.append(f"license:{self.card['license']}")
        if self.card and isinstance(self.card.get("base_model"), str):
            base = self.card["base_model"]
            added += [f"base_model:{base}", f"base_model:quantized:{base}"]
        return [*added, *self.tags, "region:us"]


@dataclass(kw_only=True)
class Answer:
    status: int = 200
    content: object = None
    headers: dict[str, str] = field(default_factory=dict)


class HubApi:
    """Answers for ``repos``; ``page_size`` is the most entries of one answer."""

    def __init__(self, repos: Mapping[str, Repo], *, endpoint: str, page_size: int) -> None:
        self._repos = repos
        self._endpoint = endpoint
        self._page_size = page_size

    def answer(self, path: str, query: Query, *, token: str | None) -> Answer:
        if token is not None and token != TOKEN:
            # Also what all may see is not shown for a token that is no good.
            return refused(401, message="Invalid credentials in Authorization header")
        if path == "/api/whoami-v2":
            return _account(token)
        if path == "/api/models":
            return self._search(query, token=token)
        found = re.fullmatch(r"/api/models/([^/]+/[^/]+)(?:/(.*))?", path)
        repo = self._repos.get(found[1]) if found else None
        if found is None or repo is None or (repo.is_private and token is None):
            return missing(token)
        return self._of_repo(found[1], repo, found[2] or "", query, token=token)

    def _of_repo(self, name: str, repo: Repo, rest: str, query: Query, *, token: str | None) -> Answer:
        kind, _, revision = rest.partition("/")
        if kind == "auth-check":
            return gated(token) if repo.is_gated and token is None else Answer(content={})
        if kind in ("revision", "tree") and revision not in ("main", repo.commit):
            return refused(404, code="RevisionNotFound", message=f"Invalid rev id: {revision}")
        if kind == "tree":
            return self._tree(name, repo, revision, query)
        if kind in ("", "revision"):
            return _described(name, repo, query)
        return refused(404)

    def _tree(self, name: str, repo: Repo, revision: str, query: Query) -> Answer:
        begin = int(query.get("cursor", ["0"])[0])
        paths = list(repo.files)
        end = begin + self._page_size
        headers = {}
        if end < len(paths):
            following = f"{self._endpoint}/api/models/{name}/tree/{revision}?recursive=true&cursor={end}"
            headers["Link"] = f'<{following}>; rel="next"'
        return Answer(content=[_file_entry(repo, path) for path in paths[begin:end]], headers=headers)

    def _search(self, query: Query, *, token: str | None) -> Answer:
        sort = query.get("sort", ["trendingScore"])[0]
        strange = set(query.get("expand", ())) - _EXPANDABLE
        if sort not in _SORTS or strange:
            return refused(400, message=f"Invalid parameter: {sort} {strange}")
        names = sorted(
            (name for name, repo in self._repos.items() if _matches(name, repo, query, token=token)),
            key=lambda name: (getattr(self._repos[name], _SORTS[sort]), name),
            reverse=query.get("direction", ["-1"])[0] == "-1",
        )
        begin = int(query.get("cursor", ["0"])[0])
        end = begin + min(self._page_size, int(query.get("limit", [str(_USUAL_LIMIT)])[0]))
        headers = {}
        if end < len(names):
            following = urlencode({**query, "cursor": [str(end)]}, doseq=True)
            headers["Link"] = f'<{self._endpoint}/api/models?{following}>; rel="next"'
        entries = [_entry(name, self._repos[name], query) for name in names[begin:end]]
        return Answer(content=entries, headers=headers)


def refused(status: int, *, code: str = "", message: str = "") -> Answer:
    """Return a refusal as the hub words it."""
    headers = {"X-Error-Message": message} if message else {}
    if code:
        headers["X-Error-Code"] = code
    return Answer(
        status=status, content={"error": message or "Sorry, we can't find this page."}, headers=headers
    )


def missing(token: str | None) -> Answer:
    """Return what is said of a repository that is not there, or not for this account."""
    return refused(401 if token is None else 404, code="RepoNotFound", message="Repository not found")


def gated(token: str | None) -> Answer:
    """Return what is said of a repository whose terms are not accepted."""
    return refused(401 if token is None else 403, code="GatedRepo", message="Access is restricted.")


def _account(token: str | None) -> Answer:
    if token is None:
        return refused(401, message="Invalid username or password.")
    access = {"type": "access_token", "accessToken": {"displayName": "fireside", "role": "read"}}
    return Answer(content={"type": "user", "id": "1", "name": USER, "fullname": "Ada L.", "auth": access})


def _matches(name: str, repo: Repo, query: Query, *, token: str | None) -> bool:
    def one(parameter: str) -> str:
        return query.get(parameter, [""])[0]

    if repo.is_private and token is None:
        return False
    if not all(tag in (*repo.all_tags(name), repo.pipeline_tag) for tag in query.get("filter", ())):
        return False
    if not all(word in name.casefold() for word in one("search").casefold().split()):
        return False
    if one("author") and name.partition("/")[0].casefold() != one("author").casefold():
        return False
    if one("gated") and repo.is_gated != (one("gated") == "true"):
        return False
    total = (repo.header or {}).get("total", 0)
    n_params = total if isinstance(total, int) else 0
    return all(
        (n_params >= _number(value)) if end == "min" else (n_params <= _number(value))
        for end, _, value in (part.partition(":") for part in one("num_parameters").split(",") if part)
    )


def _number(text: str) -> float:
    found = re.fullmatch(r"([0-9.]+)([KMBT]?)", text)
    assert found is not None, text
    return float(found[1]) * _UNITS[found[2]]


def _described(name: str, repo: Repo, query: Query) -> Answer:
    if "expand" in query:
        strange = set(query["expand"]) - _EXPANDABLE
        return refused(400, message=f"Invalid expand: {strange}") if strange else _found(name, repo, query)
    whole = _entry(name, repo, {"expand": sorted(_EXPANDABLE & _facts(name, repo).keys())})
    return Answer(content={**whole, "modelId": name})


def _found(name: str, repo: Repo, query: Query) -> Answer:
    return Answer(content=_entry(name, repo, query))


def _entry(name: str, repo: Repo, query: Query) -> dict[str, object]:
    """Return a description: what was asked for, or what a list tells by itself."""
    facts = _facts(name, repo)
    usual = ("downloads", "likes", "pipeline_tag", "private", "tags", "trendingScore", "createdAt")
    asked = query.get("expand", usual)
    told = {key: facts[key] for key in asked if facts.get(key) is not None}
    return {"_id": "1", "id": name, **told, **repo.strange}


def _facts(name: str, repo: Repo) -> dict[str, object]:
    return {
        "author": name.partition("/")[0],
        "cardData": repo.card,
        "createdAt": repo.updated_at,
        "disabled": False,
        "downloads": repo.n_downloads,
        "gated": "manual" if repo.is_gated else False,
        "gguf": repo.header,
        "lastModified": repo.updated_at,
        "likes": repo.n_likes,
        "pipeline_tag": repo.pipeline_tag,
        "private": repo.is_private,
        "sha": repo.commit,
        "siblings": [{"rfilename": path} for path in repo.files],
        "tags": repo.all_tags(name),
        "trendingScore": repo.trending,
    }


def _file_entry(repo: Repo, path: str) -> dict[str, object]:
    content = repo.files[path]
    entry: dict[str, object] = {"type": "file", "path": path, "size": len(content), "oid": "b" * 40}
    if path in repo.in_git:
        return {**entry, "oid": repo.digest(path)}
    return {**entry, "lfs": {"oid": repo.digest(path), "size": len(content), "pointerSize": 134}}

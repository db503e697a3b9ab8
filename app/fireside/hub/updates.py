"""Find downloaded files that have newer versions on the hub."""

from __future__ import annotations

from collections.abc import Mapping

from fireside.core.errors import (
    HubError,
    HubFailed,
    HubOffline,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
)
from fireside.core.hub import FileOrigin, HubFile
from fireside.core.library import ModelOrigin, ModelUpdate
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_names import MAIN

Origin = ModelOrigin | FileOrigin


def find_updates(session: HubSession, origins: Mapping[str, Origin]) -> tuple[ModelUpdate, ...]:
    """Return the newer versions of files of the library; ``origins`` are keyed by their paths.

    Each repository is queried once. One that is removed, private or answers nonsense is skipped. Once the hub
    itself does not answer, no more is queried; its error is raised only if nothing was found before. Blocks,
    from any thread. Raises ``HubError``.
    """
    by_repo: dict[str, dict[str, Origin]] = {}
    for path, origin in origins.items():
        by_repo.setdefault(origin.repo, {})[path] = origin
    updates: list[ModelUpdate] = []
    for n_queried, (repo, repo_origins) in enumerate(by_repo.items()):
        try:
            updates += _updates_of(session, repo, repo_origins)
        except (HubOffline, HubUnreachable, HubFailed, HubRateLimited, HubTokenRefused):
            if n_queried == 0:
                raise
            break
        except HubError:
            pass  # Nothing more is known of its files than when they were downloaded.
    return tuple(updates)


def _updates_of(session: HubSession, repo: str, origins: Mapping[str, Origin]) -> list[ModelUpdate]:
    commit = session.resolve(repo, MAIN)
    if all(origin.commit == commit for origin in origins.values()):
        return []
    files = {file.path: file for file in session.tree(repo, commit)}
    return [
        ModelUpdate(
            path=path,
            repo=repo,
            file=file.path,
            commit=commit,
            size_bytes=file.size_bytes,
            replaces=origin.digest,
        )
        for path, origin in origins.items()
        if (file := files.get(origin.path)) is not None and _differs(file, origin)
    ]


def _differs(file: HubFile, origin: Origin) -> bool:
    """Whether the content differs. Digests of different algorithms cannot be compared."""
    return len(file.digest) == len(origin.digest) and file.digest.casefold() != origin.digest.casefold()

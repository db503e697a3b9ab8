"""Where in the queue a download goes when a person moves it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.hub import Download, DownloadState


def waiting_ids(downloads: Sequence[Download]) -> list[str]:
    """Return the lines that have an order: all but the finished ones."""
    return [download.id for download in downloads if download.state is not DownloadState.DONE]


def position_after_steps(downloads: Sequence[Download], download_id: str, *, steps: int) -> int | None:
    """Return the place in the whole queue, ``steps`` lines further down; ``None`` if it stays where it is."""
    ids = waiting_ids(downloads)
    if download_id not in ids:
        return None
    target = max(0, min(len(ids) - 1, ids.index(download_id) + steps))
    return _position(downloads, download_id, others_before=target)


def position_in_gap(downloads: Sequence[Download], download_id: str, *, gap: int) -> int | None:
    """Return the place in the whole queue for ``gap``: 0 is above the first line, 1 below it, and so on.

    ``None`` if it stays where it is.
    """
    ids = waiting_ids(downloads)
    if download_id not in ids:
        return None
    is_below_itself = gap > ids.index(download_id)
    return _position(downloads, download_id, others_before=gap - 1 if is_below_itself else gap)


def _position(downloads: Sequence[Download], download_id: str, *, others_before: int) -> int | None:
    ids = waiting_ids(downloads)
    if ids.index(download_id) == others_before:
        return None
    others = [other for other in ids if other != download_id]
    everyone: list[str] = [download.id for download in downloads if download.id != download_id]
    if others_before < len(others):
        return everyone.index(others[others_before])
    return everyone.index(others[-1]) + 1

"""Downloads for tests of what shows them."""

from __future__ import annotations

from fireside.core.errors import ErrorInfo
from fireside.core.hub import Download, DownloadFile, DownloadId, DownloadState, HubFile

COMMIT = "a" * 40


def download_of(
    download_id: str,
    *,
    state: DownloadState = DownloadState.RUNNING,
    title: str = "",
    size_bytes: int = 4_000_000_000,
    n_bytes: int = 1_000_000_000,
    bytes_per_s: float = 0.0,
    seconds_left: float | None = None,
    is_stalled: bool = False,
    note: str = "",
    error: ErrorInfo | None = None,
) -> Download:
    """Return a download of one file, ``ada/<download_id>-GGUF`` at Q4_K_M if no ``title`` is given."""
    repo = f"ada/{download_id}-GGUF"
    path = f"{download_id}-Q4_K_M.gguf"
    wanted = DownloadFile(
        repo=repo,
        commit=COMMIT,
        file=HubFile(path=path, size_bytes=size_bytes, digest="0" * 64),
        name=f"{repo}/{path}",
    )
    return Download(
        id=DownloadId(download_id),
        title=title or f"{repo}:Q4_K_M",
        files=(wanted,),
        state=state,
        n_bytes=size_bytes if state is DownloadState.DONE else n_bytes,
        bytes_per_s=bytes_per_s,
        seconds_left=seconds_left,
        is_stalled=is_stalled,
        note=note,
        error=error,
    )

"""Protocol of the actions that the downloads page calls."""

from __future__ import annotations

from typing import Protocol

from fireside.ui.window_context import Router


class DownloadActions(Protocol):
    """Implemented by ``DownloadController``. A download is identified by its id."""

    router: Router

    def pause(self, download_id: str) -> None: ...
    def resume(self, download_id: str) -> None:
        """Resume a paused download, or retry a failed one."""

    def resume_without_token(self, download_id: str) -> None:
        """Retry without the token that was refused."""

    def cancel(self, download_id: str) -> None:
        """Cancel a download and delete its partial file; remove a finished one from the list."""

    def move(self, download_id: str, position: int) -> None:
        """Move a download to another position of the whole queue."""

    def pause_all(self) -> None: ...
    def resume_all(self) -> None: ...
    def clear(self) -> None:
        """Remove finished downloads from the list."""

    def reveal(self, path: str) -> None:
        """Show a file in the file manager."""

    def open_link(self, url: str) -> None:
        """Ask whether to open an address; the confirmation shows its true host."""

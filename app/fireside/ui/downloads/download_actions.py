"""What the page of the downloads has done for it."""

from __future__ import annotations

from typing import Protocol

from fireside.ui.window_context import Router


class DownloadActions(Protocol):
    """Done by the ``DownloadController``. A download is meant by its id."""

    router: Router

    def pause(self, download_id: str) -> None: ...
    def resume(self, download_id: str) -> None:
        """Go on with one that is paused, or try again one that failed."""

    def resume_without_token(self, download_id: str) -> None:
        """Try again without the token that was refused."""

    def cancel(self, download_id: str) -> None:
        """Throw away what is here, or take a finished one off the list."""

    def move(self, download_id: str, position: int) -> None:
        """Put it into another place of the whole queue."""

    def pause_all(self) -> None: ...
    def resume_all(self) -> None: ...
    def clear(self) -> None:
        """Take the finished ones off the list."""

    def reveal(self, path: str) -> None:
        """Show a file in the file manager."""

    def open_link(self, url: str) -> None:
        """Ask whether to open an address, which shows its true host."""

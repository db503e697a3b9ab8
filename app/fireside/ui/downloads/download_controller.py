"""Controller of the downloads page; notifies the user of finished and failed downloads."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import DownloadNotFound, FiresideError
from fireside.core.hub import Download, DownloadId, DownloadState
from fireside.core.i18n import tr
from fireside.ui.chat.answer.links import confirm_open
from fireside.ui.downloads.arrivals import DownloadedModels
from fireside.ui.downloads.download_text import title_of
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.page import Page
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.downloads.downloads_page import DownloadsPage


class DownloadController(QObject):
    """Sends the requests of the downloads page. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, downloads: DownloadsView, draw_attention: Callable[[], None]
    ) -> None:
        """``draw_attention`` asks the system to highlight the window while another is in front."""
        super().__init__(context.window)
        self.router = context.router
        self._context = context
        self._client = context.client.downloads
        self._downloads = downloads
        self._models = context.models
        self._toast = context.toast
        self._draw_attention = draw_attention
        downloads.completed.connect(self._on_completed)
        downloads.failed.connect(self._on_failed)
        downloads.out_of_space.connect(self._on_out_of_space)

    @cached_property
    def page(self) -> DownloadsPage:
        """The downloads page; imported and created when first used."""
        from fireside.ui.downloads.downloads_page import DownloadsPage

        return DownloadsPage(self, downloads=self._downloads, models=self._models)

    def start(self) -> None:
        """Show a notification if downloads of the last session are resumed. Call once, when the window has
        opened."""
        states = [download.state for download in self._downloads.downloads]
        if any(state.is_active or state is DownloadState.QUEUED for state in states):
            self._show_note(tr("Interrupted downloads resume"))

    @Slot(str)
    def pause(self, download_id: str) -> None:
        self._run(self._client.pause(DownloadId(download_id)))

    @Slot(str)
    def resume(self, download_id: str) -> None:
        """Resume a paused download, or retry a failed one."""
        self._run(self._client.resume(DownloadId(download_id)))

    def resume_without_token(self, download_id: str) -> None:
        """Retry without the token that was refused."""
        self._run(self._context.client.token.suspend(), on_done=lambda _: self.resume(download_id))

    @Slot()
    def pause_all(self) -> None:
        """Pause all downloads, queued ones first, so that none of them starts meanwhile."""
        active = [d for d in self._downloads.downloads if d.state.is_active]
        queued = [d for d in self._downloads.downloads if d.state is DownloadState.QUEUED]
        self._run(self._each(self._client.pause, [*queued, *active]))

    @Slot()
    def resume_all(self) -> None:
        """Resume all paused downloads in the queue's order."""
        paused = [d for d in self._downloads.downloads if d.state is DownloadState.PAUSED]
        self._run(self._each(self._client.resume, paused))

    async def _each(
        self, request: Callable[[DownloadId], Coroutine[Any, Any, None]], downloads: list[Download]
    ) -> None:
        for download in downloads:
            try:
                await request(download.id)
            except DownloadNotFound:
                continue

    def cancel(self, download_id: str) -> None:
        """Cancel a download and delete its partial file; remove a finished one from the list."""
        download = self._downloads.download(download_id)
        if download is None:
            return

        def on_done(_none: None) -> None:
            if download.state is not DownloadState.DONE:
                self._toast.show_message(
                    tr("Download of {name} cancelled").format(name=title_of(download).name)
                )

        self._run(self._client.cancel(download.id), on_done=on_done)

    def move(self, download_id: str, position: int) -> None:
        """Move a download to another position of the whole queue."""
        self._run(self._client.move(DownloadId(download_id), position=position))

    def clear(self) -> None:
        """Remove finished downloads from the list."""
        self._run(self._client.clear_done())

    def reveal(self, path: str) -> None:
        """Show a file in the file manager."""
        self._context.reveal(path)

    def open_link(self, url: str) -> None:
        """Ask whether to open an address; the confirmation shows its true host."""
        confirm_open(url, open_url=self._context.open_url, parent=self.page)

    def _run(self, work: Coroutine[Any, Any, None], *, on_done: Callable[[None], None] | None = None) -> None:
        self._context.tasks.run(work, on_done=on_done, on_error=self._on_error)

    def _on_error(self, error: FiresideError) -> None:
        # It was removed at the moment of the click; the list shows that already.
        if not isinstance(error, DownloadNotFound):
            self.page.show_problem(error.sentence())

    @Slot(object)
    def _on_completed(self, download: Download) -> None:
        entry = DownloadedModels(self._models.entries).entry_for(download)
        text = tr("{name} is ready").format(name=title_of(download).name)
        if entry is not None and entry.spec is not None and entry.can_chat:
            model_id = entry.spec.id
            self._toast.show_message(
                text,
                action=tr("Chat"),
                icon="message-square",
                on_action=lambda: self.router.use_model(model_id),
            )
        else:
            self._show_note(text)
        self._draw_attention()

    @Slot(object)
    def _on_failed(self, download: Download) -> None:
        self._alert(tr("Download of {name} failed").format(name=title_of(download).name))

    @Slot(object)
    def _on_out_of_space(self, download: Download) -> None:
        self._alert(tr("Not enough disk space for {name}").format(name=title_of(download).name))

    def _alert(self, text: str) -> None:
        # On the page itself the download's row shows the problem and its remedies.
        if "page" not in vars(self) or not self.page.isVisible():
            self._show_note(text)
        self._draw_attention()

    def _show_note(self, text: str) -> None:
        self._toast.show_message(
            text, action=tr("Show"), icon="download", on_action=lambda: self.router.show_page(Page.DOWNLOADS)
        )

"""The preview of a web page, a diagram or a chart, with what it needs to be shown."""

from __future__ import annotations

import asyncio
import re
from typing import Final

import msgspec
from PySide6.QtCore import QRect, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from fireside.core.artifacts import ArtifactKind
from fireside.core.components import CHARTS, MERMAID, WEB, Component, ComponentProgressed, ComponentsChanged
from fireside.core.errors import FiresideError, NextStep, format_bytes
from fireside.core.events import AppEvent
from fireside.core.i18n import render, tr
from fireside.core.web_preview import (
    Chart,
    PointerInput,
    PointerStep,
    PreviewEnded,
    PreviewEvent,
    PreviewInput,
    PreviewLinkOpened,
    PreviewLoaded,
    PreviewLogged,
    PreviewPainted,
    PreviewPointed,
    PreviewSelected,
    PreviewSource,
)
from fireside.ui.kit.layout import boxed, column, in_centre, row, stacked, stretch
from fireside.ui.preview.page_surface import PageSurface
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, Scheme, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext

_TEXT_PX: Final = 420
_NAMED_LINE: Final = re.compile(r"\bline (\d{1,6})\b")
_MARGIN: Final = SPACE_M
_LONG_S: Final = 3
"""Seconds of a wait before they are shown."""


class WebPreview(QWidget):
    """Shows one source at a time, and what can be done where that does not succeed. GUI thread only.

    A page runs in a process of its own, from the first ``show_source`` until ``shut_down``.
    """

    console_error = Signal(str, int)
    """An error of the page, and its line in the source, from 1; 0 where that is unknown."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._source: PreviewSource | None = None
        self._preview: int | None = None
        self._is_showing = self._is_stale = self._is_sending = False
        self._inputs: list[PreviewInput] = []
        self.surface = PageSurface()
        self.surface.done.connect(self._on_done)
        self.chart = _ChartView()
        self.notice = _Notice()
        self.notice.suggested.connect(self._on_suggested)
        self.notice.browser.clicked.connect(self._on_browser)
        self.notice.cancel.clicked.connect(self._cancel_download)
        self.loading = Label(tr("Loading…"), role="mute")
        self._waits = QTimer(self, interval=1000)
        self._waits.timeout.connect(self._show_wait)
        self._n_waited = 0
        self.link = _LinkBar()
        self.link.opened.connect(context.open_url)
        self._pages = stacked(boxed(column(in_centre(self.loading))), self.surface, self.chart, self.notice)
        column(stretch(self._pages), self.link, spacing=0, on=self)
        self._pages.currentChanged.connect(self._waits.stop)
        self._missing: Component | None = None
        self._download: asyncio.Task[None] | None = None
        context.client.frame.connect(self._on_frame)
        theme().changed.connect(self._on_theme_changed)

    # What the owner calls

    def show_source(self, kind: ArtifactKind, text: str) -> None:
        """Show a source, in place of what is shown: HTML, Mermaid, Vega-Lite or SVG."""
        self._source = PreviewSource(kind=kind.value, text=text)
        self.link.hide()
        self.notice.browser.setVisible(kind is not ArtifactKind.VEGA_LITE)  # drawn by the same component
        self._show_again()

    def shut_down(self) -> None:
        """End the process of the page, and show nothing."""
        self._source = None
        self.link.hide()
        if self._preview is not None:
            self._close(self._preview)
            self._preview = None
        self.surface.clear()
        self._waits.stop()
        self._pages.setCurrentIndex(0)

    @property
    def is_running(self) -> bool:
        """Whether a process shows a page."""
        return self._preview is not None

    @task
    async def open_in_browser(self, title: str = "") -> None:
        """Open what is shown as a page of its own in the browser."""
        if self._source is None:
            return
        try:
            path = await self._client.previews.browser_page(
                self._styled(self._source), title or tr("Preview")
            )
        except FiresideError as exc:
            await self._explain(exc)
        else:
            self._context.open_url(QUrl.fromLocalFile(path).toString())

    # Showing

    def _show_again(self) -> None:
        self._is_stale = True
        if not self._is_showing and self._source is not None:
            self._is_showing = True  # before the task takes its first step
            self._show()

    @task
    async def _show(self) -> None:
        """Show the newest source; those that came meanwhile are left out."""
        try:
            while self._is_stale and self._source is not None:
                self._is_stale = False
                try:
                    await self._show_source(self._styled(self._source))
                except FiresideError as exc:
                    await self._explain(exc)
        finally:
            self._is_showing = False

    async def _show_source(self, source: PreviewSource) -> None:
        if source.kind == ArtifactKind.VEGA_LITE:
            if self._pages.currentWidget() is not self.chart:
                self._wait()
            self.chart.show_chart(await self._client.previews.draw_chart(source))
            if self._source is not None:
                self._pages.setCurrentWidget(self.chart)
            return
        if self._preview is not None:
            await self._client.previews.show(self._preview, source)
            self._pages.setCurrentWidget(self.surface)
            return
        self.surface.clear()
        if self._pages.currentWidget() is not self.surface:
            self._wait()
        number = await self._client.previews.open(source, self.surface.area_in(self._pages.size()))
        if self._source is None:  # shut down meanwhile
            self._close(number)
        else:
            self._preview = number

    def _wait(self) -> None:
        """Say that something comes, and how long that has taken."""
        self.loading.setText(tr("Loading…"))
        self._n_waited = 0
        self._pages.setCurrentIndex(0)
        self._waits.start()

    @Slot()
    def _show_wait(self) -> None:
        self._n_waited += 1
        if self._n_waited >= _LONG_S:
            self.loading.setText(tr("Loading… {n} s").format(n=self._n_waited))

    def _styled(self, source: PreviewSource) -> PreviewSource:
        return msgspec.structs.replace(
            source, is_dark=theme().scheme is Scheme.DARK, background=theme().tokens.card
        )

    @task
    async def _close(self, preview: int) -> None:
        await self._client.previews.close(preview)

    @Slot()
    def _on_theme_changed(self) -> None:
        if (
            self._source is not None
            and self._source.kind != ArtifactKind.HTML
            and not self.notice.isVisible()
        ):
            self._show_again()

    # What keeps it from being shown

    async def _explain(self, error: FiresideError) -> None:
        """Say why there is no preview, and offer the part that is missing."""
        if self._source is None:
            return
        if error.next_step is NextStep.ADD_COMPONENT:
            await self._offer_component()
        else:
            self._missing = None
            self.notice.show_problem(error.sentence(), can_retry=error.next_step is NextStep.RETRY)
            self._pages.setCurrentWidget(self.notice)

    async def _offer_component(self) -> None:
        """Offer the component without which this source cannot be shown."""
        if self._source is None:
            return
        components = {each.id: each for each in await self._client.components.components()}
        kind = self._source.kind
        wanted = CHARTS if kind == ArtifactKind.VEGA_LITE else WEB
        if components[wanted].is_installed and kind == ArtifactKind.MERMAID:
            wanted = MERMAID
        self._missing = components[wanted]
        self.notice.show_missing(self._missing)
        self._pages.setCurrentWidget(self.notice)

    @Slot()
    def _on_suggested(self) -> None:
        if self._missing is None:
            self._show_again()
        elif self._download is None:
            self.notice.show_progress(0.0)
            self._download = self._install(self._missing.id)

    @task
    async def _install(self, id_: str) -> None:
        try:
            await self._client.components.install(id_)
        except FiresideError as exc:
            self.notice.show_missing_problem(exc.sentence())
        else:
            self._show_again()
        self._download = None
        self.notice.end_progress()

    @Slot()
    def _cancel_download(self) -> None:
        if self._download is not None:
            self._download.cancel()
            self._download = None
            self.notice.end_progress()

    @Slot()
    def _on_browser(self) -> None:
        self.open_in_browser()

    def _on_error(self, error: FiresideError) -> None:
        self._context.show_error(error)

    # What the page reports, and is told

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            match event:
                case ComponentProgressed(id=id_, fraction=fraction):
                    if self._download is not None and self._missing is not None and self._missing.id == id_:
                        self.notice.show_progress(fraction)
                case ComponentsChanged() if self._missing is not None and self._download is None:
                    self._show_again()  # downloaded, or removed, elsewhere
                case _ if isinstance(event, PreviewEvent) and event.preview == self._preview:
                    self._take(event)
                case _:
                    pass

    def _take(self, event: PreviewEvent) -> None:
        match event:
            case PreviewPainted():
                self.surface.show_picture(event)
                self._pages.setCurrentWidget(self.surface)
            case PreviewLoaded():
                self.surface.show_text(event.text)
            case PreviewLogged():
                self.console_error.emit(event.message, self._line_of(event))
            case PreviewLinkOpened():
                self.link.ask(event.url)
            case PreviewSelected():
                self.surface.show_selection(event.text)
            case PreviewPointed():
                self.surface.show_pointer(event.shape)
            case PreviewEnded():
                self._preview = None
                self._missing = None
                self.link.hide()
                self.notice.show_problem(render(event.problem), can_retry=True)
                self._pages.setCurrentWidget(self.notice)

    def _line_of(self, event: PreviewLogged) -> int:
        """Return the line of the source; that of a diagram is not the page’s, but Mermaid names it."""
        if self._source is None or self._source.kind != ArtifactKind.MERMAID:
            return event.line
        named = _NAMED_LINE.search(event.message)
        return 0 if named is None else int(named[1])

    @Slot(object)
    def _on_done(self, each: PreviewInput) -> None:
        if self._preview is None:
            return
        last = self._inputs[-1] if self._inputs else None
        if _is_move(each) and _is_move(last):
            self._inputs.pop()
        self._inputs.append(each)
        if not self._is_sending:
            self._is_sending = True
            self._send()

    @task
    async def _send(self) -> None:
        try:
            while self._inputs and self._preview is not None:
                inputs, self._inputs = tuple(self._inputs), []
                await self._client.previews.send(self._preview, inputs)
        finally:
            self._inputs = []
            self._is_sending = False


def _is_move(each: PreviewInput | None) -> bool:
    return isinstance(each, PointerInput) and each.step is PointerStep.MOVE


class _Notice(QWidget):
    """Says why there is no preview, and what helps."""

    suggested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = WrappedLabel(role="heading")
        self.text = WrappedLabel(role="mute")
        self.problem = WrappedLabel(role="error")
        self.bar = ProgressBar(name=tr("Download"))
        self.action = Button("", kind="primary", on_click=self.suggested.emit)
        self.browser = Button(tr("Open in browser"))
        self.cancel = Button(tr("Cancel"))
        buttons = row(self.action, self.cancel, self.browser, stretch(), spacing=SPACE_S)
        content = boxed(column(self.title, self.text, self.problem, self.bar, buttons, spacing=SPACE_M))
        content.setMaximumWidth(_TEXT_PX)
        for part in (self.problem, self.bar, self.cancel):
            part.hide()
        column(
            stretch(), row(stretch(), stretch(content, 1000), stretch()), stretch(), margins=SPACE_L, on=self
        )

    def show_problem(self, problem: str, *, can_retry: bool) -> None:
        """Say what failed; where another try can help, the button makes it."""
        self.end_progress()
        self.title.setText(tr("There is no preview"))
        self.text.setText(problem)
        self.problem.show_text("")
        self.action.setVisible(can_retry)
        self.action.set_label(tr("Show again"))

    def show_missing(self, component: Component) -> None:
        """Offer a component; the button downloads it."""
        self.title.setText(tr("“{name}” is needed for this preview").format(name=tr(component.name)))
        if component.download_bytes:
            facts = tr("{size} to download. Licences: {licences}.").format(
                size=format_bytes(component.download_bytes), licences=component.licence
            )
        else:
            facts = tr("Not available for this computer.")
        self.text.setText(f"{tr(component.purpose)} {facts}")
        self.action.set_label(tr("Download"))
        self.action.setVisible(component.download_bytes > 0 and self.bar.isHidden())

    def show_missing_problem(self, problem: str) -> None:
        """Say why a download failed."""
        self.problem.show_text(problem)

    def show_progress(self, fraction: float) -> None:
        """Show how far a download is, which can be cancelled."""
        self.problem.show_text("")
        self.bar.set_fraction(fraction)
        had_focus = self.action.hasFocus()
        for part, is_shown in ((self.bar, True), (self.cancel, True), (self.action, False)):
            part.setVisible(is_shown)
        if had_focus:
            self.cancel.setFocus()

    def end_progress(self) -> None:
        """Show the button in place of the progress."""
        had_focus = self.cancel.hasFocus()
        for part, is_shown in ((self.action, True), (self.bar, False), (self.cancel, False)):
            part.setVisible(is_shown)
        if had_focus:
            self.action.setFocus()


class _LinkBar(QWidget):
    """Asks whether to open a link of a page, which may lead anywhere, in the browser."""

    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self.address = ElidedLabel(role="mute")
        self.open = Button(tr("Open in browser"), on_click=self._on_open)
        close = Button(tr("Cancel"), kind="quiet", on_click=self.hide)
        row(stretch(self.address), self.open, close, spacing=SPACE_S, margins=(SPACE_M, SPACE_S), on=self)
        self._url = ""
        self.hide()

    def ask(self, url: str) -> None:
        """Ask about an address."""
        self._url = url
        self.address.set_full_text(url)
        self.show()

    def _on_open(self) -> None:
        self.hide()
        self.opened.emit(self._url)


class _ChartView(QWidget):
    """Shows a chart, smaller where it does not fit, never larger than it was drawn."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = QPixmap()
        self.svg = ""
        """The chart that is shown; empty for none."""
        self.setAccessibleName(tr("Chart"))

    def show_chart(self, chart: Chart) -> None:
        self.svg = chart.svg
        self._picture.loadFromData(chart.png, "PNG")
        self._picture.setDevicePixelRatio(chart.scale)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("card"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        natural = self._picture.deviceIndependentSize().toSize()
        room = self.size() - QSize(2 * _MARGIN, 2 * _MARGIN)
        if not self._picture.isNull():
            size = natural
            if natural.width() > room.width() or natural.height() > room.height():
                size = natural.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
            left = max(_MARGIN, (self.width() - size.width()) // 2)
            top = max(_MARGIN, (self.height() - size.height()) // 2)
            painter.drawPixmap(QRect(left, top, size.width(), size.height()), self._picture)
        painter.end()

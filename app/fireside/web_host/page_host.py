"""The web engine of one page: draws it without a window, and does what the window says.

Nothing that a page asks for is fetched. Its own text comes from this process, under a policy that allows no
other source; the engine’s requests are refused one by one, names are not resolved, and what is not a request
(preconnections, WebRTC) has neither a resolver nor a proxy that works.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import IO, Final

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QEvent,
    QIODevice,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.i18n import Translatable, tr_noop
from fireside.core.web_preview import (
    MAX_PIXELS,
    MAX_TEXT_CHARS,
    MIN_SIDE_PX,
    FocusInput,
    KeyInput,
    PictureTaken,
    PointerInput,
    PointerStep,
    PreviewArea,
    PreviewEnded,
    PreviewLinkOpened,
    PreviewLoaded,
    PreviewLogged,
    PreviewPainted,
    PreviewPointed,
    PreviewSelected,
    TypedInput,
    WheelInput,
)
from fireside.web_host.web_messages import ShowPage, WebCommand, WebReport, decode_web_command
from fireside.wire.frames import FrameError, encode_frame, read_frame

_SCHEME: Final = b"fireside-page"
_ADDRESS: Final = QUrl("fireside-page:answer")
_BUSY_MS: Final = 33
_IDLE_MS: Final = 150
_BUSY_S: Final = 1.5
"""Time after a change, or what the user did, in which the page is drawn often."""
_ASK_MS: Final = 3_000
_PATIENCE_S: Final = 15.0
"""In which a page answers, or it is ended."""
_CLICK_S: Final = 1.0
"""In which a page follows a link because of a click; later it does so by itself, which nobody asked for."""
_MOST_LOGGED: Final = 200
"""Messages of a page’s console that are passed on."""
_OFF: Final = (
    QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
    QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard,
    QWebEngineSettings.WebAttribute.JavascriptCanPaste,
    QWebEngineSettings.WebAttribute.LocalStorageEnabled,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls,
    QWebEngineSettings.WebAttribute.HyperlinkAuditingEnabled,
    QWebEngineSettings.WebAttribute.ErrorPageEnabled,
    QWebEngineSettings.WebAttribute.PluginsEnabled,
    QWebEngineSettings.WebAttribute.FullScreenSupportEnabled,
    QWebEngineSettings.WebAttribute.ScreenCaptureEnabled,
    QWebEngineSettings.WebAttribute.AutoLoadIconsForPage,
    QWebEngineSettings.WebAttribute.AllowRunningInsecureContent,
    QWebEngineSettings.WebAttribute.AllowGeolocationOnInsecureOrigins,
    QWebEngineSettings.WebAttribute.DnsPrefetchEnabled,
    QWebEngineSettings.WebAttribute.PdfViewerEnabled,
    QWebEngineSettings.WebAttribute.NavigateOnDropEnabled,
)
_ON: Final = (
    QWebEngineSettings.WebAttribute.PlaybackRequiresUserGesture,
    QWebEngineSettings.WebAttribute.WebRTCPublicInterfacesOnly,
)
_BUTTONS: Final = {
    PointerStep.MOVE: QEvent.Type.MouseMove,
    PointerStep.PRESS: QEvent.Type.MouseButtonPress,
    PointerStep.DOUBLE: QEvent.Type.MouseButtonDblClick,
    PointerStep.RELEASE: QEvent.Type.MouseButtonRelease,
}
_CRASHED: Final = tr_noop("The page’s process has ended unexpectedly.")
_STUCK: Final = tr_noop("The page no longer answered, and was stopped.")


class _Wall(QWebEngineUrlRequestInterceptor):
    """Refuses every request but that for the page itself, and what is within it."""

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url = info.requestUrl()
        is_page = url == _ADDRESS and info.resourceType() in _PAGES
        info.block(not is_page and url.scheme() not in ("data", "blob"))


_PAGES: Final = (
    QWebEngineUrlRequestInfo.ResourceType.ResourceTypeMainFrame,
    QWebEngineUrlRequestInfo.ResourceType.ResourceTypeNavigationPreloadMainFrame,
)


class _Source(QWebEngineUrlSchemeHandler):
    """Gives the engine the text of the page, with its policy."""

    def __init__(self) -> None:
        super().__init__()
        self.page = ShowPage(html="", policy="")

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        if job.requestUrl() != _ADDRESS:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        buffer = QBuffer(job)
        buffer.setData(self.page.html.encode("utf-8", "replace"))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        headers = {
            b"Content-Security-Policy": self.page.policy.encode(),
            b"Referrer-Policy": b"no-referrer",
            b"X-DNS-Prefetch-Control": b"off",
        }
        # A header may have several values, so they are lists.
        job.setAdditionalResponseHeaders(
            {QByteArray(key): [QByteArray(value)] for key, value in headers.items()}  # type: ignore[misc]
        )
        job.reply(QByteArray(b"text/html; charset=utf-8"), buffer)


class _Page(QWebEnginePage):
    """A page that goes nowhere and asks nothing."""

    def __init__(self, profile: QWebEngineProfile, *, report: Callable[[WebReport], None]) -> None:
        super().__init__(profile)
        self._report = report
        self.used_at = -_CLICK_S
        """When the user last clicked or typed, by the monotonic clock."""
        self._n_logged = 0
        self.permissionRequested.connect(lambda asked: asked.deny())
        self.newWindowRequested.connect(lambda asked: self._follow(asked.requestedUrl()))

    def open(self) -> None:
        self._n_logged = 0
        self.load(_ADDRESS)

    def acceptNavigationRequest(
        self, url: QUrl | str, kind: QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        address = QUrl(url)
        if (
            is_main_frame
            and address == _ADDRESS
            and kind is not QWebEnginePage.NavigationType.NavigationTypeReload
        ):
            return True
        if kind is QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self._follow(address)
        return False

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        is_error = level is QWebEnginePage.JavaScriptConsoleMessageLevel.ErrorMessageLevel
        if is_error and self._n_logged < _MOST_LOGGED:
            self._n_logged += 1
            is_own = source == _ADDRESS.toString()
            self._report(
                PreviewLogged(preview=0, message=message[:MAX_TEXT_CHARS], line=line if is_own else 0)
            )

    def javaScriptAlert(self, *_: object) -> None:
        pass  # the policy forbids dialogs too

    def javaScriptConfirm(self, *_: object) -> bool:
        return False

    def javaScriptPrompt(self, *_: object) -> tuple[bool, str]:
        return False, ""

    def chooseFiles(self, *_: object) -> list[str]:
        return []

    def _follow(self, url: QUrl) -> None:
        was_clicked = time.monotonic() - self.used_at < _CLICK_S
        if was_clicked and url.scheme() in ("http", "https", "mailto"):
            self._report(PreviewLinkOpened(preview=0, url=url.toString()[:MAX_TEXT_CHARS]))


class _Commands(QObject):
    """Brings commands from the thread that reads them."""

    received = Signal(object)
    ended = Signal()


class PageHost:
    """The one page of this process."""

    def __init__(self, *, report: Callable[[WebReport], None], end: Callable[[], None]) -> None:
        self._report = report
        self._end = end
        self._source, self._wall = _Source(), _Wall()
        self._profile = QWebEngineProfile()  # without a name it keeps nothing on the disk
        self._profile.installUrlSchemeHandler(QByteArray(_SCHEME), self._source)
        self._profile.setUrlRequestInterceptor(self._wall)
        self._profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
        self._profile.setPersistentCookiesPolicy(
            QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies
        )
        self._profile.setSpellCheckEnabled(False)
        self._profile.downloadRequested.connect(lambda asked: asked.cancel())
        self._page = _Page(self._profile, report=report)
        self._view = QWebEngineView(self._page)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        settings = self._page.settings()
        for attribute in _OFF:
            settings.setAttribute(attribute, False)
        for attribute in _ON:
            settings.setAttribute(attribute, True)
        self._scale = 1.0
        self._shape = Qt.CursorShape.ArrowCursor
        self._last = QImage()
        self._may_send = True
        self._busy_until = self._answered_at = time.monotonic()
        self._connect()

    def _connect(self) -> None:
        self._page.loadFinished.connect(self._on_loaded)
        self._page.selectionChanged.connect(self._on_selected)
        self._page.renderProcessTerminated.connect(lambda *_: self._fail(_CRASHED))
        self._pictures = QTimer()
        self._pictures.timeout.connect(self._take_picture)
        self._pictures.start(_BUSY_MS)
        self._questions = QTimer()
        self._questions.timeout.connect(self._ask)
        self._questions.start(_ASK_MS)

    def do(self, command: WebCommand) -> None:
        """Do what the window says."""
        now = time.monotonic()
        self._busy_until = now + _BUSY_S
        is_press = isinstance(command, PointerInput) and command.step is not PointerStep.MOVE
        if is_press or isinstance(command, KeyInput):
            self._page.used_at = now
        match command:
            case ShowPage():
                self._source.page = command
                self._page.open()
            case PreviewArea():
                self._resize(command)
            case PictureTaken():
                self._may_send = True
            case FocusInput():
                kind = QEvent.Type.FocusIn if command.has_focus else QEvent.Type.FocusOut
                self._send(QFocusEvent(kind, Qt.FocusReason.OtherFocusReason))
            case TypedInput():
                event = QInputMethodEvent()
                event.setCommitString(command.text)
                self._send(event)
            case KeyInput():
                kind = QEvent.Type.KeyPress if command.is_press else QEvent.Type.KeyRelease
                modifiers = Qt.KeyboardModifier(command.modifiers)
                self._send(QKeyEvent(kind, command.key, modifiers, command.text, command.is_repeat))
            case PointerInput():
                self._point(command)
            case WheelInput():
                self._turn(command)

    def _resize(self, area: PreviewArea) -> None:
        width, height = max(MIN_SIDE_PX, area.width), max(MIN_SIDE_PX, area.height)
        self._scale = max(0.25, min(area.scale, 4.0, (MAX_PIXELS / (width * height)) ** 0.5))
        self._view.resize(int(width * self._scale), int(height * self._scale))
        self._page.setZoomFactor(self._scale)
        if not self._view.isVisible():
            self._view.show()

    @property
    def _target(self) -> QWidget:
        return self._view.focusProxy() or self._view

    def _send(self, event: QEvent) -> None:
        QApplication.sendEvent(self._target, event)

    def _point(self, pointer: PointerInput) -> None:
        if pointer.step is PointerStep.LEAVE:
            self._send(QEvent(QEvent.Type.Leave))
            return
        place = QPointF(pointer.x * self._scale, pointer.y * self._scale)
        self._send(
            QMouseEvent(
                _BUTTONS[pointer.step],
                place,
                place,
                Qt.MouseButton(pointer.button),
                Qt.MouseButton(pointer.buttons),
                Qt.KeyboardModifier(pointer.modifiers),
            )
        )

    def _turn(self, wheel: WheelInput) -> None:
        place = QPointF(wheel.x * self._scale, wheel.y * self._scale)
        self._send(
            QWheelEvent(
                place,
                place,
                QPoint(*wheel.pixels),
                QPoint(*wheel.angle),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier(wheel.modifiers),
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
        )

    def _take_picture(self) -> None:
        is_busy = time.monotonic() < self._busy_until
        self._pictures.setInterval(_BUSY_MS if is_busy else _IDLE_MS)
        shape = self._target.cursor().shape()
        if shape != self._shape:
            self._shape = shape
            self._report(PreviewPointed(preview=0, shape=shape.value))
        if not (self._may_send and self._view.isVisible()):
            return
        picture = self._view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        if picture == self._last:
            return
        self._last, self._may_send = picture, False
        self._busy_until = time.monotonic() + _BUSY_S
        pixels = bytes(picture.constBits())
        self._report(PreviewPainted(preview=0, width=picture.width(), height=picture.height(), pixels=pixels))

    def _on_loaded(self, is_whole: bool) -> None:
        if not is_whole:
            return  # it went elsewhere, which was refused
        self._page.toPlainText(
            lambda text: self._report(PreviewLoaded(preview=0, text=text[:MAX_TEXT_CHARS]))
        )

    def _on_selected(self) -> None:
        self._report(PreviewSelected(preview=0, text=self._page.selectedText()[:MAX_TEXT_CHARS]))

    def _ask(self) -> None:
        """Whether the page still answers; one that computes without end keeps a core busy for ever."""
        if time.monotonic() - self._answered_at > _PATIENCE_S:
            self._fail(_STUCK)
            return
        self._page.runJavaScript("1", self._on_answered)

    def _on_answered(self, _: object) -> None:
        self._answered_at = time.monotonic()

    def _fail(self, problem: Translatable) -> None:
        self._report(PreviewEnded(preview=0, problem=problem))
        self._end()


def serve(commands: IO[bytes], reports: IO[bytes]) -> None:
    """Do what the frames of ``commands`` say until they end. Needs the main thread."""
    scheme = QWebEngineUrlScheme(QByteArray(_SCHEME))
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Path)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme)
    QWebEngineUrlScheme.registerScheme(scheme)
    app = QApplication(["fireside-page"])
    app.setQuitOnLastWindowClosed(False)

    def report(message: WebReport) -> None:
        try:
            reports.write(encode_frame(message))
            reports.flush()
        except FrameError:
            pass  # a lone surrogate in a text of the page
        except OSError:
            os._exit(1)  # the program has ended

    host = PageHost(report=report, end=lambda: os._exit(0))
    bridge = _Commands()
    bridge.received.connect(host.do, Qt.ConnectionType.QueuedConnection)
    bridge.ended.connect(lambda: os._exit(0), Qt.ConnectionType.QueuedConnection)

    def read() -> None:
        try:
            while (body := read_frame(commands)) is not None:
                bridge.received.emit(decode_web_command(body))
        except FrameError:
            pass
        bridge.ended.emit()

    threading.Thread(target=read, daemon=True, name="commands").start()
    app.exec()

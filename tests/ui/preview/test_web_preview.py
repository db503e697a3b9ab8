"""The preview in a window: what it shows, what it passes on, and what it offers where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fakes.client import AppClient
from fakes.window import WindowLog, window_context
from fireside.core.artifacts import ArtifactKind
from fireside.core.components import (
    CHARTS,
    COMPONENTS,
    WEB,
    Component,
    ComponentProgressed,
    ComponentsChanged,
)
from fireside.core.errors import DownloadError, RequestError
from fireside.core.web_preview import (
    Chart,
    FocusInput,
    KeyInput,
    PictureTaken,
    PointerInput,
    PointerStep,
    PreviewEnded,
    PreviewInput,
    PreviewLinkOpened,
    PreviewLoaded,
    PreviewLogged,
    PreviewPainted,
    PreviewPointed,
    PreviewSelected,
    PreviewSource,
    TypedInput,
    WheelInput,
)
from fireside.ui.preview.web_preview import WebPreview
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice

NUMBER = 7
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c636060f8ff1f00030201ff"
    "a3d8b8a30000000049454e44ae426082"
)


class PreviewWindow:
    """A window with a preview, whose process a test plays."""

    def __init__(self, client: AppClient, *, tasks: TaskRunner) -> None:
        self.client = client
        self.log = WindowLog()
        self.window = QWidget()
        self.window.resize(640, 480)
        context = window_context(client, tasks=tasks, window=self.window, log=self.log)
        self.preview = WebPreview(context, parent=self.window)
        self.preview.resize(640, 480)
        self.errors: list[tuple[str, int]] = []
        self.preview.console_error.connect(lambda text, line: self.errors.append((text, line)))
        client.reply("previews.open", NUMBER)
        for name in ("show", "send", "close"):
            client.reply(f"previews.{name}", None)
        self.window.show()

    def open(self, text: str = "<p>a</p>", kind: ArtifactKind = ArtifactKind.HTML) -> None:
        self.preview.show_source(kind, text)
        self.client.wait_until(lambda: self.preview.is_running)

    def paint(self, width: int = 640, height: int = 480, *, value: int = 0x40) -> None:
        pixels = bytes([value]) * (4 * width * height)
        self.client.publish(PreviewPainted(preview=NUMBER, width=width, height=height, pixels=pixels))

    @property
    def inputs(self) -> list[PreviewInput]:
        found: list[PreviewInput] = []
        for _, inputs in self.client.called("previews.send"):
            assert isinstance(inputs, tuple)
            found += inputs
        return found

    @property
    def source(self) -> PreviewSource:
        source = self.client.called("previews.open")[-1][0]
        assert isinstance(source, PreviewSource)
        return source

    @property
    def says(self) -> str:
        notice = self.preview.notice
        parts = (notice.title, notice.text, notice.problem, notice.action, notice.browser, notice.cancel)
        return " | ".join(part.text() for part in parts if part.isVisible())


@pytest.fixture
def shown(client: AppClient, tasks: TaskRunner) -> Iterator[PreviewWindow]:
    shown = PreviewWindow(client, tasks=tasks)
    yield shown
    shiboken6.delete(shown.window)


def _component(id_: str, *, is_installed: bool = False, download_bytes: int = 255_000_000) -> Component:
    kind = COMPONENTS[id_]
    return Component(
        id=id_,
        name=kind.name,
        purpose=kind.purpose,
        licence=kind.licence,
        version="1",
        download_bytes=download_bytes,
        is_installed=is_installed,
    )


def test_a_page_is_shown_as_its_process_draws_it(shown: PreviewWindow) -> None:
    shown.open()
    assert shown.preview.loading.isVisible()
    shown.paint()
    surface = shown.preview.surface
    shown.client.wait_until(surface.isVisible)
    assert surface.picture.pixelColor(5, 5).red() == 0x40
    shown.client.wait_until(lambda: PictureTaken() in shown.inputs)
    shown.client.publish(
        PreviewLoaded(preview=NUMBER, text="Hello"),
        PreviewLogged(preview=NUMBER, message="x is not defined", line=3),
        PreviewLogged(preview=NUMBER + 1, message="of another preview", line=1),
        PreviewPointed(preview=NUMBER, shape=Qt.CursorShape.PointingHandCursor.value),
    )
    shown.client.wait_until(lambda: bool(shown.errors))
    assert shown.errors == [("x is not defined", 3)]
    assert surface.accessibleDescription() == "Hello"
    assert surface.cursor().shape() is Qt.CursorShape.PointingHandCursor
    for strange in (99, -1, Qt.CursorShape.BitmapCursor.value):
        surface.show_pointer(strange)
        assert surface.cursor().shape() is Qt.CursorShape.ArrowCursor
    surface.show_picture(PreviewPainted(preview=NUMBER, width=9_000, height=9_000, pixels=b"short"))
    assert surface.picture.width() == 640, "what does not fit its size is not read"


def test_what_the_user_does_goes_to_the_page_in_order(shown: PreviewWindow) -> None:
    shown.open()
    shown.paint()
    surface = shown.preview.surface
    shown.client.wait_until(surface.isVisible)
    QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=QPoint(30, 40))
    QTest.keyClick(surface, Qt.Key.Key_A)
    QTest.keyClick(surface, Qt.Key.Key_Tab)
    typed = QInputMethodEvent()
    typed.setCommitString("ä")
    QApplication.sendEvent(surface, typed)
    QGuiApplication.clipboard().setText("pasted")
    QTest.keyClick(surface, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    shown.client.publish(PreviewSelected(preview=NUMBER, text="chosen"))
    shown.client.wait_until(lambda: TypedInput(text="pasted") in shown.inputs)
    QTest.keyClick(surface, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "chosen"
    pressed = [each for each in shown.inputs if isinstance(each, PointerInput) and each.button]
    assert [(each.step, each.x, each.y) for each in pressed] == [
        (PointerStep.PRESS, 30.0, 40.0),
        (PointerStep.RELEASE, 30.0, 40.0),
    ]
    keys = [
        (each.key, each.text)
        for each in shown.inputs
        if isinstance(each, KeyInput) and each.is_press and each.text
    ]
    assert keys == [(Qt.Key.Key_A.value, "a"), (Qt.Key.Key_Tab.value, "\t")]
    assert TypedInput(text="ä") in shown.inputs
    assert FocusInput(has_focus=True) in shown.inputs
    assert not any(isinstance(each, WheelInput) for each in shown.inputs)


def test_escape_leaves_the_page(shown: PreviewWindow) -> None:
    shown.open()
    shown.paint()
    surface = shown.preview.surface
    shown.client.wait_until(surface.isVisible)
    other = QWidget(shown.window)
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    other.show()
    surface.setFocus()
    QTest.keyClick(surface, Qt.Key.Key_Escape)
    assert not surface.hasFocus()


def test_a_link_is_asked_about_and_then_opened_in_the_browser(shown: PreviewWindow) -> None:
    shown.open()
    shown.client.publish(PreviewLinkOpened(preview=NUMBER, url="https://example.org/a"))
    link = shown.preview.link
    shown.client.wait_until(link.isVisible)
    assert shown.log.urls == []
    link.open.click()
    assert shown.log.urls == ["https://example.org/a"]
    assert not link.isVisible()


def test_a_page_that_ends_can_be_shown_again(shown: PreviewWindow) -> None:
    shown.open()
    shown.paint()
    shown.client.publish(PreviewEnded(preview=NUMBER, problem="The page’s process has ended unexpectedly."))
    shown.client.wait_until(shown.preview.notice.isVisible)
    assert not shown.preview.is_running
    assert "has ended unexpectedly" in shown.says
    assert "Show again | Open in browser" in shown.says
    shown.preview.notice.action.click()
    shown.client.wait_until(lambda: shown.preview.is_running)
    assert len(shown.client.called("previews.open")) == 2


def test_versions_replace_each_other_and_the_last_is_shown(shown: PreviewWindow) -> None:
    shown.client.hold("previews.open")
    for n in range(5):
        shown.preview.show_source(ArtifactKind.HTML, f"<p>{n}</p>")
    shown.client.wait_until(lambda: bool(shown.client.called("previews.open")))
    shown.preview.show_source(ArtifactKind.HTML, "<p>last</p>")
    shown.client.release("previews.open")
    shown.client.wait_until(lambda: bool(shown.client.called("previews.show")))
    assert len(shown.client.called("previews.open")) == 1
    source = shown.client.called("previews.show")[-1][1]
    assert isinstance(source, PreviewSource)
    assert source.text == "<p>last</p>"


def test_shutting_down_ends_the_process_also_one_that_is_being_started(shown: PreviewWindow) -> None:
    shown.open()
    shown.preview.shut_down()
    shown.client.wait_until(lambda: shown.client.called("previews.close") == [(NUMBER,)])
    shown.client.hold("previews.open")
    shown.preview.show_source(ArtifactKind.HTML, "<p>a</p>")
    shown.client.wait_until(lambda: len(shown.client.called("previews.open")) == 2)
    shown.preview.shut_down()
    shown.client.release("previews.open")
    shown.client.wait_until(lambda: len(shown.client.called("previews.close")) == 2)
    assert not shown.preview.is_running


def test_a_missing_component_is_offered_downloaded_and_then_used(shown: PreviewWindow) -> None:
    missing = DownloadError.of("component_missing", name="Web preview")
    shown.client.fail("previews.open", missing)
    shown.client.reply("components.components", tuple(map(_component, COMPONENTS)))
    shown.preview.show_source(ArtifactKind.HTML, "<p>a</p>")
    notice = shown.preview.notice
    shown.client.wait_until(notice.isVisible)
    assert "255 MB to download" in shown.says
    assert "LGPL-3.0" in shown.says
    shown.client.hold("components.install")
    shown.client.reply("components.install", None)
    notice.action.click()
    shown.client.wait_until(notice.bar.isVisible)
    shown.client.publish(ComponentProgressed(id=WEB, fraction=0.5))
    shown.client.wait_until(lambda: notice.bar.value() == 500)
    assert not notice.action.isVisible()
    shown.client.release("components.install")
    shown.client.wait_until(lambda: shown.preview.is_running)


def test_a_download_can_be_cancelled_and_begun_again(shown: PreviewWindow) -> None:
    shown.client.fail("previews.draw_chart", DownloadError.of("component_missing", name="Charts"))
    shown.client.reply("components.components", tuple(map(_component, COMPONENTS)))
    shown.preview.show_source(ArtifactKind.VEGA_LITE, "{}")
    notice = shown.preview.notice
    shown.client.wait_until(notice.isVisible)
    assert "“Charts” is needed" in shown.says
    shown.client.hold("components.install")
    notice.action.click()
    shown.client.wait_until(lambda: shown.client.called("components.install") == [(CHARTS,)])
    assert notice.cancel.isVisible()
    notice.cancel.click()
    assert notice.action.isVisible()
    assert not notice.bar.isVisible()


def test_what_this_computer_cannot_have_is_not_offered(shown: PreviewWindow) -> None:
    shown.client.fail("previews.open", DownloadError.of("component_missing", name="Web preview"))
    components = tuple(_component(id_, download_bytes=0) for id_ in COMPONENTS)
    shown.client.reply("components.components", components)
    shown.preview.show_source(ArtifactKind.HTML, "<p>a</p>")
    shown.client.wait_until(shown.preview.notice.isVisible)
    assert not shown.preview.notice.action.isVisible()
    assert "Not available for this computer." in shown.says
    assert "Open in browser" in shown.says


def test_a_component_that_was_downloaded_elsewhere_is_used(shown: PreviewWindow) -> None:
    shown.client.fail("previews.open", DownloadError.of("component_missing", name="Web preview"))
    shown.client.reply("components.components", tuple(map(_component, COMPONENTS)))
    shown.preview.show_source(ArtifactKind.HTML, "<p>a</p>")
    shown.client.wait_until(shown.preview.notice.isVisible)
    shown.client.publish(ComponentsChanged())
    shown.client.wait_until(lambda: shown.preview.is_running)


def test_an_error_in_a_diagram_has_the_line_that_mermaid_names(shown: PreviewWindow) -> None:
    shown.open("flowchart TD\n A[", kind=ArtifactKind.MERMAID)
    for message in ("Parse error on line 2:\n A[", "No diagram type detected"):
        shown.client.publish(PreviewLogged(preview=NUMBER, message=message, line=3588))
    shown.client.wait_until(lambda: len(shown.errors) == 2)
    assert [line for _, line in shown.errors] == [2, 0]


def test_a_chart_is_drawn_again_for_another_theme(shown: PreviewWindow, theme: Theme) -> None:
    shown.client.reply("previews.draw_chart", Chart(svg="<svg/>", png=PNG, scale=1.0))
    shown.preview.show_source(ArtifactKind.VEGA_LITE, '{"mark": "bar"}')
    shown.client.wait_until(shown.preview.chart.isVisible)
    assert shown.preview.chart.svg == "<svg/>"
    assert not shown.preview.is_running, "a chart needs no process that stays"
    theme.set_choice(ThemeChoice.DARK)
    shown.client.wait_until(lambda: len(shown.client.called("previews.draw_chart")) == 2)
    drawn = [call[0] for call in shown.client.called("previews.draw_chart")]
    assert [each.is_dark for each in drawn if isinstance(each, PreviewSource)] == [False, True]


def test_a_chart_that_cannot_be_drawn_says_why(shown: PreviewWindow) -> None:
    shown.client.fail("previews.draw_chart", RequestError.of("chart_failed", reason="It is no chart."))
    shown.preview.show_source(ArtifactKind.VEGA_LITE, "{")
    shown.client.wait_until(shown.preview.notice.isVisible)
    assert shown.says == "There is no preview | It is no chart.", "no button helps"


def test_the_browser_gets_a_file(shown: PreviewWindow) -> None:
    shown.client.fail("previews.open", RequestError.of("preview_failed", reason="no sandbox."))
    shown.client.reply("previews.browser_page", "/tmp/a page.html")
    shown.preview.show_source(ArtifactKind.HTML, "<p>a</p>")
    shown.client.wait_until(shown.preview.notice.isVisible)
    shown.preview.notice.browser.click()
    shown.client.wait_until(lambda: shown.log.urls == ["file:///tmp/a page.html"])
    ((source, title),) = shown.client.called("previews.browser_page")
    assert isinstance(source, PreviewSource)
    assert (source.text, title) == ("<p>a</p>", "Preview")

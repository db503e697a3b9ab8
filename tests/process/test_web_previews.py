"""The processes of pages: what becomes of them, whatever they do. The pages themselves: ``tests/web``."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

import fireside
from fakes import scripted_page
from fakes.component_index import component_store
from fakes.raised import refuses
from fireside.core.components import MERMAID, MERMAID_FILE, WEB
from fireside.core.events import AppEvent
from fireside.core.i18n import render
from fireside.core.web_preview import (
    MAX_SOURCE_CHARS,
    PictureTaken,
    PreviewArea,
    PreviewEnded,
    PreviewLoaded,
    PreviewPainted,
    PreviewSource,
    TypedInput,
)
from fireside.services import web_previews
from fireside.services.components import ComponentService
from fireside.services.web_previews import WebPreviews

AREA = PreviewArea(width=300, height=200)
PATIENCE_S = 30.0


class Harness:
    """The service, with a scripted process in place of the web engine."""

    def __init__(
        self,
        folder: Path,
        *,
        memory_bytes: int = web_previews.MEMORY_BYTES,
        start_s: float = web_previews.START_S,
    ) -> None:
        self.events: list[AppEvent] = []
        self.changed = asyncio.Event()
        self.store = component_store(folder)
        self.components = ComponentService(self.store, emit=self._emit)
        paths = os.pathsep.join((str(Path(fireside.__file__).parents[1]), str(Path(__file__).parents[1])))
        self.service = WebPreviews(
            components=self.components,
            environment={**os.environ, "PYTHONPATH": paths},
            emit=self._emit,
            memory_bytes=memory_bytes,
            start_s=start_s,
        )

    def _emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self.changed.set()

    def install(self, id_: str) -> Path:
        folder = self.store.place_of(id_)
        folder.mkdir(parents=True)
        return folder

    async def open(self, text: str = "<p>a</p>", *, kind: str = "html") -> int:
        return await self.service.open(PreviewSource(kind=kind, text=text), AREA)

    async def until(self, is_so: Callable[[AppEvent], bool]) -> AppEvent:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event in self.events:
                    if is_so(event):
                        return event
                self.changed.clear()
                await self.changed.wait()

    async def loaded(self, preview: int) -> str:
        event = await self.until(lambda each: isinstance(each, PreviewLoaded) and each.preview == preview)
        assert isinstance(event, PreviewLoaded)
        return event.text

    async def end_of(self, preview: int) -> str:
        event = await self.until(lambda each: isinstance(each, PreviewEnded) and each.preview == preview)
        assert isinstance(event, PreviewEnded)
        return render(event.problem)


@pytest.fixture
async def harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Harness]:
    monkeypatch.setattr(web_previews, "web_command", lambda _: (sys.executable, scripted_page.__file__))
    harness = Harness(tmp_path)
    harness.install(WEB)
    yield harness
    await harness.service.close()


async def test_a_page_is_painted_again_once_its_picture_was_taken(harness: Harness) -> None:
    preview = await harness.open("<p>first</p>")
    assert "<p>first</p>" in await harness.loaded(preview)
    painted = await harness.until(lambda each: isinstance(each, PreviewPainted))
    assert isinstance(painted, PreviewPainted)
    assert (painted.preview, painted.width) == (preview, 16)
    harness.events.clear()
    await harness.service.send(preview, (TypedInput(text="\ud800"), PictureTaken()))
    await harness.until(lambda each: isinstance(each, PreviewPainted))
    await harness.service.show(preview, PreviewSource(kind="html", text="<p>second</p>"))
    assert "<p>second</p>" in await harness.loaded(preview)
    await harness.service.send(preview + 1, (PictureTaken(),))


async def test_a_closed_page_leaves_no_process_and_says_nothing(harness: Harness) -> None:
    preview = await harness.open("a child")
    child = psutil.Process(int(await harness.loaded(preview)))
    own = psutil.Process(harness.service.pid_of(preview))
    await harness.service.close(preview)
    assert psutil.wait_procs([child, own], timeout=PATIENCE_S)[1] == []
    assert harness.service.pid_of(preview) is None
    assert not any(isinstance(event, PreviewEnded) for event in harness.events)


async def test_a_killed_process_ends_its_page_alone(harness: Harness) -> None:
    first, second = await harness.open(), await harness.open()
    await harness.loaded(first)
    await harness.loaded(second)
    psutil.Process(harness.service.pid_of(first)).kill()
    assert "ended unexpectedly" in await harness.end_of(first)
    harness.events.clear()
    await harness.service.show(second, PreviewSource(kind="html", text="still here"))
    assert "still here" in await harness.loaded(second)


async def test_a_process_that_lies_is_ended(harness: Harness) -> None:
    preview = await harness.open("garbage")
    assert "ended unexpectedly" in await harness.end_of(preview)
    assert harness.service.pid_of(preview) is None


async def test_a_system_without_namespaces_says_so(harness: Harness) -> None:
    preview = await harness.open("no namespaces")
    assert "Open it in your browser" in await harness.end_of(preview)


async def test_a_page_that_takes_too_much_memory_is_ended(harness: Harness, tmp_path: Path) -> None:
    small = Harness(tmp_path, memory_bytes=150 << 20)
    preview = await small.open("much memory")
    assert "memory" in await small.end_of(preview)


async def test_a_process_that_never_shows_its_page_is_ended(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asleep = (sys.executable, "-c", "import time; time.sleep(600)")
    monkeypatch.setattr(web_previews, "web_command", lambda _: asleep)
    slow = Harness(tmp_path, start_s=0.3)
    preview = await slow.open()
    assert "did not start" in await slow.end_of(preview)
    assert slow.service.pid_of(preview) is None


async def test_files_of_the_component_change_only_when_no_page_uses_them(harness: Harness) -> None:
    preview = await harness.open()
    await harness.loaded(preview)
    await harness.service.release(MERMAID)
    assert harness.service.pid_of(preview) is not None
    await harness.service.release(WEB)
    assert harness.service.pid_of(preview) is None


async def test_what_is_missing_or_too_long_is_refused(harness: Harness, tmp_path: Path) -> None:
    with refuses("component_missing", match="Charts"):
        await harness.service.draw_chart(PreviewSource(kind="vega-lite", text="{}"))
    with refuses("preview_failed"):
        await harness.open("graph TD", kind="mermaid")
    with refuses("preview_too_long"):
        await harness.open("x" * (MAX_SOURCE_CHARS + 1))
    with refuses("component_missing", match="Web preview"):
        await Harness(tmp_path / "other").open()
    with refuses("component_missing", match="Mermaid"):
        source = PreviewSource(kind="mermaid", text="graph TD")
        await Harness(tmp_path / "other").service.browser_page(source, "A")


async def test_a_page_for_the_browser_is_private_and_removed(harness: Harness) -> None:
    file = harness.install(MERMAID) / MERMAID_FILE
    file.parent.mkdir(parents=True)
    file.write_text("const mermaid = 'the library </script>'")
    source = PreviewSource(kind="mermaid", text="graph TD; A-->B")
    page = Path(await harness.service.browser_page(source, "A & B"))
    _check_page(page)
    await harness.service.close()
    assert not page.parent.exists()


def _check_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "the library" in text
    assert "<title>A &amp; B</title>" in text
    if os.name == "posix":
        assert page.stat().st_mode & 0o777 == 0o600
        assert page.parent.stat().st_mode & 0o777 == 0o700

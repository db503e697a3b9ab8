"""Pages, diagrams and charts with the real components, whose folder ``FIRESIDE_COMPONENTS`` names.

``fireside components install web`` and ``charts`` make it: ``components`` of the data folder. Not part of
``make test``, which has no network.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from fakes.component_index import component_store
from fakes.raised import refuses
from fakes.web_attempts import Listener, page
from fireside.core.components import MERMAID_FILE, WEB
from fireside.core.events import AppEvent
from fireside.core.i18n import render
from fireside.core.web_preview import (
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
    PreviewSelected,
    PreviewSource,
    TypedInput,
)
from fireside.services import web_previews
from fireside.services.components import ComponentService
from fireside.services.web_previews import WebPreviews, page_of, standalone_page
from fireside.web_host.web_messages import web_command

FOLDER = os.environ.get("FIRESIDE_COMPONENTS", "")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="needs the components that FIRESIDE_COMPONENTS names"),
    pytest.mark.timeout(300),
]
AREA = PreviewArea(width=400, height=300)
PATIENCE_S = 60.0
ATTEMPTS_S = 9.0
"""In which every attempt of the page was made, one each 60 ms, with a busy computer."""


class Page:
    """The service over the real components, which shows one page."""

    def __init__(self, home: Path) -> None:
        self.events: list[AppEvent] = []
        self.changed = asyncio.Event()
        (home / "data").mkdir()
        (home / "data" / "components").symlink_to(FOLDER)
        self.home = home
        components = ComponentService(component_store(home / "data"), emit=self._emit)
        environment = {**os.environ, "HOME": str(home)}
        self.service = WebPreviews(components=components, environment=environment, emit=self._emit)
        self.number = 0

    def _emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self.changed.set()
        if isinstance(event, PreviewPainted):
            asyncio.get_running_loop().create_task(self.service.send(event.preview, (PictureTaken(),)))

    async def show(self, text: str, *, kind: str = "html") -> str:
        self.events.clear()
        source = PreviewSource(kind=kind, text=text)
        if self.number:
            await self.service.show(self.number, source)
        else:
            self.number = await self.service.open(source, AREA)
        loaded = await self.until(lambda each: isinstance(each, PreviewLoaded))
        assert isinstance(loaded, PreviewLoaded)
        return loaded.text

    async def until(self, is_so: Callable[[AppEvent], bool]) -> AppEvent:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event in self.events:
                    if is_so(event):
                        return event
                self.changed.clear()
                await self.changed.wait()

    async def click(self, x: float, y: float) -> None:
        for step, button in ((PointerStep.MOVE, 0), (PointerStep.PRESS, 1), (PointerStep.RELEASE, 1)):
            held = button if step is PointerStep.PRESS else 0
            pointer = PointerInput(step=step, x=x, y=y, button=button, buttons=held)
            await self.service.send(self.number, (pointer,))

    def processes(self) -> list[psutil.Process]:
        own = psutil.Process(self.service.pid_of(self.number))
        return [own, *own.children(recursive=True)]

    @property
    def logged(self) -> list[tuple[str, int]]:
        return [(each.message, each.line) for each in self.events if isinstance(each, PreviewLogged)]


@pytest.fixture
async def shown(tmp_path: Path) -> AsyncIterator[Page]:
    shown = Page(tmp_path)
    yield shown
    await shown.service.close()


async def test_a_page_is_drawn_used_and_reports_its_errors_with_their_lines(shown: Page) -> None:
    text = await shown.show(
        "<body style='margin:0;background:#0a0'><input style='position:absolute;left:0;top:0;width:200px'>\n"
        "<button style='position:absolute;left:0;top:100px;width:200px' onclick='nope()'>Go<br>on</button>\n"
        "<a style='position:absolute;left:0;top:200px' href='https://example.org/a'>A link that is long</a>\n"
        "<script>localStorage.a = 1; localStorage.setItem('b', 2); console.error(localStorage.length)\n"
        "missing()</script>"
    )
    assert "A link that is long" in text
    await shown.until(lambda each: isinstance(each, PreviewLogged) and "missing" in each.message)
    assert shown.logged == [("2", 4), ("Uncaught ReferenceError: missing is not defined", 5)]
    await shown.click(50, 120)
    await shown.until(lambda each: isinstance(each, PreviewLogged) and "nope" in each.message)
    await shown.click(50, 10)
    await shown.service.send(
        shown.number, (KeyInput(is_press=True, key=0x58, text="x"), TypedInput(text="é"))
    )
    select_all = KeyInput(is_press=True, key=0x41, modifiers=0x04000000)
    await asyncio.sleep(0.5)
    await shown.service.send(shown.number, (select_all,))
    await shown.until(lambda each: isinstance(each, PreviewSelected) and each.text == "xé")
    await shown.click(20, 208)
    link = await shown.until(lambda each: isinstance(each, PreviewLinkOpened))
    assert isinstance(link, PreviewLinkOpened)
    assert link.url == "https://example.org/a"
    painted = [each for each in shown.events if isinstance(each, PreviewPainted)][-1]
    assert painted.pixels[-4:-1] == b"\x00\xaa\x00"
    assert not any(
        each for each in shown.home.rglob("*") if each.is_file() and "components" not in each.parts
    )


# Each wall is tried alone: what the others would refuse is let through.
_NO_NETWORK = "import fireside.web_host.__main__ as m;"
_OPEN_NETWORK = f"{_NO_NETWORK}m.leave_network=lambda:None;"
_NO_FLAGS = "m._VARIABLES['QTWEBENGINE_CHROMIUM_FLAGS']='--disable-gpu';"
_ENGINE = (
    "import os,sys;sys.path.insert(0,sys.argv[1]);os.environ.update(m._VARIABLES);"
    "import fireside.web_host.page_host as p;"
)
_NO_INTERCEPTOR = "p._Wall.interceptRequest=lambda s,i:None;"
_GOES_ANYWHERE = "p._Page.acceptNavigationRequest=lambda *_:True;"
_NO_SETTINGS = "p._OFF=();p._ON=();"
_START = "sys.exit(m.main())"
_NO_POLICY = "script-src * 'unsafe-inline' blob:"
WALLS = {
    "all": (f"import sys;{_NO_NETWORK}", None),
    "policy": (f"{_OPEN_NETWORK}{_NO_FLAGS}{_ENGINE}{_NO_INTERCEPTOR}", None),
    "interceptor": (f"{_OPEN_NETWORK}{_NO_FLAGS}{_ENGINE}", _NO_POLICY),
    "flags": (f"{_OPEN_NETWORK}{_ENGINE}{_NO_INTERCEPTOR}{_GOES_ANYWHERE}{_NO_SETTINGS}", _NO_POLICY),
    "namespace": (
        f"{_NO_NETWORK}{_NO_FLAGS}{_ENGINE}{_NO_INTERCEPTOR}{_GOES_ANYWHERE}{_NO_SETTINGS}",
        _NO_POLICY,
    ),
    "none": (
        f"{_OPEN_NETWORK}{_NO_FLAGS}{_ENGINE}{_NO_INTERCEPTOR}{_GOES_ANYWHERE}{_NO_SETTINGS}",
        _NO_POLICY,
    ),
}


@pytest.mark.parametrize("wall", WALLS)
async def test_a_page_reaches_nobody(shown: Page, monkeypatch: pytest.MonkeyPatch, wall: str) -> None:
    """The last case has no wall, and shows that the attempts are some."""
    code, policy = WALLS[wall]
    if sys.platform != "linux" and wall == "namespace":
        pytest.skip("Linux alone has them")

    def command(folder: str) -> tuple[str, ...]:
        return (*web_command(folder)[:2], "-c", f"{code}{_START}", folder)

    monkeypatch.setattr(web_previews, "web_command", command)
    if sys.platform != "win32" and os.getuid() == 0 and wall not in ("all", "namespace"):
        monkeypatch.setitem(shown.service._environment, "QTWEBENGINE_DISABLE_SANDBOX", "1")
    if policy is not None:
        monkeypatch.setattr(web_previews, "PAGE_POLICY", policy)
        monkeypatch.setattr(web_previews, "page_of", lambda source, **_: source.text)
    with Listener() as listener:
        await shown.show(page(listener))
        await asyncio.sleep(ATTEMPTS_S)
    if wall == "none":
        assert len(set(listener.seen)) > 35, listener.seen
        assert "datagram" in listener.seen
    elif wall in ("policy", "interceptor"):
        # What is no request is for the others: preconnections and WebRTC; a policy knows no speculation.
        asked = {each for each in listener.seen if each.startswith(("GET", "POST"))}
        assert asked <= ({"GET /speculation HTTP/1.1"} if wall == "policy" else set()), listener.seen
    else:
        assert listener.seen == []


BROWSERS = {
    "chromium": ("--headless=new", "--disable-gpu", "--no-sandbox", "--timeout=9000", "--screenshot=out.png"),
    "firefox-esr": ("--headless", "--no-remote", "--screenshot", "out.png"),
}


@pytest.mark.parametrize("browser", BROWSERS)
async def test_a_page_in_a_browser_sends_nothing(browser: str, tmp_path: Path) -> None:
    program = shutil.which(browser)
    if program is None:
        pytest.skip(f"{browser} is not installed")
    profiles = {"chromium": (f"--user-data-dir={tmp_path}",), "firefox-esr": ("--profile", str(tmp_path))}
    with Listener() as listener:
        file = tmp_path / "page.html"
        file.write_text(standalone_page(PreviewSource(kind="html", text=page(listener)), title="A"))
        process = await asyncio.create_subprocess_exec(
            program, *BROWSERS[browser], *profiles[browser], file.as_uri(),
            cwd=tmp_path, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        await asyncio.sleep(ATTEMPTS_S)
        with contextlib.suppress(psutil.Error):  # it ends by itself once it has taken its picture
            for each in psutil.Process(process.pid).children(recursive=True):
                each.kill()
        if process.returncode is None:
            process.kill()
        await process.wait()
    # Chromium connects before it refuses, and sends nothing.
    assert set(listener.seen) <= ({"connection"} if browser == "chromium" else set()), listener.seen


DIAGRAMS = {
    "flowchart": "flowchart TD\n A[Start] --> B{Is it?}\n B -- Yes --> C",
    "sequence": "sequenceDiagram\n Alice->>John: Hello\n John-->>Alice: Great!",
    "class": "classDiagram\n Animal <|-- Duck\n Animal : +int age",
    "state": "stateDiagram-v2\n [*] --> Still\n Still --> [*]",
    "er": "erDiagram\n CUSTOMER ||--o{ ORDER : places",
    "gantt": "gantt\n title A\n dateFormat YYYY-MM-DD\n section S\n One :a1, 2014-01-01, 30d",
    "pie": 'pie title Pets\n "Dogs" : 386\n "Cats" : 85',
    "mindmap": "mindmap\n root((a))\n  b\n  c",
}


@pytest.mark.parametrize("kind", DIAGRAMS)
async def test_a_diagram_is_drawn_and_a_wrong_one_says_where(shown: Page, kind: str) -> None:
    await shown.show(DIAGRAMS[kind], kind="mermaid")
    await asyncio.sleep(1.5)
    assert shown.logged == []
    painted = [each for each in shown.events if isinstance(each, PreviewPainted)][-1]
    assert len({painted.pixels[n : n + 4] for n in range(0, len(painted.pixels), 4)}) > 5
    await shown.show("flowchart TD\n A[Start --> B{", kind="mermaid")
    problem = await shown.until(lambda each: isinstance(each, PreviewLogged))
    assert isinstance(problem, PreviewLogged)
    assert "line 2" in problem.message


async def test_all_processes_of_a_page_are_gone_once_it_is_closed(shown: Page) -> None:
    before = psutil.Process().memory_info().rss
    await shown.show("<script>setInterval(()=>document.title=Math.random(),10)</script>")
    processes = shown.processes()
    assert len(processes) > 2
    await shown.service.close(shown.number)
    assert psutil.wait_procs(processes, timeout=PATIENCE_S)[1] == []
    assert psutil.Process().memory_info().rss - before < 50 << 20


@pytest.mark.parametrize("victim", ["own", "page"])
async def test_a_killed_process_is_reported_and_nothing_is_left(shown: Page, victim: str) -> None:
    await shown.show("<p>a</p>")
    processes = shown.processes()
    biggest = max(processes[1:], key=lambda each: int(each.memory_info().rss))
    (processes[0] if victim == "own" else biggest).kill()
    ended = await shown.until(lambda each: isinstance(each, PreviewEnded))
    assert isinstance(ended, PreviewEnded)
    assert "unexpectedly" in render(ended.problem)
    assert psutil.wait_procs(processes, timeout=PATIENCE_S)[1] == []


async def test_a_page_without_end_is_stopped(shown: Page) -> None:
    shown.number = await shown.service.open(
        PreviewSource(kind="html", text="<script>setTimeout(()=>{for(;;);},300)</script>"), AREA
    )
    ended = await shown.until(lambda each: isinstance(each, PreviewEnded))
    assert isinstance(ended, PreviewEnded)
    assert "no longer answered" in render(ended.problem)


async def test_mermaid_is_that_of_its_makers(shown: Page) -> None:
    folder = await shown.service._components.folder(WEB)
    script = (folder / MERMAID_FILE).read_text(encoding="utf-8")
    assert "</script" not in script
    assert "mermaid" in page_of(PreviewSource(kind="mermaid", text="graph TD"), library=script)


VALUES = {"values": [{"a": "A", "b": 28}, {"a": "B", "b": 55}]}
BARS = {
    "data": VALUES,
    "mark": "bar",
    "encoding": {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}},
}


async def test_a_chart_is_drawn_without_a_connection(shown: Page) -> None:
    chart = await shown.service.draw_chart(PreviewSource(kind="vega-lite", text=json.dumps(BARS)))
    assert chart.svg.startswith("<svg")
    assert chart.png.startswith(b"\x89PNG")
    dark = PreviewSource(kind="vega-lite", text=json.dumps(BARS), is_dark=True, background="#123456")
    drawn = (await shown.service.draw_chart(dark)).svg
    assert "#123456" in drawn
    assert 'stroke-opacity="0.12"' in drawn  # the grid stays behind what is drawn on it


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"data": {"url": "{at}/cars.json"}}, "takes its data from http"),
        ({"data": {"url": "file:///etc/passwd", "format": {"type": "csv"}}}, "takes its data from file"),
        ({"data": {"url": "data/cars.json"}}, "takes its data from data/cars.json"),
        ({"layer": [{"mark": "bar", "data": {"url": "{at}/a"}}]}, "takes its data from http"),
        ({"transform": [{"lookup": "a", "from": {"key": "a", "data": {"url": "{at}/a"}}}]}, "takes its data"),
        ({"mark": "image", "encoding": {"url": {"value": "{at}/image.png"}}}, ""),
        ({"mark": "no such mark"}, "no chart"),
        (
            {
                "$schema": "https://vega.github.io/schema/vega/v5.json",
                "data": [{"name": "a", "url": "{at}/a"}],
            },
            "takes",
        ),
    ],
)
async def test_a_chart_reaches_nobody(shown: Page, change: dict[str, object], said: str) -> None:
    with Listener() as listener:
        text = json.dumps(BARS | change).replace("{at}", f"http://127.0.0.1:{listener.port}")
        source = PreviewSource(kind="vega-lite", text=text)
        if said:
            with refuses("chart_failed", match=said):
                await shown.service.draw_chart(source)
        else:
            assert "127.0.0.1" not in (await shown.service.draw_chart(source)).svg.replace("aria-label", "")
    assert listener.seen == []


async def test_what_is_no_json_is_no_chart(shown: Page) -> None:
    with refuses("chart_failed", match="not valid JSON"):
        await shown.service.draw_chart(PreviewSource(kind="vega-lite", text='{"mark": '))

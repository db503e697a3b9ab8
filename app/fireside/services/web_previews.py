"""Previews of web pages, diagrams and charts: each page in a process of its own, a chart in one that ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
import psutil

from fireside.core.components import CHARTS, MERMAID, MERMAID_FILE, WEB
from fireside.core.errors import DownloadError, RequestError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.web_preview import (
    MAX_SOURCE_CHARS,
    Chart,
    PreviewArea,
    PreviewEnded,
    PreviewInput,
    PreviewSource,
)
from fireside.engine.processes.guarded_process import LimitExceeded, ProcessLimits, ask_process
from fireside.files.private_files import make_private_file, make_private_folder
from fireside.markup.escape import escape
from fireside.services.components import ComponentService
from fireside.services.daemon_threads import DaemonThreads
from fireside.web_host.web_messages import (
    MAX_CHART_BYTES,
    NO_NAMESPACE,
    WEB_REPORTS,
    ChartRequest,
    ShowPage,
    WebReport,
    chart_command,
    decode_chart_reply,
    web_command,
)
from fireside.wire.child_process import ChildProcess
from fireside.wire.frames import FrameError

log = logging.getLogger(__name__)

MEMORY_BYTES: Final = 3 << 30
"""Of all processes of a page, counted with what they share."""
_WATCH_S: Final = 2.0
START_S: Final = 60.0
"""In which the process of a page reports something; later it tells by itself when the page is stuck."""
_KEPT_S: Final = 3600.0
"""How long a page for the browser stays: it has read it, and may be asked to read it again."""
_CHART_LIMITS: Final = ProcessLimits(
    time_s=20.0, cpu_s=60.0, memory_bytes=2 << 30, reply_bytes=MAX_CHART_BYTES
)
_LOST: Final = tr_noop("The page’s process has ended unexpectedly.")
_TOO_LARGE: Final = tr_noop("The page took more than 3 GB of memory, and was stopped.")
_NOT_STARTED: Final = tr_noop("The page’s process did not start within {n} seconds.")
_NO_SANDBOX: Final = tr_noop(
    "This system does not let programs confine a web page, so it is not shown here. Open it in your browser."
)
_NO_CHART: Final = tr_noop("The chart cannot be drawn: {reason}")
_BROKEN: Final = tr_noop("its process has ended unexpectedly.")


class _Preview:
    """One page and its process."""

    def __init__(self, child: ChildProcess[WebReport]) -> None:
        self.child = child
        self.tasks: tuple[asyncio.Task[None], ...] = ()
        self.problem: Translatable = _LOST
        self.has_ended = self.has_reported = False

    def processes(self) -> list[psutil.Process]:
        """Return the process of the page, and those that the web engine has started."""
        try:
            own = psutil.Process(self.child.pid)
            return [own, *own.children(recursive=True)]
        except psutil.Error:
            return []

    def kill(self) -> None:
        """End all of them."""
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                process.kill()


class WebPreviews:
    """Pages that are shown, on one event loop. Nothing is loaded and no process runs before the first."""

    def __init__(
        self,
        *,
        components: ComponentService,
        environment: Mapping[str, str],
        emit: Callable[[AppEvent], None],
        memory_bytes: int = MEMORY_BYTES,
        start_s: float = START_S,
    ) -> None:
        """``environment`` is that of the processes, each of which may take ``memory_bytes``, and so long
        until it reports something."""
        self._components = components
        self._environment = environment
        self._emit = emit
        self._memory_bytes = memory_bytes
        self._start_s = start_s
        self._numbers = count(1)
        self._previews: dict[int, _Preview] = {}
        self._threads = DaemonThreads(name="previews")
        self._folder: Path | None = None
        """Of pages for the browser."""

    def pid_of(self, preview: int) -> int | None:
        """Return the process of a page; ``None`` once it has ended."""
        found = self._previews.get(preview)
        return None if found is None else found.child.pid

    @for_window
    async def open(self, source: PreviewSource, area: PreviewArea) -> int:
        """Show a page or a diagram, and return its number; events tell what becomes of it, until ``close``
        or ``PreviewEnded``. Raises ``component_missing``, ``preview_too_long`` or ``preview_failed``."""
        folder = await self._components.folder(WEB)
        page = await self._page(source)
        try:
            child = await ChildProcess.start(
                web_command(str(folder)), environment=self._environment, decoder=WEB_REPORTS
            )
        except OSError as exc:
            raise RequestError.of("preview_failed", reason=render_os_error(exc)) from exc
        child.log_to(lambda chunk: log.debug("page: %s", chunk.decode(errors="replace").rstrip()))
        number, preview = next(self._numbers), _Preview(child)
        self._previews[number] = preview
        preview.tasks = (
            asyncio.create_task(self._listen(number, preview), name=f"preview {number}"),
            asyncio.create_task(self._watch(preview), name=f"memory of preview {number}"),
            asyncio.create_task(self._expect(preview), name=f"start of preview {number}"),
        )
        child.channel.send(area)
        child.channel.send(page)
        return number

    @for_window
    async def show(self, preview: int, source: PreviewSource) -> None:
        """Show another version of what is shown. Raises ``component_missing`` or ``preview_too_long``."""
        page = await self._page(source)
        if preview in self._previews:
            self._previews[preview].child.channel.send(page)

    @for_window
    async def send(self, preview: int, inputs: tuple[PreviewInput, ...]) -> None:
        """Pass on what the user did, in order; nothing happens where the page has ended."""
        if preview in self._previews:
            for each in inputs:
                with contextlib.suppress(FrameError):  # half a character, as some input methods send
                    self._previews[preview].child.channel.send(each)

    @for_window
    async def close(self, preview: int | None = None) -> None:
        """End a page and all of its processes; without a number, every page. Its files go with the last."""
        ending = [each for number, each in self._previews.items() if preview in (None, number)]
        for each in ending:
            each.has_ended = True
            each.kill()
        tasks = [task for each in ending for task in each.tasks]
        if tasks:
            await asyncio.wait(tasks)
        if preview is None and self._folder is not None:
            folder, self._folder = self._folder, None
            await self._threads.run(lambda: shutil.rmtree(folder, ignore_errors=True))

    @for_window
    async def draw_chart(self, source: PreviewSource) -> Chart:
        """Draw a chart. Raises ``component_missing``, ``preview_too_long`` or ``chart_failed``."""
        if len(source.text) > MAX_SOURCE_CHARS:
            raise RequestError.of("preview_too_long")
        folder = await self._components.folder(CHARTS)
        request = ChartRequest(source=source.text, is_dark=source.is_dark, background=source.background)
        encoded = msgspec.msgpack.encode(request)

        def draw() -> bytes | LimitExceeded:
            command = chart_command(str(folder))
            return ask_process(command, environment=self._environment, request=encoded, limits=_CHART_LIMITS)

        try:
            answer = await self._threads.run(draw)
            if isinstance(answer, LimitExceeded):
                raise RequestError.of("chart_failed", reason=Phrase(_NO_CHART, {"reason": answer.value}))
            reply = decode_chart_reply(answer)
        except OSError as exc:
            reason = Phrase(_NO_CHART, {"reason": render_os_error(exc)})
            raise RequestError.of("chart_failed", reason=reason) from exc
        except FrameError as exc:
            raise RequestError.of("chart_failed", reason=Phrase(_NO_CHART, {"reason": _BROKEN})) from exc
        if reply.problem:
            raise RequestError.of("chart_failed", reason=reply.problem)
        return Chart(svg=reply.svg, png=reply.png, scale=reply.scale)

    @for_window
    async def browser_page(self, source: PreviewSource, title: str) -> str:
        """Write a page for the browser that can load nothing, and return its path. It is removed after an
        hour, or when the program ends.

        Raises ``component_missing``, ``preview_too_long``, ``chart_failed`` or ``preview_failed``.
        """
        if source.kind == "vega-lite":
            svg = (await self.draw_chart(source)).svg
            source = msgspec.structs.replace(source, kind="svg", text=svg)
        library = await self._library() if source.kind == "mermaid" else ""
        if len(source.text) > MAX_SOURCE_CHARS:
            raise RequestError.of("preview_too_long")
        page = standalone_page(source, title=title, library=library)

        def write() -> Path:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="fireside-pages-"))
            make_private_folder(self._folder)
            file = self._folder / f"page-{next(self._numbers)}.html"
            make_private_file(file)
            file.write_text(page, encoding="utf-8", errors="replace")
            return file

        try:
            file = await self._threads.run(write)
        except OSError as exc:
            raise RequestError.of("preview_failed", reason=render_os_error(exc)) from exc
        asyncio.get_running_loop().call_later(_KEPT_S, lambda: file.unlink(missing_ok=True))
        return str(file)

    async def release(self, id_: str) -> None:
        """End what uses the files of a component."""
        if id_ == WEB:
            await asyncio.gather(*(self.close(number) for number in tuple(self._previews)))

    async def _page(self, source: PreviewSource) -> ShowPage:
        if len(source.text) > MAX_SOURCE_CHARS:
            raise RequestError.of("preview_too_long")
        library = await self._library() if source.kind == "mermaid" else ""
        page = page_of(source, library=library).encode("utf-8", "replace")  # half characters are in no frame
        return ShowPage(html=page.decode(), policy=PAGE_POLICY)

    async def _library(self) -> str:
        """Return Mermaid’s script, which both components have. Raises ``component_missing``."""
        try:
            folder = await self._components.folder(MERMAID)
        except DownloadError:
            try:
                folder = await self._components.folder(WEB)
            except DownloadError:
                raise DownloadError.of("component_missing", name=tr_noop("Mermaid")) from None
        try:
            return await self._threads.run((folder / MERMAID_FILE).read_text)
        except OSError as exc:
            raise RequestError.of("preview_failed", reason=render_os_error(exc)) from exc

    async def _listen(self, number: int, preview: _Preview) -> None:
        child = preview.child
        while (report := await child.channel.receive()) is not None:
            preview.has_reported = True
            if isinstance(report, PreviewEnded):
                preview.problem = report.problem
            elif not preview.has_ended:
                self._emit(msgspec.structs.replace(report, preview=number))
        if child.channel.problem is not None:
            log.error("the process of a page sent an invalid frame: %s", child.channel.problem)
        preview.kill()
        await child.exited.wait()
        if child.exit_status == NO_NAMESPACE:
            preview.problem = _NO_SANDBOX
        child.close()
        del self._previews[number]
        for task in preview.tasks[1:]:
            task.cancel()
        if not preview.has_ended:
            self._emit(PreviewEnded(preview=number, problem=preview.problem))

    async def _expect(self, preview: _Preview) -> None:
        """End a process that does not come to show its page."""
        await asyncio.sleep(self._start_s)
        if not preview.has_reported:
            preview.problem = Phrase(_NOT_STARTED, {"n": round(self._start_s)})
            preview.kill()

    async def _watch(self, preview: _Preview) -> None:
        """End a page that takes too much memory."""
        while True:
            await asyncio.sleep(_WATCH_S)
            n_bytes = 0
            for process in preview.processes():
                with contextlib.suppress(psutil.Error):
                    n_bytes += process.memory_info().rss
            if n_bytes > self._memory_bytes:
                preview.problem = _TOO_LARGE
                preview.kill()


# The pages that show what a model wrote, whole in one text, and under a policy that allows no connection


_RULES: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:;"
    " font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'"
)
PAGE_POLICY: Final = f"{_RULES}; frame-src 'none'; sandbox allow-scripts"
"""Of a page in the preview: its scripts run, as nobody’s, and everything else is refused."""
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_START: Final = (
    "<script>(()=>{"
    # Pages that keep something expect these two; in a sandbox each use of the real ones would be an error.
    "const store=()=>{const kept=new Map();return new Proxy({"
    "getItem:k=>kept.has(k=String(k))?kept.get(k):null,"
    "setItem:(k,v)=>void kept.set(String(k),String(v)),removeItem:k=>void kept.delete(String(k)),"
    "clear:()=>kept.clear(),key:n=>[...kept.keys()][n]??null,get length(){return kept.size}},"
    "{get:(o,k)=>k in o?o[k]:kept.get(k),set:(o,k,v)=>(kept.set(k,String(v)),true),"
    "deleteProperty:(o,k)=>(kept.delete(k),true),ownKeys:()=>[...kept.keys()],"
    "getOwnPropertyDescriptor:(o,k)=>kept.has(k)?{value:kept.get(k),enumerable:true,configurable:true}:undefined})};"
    "for(const name of['localStorage','sessionStorage'])"
    "Object.defineProperty(window,name,{value:store(),configurable:true});"
    # What reaches others without being a request that a policy stops.
    "for(const name of['RTCPeerConnection','webkitRTCPeerConnection','WebTransport'])"
    "try{Object.defineProperty(window,name,{value:undefined})}catch{}"
    "})()</script>"
)
_HINT: Final = re.compile(
    r"(\brel\s*[=:]\s*[\"'`]?[^\"'`<>]{0,100}?)\b(preconnect|dns-prefetch)\b", re.IGNORECASE
)
"""Hints to browsers, which no policy covers: Chromium connects at once, sending nothing. It does that
too where a script composes such a word, or goes elsewhere, before it refuses; the preview’s engine cannot."""
_PLAIN: Final = "margin:0;padding:16px;box-sizing:border-box;"


def page_of(source: PreviewSource, *, library: str = "") -> str:
    """Return the page. The first line of an HTML source is the first of the page too.

    Args:
        library: the text of Mermaid’s script, for a diagram.
    """
    if source.kind == "mermaid":
        return _diagram(source, library=library)
    if source.kind == "html":
        return f"<!doctype html>{_START}{source.text}"
    return _around(source, f"<div style='display:flex;justify-content:center'>{source.text}</div>")


def standalone_page(source: PreviewSource, *, title: str, library: str = "") -> str:
    """Return a page for a browser: the page within a frame that may load nothing and go nowhere.

    A policy of a page does not bind where it goes; that of a page around it does.
    """
    inner = escape(_HINT.sub(r"\1no-\2", page_of(source, library=library)))
    policy = escape(_RULES)
    return (
        f'<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="{policy};'
        ' frame-src about:"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
        f"<title>{escape(title)}</title><style>html,body{{margin:0;height:100%;overflow:hidden}}"
        "iframe{border:0;width:100%;height:100%;display:block;background:#fff}</style></head><body>"
        f'<iframe sandbox="allow-scripts" srcdoc="{inner}"></iframe></body></html>'
    )


def _around(source: PreviewSource, body: str) -> str:
    colour = source.background if _COLOUR.fullmatch(source.background) else "#ffffff"
    scheme = "dark" if source.is_dark else "light"
    style = f"{_PLAIN}background:{colour};color-scheme:{scheme};font-family:sans-serif"
    return f'<!doctype html><meta charset="utf-8">{_START}<body style="{style}">{body}</body>'


def _diagram(source: PreviewSource, *, library: str) -> str:
    text = json.dumps(source.text).replace("<", "\\u003c")
    theme = "dark" if source.is_dark else "default"
    script = (
        f"mermaid.initialize({{startOnLoad:false,securityLevel:'strict',theme:'{theme}'}});"
        f"const drawn=document.getElementById('drawn');mermaid.render('diagram',{text})"
        ".then(r=>{drawn.innerHTML=r.svg},e=>{"
        "document.querySelectorAll('#ddiagram,#diagram').forEach(n=>n.remove());"
        "const p=document.createElement('pre');p.style='white-space:pre-wrap';p.textContent=e.message;"
        "drawn.replaceChildren(p);console.error(e.message)})"
    )
    library = library.replace("</script", "<\\/script")
    drawn = "<div id='drawn' style='display:flex;justify-content:center'></div>"
    return _around(source, f"{drawn}<script>{library}</script><script>{script}</script>")

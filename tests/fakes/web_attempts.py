"""A page that tries to reach a server in every way that a page has, and the server, which notes who came."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

_IN_HEAD = {
    "prefetch": '<link rel="prefetch" href="{at}/prefetch">',
    "preload": '<link rel="preload" as="script" href="{at}/preload">',
    "module-preload": '<link rel="modulepreload" href="{at}/module-preload">',
    "preconnect": '<link rel="preconnect" href="{at}/" crossorigin>',
    "dns-prefetch": '<link rel="dns-prefetch" href="{at}/">',
    "prerender": '<link rel="prerender" href="{at}/prerender">',
    "stylesheet": '<link rel="stylesheet" href="{at}/stylesheet">',
    "icon": '<link rel="icon" href="{at}/icon">',
    "manifest": '<link rel="manifest" href="{at}/manifest">',
    "css-import": '<style>@import url("{at}/css-import");</style>',
    "font": '<style>@font-face{{font-family:f;src:url("{at}/font")}}p{{font-family:f}}</style><p>a</p>',
    "css-image": '<style>body{{background:url("{at}/css-image")}}</style>',
    "css-cursor": '<style>body{{cursor:url("{at}/css-cursor"),auto}}</style>',
    "script": '<script src="{at}/script"></script>',
    "speculation": (
        '<script type="speculationrules">{{"prefetch":[{{"urls":["{at}/speculation"]}}]}}</script>'
    ),
    "base": '<base href="{at}/base/"><img src="below">',
}
_IN_BODY = {
    "image": '<img src="{at}/image">',
    "srcset": '<img srcset="{at}/srcset 1x">',
    "svg-image": '<svg><image href="{at}/svg-image"/></svg>',
    "svg-use": '<svg><use href="{at}/svg-use#a"/></svg>',
    "svg-filter": '<svg><filter id=f><feImage href="{at}/svg-filter"/></filter><a filter="url(#f)"/></svg>',
    "video": '<video src="{at}/video" preload="auto" poster="{at}/poster"></video>',
    "audio": '<audio src="{at}/audio" preload="auto" autoplay></audio>',
    "track": '<video><track src="{at}/track" default></video>',
    "object": '<object data="{at}/object"></object>',
    "embed": '<embed src="{at}/embed">',
    "frame": '<iframe src="{at}/frame"></iframe>',
    "frame-in-frame": "<iframe srcdoc=\"<img src='{at}/frame-in-frame'>\"></iframe>",
    "input-image": '<input type="image" src="{at}/input-image">',
    "form": '<form id="form" action="{at}/form" method="post"><input name="a"></form>',
    "form-get": '<form id="get" action="{at}/form-get" target="_blank"><input name="a"></form>',
    "link": '<a id="link" href="{at}/link">a</a>',
    "ping": '<a id="ping" href="#" ping="{at}/ping">a</a>',
    "download": '<a id="download" href="{at}/download" download>a</a>',
}
_BY_SCRIPT = {
    "fetch": "fetch('{at}/fetch',{{mode:'no-cors',keepalive:true}})",
    "xhr": "const x=new XMLHttpRequest();x.open('GET','{at}/xhr');x.send()",
    "beacon": "navigator.sendBeacon('{at}/beacon','a')",
    "socket": "new WebSocket('{socket}/socket')",
    "event-source": "new EventSource('{at}/event-source')",
    "new-image": "new Image().src='{at}/new-image'",
    "worker": "new Worker('{at}/worker')",
    "blob-worker": (
        "new Worker(URL.createObjectURL(new Blob([\"fetch('{at}/blob-worker',{{mode:'no-cors'}});"
        "importScripts('{at}/import-scripts')\"])))"
    ),
    "shared-worker": "new SharedWorker('{at}/shared-worker')",
    "service-worker": "navigator.serviceWorker.register('{at}/service-worker')",
    "module": "import('{at}/module')",
    "document-write": "document.body.insertAdjacentHTML('beforeend','<img src={at}/document-write>')",
    "new-preconnect": (
        "const l=document.createElement('link');l.rel='preconnect';l.href='{at}/';document.head.append(l)"
    ),
    "script-frame": (
        "const f=document.createElement('iframe');f.src='{at}/script-frame';document.body.append(f)"
    ),
    "clean-frame": (
        "const f=document.createElement('iframe');document.body.append(f);"
        "f.contentWindow.fetch('{at}/clean-frame',{{mode:'no-cors'}})"
    ),
    "clean-frame-location": (
        "const f=document.createElement('iframe');document.body.append(f);"
        "f.contentWindow.location='{at}/clean-frame-location'"
    ),
    "rtc": (
        "const r=new RTCPeerConnection({{iceServers:[{{urls:'stun:{host}'}},"
        "{{urls:'turn:{host}?transport=tcp',username:'a',credential:'b'}}]}});"
        "r.createDataChannel('a');r.createOffer().then(o=>r.setLocalDescription(o))"
    ),
    "clean-frame-rtc": (
        "const f=document.createElement('iframe');document.body.append(f);"
        "const r=new f.contentWindow.RTCPeerConnection({{iceServers:[{{urls:'stun:{host}'}}]}});"
        "r.createDataChannel('a');r.createOffer().then(o=>r.setLocalDescription(o))"
    ),
    "web-transport": "new WebTransport('https://{host}/web-transport')",
    "css-by-script": "document.body.style.backgroundImage='url({at}/css-by-script)'",
    "font-face": "new FontFace('g','url({at}/font-face)').load()",
    "animation-worklet": "CSS.paintWorklet.addModule('{at}/worklet')",
    "audio-worklet": "new AudioContext().audioWorklet.addModule('{at}/audio-worklet')",
    "report": "new ReportingObserver(()=>0);document.createElement('portal').src='{at}/portal'",
    "cookie-store": "caches.open('a').then(c=>c.add('{at}/cache'))",
    "ping-click": "document.getElementById('ping').click()",
    "download-click": "document.getElementById('download').click()",
    "open": "window.open('{at}/open')",
    "form-get-submit": "document.getElementById('get').submit()",
    "link-click": "document.getElementById('link').click()",
    "location": "window.location='{at}/location'",
    "parent-location": "window.parent.location='{at}/parent-location'",
    "top-location": "window.top.location='{at}/top-location'",
    "refresh": (
        "const m=document.createElement('meta');m.httpEquiv='refresh';m.content='0;url={at}/refresh';"
        "document.head.append(m)"
    ),
    "form-submit": "document.getElementById('form').submit()",
    "history": "history.pushState(0,'','{at}/history');location.reload()",
}
NAMES = (*_IN_HEAD, *_IN_BODY, *_BY_SCRIPT)


def page(server: Listener, *, only: str = "") -> str:
    """Return a page with every attempt, or one of them."""
    names = {
        "at": f"http://127.0.0.1:{server.port}",
        "socket": f"ws://127.0.0.1:{server.port}",
        "host": f"127.0.0.1:{server.port}",
    }

    def chosen(attempts: dict[str, str]) -> list[str]:
        return [each.format(**names) for name, each in attempts.items() if only in ("", name)]

    needed = "".join(
        _IN_BODY[name].format(**names) for name in ("form", "form-get", "link", "ping", "download")
    )
    body = needed if only in _BY_SCRIPT else "".join(chosen(_IN_BODY))
    scripts = "".join(
        f"<script>setTimeout(()=>{{{each}}},{60 * n})</script>" for n, each in enumerate(chosen(_BY_SCRIPT))
    )
    return (
        f"<!doctype html><html><head><title>a</title>{''.join(chosen(_IN_HEAD))}</head><body>{body}{scripts}"
    )


class Listener:
    """Listens on one port of this computer, by TCP and UDP; ``seen`` has what came, or ``connection``."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._tcp = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._accept, self._receive)]
        self._is_closed = False

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closed = True
        with socket.create_connection(("127.0.0.1", self.port)):
            self._udp.sendto(b"", ("127.0.0.1", self.port))
        for thread in self._threads:
            thread.join()
        self._tcp.close()
        self._udp.close()

    def _accept(self) -> None:
        workers = []
        while True:
            connection, _ = self._tcp.accept()
            if self._is_closed:
                connection.close()
                break
            workers.append(threading.Thread(target=self._answer, args=(connection,), daemon=True))
            workers[-1].start()
        for worker in workers:
            worker.join()

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(0.5)
        with connection:
            try:
                line = connection.recv(2000).split(b"\r\n")[0].decode("latin-1")
            except OSError:
                line = ""
            self.seen.append(line or "connection")
            with contextlib.suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def _receive(self) -> None:
        while not self._is_closed:
            content, _ = self._udp.recvfrom(2000)
            if content:
                self.seen.append("datagram")

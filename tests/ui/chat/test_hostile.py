"""Markdown that tries to fetch, read, run or block: it is shown, and does nothing."""

from __future__ import annotations

import ctypes
import os
import socketserver
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import TranscriptScene
from fireside.markup.block_stream import split_blocks
from fireside.ui.chat.answer.text_view import RichText

OBJECT = "\ufffc"
"""Qt's character for an image."""


class Server:
    """Counts connections to a port on loopback."""

    def __init__(self) -> None:
        self.hits = 0
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer.hits += 1
                self.request.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n")

        self._server = socketserver.TCPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


class OpenWatch:
    """Reports which files of a folder were opened, also from C++, where the system can (inotify).

    Another program may list the folder.
    """

    _OPEN_ACCESS = 0x20 | 0x1
    _IS_FOLDER = 0x40000000

    def __init__(self, folder: Path) -> None:
        self._descriptor = -1
        if sys.platform.startswith("linux"):
            libc = ctypes.CDLL(None, use_errno=True)
            self._descriptor = libc.inotify_init1(os.O_NONBLOCK)
            libc.inotify_add_watch(self._descriptor, os.fsencode(folder), self._OPEN_ACCESS)

    def opened(self) -> set[str]:
        names: set[str] = set()
        try:
            data = os.read(self._descriptor, 4096) if self._descriptor >= 0 else b""
        except BlockingIOError:
            return names
        while data:
            _, mask, _, n_name = struct.unpack_from("iIII", data)
            name, data = data[16 : 16 + n_name], data[16 + n_name :]
            if not mask & self._IS_FOLDER:
                names.add(os.fsdecode(name.rstrip(b"\0")))
        return names

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


@pytest.fixture
def bait(tmp_path: Path) -> Path:
    """A folder with an image and a page that must not be opened."""
    folder = tmp_path / "bait"
    folder.mkdir()
    (folder / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "x.html").write_text("<h1>secret</h1>")
    (folder / "x.css").write_text("p { color: red }")
    (folder / "x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return folder


@pytest.fixture
def watch(bait: Path) -> Iterator[OpenWatch]:
    watch = OpenWatch(bait)
    yield watch
    watch.close()


FORMS = [
    "![x]({})",
    "![x](<{}>)",
    '![x]({} "title")',
    "![](  {}  )",
    "![x][ref]\n\n[ref]: {}",
    "[ref]: {}\n\n![ref]",
    "[![x]({})](https://example.org)",
    "> ![x]({})",
    "- ![x]({})",
    "1. a\n\n   ![x]({})",
    "| ![x]({}) | b |\n|---|---|\n| ![y]({}) | c |",
    "# ![x]({})",
    "**![x]({})**",
    "`code` ![x]({}) ~~x~~",
    '<img src="{}">',
    "<img src={} onerror=alert(1)>",
    "<IMG SRC='{}'/>",
    '<p><img src="{}"></p>',
    '<div style="background-image:url({})">x</div>',
    '<body background="{}">',
    '<table background="{}"><tr><td background="{}">x</td></tr></table>',
    '<link rel="stylesheet" href="{}">',
    "<style>@import url({}); p {{ background: url({}) }}</style>",
    '<iframe src="{}"></iframe>',
    '<object data="{}"></object>',
    '<embed src="{}">',
    '<svg><image href="{}"/></svg>',
    '<svg><use xlink:href="{}"/></svg>',
    '<video src="{}" autoplay></video>',
    '<audio src="{}"></audio>',
    '<script src="{}"></script>',
    '<meta http-equiv="refresh" content="0;url={}">',
    '<base href="{}">',
    '<input type="image" src="{}">',
    '<li style="list-style-image:url({})">x</li>',
    '&lt;img src="{}"&gt;',
    "&#60;img src='{}'&#62;",
    "\\<img src='{}'\\>",
    "```html\n<img src='{}'>\n```",
    "    <img src='{}'>",
]


def targets(server: Server, bait: Path) -> list[str]:
    return [
        f"http://127.0.0.1:{server.port}/x.png",
        f"//127.0.0.1:{server.port}/x.png",
        f"{bait.as_uri()}/x.png",
        f"{bait.as_posix()}/x.svg",
    ]


def settle(qtbot: QtBot, widget: QWidget) -> None:
    widget.grab()
    qtbot.wait(5)
    widget.grab()


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_fetched_read_or_drawn_as_a_picture(
    scene: TranscriptScene, server: Server, bait: Path, watch: OpenWatch, form: str
) -> None:
    payloads = [
        form.replace("{{", "{").replace("}}", "}").replace("{}", url) for url in targets(server, bait)
    ]
    transcript = scene.show([make(text) for text in payloads for make in (scene.answer, scene.user)])
    settle(scene.qtbot, transcript)
    assert server.hits == 0
    assert not watch.opened()
    for view in transcript.live.values():
        for text_view in view.text_views:
            assert OBJECT not in text_view.document().toRawText()


@pytest.mark.parametrize("form", FORMS[:10])
def test_built_in_and_embedded_images_are_not_drawn(scene: TranscriptScene, form: str) -> None:
    urls = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "qrc:/qt-project.org/styles/commonstyle/images/up-32.png",
        ":/qt-project.org/styles/commonstyle/images/up-32.png",
        "image://provider/x",
        "\\\\127.0.0.1\\share\\x.png",
        "file://127.0.0.1/share/x.png",
    )
    transcript = scene.show([scene.answer(form.replace("{}", url)) for url in urls])
    transcript.grab()
    assert len(transcript.live) == len(urls)
    for view in transcript.live.values():
        assert all(OBJECT not in text_view.document().toRawText() for text_view in view.text_views)


def test_a_document_cannot_load_an_image(
    scene: TranscriptScene, bait: Path, watch: OpenWatch, server: Server
) -> None:
    transcript = scene.show([scene.answer("text\n\n```\ncode\n```")])
    prose, code = transcript.live[0].text_views
    assert isinstance(prose, RichText)
    for text_view in (prose, code):
        for url in targets(server, bait):
            text_view.document().setHtml(
                f"<img src='{url}'><link rel='stylesheet' href='{bait.as_uri()}/x.css'>"
            )
            text_view.grab()
            resource = text_view.document().resource(QTextDocument.ResourceType.ImageResource.value, url)
            assert isinstance(resource, QImage)
            assert resource.width() == 1
            assert resource.pixelColor(0, 0).alpha() == 0
    assert server.hits == 0
    assert not watch.opened()


def test_the_watch_itself_notices_an_open(bait: Path, watch: OpenWatch) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells who opens a file")
    (bait / "x.png").read_bytes()
    assert watch.opened() == {"x.png"}


@pytest.mark.parametrize(
    "html",
    [
        "<b id='x'>x</b>",
        "<script>alert(1)</script>",
        "<a href='https://x.example'>x</a>",
        "<!-- x -->",
        "<h1>x",
    ],
)
def test_html_is_shown_as_it_was_written(scene: TranscriptScene, html: str) -> None:
    transcript = scene.show([scene.answer(html), scene.user(html)])
    assert [transcript.live[n].text_views[0].toPlainText() for n in (0, 1)] == [html, html]


CONTROL = [
    "a\x00b",
    "a\ud800b",
    "a\ufdd0b\ufdd1",
    "a\ufffcb",
    "a\u2029b\u2028c",
    "a\x1b[31mb",
    "\u202eabc",
    "a\rb",
]


@pytest.mark.parametrize("text", CONTROL)
def test_control_characters_and_lone_surrogates_are_shown_without_harm(
    scene: TranscriptScene, text: str
) -> None:
    fenced = f"```\n{text}\n```"
    transcript = scene.show([scene.answer(text), scene.answer(fenced), scene.user(text)])
    transcript.grab()
    assert all("a" in view.text_views[0].toPlainText() for view in transcript.live.values())


N = 60_000
BOMBS: dict[str, Callable[[], str]] = {
    "quotes": lambda: ">" * N,
    "quotes spaced": lambda: "> " * N,
    "quote lines": lambda: (">" * 45 + " a\n") * 1500,
    "list markers": lambda: "- " * N,
    "numbered markers": lambda: "1. " * N,
    "nested list": lambda: "".join("  " * k + "- a\n" for k in range(240)),
    "long list": lambda: "- a\n" * (N // 4),
    "loose list": lambda: "- a\n\n" * (N // 5),
    "stars": lambda: "*a_" * (N // 3),
    "stars open": lambda: "*a **a " * (N // 7),
    "underscores": lambda: "a_b_" * (N // 4),
    "tildes": lambda: "~~a" * (N // 3),
    "brackets": lambda: "[" * N,
    "brackets closed": lambda: "[" * (N // 2) + "]" * (N // 2),
    "images": lambda: "![" * (N // 2),
    "links open": lambda: "[a](" * (N // 4),
    "links nested": lambda: "[" * 300 + "a" + "](b)" * 300,
    "parentheses": lambda: "[a](" + "(" * N,
    "references": lambda: "[a][b]" * (N // 6),
    "definitions": lambda: "".join(f"[a{n}]: http://x.example\n" for n in range(2000)),
    "definitions open": lambda: "[a]: <\n" * (N // 7),
    "backticks": lambda: "`" * N,
    "backticks of all lengths": lambda: " ".join("`" * n for n in range(1, 340)),
    "entities": lambda: "&#x41;" * (N // 6),
    "ampersands": lambda: "&" * N,
    "angle brackets": lambda: "<" * N,
    "autolinks": lambda: "<http:" * (N // 6),
    "bare addresses": lambda: "https://" * (N // 8),
    "bare address with brackets": lambda: "https://a.example/" + ")" * N,
    "escapes": lambda: "\\" * N,
    "one line": lambda: "x" * N,
    "one line of words": lambda: "word " * (N // 5),
    "one code line": lambda: "```\n" + "x" * N + "\n```",
    "one python line": lambda: "```python\n" + "(" * N + "\n```",
    "open strings": lambda: "```python\n" + "'\"" * (N // 2) + "\n```",
    "fences": lambda: "```\n" * (N // 4),
    "many columns": lambda: "|a" * 2000 + "|\n" + "|-" * 2000 + "|\n" + "|b" * 2000 + "|",
    "many rows": lambda: "|a|b|\n|-|-|\n" + "|1|2|\n" * (N // 6),
    "headings": lambda: "# a\n" * (N // 4),
    "rules": lambda: "---\n\n" * (N // 5),
    "combining marks": lambda: "a" + "\u0301" * N,
    "right to left": lambda: "\u202e" * (N // 2) + "א" * (N // 2),
    "joined emoji": lambda: "👩\u200d" * (N // 2),
    "empty lines": lambda: "\n" * N,
    "html tags": lambda: "<div>\n" * (N // 6),
    "details": lambda: "<details>\n" * (N // 10),
    "sub open": lambda: "<sub>" * (N // 5),
    "cells of code": lambda: "|a|b|\n|-|-|\n|" + "`|" * (N // 2) + "``",
    "tabs": lambda: "\t" * N,
}


@pytest.mark.parametrize("name", list(BOMBS))
def test_a_layout_bomb_is_laid_out_in_bounded_slices(scene: TranscriptScene, name: str) -> None:
    transcript = scene.show([scene.answer(BOMBS[name]()), scene.answer("After it.")])
    settle(scene.qtbot, transcript)
    assert transcript.live[1].text_views[0].toPlainText() == "After it."
    for view in transcript.live.values():
        for text_view in view.text_views:
            document = text_view.document()
            block = document.begin()
            while block.isValid():
                assert block.length() <= 12_000, "Qt lays out one long run at once"
                block = block.next()


@pytest.mark.parametrize("name", ["nested list", "quote lines", "many columns"])
def test_too_deep_or_too_wide_markdown_is_shown_as_text(name: str) -> None:
    source = BOMBS[name]()
    body = "".join(block.body for block in split_blocks(source))
    assert body.count("a") >= source.count("a")

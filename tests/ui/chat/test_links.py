"""Links: only web and mail addresses, only after their destination was shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import TranscriptScene
from fakes.widgets import child
from fireside.markup.markdown import destination, safe_link
from fireside.ui.chat.answer.links import LinkDialog, confirm_open
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.transcript import Transcript

BAD_SCHEMES = [
    "file",
    "javascript",
    "data",
    "vbscript",
    "smb",
    "ftp",
    "sftp",
    "ssh",
    "telnet",
    "ldap",
    "gopher",
    "nfs",
    "afp",
    "dav",
    "davs",
    "calculator",
    "ms-settings",
    "ms-msdt",
    "search-ms",
    "ms-word",
    "ms-excel",
    "shell",
    "steam",
    "vscode",
    "vscode-insiders",
    "cursor",
    "zoommtg",
    "slack",
    "tel",
    "sms",
    "facetime",
    "intent",
    "market",
    "itms-services",
    "x-apple.systempreferences",
    "applescript",
    "help",
    "chrome",
    "about",
    "view-source",
    "blob",
    "filesystem",
    "jar",
    "resource",
    "res",
    "qrc",
    "image",
    "moz-extension",
    "chrome-extension",
    "ws",
    "wss",
    "magnet",
    "bitcoin",
    "irc",
    "news",
    "nntp",
    "rtsp",
    "mms",
    "callto",
    "skype",
    "spotify",
    "obsidian",
    "jetbrains",
    "HTTPX",
    "xhttp",
    "file+http",
]


@pytest.mark.parametrize("scheme", BAD_SCHEMES)
def test_no_other_scheme_is_ever_offered(scheme: str) -> None:
    assert not safe_link(f"{scheme}://example.org/x")
    assert not safe_link(f"{scheme}:x")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://",
        "https:///path",
        "//host/x",
        "http:x",
        "mailto:",
        "mailto:a@b.example?subject=x&ATTACH=/etc/passwd",
        "mailto:a@b.example?%61ttachment=/etc/passwd",
        "mailto:a@b.example?subject=x#&attach=/etc/passwd",
        "http://[",
        "https://a b",
        "java\nscript:x",
    ],
)
def test_an_address_without_a_destination_is_not_offered(url: str) -> None:
    assert not safe_link(url)


@pytest.mark.parametrize(
    "url", ["http://a.example", "HTTPS://a.example/x?q#f", "mailto:a@b.example?Subject=x&body="]
)
def test_web_and_mail_addresses_are_offered(url: str) -> None:
    assert safe_link(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://google.com@evil.example/login", "evil.example"),
        ("https://user:secret@evil.example:8443/", "evil.example:8443"),
        ("https://google.com.evil.example/", "google.com.evil.example"),
        ("https://gооgle.com/", "xn--ggle-55da.com"),  # two Cyrillic letters
        ("https://[::1]:80/x", "::1:80"),
        ("mailto:a@b.example", "a@b.example"),
        ("https://google.com@evil.example:99999/", "https://google.com@evil.example:99999/"),
        ("http://[evil.example/", "http://[evil.example/"),
    ],
)
def test_the_true_destination_is_named(url: str, host: str) -> None:
    assert destination(url) == host


def link_at(text_view: TextWidget) -> QPoint:
    """Return a global position on the first link."""
    for x in range(0, text_view.viewport().width(), 4):
        point = QPoint(x, 10)
        if text_view.anchorAt(point):
            return text_view.viewport().mapToGlobal(point)
    raise LookupError("no link")


def under(transcript: Transcript, at: QPoint) -> QWidget:
    widget = transcript.childAt(transcript.mapFromGlobal(at))
    assert widget is not None
    return widget


def click(qtbot: QtBot, transcript: Transcript, at: QPoint) -> None:
    view = under(transcript, at)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.mapFromGlobal(at))


def test_a_click_asks_before_anything_is_opened(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("Go to [your bank](https://evil.example/x) now")])
    click(scene.qtbot, transcript, link_at(transcript.live[0].text_views[0]))
    dialog = child(transcript.window(), LinkDialog)
    assert dialog.isVisible()
    assert scene.opened == []
    assert child(dialog, QLabel, "linkHost").text() == "evil.example"
    yes = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Open")
    yes.click()
    assert scene.opened == ["https://evil.example/x"]


def test_cancel_opens_nothing(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("[x](https://evil.example/x)")])
    click(scene.qtbot, transcript, link_at(transcript.live[0].text_views[0]))
    dialog = child(transcript.window(), LinkDialog)
    next(b for b in dialog.findChildren(QPushButton) if b.text() == "Cancel").click()
    assert scene.opened == []


@pytest.mark.parametrize(
    "address", [f"https://my.bank.example.{'W' * 60}.{'w' * 60}.evil.example/x", "mailto:" + "W" * 250]
)
def test_the_end_of_a_long_destination_is_seen(qtbot: QtBot, opened: list[str], address: str) -> None:
    parent = QPushButton()
    qtbot.addWidget(parent)
    parent.resize(640, 600)
    parent.show()
    dialog = confirm_open(address, open_url=opened.append, parent=parent)
    assert dialog is not None
    assert (
        child(dialog, QLabel, "linkHost")
        .text()
        .replace("\u200b", "")
        .endswith(address[-64:].removesuffix("/x"))
    )
    for name in ("linkHost", "linkWhole"):
        label = child(dialog, QLabel, name)
        shown = label.fontMetrics().boundingRect(label.rect(), Qt.TextFlag.TextWordWrap, label.text())
        assert label.rect().contains(shown), name
    for button in dialog.findChildren(QPushButton):
        assert dialog.card.rect().contains(button.rect().translated(button.mapTo(dialog.card, QPoint())))


@pytest.mark.parametrize("scheme", BAD_SCHEMES)
def test_a_bad_address_gets_no_dialog(qtbot: QtBot, opened: list[str], scheme: str) -> None:
    parent = QPushButton()
    qtbot.addWidget(parent)
    assert confirm_open(f"{scheme}://x/y", open_url=opened.append, parent=parent) is None
    assert opened == []


def test_a_drag_over_a_link_does_not_follow_it(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("[a long link text](https://evil.example/x) and more")])
    at = link_at(transcript.live[0].text_views[0])
    view = under(transcript, at)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=view.mapFromGlobal(at))
    QTest.mouseMove(view, pos=view.mapFromGlobal(at + QPoint(40, 0)))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=view.mapFromGlobal(at + QPoint(40, 0)))
    assert transcript.window().findChild(LinkDialog) is None


def test_the_pointer_shows_that_a_link_can_be_clicked(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("[link](https://a.example) and text")])
    text_view = transcript.live[0].text_views[0]
    at = link_at(text_view)
    view = under(transcript, at)
    QTest.mouseMove(view, pos=view.mapFromGlobal(at))
    scene.wait_until(lambda: transcript.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor)
    QTest.mouseMove(view, pos=view.mapFromGlobal(text_view.viewport().mapToGlobal(QPoint(60, 10))))
    scene.wait_until(lambda: transcript.viewport().cursor().shape() is Qt.CursorShape.IBeamCursor)

"""A system without a font for an answer is told which one helps, once."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics

from fakes.stored_messages import Messages
from fireside.core.events import MessageReplaced
from fireside.ui.shell.main_window import MainWindow

KNOWN = frozenset("abc äöü ع → ✓")
"""What the fonts of the system in these tests have."""


@pytest.fixture(autouse=True)
def few_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFontMetrics, "inFontUcs4", lambda _metrics, code: chr(code) in KNOWN)


def hint_after(window: MainWindow, text: str) -> str:
    window.toast.hide_now()
    window.font_hint.handle(MessageReplaced(message=Messages().answer(text)))
    return window.toast.text if window.toast.isVisibleTo(window.right) else ""


@pytest.mark.parametrize(
    ("text", "package"),
    [("你好", "fonts-noto-cjk"), ("こんにちは", "fonts-noto-cjk"), ("한국어", "fonts-noto-cjk"),
     ("abc 😀", "fonts-noto-color-emoji"), ("abc → ✓ ع", ""), ("quoted “abc”", "")],
)  # fmt: skip
def test_the_missing_font_is_named(window: MainWindow, text: str, package: str) -> None:
    hint = hint_after(window, text)
    assert (package in hint) if package else not hint


def test_it_is_said_once(window: MainWindow) -> None:
    assert hint_after(window, "你好")
    assert not hint_after(window, "你好, 😀")

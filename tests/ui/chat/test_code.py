"""Blocks of code: line numbers, wrapping, saving to a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from fakes.stored_messages import TranscriptScene
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.code_parts import LineNumbers, TextFileSaver, suggested_name
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme

LONG = "x = '" + "words and more words " * 20 + "'"


def code(n_lines: int, *, last: str = "end") -> str:
    return "\n".join(["line"] * (n_lines - 1) + [last])


@pytest.fixture
def show(scene: TranscriptScene) -> ShowCode:
    return ShowCode(scene)


class ShowCode:
    """Shows one answer with one block of code."""

    def __init__(self, scene: TranscriptScene) -> None:
        self._scene = scene

    def __call__(self, source: str, *, language: str = "python") -> tuple[Transcript, CodeView]:
        transcript = self._scene.show([self._scene.answer(f"```{language}\n{source}\n```")])
        view = transcript.view_of(0).findChild(CodeView)
        assert view is not None
        return transcript, view


def button(view: CodeView, name: str) -> QToolButton:
    return next(b for b in view.findChildren(QToolButton) if b.accessibleName().startswith(name))


def edit_of(view: CodeView) -> TextWidget:
    assert view.text_view is not None
    return view.text_view


def test_lines_are_numbered_from_ten_on(show: ShowCode) -> None:
    for n_lines, is_numbered in ((9, False), (10, True)):
        _, view = show(code(n_lines))
        numbers = view.findChild(LineNumbers)
        assert numbers is not None
        assert numbers.isVisible() is is_numbered


def test_large_text_leaves_space_for_the_head_above_it(show: ShowCode, theme: Theme) -> None:
    theme.set_text_size(28)
    transcript, view = show("x = 1")
    labels = (*view.findChildren(QLabel), transcript.view_of(0).findChild(QLabel, "modelName"))
    for part in (*labels, view.findChild(QPushButton, "copyCode")):
        assert part is not None
        assert part.height() >= part.fontMetrics().height(), part.objectName()


def test_line_numbers_are_beside_the_text_and_not_copied(show: ShowCode) -> None:
    transcript, view = show(code(12))
    numbers = view.findChild(LineNumbers)
    assert numbers is not None
    assert numbers.geometry().right() < edit_of(view).geometry().left()
    transcript.selection.select_all()
    assert transcript.selection.text().startswith("line\nline")


def test_line_numbers_count_source_lines(show: ShowCode) -> None:
    transcript, view = show("y" * 12_000 + "\n" + code(12))
    transcript.view_of(0).finish_layout()
    numbers = view.findChild(LineNumbers)
    assert numbers is not None
    n_laid_out = edit_of(view).document().blockCount()
    assert n_laid_out > 13
    assert numbers._number_of(n_laid_out - 1) == 13


def test_long_lines_wrap_on_request_and_the_block_grows(show: ShowCode) -> None:
    _, view = show(LONG)
    before = view.height()
    button(view, "Wrap").click()
    assert view.height() > before
    assert edit_of(view).document().idealWidth() <= edit_of(view).width()
    button(view, "Wrap").click()
    assert view.height() == before


def test_wrapping_is_kept_when_the_code_is_scrolled_away_and_back(scene: TranscriptScene) -> None:
    answers = [scene.answer(f"```\n{LONG}\n```")] + [scene.answer("word " * 400) for _ in range(12)]
    transcript = scene.show(answers)
    transcript.verticalScrollBar().setValue(0)
    view = transcript.view_of(0).findChild(CodeView)
    assert view is not None
    button(view, "Wrap").click()
    transcript.column.jump_to_latest()
    assert 0 not in transcript.live
    again = transcript.view_of(0).findChild(CodeView)
    assert again is not None
    assert button(again, "Wrap").isChecked()
    assert edit_of(again).document().textWidth() == edit_of(again).width()


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("python", "code.py"),
        ("TypeScript", "code.ts"),
        ("c++", "code.cpp"),
        ("dockerfile", "Dockerfile"),
        ("", "code.txt"),
        ("../../etc/passwd", "code.txt"),
    ],
)
def test_the_suggested_file_name_depends_on_the_language_alone(language: str, name: str) -> None:
    assert suggested_name(language) == name


def test_saving_asks_where_and_writes_what_is_shown(qtbot: QtBot, show: ShowCode, tmp_path: Path) -> None:
    _, view = show("größer = 1\nrest = 2")
    button(view, "Save").click()
    dialog = view.window().findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible()
    path = tmp_path / "mine.py"
    dialog.fileSelected.emit(str(path))
    dialog.close()
    qtbot.waitUntil(lambda: button(view, "Save").toolTip() == "Saved")
    assert path.read_bytes() == "größer = 1\nrest = 2\n".encode()


def test_a_failed_save_is_reported(qtbot: QtBot, show: ShowCode, tmp_path: Path) -> None:
    _, view = show("x = 1")
    saving = view.findChild(TextFileSaver)
    assert saving is not None
    saving.save("x", tmp_path / "missing" / "x.py")
    qtbot.waitUntil(lambda: button(view, "Save").toolTip().count("Not saved") == 1)


def test_each_of_two_saves_is_reported(qtbot: QtBot, show: ShowCode, tmp_path: Path) -> None:
    _, view = show("x = 1")
    results: list[str] = []
    saver = TextFileSaver(view, on_done=results.append)
    saver.save("x", tmp_path / "one.py")
    saver.save("x", tmp_path / "missing" / "two.py")
    qtbot.waitUntil(lambda: len(results) == 2)
    assert sorted(map(bool, results)) == [False, True]


def test_all_buttons_of_code_have_a_name_and_are_tab_stops(show: ShowCode) -> None:
    transcript, view = show("x = 1")
    stops = [stop for stop in transcript.view_of(0).tab_stops if view.isAncestorOf(stop)]
    assert [stop.accessibleName() for stop in stops] == [
        "Wrap long lines, python",
        "Save code as, python",
        "Copy code, python",
    ]

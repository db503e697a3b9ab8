"""Text from right to left: directions, mirrored tables, isolated code; in the window and in copies."""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor

from fakes.stored_messages import TranscriptScene
from fireside.markup.direction import has_rtl, is_rtl, isolated, with_directions, without_isolation
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.chat.transcript.plain_copy import markdown_to_html, markdown_to_text
from fireside.ui.chat.transcript.selected_text import last_position, text_between

UNICODE = Path(__file__).resolve().parents[2] / "fakes" / "unicode"
MIRRORED = (
    "| الاسم | القطر | الرمز |\n|---|--:|---|\n| الأرض | 12,742 km | `earth()` |\n| المريخ | (6) | `b[1]` |\n"
)
PROSE = (
    "مع `code()` ثم `a[0] = b(1)`، انظر https://a.example/x/ و\n\n`git()` يعرض\n\n### عنوان `f(x)`\n\n"
    "98. بند `g()`\n\n> اقتباس `h()`\n\nText `code()` مع\n"
)


def texts_of(scene: TranscriptScene, source: str) -> list[TextView]:
    transcript = scene.show([scene.user("Why?"), scene.answer(source)])
    shown = [text for text in transcript.live[1].text_views if isinstance(text, TextView)]
    transcript.live[1].finish_layout()
    return shown


def blocks_of(text_view: TextView) -> list[QTextBlock]:
    block, blocks = text_view.document().begin(), []
    while block.isValid():
        blocks.append(block)
        block = block.next()
    return [block for block in blocks if block.text()]


def test_the_first_letter_decides_as_in_unicodes_own_cases() -> None:
    lines = (UNICODE / "BidiCharacterTest.txt").read_text("utf-8").splitlines()
    cases = [line.split(";") for line in lines if not line.startswith("#")]
    assert len(cases) == 28
    for points, _auto, level, *_ in cases:
        text = "".join(chr(int(point, 16)) for point in points.split())
        assert bool(is_rtl(text)) == (level == "1"), points


def test_every_letter_from_right_to_left_is_known() -> None:
    letters = (chr(point) for point in range(sys.maxunicode + 1))
    assert all(has_rtl(char) for char in letters if unicodedata.bidirectional(char) in ("R", "AL"))


@given(st.text(alphabet="ab1 ()[].`ابש\u2066\u2067\u2068\u2069\u200b"), st.text(alphabet="code()[]="))
def test_isolation_is_taken_back_whole(text: str, code: str) -> None:
    shown = isolated(f"{text}م<code>{code}</code>").replace("<code>", "").replace("</code>", "")
    written = f"{text}م{code}"
    has_own = "\u200b\u2066" in text or text.count("\u2069") > len(re.findall("[\u2066-\u2068]", text))
    assert has_own or "\u2069" in text or without_isolation(shown) == written
    assert "\u200b\u2066" not in without_isolation(shown)


def test_code_and_urls_run_from_left_to_right(scene: TranscriptScene) -> None:
    texts = texts_of(scene, PROSE)
    seen = []
    for block in [block for text in texts for block in blocks_of(text)]:
        for code in ("code()", "a[0] = b(1)", "https://a.example/x/", "git()", "f(x)", "g()", "h()"):
            start = block.text().find(code)
            if start >= 0:
                line = block.layout().lineAt(0)
                lefts = [line.cursorToX(at)[0] for at in range(start + 1, start + len(code))]  # type: ignore[index]
                assert all(before < after for before, after in pairwise(lefts)), (code, block.text(), lefts)
                seen.append(code)
    assert len(seen) == 8
    directions = [block.textDirection() for text in texts for block in blocks_of(text)]
    assert directions == [Qt.LayoutDirection.RightToLeft] * 5 + [Qt.LayoutDirection.LeftToRight]


def test_copies_have_the_characters_that_were_written(scene: TranscriptScene) -> None:
    texts = texts_of(scene, f"{PROSE}\n{MIRRORED}")
    copied = "\n".join(text_between(text.document(), 0, last_position(text.document())) for text in texts)
    assert not set("\u200b\u2066\u2069") & set(copied + markdown_to_text(PROSE) + markdown_to_html(PROSE))
    assert "مع code() ثم a[0] = b(1)، انظر https://a.example/x/" in copied
    assert "الاسم\tالقطر\tالرمز\nالأرض\t12,742 km\tearth()\nالمريخ\t(6)\tb[1]" in copied
    document = texts[0].document()
    at = document.toPlainText().index("de()")
    assert text_between(document, at, at + 6) == "de() "  # without what closes the isolate


def test_a_table_is_mirrored_if_its_first_letter_is_from_right_to_left(scene: TranscriptScene) -> None:
    for source, is_mirrored in (
        (MIRRORED, True),
        (MIRRORED.replace("الاسم", "`id` الاسم"), True),
        (MIRRORED.replace("الاسم", "#"), True),
        (MIRRORED.replace("الاسم", "Name"), False),
        ("| a | b |\n|---|---|\n| ا | ب |\n", False),
    ):
        (text,) = texts_of(scene, source)
        first = blocks_of(text)[0].text()
        last_of_head = "الرمز" if "الرمز" in source else ""
        assert (first == last_of_head) == is_mirrored


def test_the_cells_of_a_mirrored_table_align_at_the_right(scene: TranscriptScene) -> None:
    (text,) = texts_of(scene, MIRRORED)
    layout = text.document().documentLayout()
    cursor = QTextCursor(text.document().begin().next())
    table = cursor.currentTable()
    for column in range(3):
        rights = set()
        for row in range(3):
            block = table.cellAt(row, column).firstCursorPosition().block()
            line = block.layout().lineAt(0).naturalTextRect()
            rights.add(round(layout.blockBoundingRect(block).left() + line.right()))
        assert max(rights) - min(rights) <= 1
    assert abs(max(rights) - text.width()) <= 1


def test_a_long_mirrored_table_is_mirrored_in_all_parts(scene: TranscriptScene) -> None:
    rows = "".join(f"| {number} | name{number} |\n" for number in range(200))
    texts = texts_of(scene, f"| الرقم | الاسم |\n|---|---|\n{rows}")
    assert len(texts) > 2
    copied = "\n".join(text_between(text.document(), 0, last_position(text.document())) for text in texts)
    assert copied.split()[2:] == [word for number in range(200) for word in (str(number), f"name{number}")]
    assert all(blocks_of(text)[0].text().startswith("name") for text in texts[1:])


def test_a_wide_mirrored_table_begins_at_the_right(scene: TranscriptScene) -> None:
    head = "|".join(f" عمود{'ـ' * 12}{number} " for number in range(14))
    source = f"|{head}|\n|{'---|' * 14}\n" + f"|{'x |' * 14}\n" * 40
    transcript = scene.show([scene.user("Why?"), scene.answer(source)])
    transcript.live[1].finish_layout()
    parts = transcript.live[1].findChildren(TableView)
    assert len(parts) > 1
    bars = [part.horizontalScrollBar() for part in parts]
    assert bars[0].maximum() > 0
    assert {bar.value() for bar in bars} == {bars[0].maximum()}
    bars[-1].setValue(10)
    assert {bar.value() for bar in bars} == {10}


def test_formatted_copies_have_directions() -> None:
    html = markdown_to_html(f"{PROSE}\n{MIRRORED}\n- بند\n  - nested\n\n- [ ] مهمة\n\nText")
    for part in (
        '<p dir="rtl">مع <code dir="ltr">code()</code>',
        '<h3 dir="rtl">',
        '<ol dir="rtl" start="98"><li dir="rtl">بند',
        '<blockquote dir="rtl">',
        '<table dir="rtl"',
        '<td dir="ltr" align="right">12,742 km</td>',
        '<td dir="rtl" align="right">الأرض</td>',
        '<ul dir="rtl"><li dir="rtl">بند<ul dir="ltr"><li dir="ltr">nested',
        '<li dir="rtl">☐ مهمة',
        '<p dir="ltr">Text</p>',
    ):
        assert part in html, part
    english = "<ul><li>one <code>f()</code></li></ul>"
    assert with_directions(english) == english


def test_code_stays_at_the_left_and_prose_in_a_fence_does_not(scene: TranscriptScene) -> None:
    for language, is_code in (("json", True), ("text", False), ("", False)):
        (text,) = texts_of(scene, f'```{language}\n"اسم": "code()",\n```\n')
        expected = Qt.LayoutDirection.LeftToRight if is_code else Qt.LayoutDirection.RightToLeft
        assert [block.textDirection() for block in blocks_of(text)] == [expected]

"""The tree of branches: rows, lanes and keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fireside.core.chat import MessageState, TreeNode
from fireside.core.ids import MessageId
from fireside.core.message import Role
from fireside.ui.chat.pane.tree_sheet import (
    TreeSheet,
    accessible_row_text,
    branch_after,
    branch_before,
    row_text,
    tree_rows,
)


def node(id_: int, parent: int | None = None, *, active: bool = False, text: str = "") -> TreeNode:
    return TreeNode(
        id=MessageId(id_),
        parent_id=None if parent is None else MessageId(parent),
        role=Role.USER if id_ % 2 else Role.ASSISTANT,
        excerpt=text or f"message {id_}",
        state=MessageState.COMPLETE,
        created_at=0.0,
        active=active,
    )


# 1 ─ 2 ─ 3 ─ 4, with 5 beside 2 (and 6 after it), and 7 beside 3; shown is 1 2 3 4.
BRANCHED = (
    node(1, active=True),
    node(2, 1, active=True),
    node(3, 2, active=True),
    node(4, 3, active=True),
    node(5, 1),
    node(6, 5),
    node(7, 2),
)


def test_the_current_branch_is_in_the_first_lane() -> None:
    rows = tree_rows(BRANCHED)
    assert [(row.node.id, row.lane) for row in rows] == [
        (1, 0),
        (5, 1),
        (6, 1),
        (2, 0),
        (7, 1),
        (3, 0),
        (4, 0),
    ]
    assert [row.node.id for row in rows if row.begins] == [5, 7]
    assert [row.node.id for row in rows if row.ends] == [6, 7, 4]


def test_lines_continue_past_side_branches() -> None:
    passing = {row.node.id: row.passing for row in tree_rows(BRANCHED)}
    assert passing == {1: (), 5: (0,), 6: (0,), 2: (), 7: (0,), 3: (), 4: ()}


def test_without_a_current_branch_the_newest_is_in_the_first_lane() -> None:
    rows = tree_rows([node(1), node(2, 1), node(3, 1)])
    assert [(row.node.id, row.lane) for row in rows] == [(1, 0), (2, 1), (3, 0)]


def test_several_first_messages_are_branches_too() -> None:
    rows = tree_rows([node(1), node(2, 1), node(3, active=True)])
    assert [(row.node.id, row.lane, row.begins) for row in rows] == [
        (1, 1, True),
        (2, 1, False),
        (3, 0, False),
    ]


def test_a_message_without_its_parent_is_a_root() -> None:
    assert [row.node.id for row in tree_rows([node(4, 99)])] == [4]


def test_a_very_long_conversation_is_no_deeper_than_a_short_one() -> None:
    nodes = [node(1), *(node(n, n - 1) for n in range(2, 5_000))]
    assert {row.lane for row in tree_rows(nodes)} == {0}


@given(st.lists(st.integers(0, 30), max_size=30), st.data())
def test_every_message_is_below_its_parent(parents: list[int], data: st.DataObject) -> None:
    nodes = [
        node(at + 1, parent if 0 < parent <= at else None, active=data.draw(st.booleans()))
        for at, parent in enumerate(parents)
    ]
    rows = tree_rows(nodes)
    indexes = {row.node.id: at for at, row in enumerate(rows)}
    assert sorted(indexes) == [n.id for n in nodes]
    for row in rows:
        if row.node.parent_id is not None:
            assert indexes[row.node.parent_id] < indexes[row.node.id]
            parent = rows[indexes[row.node.parent_id]]
            assert row.lane == parent.lane + row.begins


def test_left_and_right_go_from_branch_to_branch() -> None:
    rows = tree_rows(BRANCHED)
    assert branch_after(rows, 0) == 1
    assert branch_after(rows, 1) == 4
    assert branch_after(rows, 4) is None
    assert branch_before(rows, 4) == 3
    assert branch_before(rows, 0) is None


def test_a_row_shows_author_and_text() -> None:
    (row,) = tree_rows([node(1, text="<b>Hi</b>\u202e there")])
    assert row_text(row) == "You: <b>Hi</b>  there"
    assert accessible_row_text(row, at=0, n_rows=3).endswith("1 of 3")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.resize(900, 700)
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def chosen() -> list[MessageId]:
    """The messages that were chosen."""
    return []


@pytest.fixture
def sheet(qtbot: QtBot, window: QWidget, chosen: list[MessageId]) -> TreeSheet:
    sheet = TreeSheet(BRANCHED, chosen.append, parent=window)
    sheet.open()
    qtbot.waitExposed(sheet)
    return sheet


def test_the_tree_opens_at_the_end_of_the_current_branch(sheet: TreeSheet) -> None:
    assert sheet.tree.rows[sheet.tree.at].node.id == 4


def test_return_goes_to_the_selected_message(sheet: TreeSheet, chosen: list[MessageId]) -> None:
    QTest.keyClick(sheet.tree, Qt.Key.Key_Up)
    QTest.keyClick(sheet.tree, Qt.Key.Key_Up)
    QTest.keyClick(sheet.tree, Qt.Key.Key_Return)
    assert chosen == [7]


def test_a_double_click_goes_to_the_message(sheet: TreeSheet, chosen: list[MessageId]) -> None:
    position = sheet.tree.visualRect(sheet.tree.model().index(1, 0)).center()
    QTest.mouseClick(sheet.tree.viewport(), Qt.MouseButton.LeftButton, pos=position)
    QTest.mouseDClick(sheet.tree.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert chosen == [5]


def test_escape_chooses_nothing(qtbot: QtBot, sheet: TreeSheet, chosen: list[MessageId]) -> None:
    with qtbot.waitSignal(sheet.rejected):
        QTest.keyClick(sheet.tree, Qt.Key.Key_Escape)
    assert chosen == []


def test_an_empty_conversation_has_a_tree_too(window: QWidget) -> None:
    sheet = TreeSheet((), lambda _message_id: None, parent=window)
    QTest.keyClick(sheet.tree, Qt.Key.Key_Return)
    QTest.keyClick(sheet.tree, Qt.Key.Key_Right)
    assert sheet.tree.rows == ()

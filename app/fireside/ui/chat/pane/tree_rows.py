"""Rows and lanes of the tree of a conversation's branches. Pure: no Qt.

The branch that is shown goes straight down in the first lane. A side branch is one lane further right, below
the message at which it begins and above what follows there.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.chat import TreeNode
from fireside.core.ids import MessageId


class TreeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the tree: a message, its lane, and the lines that pass it."""

    node: TreeNode
    lane: int
    """0 is the first."""
    begins: bool
    """A side branch begins here, from the lane to the left."""
    ends: bool
    """Nothing follows in this lane."""
    passing: tuple[int, ...]
    """Lanes to the left whose lines pass this row."""
    passes_active: bool = False
    """The passing line in the first lane is that of the branch that is shown."""


def tree_rows(nodes: Sequence[TreeNode]) -> tuple[TreeRow, ...]:
    """Return the rows, top down. ``nodes`` are in the order of their creation."""
    children: dict[MessageId | None, list[TreeNode]] = {}
    known = {node.id for node in nodes}
    for node in nodes:
        parent = node.parent_id if node.parent_id in known else None
        children.setdefault(parent, []).append(node)
    newest = _newest_below(nodes)
    rows: list[TreeRow] = []
    # A stack instead of recursion: a conversation may be thousands of messages deep.
    stack: list[tuple[TreeNode, int, bool, frozenset[int]]] = []

    def push(siblings: Sequence[TreeNode], lane: int, passing: frozenset[int], *, is_root: bool) -> None:
        if not siblings:
            return
        main = next((node for node in siblings if node.active), None)
        if main is None:
            main = max(siblings, key=lambda node: newest[node.id])
        sides = [node for node in siblings if node is not main]
        stack.append((main, lane, False, passing))
        for side in reversed(sides):
            side_passing = passing if is_root else passing | {lane}
            stack.append((side, lane + 1, True, side_passing))

    push(children.get(None, ()), 0, frozenset(), is_root=True)
    while stack:
        node, lane, begins, passing = stack.pop()
        below = children.get(node.id, ())
        rows.append(
            TreeRow(node=node, lane=lane, begins=begins, ends=not below, passing=tuple(sorted(passing)))
        )
        push(below, lane, passing, is_root=False)
    last_active = max((at for at, row in enumerate(rows) if row.node.active), default=-1)
    first_active = min((at for at, row in enumerate(rows) if row.node.active), default=0)
    return tuple(
        msgspec.structs.replace(row, passes_active=first_active < at < last_active)
        for at, row in enumerate(rows)
    )


def _newest_below(nodes: Sequence[TreeNode]) -> dict[MessageId, MessageId]:
    newest = {node.id: node.id for node in nodes}
    for node in sorted(nodes, key=lambda node: node.id, reverse=True):
        parent = node.parent_id
        if parent is not None and parent in newest:
            newest[parent] = max(newest[parent], newest[node.id])
    return newest


def branch_before(rows: Sequence[TreeRow], at: int) -> int | None:
    """Return the row of the parent of row ``at``; ``None`` for the first message."""
    parent_id = rows[at].node.parent_id
    return next((index for index in range(at - 1, -1, -1) if rows[index].node.id == parent_id), None)


def branch_after(rows: Sequence[TreeRow], at: int) -> int | None:
    """Return the next side branch below row ``at``."""
    return next((index for index in range(at + 1, len(rows)) if rows[index].begins), None)

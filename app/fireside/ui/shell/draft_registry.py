"""What was begun in new chats and not sent: which window has which, and what closed windows left. No Qt."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from fireside.core.chat import NewDraft
from fireside.core.ids import DraftId


class DraftRegistry:
    """Shared by all windows, so that no two of them write to the same draft."""

    def __init__(self) -> None:
        self._held: set[DraftId] = set()
        self._left: dict[DraftId, NewDraft] = {}

    def claim(self, wanted: str = "") -> DraftId:
        """Return ``wanted`` for a window alone, or a new name where it is empty or another window has it."""
        draft_id = DraftId(wanted)
        if not wanted or draft_id in self._held:
            draft_id = DraftId(secrets.token_hex(8))
        self._held.add(draft_id)
        self._left.pop(draft_id, None)
        return draft_id

    def release(self, draft_id: DraftId) -> None:
        """It was sent, or nothing is in it."""
        self._held.discard(draft_id)

    def leave(self, draft: NewDraft) -> None:
        """Its window is closed: the next new chat goes on with it."""
        self._held.discard(draft.id)
        if has_something(draft):
            self._left[draft.id] = draft

    def set_stored(self, drafts: Iterable[NewDraft]) -> None:
        """Take over what is stored: what no window has was left by one."""
        self._left = {draft.id: draft for draft in drafts if draft.id not in self._held}

    def pop_left(self) -> NewDraft | None:
        """Return what was left last, for the window that asks alone."""
        newest = max(self._left.values(), key=lambda draft: draft.updated_at, default=None)
        if newest is not None:
            self.claim(newest.id)
        return newest


def has_something(draft: NewDraft) -> bool:
    return bool(draft.text or draft.attached)

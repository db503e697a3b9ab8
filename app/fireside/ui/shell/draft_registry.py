"""Unsent drafts of new chats: which window owns which, and which closed windows left behind. No Qt."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from fireside.core.chat import NewDraft
from fireside.core.ids import DraftId


class DraftRegistry:
    """Owns the draft ids of all windows, so that no two windows write to the same draft."""

    def __init__(self) -> None:
        self._claimed: set[DraftId] = set()
        self._unclaimed: dict[DraftId, NewDraft] = {}

    def claim(self, preferred: str = "") -> DraftId:
        """Return ``preferred``, or a new id where that is empty or claimed; no other window gets it."""
        draft_id = DraftId(preferred)
        if not preferred or draft_id in self._claimed:
            draft_id = DraftId(secrets.token_hex(8))
        self._claimed.add(draft_id)
        self._unclaimed.pop(draft_id, None)
        return draft_id

    def release(self, draft_id: DraftId) -> None:
        """Release a draft that was sent or is empty."""
        self._claimed.discard(draft_id)

    def hand_over(self, draft: NewDraft) -> None:
        """Release the draft of a closed window; the next new chat resumes it."""
        self._claimed.discard(draft.id)
        if has_content(draft):
            self._unclaimed[draft.id] = draft

    def set_stored(self, drafts: Iterable[NewDraft]) -> None:
        """Set the stored drafts; those that no window has claimed become available."""
        self._unclaimed = {
            draft.id: draft for draft in drafts if draft.id not in self._claimed and has_content(draft)
        }

    def pop_unclaimed(self) -> NewDraft | None:
        """Claim and return the newest draft that no window owns; ``None`` if there is none."""
        newest = max(self._unclaimed.values(), key=lambda draft: draft.updated_at, default=None)
        if newest is not None:
            self.claim(newest.id)
        return newest


def has_content(draft: NewDraft) -> bool:
    return bool(draft.text or draft.attached or draft.settings)

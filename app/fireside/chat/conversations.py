"""The list of conversations and what a person does to it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation, ConversationSummary
from fireside.core.events import AppEvent, ConversationChanged, ConversationDeleted
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftPlace, ModelId
from fireside.services.library.models import Models
from fireside.services.preferences import Preferences
from fireside.settings.values import AppLayer
from fireside.storage.store import Store

TITLE_CHARACTERS = 60
DEFAULT_MODEL_KEY = "chat.default_model"

_FENCE = re.compile(r"\s*(```|~~~)")
_BEGINS = re.compile(r"(?:(?:#{1,6}|[-*+]|>+)\s+)+(?=\S)")
"""What Markdown writes before a heading, a point of a list and a quotation."""
_AROUND = re.compile(r"(\*\*|~~|`)(?=[^\s*~`])(.+?)(?<=\S)\1")
"""What Markdown writes around words."""


def title_from(text: str) -> str:
    """Return a title for a conversation that begins with ``text``.

    It is the first line that says something, without the marks of Markdown, cut at a word.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not _FENCE.match(line)), lines[0] if lines else tr("New chat"))
    line = _AROUND.sub(r"\2", _BEGINS.sub("", line, count=1) if _BEGINS.match(line) else line)
    line = " ".join(line.split()).rstrip(" ,.;:") or line
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS].rsplit(" ", 1)[0]
    return (cut if len(cut) > TITLE_CHARACTERS // 2 else line[:TITLE_CHARACTERS]).rstrip(" ,.;:") + "…"


class Conversations:
    """Rename, pin, delete and restore; each change is stored before it is reported."""

    def __init__(
        self,
        *,
        store: Store,
        models: Models,
        preferences: Preferences,
        emit: Callable[[AppEvent], None],
        set_priority_owner: Callable[[str], None],
        stop_answer: Callable[[ConversationId], Awaitable[None]],
    ) -> None:
        """Take ``set_priority_owner`` as what learns by name which conversation is looked at, and
        ``stop_answer`` as what ends the answer that runs in one, if one does."""
        self._store = store
        self._models = models
        self._preferences = preferences
        self._emit = emit
        self._set_priority_owner = set_priority_owner
        self._stop_answer = stop_answer

    async def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return every conversation that is not deleted, the latest first."""
        return await self._store.conversations.all()

    async def open(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch, and have its answers come first from now on. Raises ``NotStored``."""
        conversation = await self._store.conversations.open(conversation_id)
        self._set_priority_owner(self._store.name_of(conversation_id))
        return conversation

    async def rename(self, conversation_id: ConversationId, *, title: str) -> None:
        """Give a conversation a name; an empty one is ignored."""
        title = " ".join(title.split())
        if title:
            self._changed(await self._store.conversations.rename(conversation_id, title=title))

    async def pin(self, conversation_id: ConversationId) -> None:
        """Keep a conversation at the top of the list."""
        self._changed(await self._store.conversations.set_pinned(conversation_id, pinned=True))

    async def unpin(self, conversation_id: ConversationId) -> None:
        """Put a conversation back among the others."""
        self._changed(await self._store.conversations.set_pinned(conversation_id, pinned=False))

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Remember the model of a conversation, and of those to come. Raises ``ModelNotFound``."""
        self._models.chat_spec(model_id)
        await self._preferences.change(AppLayer(), key=DEFAULT_MODEL_KEY, value=model_id)
        if conversation_id is not None:
            self._changed(await self._store.conversations.set_model(conversation_id, model_id=model_id))

    async def delete(self, conversation_id: ConversationId) -> None:
        """Stop its answer, then hide a conversation; it is purged when the program is next started."""
        await self._stop_answer(conversation_id)
        await self._store.conversations.delete(conversation_id)
        self._emit(ConversationDeleted(conversation_id=conversation_id))

    async def restore(self, conversation_id: ConversationId) -> None:
        """Bring a deleted conversation back."""
        self._changed(await self._store.conversations.restore(conversation_id))

    async def save_draft(self, place: DraftPlace, *, text: str) -> None:
        """Keep what is typed but not sent."""
        await self._store.drafts.save_text(place, text=text)

    async def save_draft_files(self, place: DraftPlace, *, attached: Sequence[Attachment]) -> None:
        """Keep what is attached but not sent: these files and no others."""
        await self._store.drafts.save_files(place, attached=attached)

    def _changed(self, summary: ConversationSummary) -> None:
        self._emit(ConversationChanged(summary=summary))

"""The artifacts of a chat: found in its answers, with what the user made of them."""

from __future__ import annotations

import asyncio
from typing import Final

from fireside.core.artifacts import Artifact, ArtifactPlace, FoundArtifact, artifacts_of
from fireside.core.chat import StoredMessage
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.markup.artifact_blocks import find_artifacts
from fireside.services.service_context import ServiceContext

_MAX_KEPT: Final = 4_000
"""Answers whose artifacts are remembered, so that a long chat is read once."""


class ArtifactService:
    """Finds the artifacts of a branch, and stores what the answers do not say. All raise ``StorageError``,
    which includes ``RecordNotFound``."""

    def __init__(self, context: ServiceContext) -> None:
        self._store = context.store
        self._found: dict[MessageId, tuple[str, frozenset[int], tuple[FoundArtifact, ...]]] = {}
        """Of answers: their text, the blocks of the user in it, and what was found."""

    @for_window
    async def of_chat(self, conversation_id: ConversationId) -> tuple[Artifact, ...]:
        """Return the artifacts of the active branch, in the order in which they were first made."""
        conversation = await self._store.conversations.open(conversation_id)
        answers = [each for each in conversation.messages if each.message.role is Role.ASSISTANT]
        notes = await self._store.artifact_edits.of_messages([answer.id for answer in answers])
        kept = {id_: frozenset(each.start for each in of_answer) for id_, of_answer in notes.items()}

        def find() -> tuple[Artifact, ...]:
            found = ((each.id, each.created_at, self._find(each, kept.get(each.id))) for each in answers)
            return artifacts_of(found, notes)

        return await asyncio.to_thread(find)

    @for_window
    async def save(self, place: ArtifactPlace, *, text: str) -> None:
        """Store a version of the user, made from the version of the answer at ``place``."""
        await self._store.artifact_edits.add(place, text=text)

    @for_window
    async def save_draft(self, place: ArtifactPlace, *, text: str | None) -> None:
        """Store what is written of a version and not saved; ``None`` drops it."""
        await self._store.artifact_edits.save_draft(place, text=text)

    @for_window
    async def rename(self, place: ArtifactPlace, *, title: str) -> None:
        """Name the artifact whose first version is at ``place``; an empty title gives it back its own."""
        await self._store.artifact_edits.rename(place, title=" ".join(title.split()))

    def _find(self, answer: StoredMessage, kept: frozenset[int] | None) -> tuple[FoundArtifact, ...]:
        text, kept = answer.message.text, kept or frozenset()
        before = self._found.get(answer.id)
        if before is None or before[:2] != (text, kept):
            if len(self._found) >= _MAX_KEPT:
                self._found.clear()
            before = self._found[answer.id] = (text, kept, find_artifacts(text, kept=kept))
        return before[2]

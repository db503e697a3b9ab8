"""Remembered facts for the window: all of them, those that wait for the user, and their changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from fireside.chat.tools.tool_use import ToolUse
from fireside.core.errors import RequestError
from fireside.core.events import FactsChanged, FoldersChanged
from fireside.core.facts import (
    EVERYWHERE,
    FACT_CHARACTERS,
    LONGEST_FACT,
    FactFormat,
    FactPlace,
    FactScope,
    ProposedFact,
    RememberedFact,
    facts_as,
    tidy_fact,
)
from fireside.core.for_window import for_window
from fireside.core.ids import FactId, FolderId
from fireside.core.message import ToolResultPart
from fireside.core.os_errors import render_os_error
from fireside.core.project import SUGGESTED_FACTS_KEY, suggested_facts
from fireside.core.tools import MEMORY_NAME, CallState
from fireside.files.atomic_replace import replace_file
from fireside.services.service_context import ServiceContext


class FactService:
    """What models are told of the user. Each change is stored before it is reported (``FactsChanged``).

    All raise ``StorageError``, which includes ``RecordNotFound``.
    """

    def __init__(self, context: ServiceContext, *, tools: ToolUse) -> None:
        self._store = context.store
        self._emit = context.emit
        self._tools = tools

    @for_window
    async def facts(self) -> tuple[RememberedFact, ...]:
        """Return all facts: those that hold everywhere, in projects, in chats; the oldest first."""
        return await self._store.facts.all()

    @for_window
    async def places(self) -> tuple[FactPlace, ...]:
        """Return where a fact can hold besides in a single chat: everywhere, and in each folder."""
        folders = await self._store.folders.all()
        return (EVERYWHERE, *(FactPlace(folder_id=folder.id, name=folder.name) for folder in folders))

    @for_window
    async def proposed(self) -> tuple[ProposedFact, ...]:
        """Return the facts that wait for the user; ``ToolUse.answer_call`` answers them."""
        found: list[ProposedFact] = []
        for message_id, call_id in self._tools.waiting_calls(MEMORY_NAME):
            stored = await self._store.messages.get(message_id)
            summary = (await self._store.conversations.open(stored.conversation_id)).summary
            found += [
                ProposedFact(
                    message_id=message_id,
                    call_id=call_id,
                    conversation_id=stored.conversation_id,
                    text=part.preview,
                    scope=part.scope or FactScope.EVERYWHERE,
                    project=part.project,
                    title=summary.title,
                    after_untrusted=part.after_untrusted,
                )
                for part in stored.message.parts
                if isinstance(part, ToolResultPart)
                and part.call_id == call_id
                and part.state is CallState.WAITING
            ]
        return tuple(found)

    @for_window
    async def add(self, text: str, *, place: FactPlace) -> None:
        """Store a fact that the user wrote. Raises ``fact_invalid`` or ``memory_full``."""
        stored = await self._store.facts.add_by_hand(
            _checked(text), place=place, max_characters=FACT_CHARACTERS
        )
        self._report(stored)

    @for_window
    async def answer_imported(self, folder_id: FolderId, text: str, *, remembers: bool) -> None:
        """Remember a fact that came in the file of a project, or refuse it; either way it waits no longer.

        Raises ``fact_invalid`` or ``memory_full``; it waits on then.
        """
        if remembers:
            await self.add(text, place=FactPlace(folder_id=folder_id))
        settings = (await self._store.folders.get(folder_id)).settings
        waiting = tuple(each for each in suggested_facts(settings) if each != text)
        await self._store.folders.set_settings(folder_id, {**settings, SUGGESTED_FACTS_KEY: waiting})
        self._emit(FoldersChanged(folders=await self._store.folders.all()))

    @for_window
    async def change(self, fact_id: FactId, *, text: str, place: FactPlace) -> None:
        """Replace text and place of a fact. Raises ``fact_invalid`` or ``memory_full``."""
        stored = await self._store.facts.change(
            fact_id, text=_checked(text), place=place, max_characters=FACT_CHARACTERS
        )
        self._report(stored)

    @for_window
    async def forget(self, fact_id: FactId) -> None:
        """Delete a fact; ``restore`` undoes that."""
        await self._store.facts.delete(fact_id)
        self._emit(FactsChanged())

    @for_window
    async def restore(self, facts: Sequence[RememberedFact]) -> None:
        """Store deleted facts again."""
        await self._store.facts.restore(facts)
        self._emit(FactsChanged())

    @for_window
    async def export(self, path: str, *, form: FactFormat, facts: Sequence[RememberedFact]) -> None:
        """Write facts to a file, in place of one that is there. Raises ``facts_not_written``."""
        try:
            await asyncio.to_thread(replace_file, Path(path), facts_as(form, facts).encode())
        except OSError as exc:
            raise RequestError.of("facts_not_written", path=path, reason=render_os_error(exc)) from exc

    def _report(self, is_stored: bool) -> None:
        if not is_stored:
            raise RequestError.of("memory_full", number=FACT_CHARACTERS)
        self._emit(FactsChanged())


def _checked(text: str) -> str:
    if not (fact := tidy_fact(text)):
        raise RequestError.of("fact_invalid", number=LONGEST_FACT)
    return fact

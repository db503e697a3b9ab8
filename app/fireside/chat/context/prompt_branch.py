"""A branch as the next request is made of it: what is told by a summary, and what is said in full."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext
from fireside.core.message import ChatMessage
from fireside.core.prompt_input import ChatInput
from fireside.services.request_builder import Resolved, chat_input, says_something, without_pictures


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of a branch that say something."""

    covered: tuple[StoredMessage, ...]
    """Those that ``summary`` stands for."""
    said: tuple[StoredMessage, ...]
    summary: ContextSummary | None

    @property
    def words(self) -> str:
        """What stands for ``covered``; empty without a summary."""
        return "" if self.summary is None else self.summary.text


def branch_of(
    path: Sequence[StoredMessage], *, summary: ContextSummary | None, policy: FullContext
) -> Branch:
    """Return the branch ``path``; a summary is part of it only where conversations are compacted."""
    place = 0
    if summary is not None and policy is FullContext.COMPACT:
        ids = [message.id for message in path]
        place = ids.index(summary.through) + 1 if summary.through in ids else 0
    heard = [message for message in path[:place] if says_something(message.message)]
    said = [message for message in path[place:] if says_something(message.message)]
    return Branch(covered=tuple(heard), said=tuple(said), summary=summary if place else None)


def branch_input(
    resolved: Resolved, branch: Branch, *, question: ChatMessage | None = None, sees: bool
) -> ChatInput:
    """Return what the model is given: system prompt, summary, messages and perhaps one more question.

    ``sees`` is whether it takes pictures; of the question itself the runner says so if not.
    """
    messages = tuple(stored.message for stored in branch.said)
    if not sees:
        last = () if question is not None else messages[-1:]
        messages = (*without_pictures(messages[: len(messages) - len(last)]), *last)
    asked = () if question is None else (question,)
    return chat_input(resolved, (*messages, *asked), summary=branch.words)

"""Remembered facts: what the user confirmed, where it holds, and what it is from."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.graphemes import without_invisible
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, FactId, FolderId, MessageId

LONGEST_FACT: Final = 300
FACT_CHARACTERS: Final = 2_000
"""Characters of all facts of one place: about 500 tokens of each prompt."""


class FactScope(StrEnum):
    """Where a fact holds. Stored, and known to models by these names."""

    EVERYWHERE = "everywhere"
    PROJECT = "project"
    """In the chats of one folder."""
    CHAT = "chat"


_LABELS: Final = {
    FactScope.EVERYWHERE: tr_noop("Everywhere"),
    FactScope.PROJECT: tr_noop("Project “{name}”"),
    FactScope.CHAT: tr_noop("Chat “{name}”"),
}


class FactPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a fact holds: in one folder, in one chat, or everywhere for neither."""

    folder_id: FolderId | None = None
    chat_id: ConversationId | None = None
    name: str = ""
    """Of the folder or chat, as it is now."""

    @property
    def scope(self) -> FactScope:
        if self.chat_id is not None:
            return FactScope.CHAT
        return FactScope.EVERYWHERE if self.folder_id is None else FactScope.PROJECT

    @property
    def label(self) -> str:
        """The place for the user."""
        return self.label_of(self.scope, self.name)

    @staticmethod
    def label_of(scope: FactScope, name: str) -> str:
        """Return a place for the user; without the name of a chat it is this one."""
        if scope is FactScope.CHAT and not name:
            return tr("This chat")
        return tr(_LABELS[scope]).format(name=name)


EVERYWHERE: Final = FactPlace()


class RememberedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that the user confirmed to be remembered."""

    id: FactId
    text: str
    """One line."""
    created_at: float
    place: FactPlace = EVERYWHERE
    conversation_id: ConversationId | None = None
    """The chat that it is from; ``None`` if that was deleted, or the user wrote the fact by hand."""
    message_id: MessageId | None = None
    """The answer in which it was suggested; ``None`` likewise."""
    title: str = ""
    """The title of that chat."""


class ProposedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that a model suggests; it waits for the user."""

    message_id: MessageId
    call_id: str
    conversation_id: ConversationId
    text: str
    scope: FactScope
    project: str = ""
    """Name of the folder of the chat; empty where it is in none."""
    title: str = ""
    after_untrusted: bool = False
    """Whether the chat contained text by others before."""


class FactFormat(StrEnum):
    """The form of a file of facts."""

    MARKDOWN = "md"
    JSON = "json"
    CSV = "csv"


def tidy_fact(text: str) -> str:
    """Return a fact on one line, without what cannot be seen; empty where it is none, or too long."""
    fact = " ".join(without_invisible(text).split())
    return fact if len(fact) <= LONGEST_FACT else ""


def usable_facts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the facts of a file that can be remembered, each once, while they fit what a place holds."""
    usable: list[str] = []
    n_left = FACT_CHARACTERS
    for fact in dict.fromkeys(map(tidy_fact, texts)):
        n_left -= len(fact)
        if fact and n_left >= 0:
            usable.append(fact)
    return tuple(usable)


def scope_choices(*, proposed: FactScope, project: str) -> tuple[tuple[FactScope, str], ...]:
    """Return the scopes that the user can choose for a fact, the proposed one first, each with what the
    button says."""
    labels = {
        FactScope.EVERYWHERE: tr("Remember everywhere"),
        FactScope.PROJECT: tr("Remember in “{project}”").format(project=project),
        FactScope.CHAT: tr("Remember in this chat"),
    }
    others = [scope for scope in FactScope if scope is not proposed]
    return tuple((each, labels[each]) for each in (proposed, *others) if project or each != FactScope.PROJECT)


def facts_as(form: FactFormat, facts: Sequence[RememberedFact]) -> str:
    """Return the text of a file of facts."""
    writers: Mapping[FactFormat, Callable[[Sequence[RememberedFact]], str]] = {
        FactFormat.MARKDOWN: _markdown,
        FactFormat.JSON: _json,
        FactFormat.CSV: _csv,
    }
    return writers[form](facts)


def _markdown(facts: Sequence[RememberedFact]) -> str:
    places = dict.fromkeys(fact.place.label for fact in facts)
    title = tr("Remembered facts")
    lines = [f"# {title}"]
    for place in places:
        lines += ["", f"## {place}", ""]
        lines += [f"- {fact.text}" for fact in facts if fact.place.label == place]
    return "\n".join(lines) + "\n"


def _json(facts: Sequence[RememberedFact]) -> str:
    return msgspec.json.format(msgspec.json.encode([_row(fact) for fact in facts]), indent=2).decode() + "\n"


def _csv(facts: Sequence[RememberedFact]) -> str:
    text = io.StringIO()
    names = tuple(_row(facts[0])) if facts else ("text",)
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    # A text that begins like a formula would be one in a spreadsheet.
    writer.writerows({key: _plain(value) for key, value in _row(fact).items()} for fact in facts)
    return text.getvalue()


def _plain(value: str) -> str:
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t") else value


def _row(fact: RememberedFact) -> dict[str, str]:
    return {
        "text": fact.text,
        "scope": fact.place.scope.value,
        "place": fact.place.name,
        "source": fact.title,
        "created": datetime.fromtimestamp(fact.created_at, UTC).isoformat(timespec="seconds"),
    }

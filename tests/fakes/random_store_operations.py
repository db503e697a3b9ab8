"""Do random things to a store, and to a plain model of what it should hold."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from fakes.fake_clock import ManualClock
from fakes.stores import RECORD, answer, question
from fireside.core.artifacts import ArtifactPlace
from fireside.core.attachment import Attachment
from fireside.core.chat import (
    Branches,
    Conversation,
    ConversationSummary,
    MessageState,
    StoredMessage,
    TitleSource,
)
from fireside.core.ids import ConversationId, DraftId, DraftKey, MessageId, ModelId
from fireside.core.message import DocumentPart
from fireside.core.options import SettingValue
from fireside.core.search import SearchQuery
from fireside.storage.migrations import Migration, load_migrations
from fireside.storage.store import Durability, Store

WORDS = ("", "a", "two\nlines", "“Größe” 🦙", "\x00", "'; DROP TABLE message; --", "x" * 5_000)
NEW = DraftId("new")
FILES = tuple(
    Attachment(part=DocumentPart(name=f"{n}.txt", media_type="text/plain", text="word " * n), size_bytes=n)
    for n in (0, 1, 3_000)
)
FOUND, FOUND_BY = "Größe", "GRO"
Step = Callable[[], Awaitable[None]]


class Model:
    """What the store should hold, kept in plain dictionaries."""

    def __init__(self) -> None:
        self.conversations: dict[ConversationId, ConversationSummary] = {}
        self.deleted: set[ConversationId] = set()
        self.messages: dict[MessageId, StoredMessage] = {}
        self.leaf: dict[ConversationId, MessageId] = {}
        self.drafts: dict[DraftKey, str] = {NEW: ""}
        self.files: dict[DraftKey, tuple[Attachment, ...]] = {NEW: ()}
        self.overrides: dict[ConversationId, dict[str, SettingValue]] = {}
        self.versions: dict[MessageId, list[str]] = {}
        """What the user wrote of the artifact at the start of each answer."""
        self.unsaved: dict[MessageId, str] = {}
        """What is written of its next version."""

    def live(self) -> list[ConversationId]:
        return [id_ for id_ in self.conversations if id_ not in self.deleted]

    def path(self, leaf: MessageId | None) -> tuple[StoredMessage, ...]:
        path: list[StoredMessage] = []
        while leaf is not None:
            path.append(self.messages[leaf])
            leaf = self.messages[leaf].parent_id
        return tuple(reversed(path))

    def branches(self, conversation_id: ConversationId) -> Branches:
        groups: dict[MessageId | None, list[MessageId]] = {}
        for message in self.messages.values():
            if message.conversation_id == conversation_id:
                groups.setdefault(message.parent_id, []).append(message.id)
        path = self.path(self.leaf.get(conversation_id))
        found = {m.id: tuple(sorted(groups[m.parent_id])) for m in path}
        return Branches(siblings={id_: group for id_, group in found.items() if len(group) > 1})

    def added(self, message: StoredMessage) -> None:
        self.messages[message.id] = message
        self.leaf[message.conversation_id] = message.id

    def streaming(self) -> list[StoredMessage]:
        return [m for m in self.messages.values() if m.state is MessageState.STREAMING]

    def restart(self) -> None:
        """What opening does: deleted conversations are gone, streaming answers interrupted."""
        for id_ in self.deleted:
            del self.conversations[id_], self.drafts[id_], self.files[id_], self.overrides[id_]
            self.leaf.pop(id_, None)
        self.messages = {
            m.id: replace(m, state=MessageState.INTERRUPTED) if m.state is MessageState.STREAMING else m
            for m in self.messages.values()
            if m.conversation_id not in self.deleted
        }
        self.deleted.clear()


class Player:
    """Do random things to a store and to the model, and compare them."""

    def __init__(self, path: Path, *, seed: int, vfs: str = "") -> None:
        self.path = path
        self.vfs = vfs
        self.random = random.Random(seed)
        self.clock = ManualClock()
        self.model = Model()
        self.migrations: Sequence[Migration] = load_migrations()
        self.durability = Durability.POWER_CUT
        """What the last step was promised to outlive."""

    async def open(self) -> None:
        self.store = await Store.open(self.path, clock=self.clock, migrations=self.migrations, vfs=self.vfs)

    async def step(self) -> None:
        """Do one random thing; it is acknowledged when this returns."""
        self.clock.now += 1
        self.durability = Durability.POWER_CUT
        await self.random.choice(self._steps())()

    async def reopen(self) -> None:
        await self.store.close()
        await self.open()
        self.model.restart()

    def _steps(self) -> list[Step]:
        steps: list[Step] = [self.create, self.send, self.save_draft, self.attach, self.reopen, self.index]
        if self.model.live():
            steps += [self.rename, self.pin, self.delete, self.override, self.send_on, self.send_on]
        if self.model.deleted:
            steps.append(self.restore)
        if self.model.messages:
            steps += [self.branch, self.back]
        if self._of_live():
            steps += [self.write_version, self.save_version]
        if self.model.streaming():
            steps += [self.append, self.append, self.finish]
        return steps

    async def compare(self) -> None:
        model = self.model
        lines = sorted(
            (model.conversations[id_] for id_ in model.live()), key=lambda c: (-c.updated_at, -c.id)
        )
        assert await self.store.conversations.all() == tuple(lines)
        assert await self.store.drafts.text(NEW) == model.drafts[NEW]
        assert await self.store.drafts.files(NEW) == model.files[NEW]
        assert await self._n_contents() == len({file for files in model.files.values() for file in files})
        for line in lines:
            assert await self.store.conversations.open(line.id) == Conversation(
                summary=line,
                messages=model.path(model.leaf.get(line.id)),
                draft=model.drafts[line.id],
                overrides=model.overrides[line.id],
                branches=model.branches(line.id),
                attached=model.files[line.id],
            )
        for message in model.messages.values():
            assert await self.store.messages.get(message.id) == message
            same_parent = [
                m.id
                for m in model.messages.values()
                if (m.conversation_id, m.parent_id) == (message.conversation_id, message.parent_id)
            ]
            assert await self.store.messages.siblings(message.id) == tuple(sorted(same_parent))
            notes = (await self.store.artifact_edits.of_messages([message.id])).get(message.id, ())
            assert [edit.text for note in notes for edit in note.edits] == model.versions.get(message.id, [])
            assert [note.draft for note in notes if note.draft] == list(
                filter(None, [model.unsaved.get(message.id)])
            )
        await self._compare_search()

    async def _compare_search(self) -> None:
        """What is found has the word, and what has the word is found."""
        while await self.store.search.index_some(limit_s=1.0):
            pass
        found = await self.store.search.find(SearchQuery(text=FOUND_BY, limit=10_000))
        with_word = [
            m.conversation_id
            for m in self.model.messages.values()
            if m.conversation_id not in self.model.deleted
            and m.state is not MessageState.STREAMING
            and FOUND in m.message.text
        ]
        in_title = {id_ for id_ in self.model.live() if FOUND in self.model.conversations[id_].title}
        assert {f.summary.id: f.n_hits for f in found.matches} == {
            id_: with_word.count(id_) for id_ in {*with_word, *in_title}
        }

    def _conversation(self) -> ConversationId:
        return self.random.choice(self.model.live())

    def _word(self) -> str:
        return self.random.choice(WORDS)

    def _learned(self, summary: ConversationSummary) -> None:
        if summary.id not in self.model.conversations:
            self.model.drafts[summary.id] = ""
            self.model.files[summary.id] = ()
            self.model.overrides[summary.id] = {}
        self.model.conversations[summary.id] = summary

    def _touched(self, conversation_id: ConversationId) -> None:
        old = self.model.conversations[conversation_id]
        self.model.conversations[conversation_id] = replace(old, updated_at=self.clock.now)

    def _of_live(self) -> list[MessageId]:
        """The messages of conversations that are not deleted."""
        return [m.id for m in self.model.messages.values() if m.conversation_id not in self.model.deleted]

    async def write_version(self) -> None:
        place = ArtifactPlace(message_id=self.random.choice(self._of_live()), start=0)
        text = self._word()
        await self.store.artifact_edits.save_draft(place, text=text or None)
        self.model.unsaved[place.message_id] = text

    async def save_version(self) -> None:
        place = ArtifactPlace(message_id=self.random.choice(self._of_live()), start=0)
        text = self._word()
        await self.store.artifact_edits.add(place, text=text)
        self.model.versions.setdefault(place.message_id, []).append(text)
        self.model.unsaved.pop(place.message_id, None)

    async def create(self) -> None:
        made = await self.store.conversations.create(title=self._word(), model_id=ModelId("m"))
        assert made.created_at == made.updated_at == self.clock.now
        self._learned(made)

    async def send(self) -> None:
        await self._send(None)

    async def send_on(self) -> None:
        await self._send(self._conversation())

    async def _send(self, to: ConversationId | None) -> None:
        text = self._word()
        leaf = self.model.leaf.get(to) if to is not None else None
        turn = await self.store.messages.add_turn(
            to, title="t", message=question(text), generation=RECORD, draft_id=NEW
        )
        assert (turn.question.parent_id, turn.answer.parent_id) == (leaf, turn.question.id)
        assert turn.question.message.text == text
        self.model.drafts[to or NEW] = ""
        self.model.files[to or NEW] = ()
        self._learned(turn.summary)
        self.model.added(turn.question)
        self.model.added(turn.answer)

    async def branch(self) -> None:
        beside = self.random.choice(list(self.model.messages.values()))
        if beside.conversation_id in self.model.deleted:
            return
        self.model.added(
            await self.store.messages.add(
                beside.conversation_id,
                parent_id=beside.parent_id,
                message=answer(self._word()),
                state=self.random.choice((MessageState.STREAMING, MessageState.COMPLETE)),
            )
        )
        self._touched(beside.conversation_id)

    async def back(self) -> None:
        message = self.random.choice(list(self.model.messages.values()))
        await self.store.messages.set_active_leaf(message.id)
        self.model.leaf[message.conversation_id] = message.id

    async def append(self) -> None:
        message, text = self.random.choice(self.model.streaming()), self._word()
        self.durability = self.random.choice(list(Durability))
        await self.store.messages.append_text(message.id, text, durability=self.durability)
        old = await self.store.messages.get(message.id)
        assert old.message.text == message.message.text + text
        self.model.messages[message.id] = old

    async def finish(self) -> None:
        message = self.random.choice(self.model.streaming())
        final = replace(message, message=answer(self._word()), state=MessageState.COMPLETE)
        await self.store.messages.finish(final)
        self.model.messages[final.id] = final
        self._touched(final.conversation_id)

    async def rename(self) -> None:
        id_, title = self._conversation(), self._word()
        assert (await self.store.conversations.rename(id_, title=title)).title == title
        self.model.conversations[id_] = replace(
            self.model.conversations[id_], title=title, title_by=TitleSource.USER
        )

    async def pin(self) -> None:
        id_ = self._conversation()
        pinned = not self.model.conversations[id_].pinned
        await self.store.conversations.set_pinned(id_, pinned=pinned)
        self.model.conversations[id_] = replace(self.model.conversations[id_], pinned=pinned)

    async def delete(self) -> None:
        id_ = self._conversation()
        await self.store.conversations.delete((id_,))
        self.model.deleted.add(id_)

    async def restore(self) -> None:
        id_ = self.random.choice(sorted(self.model.deleted))
        await self.store.conversations.restore((id_,))
        self.model.deleted.remove(id_)

    async def save_draft(self) -> None:
        place, text = self._draft_place(), self._word()
        await self.store.drafts.save_text(place, text=text)
        self.model.drafts[place] = text

    async def attach(self) -> None:
        place = self._draft_place()
        files = tuple(self.random.sample(FILES, k=self.random.randint(0, len(FILES))))
        await self.store.drafts.save_files(place, attached=files)
        self.model.files[place] = files

    def _draft_place(self) -> DraftKey:
        places: list[DraftKey] = [NEW, *self.model.live()]
        return self.random.choice(places)

    async def _n_contents(self) -> int:
        """Return how many files are kept: each once, and none that no draft has."""
        (n,) = await self.store.run(
            lambda: self.store._database.row("SELECT count(*) FROM draft_content") or (0,)
        )
        assert isinstance(n, int)
        return n

    async def index(self) -> None:
        # Promises nothing: what is taken back is read again.
        self.durability = Durability.PROCESS
        await self.store.search.index_some(limit_s=0.0)

    async def override(self) -> None:
        id_, key = self._conversation(), self.random.choice("ab")
        if self.random.random() < 0.3:
            await self.store.conversations.clear_override(id_, key=key)
            self.model.overrides[id_].pop(key, None)
        else:
            value = self.random.choice((True, 3, 0.5, "text", ("a", "b"), None))
            await self.store.conversations.set_override(id_, key=key, value=value)
            self.model.overrides[id_][key] = value

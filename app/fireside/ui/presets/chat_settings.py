"""The settings of the chat in front, including a new chat's, which are sent with its first message."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from fireside.core.chat import Folder, NewDraft
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.ids import ConversationId, DraftId, ModelId
from fireside.core.options import SettingValue
from fireside.core.preset import (
    PRESET_NAME_KEY,
    AppliedPreset,
    release_preset_keys,
    with_preset,
    without_preset,
)
from fireside.settings.definitions import BY_KEY
from fireside.settings.layers import project_settings
from fireside.settings.value_check import normalise
from fireside.settings.values import ConversationLayer, Origin, ResolvedSetting
from fireside.ui.tasks import LatestRequest, OnError
from fireside.ui.window_context import WindowContext


class ChatSettings(QObject):
    """Reads and writes the settings of the chat in front. GUI thread only."""

    changed = Signal()
    """Emitted when the effective settings of the chat in front have changed."""

    def __init__(
        self,
        context: WindowContext,
        *,
        conversation_id: Callable[[], ConversationId | None],
        model_id: Callable[[], ModelId | None],
        draft_id: Callable[[], DraftId],
        folder: Callable[[], Folder | None],
        parent: QObject,
    ) -> None:
        """``draft_id`` returns the id of the new chat's draft, ``folder`` the folder of the chat in front."""
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self._on_error = context.show_error
        self._conversation_id = conversation_id
        self._model_id = model_id
        self._draft_id = draft_id
        self._folder = folder
        self._latest = LatestRequest(context.tasks)
        self._resolved: Mapping[str, ResolvedSetting] = {}
        self.loaded_for: ConversationId | None = None
        """The chat whose settings are loaded; ``None`` for the new one."""
        self.new_chat_values: dict[str, SettingValue] = {}
        """The settings that the new chat sets itself, by key; empty once it has its first message."""

    # Effective values

    def value(self, key: str) -> SettingValue:
        """Return the effective value in the chat in front; ``None`` until it is known."""
        if self._conversation_id() is None and key in (opening := self._of_new_chat):
            return opening[key]
        setting = self._resolved.get(key)
        return None if setting is None else setting.value

    def is_own(self, key: str) -> bool:
        """Whether the chat has a value of its own."""
        if self._conversation_id() is None:
            return key in self.new_chat_values
        setting = self._resolved.get(key)
        return setting is not None and setting.origin is Origin.CONVERSATION

    @property
    def resolved(self) -> tuple[ResolvedSetting, ...]:
        """Every setting with its effective value in the chat in front; empty until they are known."""
        if self.loaded_for is not None:
            return tuple(self._resolved.values())
        opening, own = self._of_new_chat, self.new_chat_values
        return tuple(
            replace(setting, value=opening[key], origin=Origin.CONVERSATION if key in own else Origin.PROJECT)
            if key in opening
            else setting
            for key, setting in self._resolved.items()
        )

    @property
    def folder(self) -> Folder | None:
        """The folder of the chat in front."""
        return self._folder()

    @property
    def _of_new_chat(self) -> dict[str, SettingValue]:
        """What the new chat and its folder set."""
        folder = self.folder
        return {**(project_settings(folder) if folder is not None else {}), **self.new_chat_values}

    @property
    def opening(self) -> dict[str, SettingValue]:
        """What distinguishes the new chat from any other, its folder's settings and collections included."""
        folder, opening = self.folder, self._of_new_chat
        if folder is not None and folder.collections:
            own = opening.get(COLLECTIONS_KEY)
            ids = (*(own if isinstance(own, tuple) else ()), *folder.collections)
            opening[COLLECTIONS_KEY] = tuple(dict.fromkeys(ids))
        return opening

    @property
    def own(self) -> dict[str, SettingValue]:
        """All values that the chat sets itself, by key."""
        if self._conversation_id() is None:
            return dict(self.new_chat_values)
        return {
            key: setting.value
            for key, setting in self._resolved.items()
            if setting.origin is Origin.CONVERSATION
        }

    @property
    def preset(self) -> str:
        """Name of the chat's preset; empty for none."""
        return str(self.value(PRESET_NAME_KEY) or "")

    def refresh(self, *, then: Callable[[], None] | None = None) -> None:
        """Request the effective settings; ``then`` is called once they are known."""

        conversation_id = self._conversation_id()

        def on_done(resolved: tuple[ResolvedSetting, ...]) -> None:
            self.loaded_for = conversation_id
            self._resolved = {setting.definition.key: setting for setting in resolved}
            self.changed.emit()
            if then is not None:
                then()

        work = self._client.settings.resolved(model_id=self._model_id(), conversation_id=conversation_id)
        self._latest.run(work, on_done=on_done, on_error=self._on_error)

    # Changes

    def apply(self, preset: AppliedPreset) -> None:
        """Apply a preset in place of the one before."""
        conversation_id = self._conversation_id()
        if conversation_id is None:
            self._set_new_chat_values(with_preset(self.new_chat_values, preset))
        else:
            self._run(self._client.presets.apply(conversation_id, preset))

    def show_new_chat(self, draft: NewDraft) -> None:
        """Have the settings of another draft of a new chat."""
        self.new_chat_values = {key: value for key, value in draft.settings.items() if key in BY_KEY}
        self.changed.emit()

    def remove_preset(self) -> None:
        """Remove the chat's preset."""
        conversation_id = self._conversation_id()
        if conversation_id is None:
            self._set_new_chat_values(without_preset(self.new_chat_values))
        else:
            self._run(self._client.presets.unapply(conversation_id))

    def change(self, values: Mapping[str, SettingValue], *, then: Callable[[], None] | None = None) -> None:
        """Set values of the chat in front; ``None`` removes one. ``then`` is called once they are stored and
        read again."""
        conversation_id = self._conversation_id()
        if conversation_id is None:
            self._change_new_chat_values(values)
            if then is not None:
                then()
        else:
            self._run(self._write(conversation_id, values), then=then)

    def change_one(
        self,
        key: str,
        value: SettingValue,
        *,
        conversation_id: ConversationId | None,
        on_invalid: Callable[[SettingInvalid], None],
    ) -> None:
        """Set one value of a chat (``None`` for the new one), even if another is in front by now.

        ``on_invalid`` is called with the error if the setting cannot have that value.
        """

        def on_error(error: FiresideError) -> None:
            on_invalid(error) if isinstance(error, SettingInvalid) else self._on_error(error)

        if conversation_id is not None:
            self._run(self._write(conversation_id, {key: value}), on_error=on_error)
            return
        try:
            normalised = None if value is None else normalise(BY_KEY[key], value)
        except SettingInvalid as error:
            on_error(error)
        else:
            self._change_new_chat_values({key: normalised})

    def _change_new_chat_values(self, values: Mapping[str, SettingValue]) -> None:
        values_by_key = release_preset_keys(self.new_chat_values, values)
        for key, value in values.items():
            values_by_key.pop(key, None)
            if value is not None:
                values_by_key[key] = value
        self._set_new_chat_values(values_by_key)

    async def _write(self, conversation_id: ConversationId, values: Mapping[str, SettingValue]) -> None:
        layer = ConversationLayer(conversation_id=conversation_id)
        for key, value in values.items():
            if value is None:
                await self._client.settings.clear(layer, key=key)
            else:
                await self._client.settings.change(layer, key=key, value=value)

    def _set_new_chat_values(self, new_chat_values: dict[str, SettingValue]) -> None:
        self.new_chat_values = new_chat_values
        work = self._client.conversations.save_draft_settings(self._draft_id(), settings=new_chat_values)
        self._tasks.run(work, on_error=self._on_error)
        self.changed.emit()

    def _run(
        self,
        work: Coroutine[Any, Any, None],
        *,
        then: Callable[[], None] | None = None,
        on_error: OnError | None = None,
    ) -> None:
        def on_done(_none: None) -> None:
            self.refresh(then=then)

        def on_failed(error: FiresideError) -> None:
            self._on_error(error)
            self.refresh()

        self._tasks.run(work, on_done=on_done, on_error=on_error or on_failed)

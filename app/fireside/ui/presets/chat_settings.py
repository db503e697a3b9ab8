"""The settings of the chat in front, also of one that does not exist yet: those go along with its first
message."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.preset import (
    PRESET_NAME_KEY,
    TakenPreset,
    changed_by_hand,
    with_preset,
    without_preset,
)
from fireside.settings.values import ConversationLayer, Origin, ResolvedSetting
from fireside.ui.tasks import LatestRequest
from fireside.ui.window_context import WindowContext


class ChatSettings(QObject):
    """Reads and writes them. GUI thread only."""

    changed = Signal()
    """What holds in the chat in front is another."""

    def __init__(
        self,
        context: WindowContext,
        *,
        conversation_id: Callable[[], ConversationId | None],
        model_id: Callable[[], ModelId | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self._on_error = context.show_error
        self._conversation_id = conversation_id
        self._model_id = model_id
        self._latest = LatestRequest(context.tasks)
        self._resolved: Mapping[str, ResolvedSetting] = {}
        self.opening: dict[str, SettingValue] = {}
        """Own settings of the new chat; none once it has its first message."""

    # What holds

    def value(self, key: str) -> SettingValue:
        """Return what holds in the chat in front; ``None`` until it is known."""
        if self._conversation_id() is None and key in self.opening:
            return self.opening[key]
        setting = self._resolved.get(key)
        return None if setting is None else setting.value

    def is_own(self, key: str) -> bool:
        """Whether the chat has a value of its own."""
        if self._conversation_id() is None:
            return key in self.opening
        setting = self._resolved.get(key)
        return setting is not None and setting.origin is Origin.CONVERSATION

    @property
    def own(self) -> dict[str, SettingValue]:
        """All that the chat has of its own."""
        if self._conversation_id() is None:
            return dict(self.opening)
        return {key: one.value for key, one in self._resolved.items() if one.origin is Origin.CONVERSATION}

    @property
    def preset(self) -> str:
        """Name of the chat's preset; empty for none."""
        return str(self.value(PRESET_NAME_KEY) or "")

    def refresh(self, *, then: Callable[[], None] | None = None) -> None:
        """Ask what holds now; ``then`` is done once it is known."""

        def on_done(resolved: tuple[ResolvedSetting, ...]) -> None:
            self._resolved = {setting.definition.key: setting for setting in resolved}
            self.changed.emit()
            if then is not None:
                then()

        work = self._client.settings.resolved(
            model_id=self._model_id(), conversation_id=self._conversation_id()
        )
        self._latest.run(work, on_done=on_done, on_error=self._on_error)

    # Changes

    def apply(self, preset: TakenPreset) -> None:
        """Have a preset in place of the one before."""
        conversation_id = self._conversation_id()
        if conversation_id is None:
            self._open_with(with_preset(self.opening, preset))
        else:
            self._run(self._client.presets.take(conversation_id, preset))

    def remove_preset(self) -> None:
        """Have no preset."""
        conversation_id = self._conversation_id()
        if conversation_id is None:
            self._open_with(without_preset(self.opening))
        else:
            self._run(self._client.presets.leave(conversation_id))

    def change(self, values: Mapping[str, SettingValue], *, then: Callable[[], None] | None = None) -> None:
        """Give settings values of the chat's own; ``None`` is none of its own."""
        conversation_id = self._conversation_id()
        if conversation_id is not None:
            self._run(self._write(conversation_id, values), then=then)
            return
        kept = changed_by_hand(self.opening, values)
        for key, value in values.items():
            kept.pop(key, None)
            if value is not None:
                kept[key] = value
        self._open_with(kept)
        if then is not None:
            then()

    async def _write(self, conversation_id: ConversationId, values: Mapping[str, SettingValue]) -> None:
        layer = ConversationLayer(conversation_id=conversation_id)
        for key, value in values.items():
            if value is None:
                await self._client.settings.clear(layer, key=key)
            else:
                await self._client.settings.change(layer, key=key, value=value)

    def _open_with(self, opening: dict[str, SettingValue]) -> None:
        self.opening = opening
        self.changed.emit()

    def _run(self, work: Coroutine[Any, Any, None], *, then: Callable[[], None] | None = None) -> None:
        def on_done(_none: None) -> None:
            self.refresh(then=then)

        def on_error(error: FiresideError) -> None:
            self._on_error(error)
            self.refresh()

        self._tasks.run(work, on_done=on_done, on_error=on_error)

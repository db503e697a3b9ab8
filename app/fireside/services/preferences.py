"""Resolve and change settings: the program's, the model's and the conversation's, by precedence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from fireside.core.errors import SettingsUnwritable
from fireside.core.events import AppEvent, FoldersChanged, SettingsChanged
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, FolderId, ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.preset import PRESET_KEYS_KEY, preset_keys, release_preset_keys
from fireside.settings.service import Settings
from fireside.settings.values import (
    AppLayer,
    ConversationLayer,
    Layer,
    ModelLayer,
    ProjectLayer,
    ResolvedSetting,
)
from fireside.storage.store import Store


class Preferences:
    """Settings in every layer. Files are written in a thread.

    ``SettingsChanged`` has the keys that have changed.
    """

    def __init__(self, *, settings: Settings, store: Store, emit: Callable[[AppEvent], None]) -> None:
        self._settings = settings
        self._store = store
        self._emit = emit
        self._write_lock = asyncio.Lock()

    @for_window
    async def resolved(
        self,
        *,
        model_id: ModelId | None,
        conversation_id: ConversationId | None,
        run: Mapping[str, SettingValue] = NO_SETTINGS,
    ) -> tuple[ResolvedSetting, ...]:
        """Return every setting with its value for this model and conversation, in page order.

        ``run`` has values for one answer alone. Raises ``SettingInvalid`` where one of them is invalid.
        """
        values: dict[str, SettingValue] = {}
        project: Mapping[str, SettingValue] = NO_SETTINGS
        if conversation_id is not None:
            values |= await self._store.conversations.overrides(conversation_id)
            folder = await self._store.folders.folder_of(conversation_id)
            project = NO_SETTINGS if folder is None else folder.settings
        for key, value in run.items():
            values[key] = self._settings.validate(
                key, value, model_id=model_id, project=project, conversation=values
            )
        return self._settings.resolved(model_id=model_id, project=project, conversation=values)

    def resolved_in(
        self,
        project: Mapping[str, SettingValue],
        own: Mapping[str, SettingValue],
        *,
        model_id: ModelId | None,
    ) -> tuple[ResolvedSetting, ...]:
        """Return every setting with its value for a conversation with its ``own`` values in a project."""
        return self._settings.resolved(model_id=model_id, project=project, conversation=own)

    def apply_model_defaults(self, specs: Iterable[ModelSpec]) -> None:
        """Use the sampling defaults that models come with as the weakest layer."""
        self._settings.set_models(specs)

    @for_window
    async def change(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        """Store a value in a layer.

        Raises ``SettingInvalid``, ``StorageError``, or ``SettingsUnwritable``: then it applies to this run
        only.
        """
        match layer:
            case ConversationLayer():
                overrides = await self._store.conversations.overrides(layer.conversation_id)
                checked = self._settings.validate(key, value, conversation=overrides)
                await self._store.conversations.set_override(layer.conversation_id, key=key, value=checked)
                await self._release_from_preset(layer.conversation_id, overrides, key=key)
            case ProjectLayer(folder_id=folder_id):
                settings = (await self._store.folders.get(folder_id)).settings
                checked = self._settings.validate(key, value, project=settings, conversation=None)
                await self._set_in_project(folder_id, settings, {key: checked})
            case AppLayer() | ModelLayer():
                await self._write(lambda: self._settings.change(layer, key=key, value=value), key=key)
                return
        self._emit(SettingsChanged(keys=(key,)))

    @for_window
    async def clear(self, layer: Layer, *, key: str) -> None:
        """Delete the value of a layer, so that lower layers apply."""
        match layer:
            case ConversationLayer():
                overrides = await self._store.conversations.overrides(layer.conversation_id)
                await self._store.conversations.clear_override(layer.conversation_id, key=key)
                await self._release_from_preset(layer.conversation_id, overrides, key=key)
            case ProjectLayer(folder_id=folder_id):
                settings = (await self._store.folders.get(folder_id)).settings
                await self._set_in_project(folder_id, settings, {key: None})
            case AppLayer() | ModelLayer():
                await self._write(lambda: self._settings.clear(layer, key=key), key=key)
                return
        self._emit(SettingsChanged(keys=(key,)))

    def checked(
        self,
        settings: Mapping[str, SettingValue],
        *,
        own: Mapping[str, SettingValue] = NO_SETTINGS,
        model_id: ModelId | None = None,
    ) -> dict[str, SettingValue]:
        """Return ``settings`` as a conversation with its ``own`` values stores them. Raises
        ``SettingInvalid``."""
        values: dict[str, SettingValue] = {}
        for key, value in settings.items():
            values[key] = self._settings.validate(
                key, value, model_id=model_id, conversation={**own, **settings}
            )
        return values

    async def _set_in_project(
        self,
        folder_id: FolderId,
        settings: Mapping[str, SettingValue],
        changed: Mapping[str, SettingValue],
    ) -> None:
        """Store the ``settings`` of a project with some ``changed``; ``None`` removes one."""
        released = {**release_preset_keys(settings, changed), **changed}
        kept = {key: value for key, value in released.items() if value is not None}
        await self._store.folders.set_settings(folder_id, kept)
        self._emit(FoldersChanged(folders=await self._store.folders.all()))

    async def _release_from_preset(
        self, conversation_id: ConversationId, overrides: Mapping[str, SettingValue], *, key: str
    ) -> None:
        """Keep the user's own values when the conversation's preset is removed."""
        if key in preset_keys(overrides):
            left = release_preset_keys(overrides, [key])[PRESET_KEYS_KEY]
            await self._store.conversations.set_override(conversation_id, key=PRESET_KEYS_KEY, value=left)

    async def _write(self, work: Callable[[], object], *, key: str) -> None:
        try:
            async with self._write_lock:
                await asyncio.to_thread(work)
        except SettingsUnwritable:
            self._emit(SettingsChanged(keys=(key,)))  # it holds for this run; only the file lacks it
            raise
        self._emit(SettingsChanged(keys=(key,)))

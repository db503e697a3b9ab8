"""Load settings in force together with the user's unsaved changes. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from fireside.core.errors import SettingInvalid
from fireside.core.ids import ConversationId, ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.core.reload import fields_to_reload
from fireside.core.status import ModelState, Ready
from fireside.settings.conversions import load_options
from fireside.settings.values import (
    ConversationLayer,
    ModelLayer,
    Origin,
    ResolvedSetting,
)

_INVALIDATE_STATES: Final = frozenset(
    f"load.{name}" for name in ("n_seq_max", "cache_type_k", "cache_type_v", "flash_attn", "lora", "runtime")
)
"""Changing these invalidates saved prompt states; see ``runner.prompt_cache.cache_key``."""


class PendingOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in force and the changes to them; a change to ``None`` lets Fireside decide."""

    settings: tuple[ResolvedSetting, ...] = ()
    changes: dict[str, SettingValue] = {}

    def setting(self, key: str) -> ResolvedSetting | None:
        """Return a setting in force; ``None`` for an unknown key."""
        return next((setting for setting in self.settings if setting.definition.key == key), None)

    def value(self, key: str) -> SettingValue:
        """Return the value after the changes; the default where Fireside decides."""
        setting = self.setting(key)
        if setting is None:
            return None
        changed = self.changes.get(key, setting.value)
        return setting.definition.default if changed is None else changed

    def is_auto(self, key: str) -> bool:
        """Return whether Fireside decides: the value is “auto”, or none was chosen."""
        setting = self.setting(key)
        if setting is None:
            return False
        auto = setting.definition.auto
        if auto is not None:
            return self.value(key) == auto
        return self.changes[key] is None if key in self.changes else setting.origin is Origin.DEFAULT

    def can_be_auto(self, key: str) -> bool:
        """Return whether Fireside can decide: it has an “auto” value, or no stronger layer sets it for all
        models."""
        setting = self.setting(key)
        if setting is None:
            return False
        stronger_layers = (Origin.FILE, Origin.ENVIRONMENT, Origin.COMMAND_LINE)
        return setting.definition.auto is not None or setting.origin not in stronger_layers

    def needs_reload(self, key: str) -> bool:
        """Return whether a change takes effect only after a reload."""
        setting = self.setting(key)
        return setting is None or setting.definition.needs_reload

    def with_changes(self, values: Mapping[str, SettingValue]) -> PendingOptions:
        """Return a copy with more changes, without those that equal the values in force."""
        merged = {**self.changes, **values}
        effective = {key: value for key, value in merged.items() if self._differs(key, value)}
        return msgspec.structs.replace(self, changes=effective)

    def resolved(self) -> tuple[ResolvedSetting, ...]:
        """Return the settings after the changes."""
        return tuple(self._resolved(setting) for setting in self.settings)

    def _resolved(self, setting: ResolvedSetting) -> ResolvedSetting:
        key = setting.definition.key
        if key not in self.changes:
            return setting
        origin = Origin.DEFAULT if self.changes[key] is None else Origin.MODEL
        return msgspec.structs.replace(setting, value=self.value(key), origin=origin)

    def _differs(self, key: str, value: SettingValue) -> bool:
        setting = self.setting(key)
        if setting is None:
            return False
        is_chosen = setting.origin is not Origin.DEFAULT
        if value is None:
            return is_chosen
        # Choosing the default explicitly still pins it.
        return value != setting.value or (not is_chosen and setting.definition.auto is None)

    def layer_of(
        self, key: str, *, model_id: ModelId, conversation_id: ConversationId | None
    ) -> ModelLayer | ConversationLayer:
        """Return the layer a change must be written to: a chat's own value overrides the model's."""
        setting = self.setting(key)
        if conversation_id is not None and setting is not None and setting.origin is Origin.CONVERSATION:
            return ConversationLayer(conversation_id=conversation_id)
        return ModelLayer(model_id=model_id)


def keeps_states(pending_keys: frozenset[str]) -> bool:
    """Return whether saved prompt states stay valid after a reload for these keys."""
    return not pending_keys & _INVALIDATE_STATES


def settings_pending_reload(
    settings: tuple[ResolvedSetting, ...], *, state: ModelState, spec: ModelSpec
) -> frozenset[str]:
    """Return the keys that a loaded model needs a reload for; empty for an unloaded one."""
    if not isinstance(state, Ready) or not settings:
        return frozenset()
    try:
        options = load_options(settings)
    except SettingInvalid:
        # The settings contradict each other: the load will report that.
        return frozenset()
    names = fields_to_reload(spec, options, requested=state.options, resolved=state.placed)
    # Some options are not settings of this panel, such as a model's projector.
    known_keys = {setting.definition.key for setting in settings}
    return frozenset({f"load.{name}" for name in names} & known_keys)

"""What the user wants of a load beside what is in force. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr_noop
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
    SettingDefinition,
)

AUTO_LABELS: Final = tr_noop("Auto")
_CHANGES_STATES: Final = frozenset(
    f"load.{name}" for name in ("n_seq_max", "cache_type_k", "cache_type_v", "flash_attn", "lora", "runtime")
)
"""What was read of a conversation cannot be used again after these; see ``runner.prompt_cache.cache_key``."""


def auto_value(definition: SettingDefinition) -> SettingValue:
    """Return the value that lets Fireside decide; ``None`` where a setting has none."""
    return next((value for value, words in definition.choices if words == AUTO_LABELS), None)


class PendingOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in force, and what is to be changed of them; ``None`` leaves one to Fireside."""

    settings: tuple[ResolvedSetting, ...] = ()
    changes: dict[str, SettingValue] = {}

    def setting(self, key: str) -> ResolvedSetting | None:
        """Return a setting as it is in force, if there is such a setting."""
        return next((setting for setting in self.settings if setting.definition.key == key), None)

    def value(self, key: str) -> SettingValue:
        """Return what would be in force; the default where Fireside decides."""
        setting = self.setting(key)
        if setting is None:
            return None
        changed = self.changes.get(key, setting.value)
        return setting.definition.default if changed is None else changed

    def is_auto(self, key: str) -> bool:
        """Tell whether Fireside decides: the value says so, or none was chosen."""
        setting = self.setting(key)
        if setting is None:
            return False
        auto = auto_value(setting.definition)
        if auto is not None:
            return self.value(key) == auto
        return self.changes[key] is None if key in self.changes else setting.origin is Origin.DEFAULT

    def can_be_auto(self, key: str) -> bool:
        """Tell whether it can be left to Fireside here, and is not settled for every model."""
        setting = self.setting(key)
        if setting is None:
            return False
        settled = (Origin.FILE, Origin.ENVIRONMENT, Origin.COMMAND_LINE)
        return auto_value(setting.definition) is not None or setting.origin not in settled

    def needs_reload(self, key: str) -> bool:
        """Tell whether a loaded model must be loaded again for a change."""
        setting = self.setting(key)
        return setting is None or setting.definition.needs_reload

    def with_changes(self, values: Mapping[str, SettingValue]) -> PendingOptions:
        """Return this with other values; those that are in force anyway are no changes."""
        merged = {**self.changes, **values}
        kept = {key: value for key, value in merged.items() if self._differs(key, value)}
        return msgspec.structs.replace(self, changes=kept)

    def resolved(self) -> tuple[ResolvedSetting, ...]:
        """Return the settings as they would be."""
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
        # To choose what Fireside would have taken is to hold it fast.
        return value != setting.value or (not is_chosen and auto_value(setting.definition) is None)

    def layer_of(
        self, key: str, *, model_id: ModelId, conversation_id: ConversationId | None
    ) -> ModelLayer | ConversationLayer:
        """Return where a change has to be written to have an effect: a chat's own value is stronger."""
        setting = self.setting(key)
        if conversation_id is not None and setting is not None and setting.origin is Origin.CONVERSATION:
            return ConversationLayer(conversation_id=conversation_id)
        return ModelLayer(model_id=model_id)


def keeps_states(waiting: frozenset[str]) -> bool:
    """Tell whether what was read of conversations can be used after a reload for these keys."""
    return not waiting & _CHANGES_STATES


def settings_pending_reload(
    settings: tuple[ResolvedSetting, ...], *, state: ModelState, spec: ModelSpec
) -> frozenset[str]:
    """Return the keys of the settings that a loaded model does not have yet; none for one not loaded."""
    if not isinstance(state, Ready) or not settings:
        return frozenset()
    try:
        wanted = load_options(settings)
    except SettingInvalid:
        # Layers disagree: the load itself will say so.
        return frozenset()
    names = fields_to_reload(spec, wanted, asked=state.options, placed=state.placed)
    # Some of it is not set here, such as a model's projector.
    known = {setting.definition.key for setting in settings}
    return frozenset({f"load.{name}" for name in names} & known)

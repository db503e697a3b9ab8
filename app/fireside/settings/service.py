"""Answer which settings hold, and change them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from fireside.core.errors import SettingInvalid, SettingsError
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.settings.conversions import by_key
from fireside.settings.cross_checks import check_together
from fireside.settings.definitions import BY_KEY
from fireside.settings.document import Edit, app_values, model_ids, model_values
from fireside.settings.file import SettingsFile
from fireside.settings.folders import check_file, check_folder
from fireside.settings.layers import (
    Checked,
    Values,
    check_stored,
    from_environment,
    from_model,
    may_override,
    resolve,
)
from fireside.settings.value_check import normalise
from fireside.settings.values import AppLayer, Kind, ModelLayer, Origin, ResolvedSetting, SettingDefinition

_NOTHING: Final[Values] = MappingProxyType({})


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The settings file after checking."""

    app: Checked
    models: dict[ModelId, Checked]


class Settings:
    """Every setting, from all layers. Any thread; ``load`` and changes touch the disk.

    Nothing here stops the program: what cannot be used is left out, kept in its file, and told by
    ``problems``.
    """

    def __init__(
        self,
        *,
        file: SettingsFile,
        environ: Mapping[str, str],
        command_line: Values = _NOTHING,
    ) -> None:
        """Take the layers. ``command_line`` holds what ``parse_assignments`` returned."""
        self._file = file
        self._environment = from_environment(environ)
        self._command_line = command_line
        self._damage: SettingsError | None = None
        self._of_models: Mapping[ModelId, Values] = {}
        self._stored = self._check_file()

    def load(self) -> None:
        """Read the settings file. Never raises: see ``problems``."""
        self._damage = self._file.load()
        self._stored = self._check_file()

    def set_model_defaults(self, sampling: Mapping[ModelId, tuple[tuple[str, float | str], ...]]) -> None:
        """Take what the files of all models ask for, ``ModelSpec.sampling``, as the weakest layer."""
        self._of_models = {model_id: from_model(wanted) for model_id, wanted in sampling.items() if wanted}

    def problems(self) -> tuple[SettingsError, ...]:
        """Return what could not be used and why: file, stored values, environment."""
        stored = self._stored
        found: list[SettingsError] = [] if self._damage is None else [self._damage]
        found += stored.app.problems
        for checked in stored.models.values():
            found += checked.problems
        return (*found, *self._environment.problems)

    def resolved(
        self, *, model_id: ModelId | None = None, conversation: Mapping[str, object] = _NOTHING
    ) -> tuple[ResolvedSetting, ...]:
        """Return every setting in page order with the value in force and its origin.

        ``conversation`` holds that conversation's own values as storage keeps them; one that no longer passes
        is left out.
        """
        return resolve(self._layers(model_id, check_stored(conversation).values))

    def change(self, layer: AppLayer | ModelLayer, *, key: str, value: object) -> SettingValue:
        """Write one value and return it as it is kept.

        Raises ``SettingInvalid``, then nothing has changed; or ``SettingsUnwritable``, then it holds until
        the program ends and is written when the disk takes writes again.
        """
        definition = _definition(key)
        model_id = _model_of(layer)
        _refuse_layer(definition, Origin.FILE if model_id is None else Origin.MODEL)
        kept = normalise(definition, value)
        if definition.kind is Kind.FOLDER and isinstance(kept, str):
            check_folder(definition, kept)
        if definition.kind is Kind.FILE and isinstance(kept, str):
            check_file(definition, kept)
        self._check_together(model_id, key=key, value=kept)
        self._write(Edit(key=key, value=kept, model_id=model_id))
        return kept

    def clear(self, layer: AppLayer | ModelLayer, *, key: str) -> None:
        """Let the weaker layers decide again. Raises ``SettingInvalid`` or ``SettingsUnwritable``."""
        _definition(key)
        self._write(Edit(key=key, model_id=_model_of(layer)))

    def validate(
        self,
        key: str,
        value: object,
        *,
        model_id: ModelId | None = None,
        conversation: Mapping[str, object] = _NOTHING,
    ) -> SettingValue:
        """Return ``value`` as a conversation may keep it beside its other values.

        Raises ``SettingInvalid`` with the bounds in words. Storing it is up to storage.
        """
        definition = _definition(key)
        _refuse_layer(definition, Origin.CONVERSATION)
        kept = normalise(definition, value)
        own = {**check_stored(conversation).values, key: kept}
        check_together(by_key(resolve(self._layers(model_id, own))), changed=key)
        return kept

    def _layers(self, model_id: ModelId | None, conversation: Values) -> list[tuple[Origin, Values]]:
        stored = self._stored
        own = stored.models.get(model_id) if model_id is not None else None
        return [
            (
                Origin.MODEL_FILE,
                self._of_models.get(model_id, _NOTHING) if model_id is not None else _NOTHING,
            ),
            (Origin.FILE, stored.app.values),
            (Origin.ENVIRONMENT, self._environment.values),
            (Origin.COMMAND_LINE, self._command_line),
            (Origin.MODEL, _NOTHING if own is None else own.values),
            (Origin.CONVERSATION, conversation),
        ]

    def _check_together(self, model_id: ModelId | None, *, key: str, value: SettingValue) -> None:
        """Check as if ``value`` were written already, in the layer that it goes to."""
        target = Origin.FILE if model_id is None else Origin.MODEL
        changed = [
            (origin, {**values, key: value} if origin is target else values)
            for origin, values in self._layers(model_id, _NOTHING)
        ]
        check_together(by_key(resolve(changed)), changed=key)

    def _write(self, edit: Edit) -> None:
        try:
            self._file.change(edit)
        finally:
            self._stored = self._check_file()

    def _check_file(self) -> _Stored:
        document = self._file.document
        return _Stored(
            app=check_stored(app_values(document)),
            models={name: check_stored(model_values(document, name)) for name in model_ids(document)},
        )


def _definition(key: str) -> SettingDefinition:
    definition = BY_KEY.get(key)
    if definition is None:
        raise SettingInvalid(key=key, reason=tr_noop("Unknown setting."))
    return definition


def _refuse_layer(definition: SettingDefinition, origin: Origin) -> None:
    if not may_override(definition, origin):
        of_model = tr_noop("Cannot be set per model.")
        of_conversation = tr_noop("Cannot be set per chat.")
        reason = of_model if origin is Origin.MODEL else of_conversation
        raise SettingInvalid(key=definition.label, reason=reason)


def _model_of(layer: AppLayer | ModelLayer) -> ModelId | None:
    match layer:
        case AppLayer():
            return None
        case ModelLayer(model_id=model_id):
            return model_id
        case _:
            assert_never(layer)

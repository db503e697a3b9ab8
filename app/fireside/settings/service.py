"""The settings service: resolves values from all layers, and changes them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from fireside.core.errors import SettingInvalid, SettingsError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.core.os_errors import render_os_error
from fireside.core.prompt_input import ReasoningEffort
from fireside.settings.cross_checks import check_together
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_answer import REASONING_KEY
from fireside.settings.document import Edit, app_values, model_ids, model_values
from fireside.settings.file import SettingsFile
from fireside.settings.layers import (
    Checked,
    Values,
    check_stored,
    from_environment,
    from_model,
    may_override,
    resolve,
    resolve_one,
)
from fireside.settings.makers_sampling import makers_row, makers_sampling
from fireside.settings.value_check import normalise
from fireside.settings.values import (
    AppLayer,
    Kind,
    ModelLayer,
    Origin,
    ResolvedSetting,
    SettingDefinition,
    by_key,
)

_WRITABLE: Final = frozenset({"folders.data"})
"""Folders that must be writable. A read-only model folder is allowed: it only cannot take downloads."""


def check_file(definition: SettingDefinition, path: str) -> None:
    """Raise ``SettingInvalid`` if the file cannot be read. An empty path means none."""
    if not path:
        return
    try:
        with Path(path).open("rb"):
            pass
    except FileNotFoundError as exc:
        raise SettingInvalid(
            key=definition.label, reason=tr("File not found: {path}").format(path=path)
        ) from exc
    except OSError as exc:
        raise SettingInvalid(
            key=definition.label,
            reason=tr("{path} cannot be used: {reason}.").format(path=path, reason=render_os_error(exc)),
        ) from exc


def check_folder(definition: SettingDefinition, path: str) -> None:
    """Raise ``SettingInvalid`` if the folder cannot be used. An empty path means the default."""
    if not path:
        return
    folder = Path(path)
    if not folder.is_dir():
        raise SettingInvalid(key=definition.label, reason=tr("Folder not found: {path}").format(path=path))
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
        if definition.key in _WRITABLE:
            # Permissions are not enough: read-only disks and quotas are only noticed by writing.
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as exc:
        raise SettingInvalid(
            key=definition.label,
            reason=tr("{path} cannot be used: {reason}.").format(path=path, reason=render_os_error(exc)),
        ) from exc


_NO_VALUES: Final[Values] = MappingProxyType({})


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The validated content of the settings file."""

    app: Checked
    models: dict[ModelId, Checked]


class Settings:
    """All settings, from all layers. Any thread; ``load`` and changes access the disk.

    Nothing here stops the program: invalid values are ignored, remain in their file, and are reported by
    ``problems``.
    """

    def __init__(
        self,
        *,
        file: SettingsFile,
        environ: Mapping[str, str],
        command_line: Values = _NO_VALUES,
    ) -> None:
        """``command_line`` is the result of ``parse_assignments``."""
        self._file = file
        self._environment = from_environment(environ)
        self._command_line = command_line
        self._damage: SettingsError | None = None
        self._model_files: Mapping[ModelId, Values] = {}
        self._of_known_makers: Mapping[ModelId, ModelSpec] = {}
        self._stored = self._check_file()

    def add_command_line(self, values: Values) -> None:
        """Add validated values to the layer of the command line, weaker than what was typed there."""
        self._command_line = {**values, **self._command_line}

    def load(self) -> None:
        """Read the settings file. Never raises: see ``problems``."""
        self._damage = self._file.load()
        self._stored = self._check_file()

    def set_models(self, specs: Iterable[ModelSpec]) -> None:
        """Set the models whose recommended sampling is the weakest layer: that of their files, else that of
        their makers."""
        specs = tuple(specs)
        self._model_files = {spec.id: from_model(spec.sampling) for spec in specs if spec.sampling}
        self._of_known_makers = {spec.id: spec for spec in specs if makers_row(spec) is not None}

    def problems(self) -> tuple[SettingsError, ...]:
        """Return the errors of the file, of stored values and of environment variables."""
        stored = self._stored
        problems: list[SettingsError] = [] if self._damage is None else [self._damage]
        problems += stored.app.problems
        for checked in stored.models.values():
            problems += checked.problems
        return (*problems, *self._environment.problems)

    def resolved(
        self,
        *,
        model_id: ModelId | None = None,
        project: Mapping[str, object] = _NO_VALUES,
        conversation: Mapping[str, object] = _NO_VALUES,
    ) -> tuple[ResolvedSetting, ...]:
        """Return every setting in page order with the value in force and its origin.

        ``project`` and ``conversation`` hold their own values from the storage; invalid ones are ignored.
        """
        own = check_stored(conversation).values
        return resolve(self._layers(model_id, own, project=check_stored(project).values))

    def change(self, layer: AppLayer | ModelLayer, *, key: str, value: object) -> SettingValue:
        """Set a value in a layer and return it as it is stored.

        Raises ``SettingInvalid`` if nothing was changed, or ``SettingsUnwritable`` if the value applies until
        the program ends, and is written with the next change that succeeds.
        """
        definition = _definition(key)
        model_id = _model_of(layer)
        _refuse_layer(definition, Origin.FILE if model_id is None else Origin.MODEL)
        normalised = normalise(definition, value)
        if definition.kind is Kind.FOLDER and isinstance(normalised, str):
            check_folder(definition, normalised)
        if definition.kind is Kind.FILE and isinstance(normalised, str):
            check_file(definition, normalised)
        self._check_together(model_id, key=key, value=normalised)
        self._write(Edit(key=key, value=normalised, model_id=model_id))
        return normalised

    def clear(self, layer: AppLayer | ModelLayer, *, key: str) -> None:
        """Remove a value from a layer. Raises ``SettingInvalid`` or ``SettingsUnwritable``."""
        _definition(key)
        self._write(Edit(key=key, model_id=_model_of(layer)))

    def validate(
        self,
        key: str,
        value: object,
        *,
        model_id: ModelId | None = None,
        project: Mapping[str, object] = _NO_VALUES,
        conversation: Mapping[str, object] | None = _NO_VALUES,
    ) -> SettingValue:
        """Return ``value`` as it is stored for a conversation that has other values of its own, or for a
        project if ``conversation`` is ``None``.

        Raises ``SettingInvalid``. It is not stored here.
        """
        definition = _definition(key)
        is_of_project = conversation is None
        _refuse_layer(definition, Origin.PROJECT if is_of_project else Origin.CONVERSATION)
        normalised = normalise(definition, value)
        own, shared = check_stored(conversation or {}).values, check_stored(project).values
        (shared if is_of_project else own)[key] = normalised
        check_together(by_key(resolve(self._layers(model_id, own, project=shared))), changed=key)
        return normalised

    def _layers(
        self, model_id: ModelId | None, conversation: Values, *, project: Values = _NO_VALUES
    ) -> list[tuple[Origin, Values]]:
        stored = self._stored
        model_file, model = _NO_VALUES, _NO_VALUES
        if model_id is not None:
            model_file = self._model_files.get(model_id, _NO_VALUES)
            if model_id in stored.models:
                model = stored.models[model_id].values
        layers = [
            (Origin.MODEL_FILE, model_file),
            (Origin.FILE, stored.app.values),
            (Origin.ENVIRONMENT, self._environment.values),
            (Origin.COMMAND_LINE, self._command_line),
            (Origin.MODEL, model),
            (Origin.PROJECT, project),
            (Origin.CONVERSATION, conversation),
        ]
        spec = self._of_known_makers.get(model_id) if model_id is not None else None
        if spec is not None:
            # What they recommend depends on whether the model thinks, which is a setting itself.
            reasoning = ReasoningEffort(str(resolve_one(BY_KEY[REASONING_KEY], layers).value))
            layers.insert(0, (Origin.MAKERS, makers_sampling(spec, reasoning)))
        return layers

    def _check_together(self, model_id: ModelId | None, *, key: str, value: SettingValue) -> None:
        """Check for conflicts as if ``value`` were stored already, in its layer."""
        target = Origin.FILE if model_id is None else Origin.MODEL
        changed = [
            (origin, {**values, key: value} if origin is target else values)
            for origin, values in self._layers(model_id, _NO_VALUES)
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

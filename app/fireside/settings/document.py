"""Decode, edit and encode the content of the settings file. Pure: no file is accessed here.

``{"version": 1, "settings": {"load.n_ctx": 8192}, "models": {"<model id>": {"load.n_ctx": 4096}}}``

Unknown entries are preserved, at every level.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Sequence
from typing import Final, TypeGuard

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import SettingValue

Document = dict[str, object]
Migration = Callable[[Document], Document]

SIZE_LIMIT: Final = 4_000_000
"""Bytes; a settings file is a few kilobytes."""

MIGRATIONS: Final[tuple[Migration, ...]] = ()
"""Migration *i* converts a document of version *i* + 1 to the next. A released one never changes."""

_MAX_DEPTH: Final = 50
"""Nesting levels. Far below what the decoder accepts, which the encoder may not, deeper in the call stack."""

_VERSION: Final = "version"
_SETTINGS: Final = "settings"
_MODELS: Final = "models"


class DocumentDamaged(Exception):
    """The content is not a settings document; the message tells the user why. Never leaves ``settings``."""


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """A value to set, for the program or for one model; without a value, one to remove."""

    key: str
    value: SettingValue | msgspec.UnsetType = msgspec.UNSET
    model_id: ModelId | None = None


def decode(content: bytes, *, migrations: Sequence[Migration] = MIGRATIONS) -> Document:
    """Return the document in ``content``, migrated to the current version. Raises ``DocumentDamaged``."""
    if len(content) > SIZE_LIMIT:
        raise DocumentDamaged(tr("it is larger than {most} MB").format(most=SIZE_LIMIT // 1_000_000))
    try:
        # Editors on Windows add a byte-order mark.
        document = decode_json(content.removeprefix(codecs.BOM_UTF8), kind=object)
    except JsonInvalid as exc:
        raise DocumentDamaged(exc.reason) from exc
    if not _is_shallow(document, max_depth=_MAX_DEPTH):
        raise DocumentDamaged(tr_noop("it is nested beyond all bounds"))
    return _migrate(_checked(document), migrations)


def encode(document: Document) -> bytes:
    """Return the content of the file for ``document``."""
    return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def empty(*, migrations: Sequence[Migration] = MIGRATIONS) -> Document:
    """Return the document of a first start."""
    return {_VERSION: len(migrations) + 1}


def app_values(document: Document) -> dict[str, object]:
    """Return the values for the program, not validated."""
    return _section(document, _SETTINGS)


def model_values(document: Document, model_id: ModelId) -> dict[str, object]:
    """Return the values for one model, not validated."""
    return _section(_section(document, _MODELS), model_id)


def model_ids(document: Document) -> tuple[ModelId, ...]:
    """Return the models that have settings of their own."""
    return tuple(ModelId(name) for name in _section(document, _MODELS))


def apply(document: Document, edit: Edit) -> Document:
    """Return a copy of ``document`` with ``edit`` applied."""
    if edit.model_id is None:
        return {**document, _SETTINGS: _edited(_section(document, _SETTINGS), edit)}
    models = dict(_section(document, _MODELS))
    models[edit.model_id] = _edited(_section(models, edit.model_id), edit)
    if not models[edit.model_id]:
        del models[edit.model_id]
    return {**document, _MODELS: models}


def _edited(section: dict[str, object], edit: Edit) -> dict[str, object]:
    if edit.value is msgspec.UNSET:
        return {key: value for key, value in section.items() if key != edit.key}
    return {**section, edit.key: edit.value}


def _section(document: Document, name: str) -> dict[str, object]:
    section = document.get(name, {})
    return section if _is_object(section) else {}


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)  # every key of a decoded JSON object is a text


def _is_shallow(value: object, *, max_depth: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return not isinstance(value, list) or (
        max_depth > 0 and all(_is_shallow(item, max_depth=max_depth - 1) for item in value)
    )


def _checked(document: object) -> Document:
    if not _is_object(document):
        raise DocumentDamaged(tr_noop("it is not a settings file"))
    settings, models = document.get(_SETTINGS, {}), document.get(_MODELS, {})
    if not _is_object(settings) or not _is_object(models) or not all(map(_is_object, models.values())):
        raise DocumentDamaged(tr_noop("its parts are not what they should be"))
    return document


def _migrate(document: Document, migrations: Sequence[Migration]) -> Document:
    version = document.get(_VERSION, 1)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DocumentDamaged(tr_noop("its version is not a number"))
    try:
        for migration in migrations[version - 1 :]:
            document = migration(document)
    except (LookupError, TypeError, ValueError, AttributeError) as exc:
        raise DocumentDamaged(tr_noop("it could not be updated")) from exc
    # The number of a newer version is preserved, as are its entries.
    return {**_checked(document), _VERSION: max(version, len(migrations) + 1)}

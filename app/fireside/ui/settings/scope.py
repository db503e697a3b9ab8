"""The scope in which a setting is changed: everywhere, for a model, a project or a chat. Pure."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import msgspec

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, ModelId
from fireside.settings.values import (
    AppLayer,
    Layer,
    ModelLayer,
    Origin,
    ResolvedSetting,
    SettingDefinition,
)


class Scope(StrEnum):
    EVERYWHERE = "everywhere"
    MODEL = "model"
    PROJECT = "project"
    CHAT = "chat"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The selected model and open conversation, with their display names."""

    model_id: ModelId | None = None
    model_name: str = ""
    conversation_id: ConversationId | None = None
    title: str = ""


def layer_of(scope: Scope, subject: Subject) -> Layer:
    """Return the layer that a change is written to; the app's layer if the scope has no subject."""
    if scope is Scope.MODEL and subject.model_id is not None:
        return ModelLayer(model_id=subject.model_id)
    return AppLayer()


def belongs(definition: SettingDefinition, scope: Scope) -> bool:
    """Return whether a setting can be set in a scope."""
    match scope:
        case Scope.EVERYWHERE:
            return not definition.hidden
        case Scope.MODEL:
            return definition.per_model and not definition.hidden
        case Scope.CHAT | Scope.PROJECT:
            return definition.per_conversation and not definition.hidden
        case _:
            assert_never(scope)


_OWN = {
    Scope.EVERYWHERE: Origin.FILE,
    Scope.MODEL: Origin.MODEL,
    Scope.PROJECT: Origin.PROJECT,
    Scope.CHAT: Origin.CONVERSATION,
}


def is_own(setting: ResolvedSetting, scope: Scope) -> bool:
    """Return whether the value is set in this scope, so that it can be reset here."""
    return setting.origin is _OWN[scope]


def is_locked(setting: ResolvedSetting, scope: Scope) -> bool:
    """Return whether a change in this scope would have no effect, as a stronger layer decides."""
    return scope is Scope.EVERYWHERE and setting.is_fixed


def origin_text(setting: ResolvedSetting, scope: Scope, *, preset: str = "") -> str:
    """Return where a value comes from, as seen in a scope; ``preset`` names the preset that set it.

    Empty for a default.
    """
    match setting.origin:
        case Origin.DEFAULT:
            return ""
        case Origin.MAKERS:
            return tr("Recommended by its makers")
        case Origin.MODEL_FILE:
            return tr("Model default")
        case Origin.FILE:
            return tr("Changed") if scope is Scope.EVERYWHERE else tr("All chats")
        case Origin.ENVIRONMENT:
            return tr("Set by {environment}").format(environment=setting.definition.environment)
        case Origin.COMMAND_LINE:
            return tr("Set on the command line")
        case Origin.MODEL:
            return tr("This model")
        case Origin.PROJECT:
            return tr("This project")
        case Origin.CONVERSATION:
            return tr("Preset “{preset}”").format(preset=preset) if preset else tr("This chat")
        case _:
            assert_never(setting.origin)

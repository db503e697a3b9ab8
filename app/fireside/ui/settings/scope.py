"""For what a change of a setting holds. Pure."""

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
    CHAT = "chat"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The model and conversation in front, with their names as shown."""

    model_id: ModelId | None = None
    model_name: str = ""
    conversation_id: ConversationId | None = None
    title: str = ""


def layer_of(scope: Scope, subject: Subject) -> Layer:
    """Return where a change on the page is written; everywhere, where there is no such model."""
    if scope is Scope.MODEL and subject.model_id is not None:
        return ModelLayer(model_id=subject.model_id)
    return AppLayer()


def belongs(definition: SettingDefinition, scope: Scope) -> bool:
    """Tell whether a setting can be set in a scope."""
    match scope:
        case Scope.EVERYWHERE:
            return not definition.hidden
        case Scope.MODEL:
            return definition.per_model and not definition.hidden
        case Scope.CHAT:
            return definition.per_conversation and not definition.hidden
        case _:
            assert_never(scope)


_OWN = {Scope.EVERYWHERE: Origin.FILE, Scope.MODEL: Origin.MODEL, Scope.CHAT: Origin.CONVERSATION}


def is_own(setting: ResolvedSetting, scope: Scope) -> bool:
    """Tell whether the value was set in this very scope, so that it can be taken back here."""
    return setting.origin is _OWN[scope]


def is_locked(setting: ResolvedSetting, scope: Scope) -> bool:
    """Tell whether a change here would have no effect, because something stronger decides."""
    return scope is Scope.EVERYWHERE and setting.origin in (Origin.ENVIRONMENT, Origin.COMMAND_LINE)


def origin_text(setting: ResolvedSetting, scope: Scope, *, preset: str = "") -> str:
    """Say in a scope where a value comes from; ``preset`` names the chat's preset where that wrote it.

    Empty for a default.
    """
    match setting.origin:
        case Origin.DEFAULT:
            return ""
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
        case Origin.CONVERSATION:
            return tr("Preset “{preset}”").format(preset=preset) if preset else tr("This chat")
        case _:
            assert_never(setting.origin)

"""What a setting is and where its value comes from."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue


class Kind(StrEnum):
    """Which editor a setting gets."""

    SWITCH = "switch"
    INTEGER = "integer"
    NUMBER = "number"
    CHOICE = "choice"
    LINE = "line"
    TEXT = "text"
    LINES = "lines"
    """A list of short texts, one a line; the value is a tuple and ``maximum`` bounds their number."""
    FILE = "file"
    """An absolute path; empty means none."""
    FOLDER = "folder"
    """An absolute path; empty means the usual place."""
    PATHS = "paths"


class Group(StrEnum):
    """A heading on the settings page, in this order."""

    APPEARANCE = tr_noop("Appearance")
    CHAT = tr_noop("Chat")
    TOOLS = tr_noop("Tools")
    SAMPLING = tr_noop("Answers")
    MODEL = tr_noop("Model")
    ENGINE = tr_noop("Memory")
    HUB = tr_noop("Downloads")
    API = tr_noop("Local API")
    ENGINES = tr_noop("Engines")
    PRIVACY = tr_noop("Privacy")
    BACKUPS = tr_noop("Backups")
    FOLDERS = tr_noop("Folders")
    ABOUT = tr_noop("About")


class Origin(StrEnum):
    """The layer a value comes from, weakest first."""

    DEFAULT = "default"
    MODEL_FILE = "model_file"
    """What the model's own file asks for."""
    FILE = "file"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command_line"
    MODEL = "model"
    CONVERSATION = "conversation"


class SettingDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """One setting, declared once: read by validation, the settings page, the command line and the docs."""

    key: str
    """``group.name``, e.g. ``load.n_ctx``."""
    group: Group
    label: str
    help: str
    kind: Kind
    default: SettingValue
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    unit: str = ""
    is_exact: bool = False
    """A number that one knows instead of trying it out: typed, without a slider."""
    choices: tuple[tuple[SettingValue, str], ...] = ()
    """Named values. With kind CHOICE the only ones; with INTEGER special ones such as ``Auto``."""
    per_model: bool = False
    per_conversation: bool = False
    needs_reload: bool = False
    """A loaded model must be loaded again before this takes effect."""
    needs_restart: bool = False
    environment: str = ""
    """Name of the environment variable that sets it."""
    advanced: bool = False
    """Folded away on the settings page until the user asks for more."""
    hidden: bool = False
    """Not shown on the settings page, because another part of the window sets it."""


class ResolvedSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The value in force and the layer it comes from."""

    definition: SettingDefinition
    value: SettingValue
    origin: Origin


class AppLayer(msgspec.Struct, frozen=True, tag="app"):
    """The settings file: holds for everything unless a model or conversation says otherwise."""


class ModelLayer(msgspec.Struct, frozen=True, kw_only=True, tag="model"):
    """Holds for one model and overrides the settings file."""

    model_id: ModelId


class ConversationLayer(msgspec.Struct, frozen=True, kw_only=True, tag="conversation"):
    """Holds for one conversation and overrides the model's layer and the settings file."""

    conversation_id: ConversationId


Layer = AppLayer | ModelLayer | ConversationLayer
"""Where a change is written."""

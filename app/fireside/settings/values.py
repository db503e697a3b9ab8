"""Definitions of settings, their values and the layers these come from."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue


class Kind(StrEnum):
    """The kind of a setting's value, which decides its editor."""

    SWITCH = "switch"
    INTEGER = "integer"
    NUMBER = "number"
    CHOICE = "choice"
    LINE = "line"
    TEXT = "text"
    LINES = "lines"
    """A tuple of texts, one a line in the editor; ``maximum`` limits their number."""
    FILE = "file"
    """An absolute path; empty for none."""
    FOLDER = "folder"
    """An absolute path; empty for the default."""
    PATHS = "paths"


class Group(StrEnum):
    """A section of the settings page, in page order."""

    GENERAL = tr_noop("General")
    APPEARANCE = tr_noop("Appearance")
    CHAT = tr_noop("Chat")
    DOCUMENTS = tr_noop("Documents")
    TOOLS = tr_noop("Tools")
    SAMPLING = tr_noop("Answers")
    MODEL = tr_noop("Model")
    ENGINE = tr_noop("Memory")
    HUB = tr_noop("Downloads")
    API = tr_noop("Local API")
    ENGINES = tr_noop("Servers")
    PRIVACY = tr_noop("Privacy")
    BACKUPS = tr_noop("Backups")
    FOLDERS = tr_noop("Data folders")
    ABOUT = tr_noop("About")


class Look(StrEnum):
    """How the choices of a setting are shown."""

    LIST = "list"
    SEGMENTS = "segments"
    SWATCHES = "swatches"
    """Each by its colour."""


class Origin(StrEnum):
    """The layer that a value comes from, weakest first."""

    DEFAULT = "default"
    MAKERS = "makers"
    """What the model's makers recommend, where its file says nothing."""
    MODEL_FILE = "model_file"
    """The recommendations in the model's GGUF file."""
    FILE = "file"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command_line"
    MODEL = "model"
    CONVERSATION = "conversation"


USER_ORIGINS: Final = frozenset(
    {Origin.FILE, Origin.ENVIRONMENT, Origin.COMMAND_LINE, Origin.MODEL, Origin.CONVERSATION}
)
"""The layers that only users and programs write; a value of any other is a recommendation."""


class SettingDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """One setting, declared once for validation, the settings page, the command line and the docs."""

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
    usual_maximum: float | None = None
    """Numbers above it are allowed and rarely wanted: the slider has ten times wider steps there."""
    unit: str = ""
    is_exact: bool = False
    """A number to type rather than to adjust, such as a port; the editor has no slider."""
    of_folders: bool = False
    """Paths are those of folders; otherwise of files."""
    choices: tuple[tuple[SettingValue, str], ...] = ()
    """Named values: with kind CHOICE the only ones, with INTEGER special ones such as ``Auto``."""
    look: Look = Look.LIST
    """How the choices of a setting of kind CHOICE are shown."""
    per_model: bool = False
    per_conversation: bool = False
    needs_reload: bool = False
    """A loaded model must be loaded again before this takes effect."""
    needs_restart: bool = False
    environment: str = ""
    """The name of the environment variable that sets it."""
    advanced: bool = False
    """Shown on the settings page only with the advanced settings."""
    hidden: bool = False
    """Not shown on the settings page, since another part of the window sets it."""


class ResolvedSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The value in force and the layer it comes from."""

    definition: SettingDefinition
    value: SettingValue
    origin: Origin

    @property
    def is_fixed(self) -> bool:
        """Whether the environment or the command line decides, which the window cannot change."""
        return self.origin in (Origin.ENVIRONMENT, Origin.COMMAND_LINE)


def by_key(resolved: Iterable[ResolvedSetting]) -> dict[str, SettingValue]:
    """Return the values in force by key."""
    return {setting.definition.key: setting.value for setting in resolved}


class AppLayer(msgspec.Struct, frozen=True, tag="app"):
    """The settings file: applies unless a model or conversation overrides it."""


class ModelLayer(msgspec.Struct, frozen=True, kw_only=True, tag="model"):
    """Applies to one model and overrides the settings file."""

    model_id: ModelId


class ConversationLayer(msgspec.Struct, frozen=True, kw_only=True, tag="conversation"):
    """Applies to one conversation and overrides the model's layer and the settings file."""

    conversation_id: ConversationId


Layer = AppLayer | ModelLayer | ConversationLayer
"""A layer that can be changed."""

"""Definitions of settings, their values and the layers these come from."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, TypedDict, Unpack

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, FolderId, ModelId
from fireside.core.options import SettingValue

AUTO_LABEL: Final = tr_noop("Auto")

Choices = tuple[tuple[SettingValue, str], ...]
"""Values with their labels."""


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
    SPEECH = tr_noop("Speech")
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
    PROJECT = "project"
    CONVERSATION = "conversation"


USER_ORIGINS: Final = frozenset(
    {
        Origin.FILE,
        Origin.ENVIRONMENT,
        Origin.COMMAND_LINE,
        Origin.MODEL,
        Origin.PROJECT,
        Origin.CONVERSATION,
    }
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
    choices: Choices = ()
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
    auto: SettingValue = None
    """The named value with which Fireside decides; ``None`` where there is none."""
    synonyms: str = ""
    """What else it is called, for searches, separated by “; ”: by other programs, as an option of llama.cpp,
    in everyday words. A translation lists the words of that language instead."""


class Flags(TypedDict, total=False):
    """Fields of a definition that have the same meaning for every kind of setting."""

    unit: str
    per_model: bool
    per_conversation: bool
    needs_reload: bool
    needs_restart: bool
    advanced: bool
    hidden: bool
    synonyms: str


class SettingSection:
    """Defines the settings of a group, with a method for each kind; ``flags`` are those of all of them."""

    def __init__(self, group: Group, **flags: Unpack[Flags]) -> None:
        self._common: dict[str, Any] = {"group": group, **flags}

    def setting(
        self, kind: Kind, key: str, label: str, help_: str, default: SettingValue, **fields: Any
    ) -> SettingDefinition:
        """Define a setting of any kind."""
        fields = {**self._common, **fields}
        return SettingDefinition(key=key, label=label, help=help_, kind=kind, default=default, **fields)

    def switch(
        self, key: str, label: str, help_: str, *, default: bool = False, **flags: Unpack[Flags]
    ) -> SettingDefinition:
        """Define a setting that is on or off."""
        return self.setting(Kind.SWITCH, key, label, help_, default, **flags)

    def integer(
        self,
        key: str,
        label: str,
        help_: str,
        *,
        default: int | None = None,
        within: tuple[int, int],
        step: int = 1,
        auto: int | None = None,
        named: Choices = (),
        is_exact: bool = False,
        **flags: Unpack[Flags],
    ) -> SettingDefinition:
        """Define a whole number ``within`` bounds, or ``named``; the default may be ``auto``."""
        return self.setting(
            Kind.INTEGER,
            key,
            label,
            help_,
            auto if default is None else default,
            minimum=within[0],
            maximum=within[1],
            step=step,
            auto=auto,
            choices=_with_auto(auto, named),
            is_exact=is_exact,
            **flags,
        )

    def decimal(
        self,
        key: str,
        label: str,
        help_: str,
        *,
        default: float,
        within: tuple[float, float],
        step: float,
        **flags: Unpack[Flags],
    ) -> SettingDefinition:
        """Define a number ``within`` bounds."""
        low, high = within
        return self.setting(
            Kind.NUMBER, key, label, help_, default, minimum=low, maximum=high, step=step, **flags
        )

    def choice(
        self,
        key: str,
        label: str,
        help_: str,
        *,
        default: str | None = None,
        auto: str | None = None,
        choices: Choices,
        look: Look = Look.LIST,
        **flags: Unpack[Flags],
    ) -> SettingDefinition:
        """Define a choice of named values; the default may be ``auto``."""
        named = _with_auto(auto, choices)
        first = auto if default is None else default
        return self.setting(
            Kind.CHOICE, key, label, help_, first, auto=auto, choices=named, look=look, **flags
        )

    def line(
        self, key: str, label: str, help_: str, *, default: str = "", **flags: Unpack[Flags]
    ) -> SettingDefinition:
        """Define a text of one line."""
        return self.setting(Kind.LINE, key, label, help_, default, **flags)

    def text(
        self, key: str, label: str, help_: str, *, most: int | None = None, **flags: Unpack[Flags]
    ) -> SettingDefinition:
        """Define a text of ``most`` characters."""
        return self.setting(Kind.TEXT, key, label, help_, "", maximum=most, **flags)

    def lines(
        self, key: str, label: str, help_: str, *, most: int, **flags: Unpack[Flags]
    ) -> SettingDefinition:
        """Define a list of ``most`` texts."""
        return self.setting(Kind.LINES, key, label, help_, (), maximum=most, **flags)

    def file(self, key: str, label: str, help_: str, **flags: Unpack[Flags]) -> SettingDefinition:
        """Define the path of a file, or of none."""
        return self.setting(Kind.FILE, key, label, help_, "", **flags)

    def folder(self, key: str, label: str, help_: str, **flags: Unpack[Flags]) -> SettingDefinition:
        """Define the path of a folder, or of the default."""
        return self.setting(Kind.FOLDER, key, label, help_, "", **flags)

    def paths(
        self,
        key: str,
        label: str,
        help_: str,
        *,
        most: int,
        of_folders: bool = False,
        **flags: Unpack[Flags],
    ) -> SettingDefinition:
        """Define a list of ``most`` paths."""
        return self.setting(Kind.PATHS, key, label, help_, (), maximum=most, of_folders=of_folders, **flags)


def _with_auto(auto: SettingValue, named: Choices) -> Choices:
    return named if auto is None else ((auto, AUTO_LABEL), *named)


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


class ProjectLayer(msgspec.Struct, frozen=True, kw_only=True, tag="project"):
    """Applies to the conversations in a folder and overrides the model's layer and the settings file."""

    folder_id: FolderId


class ConversationLayer(msgspec.Struct, frozen=True, kw_only=True, tag="conversation"):
    """Applies to one conversation and overrides all other layers."""

    conversation_id: ConversationId


Layer = AppLayer | ModelLayer | ProjectLayer | ConversationLayer
"""A layer that can be changed."""

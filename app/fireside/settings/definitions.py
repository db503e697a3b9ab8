"""Declares every setting once: kind, default, bounds, texts."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.preset import PRESET_COVERED_KEY, PRESET_KEYS_KEY, PRESET_NAME_KEY
from fireside.settings.definitions_about import ABOUT
from fireside.settings.definitions_answer import ANSWER
from fireside.settings.definitions_api import API
from fireside.settings.definitions_documents import DOCUMENTS
from fireside.settings.definitions_hub import HUB
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_more_sampling import MORE_SAMPLING
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.definitions_tools import TOOLS
from fireside.settings.languages import LANGUAGE_CHOICES, LANGUAGE_SYSTEM
from fireside.settings.values import Group, Kind, Look, SettingDefinition

_backups: Final = partial(SettingDefinition, group=Group.BACKUPS)

PRIVACY: Final = (
    SettingDefinition(
        key="chat.stays_local",
        group=Group.PRIVACY,
        label=tr_noop("Keep on this computer"),
        help=tr_noop("Sends nothing of the chat to servers."),
        kind=Kind.SWITCH,
        default=False,
        per_model=True,
        per_conversation=True,
    ),
)

BACKUPS: Final = (
    _backups(
        key="backups.automatic",
        label=tr_noop("Daily backups"),
        help=tr_noop("Keeps verified copies of all chats: 7 daily and 4 weekly."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _backups(
        key="backups.folder",
        label=tr_noop("Backup folder"),
        help=tr_noop("Where backups are stored; empty for the data folder. A different drive is safer."),
        kind=Kind.FOLDER,
        default="",
    ),
)


THEME_SYSTEM: Final = "system"
THEME_LIGHT: Final = "light"
THEME_DARK: Final = "dark"

KEEP_ALIVE_FOREVER: Final = -1
CACHE_AUTO: Final = -1

_general: Final = partial(SettingDefinition, group=Group.GENERAL)
_appearance: Final = partial(SettingDefinition, group=Group.APPEARANCE)

_APPEARANCE: Final = (
    _appearance(
        key="appearance.theme",
        label=tr_noop("Theme"),
        help=tr_noop("Light, dark or the same as your system."),
        kind=Kind.CHOICE,
        look=Look.SEGMENTS,
        default=THEME_SYSTEM,
        choices=(
            (THEME_SYSTEM, tr_noop("Match system")),
            (THEME_LIGHT, tr_noop("Light")),
            (THEME_DARK, tr_noop("Dark")),
        ),
    ),
    _general(
        key="appearance.language",
        label=tr_noop("Language"),
        help=tr_noop("Language of the window. Models reply in the language you write in."),
        kind=Kind.CHOICE,
        default=LANGUAGE_SYSTEM,
        choices=((LANGUAGE_SYSTEM, tr_noop("Match system")), *LANGUAGE_CHOICES),
        needs_restart=True,
    ),
    _appearance(
        key="appearance.accent",
        label=tr_noop("Accent colour"),
        help=tr_noop("Colour of buttons, highlights and your messages."),
        kind=Kind.CHOICE,
        look=Look.SWATCHES,
        default="ember",
        choices=(
            ("ember", tr_noop("Ember")),
            ("indigo", tr_noop("Indigo")),
            ("blue", tr_noop("Blue")),
            ("teal", tr_noop("Teal")),
            ("green", tr_noop("Green")),
            ("orange", tr_noop("Orange")),
            ("rose", tr_noop("Rose")),
        ),
    ),
    _appearance(
        key="appearance.contrast",
        label=tr_noop("Contrast"),
        help=tr_noop("Stronger text, borders and keyboard focus."),
        kind=Kind.CHOICE,
        default="system",
        choices=(
            ("system", tr_noop("Match system")),
            ("normal", tr_noop("Normal")),
            ("high", tr_noop("High")),
        ),
    ),
    _appearance(
        key="appearance.density",
        label=tr_noop("Density"),
        help=tr_noop("Spacing between lines and around buttons."),
        kind=Kind.CHOICE,
        default="comfortable",
        choices=(("comfortable", tr_noop("Comfortable")), ("compact", tr_noop("Compact"))),
    ),
    _appearance(
        key="appearance.text_size",
        label=tr_noop("Text size"),
        help=tr_noop("Font size in chats and panels."),
        kind=Kind.INTEGER,
        default=14,
        minimum=10,
        maximum=32,
        step=1,
        unit="px",
    ),
    _appearance(
        key="appearance.column_width",
        label=tr_noop("Chat width"),
        help=tr_noop("How wide messages may be in a wide window."),
        kind=Kind.CHOICE,
        default="narrow",
        choices=(("narrow", tr_noop("Narrow")), ("wide", tr_noop("Wide")), ("full", tr_noop("Full"))),
    ),
    _appearance(
        key="appearance.statistics",
        label=tr_noop("Always show statistics"),
        help=tr_noop(
            "Shows tokens/s, tokens and TTFT under every answer; otherwise only where the pointer or the "
            "keyboard is."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    _general(
        key="window.keep_in_tray",
        label=tr_noop("Minimise to tray on close"),
        help=tr_noop(
            "Keeps Fireside running in the system tray. Bind “fireside ask-window” to a key for "
            "quick questions from anywhere."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    _appearance(
        key="shortcuts.changed",
        label=tr_noop("Shortcuts"),
        help=tr_noop(
            "Custom shortcuts, one “command=keys” per line. Easier to edit under Keyboard shortcuts."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        hidden=True,
    ),
)

_chat: Final = partial(SettingDefinition, group=Group.CHAT)

_CHAT: Final = (
    _chat(
        key="chat.system_prompt",
        label=tr_noop("System prompt"),
        help=tr_noop("Instructions for the model at the start of a chat: its role and how to respond."),
        kind=Kind.TEXT,
        default="",
        per_model=True,
        per_conversation=True,
    ),
    _chat(
        key="chat.titles_by_model",
        label=tr_noop("Generate chat titles"),
        help=tr_noop("Names a chat after its first response, if the model is capable enough."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _general(
        key="chat.notify_when_done",
        label=tr_noop("Notify when a response finishes"),
        help=tr_noop("Shows a system notification when a long response finishes in the background."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _chat(
        key="chat.default_model",
        label=tr_noop("Default model"),
        help=tr_noop("The model for new chats; empty for the included starter model."),
        kind=Kind.LINE,
        default="",
        hidden=True,
    ),
    _chat(
        key=PRESET_NAME_KEY,
        label=tr_noop("Preset"),
        help=tr_noop("The chat’s preset; empty for none."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _chat(
        key=PRESET_KEYS_KEY,
        label=tr_noop("Preset settings"),
        help=tr_noop("Settings set by the chat’s preset."),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _chat(
        key=PRESET_COVERED_KEY,
        label=tr_noop("Settings before the preset"),
        help=tr_noop("Restored when the preset is removed."),
        kind=Kind.TEXT,
        default="",
        maximum=1_000_000,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)

_engine: Final = partial(SettingDefinition, group=Group.ENGINE)

_ENGINE: Final = (
    _engine(
        key="engine.load_last_model",
        label=tr_noop("Load the last used model at start"),
        help=tr_noop("The first answer comes sooner; loading can be cancelled."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _engine(
        key="engine.keep_alive_minutes",
        label=tr_noop("Unload after idle"),
        help=tr_noop("How long a model stays loaded after its last response."),
        kind=Kind.INTEGER,
        default=15,
        minimum=0,
        maximum=10_080,
        step=5,
        unit=tr_noop("minutes"),
        choices=((KEEP_ALIVE_FOREVER, tr_noop("Always")), (0, tr_noop("Immediately"))),
        per_model=True,
    ),
    _engine(
        key="engine.max_models",
        label=tr_noop("Max loaded models"),
        help=tr_noop("Beyond this, an idle model is unloaded first, then the one closest to its idle limit."),
        kind=Kind.INTEGER,
        default=4,
        minimum=1,
        maximum=16,
        step=1,
    ),
    _engine(
        key="engine.load_patience_s",
        label=tr_noop("Load timeout"),
        help=tr_noop("Stops a load that makes no progress for this long."),
        kind=Kind.INTEGER,
        default=120,
        minimum=30,
        maximum=3600,
        step=30,
        unit=tr_noop("seconds"),
    ),
    _engine(
        key="engine.cache_memory_mb",
        label=tr_noop("Prompt cache: RAM"),
        help=tr_noop(
            "Memory per model for resuming chats at once, at most half of what is free. Auto "
            "uses 8 GB or 25% of RAM, whichever is less."
        ),
        kind=Kind.INTEGER,
        default=CACHE_AUTO,
        minimum=0,
        maximum=1_048_576,
        step=256,
        unit="MB",
        choices=((CACHE_AUTO, tr_noop("Auto")), (0, tr_noop("Off"))),
    ),
    _engine(
        key="engine.cache_disk_gb",
        label=tr_noop("Prompt cache: disk"),
        help=tr_noop(
            "Disk space for resuming chats at once, even after a restart. Auto uses 8 GB or 10% "
            "of free space, whichever is less; Off deletes the cache."
        ),
        kind=Kind.INTEGER,
        default=CACHE_AUTO,
        minimum=0,
        maximum=100_000,
        step=1,
        unit="GB",
        choices=((CACHE_AUTO, tr_noop("Auto")), (0, tr_noop("Off"))),
    ),
)

_folders: Final = partial(SettingDefinition, group=Group.FOLDERS)

_FOLDERS: Final = (
    _folders(
        key="folders.data",
        label=tr_noop("Data folder"),
        help=tr_noop("Where chats and logs are stored. Changing it leaves existing data in the old folder."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    _folders(
        key="folders.models",
        label=tr_noop("Model folder"),
        help=tr_noop("Where models are stored and downloaded to."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    _folders(
        key="library.added",
        label=tr_noop("Added models and folders"),
        help=tr_noop("Files and folders added to the library, used in place."),
        kind=Kind.PATHS,
        default=(),
        maximum=1000,
        hidden=True,
    ),
    _folders(
        key="library.other_applications",
        label=tr_noop("Models from other apps"),
        help=tr_noop("Lists models from LM Studio, Ollama, Jan and others in place, without changing them."),
        kind=Kind.SWITCH,
        default=True,
    ),
)

ENVIRONMENT_PREFIX: Final = "FIRESIDE_"


def environment_name(key: str) -> str:
    """Return the environment variable of a setting: ``load.n_ctx`` → ``FIRESIDE_LOAD_N_CTX``."""
    return ENVIRONMENT_PREFIX + key.replace(".", "_").upper()


DEFINITIONS: Final = tuple(
    msgspec.structs.replace(definition, environment=environment_name(definition.key))
    for definition in sorted(
        (
            *_APPEARANCE,
            *_CHAT,
            *DOCUMENTS,
            *TOOLS,
            *ANSWER,
            *SAMPLING,
            *MORE_SAMPLING,
            *LOAD,
            *_ENGINE,
            *HUB,
            *API,
            *PRIVACY,
            *BACKUPS,
            *_FOLDERS,
            *ABOUT,
        ),
        key=lambda definition: tuple(Group).index(definition.group),
    )
)
"""Every setting, in page order. Those of one group stand in several modules."""

BY_KEY: Final = {definition.key: definition for definition in DEFINITIONS}

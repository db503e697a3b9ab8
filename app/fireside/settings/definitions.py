"""Declare every setting once: type, default, bounds, words."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.preset import PRESET_COVERED_KEY, PRESET_KEYS_KEY, PRESET_NAME_KEY
from fireside.settings.definitions_answer import ANSWER
from fireside.settings.definitions_hub import HUB
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_more_sampling import MORE_SAMPLING
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.languages import LANGUAGE_CHOICES, LANGUAGE_SYSTEM
from fireside.settings.values import Group, Kind, SettingDefinition

BACKUPS: Final = (
    SettingDefinition(
        key="backups.automatic",
        group=Group.BACKUPS,
        label=tr_noop("Back up every day"),
        help=tr_noop("Keeps a checked copy of all conversations: of the last seven days, and of four weeks."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="backups.folder",
        group=Group.BACKUPS,
        label=tr_noop("Backup folder"),
        help=tr_noop(
            "Where backups are kept; empty means beside the conversations, and another disk is safer."
        ),
        kind=Kind.FOLDER,
        default="",
    ),
)


THEME_SYSTEM: Final = "system"
THEME_LIGHT: Final = "light"
THEME_DARK: Final = "dark"

KEEP_ALIVE_FOREVER: Final = -1
CACHE_AUTO: Final = -1

_APPEARANCE: Final = (
    SettingDefinition(
        key="appearance.theme",
        group=Group.APPEARANCE,
        label=tr_noop("Theme"),
        help=tr_noop("Light or dark, or whatever your system uses at the moment."),
        kind=Kind.CHOICE,
        default=THEME_SYSTEM,
        choices=(
            (THEME_SYSTEM, tr_noop("Like the system")),
            (THEME_LIGHT, tr_noop("Light")),
            (THEME_DARK, tr_noop("Dark")),
        ),
    ),
    SettingDefinition(
        key="appearance.language",
        group=Group.APPEARANCE,
        label=tr_noop("Language"),
        help=tr_noop("What Fireside speaks; models answer in whatever language you write to them."),
        kind=Kind.CHOICE,
        default=LANGUAGE_SYSTEM,
        choices=((LANGUAGE_SYSTEM, tr_noop("Like the system")), *LANGUAGE_CHOICES),
        needs_restart=True,
    ),
    SettingDefinition(
        key="appearance.accent",
        group=Group.APPEARANCE,
        label=tr_noop("Accent colour"),
        help=tr_noop("The colour of buttons, marks and your own messages."),
        kind=Kind.CHOICE,
        default="indigo",
        choices=(
            ("indigo", tr_noop("Indigo")),
            ("blue", tr_noop("Blue")),
            ("teal", tr_noop("Teal")),
            ("green", tr_noop("Green")),
            ("orange", tr_noop("Orange")),
            ("rose", tr_noop("Rose")),
        ),
    ),
    SettingDefinition(
        key="appearance.contrast",
        group=Group.APPEARANCE,
        label=tr_noop("Contrast"),
        help=tr_noop(
            "High contrast makes texts, edges and the place of the keyboard as clear as they can be."
        ),
        kind=Kind.CHOICE,
        default="system",
        choices=(
            ("system", tr_noop("Like the system")),
            ("normal", tr_noop("Normal")),
            ("high", tr_noop("High")),
        ),
    ),
    SettingDefinition(
        key="appearance.density",
        group=Group.APPEARANCE,
        label=tr_noop("Density"),
        help=tr_noop("How much room there is between lines and around buttons."),
        kind=Kind.CHOICE,
        default="comfortable",
        choices=(("comfortable", tr_noop("Comfortable")), ("compact", tr_noop("Compact"))),
    ),
    SettingDefinition(
        key="appearance.text_size",
        group=Group.APPEARANCE,
        label=tr_noop("Text size"),
        help=tr_noop("How large the font is, in conversations and panels."),
        kind=Kind.INTEGER,
        default=14,
        minimum=10,
        maximum=32,
        step=1,
        unit="px",
    ),
    SettingDefinition(
        key="window.keep_in_tray",
        group=Group.APPEARANCE,
        label=tr_noop("Stay in the tray when closed"),
        help=tr_noop(
            "An icon in your system’s tray leads back to the window and to a quick question, which a key of "
            "your desktop can open too if it starts “fireside ask-window”."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="shortcuts.changed",
        group=Group.APPEARANCE,
        label=tr_noop("Shortcuts"),
        help=tr_noop(
            "Keys of your own, one “command=keys” a line; the list of shortcuts in the window writes them."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        hidden=True,
    ),
)

_CHAT: Final = (
    SettingDefinition(
        key="chat.system_prompt",
        group=Group.CHAT,
        label=tr_noop("System prompt"),
        help=tr_noop(
            "What the model is told before the conversation begins: who it is and how it should answer."
        ),
        kind=Kind.TEXT,
        default="",
        per_model=True,
        per_conversation=True,
    ),
    SettingDefinition(
        key="chat.titles_by_model",
        group=Group.CHAT,
        label=tr_noop("Titles by the model"),
        help=tr_noop(
            "After the first answer the model gives the chat a title, if it is large enough to do it well."
        ),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="chat.notify_when_done",
        group=Group.CHAT,
        label=tr_noop("Tell when an answer is done"),
        help=tr_noop("A note from your system when an answer took long and the window is not in front."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="chat.default_model",
        group=Group.CHAT,
        label=tr_noop("Model of new conversations"),
        help=tr_noop(
            "The model that a new conversation starts with; empty means the one that comes with Fireside."
        ),
        kind=Kind.LINE,
        default="",
        hidden=True,
    ),
    SettingDefinition(
        key=PRESET_NAME_KEY,
        group=Group.CHAT,
        label=tr_noop("Preset"),
        help=tr_noop("The preset that a conversation has; empty for none."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    SettingDefinition(
        key=PRESET_KEYS_KEY,
        group=Group.CHAT,
        label=tr_noop("Settings of the preset"),
        help=tr_noop("Which settings of a conversation its preset wrote."),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    SettingDefinition(
        key=PRESET_COVERED_KEY,
        group=Group.CHAT,
        label=tr_noop("Settings before the preset"),
        help=tr_noop("What comes back when the preset is removed."),
        kind=Kind.TEXT,
        default="",
        maximum=1_000_000,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)

_ENGINE: Final = (
    SettingDefinition(
        key="engine.load_last_model",
        group=Group.ENGINE,
        label=tr_noop("Load the last used model at start"),
        help=tr_noop("The first answer comes sooner; loading can be cancelled."),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="engine.keep_alive_minutes",
        group=Group.ENGINE,
        label=tr_noop("Keep models in memory"),
        help=tr_noop("How long a model stays loaded after its last answer."),
        kind=Kind.INTEGER,
        default=15,
        minimum=0,
        maximum=10_080,
        step=5,
        unit=tr_noop("minutes"),
        choices=((KEEP_ALIVE_FOREVER, tr_noop("Always")), (0, tr_noop("Unload at once"))),
        per_model=True,
    ),
    SettingDefinition(
        key="engine.max_models",
        group=Group.ENGINE,
        label=tr_noop("Models in memory at once"),
        help=tr_noop(
            "One more is loaded only after another has made room: an idle one first, then the "
            "one that would be unloaded soonest."
        ),
        kind=Kind.INTEGER,
        default=4,
        minimum=1,
        maximum=16,
        step=1,
    ),
    SettingDefinition(
        key="engine.load_patience_s",
        group=Group.ENGINE,
        label=tr_noop("Patience with slow disks"),
        help=tr_noop(
            "A load that stands still for so long, neither reading nor computing anything, is given up."
        ),
        kind=Kind.INTEGER,
        default=120,
        minimum=30,
        maximum=3600,
        step=30,
        unit=tr_noop("seconds"),
    ),
    SettingDefinition(
        key="engine.cache_memory_mb",
        group=Group.ENGINE,
        label=tr_noop("Chats kept in memory"),
        help=tr_noop(
            "Memory that each model may use to come back to a chat at once, at most half of what is free; "
            "Auto takes 8 GB, or a quarter of your memory if that is less."
        ),
        kind=Kind.INTEGER,
        default=CACHE_AUTO,
        minimum=0,
        maximum=1_048_576,
        step=256,
        unit="MB",
        choices=((CACHE_AUTO, tr_noop("Auto")), (0, tr_noop("Off"))),
    ),
    SettingDefinition(
        key="engine.cache_disk_gb",
        group=Group.ENGINE,
        label=tr_noop("Chats kept on disk"),
        help=tr_noop(
            "Disk space for coming back to a chat at once, even after a restart; Auto takes 8 "
            "GB, or a tenth of the free space if that is less, and Off deletes what is kept."
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

_FOLDERS: Final = (
    SettingDefinition(
        key="folders.data",
        group=Group.FOLDERS,
        label=tr_noop("Data folder"),
        help=tr_noop("Where conversations and logs are kept; what is in the old folder stays there."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    SettingDefinition(
        key="folders.models",
        group=Group.FOLDERS,
        label=tr_noop("Model folder"),
        help=tr_noop("Where the library looks for models and puts new ones."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    SettingDefinition(
        key="library.added",
        group=Group.FOLDERS,
        label=tr_noop("Added models and folders"),
        help=tr_noop("Files and folders that you added to the library where they are."),
        kind=Kind.PATHS,
        default=(),
        maximum=1000,
        hidden=True,
    ),
    SettingDefinition(
        key="library.other_applications",
        group=Group.FOLDERS,
        label=tr_noop("Models of other applications"),
        help=tr_noop(
            "Lists the models of LM Studio, Ollama, Jan and others where they are, and never changes them."
        ),
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
    for definition in (
        *_APPEARANCE,
        *_CHAT,
        *ANSWER,
        *SAMPLING,
        *MORE_SAMPLING,
        *LOAD,
        *_ENGINE,
        *HUB,
        *BACKUPS,
        *_FOLDERS,
    )
)
"""Every setting, in page order."""

BY_KEY: Final = {definition.key: definition for definition in DEFINITIONS}

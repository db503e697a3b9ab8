"""Declare every setting once: type, default, bounds, words."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.preset import PRESET_KEYS_KEY, PRESET_NAME_KEY
from fireside.core.wording import marked
from fireside.settings.definitions_answer import ANSWER
from fireside.settings.definitions_backups import BACKUPS
from fireside.settings.definitions_hub import HUB
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_more_sampling import MORE_SAMPLING
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.languages import LANGUAGE_CHOICES, LANGUAGE_SYSTEM
from fireside.settings.values import Group, Kind, SettingDefinition

THEME_SYSTEM: Final = "system"
THEME_LIGHT: Final = "light"
THEME_DARK: Final = "dark"

KEEP_ALIVE_FOREVER: Final = -1
CACHE_AUTO: Final = -1

_APPEARANCE: Final = (
    SettingDefinition(
        key="appearance.theme",
        group=Group.APPEARANCE,
        label=marked("Theme"),
        help=marked("Light or dark, or whatever your system uses at the moment."),
        kind=Kind.CHOICE,
        default=THEME_SYSTEM,
        choices=(
            (THEME_SYSTEM, marked("Like the system")),
            (THEME_LIGHT, marked("Light")),
            (THEME_DARK, marked("Dark")),
        ),
    ),
    SettingDefinition(
        key="appearance.language",
        group=Group.APPEARANCE,
        label=marked("Language"),
        help=marked("What Fireside speaks; models answer in whatever language you write to them."),
        kind=Kind.CHOICE,
        default=LANGUAGE_SYSTEM,
        choices=((LANGUAGE_SYSTEM, marked("Like the system")), *LANGUAGE_CHOICES),
        needs_restart=True,
    ),
    SettingDefinition(
        key="appearance.accent",
        group=Group.APPEARANCE,
        label=marked("Accent colour"),
        help=marked("The colour of buttons, marks and your own messages."),
        kind=Kind.CHOICE,
        default="indigo",
        choices=(
            ("indigo", marked("Indigo")),
            ("blue", marked("Blue")),
            ("teal", marked("Teal")),
            ("green", marked("Green")),
            ("orange", marked("Orange")),
            ("rose", marked("Rose")),
        ),
    ),
    SettingDefinition(
        key="appearance.contrast",
        group=Group.APPEARANCE,
        label=marked("Contrast"),
        help=marked(
            "High contrast makes texts, edges and the place of the keyboard as clear as they can be."
        ),
        kind=Kind.CHOICE,
        default="system",
        choices=(
            ("system", marked("Like the system")),
            ("normal", marked("Normal")),
            ("high", marked("High")),
        ),
    ),
    SettingDefinition(
        key="appearance.density",
        group=Group.APPEARANCE,
        label=marked("Density"),
        help=marked("How much room there is between lines and around buttons."),
        kind=Kind.CHOICE,
        default="comfortable",
        choices=(("comfortable", marked("Comfortable")), ("compact", marked("Compact"))),
    ),
    SettingDefinition(
        key="appearance.text_size",
        group=Group.APPEARANCE,
        label=marked("Text size"),
        help=marked("How large the font is, in conversations and panels."),
        kind=Kind.INTEGER,
        default=14,
        minimum=13,
        maximum=20,
        step=1,
        unit="px",
    ),
    SettingDefinition(
        key="window.keep_in_tray",
        group=Group.APPEARANCE,
        label=marked("Stay in the tray when closed"),
        help=marked(
            "An icon in your system’s tray leads back to the window and to a quick question, which a key of "
            "your desktop can open too if it starts “fireside ask-window”."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="shortcuts.changed",
        group=Group.APPEARANCE,
        label=marked("Shortcuts"),
        help=marked(
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
        label=marked("System prompt"),
        help=marked(
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
        label=marked("Titles by the model"),
        help=marked(
            "After the first answer the model gives the chat a title, if it is large enough to do it well."
        ),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="chat.notify_when_done",
        group=Group.CHAT,
        label=marked("Tell when an answer is done"),
        help=marked("A note from your system when an answer took long and the window is not in front."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="chat.default_model",
        group=Group.CHAT,
        label=marked("Model of new conversations"),
        help=marked(
            "The model that a new conversation starts with; empty means the one that comes with Fireside."
        ),
        kind=Kind.LINE,
        default="",
        hidden=True,
    ),
    SettingDefinition(
        key=PRESET_NAME_KEY,
        group=Group.CHAT,
        label=marked("Preset"),
        help=marked("The preset that a conversation has; empty for none."),
        kind=Kind.LINE,
        default="",
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    SettingDefinition(
        key=PRESET_KEYS_KEY,
        group=Group.CHAT,
        label=marked("Settings of the preset"),
        help=marked("Which settings of a conversation its preset wrote."),
        kind=Kind.LINES,
        default=(),
        maximum=200,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)

_ENGINE: Final = (
    SettingDefinition(
        key="engine.keep_alive_minutes",
        group=Group.ENGINE,
        label=marked("Keep models in memory"),
        help=marked("How long a model stays loaded after its last answer."),
        kind=Kind.INTEGER,
        default=15,
        minimum=0,
        maximum=10_080,
        step=5,
        unit=marked("minutes"),
        choices=((KEEP_ALIVE_FOREVER, marked("Always")), (0, marked("Unload at once"))),
        per_model=True,
    ),
    SettingDefinition(
        key="engine.max_models",
        group=Group.ENGINE,
        label=marked("Models in memory at once"),
        help=marked(
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
        label=marked("Patience with slow disks"),
        help=marked(
            "A load that stands still for so long, neither reading nor computing anything, is given up."
        ),
        kind=Kind.INTEGER,
        default=120,
        minimum=30,
        maximum=3600,
        step=30,
        unit=marked("seconds"),
    ),
    SettingDefinition(
        key="engine.cache_memory_mb",
        group=Group.ENGINE,
        label=marked("Chats kept in memory"),
        help=marked(
            "Memory that each model may use to come back to a chat at once; Auto takes 512 MB, "
            "or an eighth of your memory if that is less."
        ),
        kind=Kind.INTEGER,
        default=CACHE_AUTO,
        minimum=0,
        maximum=1_048_576,
        step=256,
        unit="MB",
        choices=((CACHE_AUTO, marked("Auto")), (0, marked("Off"))),
    ),
    SettingDefinition(
        key="engine.cache_disk_gb",
        group=Group.ENGINE,
        label=marked("Chats kept on disk"),
        help=marked(
            "Disk space for coming back to a chat at once, even after a restart; Auto takes 8 "
            "GB, or a tenth of the free space if that is less, and Off deletes what is kept."
        ),
        kind=Kind.INTEGER,
        default=CACHE_AUTO,
        minimum=0,
        maximum=100_000,
        step=1,
        unit="GB",
        choices=((CACHE_AUTO, marked("Auto")), (0, marked("Off"))),
    ),
)

_FOLDERS: Final = (
    SettingDefinition(
        key="folders.data",
        group=Group.FOLDERS,
        label=marked("Data folder"),
        help=marked("Where conversations and logs are kept; what is in the old folder stays there."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    SettingDefinition(
        key="folders.models",
        group=Group.FOLDERS,
        label=marked("Model folder"),
        help=marked("Where the library looks for models and puts new ones."),
        kind=Kind.FOLDER,
        default="",
        needs_restart=True,
    ),
    SettingDefinition(
        key="library.added",
        group=Group.FOLDERS,
        label=marked("Added models and folders"),
        help=marked("Files and folders that you added to the library where they are."),
        kind=Kind.PATHS,
        default=(),
        maximum=1000,
        hidden=True,
    ),
    SettingDefinition(
        key="library.other_applications",
        group=Group.FOLDERS,
        label=marked("Models of other applications"),
        help=marked(
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

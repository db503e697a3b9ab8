"""Declares every setting once: kind, default, bounds, texts."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.i18n import tr_noop
from fireside.core.preset import PRESET_COVERED_KEY, PRESET_KEYS_KEY, PRESET_NAME_KEY
from fireside.core.project import (
    DEFAULT_MODEL_KEY,
    INSTRUCTIONS_CHARACTERS,
    PROJECT_INSTRUCTIONS_KEY,
)
from fireside.settings.definitions_answer import ANSWER
from fireside.settings.definitions_api import API
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.definitions_speech import SPEECH
from fireside.settings.definitions_tools import TOOLS
from fireside.settings.languages import LANGUAGE_CHOICES, LANGUAGE_SYSTEM
from fireside.settings.values import Group, Look, SettingSection

THEME_SYSTEM: Final = "system"
THEME_LIGHT: Final = "light"
THEME_DARK: Final = "dark"

LOCK_AFTER_KEY: Final = "privacy.lock_after_min"
KEEP_ALIVE_FOREVER: Final = -1
CACHE_AUTO: Final = -1

_general: Final = SettingSection(Group.GENERAL)
_appearance: Final = SettingSection(Group.APPEARANCE)

_APPEARANCE: Final = (
    _appearance.choice(
        "appearance.theme",
        tr_noop("Theme"),
        tr_noop("Light, dark or the same as your system."),
        default=THEME_SYSTEM,
        choices=(
            (THEME_SYSTEM, tr_noop("Match system")),
            (THEME_LIGHT, tr_noop("Light")),
            (THEME_DARK, tr_noop("Dark")),
        ),
        look=Look.SEGMENTS,
        synonyms=tr_noop("dark mode; light mode; night mode; colour scheme; color scheme"),
    ),
    _general.choice(
        "appearance.language",
        tr_noop("Language"),
        tr_noop("Language of the window. Models reply in the language you write in."),
        default=LANGUAGE_SYSTEM,
        choices=((LANGUAGE_SYSTEM, tr_noop("Match system")), *LANGUAGE_CHOICES),
        needs_restart=True,
        synonyms=tr_noop("locale; translation; interface language; UI language"),
    ),
    _appearance.choice(
        "appearance.accent",
        tr_noop("Accent colour"),
        tr_noop("Colour of buttons, highlights and your messages."),
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
        look=Look.SWATCHES,
        synonyms=tr_noop("accent color; highlight colour; colors"),
    ),
    _appearance.choice(
        "appearance.contrast",
        tr_noop("Contrast"),
        tr_noop("Stronger text, borders and keyboard focus."),
        default="system",
        choices=(
            ("system", tr_noop("Match system")),
            ("normal", tr_noop("Normal")),
            ("high", tr_noop("High")),
        ),
        synonyms=tr_noop("high contrast; accessibility; readability"),
    ),
    _appearance.choice(
        "appearance.density",
        tr_noop("Density"),
        tr_noop("Spacing between lines and around buttons."),
        default="comfortable",
        choices=(("comfortable", tr_noop("Comfortable")), ("compact", tr_noop("Compact"))),
        synonyms=tr_noop("compact mode; spacing; row height"),
    ),
    _appearance.integer(
        "appearance.text_size",
        tr_noop("Text size"),
        tr_noop("Font size in chats and panels."),
        default=14,
        within=(10, 32),
        unit="px",
        synonyms=tr_noop("font size; zoom; UI scale; larger text"),
    ),
    _appearance.choice(
        "appearance.column_width",
        tr_noop("Chat width"),
        tr_noop("How wide messages may be in a wide window."),
        default="narrow",
        choices=(("narrow", tr_noop("Narrow")), ("wide", tr_noop("Wide")), ("full", tr_noop("Full"))),
    ),
    _appearance.switch(
        "appearance.statistics",
        tr_noop("Always show statistics"),
        tr_noop(
            "Shows tokens/s, tokens and TTFT under every answer; otherwise only where the pointer or the "
            "keyboard is."
        ),
    ),
    _general.switch(
        "window.keep_in_tray",
        tr_noop("Minimise to tray on close"),
        tr_noop(
            "Keeps Fireside running in the system tray. Bind “fireside ask-window” to a key for "
            "quick questions from anywhere."
        ),
        synonyms=tr_noop("system tray; minimise to tray; minimize to tray; run in background"),
    ),
    _appearance.lines(
        "shortcuts.changed",
        tr_noop("Shortcuts"),
        tr_noop("Custom shortcuts, one “command=keys” per line. Easier to edit under Keyboard shortcuts."),
        most=200,
        hidden=True,
    ),
)

_chat: Final = SettingSection(Group.CHAT)

_CHAT: Final = (
    _chat.text(
        "chat.system_prompt",
        tr_noop("System prompt"),
        tr_noop("Instructions for the model at the start of a chat: its role and how to respond."),
        per_model=True,
        per_conversation=True,
        synonyms=tr_noop("system prompt; system message; instructions; persona; role"),
    ),
    _chat.switch(
        "chat.tell_of_artifacts",
        tr_noop("Explain artifacts to the model"),
        tr_noop("Asks it to put what it makes whole into one titled block; about 90 tokens."),
        default=False,
        per_model=True,
        per_conversation=True,
        synonyms=tr_noop("artifacts; canvas; preview; title; file name; web page; document"),
    ),
    _chat.switch(
        "chat.titles_by_model",
        tr_noop("Generate chat titles"),
        tr_noop("Names a chat after its first response, if the model is capable enough."),
        default=True,
        synonyms=tr_noop("chat titles; auto title; generate titles; rename chats automatically"),
    ),
    _general.switch(
        "chat.notify_when_done",
        tr_noop("Notify when a response finishes"),
        tr_noop("Shows a system notification when a long response finishes in the background."),
        default=True,
        synonyms=tr_noop("notification; desktop notification; alert"),
    ),
    _chat.line(
        DEFAULT_MODEL_KEY,
        tr_noop("Default model"),
        tr_noop("The model for new chats; empty for the included starter model."),
        hidden=True,
    ),
    _chat.text(
        PROJECT_INSTRUCTIONS_KEY,
        tr_noop("Project instructions"),
        tr_noop("What follows the system prompt in all chats of a project."),
        most=INSTRUCTIONS_CHARACTERS,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _chat.line(
        PRESET_NAME_KEY,
        tr_noop("Preset"),
        tr_noop("The chat’s preset; empty for none."),
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _chat.lines(
        PRESET_KEYS_KEY,
        tr_noop("Preset settings"),
        tr_noop("Settings set by the chat’s preset."),
        most=200,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _chat.text(
        PRESET_COVERED_KEY,
        tr_noop("Settings before the preset"),
        tr_noop("Restored when the preset is removed."),
        most=1_000_000,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)

_engine: Final = SettingSection(Group.ENGINE)

_ENGINE: Final = (
    _engine.switch(
        "engine.load_last_model",
        tr_noop("Load the last used model at start"),
        tr_noop("The first answer comes sooner; loading can be cancelled."),
        synonyms=tr_noop("autoload; load model on startup; preload; auto load last model"),
    ),
    _engine.integer(
        "engine.keep_alive_minutes",
        tr_noop("Unload after idle"),
        tr_noop("How long a model stays loaded after its last response."),
        default=15,
        within=(0, 10_080),
        step=5,
        named=((KEEP_ALIVE_FOREVER, tr_noop("Always")), (0, tr_noop("Immediately"))),
        unit=tr_noop("minutes"),
        per_model=True,
        synonyms=tr_noop("keep_alive; keep alive; idle; ttl; auto unload; auto-evict; unload after idle"),
    ),
    _engine.integer(
        "engine.max_models",
        tr_noop("Max loaded models"),
        tr_noop("Beyond this, an idle model is unloaded first, then the one closest to its idle limit."),
        default=4,
        within=(1, 16),
        synonyms=tr_noop("max loaded models; max_loaded_models; loaded models; models at once"),
    ),
    _engine.integer(
        "engine.load_patience_s",
        tr_noop("Load timeout"),
        tr_noop("Stops a load that makes no progress for this long."),
        default=120,
        within=(30, 3600),
        step=30,
        unit=tr_noop("seconds"),
        synonyms=tr_noop("timeout; load timeout; load_timeout"),
    ),
    _engine.integer(
        "engine.cache_memory_mb",
        tr_noop("Prompt cache: RAM"),
        tr_noop(
            "Memory per model for resuming chats at once, at most half of what is free. Auto "
            "uses 8 GB or 25% of RAM, whichever is less."
        ),
        within=(0, 1_048_576),
        step=256,
        auto=CACHE_AUTO,
        named=((0, tr_noop("Off")),),
        unit="MB",
        synonyms=tr_noop("prompt cache; cache_ram; prompt caching; context cache"),
    ),
    _engine.integer(
        "engine.cache_disk_gb",
        tr_noop("Prompt cache: disk"),
        tr_noop(
            "Disk space for resuming chats at once, even after a restart. Auto uses 8 GB or 10% "
            "of free space, whichever is less; Off deletes the cache."
        ),
        within=(0, 100_000),
        auto=CACHE_AUTO,
        named=((0, tr_noop("Off")),),
        unit="GB",
        synonyms=tr_noop("prompt cache; disk cache; slot_save_path; prompt caching"),
    ),
)

_folders: Final = SettingSection(Group.FOLDERS)

_FOLDERS: Final = (
    _folders.folder(
        "folders.data",
        tr_noop("Data folder"),
        tr_noop("Where chats and logs are stored. Changing it leaves existing data in the old folder."),
        needs_restart=True,
        synonyms=tr_noop("data directory; chat storage; database location; logs"),
    ),
    _folders.folder(
        "folders.models",
        tr_noop("Model folder"),
        tr_noop("Where models are stored and downloaded to."),
        needs_restart=True,
        synonyms=tr_noop("models directory; model directory; models path; download location"),
    ),
    _folders.paths(
        "library.added",
        tr_noop("Added models and folders"),
        tr_noop("Files and folders added to the library, used in place."),
        most=1000,
        hidden=True,
    ),
    _folders.switch(
        "library.other_applications",
        tr_noop("Models from other apps"),
        tr_noop("Lists models from LM Studio, Ollama, Jan and others in place, without changing them."),
        default=True,
        synonyms=tr_noop("lm studio; ollama; jan; import models; models from other apps"),
    ),
)

_privacy: Final = SettingSection(Group.PRIVACY)

_PRIVACY: Final = (
    _privacy.switch(
        "hub.offline",
        tr_noop("Offline mode"),
        tr_noop("Blocks all network access. Chatting works offline anyway."),
        synonyms=tr_noop("offline mode; telemetry; privacy; internet; network; no connections; air gap"),
    ),
    _privacy.switch(
        "chat.stays_local",
        tr_noop("Keep on this computer"),
        tr_noop("Sends nothing of the chat to servers."),
        per_model=True,
        per_conversation=True,
        synonyms=tr_noop("local only; keep this chat on this computer; private; lock; no cloud"),
    ),
    _privacy.integer(
        LOCK_AFTER_KEY,
        tr_noop("Lock when idle"),
        tr_noop(
            "Locks a data folder with a passphrase after this time without input; 0 for never. It closes "
            "temporary chats without asking."
        ),
        default=0,
        within=(0, 720),
        unit="min",
        synonyms=tr_noop("auto lock; lock automatically; timeout; idle; screen lock; passphrase; password"),
    ),
)

_backups: Final = SettingSection(Group.BACKUPS)

_BACKUPS: Final = (
    _backups.switch(
        "backups.automatic",
        tr_noop("Daily backups"),
        tr_noop("Keeps verified copies of all chats: 7 daily and 4 weekly."),
        default=True,
        synonyms=tr_noop("auto backup; daily backup; save chats"),
    ),
    _backups.folder(
        "backups.folder",
        tr_noop("Backup folder"),
        tr_noop("Where backups are stored; empty for the data folder. A different drive is safer."),
        synonyms=tr_noop("backup location; backup directory; backup path"),
    ),
)

DAILY_KEY: Final = "updates.daily"

_ABOUT: Final = (
    SettingSection(Group.ABOUT).switch(
        DAILY_KEY,
        tr_noop("Check for updates daily"),
        tr_noop("Asks the release address once a day. Nothing is installed without you."),
        synonyms=tr_noop("auto update; automatic updates; look for updates; new version; upgrade"),
    ),
)

_documents: Final = SettingSection(Group.DOCUMENTS)

_DOCUMENTS: Final = (
    _documents.lines(
        COLLECTIONS_KEY,
        tr_noop("Collections"),
        tr_noop("The collections of documents that questions are answered from."),
        most=20,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _documents.integer(
        "documents.passages",
        tr_noop("Passages per question"),
        tr_noop("How many passages from collections are sent with a question. More take longer to read."),
        default=6,
        within=(1, 20),
    ),
    _documents.integer(
        "documents.whole_tokens",
        tr_noop("Whole documents up to"),
        tr_noop("Collections with fewer tokens are sent whole if the context has room, not in passages."),
        default=6000,
        within=(0, 1_048_576),
        step=500,
        unit=tr_noop("tokens"),
    ),
)

_hub: Final = SettingSection(Group.HUB)

_HUB: Final = (
    _hub.switch(
        "hub.read_ahead",
        tr_noop("Read headers of search results"),
        tr_noop("Asks Hugging Face for the headers of results in view, for exact fit and speed."),
        default=True,
    ),
    _hub.integer(
        "hub.downloads_at_once",
        tr_noop("Concurrent downloads"),
        tr_noop("How many models download at once; others are queued."),
        default=2,
        within=(1, 8),
        synonyms=tr_noop("concurrent downloads; parallel downloads; simultaneous downloads"),
    ),
    _hub.integer(
        "hub.speed_limit_kb",
        tr_noop("Download speed limit"),
        tr_noop("Limit for all downloads together."),
        default=0,
        within=(0, 100_000_000),
        step=1000,
        named=((0, tr_noop("No limit")),),
        unit="kB/s",
        synonyms=tr_noop("bandwidth; throttle; download limit; rate limit"),
    ),
    _hub.line(
        "hub.endpoint",
        tr_noop("Hugging Face endpoint"),
        tr_noop("Empty for huggingface.co. Another address needs an access token of its own."),
        advanced=True,
        synonyms=tr_noop("hugging face; huggingface; hf_endpoint; hf mirror; mirror; hub url"),
    ),
    _hub.line(
        "hub.package_index",
        tr_noop("Package index"),
        tr_noop("Where components are downloaded from: empty for PyPI, or a mirror that answers in JSON."),
        advanced=True,
        synonyms=tr_noop("pypi; package index; index url; mirror; components"),
    ),
    _hub.line(
        "hub.proxy",
        tr_noop("Proxy"),
        tr_noop("Such as “http://proxy:8080”. Empty for the system’s proxy."),
        advanced=True,
        synonyms=tr_noop("proxy; http_proxy; https_proxy; socks"),
    ),
    _hub.file(
        "hub.ca_file",
        tr_noop("Certificates"),
        tr_noop("Extra certificates to trust (PEM file), such as a company’s own."),
        advanced=True,
        synonyms=tr_noop("ssl; tls; ca bundle; certificate; ssl_cert_file; self-signed"),
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
            *_DOCUMENTS,
            *TOOLS,
            *SPEECH,
            *ANSWER,
            *SAMPLING,
            *LOAD,
            *_ENGINE,
            *_HUB,
            *API,
            *_PRIVACY,
            *_BACKUPS,
            *_FOLDERS,
            *_ABOUT,
        ),
        key=lambda definition: tuple(Group).index(definition.group),
    )
)
"""Every setting, in page order. Those of one group stand in several modules."""

BY_KEY: Final = {definition.key: definition for definition in DEFINITIONS}

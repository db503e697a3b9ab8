"""Collect the palette's targets, open it and run the picked target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from fireside.core.chat import ConversationSummary
from fireside.core.events import AppEvent, ConversationChanged, ConversationDeleted
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.model import display_name
from fireside.settings.definitions import BY_KEY, DEFINITIONS
from fireside.settings.synonyms import synonyms
from fireside.settings.values import AppLayer, Group, SettingDefinition
from fireside.ui.commands import COMMANDS, VIEW, Command
from fireside.ui.palette.palette import Palette
from fireside.ui.palette.targets import Target, TargetKind, with_recent
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext

_HIDDEN_COMMANDS: Final = frozenset({Command.PALETTE})
_NO_ICON: Final = "chevron-right"
_THEME_KEY: Final = "appearance.theme"


class PaletteController(QObject):
    """Opens the palette with the current targets. GUI thread only."""

    def __init__(self, context: WindowContext, *, presets: Callable[[], Iterable[Target]] = tuple) -> None:
        """``presets`` returns the presets as targets."""
        super().__init__(context.window)
        self._context = context
        self._presets = presets
        self._chats: dict[ConversationId, ConversationSummary] = {}
        self.recent: tuple[str, ...] = ()
        """Names of the targets used recently, the last first."""
        self.palette = Palette(parent=context.window)
        self.palette.picked.connect(self._on_picked)

    def start(self, conversations: Iterable[ConversationSummary], *, recent: Sequence[str]) -> None:
        """Set the conversations, and the targets used before the restart."""
        self._chats = {summary.id: summary for summary in conversations}
        self.recent = tuple(recent)

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread."""
        match event:
            case ConversationChanged(summary=summary) if not summary.is_temporary:
                self._chats[summary.id] = summary
            case ConversationDeleted(conversation_id=deleted):
                self._chats.pop(deleted, None)
            case _:
                pass

    def title_of(self, conversation_id: ConversationId) -> str:
        """Return a conversation's title; empty for an unknown one."""
        summary = self._chats.get(conversation_id)
        return summary.title if summary is not None else ""

    def open(self) -> None:
        """Show the palette."""
        self.palette.open_over(self._context.window, targets=self.targets(), recent=self.recent)

    def targets(self) -> tuple[Target, ...]:
        """Return all targets; of the chats the latest come first."""
        return (
            *self._command_targets(),
            *self._theme_targets(),
            *self._presets(),
            *self._chat_targets(),
            *self._model_targets(),
            *self._sections(),
            *self._settings(),
        )

    def _command_targets(self) -> Iterable[Target]:
        commands = self._context.commands
        for spec in COMMANDS:
            action = commands.actions[spec.command]
            if spec.command not in _HIDDEN_COMMANDS and action.isEnabled():
                yield Target(
                    kind=TargetKind.COMMAND,
                    key=spec.command,
                    label=commands.label(spec.command),
                    location=tr(spec.menu),
                    shortcut=commands.shortcut_text(spec.command),
                    icon=spec.icon or _NO_ICON,
                    action=action.trigger,
                )

    def _theme_targets(self) -> Iterable[Target]:
        for value, label in BY_KEY[_THEME_KEY].choices:
            yield Target(
                kind=TargetKind.COMMAND,
                key=f"{_THEME_KEY}={value}",
                label=tr("Theme: {choice}").format(choice=tr(label)),
                location=tr(VIEW),
                icon="palette",
                keywords=" ".join(synonyms(_THEME_KEY)),
                action=partial(self._choose_theme, str(value)),
            )

    def _choose_theme(self, theme: str) -> None:
        changing = self._context.client.settings.change(AppLayer(), key=_THEME_KEY, value=theme)
        self._context.tasks.run(changing, on_error=self._context.show_error)

    def _chat_targets(self) -> Iterable[Target]:
        latest = sorted(self._chats.values(), key=lambda summary: (-summary.updated_at, -summary.id))
        for summary in latest:
            yield Target(
                kind=TargetKind.CHAT,
                key=str(summary.id),
                label=one_line(summary.title),
                location=tr("Archived chat") if summary.archived else tr("Chat"),
                icon="message-square",
                action=partial(self._context.router.open_chat, summary.id),
            )

    def _model_targets(self) -> Iterable[Target]:
        for entry in self._context.models.usable:
            if (spec := entry.spec) is not None:
                yield Target(
                    kind=TargetKind.MODEL,
                    key=spec.id,
                    label=one_line(display_name(entry)),
                    location=tr("Use model"),
                    icon="box",
                    keywords=spec.quantization,
                    action=partial(self._context.router.use_model, spec.id),
                )

    def _sections(self) -> Iterable[Target]:
        for group in Group:
            yield Target(
                kind=TargetKind.SETTING,
                key=f"section:{group}",
                label=tr(group),
                location=tr("Settings"),
                icon="settings",
                aliases=synonyms(group),
                action=partial(self._context.router.show_settings_section, group),
            )

    def _settings(self) -> Iterable[Target]:
        for definition in DEFINITIONS:
            if not definition.hidden:
                yield Target(
                    kind=TargetKind.SETTING,
                    key=definition.key,
                    label=tr(definition.label),
                    location=tr("Settings › {group}").format(group=tr(definition.group)),
                    icon="settings",
                    keywords=_keywords_of(definition),
                    aliases=synonyms(definition.key),
                    action=partial(self._context.router.show_setting, definition.key),
                )

    @Slot(object)
    def _on_picked(self, target: Target) -> None:
        self.recent = with_recent(self.recent, target.name)
        target.action()


def _keywords_of(definition: SettingDefinition) -> str:
    """Return further words for a setting: its key, its choices and its description."""
    choices = (tr(label) for _, label in definition.choices)
    return " ".join((definition.key, *choices, tr(definition.help)))

"""Put together what helps to write: presets, and the menu of presets and commands over one composer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.commands import Command, Commands
from fireside.ui.conversation_controller import ConversationController
from fireside.ui.models_view import ModelsView
from fireside.ui.palette import PaletteController
from fireside.ui.palette.targets import Target
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.slash.entries import Arguments, command_targets, preset_targets
from fireside.ui.slash.slash_controller import SlashController
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.toast import Toast

_OF_A_CHAT = frozenset(
    {Command.RENAME_CHAT, Command.EXPORT_CHAT, Command.BRANCHES, Command.EDIT_LAST, Command.COPY_ANSWER}
    | {Command.ANSWER_AGAIN, Command.CONTINUE_ANSWER, Command.KEEP_SEED, Command.FIND_HERE}
)
"""Of no use before the first message."""


def make_writing_desks(
    *,
    client: EngineClient,
    tasks: TaskRunner,
    chat: ChatPane,
    desk: ConversationController,
    models: ModelsView,
    commands: Commands,
    palette: PaletteController,
    use_model: Callable[[str], None],
    toast: Toast,
    theme: Theme,
    on_error: OnError,
    window: QWidget,
) -> tuple[PresetController, SlashController]:
    """Return what brings presets to ``chat``, and what opens the menu over its composer; the palette leads
    to presets too."""
    presets = PresetController(
        client=client,
        tasks=tasks,
        theme=theme,
        chat=chat,
        models=models,
        model_id=lambda: desk.model_id,
        use_model=use_model,
        toast=toast,
        on_error=on_error,
        window=window,
    )

    def from_library() -> Sequence[Target]:
        return preset_targets(presets.presets, use=presets.use)

    def targets() -> Sequence[Target]:
        return (
            *from_library(),
            *command_targets(
                do=lambda command: commands.actions[command].trigger(),
                is_enabled=lambda command: command not in _OF_A_CHAT or chat.conversation_id is not None,
                clear=chat.composer.clear_words,
            ),
        )

    def rename(title: str) -> None:
        if chat.conversation_id is not None:
            desk.rename(chat.conversation_id, title)

    palette.set_presets(from_library)
    slash = SlashController(
        composer=chat.composer,
        targets=targets,
        arguments=Arguments(title=rename, seed=presets.keep_seed),
        theme=theme,
        on_open=toast.hide_now,
        pane=chat,
    )
    return presets, slash

"""Put the menu together: from presets and commands, over one composer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.commands import Command, Commands
from fireside.ui.desk import Desk
from fireside.ui.palette import PaletteDesk
from fireside.ui.palette.targets import Target
from fireside.ui.presets.desk import PresetDesk
from fireside.ui.slash.desk import SlashDesk
from fireside.ui.slash.entries import Arguments, command_targets, preset_targets
from fireside.ui.theme import Theme

_OF_A_CHAT = frozenset(
    {Command.RENAME_CHAT, Command.EXPORT_CHAT, Command.BRANCHES, Command.EDIT_LAST, Command.COPY_ANSWER}
    | {Command.ANSWER_AGAIN, Command.CONTINUE_ANSWER, Command.KEEP_SEED, Command.FIND_HERE}
)
"""Of no use before the first message."""


def make_slash_desk(
    *,
    chat: ChatPane,
    desk: Desk,
    commands: Commands,
    presets: PresetDesk,
    palette: PaletteDesk,
    theme: Theme,
    on_open: Callable[[], None],
) -> SlashDesk:
    """Return what opens the menu over the composer of ``chat``; the palette leads to presets too."""

    def from_library() -> Sequence[Target]:
        return preset_targets(presets.presets, use=presets.use)

    def targets() -> Sequence[Target]:
        return (
            *from_library(),
            *command_targets(
                do=lambda command: commands.actions[command].trigger(),
                is_enabled=lambda command: command not in _OF_A_CHAT or chat.conversation_id is not None,
                clear=chat.composer.editor.clear,
            ),
        )

    def rename(title: str) -> None:
        if chat.conversation_id is not None:
            desk.rename(chat.conversation_id, title)

    palette.set_presets(from_library)
    return SlashDesk(
        composer=chat.composer,
        targets=targets,
        arguments=Arguments(title=rename, seed=presets.keep_seed),
        theme=theme,
        on_open=on_open,
        pane=chat,
    )

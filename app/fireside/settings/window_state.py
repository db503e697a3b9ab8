"""Remember how the window looked. Not settings: losing it costs nothing but a moment."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Final

import msgspec

from fireside.core.ids import ConversationId, DraftId
from fireside.files.atomic_replace import WriteFile, replace_file

_SIZE_LIMIT: Final = 1_000_000


TARGET_NAME_LIMIT: Final = 400
TargetName = Annotated[str, msgspec.Meta(max_length=TARGET_NAME_LIMIT)]


class LibraryViewState(msgspec.Struct, frozen=True, kw_only=True):
    """How the list of models was shown."""

    view: Annotated[str, msgspec.Meta(max_length=40)] = "table"
    column: Annotated[str, msgspec.Meta(max_length=40)] = "name"
    """By which it was sorted."""
    descending: bool = False


MAX_OTHERS: Final = 16
PanelWidth = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
DraftName = Annotated[DraftId, msgspec.Meta(max_length=40)]


class OtherWindow(msgspec.Struct, frozen=True, kw_only=True):
    """What another window looked like when the program ended."""

    geometry: Annotated[bytes, msgspec.Meta(max_length=65_536)] = b""
    sidebar_width: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None
    panel_width: PanelWidth | None = None
    is_panel_open: bool = False
    last_conversation: ConversationId | None = None
    new_draft: DraftName = DraftId("")


class WindowState(msgspec.Struct, frozen=True, kw_only=True):
    """What the window looked like when it was closed."""

    geometry: Annotated[bytes, msgspec.Meta(max_length=65_536)] = b""
    """As Qt saves it; base64 in the file. Empty before the first close."""
    sidebar_width: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None
    """Device-independent pixels."""
    panel_width: PanelWidth | None = None
    """Of the chat's settings, in pixels at the usual text size."""
    is_panel_open: bool = False
    last_conversation: ConversationId | None = None
    new_draft: DraftName = DraftId("")
    """What is written in its new chat; empty for nothing."""
    chat_order: Annotated[str, msgspec.Meta(max_length=40)] = "used"
    """By what the chats were sorted."""
    library: LibraryViewState = LibraryViewState()
    recent_targets: Annotated[tuple[TargetName, ...], msgspec.Meta(max_length=40)] = ()
    """What was taken from the command palette, the last first."""
    others: Annotated[tuple[OtherWindow, ...], msgspec.Meta(max_length=MAX_OTHERS)] = ()
    """The windows that were open besides, the one used last first."""


def load_state(path: Path) -> WindowState:
    """Return the state in ``path``; the default if it is missing or of no use. Never raises."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_SIZE_LIMIT), type=WindowState)
    except (OSError, msgspec.DecodeError, RecursionError):
        return WindowState()


def save_state(path: Path, state: WindowState, *, write: WriteFile = replace_file) -> None:
    """Write ``state``. Never raises: a full disk must not stop the program from closing."""
    with contextlib.suppress(OSError):
        write(path, msgspec.json.format(msgspec.json.encode(state), indent=2))

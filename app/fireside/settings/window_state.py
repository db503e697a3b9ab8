"""The state of the windows, such as sizes and open conversations. Unlike settings, it may be lost."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Final

import msgspec

from fireside.core.ids import ConversationId, DraftId
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.files.json_file import JsonFile

_SIZE_LIMIT: Final = 1_000_000
TARGET_NAME_LIMIT: Final = 400
MAX_OTHERS: Final = 16

TargetName = Annotated[str, msgspec.Meta(max_length=TARGET_NAME_LIMIT)]
ShortText = Annotated[str, msgspec.Meta(max_length=40)]
DraftName = Annotated[DraftId, msgspec.Meta(max_length=40)]
Geometry = Annotated[bytes, msgspec.Meta(max_length=65_536)]
"""As Qt saves it; base64 in the file."""
Width = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
"""Device-independent pixels."""


class LibraryViewState(msgspec.Struct, frozen=True, kw_only=True):
    """The view of the list of models."""

    view: ShortText = "table"
    column: ShortText = "name"
    """The column by which it is sorted."""
    descending: bool = False


class OtherWindow(msgspec.Struct, frozen=True, kw_only=True):
    """The state of another window that was open when the program ended."""

    geometry: Geometry = b""
    sidebar_width: Width | None = None
    panel_width: Width | None = None
    is_panel_open: bool = False
    last_conversation: ConversationId | None = None
    new_draft: DraftName = DraftId("")


class WindowState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the window when it was closed."""

    geometry: Geometry = b""
    """Empty before the first close."""
    sidebar_width: Width | None = None
    panel_width: Width | None = None
    """The width of the chat's settings, at the default text size."""
    is_panel_open: bool = False
    open_groups: Annotated[tuple[ShortText, ...], msgspec.Meta(max_length=10)] = ("instructions",)
    """The unfolded groups of the chat’s settings."""
    last_conversation: ConversationId | None = None
    new_draft: DraftName = DraftId("")
    """The draft in its new chat; empty for none."""
    chat_order: ShortText = "used"
    """The sort order of the chats."""
    library: LibraryViewState = LibraryViewState()
    recent_targets: Annotated[tuple[TargetName, ...], msgspec.Meta(max_length=40)] = ()
    """The commands chosen in the command palette, the latest first."""
    others: Annotated[tuple[OtherWindow, ...], msgspec.Meta(max_length=MAX_OTHERS)] = ()
    """The other windows that were open, the last used first."""


def load_state(path: Path) -> WindowState:
    """Return the state in ``path``; the default if the file is missing or invalid. Never raises."""
    return JsonFile(path, WindowState, limit=_SIZE_LIMIT).read() or WindowState()


def save_state(path: Path, state: WindowState, *, write: WriteFile = replace_file) -> None:
    """Write ``state``. Never raises: a full disk must not prevent the program from closing."""
    with contextlib.suppress(OSError):
        JsonFile(path, WindowState, limit=_SIZE_LIMIT, write=write).write(state)

"""Protocol of the service for the preset library, and applying presets to a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.constraint import Constraint
from fireside.core.ids import ConversationId, PresetId
from fireside.core.preset import AppliedPreset, Preset, PresetImport


class PresetClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``PresetsChanged`` has the library after each change, ``SettingsChanged`` the new settings of a chat.
    """

    async def presets(self) -> tuple[Preset, ...]:
        """Return all presets in the user's order."""

    async def save(self, preset: Preset) -> Preset:
        """Store a preset, as a new one if its id is 0, and return it as stored.

        Raises ``PresetInvalid`` or ``SettingInvalid`` with an explanation.
        """

    async def delete(self, preset_id: PresetId) -> None:
        """Hide a preset; ``restore`` can bring it back until the next start of the program."""

    async def restore(self, preset_id: PresetId) -> None:
        """Restore a preset that was deleted since the program started."""

    async def move(self, preset_id: PresetId, *, position: int) -> None:
        """Move a preset within the list; ``position`` counts from 0."""

    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        """Store the values that the user entered for the variables, as the defaults of the next time."""

    async def restore_built_in(self) -> int:
        """Restore deleted built-in presets. Returns how many."""

    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        """Write presets to a file, all of them if ``ids`` is empty. Returns how many.

        Raises ``ExportUnwritable``.
        """

    async def import_file(self, path: str) -> PresetImport:
        """Add the valid presets of a file that are not in the library yet. Raises ``ImportUnreadable``."""

    async def apply(self, conversation_id: ConversationId, preset: AppliedPreset) -> None:
        """Apply ``preset`` to a chat, replacing the one before. Raises ``SettingInvalid``."""

    async def unapply(self, conversation_id: ConversationId) -> None:
        """Remove the preset of a chat; settings that the user changed since stay."""

    async def check_rule(self, constraint: Constraint) -> str:
        """Return what is wrong with an output constraint, as the end of a sentence; empty if it is valid."""

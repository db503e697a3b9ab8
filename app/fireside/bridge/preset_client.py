"""Protocol of the service for the preset library, and applying presets to a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.constraint import Constraint
from fireside.core.ids import ConversationId, PresetId
from fireside.core.preset import AppliedPreset, Preset, PresetImport


class PresetClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``PresetsChanged`` carries the library after each change, ``SettingsChanged`` what a chat took over.
    """

    async def presets(self) -> tuple[Preset, ...]:
        """Return all, in the user's order."""

    async def save(self, preset: Preset) -> Preset:
        """Store a preset, as a new one where its id is 0, and return it as it is kept.

        Raises ``PresetInvalid`` or ``SettingInvalid`` with what is wrong in words.
        """

    async def delete(self, preset_id: PresetId) -> None:
        """Hide a preset; ``restore`` brings it back until the program is next started."""

    async def restore(self, preset_id: PresetId) -> None:
        """Bring back a preset that was deleted since the program was started."""

    async def move(self, preset_id: PresetId, *, position: int) -> None:
        """Give a preset another place in the list, from 0."""

    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        """Keep what the user entered for the variables, to be offered the next time."""

    async def restore_built_in(self) -> int:
        """Add those presets that came with the program and are gone. Returns how many."""

    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        """Write presets to a file, all of them without ``ids``. Returns how many.

        Raises ``ExportUnwritable``.
        """

    async def import_file(self, path: str) -> PresetImport:
        """Add what a file holds that is sound and not there yet. Raises ``ImportUnreadable``."""

    async def take(self, conversation_id: ConversationId, preset: AppliedPreset) -> None:
        """Let a chat have ``preset`` in place of the one before. Raises ``SettingInvalid``."""

    async def leave(self, conversation_id: ConversationId) -> None:
        """Take a chat's preset away; what the user changed since stays."""

    async def check_rule(self, constraint: Constraint) -> str:
        """Return what is wrong with a rule for answers, as the end of a sentence; empty where nothing is."""

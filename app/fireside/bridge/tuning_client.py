"""Protocol of the service for tuning a model and benchmarking models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ModelId
from fireside.core.tuning import BusyModels, ModelComparison, TuningOptions, TuningReport


class TuningClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``TuningProgressed`` and ``ComparingProgressed`` tell how far a measurement is. One runs at a time, and
    nothing is loaded meanwhile: requests for other models wait.
    """

    async def busy(self, measured: Sequence[ModelId]) -> BusyModels:
        """Return what would disturb measuring these models now; they themselves do only while they answer."""

    async def report(self, model_id: ModelId) -> TuningReport | None:
        """Return the latest tuning of a model, and whether it still holds; ``None`` if there is none.

        Under a second. Raises ``ModelNotFound``.
        """

    async def tune(self, model_id: ModelId, wishes: TuningOptions) -> TuningReport:
        """Find the fastest settings and remember what was measured.

        About as long as ``wishes`` allow; cancel it freely. Raises ``TuningRefused`` if something is being
        measured already, or why the model cannot be loaded.
        """

    async def apply(self, model_id: ModelId) -> TuningReport:
        """Make the fastest settings those of the model.

        Raises ``TuningRefused`` if none were found, or a ``SettingsError``.
        """

    async def revert(self, model_id: ModelId) -> TuningReport:
        """Give the model the settings again that it had before one kept those of a tuning.

        What the user has changed since stays. Raises ``TuningRefused`` if nothing is kept, or a
        ``SettingsError``.
        """

    async def compare(self, model_ids: Sequence[ModelId], *, unload: bool, is_quick: bool) -> ModelComparison:
        """Measure models one after the other, with the settings of each. Cancel it freely.

        A model that cannot be measured is in the answer, with the reason.
        Raises ``TuningRefused`` for none or too many, or if something is being measured already.
        """

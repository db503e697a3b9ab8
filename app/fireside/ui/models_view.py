"""The models as the window knows them, of the library and of other engines: entries and states."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.core.status import ModelState, ModelStatus, OnRemoteEngine, Unloaded
from fireside.ui.model_text import SMALL_MODEL_PARAMS


class ModelsView(QObject):
    """Mirrors the events about models, for every widget that shows them. GUI thread only."""

    entries_changed = Signal()
    state_changed = Signal(str)
    """Carries the model's id."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[ModelEntry, ...] = ()
        self._remote: tuple[ModelEntry, ...] = ()
        self._by_id: dict[ModelId, ModelEntry] = {}
        self._states: dict[ModelId, ModelState] = {}
        self.is_known = False
        """Whether the library has been read; before that, a missing model means nothing."""

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        """Every file of the library, broken ones too."""
        return self._entries

    @property
    def usable(self) -> tuple[ModelEntry, ...]:
        """The models that can chat, those of this computer first."""
        return tuple(entry for entry in self._by_id.values() if entry.can_chat)

    @property
    def local(self) -> tuple[ModelEntry, ...]:
        """The models of this computer that can chat."""
        return tuple(entry for entry in self._entries if entry.can_chat)

    @property
    def has_full_model(self) -> bool:
        """Whether there is a model to work with: not only very small ones, such as the starter model."""
        sizes = (entry.spec.n_params for entry in self.usable if entry.spec is not None)
        return any(n_params == 0 or n_params >= SMALL_MODEL_PARAMS for n_params in sizes)

    @property
    def has_remote(self) -> bool:
        """Whether another engine has models."""
        return bool(self._remote)

    def entry(self, model_id: ModelId | None) -> ModelEntry | None:
        return self._by_id.get(model_id) if model_id is not None else None

    def entry_at(self, path: str) -> ModelEntry | None:
        return next((entry for entry in self._entries if entry.path == path), None)

    def state(self, model_id: ModelId) -> ModelState:
        entry = self._by_id.get(model_id)
        remote = None if entry is None or entry.spec is None else entry.spec.remote
        if remote is not None:
            return OnRemoteEngine(host=remote.host, is_unreachable=remote.is_unreachable)
        return self._states.get(model_id, Unloaded())

    def status(self, model_id: ModelId) -> ModelStatus:
        return ModelStatus(model_id=model_id, state=self.state(model_id))

    def set_entries(self, entries: Iterable[ModelEntry]) -> None:
        self._entries = tuple(entries)
        self.is_known = True
        self._index()

    def set_remote(self, entries: Iterable[ModelEntry]) -> None:
        """Set the models of other engines."""
        self._remote = tuple(entries)
        self._index()

    def _index(self) -> None:
        both = (*self._entries, *self._remote)
        self._by_id = {entry.spec.id: entry for entry in both if entry.spec is not None}
        self.entries_changed.emit()

    def set_status(self, status: ModelStatus) -> None:
        self._states[status.model_id] = status.state
        self.state_changed.emit(status.model_id)

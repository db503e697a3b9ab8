"""State of the library's files that this session found: checks, available updates, a move of the library."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from PySide6.QtCore import QObject, Signal

from fireside.core.errors import ErrorInfo
from fireside.core.hub import CheckEnded, CheckProgressed, VerifyOutcome, VerifyResult
from fireside.core.library import ModelUpdate, MoveEnded, MoveProgress, MoveProgressed, MoveResult
from fireside.core.model import ModelEntry


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A check or repair of a model file, running or finished."""

    path: str
    is_running: bool
    is_repairing: bool = False
    n_bytes: int = 0
    size_bytes: int = 0
    """0 while it is queued."""
    results: tuple[VerifyResult, ...] = ()
    error: ErrorInfo | None = None

    @property
    def fraction(self) -> float:
        return min(1.0, self.n_bytes / self.size_bytes) if self.size_bytes > 0 else 0.0

    @property
    def has_found_damage(self) -> bool:
        return any(result.outcome is VerifyOutcome.DAMAGED for result in self.results)

    @property
    def has_repaired(self) -> bool:
        return any(result.outcome is VerifyOutcome.REPAIRED for result in self.results)


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the library, running or finished. With neither result nor error it was cancelled."""

    folder: str
    is_running: bool
    progress: MoveProgress | None = None
    result: MoveResult | None = None
    error: ErrorInfo | None = None


class CheckResults(QObject):
    """Holds what events and replies reported, for all pages of the library. GUI thread only."""

    check_changed = Signal(str)
    """Carries the model's path."""
    updates_changed = Signal()
    move_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._checks: dict[str, Check] = {}
        self._updates: dict[str, ModelUpdate] = {}
        self._move: Move | None = None

    @property
    def move(self) -> Move | None:
        """The running move, or the last one until it is cleared."""
        return self._move

    @property
    def updates(self) -> tuple[ModelUpdate, ...]:
        return tuple(self._updates.values())

    def check(self, path: str) -> Check | None:
        return self._checks.get(path)

    def update(self, path: str) -> ModelUpdate | None:
        return self._updates.get(path)

    def start_check(self, path: str, *, repair: bool) -> None:
        """Show at once that a check was requested; it may have to wait in a queue."""
        damage = self._damage(path) if repair else ()
        self._set_check(Check(path=path, is_running=True, is_repairing=repair, results=damage))

    def check_progressed(self, event: CheckProgressed) -> None:
        self._set_check(
            Check(
                path=event.path,
                is_running=True,
                is_repairing=event.is_repairing,
                n_bytes=event.n_bytes,
                size_bytes=event.size_bytes,
                results=self._damage(event.path),
            )
        )

    def check_ended(self, event: CheckEnded) -> None:
        if event.error is None and not event.results:
            self.clear_check(event.path)
            return
        # A failed repair keeps the damage that was found before.
        results = event.results or self._damage(event.path)
        self._set_check(Check(path=event.path, is_running=False, results=results, error=event.error))

    def _damage(self, path: str) -> tuple[VerifyResult, ...]:
        check = self._checks.get(path)
        return check.results if check is not None and check.has_found_damage else ()

    def clear_check(self, path: str) -> None:
        """Remove a check that was cancelled or could not start."""
        if self._checks.pop(path, None) is not None:
            self.check_changed.emit(path)

    def set_updates(self, updates: Iterable[ModelUpdate]) -> None:
        self._updates = {update.path: update for update in updates}
        self.updates_changed.emit()

    def retain_only(self, entries: Iterable[ModelEntry]) -> None:
        """Remove the results of files that no longer exist, and updates that are installed.

        A file under repair does not exist for a while; its check stays.
        """
        current_entries = {entry.path: entry for entry in entries}
        self._checks = {
            path: check for path, check in self._checks.items() if path in current_entries or check.is_running
        }
        applicable = [
            update for update in self.updates if _is_applicable(update, current_entries.get(update.path))
        ]
        if len(applicable) < len(self._updates):
            self.set_updates(applicable)

    def start_move(self, folder: str) -> None:
        self._set_move(Move(folder=folder, is_running=True))

    def move_progressed(self, event: MoveProgressed) -> None:
        folder = self._move.folder if self._move is not None else ""
        self._set_move(Move(folder=folder, is_running=True, progress=event.progress))

    def move_ended(self, event: MoveEnded) -> None:
        folder = self._move.folder if self._move is not None else ""
        self._set_move(Move(folder=folder, is_running=False, result=event.result, error=event.error))

    def clear_move(self) -> None:
        self._set_move(None)

    def _set_check(self, check: Check) -> None:
        self._checks[check.path] = check
        self.check_changed.emit(check.path)

    def _set_move(self, move: Move | None) -> None:
        self._move = move
        self.move_changed.emit()


def _is_applicable(update: ModelUpdate, entry: ModelEntry | None) -> bool:
    """Return whether the file that ``update`` replaces is still the current one."""
    return entry is not None and (entry.origin is None or entry.origin.digest == update.replaces)

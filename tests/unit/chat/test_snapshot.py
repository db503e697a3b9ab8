"""What a new window shows first; events that came before it are in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.app_harness import app_harness
from fireside.core.chat import NewDraft
from fireside.core.status import LoadingModel, LoadStage, ModelState, ModelStatus


async def test_a_state_reported_while_chats_are_read_is_in_it(
    tmp_path: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        state: ModelState = LoadingModel(fraction=0.0, stage=LoadStage.STARTING)

        async def meanwhile() -> tuple[NewDraft, ...]:
            nonlocal state
            state = LoadingModel(fraction=0.0, stage=LoadStage.PREPARING)
            return ()

        def statuses() -> tuple[ModelStatus, ...]:
            return (ModelStatus(model_id=place.model_id, state=state),)

        monkeypatch.setattr(place.engine, "statuses", statuses)
        monkeypatch.setattr(place.app._store.drafts, "new_chats", meanwhile)
        snapshot = await place.app.snapshot()
        assert [each.state for each in snapshot.statuses] == [state]
        assert state == LoadingModel(fraction=0.0, stage=LoadStage.PREPARING)

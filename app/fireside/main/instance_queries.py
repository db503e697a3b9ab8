"""Answer what commands ask the running program."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from fireside.bridge.client import EngineClient
from fireside.bridge.ipc import Answer, ListRunning, Question, StopModel
from fireside.bridge.single_instance import OpenQuestion
from fireside.core.errors import FiresideError
from fireside.ui.tasks import TaskRunner


def answering(client: EngineClient, tasks: TaskRunner) -> Callable[[OpenQuestion], None]:
    """Return what takes a question and sees to its answer. GUI thread only."""

    def take(asked: OpenQuestion) -> None:
        tasks.run(_answer(client, asked))

    return take


async def _answer(client: EngineClient, asked: OpenQuestion) -> None:
    asked.answer(await answer_to(client, asked.question))


async def answer_to(client: EngineClient, question: Question) -> Answer:
    """Do what is asked for, and say what is loaded then."""
    try:
        match question:
            case ListRunning():
                pass
            case StopModel(model_id=model_id):
                await client.models.unload(model_id)
            case _:
                assert_never(question)
        return Answer(models=await client.load_plans.running())
    except FiresideError as exc:
        return Answer(problem=exc.sentence())

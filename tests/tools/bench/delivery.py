"""Measure how long a token waits: from the engine's event to the window's signal, database included.

A scripted engine makes tokens at an even rate, each carrying the time at which it was made; the turn saves
them to a real database, and the frames cross from the engine thread to the GUI thread's event loop.

Usage: PYTHONPATH=tests python tests/tools/bench/delivery.py [--rate 200] [--tokens 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from qasync import QEventLoop

from fakes.about import about_parts
from fakes.app_harness import hub_parts
from fakes.children import file_reading, rule_checks, template_examples
from fakes.devices import device_memory, listing
from fakes.engine import FakeEngine, finished, says
from fakes.runtimes import runtime_parts
from fakes.speech import speech_parts
from fakes.tuning import tuning_parts
from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread, FramePump
from fireside.chat.app import App, AppParts
from fireside.core.events import AppEvent, MessageReplaced, TextAppended
from fireside.core.generation import GenerationEvent, TextDelta
from fireside.documents.page_rendering import render
from fireside.engine.planning.planner import Planner
from fireside.engine.request import GenerationRequest
from fireside.library.library import Library
from fireside.library.starter import starter_folder
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.storage.store import Store
from fireside.wire.cache_files import SavedStatePurge


class SteadyEngine(FakeEngine):
    """Makes ``n_tokens`` tokens, ``rate`` a second, each saying when it was made."""

    def __init__(self, *, rate: float, n_tokens: int) -> None:
        super().__init__(says())
        self._rate = rate
        self._n_tokens = n_tokens

    async def _events(self, request: GenerationRequest) -> AsyncGenerator[GenerationEvent, None]:
        started = time.perf_counter()
        for number in range(1, self._n_tokens + 1):
            await asyncio.sleep(max(0.0, started + number / self._rate - time.perf_counter()))
            yield TextDelta(text=f"{time.perf_counter()} ", n_completion=number)
        yield finished(n_completion=self._n_tokens)


def main() -> None:
    """Stream once and print the distribution."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--tokens", type=int, default=2000)
    arguments = parser.parse_args()
    application = QCoreApplication([])
    with tempfile.TemporaryDirectory() as home:
        thread = EngineThread[App](
            build=lambda pump: build(
                Path(home), pump, SteadyEngine(rate=arguments.rate, n_tokens=arguments.tokens)
            )
        )
        client = EngineClient(thread)
        thread.start()
        try:
            with QEventLoop(application) as loop:
                waits = loop.run_until_complete(stream(client))
        finally:
            thread.stop()
    waits.sort()
    shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    words = [f"{name} {1000 * waits[int(share * (len(waits) - 1))]:.1f} ms" for name, share in shares.items()]
    sys.stdout.write(f"token made to signal delivered, {arguments.rate:.0f} tokens/s: {', '.join(words)}\n")


async def build(home: Path, pump: FramePump, engine: FakeEngine) -> App:
    """Build the app around ``engine``, with a database on the disk."""
    settings = Settings(file=SettingsFile(home / "settings.json"), environ={})
    parts = AppParts(
        about=about_parts(home),
        planner=Planner(),
        states=SavedStatePurge(None),
        hub=hub_parts(settings, home),
        show_template=template_examples(),
        runtimes=runtime_parts(home / "runtimes", starter=starter_folder() / "starter.gguf"),
        tuning=tuning_parts(home),
        speech=speech_parts(home),
        read_files=file_reading(),
        render_page=render,
        check_rule=rule_checks(),
        list_devices=listing,
        device_memory=device_memory(),
        store=await Store.open(home / "fireside.db", clock=time.time),
        engine=engine,
        library=Library(
            library_folder=home / "models",
            starter_folder=starter_folder(),
            added=(),
            cache_path=home / "models.json",
            trash=lambda _: None,
        ),
        settings=settings,
        emit=pump.add,
        next_frame=pump.next_frame,
    )
    app = App(parts)
    await app.start()
    return app


async def stream(client: EngineClient) -> list[float]:
    """Send one message and return the wait of each of its tokens, in seconds."""
    waits: list[float] = []
    done = asyncio.Event()

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        now = time.perf_counter()
        for event in events:
            if isinstance(event, TextAppended):
                waits.extend(now - float(made) for made in event.delta.text.split())
            elif isinstance(event, MessageReplaced):
                done.set()

    client.frame.connect(on_frame)
    model = (await client.snapshot()).default_model
    assert model is not None
    await client.generations.send(None, text="Go on", model_id=model)
    await done.wait()
    return waits


if __name__ == "__main__":
    main()

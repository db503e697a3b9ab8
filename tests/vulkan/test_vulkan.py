"""The Vulkan runtime on Mesa's software device: what a graphics card would do, slowly. `make test-vulkan`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import msgspec
import pytest

from fakes.children import child_environment
from fireside.core.generation import FinishReason
from fireside.core.options import GPU_LAYERS_ALL, LoadOptions, SettingValue
from fireside.core.runtime import Runtime, RuntimeState
from fireside.core.status import Device, DeviceKind, LoadedModel
from fireside.engine.clock import LoopClock
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runner_session import RunnerSession
from fireside.engine.runtimes.runner_spawner import RunnerSpawner, with_runtime
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.services.machine.runtime_service import RuntimeParts, RuntimeService
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.settings.values import Layer
from fireside.wire.messages import Load
from llama.runner_process import GREEDY, RunnerProcess, small_options

ARCHIVE = os.environ.get("FIRESIDE_VULKAN_RUNTIME", "")
PATIENCE_S = 500.0
"""A software device computes 20 tokens in a minute while it compiles, and others use the machine too."""

pytestmark = [
    pytest.mark.skipif(not ARCHIVE, reason="needs the Vulkan runtime: make test-vulkan"),
    pytest.mark.timeout(600),
]


def on_software(devices: str) -> dict[str, str]:
    """Return a runner's environment in which the processor is a graphics card, as often as it is named."""
    return {**child_environment(), "GGML_VK_VISIBLE_DEVICES": devices}


def added(folder: Path, *, starter: Path) -> Runtime:
    """Take the archive in, and let it answer on the software device."""
    trial = SmokeTest(
        command=runner_command(),
        environment=on_software("0"),
        model=starter,
        clock=LoopClock(),
        limit_s=PATIENCE_S,
    )
    settings = Settings(file=SettingsFile(folder / "settings.json"), environ={})

    async def change(layer: Layer, /, *, key: str, value: SettingValue) -> None:
        settings.change(layer, key=key, value=value)  # type: ignore[arg-type]

    parts = RuntimeParts(store=RuntimeStore(folder / "runtimes"), smoke_test=trial)
    service = RuntimeService(parts, settings=settings, change=change, emit=lambda _: None)
    return asyncio.run(service.add(ARCHIVE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vulkan")


@pytest.fixture(scope="module")
def runtime(folder: Path, starter_model_path: Path) -> Runtime:
    return added(folder, starter=starter_model_path)


def loaded(
    folder: Path, runtime: Runtime, starter: Path, *, devices: str, options: LoadOptions
) -> tuple[tuple[Device, ...], LoadedModel]:
    """Load the starter model with the runtime and return what there was and what was taken."""

    async def story() -> tuple[tuple[Device, ...], LoadedModel]:
        spawner = RunnerSpawner(
            command=runner_command(),
            environment=on_software(devices),
            store=RuntimeStore(folder / "runtimes"),
        )
        session = RunnerSession(
            await spawner("SmolLM2", runtime=runtime.name),
            name="SmolLM2",
            clock=LoopClock(),
            on_ended=lambda _: None,
            on_freed=lambda _: None,
        )
        try:
            hello = await session.handshake(limit_s=PATIENCE_S)
            load = Load(path=str(starter), name="SmolLM2", options=options)
            return hello.devices, await session.load(load, on_progress=lambda _fraction, _stage: None)
        finally:
            await session.stop()

    return asyncio.run(story())


def test_the_runtime_answers_on_the_software_device(runtime: Runtime) -> None:
    assert runtime.test is not None
    assert runtime.test.works, runtime.test.reason
    assert runtime.state is RuntimeState.WORKS
    assert "Vulkan" in runtime.backends
    assert any("llvmpipe" in device for device in runtime.test.devices)


@pytest.mark.parametrize(("n_gpu_layers", "n_expected"), [(GPU_LAYERS_ALL, 31), (10, 10)])
def test_layers_go_where_they_are_told(
    folder: Path, runtime: Runtime, starter_model_path: Path, n_gpu_layers: int, n_expected: int
) -> None:
    options = LoadOptions(n_ctx=256, n_seq_max=1, n_gpu_layers=n_gpu_layers)
    devices, taken = loaded(folder, runtime, starter_model_path, devices="0", options=options)
    assert [device.name for device in devices if device.kind is DeviceKind.GPU] == ["Vulkan0"]
    assert taken.n_gpu_layers == n_expected
    (on_card,) = [report for report in taken.memory if report.buffer == "Vulkan0"]
    assert on_card.weights_bytes > 0
    assert on_card.kv_bytes > 0


def test_two_cards_share_a_model(folder: Path, runtime: Runtime, starter_model_path: Path) -> None:
    options = LoadOptions(n_ctx=256, n_seq_max=1, n_gpu_layers=GPU_LAYERS_ALL)
    _, taken = loaded(folder, runtime, starter_model_path, devices="0,0", options=options)
    weights = {report.buffer: report.weights_bytes for report in taken.memory}
    assert weights["Vulkan0"] > 0
    assert weights["Vulkan1"] > 0


def test_text_that_is_sent_during_the_next_step_is_the_same(
    folder: Path, runtime: Runtime, short_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, beside others, with a stop string, and cut off by a Cancel."""
    monkeypatch.setattr("llama.runner_process.TIMEOUT_S", PATIENCE_S)
    environment = with_runtime(
        on_software("0,0"), folder=RuntimeStore(folder / "runtimes").usable_folder(runtime.name)
    )
    told = []
    for report_late in (False, True):
        with RunnerProcess(environment=environment) as runner:
            options = small_options(n_ctx=256, n_gpu_layers=GPU_LAYERS_ALL, report_late=report_late)
            assert runner.load(short_model_path, options).devices == ("CPU", "Vulkan0", "Vulkan1")
            alone = runner.ask("List three fruits.")
            stop = msgspec.structs.replace(GREEDY, stop=(alone.text[5:8],))
            cancelled, stopped, other = (
                runner.start("List three animals.", msgspec.structs.replace(GREEDY, max_tokens=200)),
                runner.start("List three fruits.", stop),
                runner.start("Name a colour."),
            )
            answers = [alone, runner.finish(stopped), runner.finish(other)]
            runner.cancel(cancelled)
            assert runner.finish(cancelled).finished.reason is FinishReason.CANCELLED
            told.append([(answer.text, answer.finished.reason) for answer in answers])
    assert told[0] == told[1]

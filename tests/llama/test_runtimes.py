"""RuntimeService with the real runner: runtimes are added, checked, used, and replaced if they crash."""

from __future__ import annotations

import asyncio
import tarfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from fakes.children import child_environment, real_spawner
from fakes.live_engine import live_engine, turns_until
from fakes.raised import refuses
from fakes.release_harness import ReleaseHarness
from fakes.runtimes import (
    replace_library,
    runtime_folder,
    runtime_parts,
    runtime_spawner,
    wrap_llama,
)
from fireside.core.errors import RunnerCrashed, RuntimeNotAdded
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.runtime import (
    BUILT_IN,
    RuntimeProgressed,
    RuntimesChanged,
    RuntimeState,
    RuntimeStep,
    RuntimeTest,
    this_platform,
)
from fireside.engine.clock import LoopClock
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.request import LoadRequest
from fireside.engine.runner_session import RunnerSession
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.runtimes.runtime_history import CRASH_LIMIT
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.gguf import model_spec, read_header
from fireside.services.machine.runtime_service import RuntimeService
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.settings.values import Layer
from fireside.updates.runtime_downloads import RuntimeDownloads
from fireside.wire.messages import Load

CRASHES = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }"
HANGS = "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { for (;;) pause(); }"
LONGER = """
struct longer { char bytes[96]; };
struct longer llama_model_default_params(void) {
    struct longer made;
    for (int i = 0; i < 96; i++) made.bytes[i] = 1;
    return made;
}
"""
OTHER_VERSION = 'const char * llama_version(void) { return "9.9.9"; }'
NOTHING = "int nothing;"


class RuntimeHome:
    """The runtime service with a home folder of its own."""

    def __init__(
        self, home: Path, *, starter: Path, limit_s: float = 60.0, releases: ReleaseHarness | None = None
    ) -> None:
        self.settings = Settings(file=SettingsFile(home / "settings.json"), environ={})
        self.store = RuntimeStore(home / "runtimes")
        self.events: list[AppEvent] = []
        parts = runtime_parts(self.store.folder, starter=starter, limit_s=limit_s)
        if releases is not None:
            downloads = RuntimeDownloads(
                releases.asked_by(home / "seen.json"), folder=self.store.folder / ".downloads"
            )
            parts = msgspec.structs.replace(parts, downloads=downloads)
        self.service = RuntimeService(
            parts,
            settings=self.settings,
            change=self._change,
            emit=self.events.append,
        )

    async def _change(self, layer: Layer, /, *, key: str, value: SettingValue) -> None:
        self.settings.change(layer, key=key, value=value)  # type: ignore[arg-type]

    @property
    def steps(self) -> list[RuntimeStep]:
        """The reported steps, each once."""
        return list(
            dict.fromkeys(event.step for event in self.events if isinstance(event, RuntimeProgressed))
        )


@pytest.fixture
def home(tmp_path: Path, starter_model_path: Path) -> RuntimeHome:
    return RuntimeHome(tmp_path / "home", starter=starter_model_path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return runtime_folder(tmp_path / "copy")


def mapped_by(pid: int) -> list[str]:
    """Return the files that a process has mapped."""
    return Path(f"/proc/{pid}/maps").read_text().splitlines()


def fraction_of(event: AppEvent) -> float:
    """Return the unpacked fraction that an event reports, if any."""
    return event.fraction or 0.0 if isinstance(event, RuntimeProgressed) else 0.0


def archive(folder: Path) -> Path:
    path = folder.with_name(f"{folder.name}.tar.gz")
    with tarfile.open(path, "w:gz", compresslevel=1) as tar:
        tar.add(folder, arcname=folder.name)
    return path


async def test_released_runtime_is_found_downloaded_tested_used_and_reverted(
    tmp_path: Path, source: Path, starter_model_path: Path
) -> None:
    """The release is signed and served as a real one, and its runtime is a real build."""
    releases = ReleaseHarness()
    home = RuntimeHome(tmp_path / "home", starter=starter_model_path, releases=releases)
    facts = (await home.service.choice()).runtimes[0]
    packed = archive(source)
    offer_info = releases.offer(packed.name, packed.read_bytes()) | {"backends": facts.backends}
    fits = {"name": "other-build", "llama_cpp": facts.llama_cpp} | offer_info
    too_new = {"name": "too-new", "llama_cpp": "99.0.0"} | offer_info
    releases.publish("0.1.0", runtimes={this_platform(): [fits, too_new]})
    before = await home.service.choice()
    assert (before.is_published, before.offers) == (True, None)
    assert releases.asked == [], "nothing is asked unless it is wanted"
    try:
        offers = (await home.service.check_for_updates()).offers
        assert offers is not None
        assert [(offer.name, offer.fits) for offer in offers] == [("other-build", True), ("too-new", False)]
        added = await home.service.install("other-build")
    finally:
        releases.close()
    assert (added.name, added.state) == ("other-build", RuntimeState.WORKS)
    assert home.steps == list(RuntimeStep)
    after = await home.service.choice()
    assert after.offers is not None
    assert [offer.name for offer in after.offers] == ["too-new"]
    assert not (home.store.folder / ".downloads").exists()
    await home.service.use("other-build")
    assert (await home.service.choice()).in_use == "other-build"
    assert await home.service.roll_back() == BUILT_IN


async def test_archive_is_added_tested_used_and_reverted(home: RuntimeHome, source: Path) -> None:
    added = await home.service.add(str(archive(source)))
    assert (added.name, added.state, added.backends) == ("copy", RuntimeState.WORKS, ("CPU",))
    assert home.steps == [RuntimeStep.UNPACKING, RuntimeStep.CHECKING, RuntimeStep.TESTING]
    assert isinstance(home.events[-1], RuntimesChanged)

    before = await home.service.choice()
    assert (before.in_use, before.previous) == (BUILT_IN, None)
    assert [runtime.name for runtime in before.runtimes] == [BUILT_IN, "copy"]
    await home.service.use("copy")
    after = await home.service.choice()
    assert (after.in_use, after.previous) == ("copy", BUILT_IN)
    assert await home.service.roll_back() == BUILT_IN
    assert await home.service.roll_back() == "copy"


async def test_model_may_have_its_own_runtime(home: RuntimeHome, source: Path) -> None:
    model = ModelId("m")
    await home.service.add(str(source))
    await home.service.use("copy", model_id=model)
    assert (await home.service.choice()).in_use == BUILT_IN
    chosen = {setting.definition.key: setting.value for setting in home.settings.resolved(model_id=model)}
    assert chosen["load.runtime"] == "copy"
    assert await home.service.roll_back(model_id=model) == BUILT_IN


async def test_runtime_in_use_is_not_removed(home: RuntimeHome, source: Path) -> None:
    await home.service.add(str(source))
    await home.service.use("copy")
    with refuses("runtime_refused", match="switch to another one first"):
        await home.service.remove("copy")
    await home.service.roll_back()
    await home.service.remove("copy")
    assert [runtime.name for runtime in (await home.service.choice()).runtimes] == [BUILT_IN]


def test_crashing_library_is_refused(home: RuntimeHome, source: Path) -> None:
    wrap_llama(source, source=CRASHES)
    with pytest.raises(RuntimeNotAdded, match="crashed"):
        asyncio.run(home.service.add(str(source)))
    assert home.store.runtimes() == ()


def test_library_of_another_version_is_refused(home: RuntimeHome, source: Path) -> None:
    wrap_llama(source, source=OTHER_VERSION)
    with pytest.raises(RuntimeNotAdded, match=r"it is llama.cpp 9\.9\.9"):
        asyncio.run(home.service.add(str(source)))


def test_library_without_a_required_symbol_is_refused(home: RuntimeHome, source: Path) -> None:
    replace_library(source, "llama", source=NOTHING)
    with pytest.raises(RuntimeNotAdded, match="lacks “llama_"):
        asyncio.run(home.service.add(str(source)))


def test_missing_mtmd_is_found_by_the_check(home: RuntimeHome, source: Path) -> None:
    replace_library(source, "mtmd", source=NOTHING)
    with pytest.raises(RuntimeNotAdded, match="lacks “mtmd_"):
        asyncio.run(home.service.add(str(source)))


def test_structures_of_another_size_are_detected(home: RuntimeHome, source: Path) -> None:
    """Everything is there, and what makes the parameters of a model writes more than the binding has room."""
    wrap_llama(source, source=LONGER)
    with pytest.raises(RuntimeNotAdded, match="structures"):
        asyncio.run(home.service.add(str(source)))


async def test_runtime_for_another_binding_is_refused(home: RuntimeHome, source: Path) -> None:
    await home.service.add(str(source))
    manifest = Path(home.store.find("copy").folder) / "runtime.json"
    text = manifest.read_text().replace('"binding": "', '"binding": "0.0.1-')
    (source / "runtime.json").write_text(text)
    with pytest.raises(RuntimeNotAdded, match=r"made for llama-cpp-python 0\.0\.1"):
        await home.service.add(str(source))


async def test_runtime_that_never_answers_is_kept_and_marked(
    tmp_path: Path, source: Path, starter_model_path: Path
) -> None:
    home = RuntimeHome(tmp_path / "home", starter=starter_model_path, limit_s=0.0)
    added = await home.service.add(str(source))
    assert added.state is RuntimeState.FAILED
    assert added.test is not None
    assert "No answer" in added.test.reason
    with refuses("runtime_refused", match="Test failed"):
        await home.service.use("copy")


async def test_changed_file_fails_the_next_check(home: RuntimeHome, source: Path) -> None:
    added = await home.service.add(str(source))
    licence = Path(added.folder) / "LICENSE"
    licence.unlink()
    licence.write_text("changed")
    assert (await home.service.test("copy")).state is RuntimeState.FAILED


async def test_cancelled_addition_leaves_nothing(home: RuntimeHome, source: Path) -> None:
    # So large that it cannot be done before anything is reported of it, and next to nothing on this disk.
    with (source / "libggml-large.so").open("wb") as large:
        large.truncate(1 << 30)
    adding = asyncio.create_task(home.service.add(str(source)))
    await turns_until(lambda: any(fraction_of(event) > 0.0 for event in home.events))
    adding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    assert not list(home.store.folder.iterdir())
    assert max(fraction_of(event) for event in home.events) < 1.0


@asynccontextmanager
async def started(spawner: RunnerSpawner, *, runtime: str) -> AsyncIterator[RunnerSession]:
    session = RunnerSession(
        await spawner("SmolLM2", runtime=runtime),
        name="SmolLM2",
        clock=LoopClock(),
        on_ended=lambda _: None,
        on_freed=lambda _: None,
    )
    try:
        yield session
    finally:
        await session.stop()


async def test_runner_maps_only_the_libraries_of_its_runtime(home: RuntimeHome, source: Path) -> None:
    await home.service.add(str(source))
    spawner = runtime_spawner(home.store.folder)
    link = await spawner("SmolLM2", runtime="copy")
    try:
        await link.receive()
        maps = mapped_by(link.pid)
    finally:
        await link.stop()
    libraries = {line.split()[-1] for line in maps if "libllama" in line or "libggml" in line}
    assert libraries
    assert {str(Path(path).parent) for path in libraries} == {str(home.store.folder / "copy")}


async def test_engine_uses_the_runtime_of_the_options(
    home: RuntimeHome, source: Path, starter_model_path: Path
) -> None:
    spec = model_spec(read_header(starter_model_path), path=str(starter_model_path), id=ModelId("m"))
    await home.service.add(str(source))
    async with live_engine(runtime_spawner(home.store.folder)) as (engine, watched):
        await engine.load(
            LoadRequest(
                spec=spec, options=LoadOptions(n_ctx=512, n_gpu_layers=0, runtime="copy"), keep_alive_s=None
            )
        )
        (pid,) = watched.pids
        assert any(str(home.store.folder / "copy") in line for line in mapped_by(pid))


def broken_after_its_test(home: RuntimeHome, source: Path) -> Callable[[], Awaitable[None]]:
    """Return what adds a runtime as if it had worked once and a driver had broken it since."""

    async def add() -> None:
        await home.service.add(str(source))
        wrap_llama(home.store.folder / "copy", source=CRASHES)

    return add


async def test_runtime_that_crashes_three_times_is_replaced_by_the_built_in_one(
    home: RuntimeHome, source: Path, starter_model_path: Path
) -> None:
    notes: list[str] = []
    spawner = RunnerSpawner(
        command=runner_command(), environment=child_environment(), store=home.store, on_change=notes.append
    )
    load = Load(path=str(starter_model_path), name="SmolLM2", options=LoadOptions(n_ctx=256, n_gpu_layers=0))
    await broken_after_its_test(home, source)()
    await home.service.use("copy")
    for _ in range(CRASH_LIMIT):
        assert not notes
        async with started(spawner, runtime="copy") as session:
            with pytest.raises(RunnerCrashed):
                await session.handshake(limit_s=60.0)
    async with started(spawner, runtime="copy") as session:
        await session.handshake(limit_s=60.0)
        await session.load(load, on_progress=lambda _fraction, _stage: None)
    choice = await home.service.choice()
    assert choice.in_use == BUILT_IN
    assert choice.note
    assert notes == [choice.note]


async def test_requested_end_is_not_a_crash(home: RuntimeHome, source: Path) -> None:
    spawner = runtime_spawner(home.store.folder)
    await home.service.add(str(source))
    for _ in range(CRASH_LIMIT):
        link = await spawner("SmolLM2", runtime="copy")
        await link.receive()
        waiting = asyncio.create_task(link.receive())
        await link.stop()
        with pytest.raises(RunnerCrashed):
            await waiting
    assert home.store.usable_folder("copy") is not None


def test_hanging_library_is_ended(source: Path, tmp_path: Path, starter_model_path: Path) -> None:
    wrap_llama(source, source=HANGS)
    parts = runtime_parts(tmp_path / "runtimes", starter=starter_model_path, limit_s=1.0)
    test = asyncio.run(parts.smoke_test.answer(source))
    assert not test.works
    assert "No answer within 1 s." in test.reason


async def test_spawner_of_one_environment_accepts_every_runtime() -> None:
    link = await real_spawner()("SmolLM2", runtime="whatever")
    await link.stop()


async def test_check_of_the_built_in_runtime_is_stored(home: RuntimeHome) -> None:
    assert (await home.service.test(BUILT_IN)).state is RuntimeState.WORKS
    (built_in,) = (await home.service.choice()).runtimes
    assert isinstance(built_in.test, RuntimeTest)

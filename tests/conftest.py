"""What every test gets: a home of its own, no network, and a check that nothing it started is left."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

# Before anything imports Qt: windows are drawn in memory unless the caller asked for a real screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# In another locale Qt may print warnings, and programs other words than those that tests compare.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts commands in the background so, and the programs that tests interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

import hypothesis
import psutil
import pytest
from hypothesis import Phase

TESTS_FOLDER = Path(__file__).parent
# Programs that a test starts find the tests' packages as the test itself does.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(TESTS_FOLDER), os.environ.get("PYTHONPATH"))))
STARTER_MODEL = Path("share/fireside/models/SmolLM2-135M-Instruct.Q4_1.gguf")
SUITE_MARKERS = {"llama": "llama", "process": "process", "ui": "ui", "abuse": "abuse"}
_N_TESTS = count(1)
_FULL_EVERY = 100
"""Tests between two full collections."""
LEAK_GRACE_S = 20.0
"""How long a thread or a process that is already on its way out may take."""

# Each run tries the same examples, so that what is red is so because of what was changed, and tells at once
# which; `make abuse` tries many others, and looks for the shortest that fails, which may take minutes.
# Explanations would keep each line that ran, of each example of a test that fails: megabytes apiece where a
# window is drawn.
hypothesis.settings.register_profile(
    "fireside",
    deadline=None,
    print_blob=True,
    max_examples=30,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
)
hypothesis.settings.register_profile(
    "abuse",
    hypothesis.settings.get_profile("fireside"),
    max_examples=3000,
    derandomize=False,
    phases=tuple(phase for phase in Phase if phase is not Phase.explain),
)
hypothesis.settings.load_profile("fireside")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--abuse-scale",
        type=int,
        default=1,
        metavar="N",
        help="repeat the abuse suites N times as often (`make abuse` asks for more than CI does)",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by the folder that it lives in."""
    for item in items:
        if item.path.is_relative_to(TESTS_FOLDER):
            suite = item.path.relative_to(TESTS_FOLDER).parts[0]
            if suite in SUITE_MARKERS:
                item.add_marker(SUITE_MARKERS[suite])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a case of bytes by its number: packed data holds the time of day, and workers differ."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write half characters out: a worker could not send what was logged with one."""
    report = yield
    report.sections = [
        (name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections
    ]
    return report


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests and fixtures that are coroutines run on asyncio, each test in a loop of its own."""
    return "asyncio"


@pytest.fixture(scope="session")
def abuse_scale(pytestconfig: pytest.Config) -> int:
    """How many times as often to repeat abuse: 1 in CI."""
    scale: int = pytestconfig.getoption("--abuse-scale")
    return scale


@pytest.fixture(scope="session")
def starter_model_path() -> Path:
    """The real starter model. Its absence is a failed set-up, so it fails and never skips."""
    path = Path(sys.prefix) / STARTER_MODEL
    if not path.is_file():
        pytest.fail(f"The starter model is not at {path}. `make test` puts it there.", pytrace=False)
    return path


@pytest.fixture(scope="session")
def short_model_path(starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter model with five of its thirty layers: real words and a real template, a third of the work.

    For what is not about the sense of an answer.
    """
    from llama.short_model import write_short

    path = tmp_path_factory.mktemp("short") / "Short.gguf"
    return write_short(path, model=starter_model_path, layers=(0, 1, 2, 28, 29))


@pytest.fixture(scope="session")
def float_model_path(starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The short model with weights that are not quantized.

    For what compares answers that are computed in batches of different sizes: with quantized weights
    llama.cpp rounds activations to 8 bits, by a batch's size and the processor's instructions, which moves
    a token's lead by up to 0.3.
    """
    from llama.short_model import write_short

    path = tmp_path_factory.mktemp("floats") / "Floats.gguf"
    return write_short(path, model=starter_model_path, layers=(0, 1, 2, 28, 29), as_floats=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave modules and collected tests, which live to the end, out of every search for cycles."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _empty_homes() -> Iterator[list[Path]]:
    """Homes that were made and not written to, for the next test: most tests write none."""
    homes: list[Path] = []
    yield homes
    for home in homes:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(autouse=True)
def own_home(_empty_homes: list[Path]) -> Iterator[Path]:
    """Give each test an empty home, so that none reads or writes the settings of the user."""
    # Socket paths are limited to about 100 characters, which pytest's own folders use up.
    place = _empty_homes.pop() if _empty_homes else Path(tempfile.mkdtemp(prefix="fireside-"))
    home, runtime = place / "home", place / "run"
    home.mkdir(exist_ok=True)
    runtime.mkdir(mode=0o700, exist_ok=True)
    folders = {
        "HOME": home,
        "USERPROFILE": home,
        "APPDATA": home / "AppData" / "Roaming",
        "LOCALAPPDATA": home / "AppData" / "Local",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_RUNTIME_DIR": runtime,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("FIRESIDE_"):
                patch.delenv(name)
        # No session bus and no keyring: a test must not reach the secrets of the user.
        patch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        for name, folder in folders.items():
            patch.setenv(name, str(folder))
        yield home
    if any(home.iterdir()) or any(runtime.iterdir()):
        shutil.rmtree(place, ignore_errors=True)
    else:
        _empty_homes.append(place)


@pytest.fixture(autouse=True)
def _garbage_of_this_thread() -> Iterator[None]:
    """Cycles are collected in the main thread alone, as in the program: Qt does not survive another one.

    Not between two tests either, since threads of wider fixtures run on. An object of Qt in a cycle that
    one test left behind ended the process many tests later.
    """
    gc.disable()
    yield
    if next(_N_TESTS) % _FULL_EVERY:
        gc.collect(1)
    else:
        gc.collect()
        # What is still there, modules for the most part, is not looked at again.
        gc.freeze()


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves child processes or non-daemon threads; then end those processes.

    Fixtures of a wider scope are set up before this one, so what they start is not held against a test.
    """
    threads_before = set(threading.enumerate())
    children_before = set(_running_children())
    yield
    deadline = time.monotonic() + LEAK_GRACE_S
    children = _wait_for_children(children_before, deadline=deadline)
    threads = _wait_for_threads(threads_before, deadline=deadline)
    left = [f"process {child.pid} ({_command_of(child)})" for child in children]
    left += [f"thread “{thread.name}”" for thread in threads]
    for child in children:
        _kill(child)
    if left:
        pytest.fail("The test left running: " + ", ".join(left), pytrace=False)


def _has_children() -> bool:
    """Tell cheaply whether there is any child at all; a whole process list takes milliseconds a test."""
    if sys.platform == "win32" or sys.platform == "darwin":  # macOS has waitid since Python 3.13
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _running_children() -> list[psutil.Process]:
    if not _has_children():
        return []
    return [child for child in psutil.Process().children(recursive=True) if _is_running(child)]


def _is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _wait_for_children(known: set[psutil.Process], *, deadline: float) -> list[psutil.Process]:
    while left := [child for child in _running_children() if child not in known]:
        if time.monotonic() >= deadline:
            return left
        time.sleep(0.02)
    return []


def _wait_for_threads(known: set[threading.Thread], *, deadline: float) -> list[threading.Thread]:
    new = [thread for thread in threading.enumerate() if thread not in known and not thread.daemon]
    for thread in new:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in new if thread.is_alive()]


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return "?"


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
        process.wait(LEAK_GRACE_S)
    except psutil.Error:
        pass

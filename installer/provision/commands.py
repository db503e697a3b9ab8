"""The commands of set-up, from `run` to `clean`."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from provision.association import associate, dissociate
from provision.checks import Check, all_tests, checks, pytest, run_checks, unit_tests
from provision.clean import clean
from provision.client_packages import fetch_clients, fetch_llama_source, fetch_tool_servers
from provision.cluster_packages import fetch_cluster
from provision.console import Console
from provision.failure import SetupFailure
from provision.layout import IS_WINDOWS, Layout, find_layout
from provision.lock_files import write_lock_files
from provision.steps import Purpose, make_ready
from provision.translations import update_translations

INTERRUPTED = 130
ABUSE_SCALE = 60
BENCHES = (
    "server.py",
    "api.py",
    "returning.py",
    "rotation.py",
    "beside.py",
    "extras.py",
    "speed.py",
    "step_share.py",
    "delivery.py",
    "transcript.py",
    "startup.py",
    "window_peers.py",
    "library.py",
    "search.py",
    "heartbeat.py",
    "fitting.py",
    "scheduling.py",
)


@dataclass(frozen=True, kw_only=True)
class Call:
    """One command as it was given. ``words`` are the arguments that it hands on."""

    layout: Layout
    console: Console
    words: tuple[str, ...]

    def make_ready(self, purpose: Purpose) -> None:
        make_ready(self.layout, purpose=purpose, console=self.console)

    def run_checks(self, *all_checks: Check) -> int:
        return run_checks(all_checks, root=self.layout.root, console=self.console)


def main(arguments: Sequence[str]) -> int:
    """Carry out one command; return the exit status."""
    chosen = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(stream=sys.stdout)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    try:
        command: Callable[[Call], int] = chosen.command
        return command(Call(layout=find_layout(), console=console, words=tuple(chosen.words)))
    except SetupFailure as failure:
        console.show_failure(failure)
        return 1
    except KeyboardInterrupt:
        console.say("\nStopped. The next start goes on from here.")
        return INTERRUPTED


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bootstrap.py", description="Set Fireside up and start it.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command, text in _COMMANDS:
        one = commands.add_parser(name, help=text, description=text)
        one.add_argument("words", nargs="*", metavar="ARGUMENT", help="handed on; put -- before options")
        one.set_defaults(command=command)
    return parser


def _run(call: Call) -> int:
    call.make_ready(Purpose.RUN)
    command = [str(call.layout.python), "-P", "-m", "fireside", *call.words]
    sys.stdout.flush()
    if not IS_WINDOWS:
        os.execv(command[0], command)  # noqa: S606 - the words come from this very command line
    # There exec starts a second process and lets the terminal go on.
    return subprocess.run(command, check=False).returncode


def _set_up(call: Call) -> int:
    call.make_ready(Purpose.DEVELOP)
    return 0


def _check(call: Call) -> int:
    call.make_ready(Purpose.DEVELOP)
    return call.run_checks(*checks(call.layout), unit_tests(call.layout))


def _test(call: Call) -> int:
    call.make_ready(Purpose.DEVELOP)
    if call.words:
        return call.run_checks(pytest(*call.words, layout=call.layout, title="Tests"))
    return call.run_checks(*checks(call.layout), *all_tests(call.layout))


def _test_vulkan(call: Call) -> int:
    """Build the Vulkan runtime and try it on Mesa's software device (Debian: mesa-vulkan-drivers)."""
    # Here, since every start of the program goes through this file.
    from runtimes.build import build, job_for
    from runtimes.kinds import KINDS

    call.make_ready(Purpose.DEVELOP)
    archive = build(job_for(KINDS["vulkan"], layout=call.layout), console=call.console)
    os.environ["FIRESIDE_VULKAN_RUNTIME"] = str(archive)
    return call.run_checks(pytest("tests/vulkan", *call.words, layout=call.layout, title="Vulkan"))


def _test_clients(call: Call) -> int:
    """Try the local API with clients of other makers as they are."""
    call.make_ready(Purpose.DEVELOP)
    for_python, for_node = fetch_clients(call.layout, console=call.console)
    os.environ["FIRESIDE_CLIENTS"] = str(for_python)
    os.environ["FIRESIDE_NODE_CLIENTS"] = str(for_node or "")
    return call.run_checks(pytest("tests/clients", *call.words, layout=call.layout, title="Clients"))


def _test_llama_server(call: Call) -> int:
    """Try the local API with the tests of llama.cpp's own server; a first word: where it lies."""
    call.make_ready(Purpose.DEVELOP)
    os.environ["FIRESIDE_CLIENTS"] = str(fetch_clients(call.layout, console=call.console)[0])
    words = call.words
    if not words or not Path(words[0]).is_dir():
        words = (str(fetch_llama_source(call.layout, console=call.console)), *words)
    return _run_script("llama_server/run_tests.py", *words, call=call)


def _test_cluster(call: Call) -> int:
    """Try pools and a router with real servers."""
    call.make_ready(Purpose.DEVELOP)
    os.environ["FIRESIDE_CLUSTER"] = str(fetch_cluster(call.layout, console=call.console))
    return call.run_checks(pytest("tests/cluster", *call.words, layout=call.layout, title="Cluster"))


def _test_tools(call: Call) -> int:
    """Try the tool host with servers of other makers, and kill it and the program many times over."""
    call.make_ready(Purpose.DEVELOP)
    servers = fetch_tool_servers(call.layout, console=call.console)
    os.environ["FIRESIDE_TOOL_SERVERS"] = str(servers.for_python)
    os.environ["FIRESIDE_NODE_TOOL_SERVERS"] = str(servers.for_node)
    os.environ["FIRESIDE_NODE"] = str(servers.node)
    words = call.words or ("tests/tool_servers", "tests/process/tool_servers", "--abuse-scale=67")
    return call.run_checks(pytest(*words, layout=call.layout, title="Tools"))


def _installers(call: Call) -> int:
    """Build what users install. For options: installer/release/build.py."""
    from release.build import build_all

    build_all(call.layout, console=call.console)
    return 0


def _test_installers(call: Call) -> int:
    """Build what users install, and try it as they would; for Windows too where mingw-w64 and Wine are."""
    from release.build import build_all
    from release.windows import COMPILER
    from runtimes.build import build, job_for
    from runtimes.kinds import KINDS

    os.environ["FIRESIDE_INSTALLERS"] = str(build_all(call.layout, console=call.console).folder)
    if shutil.which(COMPILER):
        build(job_for(KINDS["windows"], layout=call.layout), console=call.console)
    return call.run_checks(pytest("tests/installers", *call.words, layout=call.layout, title="Installers"))


def _abuse(call: Call) -> int:
    call.make_ready(Purpose.DEVELOP)
    arguments = call.words or (f"--abuse-scale={ABUSE_SCALE}", "--timeout=3600")
    many = ("--hypothesis-profile=abuse", *arguments)
    return call.run_checks(
        pytest("tests/abuse", *many, layout=call.layout, title="Abuse"),
        pytest("tests/unit", "-m", "hypothesis", *many, layout=call.layout, title="Properties"),
        pytest("tests/ui", "-m", "hypothesis", *many, layout=call.layout, title="Properties of the window"),
    )


def _bench(call: Call) -> int:
    call.make_ready(Purpose.MEASURE)
    if call.words:
        return _run_script(f"bench/{call.words[0]}", *call.words[1:], call=call)
    return max(_run_script(f"bench/{name}", call=call) for name in BENCHES)


def _screenshots(call: Call) -> int:
    """Without a folder the README's pictures; with one every state, in every look."""
    scripts = ("take", "every") if call.words else ("take",)
    return max(_run_script(f"screenshots/{name}.py", *call.words, call=call) for name in scripts)


def _run_script(name: str, *words: str, call: Call) -> int:
    """Run a program that lives beside the tests and may use their fakes; return its exit status."""
    call.make_ready(Purpose.DEVELOP)
    root = call.layout.root
    command = [str(call.layout.python), str(root / "tests" / name), *words]
    variables = {**os.environ, "PYTHONPATH": str(root / "tests")}
    return subprocess.run(command, cwd=root, env=variables, check=False).returncode


def _associate(call: Call) -> int:
    if call.words not in ((), ("off",)):
        call.console.say("“associate” takes no word but “off”, which takes it back.")
        return 2
    if call.words:
        for what in dissociate():
            call.console.say(f"removed {what}")
        return 0
    call.make_ready(Purpose.RUN)
    for what in associate(call.layout):
        call.console.say(f"wrote {what}")
    call.console.say("Files that end in .gguf can be opened with Fireside now.")
    return 0


def _translations(call: Call) -> int:
    call.make_ready(Purpose.DEVELOP)
    for path in update_translations(call.layout):
        call.console.say(f"wrote {path}")
    return 0


def _lock(call: Call) -> int:
    write_lock_files(call.layout)
    return 0


def _clean(call: Call) -> int:
    for path in clean(call.layout):
        call.console.say(f"removed {path}")
    call.console.say(f"Finished builds of llama.cpp are kept in {call.layout.cache}")
    return 0


_COMMANDS: tuple[tuple[str, Callable[[Call], int], str], ...] = (
    ("run", _run, "set up what is missing and start Fireside"),
    ("setup", _set_up, "set up what is missing for running and developing"),
    ("check", _check, "format, lint, types, imports, unit tests"),
    ("test", _test, "every check, every test; or pytest with your own arguments"),
    ("test-vulkan", _test_vulkan, "build the Vulkan runtime and try it on Mesa's software device"),
    ("test-clients", _test_clients, "try the local API with clients of other makers"),
    ("test-llama-server", _test_llama_server, "try the local API with llama.cpp's tests of its own server"),
    ("test-cluster", _test_cluster, "try pools and a router with real servers"),
    ("test-tools", _test_tools, "try MCP servers of other makers, and kill the tool host many times"),
    ("installers", _installers, "build what users install"),
    ("test-installers", _test_installers, "build what users install, and try it as they would"),
    ("bench", _bench, "measure speed; or one program of tests/bench with its options"),
    ("abuse", _abuse, "bad input and faults, many times over"),
    ("screenshots", _screenshots, "take the README's pictures anew; all states into a folder"),
    ("associate", _associate, "let the system open .gguf files with Fireside; “off” takes it back"),
    ("translations", _translations, "collect texts for the translators, and compile what they wrote"),
    ("lock", _lock, "write the lock files anew from pyproject.toml"),
    ("clean", _clean, "remove what set-up and tools made here"),
)

"""The commands of `bootstrap.py`, from `run` to `clean`."""

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
from provision.binding import move_binding
from provision.checks import Check, all_tests, checks, pytest, run_checks, unit_tests
from provision.clean import clean
from provision.console import Console, ProgressLines
from provision.external_packages import (
    fetch_clients,
    fetch_cluster,
    fetch_documents,
    fetch_llama_source,
    fetch_python_clients,
    fetch_tool_servers,
)
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
class Invocation:
    """A command with its arguments, which it passes on to the program that it runs."""

    layout: Layout
    console: Console
    arguments: tuple[str, ...]

    def make_ready(self, purpose: Purpose) -> None:
        make_ready(self.layout, purpose=purpose, console=self.console)

    def run_checks(self, *all_checks: Check) -> int:
        return run_checks(all_checks, root=self.layout.root, console=self.console)


def main(arguments: Sequence[str]) -> int:
    """Run one command; return the exit status."""
    parsed = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    console = Console(stream=sys.stdout)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)
    try:
        command: Callable[[Invocation], int] = parsed.command
        return command(Invocation(layout=find_layout(), console=console, arguments=tuple(parsed.arguments)))
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
    for name, command, description in _COMMANDS:
        subparser = commands.add_parser(name, help=description, description=description)
        subparser.add_argument(
            "arguments", nargs="*", metavar="ARGUMENT", help="passed on; put -- before options"
        )
        subparser.set_defaults(command=command)
    return parser


def _run(call: Invocation) -> int:
    # Commands of the terminal need llama.cpp at once. The window opens before, and has it compiled.
    make_ready(call.layout, purpose=Purpose.RUN, console=call.console, compiles_llama=bool(call.arguments))
    command = [str(call.layout.python), "-P", "-m", "fireside", *call.arguments]
    sys.stdout.flush()
    if not IS_WINDOWS:
        os.execv(command[0], command)  # noqa: S606 - the arguments come from this command line
    # On Windows, exec would start a second process and return the terminal at once.
    return subprocess.run(command, check=False).returncode


def _llama(call: Invocation) -> int:
    """Compile llama.cpp for the program, which shows the progress: its lines are JSON."""
    console = ProgressLines(stream=sys.stdout)
    try:
        make_ready(call.layout, purpose=Purpose.RUN, console=console)
    except SetupFailure as failure:
        console.show_failure(failure)
        return 1
    return 0


def _set_up(call: Invocation) -> int:
    call.make_ready(Purpose.DEVELOP)
    return 0


def _check(call: Invocation) -> int:
    call.make_ready(Purpose.DEVELOP)
    return call.run_checks(*checks(call.layout), unit_tests(call.layout))


def _test(call: Invocation) -> int:
    call.make_ready(Purpose.DEVELOP)
    if call.arguments:
        return call.run_checks(pytest(*call.arguments, layout=call.layout, title="Tests"))
    return call.run_checks(*checks(call.layout), *all_tests(call.layout))


def _test_vulkan(call: Invocation) -> int:
    """Build the Vulkan runtime and test it on Mesa's software device (Debian: mesa-vulkan-drivers)."""
    # Imported here, since every start of the program imports this module.
    from runtimes.build import build, job_for
    from runtimes.kinds import KINDS

    call.make_ready(Purpose.DEVELOP)
    archive = build(job_for(KINDS["vulkan"], layout=call.layout), console=call.console)
    os.environ["FIRESIDE_VULKAN_RUNTIME"] = str(archive)
    return call.run_checks(pytest("tests/vulkan", *call.arguments, layout=call.layout, title="Vulkan"))


def _test_clients(call: Invocation) -> int:
    """Test the local API with unmodified clients of other makers."""
    call.make_ready(Purpose.DEVELOP)
    clients = fetch_clients(call.layout, console=call.console)
    os.environ["FIRESIDE_CLIENTS"] = str(clients.for_python)
    os.environ["FIRESIDE_PIPELINES"] = str(clients.pipelines)
    os.environ["FIRESIDE_AIDER"] = str(clients.aider)
    os.environ["FIRESIDE_NODE_CLIENTS"] = str(clients.for_node)
    os.environ["FIRESIDE_AGENTS"] = str(clients.agents)
    os.environ["FIRESIDE_NODE"] = str(clients.node)
    return call.run_checks(pytest("tests/clients", *call.arguments, layout=call.layout, title="Clients"))


def _test_llama_server(call: Invocation) -> int:
    """Test the local API with the tests of llama.cpp's own server, in the folder of the first argument, if
    any."""
    call.make_ready(Purpose.DEVELOP)
    os.environ["FIRESIDE_CLIENTS"] = str(fetch_python_clients(call.layout, console=call.console))
    arguments = call.arguments
    if not arguments or not Path(arguments[0]).is_dir():
        arguments = (str(fetch_llama_source(call.layout, console=call.console)), *arguments)
    return _run_script("llama_server/run_tests.py", *arguments, call=call)


def _test_cluster(call: Invocation) -> int:
    """Test a router with real servers."""
    call.make_ready(Purpose.DEVELOP)
    os.environ["FIRESIDE_CLUSTER"] = str(fetch_cluster(call.layout, console=call.console))
    return call.run_checks(pytest("tests/cluster", *call.arguments, layout=call.layout, title="Cluster"))


def _test_tools(call: Invocation) -> int:
    """Test the tool host with servers of other makers, and kill it and the program many times."""
    call.make_ready(Purpose.DEVELOP)
    servers = fetch_tool_servers(call.layout, console=call.console)
    os.environ["FIRESIDE_TOOL_SERVERS"] = str(servers.for_python)
    os.environ["FIRESIDE_NODE_TOOL_SERVERS"] = str(servers.for_node)
    os.environ["FIRESIDE_NODE"] = str(servers.node)
    arguments = call.arguments or ("tests/tool_servers", "tests/process/tool_servers", "--abuse-scale=67")
    return call.run_checks(pytest(*arguments, layout=call.layout, title="Tools"))


def _test_documents(call: Invocation) -> int:
    """Test the readers of documents with files of other makers."""
    call.make_ready(Purpose.DEVELOP)
    os.environ["FIRESIDE_DOCUMENTS"] = str(fetch_documents(call.layout, console=call.console))
    return call.run_checks(
        pytest("tests/document_corpus", *call.arguments, layout=call.layout, title="Documents")
    )


def _installers(call: Invocation) -> int:
    """Build the installers. For options: installer/release/build.py."""
    from release.build import build_all

    build_all(call.layout, console=call.console)
    return 0


def _test_installers(call: Invocation) -> int:
    """Build and test the installers; those for Windows too if mingw-w64 and Wine are installed."""
    from release.build import build_all
    from release.windows import COMPILER
    from runtimes.build import build, job_for
    from runtimes.kinds import KINDS

    os.environ["FIRESIDE_INSTALLERS"] = str(build_all(call.layout, console=call.console).folder)
    if shutil.which(COMPILER):
        build(job_for(KINDS["windows"], layout=call.layout), console=call.console)
    return call.run_checks(
        pytest("tests/installers", *call.arguments, layout=call.layout, title="Installers")
    )


def _abuse(call: Invocation) -> int:
    call.make_ready(Purpose.DEVELOP)
    options = call.arguments or (f"--abuse-scale={ABUSE_SCALE}", "--timeout=3600")
    many = ("--hypothesis-profile=abuse", *options)
    return call.run_checks(
        pytest("tests/abuse", *many, layout=call.layout, title="Abuse"),
        pytest("tests/unit", "-m", "hypothesis", *many, layout=call.layout, title="Properties"),
        pytest("tests/ui", "-m", "hypothesis", *many, layout=call.layout, title="Properties of the window"),
    )


def _bench(call: Invocation) -> int:
    call.make_ready(Purpose.MEASURE)
    if call.arguments:
        return _run_script(f"tools/bench/{call.arguments[0]}", *call.arguments[1:], call=call)
    return max(_run_script(f"tools/bench/{name}", call=call) for name in BENCHES)


def _screenshots(call: Invocation) -> int:
    """Take the README's pictures, or with a folder as argument every state in every style."""
    scripts = ("take", "every") if call.arguments else ("take",)
    return max(_run_script(f"tools/screenshots/{name}.py", *call.arguments, call=call) for name in scripts)


def _run_script(name: str, *arguments: str, call: Invocation) -> int:
    """Run a script in the folder of the tests, which can import their fakes; return its exit status."""
    call.make_ready(Purpose.DEVELOP)
    root = call.layout.root
    command = [str(call.layout.python), str(root / "tests" / name), *arguments]
    variables = {**os.environ, "PYTHONPATH": str(root / "tests")}
    return subprocess.run(command, cwd=root, env=variables, check=False).returncode


def _associate(call: Invocation) -> int:
    if call.arguments not in ((), ("off",)):
        call.console.say("“associate” takes no word but “off”, which takes it back.")
        return 2
    if call.arguments:
        for path in dissociate():
            call.console.say(f"removed {path}")
        return 0
    call.make_ready(Purpose.RUN)
    for path in associate(call.layout):
        call.console.say(f"wrote {path}")
    call.console.say("Files that end in .gguf can be opened with Fireside now.")
    return 0


def _translations(call: Invocation) -> int:
    call.make_ready(Purpose.DEVELOP)
    for path in update_translations(call.layout):
        call.console.say(f"wrote {path}")
    return 0


def _update_binding(call: Invocation) -> int:
    """Move to the version of llama-cpp-python that is named, build it, and run the tests that know it."""
    if len(call.arguments) != 1:
        call.console.say("Say which version: make update-binding ARGS=1.2.3")
        return 2
    for line in move_binding(call.layout, version=call.arguments[0], console=call.console):
        call.console.say(line)
    call.make_ready(Purpose.DEVELOP)
    tests = ("tests/llama", "tests/unit/installer/test_lock_files.py", "tests/unit/gguf/test_reference.py")
    return call.run_checks(pytest(*tests, layout=call.layout, title="Tests of the binding"))


def _lock(call: Invocation) -> int:
    write_lock_files(call.layout)
    return 0


def _clean(call: Invocation) -> int:
    for path in clean(call.layout):
        call.console.say(f"removed {path}")
    call.console.say(f"Finished builds of llama.cpp are kept in {call.layout.cache}")
    return 0


_COMMANDS: tuple[tuple[str, Callable[[Invocation], int], str], ...] = (
    ("run", _run, "set up what is missing and start Fireside"),
    ("llama", _llama, "compile llama.cpp, with progress for the program that waits for it"),
    ("setup", _set_up, "set up what is missing for running and developing"),
    ("check", _check, "format, lint, types, imports, unit tests"),
    ("test", _test, "every check, every test; or pytest with your own arguments"),
    ("test-vulkan", _test_vulkan, "build the Vulkan runtime and try it on Mesa's software device"),
    ("test-clients", _test_clients, "try the local API with clients of other makers"),
    ("test-llama-server", _test_llama_server, "try the local API with llama.cpp's tests of its own server"),
    ("test-cluster", _test_cluster, "try a router with real servers"),
    ("test-tools", _test_tools, "try MCP servers of other makers, and kill the tool host many times"),
    ("test-documents", _test_documents, "try the readers of documents with files of other makers"),
    ("installers", _installers, "build what users install"),
    ("test-installers", _test_installers, "build what users install, and try it as they would"),
    ("bench", _bench, "measure speed; or one program of tests/tools/bench with its options"),
    ("abuse", _abuse, "bad input and faults, many times over"),
    ("screenshots", _screenshots, "take the README's pictures anew; all states into a folder"),
    ("associate", _associate, "let the system open .gguf files with Fireside; “off” takes it back"),
    ("translations", _translations, "collect texts for the translators, and compile what they wrote"),
    ("lock", _lock, "write the lock files anew from pyproject.toml"),
    ("update-binding", _update_binding, "move to another version of llama-cpp-python, alone, and test it"),
    ("clean", _clean, "remove what set-up and tools made here"),
)

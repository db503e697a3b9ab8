"""Rules of the code that no linter checks. Who may import whom is in pyproject.toml, under importlinter."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP = ROOT / "app" / "fireside"
INSTALLER = ROOT / "installer"
TESTS = ROOT / "tests"

MAX_LINES = 600
"""Lines with something on them. A file that outgrows this holds two things."""

QT_MODULES = ("PySide6", "shiboken6", "qasync")
QT_LAYERS = ("ui", "bridge", "main")
QT_PROCESS = "page_host.py"
"""The web engine, in a process of its own."""
WITHOUT_QT_OR_LLAMA = """
import importlib, pkgutil, sys

for blocked in ("PySide6", "shiboken6", "qasync", "llama_cpp"):
    sys.modules[blocked] = None

import fireside

for found in pkgutil.iter_modules(fireside.__path__, "fireside."):
    if found.name.removeprefix("fireside.") in ("ui", "bridge", "main", "__main__", "runner"):
        continue
    package = importlib.import_module(found.name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), found.name + "."):
        if not module.name.endswith(".page_host"):  # the web engine, in a process of its own
            importlib.import_module(module.name)
"""

# These run code that the data names, or fork a process that holds threads and a window.
FORBIDDEN_MODULES = ("pickle", "cPickle", "dill", "shelve", "marshal", "multiprocessing")

# Each stops the event loop that the window, its timers and every `await` live in.
BLOCKING_CALLS = frozenset(
    {
        "exec",
        "exec_",
        "getText",
        "getMultiLineText",
        "getInt",
        "getDouble",
        "getItem",
        "getColor",
        "getFont",
        "getOpenFileName",
        "getOpenFileNames",
        "getOpenFileUrl",
        "getOpenFileUrls",
        "getSaveFileName",
        "getSaveFileUrl",
        "getExistingDirectory",
        "getExistingDirectoryUrl",
    }
)
BLOCKING_MESSAGE_BOXES = frozenset({"question", "information", "warning", "critical", "about", "aboutQt"})

OPEN_TEMPLATES = frozenset({"Environment", "Template", "NativeEnvironment", "SandboxedEnvironment"})
SAFE_TEMPLATES = "ImmutableSandboxedEnvironment"

HOST_NAME = re.compile(r"https?:|\b[a-z0-9-]+\.(?:org|com|io|net|dev|cloud|internal|local)\b")


@dataclass(frozen=True, kw_only=True)
class Module:
    """A source file and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All that the tree consists of."""
        return tuple(ast.walk(self.tree))

    @property
    def layer(self) -> str:
        """The part of Fireside that this file belongs to: ``engine``, ``main``."""
        return self.path.relative_to(APP).parts[0].removesuffix(".py")

    @property
    def place(self) -> tuple[str, ...]:
        """Its dotted name below the package: ``("engine", "planning", "planner")``."""
        return tuple(
            self.path.relative_to(APP).with_suffix("").as_posix().removesuffix("/__init__").split("/")
        )

    def at(self, node: ast.expr | ast.stmt | ast.arg) -> str:
        return f"{self.path.relative_to(ROOT)}:{node.lineno}"

    def imports(self) -> Iterator[tuple[ast.stmt, str]]:
        """Give each imported name in full: ``json``, ``jinja2.sandbox.SandboxedEnvironment``."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from ((node, name.name) for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield from ((node, f"{node.module}.{name.name}") for name in node.names)

    @cached_property
    def for_types(self) -> frozenset[ast.stmt]:
        """The imports that are for the type checker alone."""
        return frozenset(
            imported
            for node in self.nodes
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for imported in node.body
        )

    def attributes(self) -> Iterator[ast.Attribute]:
        return (node for node in self.nodes if isinstance(node, ast.Attribute))

    def called_methods(self) -> Iterator[ast.Attribute]:
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield node.func


def _modules(folder: Path) -> tuple[Module, ...]:
    texts = ((path, path.read_text("utf-8")) for path in sorted(folder.rglob("*.py")))
    return tuple(Module(path=path, text=text, tree=ast.parse(text)) for path, text in texts)


@pytest.fixture(scope="module")
def app() -> tuple[Module, ...]:
    return _modules(APP)


@pytest.fixture(scope="module")
def everything(app: tuple[Module, ...]) -> tuple[Module, ...]:
    return app + _modules(INSTALLER)


def _is_within(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


def test_every_module_says_on_its_first_line_what_it_owns(everything: tuple[Module, ...]) -> None:
    silent = [
        str(module.path.relative_to(ROOT))
        for module in everything
        if not ast.get_docstring(module.tree) or not module.text.startswith('"""')
    ]
    assert silent == []


def test_no_file_outgrows_its_limit(everything: tuple[Module, ...]) -> None:
    sizes = {
        str(module.path.relative_to(ROOT)): sum(1 for line in module.text.splitlines() if line.strip())
        for module in everything
    }
    assert {path: n for path, n in sizes.items() if n > MAX_LINES} == {}


def circles(imports: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> list[str]:
    """Return each package with a circle among its files and folders, and what lies on it."""
    known: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for importer, imported in imports:
        for depth, (one, other) in enumerate(zip(importer, imported, strict=False)):
            if one != other:
                known["/".join(importer[:depth])][one].add(other)
                break
    found = []
    for package, below in known.items():
        try:
            TopologicalSorter(below).prepare()
        except CycleError as exc:
            found.append(f"{package}: {' < '.join(exc.args[1])}")
    return found


@pytest.mark.parametrize("name", ["xtc_threshold", "dry_base", "mirostat_tau", "dynatemp_exponent"])
def test_a_sampler_is_declared_once(app: tuple[Module, ...], name: str) -> None:
    """Its row, the texts of its setting, and what computes it; all else follows from the row."""
    naming = {str(module.path.relative_to(APP)) for module in app if re.search(rf"\b{name}\b", module.text)}
    assert naming == {
        "core/options.py",
        "settings/definitions_sampling.py",
        "runner/sampling/sampler_chain.py",
    }


def is_of_its_maker(module: Module, node: ast.stmt, name: str) -> bool:
    """Whether a file of the window names one of its own feature for the type checker alone."""
    is_of_the_feature = name.startswith(".".join(("fireside", *module.place[:2], "")))
    return module.layer == "ui" and node in module.for_types and is_of_the_feature


def test_the_parts_of_a_package_know_each_other_one_way(app: tuple[Module, ...]) -> None:
    """Files and folders at every depth, also where an import is for the type checker alone.

    But in the window a view may name the controller that makes it, and a controller the view that made it: a
    file of the same feature, imported for the type checker alone."""
    imports = (
        (module.place, tuple(name.split(".")[1:]))
        for module in app
        for node, name in module.imports()
        if name.startswith("fireside.") and not is_of_its_maker(module, node, name)
    )
    assert circles(imports) == []
    planted = [(("a", "b", "c"), ("a", "d")), (("a", "d", "e"), ("a", "b", "f"))]
    assert circles(planted) == ["a: b < d < b"]
    names = "if TYPE_CHECKING:\n  from fireside.ui.a.maker import A\n  from fireside.ui.b.maker import B\n"
    view = Module(
        path=APP / "ui" / "a" / "view.py", text=names, tree=ast.parse(f"{names}from fireside.ui.a.c import C")
    )
    counted = [name for node, name in view.imports() if not is_of_its_maker(view, node, name)]
    assert sorted(counted) == ["fireside.ui.a.c.C", "fireside.ui.b.maker.B"]


def test_nothing_unpickles_or_forks(app: tuple[Module, ...]) -> None:
    found = [
        f"{module.at(node)} {name}"
        for module in app
        for node, name in module.imports()
        if _is_within(name, FORBIDDEN_MODULES)
    ]
    assert found == []


def test_qt_and_its_event_loop_stay_in_the_window_the_bridge_and_main(app: tuple[Module, ...]) -> None:
    found = [
        f"{module.at(node)} {name}"
        for module in app
        for node, name in module.imports()
        if _is_within(name, QT_MODULES) and module.layer not in QT_LAYERS and module.path.name != QT_PROCESS
    ]
    assert found == []


def test_llama_cpp_stays_in_the_runner(app: tuple[Module, ...]) -> None:
    found = [
        f"{module.at(node)} {name}"
        for module in app
        for node, name in module.imports()
        if _is_within(name, ("llama_cpp",)) and module.layer != "runner"
    ]
    assert found == []


def test_all_but_the_window_and_the_runner_work_without_qt_and_llama_cpp() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT_QT_OR_LLAMA], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_templates_run_in_the_immutable_sandbox_only(app: tuple[Module, ...]) -> None:
    named = [
        f"{module.at(node)} {name}"
        for module in app
        for node, name in module.imports()
        if name.startswith("jinja2.") and name.rpartition(".")[2] in OPEN_TEMPLATES
    ]
    reached = [
        f"{module.at(node)} {node.attr}"
        for module in app
        if any(_is_within(name, ("jinja2",)) for _, name in module.imports())
        for node in module.attributes()
        if node.attr in OPEN_TEMPLATES
    ]
    assert named + reached == []


def test_one_module_builds_the_sandbox(app: tuple[Module, ...]) -> None:
    builders = [str(module.path.relative_to(ROOT)) for module in app if SAFE_TEMPLATES in module.text]
    assert len(builders) <= 1, builders


def test_the_window_never_blocks_on_a_dialog(app: tuple[Module, ...]) -> None:
    blocking = [
        f"{module.at(method)} .{method.attr}()"
        for module in app
        if module.layer == "ui"
        for method in module.called_methods()
        if method.attr in BLOCKING_CALLS or _is_message_box(method)
    ]
    assert blocking == []


def _is_message_box(method: ast.Attribute) -> bool:
    owner = method.value
    return method.attr in BLOCKING_MESSAGE_BOXES and isinstance(owner, ast.Name) and owner.id == "QMessageBox"


def test_no_signal_waits_for_another_thread(app: tuple[Module, ...]) -> None:
    waiting = [
        module.at(node)
        for module in app
        for node in module.attributes()
        if node.attr == "BlockingQueuedConnection"
    ]
    assert waiting == []


GIVEN_THE_THEME = ("ui.theme", "ui.chat.style", "ui.library.style")
"""Who takes the theme as an argument: its own package, and parts of the style sheet, of which it is made."""


def test_the_theme_is_not_passed_by_hand(app: tuple[Module, ...]) -> None:
    """``theme()`` is the one in use."""
    found = [
        module.at(node)
        for module in app
        if not _is_within(".".join(module.place), GIVEN_THE_THEME)
        for node in module.nodes
        if isinstance(node, (ast.arg, ast.AnnAssign))
        if isinstance(node.annotation, ast.Name) and node.annotation.id == "Theme"
    ]
    assert found == []


def test_our_fakes_are_written_by_hand() -> None:
    mocking = [
        f"{module.at(node)} {name}"
        for module in _modules(TESTS)
        for node, name in module.imports()
        if _is_within(name, ("unittest.mock", "mock", "pytest_mock"))
    ]
    assert mocking == []


@pytest.mark.parametrize(
    "path",
    [ROOT / "requirements.lock", *sorted((ROOT / "installer" / "locks").iterdir())],
    ids=lambda p: p.name,
)
def test_a_lock_file_pins_hashes_and_names_no_host(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    hosts = [line for line in lines if HOST_NAME.search(line) or "index-url" in line or "find-links" in line]
    pins = [line for line in lines if re.match(r"[A-Za-z0-9]", line)]
    unhashed = [line for line in pins if not re.match(r"\S+==\S+ (?:; .+ )?\\$", line)]
    assert (hosts, unhashed) == ([], [])
    assert pins


OWN_DECODING = (
    "api.http_messages",
    "core.decoding",
    "core.lenient_json",
    "documents",
    "remote",
    "retrieval",
    "services.transfer",
)
"""Who decodes JSON by itself: the one call that others use, readers of other programs' material, which is
taken as far as it can be understood, and rows of a database that is made again."""


def test_json_is_decoded_in_one_place(app: tuple[Module, ...]) -> None:
    """``msgspec`` raises several unrelated errors, one of which was forgotten at every third place."""
    found = [
        module.at(attribute)
        for module in app
        if not _is_within(".".join(module.place), OWN_DECODING)
        for attribute in module.attributes()
        if attribute.attr in ("decode", "Decoder")
        and isinstance(attribute.value, ast.Attribute)
        and attribute.value.attr == "json"
    ]
    assert found == []


def test_files_are_locked_in_one_place(app: tuple[Module, ...]) -> None:
    found = [
        module.at(attribute)
        for module in app
        if ".".join(module.place) != "files.file_lock"
        for attribute in module.attributes()
        if attribute.attr in ("flock", "lockf", "locking")
    ]
    assert found == []


ARCHIVE_READERS = (
    "files.archive",
    "documents.archive",
    "services.transfer.import_sources",
    "services.transfer.office_package",
    "services.transfer.project_archive",
)
"""Who opens archives: the second and third unpack nothing to the disk, the last two only write one."""


def test_archives_are_opened_where_what_leads_out_of_them_is_refused(app: tuple[Module, ...]) -> None:
    found = [
        f"{module.at(node)} {name}"
        for module in app
        if ".".join(module.place) not in ARCHIVE_READERS
        for node, name in module.imports()
        if _is_within(name, ("tarfile", "zipfile"))
    ]
    assert found == []


def test_lengths_are_put_before_messages_in_one_place(app: tuple[Module, ...]) -> None:
    """Every process speaks the same frames; a second kind would be bounded and split a second time."""
    found = [
        module.at(node)
        for module in app
        if module.place[0] != "gguf" and ".".join(module.place) != "wire.frames"
        for node in module.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("Struct", "pack")
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value in ("<I", ">I", "!I", "<Q", ">Q", "!Q", "<L", ">L", "!L")
    ]
    assert found == []


def test_one_module_starts_the_processes_that_speak_frames(app: tuple[Module, ...]) -> None:
    found = [
        module.at(attribute)
        for module in app
        if ".".join(module.place) != "wire.child_process"
        for attribute in module.attributes()
        if attribute.attr == "subprocess_exec"
    ]
    assert found == []

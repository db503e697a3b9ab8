"""Build the installers: `make installers`, or `python3 installer/release/build.py` with options.

Each step is done again only when what goes into it has changed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision import lock_files, starter_model
from provision.console import Console, Task
from provision.environment import install_locked
from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.layout import Layout, find_layout
from provision.lock_files import read_pins, without
from provision.stamps import Stamps, fingerprint
from provision.steps import LLAMA, VERSION_FILE, Purpose, Step, carry_out, make_ready
from release.debian import Ingredients, architecture, make_packages
from release.interpreter import Interpreter, find_interpreter
from release.tarball import make_tarball
from release.tree import assemble, assemble_base
from runtimes.build import build, job_for
from runtimes.kinds import KINDS
from runtimes.packing import this_platform


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """One build: what goes in, and where the parts and the results lie."""

    layout: Layout
    interpreter: Interpreter
    runtime: Path

    @property
    def folder(self) -> Path:
        return self.layout.build / "installers"

    @property
    def packages(self) -> Path:
        return self.folder / "packages"

    @property
    def base(self) -> Path:
        return self.folder / "base"

    @property
    def tree(self) -> Path:
        """The relocatable tree; its folder may be copied anywhere and renamed."""
        return self.folder / "fireside"

    @property
    def tarball(self) -> Path:
        return self.folder / f"fireside-{self.version}-{this_platform()}.tar.xz"

    @property
    def debian(self) -> tuple[Path, Path]:
        """The packages for Debian: the program, the starter model."""
        return (
            self.folder / f"fireside_{self.version}_{architecture()}.deb",
            self.folder / f"fireside-starter-model_{self.version}_all.deb",
        )

    @property
    def version(self) -> str:
        text = (self.layout.app / VERSION_FILE).read_text(encoding="utf-8")
        return text.partition('__version__ = "')[2].partition('"')[0]

    @cached_property
    def locked(self) -> str:
        """The lock file of what the program runs with, without llama.cpp."""
        text = (self.layout.root / lock_files.RUN).read_text(encoding="utf-8")
        return without(read_pins(text), name=LLAMA)

    @cached_property
    def base_key(self) -> str:
        own = files_in(self.layout.root / "installer" / "release", suffixes=(".py", ".sh"))
        return fingerprint([self.locked, *contents([self.interpreter.program, self.runtime, *own])])

    @cached_property
    def tree_key(self) -> str:
        sources = (
            *files_in(self.layout.app / "fireside", suffixes=("",)),
            *files_in(self.layout.root / "resources", suffixes=("",)),
            *files_in(self.layout.root / "installer" / "licences", suffixes=("",)),
        )
        names = [str(path.relative_to(self.layout.root)) for path in sources]
        return fingerprint([self.base_key, starter_model.SHA256, *names, *contents(sources)])

    @cached_property
    def tarball_key(self) -> str:
        beside = files_in(self.layout.root / "installer" / "association", suffixes=("",))
        own = files_in(self.layout.root / "installer" / "provision" / "association", suffixes=(".py",))
        return fingerprint([self.tree_key, *contents([*beside, *own])])


def main(arguments: Sequence[str]) -> int:
    """Build what the command line names; return the exit status."""
    chosen = _parser().parse_args(arguments)
    console = Console(stream=sys.stdout)
    try:
        build_all(find_layout(), console=console, python=chosen.python, runtime=chosen.runtime)
    except SetupFailure as failure:
        console.show_failure(failure)
        return 1
    except KeyboardInterrupt:
        console.say("\nStopped. The next start goes on from here.")
        return 130
    return 0


def build_all(
    layout: Layout, *, console: Console, python: Path | None = None, runtime: Path | None = None
) -> Workshop:
    """Do every step that is not done; return where the results lie. Raises SetupFailure."""
    make_ready(layout, purpose=Purpose.DEVELOP, console=console)
    interpreter = find_interpreter(python)
    if runtime is None:
        # It looks for itself at what is done.
        runtime = build(job_for(KINDS["portable"], layout=layout), console=console)
    workshop = Workshop(layout=layout, interpreter=interpreter, runtime=runtime)
    stamps = Stamps(workshop.folder / "done.json")
    with file_lock(
        workshop.folder / "lock", on_wait=lambda: console.say("Another build is at work; waiting.")
    ):
        for step in _steps(workshop):
            if not step.is_done(stamps):
                carry_out(step, layout=layout, stamps=stamps, console=console)
    console.say(f"{workshop.tree} ({size_of(workshop.tree) / 1e6:.0f} MB)")
    for file in (workshop.tarball, *workshop.debian):
        console.say(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
    return workshop


def _steps(workshop: Workshop) -> tuple[Step, ...]:
    layout = workshop.layout
    return (
        Step(
            name="installer-packages",
            title="Packages for the installers",
            values=(fingerprint([workshop.locked, workshop.interpreter.version]),),
            is_there=workshop.packages.is_dir,
            act=lambda task, log: _fetch_packages(workshop, task=task, log=log),
        ),
        Step(
            name="installer-base",
            title="Python, packages and llama.cpp",
            values=(workshop.base_key,),
            is_there=workshop.base.is_dir,
            act=lambda _task, _log: assemble_base(
                workshop.base,
                interpreter=workshop.interpreter,
                packages=workshop.packages,
                runtime=workshop.runtime,
                layout=layout,
            ),
        ),
        Step(
            name="installer-tree",
            title="The relocatable tree",
            values=(workshop.tree_key,),
            is_there=workshop.tree.is_dir,
            act=lambda _task, _log: assemble(
                workshop.tree,
                base=workshop.base,
                interpreter=workshop.interpreter,
                layout=layout,
                version=workshop.version,
            ),
        ),
        Step(
            name="installer-tarball",
            title="The archive for home folders",
            values=(workshop.tarball_key,),
            is_there=workshop.tarball.is_file,
            act=lambda _task, _log: make_tarball(workshop.tree, root=layout.root, archive=workshop.tarball),
        ),
        Step(
            name="installer-debian",
            title="The packages for Debian",
            values=(workshop.tarball_key,),
            is_there=lambda: all(file.is_file() for file in workshop.debian),
            act=lambda _task, _log: make_packages(
                Ingredients(
                    tree=workshop.tree, root=layout.root, python=layout.python, version=workshop.version
                ),
                program=workshop.debian[0],
                model=workshop.debian[1],
            ),
        ),
    )


def files_in(folder: Path, *, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the source files below ``folder``, sorted, without byte code."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name.endswith(suffixes) and path.parent.name != "__pycache__"
    )


def contents(files: Iterable[Path]) -> Iterator[bytes]:
    return (file.read_bytes() for file in files)


def size_of(folder: Path) -> int:
    """Return the bytes of all files in ``folder``; links count nothing."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _fetch_packages(workshop: Workshop, *, task: Task, log: Path) -> None:
    shutil.rmtree(workshop.packages, ignore_errors=True)
    requirements = workshop.folder / "packages.lock"
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(workshop.locked, encoding="utf-8")
    install_locked(
        python=workshop.layout.python,
        requirements=requirements,
        n_packages=len(read_pins(workshop.locked)),
        task=task,
        log=log,
        target=workshop.packages,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="build.py", description="Build Fireside's installers.")
    parser.add_argument("--python", type=Path, metavar="PROGRAM", help="the interpreter to copy")
    parser.add_argument(
        "--runtime", type=Path, metavar="ARCHIVE", help="a llama.cpp build, in place of the portable one"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Build the installers: `make installers`, or `python3 installer/release/build.py` with options.

A step runs again only if its inputs have changed.
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
from provision.steps import LLAMA, Purpose, Step, make_ready, run_step
from release.debian import PackageSources, architecture, make_packages
from release.interpreter import Interpreter, find_interpreter
from release.tarball import make_tarball
from release.tree import assemble, assemble_base
from runtimes.build import build, job_for
from runtimes.kinds import KINDS
from runtimes.packing import this_platform


@dataclass(frozen=True, kw_only=True)
class InstallerBuild:
    """The inputs of a build, and the paths of its parts and results."""

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
        """The relocatable tree, which can be copied anywhere."""
        return self.folder / "fireside"

    @property
    def tarball(self) -> Path:
        return self.folder / f"fireside-{self.version}-{this_platform()}.tar.xz"

    @property
    def debian(self) -> tuple[Path, Path]:
        """The packages for Debian: the program, and the starter model."""
        return (
            self.folder / f"fireside_{self.version}_{architecture()}.deb",
            self.folder / f"fireside-starter-model_{self.version}_all.deb",
        )

    @property
    def version(self) -> str:
        return self.layout.version

    @cached_property
    def locked(self) -> str:
        """The lock file of the program, without llama.cpp."""
        text = (self.layout.root / lock_files.RUN).read_text(encoding="utf-8")
        return without(read_pins(text), name=LLAMA)

    @cached_property
    def base_key(self) -> str:
        code = files_in(self.layout.root / "installer" / "release", suffixes=(".py", ".sh"))
        return fingerprint([self.locked, *contents([self.interpreter.program, self.runtime, *code])])

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
        association = files_in(self.layout.root / "installer" / "association", suffixes=("",))
        code = files_in(self.layout.root / "installer" / "provision" / "association", suffixes=(".py",))
        return fingerprint([self.tree_key, *contents([*association, *code])])


def main(arguments: Sequence[str]) -> int:
    """Build the installers with the options of the command line; return the exit status."""
    parsed = _parser().parse_args(arguments)
    console = Console(stream=sys.stdout)
    try:
        build_all(find_layout(), console=console, python=parsed.python, runtime=parsed.runtime)
    except SetupFailure as failure:
        console.show_failure(failure)
        return 1
    except KeyboardInterrupt:
        console.say("\nStopped. The next start goes on from here.")
        return 130
    return 0


def build_all(
    layout: Layout, *, console: Console, python: Path | None = None, runtime: Path | None = None
) -> InstallerBuild:
    """Run every step that is not done; return the build with the paths of its results. Raises
    SetupFailure."""
    make_ready(layout, purpose=Purpose.DEVELOP, console=console)
    interpreter = find_interpreter(python)
    if runtime is None:
        # Skips by itself what is done.
        runtime = build(job_for(KINDS["portable"], layout=layout), console=console)
    installers = InstallerBuild(layout=layout, interpreter=interpreter, runtime=runtime)
    stamps = Stamps(installers.folder / "done.json")
    with file_lock(
        installers.folder / "lock", on_wait=lambda: console.say("Another build is at work; waiting.")
    ):
        for step in _steps(installers):
            if not step.is_done(stamps):
                run_step(step, layout=layout, stamps=stamps, console=console)
    console.say(f"{installers.tree} ({size_of(installers.tree) / 1e6:.0f} MB)")
    for file in (installers.tarball, *installers.debian):
        console.say(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
    return installers


def _steps(installers: InstallerBuild) -> tuple[Step, ...]:
    layout = installers.layout
    return (
        Step(
            name="installer-packages",
            title="Packages for the installers",
            fingerprints=(fingerprint([installers.locked, installers.interpreter.version]),),
            exists=installers.packages.is_dir,
            run=lambda task, log: _fetch_packages(installers, task=task, log=log),
        ),
        Step(
            name="installer-base",
            title="Python, packages and llama.cpp",
            fingerprints=(installers.base_key,),
            exists=installers.base.is_dir,
            run=lambda _task, _log: assemble_base(
                installers.base,
                interpreter=installers.interpreter,
                packages=installers.packages,
                runtime=installers.runtime,
                layout=layout,
            ),
        ),
        Step(
            name="installer-tree",
            title="The relocatable tree",
            fingerprints=(installers.tree_key,),
            exists=installers.tree.is_dir,
            run=lambda _task, _log: assemble(
                installers.tree,
                base=installers.base,
                interpreter=installers.interpreter,
                layout=layout,
                version=installers.version,
            ),
        ),
        Step(
            name="installer-tarball",
            title="The archive for home folders",
            fingerprints=(installers.tarball_key,),
            exists=installers.tarball.is_file,
            run=lambda _task, _log: make_tarball(
                installers.tree, root=layout.root, archive=installers.tarball
            ),
        ),
        Step(
            name="installer-debian",
            title="The packages for Debian",
            fingerprints=(installers.tarball_key,),
            exists=lambda: all(file.is_file() for file in installers.debian),
            run=lambda _task, _log: make_packages(
                PackageSources(
                    tree=installers.tree, root=layout.root, python=layout.python, version=installers.version
                ),
                program=installers.debian[0],
                model=installers.debian[1],
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
    """Return the bytes of all files in ``folder``, without links."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _fetch_packages(installers: InstallerBuild, *, task: Task, log: Path) -> None:
    shutil.rmtree(installers.packages, ignore_errors=True)
    requirements = installers.folder / "packages.lock"
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(installers.locked, encoding="utf-8")
    install_locked(
        python=installers.layout.python,
        requirements=requirements,
        n_packages=len(read_pins(installers.locked)),
        task=task,
        log=log,
        target=installers.packages,
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

"""Get the source of llama-cpp-python and the tools that compile it, and other source packages, each checked
against its hashes."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

from provision.console import Task
from provision.environment import PIP, TRY_AGAIN, install_locked, make_environment
from provision.layout import python_of
from provision.lock_files import Pin
from provision.process import Program, run_program
from provision.stamps import Stamps, fingerprint


def prepare_source(work: Path, *, pin: Pin, tools: Path, task: Task, log: Path) -> None:
    """Prepare the folders ``tools`` and ``source`` in ``work``; ``tools`` is the lock file of the build
    tools.

    Raises SetupFailure; what was finished is not repeated.
    """
    done = Stamps(work / "done.json")
    locked = tools.read_text(encoding="utf-8")
    source = work / "source"
    if not done.has("tools", value=fingerprint([locked])):
        _install_tools(work, lock=tools, task=task, log=log)
        done.set("tools", value=fingerprint([locked]))
    if not done.has("source", value=fingerprint([pin.text])):
        task.progress("fetching the source")
        shutil.rmtree(source, ignore_errors=True)
        archive = _download(work, pin=pin, task=task, log=log)
        _unpack(archive, folder=source)
        shutil.rmtree(archive.parent)
        done.set("source", value=fingerprint([pin.text]))


def fetch_sources(folder: Path, *, pins: Sequence[Pin], tools: Path, task: Task, log: Path) -> None:
    """Unpack source packages into ``folder``, each into a folder of its name.

    Pip asks each for its metadata, which takes the locked ``tools`` of their makers. Raises SetupFailure.
    """
    work = folder / "fetching"
    _install_tools(work, lock=tools, task=task, log=log)
    for n, pin in enumerate(pins):
        task.progress(pin.name, fraction=n / len(pins))
        archive = _download(work, pin=pin, task=task, log=log)
        shutil.rmtree(folder / pin.name, ignore_errors=True)
        _unpack(archive, folder=folder / pin.name)
    shutil.rmtree(work)


def fetch_source(work: Path, *, name: str, version: str, tools: Path, task: Task, log: Path) -> Pin:
    """Unpack a source package that is not locked yet into the folder ``source`` of ``work``, and return the
    pin that locks it. Raises SetupFailure."""
    _install_tools(work, lock=tools, task=task, log=log)
    task.progress("fetching the source")
    unchecked = Pin(name=name, version=version, text=f"{name}=={version}\n")
    archive = _download(work, pin=unchecked, task=task, log=log)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    shutil.rmtree(work / "source", ignore_errors=True)
    _unpack(archive, folder=work / "source")
    text = f"{name}=={version} \\\n    --hash=sha256:{digest}\n"
    return Pin(name=name, version=version, text=text)


def _install_tools(work: Path, *, lock: Path, task: Task, log: Path) -> None:
    environment = work / "tools"
    make_environment(environment, task=task, log=log)
    install_locked(
        python=python_of(environment),
        requirements=lock,
        task=task,
        log=log,
    )


def _download(work: Path, *, pin: Pin, task: Task, log: Path) -> Path:
    requirement, folder = work / "source.lock", work / "download"
    requirement.write_text(pin.text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    run_program(
        Program(
            command=[
                python_of(work / "tools"),
                *PIP,
                "download",
                *(("--require-hashes",) if "--hash=" in pin.text else ()),
                "--no-deps",
                "--no-build-isolation",
                f"--no-binary={pin.name}",
                "--progress-bar=off",
                f"--dest={folder}",
                f"--requirement={requirement}",
            ],
            log=log,
            failed=f"The source of {pin.name} could not be fetched.",
            advice=TRY_AGAIN,
            variables={"PDFIUM_PLATFORM": "sdist"},  # pypdfium2 would fetch a library
        ),
        on_tick=task.tick,
    )
    return next(folder.glob("*.tar.gz"))


def _unpack(archive: Path, *, folder: Path) -> None:
    """Unpack a source archive whose hash was checked; its single top folder becomes ``folder``."""
    unpacked = archive.parent / "unpacked"
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and newer
            tar.extractall(unpacked, filter="data")
        else:
            tar.extractall(unpacked)  # noqa: S202 - its hash is the one we released with
    (top,) = unpacked.iterdir()
    top.replace(folder)
    unpacked.rmdir()

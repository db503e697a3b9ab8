"""Models as they are named on the command line: from the library, of other engines, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fireside.core.errors import ModelFileInvalid, ModelFileMissing, ModelNotFound
from fireside.core.remote import RemoteLocation, is_remote
from fireside.library.walk import readable_path

if TYPE_CHECKING:
    from fireside.chat.app import App
    from fireside.cli.engine_loop import EngineLoop
    from fireside.core.model import ModelSpec


def find_model(app: App, loop: EngineLoop, *, name: str | None) -> ModelSpec:
    """Return the model with a name, the model of a file, or without a name the model used last.

    A model of another engine has to be named, as “fireside list” shows it, or by its own name alone where no
    other model has that: nothing leaves this computer by default.

    Raises ``ModelNotFound``, ``ModelFileInvalid`` for a file that is no usable model, or ``ModelFileMissing``
    for a path where nothing is.
    """
    if name is None:
        default = loop.wait(app.snapshot()).default_model
        if default is not None and is_remote(default):
            default = app.models.default_model()
        if default is None:
            raise ModelNotFound(name="")
        return app.models.spec(default)
    path = Path(name)
    for entry in app.models.entries if model_files(name) else ():
        if _is_same(path, entry.path):
            if entry.spec is None:
                raise ModelFileInvalid(path=entry.path, reason=entry.problem or "")
            return entry.spec
    try:
        return loop.wait(app.models.find(name))
    except ModelNotFound as exc:
        if (elsewhere := _find_remote(app, name)) is not None:
            return elsewhere
        if reason := no_model_at(name):
            raise ModelFileInvalid(path=name, reason=reason) from exc
        if has_path_form(name):
            raise ModelFileMissing(path=name) from exc
        raise


def _find_remote(app: App, name: str) -> ModelSpec | None:
    """Return the model of another engine with a name; raises ``ModelNotFound`` where several have it."""
    specs = [entry.spec for entry in app.engines.entries if entry.spec is not None]
    locations = [(spec, spec.remote) for spec in specs if spec.remote is not None]
    named = [spec for spec, location in locations if name in (spec.id, remote_name(location))]
    named = named or [spec for spec, location in locations if name == location.model.name]
    if len(named) > 1 and named[0].remote is not None:
        raise ModelNotFound(name=name, near=remote_name(named[0].remote))
    return named[0] if named else None


def _is_same(path: Path, other: str) -> bool:
    """Whether a file is the one at ``other``, a path in which bytes that are no text are replaced."""
    try:
        return path.samefile(other)
    except OSError:
        return readable_path(str(path.absolute())) == other


def remote_name(location: RemoteLocation) -> str:
    """Return the name of a model of another engine, as it is typed: its own, and the host that gets all."""
    return f"{location.model.name}@{location.host.replace(' ', '')}"


def has_path_form(word: str) -> bool:
    """Return whether a name can only be a path: absolute, or starting with ``./``, ``../`` or ``~``."""
    return Path(word).is_absolute() or word.startswith(("./", "../", ".\\", "..\\", "~"))


def model_files(*names: str | None) -> tuple[str, ...]:
    """Return the absolute paths of the names that are files."""
    return tuple(str(Path(name).absolute()) for name in names if name is not None and _is_file(name))


def no_model_at(word: str) -> str:
    """Return why a path is no model file; empty if nothing is there, or a regular file."""
    try:
        path = Path(word)
        if path.is_dir():
            return "it is a folder. Name a .gguf file in it."
        if path.exists() and not path.is_file():
            return "it is a device, a pipe or a socket, not a file. Name a .gguf file."
    except (OSError, ValueError):
        return ""
    return ""


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a prompt may be longer than any name
        return False

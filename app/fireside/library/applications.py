"""The model folders of other applications, on each system."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr_noop

_MAX_SETTINGS_BYTES: Final = 1 << 20
_OLLAMA_SERVICE: Final = "/usr/share/ollama/.ollama/models"
"""The home folder of the service user that Ollama's Linux installer creates."""


class ModelApplication(StrEnum):
    """An application with a model folder of its own; the value is its name for the user."""

    LM_STUDIO = "LM Studio"
    OLLAMA = "Ollama"
    JAN = "Jan"
    HUGGING_FACE = tr_noop("Hugging Face cache")
    GPT4ALL = "GPT4All"
    LLAMA_CPP = "llama.cpp"


class ApplicationFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in which an application may store models; it need not exist."""

    application: ModelApplication
    path: str


class _LmStudioSettings(msgspec.Struct):
    downloads_folder: str = msgspec.field(default="", name="downloadsFolder")


def application_folders(
    environ: Mapping[str, str], *, home: Path, platform: str
) -> tuple[ApplicationFolder, ...]:
    """Return every folder to scan, each once.

    ``platform`` is spelt as ``sys.platform``. Reads LM Studio's settings, if there are any; never raises.
    """
    folders: dict[tuple[ModelApplication, str], None] = {}
    for application, path in _all_folders(environ, home=home, platform=platform):
        # A relative path would depend on the folder that the program was started in.
        if path.is_absolute():
            folders[application, str(path)] = None
    return tuple(ApplicationFolder(application=application, path=path) for application, path in folders)


def _all_folders(
    environ: Mapping[str, str], *, home: Path, platform: str
) -> Iterator[tuple[ModelApplication, Path]]:
    data, config, cache = _system_folders(environ, home=home, platform=platform)
    for path in _lm_studio(home):
        yield ModelApplication.LM_STUDIO, path
    yield (
        ModelApplication.OLLAMA,
        _path_from(environ, "OLLAMA_MODELS", home=home) or home / ".ollama" / "models",
    )
    if platform.startswith("linux"):
        yield ModelApplication.OLLAMA, Path(_OLLAMA_SERVICE)
    for root in (data, config):
        yield ModelApplication.JAN, root / "Jan" / "data" / "llamacpp" / "models"
    # The folder of earlier versions.
    for root_folder in (*(root / "Jan" / "data" for root in (data, config)), home / "jan"):
        yield ModelApplication.JAN, root_folder / "models"
    yield ModelApplication.HUGGING_FACE, _hugging_face(environ, home=home)
    local = _local_data(environ, home=home) if platform == "win32" else data
    yield ModelApplication.GPT4ALL, local / "nomic.ai" / "GPT4All"
    yield ModelApplication.LLAMA_CPP, _path_from(environ, "LLAMA_CACHE", home=home) or cache / "llama.cpp"


def _system_folders(environ: Mapping[str, str], *, home: Path, platform: str) -> tuple[Path, Path, Path]:
    """Return the folders for data, configuration and caches, as the system's conventions say."""
    if platform == "win32":
        roaming = _path_from(environ, "APPDATA", home=home) or home / "AppData" / "Roaming"
        return roaming, roaming, _local_data(environ, home=home)
    if platform == "darwin":
        support = home / "Library" / "Application Support"
        return support, support, home / "Library" / "Caches"
    return (
        _path_from(environ, "XDG_DATA_HOME", home=home) or home / ".local" / "share",
        _path_from(environ, "XDG_CONFIG_HOME", home=home) or home / ".config",
        _path_from(environ, "XDG_CACHE_HOME", home=home) or home / ".cache",
    )


def _local_data(environ: Mapping[str, str], *, home: Path) -> Path:
    return _path_from(environ, "LOCALAPPDATA", home=home) or home / "AppData" / "Local"


def _hugging_face(environ: Mapping[str, str], *, home: Path) -> Path:
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if (cache := _path_from(environ, name, home=home)) is not None:
            return cache
    if (root := _path_from(environ, "HF_HOME", home=home)) is not None:
        return root / "hub"
    caches = _path_from(environ, "XDG_CACHE_HOME", home=home) or home / ".cache"
    return caches / "huggingface" / "hub"


def _lm_studio(home: Path) -> Iterator[Path]:
    """Return the folders of LM Studio: the download folder of its settings first, then its older ones."""
    pointer = re.split(r"[\r\n]", _read(home / ".lmstudio-home-pointer").decode(errors="replace"))[0].strip()
    roots = [Path(pointer)] if pointer else []
    roots += [home / ".lmstudio", home / ".cache" / "lm-studio"]
    for root in roots:
        try:
            settings = decode_json(_read(root / "settings.json"), kind=_LmStudioSettings)
        except JsonInvalid:
            settings = _LmStudioSettings()
        if settings.downloads_folder:
            yield Path(settings.downloads_folder)
        yield root / "models"


def _path_from(environ: Mapping[str, str], name: str, *, home: Path) -> Path | None:
    text = environ.get(name, "").strip()
    if not text:
        return None
    if text == "~" or text.startswith(("~/", "~\\")):
        return home / text[2:]
    return Path(text)


def _read(path: Path) -> bytes:
    """Return a small file's content; empty if it cannot be read."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(_MAX_SETTINGS_BYTES)
    except (OSError, ValueError):
        return b""

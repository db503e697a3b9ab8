"""The third-party components of the tree, each with its licence and the texts that have to be included."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from provision.failure import SetupFailure
from release.interpreter import Interpreter

TEXTS = Path(__file__).resolve().parents[1] / "licences"
"""Texts that are missing in the packages, and lists of what is compiled into them."""

SYSTEM_LIBRARIES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(
        (
            "libxcb-cursor.so.0",
            "libxcb-icccm.so.4",
            "libxcb-image.so.0",
            "libxcb-keysyms.so.1",
            "libxcb-render-util.so.0",
            "libxcb-util.so.1",
        ),
        ("X11", "xcb-util.txt"),
    ),
    "libgomp.so.1": ("GPL-3.0-or-later WITH GCC-exception-3.1", "libgomp.txt"),
}
"""Libraries of the build machine that are copied into the tree, with licence and text."""

_MORE_TEXTS: Mapping[str, tuple[str, ...]] = {
    "pyside6-essentials": ("LGPL-3.0.txt", "GPL-3.0.txt", "Qt-third-party.txt", "ICU.txt"),
    "shiboken6": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "latex2mathml": ("latex2mathml.txt",),
    "soundfile": ("libsndfile.txt",),
    "apsw-sqlite3mc": ("sqlite3mc.txt",),
    "ziafont": ("DejaVu.txt",),
    "ziamath": ("STIX.txt",),
    "cryptography": ("rust-crates.txt",),
    "llguidance": ("rust-crates.txt",),
    "pydantic-core": ("rust-crates.txt", "ICU.txt"),
    "rpds-py": ("rust-crates.txt",),
    "llama-cpp-python": ("llama.cpp-third-party.txt",),
}
_TEXT_NAMES = ("LICENSE*", "LICENCE*", "COPYING*", "NOTICE*")


@dataclass(frozen=True, kw_only=True)
class Component:
    """A third-party work. ``parts`` are compiled into it, in the form of CycloneDX."""

    name: str
    version: str
    licence: str
    is_expression: bool
    """Whether ``licence`` is an SPDX expression rather than free text."""
    texts: tuple[str, ...]
    purl: str
    parts: tuple[dict[str, Any], ...] = ()


def packages_in(folder: Path) -> Iterator[Component]:
    """Yield the installed packages of ``folder``. Raises SetupFailure for one without a licence text."""
    for dist_info in sorted(folder.glob("*.dist-info")):
        metadata = HeaderParser().parsestr((dist_info / "METADATA").read_text(encoding="utf-8"))
        name = metadata["Name"].lower().replace("_", "-").replace(".", "-")
        texts = (*_texts_within(dist_info), *(_own_text(file) for file in _MORE_TEXTS.get(name, ())))
        yield _checked(
            Component(
                name=name,
                version=metadata["Version"],
                licence=metadata["License-Expression"]
                or _declared(metadata["License"], metadata.get_all("Classifier")),
                is_expression=metadata["License-Expression"] is not None,
                texts=texts,
                purl=f"pkg:pypi/{name}@{metadata['Version']}",
                parts=tuple(_parts_of(name, dist_info=dist_info)),
            )
        )


def python_of(interpreter: Interpreter) -> Component:
    """Return the interpreter. Raises SetupFailure if its licence is missing."""
    text = interpreter.library / "LICENSE.txt"
    if not text.is_file():
        raise _missing(f"Python {interpreter.full_version}")
    return Component(
        name="cpython",
        version=interpreter.full_version,
        licence="Python-2.0.1",
        is_expression=True,
        texts=(_read(text), _own_text("Python-third-party.txt")),
        purl=f"pkg:generic/cpython@{interpreter.full_version}",
    )


def llama_cpp_in(folder: Path) -> Component:
    """Return llama.cpp, from the unpacked runtime in ``folder``."""
    version = json.loads(_read(folder / "runtime.json"))["llama_cpp"]
    return Component(
        name="llama.cpp",
        version=version,
        licence="MIT",
        is_expression=True,
        texts=(_read(folder / "LICENSE"), _own_text("llama.cpp-third-party.txt")),
        purl=f"pkg:github/ggml-org/llama.cpp@{version}",
    )


def system_library(name: str) -> Component:
    """Return a library of ``SYSTEM_LIBRARIES``; its version is unknown."""
    licence, text = SYSTEM_LIBRARIES[name]
    more = (_own_text("GPL-3.0.txt"),) if "GPL" in licence else ()
    return Component(
        name=name,
        version="",
        licence=licence,
        is_expression=True,
        texts=(_own_text(text), *more),
        purl=f"pkg:generic/{name}",
    )


def fonts_and_icons_in(resources: Path) -> Iterator[Component]:
    """Yield the resources that have a licence of their own, such as ``LICENSE-Inter.txt``."""
    for text in sorted(resources.rglob("LICENSE-*.txt")):
        name = text.stem.removeprefix("LICENSE-")
        yield Component(
            name=name,
            version="",
            licence="OFL-1.1" if text.parent.name == "fonts" else "ISC",
            is_expression=True,
            texts=(_read(text),),
            purl=f"pkg:generic/{name.lower()}",
        )


def model_of(model: Path, *, licence: Path) -> Component:
    """Return the starter model. Raises SetupFailure if its licence is missing."""
    if not licence.is_file():
        raise _missing(model.name)
    return Component(
        name=model.name,
        version="",
        licence="Apache-2.0",
        is_expression=True,
        texts=(_read(licence),),
        purl="pkg:huggingface/HuggingFaceTB/SmolLM2-135M-Instruct",
    )


def _checked(component: Component) -> Component:
    if not any(text.strip() for text in component.texts):
        raise _missing(f"{component.name} {component.version}")
    return component


def _missing(name: str) -> SetupFailure:
    return SetupFailure(
        sentence=f"{name} comes without the text of its licence, so nothing with it may be passed on.",
        advice="Put the text into installer/licences and name it in installer/release/components.py.",
    )


def _texts_within(dist_info: Path) -> Iterator[str]:
    folder = dist_info / "licenses"
    files = (
        folder.rglob("*") if folder.is_dir() else (f for name in _TEXT_NAMES for f in dist_info.glob(name))
    )
    return (_read(file) for file in sorted(files) if file.is_file())


def _declared(licence: str | None, classifiers: list[str] | None) -> str:
    """Return the licence that a package without an SPDX expression declares."""
    if licence and "\n" not in licence:
        return licence
    named = (line.rpartition(" :: ")[2] for line in classifiers or () if line.startswith("License ::"))
    return next(named, "see its text")


def _parts_of(name: str, *, dist_info: Path) -> Iterator[dict[str, Any]]:
    """Yield what is compiled into a package, from its own SBOM or from ours."""
    own = TEXTS / f"{name}.cdx.json"
    for file in (*sorted((dist_info / "sboms").glob("*.json")), *([own] if own.is_file() else ())):
        for part in json.loads(_read(file)).get("components", ()):
            if part["name"].lower() != name:
                yield {key: part[key] for key in _PART_FIELDS if part.get(key)}


_PART_FIELDS = ("type", "name", "version", "licenses", "purl")


def _own_text(name: str) -> str:
    return _read(TEXTS / name)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")

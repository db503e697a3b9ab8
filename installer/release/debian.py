"""The Debian packages: the program, and the starter model.

The program is in /opt/fireside as a whole; no script runs at installation or removal.
"""

from __future__ import annotations

import gzip
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path

from provision import starter_model
from provision.distribution import Family
from provision.failure import SetupFailure
from provision.system_needs import qt_library_needs
from release.icons import draw_icons
from release.manual import (
    bash_completion,
    fish_completion,
    help_runner,
    manual_page,
    read_commands,
    zsh_completion,
)
from release.notices import NOTICES
from release.published import write_build
from release.tree import MODEL_FOLDER, OLDEST_GLIBC, system_libraries

OPT = "opt/fireside"
EPOCH = 1_767_225_600
"""The date of every file, 1 January 2026, so that two builds are the same."""

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_MAINTAINER = "Fireside developers <developers@fireside.invalid>"
_OTHER_LIBRARIES = {
    "libbz2.so.1.0": "libbz2-1.0",
    "libcrypt.so.1": "libcrypt1",
    "libcrypto.so.3": "libssl3",
    "libssl.so.3": "libssl3",
    "libexpat.so.1": "libexpat1",
    "libffi.so.8": "libffi8",
    "libgcc_s.so.1": "libgcc-s1",
    "liblzma.so.5": "liblzma5",
    "libreadline.so.8": "libreadline8",
    "libstdc++.so.6": "libstdc++6",
    "libuuid.so.1": "libuuid1",
    "libbrotlicommon.so.1": "libbrotli1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
_GLIBC_LIBRARIES = frozenset(
    {
        "libc.so.6",
        "libm.so.6",
        "libdl.so.2",
        "libmvec.so.1",
        "libpthread.so.0",
        "libresolv.so.2",
        "librt.so.1",
        "libutil.so.1",
    }
)
_OPTIONAL = frozenset(
    {
        # of the plugin for the GTK theme, which is loaded on GTK desktops only
        "libatk-1.0.so.0", "libcairo-gobject.so.2", "libcairo.so.2", "libgdk-3.so.0",
        "libgdk_pixbuf-2.0.so.0", "libgio-2.0.so.0", "libgobject-2.0.so.0", "libgtk-3.so.0",
        "libharfbuzz.so.0", "libpango-1.0.so.0", "libpangocairo-1.0.so.0",
    }
)  # fmt: skip
_RENAMED = frozenset({"libglib2.0-0", "libssl3", "libreadline8"})
"""These end in “t64” since Debian 13, for 64-bit times."""

_CONTROL = """\
Package: fireside
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: fireside-starter-model
Section: science
Priority: optional
Description: chat with language models on your own computer
 Fireside runs language models in GGUF files with llama.cpp and keeps chats
 on this computer. It opens no connection that the user did not ask for.
 .
 It brings its own Python and Qt, in /opt/fireside.
"""
_MODEL_CONTROL = """\
Package: fireside-starter-model
Version: {version}
Architecture: all
Maintainer: {maintainer}
Installed-Size: {size}
Enhances: fireside
Section: science
Priority: optional
Description: small language model for the first chats with Fireside
 SmolLM2 135M Instruct by Hugging Face, in four bits. It is fast and often
 wrong; Fireside finds better ones.
"""
_OVERRIDES = """\
# The program lies whole in one folder of its own, so that it can bring what it was tested with.
fireside: dir-or-file-in-opt *
# Its Python and its packages are a part of that; byte code is never written after installation.
fireside: package-installs-python-pycache-dir *
fireside: python3-script-but-no-python3-dep *
fireside: embedded-library *
fireside: duplicate-font-file *
# Modules of Python that can also be started as programs by their first line; here nothing starts them so.
fireside: script-not-executable *
fireside: unusual-interpreter *
fireside: interpreter-in-usr-local *
# Licence texts are as their authors wrote them, also where that was before UTF-8.
fireside: national-encoding *
# Libraries are those of their makers' wheels, byte for byte; they find each other by $ORIGIN.
fireside: unstripped-binary-or-object *
fireside: custom-library-search-path *
fireside: hardening-no-relro *
fireside: hardening-no-pie *
fireside: shared-library-lacks-prerequisites *
fireside: library-not-linked-against-libc *
fireside: executable-stack-in-shared-library *
"""
_COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Fireside

Files: *
Copyright: 2026 Fireside developers
License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.

Files: opt/fireside/*
Copyright: those whom /opt/fireside/{notices} names
License: several
 The works of others that the program brings, with their copyright notices and
 the texts of their licences, are listed in /opt/fireside/{notices}.
"""
_MODEL_COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: SmolLM2 135M Instruct
Source: https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct

Files: *
Copyright: 2024-2025 Hugging Face
License: Apache-2.0
 On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0, and
 beside the model.
"""
_CHANGELOG = """\
{package} ({version}) stable; urgency=medium

  * What is new is in /usr/share/doc/fireside/NEWS.gz.

 -- {maintainer}  {date}
"""


@dataclass(frozen=True, kw_only=True)
class PackageSources:
    """The inputs of the packages; ``root`` is the checkout, ``python`` that of its environment."""

    tree: Path
    root: Path
    python: Path
    version: str


def architecture() -> str:
    """Return Debian's name of this machine's architecture."""
    return _ARCHITECTURES.get(platform.machine(), platform.machine())


def make_packages(sources: PackageSources, *, program: Path, model: Path) -> None:
    """Write both packages. Raises SetupFailure."""
    stage = program.parent / "debian"
    shutil.rmtree(stage, ignore_errors=True)
    _pack(_stage_program(sources, stage=stage / "fireside"), target=program, level=3)
    # Weights hardly compress: a higher level takes three times as long for 1 %.
    _pack(_stage_model(sources, stage=stage / "fireside-starter-model"), target=model, level=0)
    shutil.rmtree(stage)


def dependencies(libraries: Iterable[str]) -> str:
    """Return the packages with ``libraries``, for ``Depends``. Raises SetupFailure for an unknown library."""
    known = {need.name: need.packages[Family.DEBIAN] for need in qt_library_needs()} | _OTHER_LIBRARIES
    names = {f"libc6 (>= {OLDEST_GLIBC[0]}.{OLDEST_GLIBC[1]})"}
    for library in libraries:
        if library in _GLIBC_LIBRARIES | _OPTIONAL or library.startswith("ld-linux"):
            continue
        if library not in known:
            raise SetupFailure(
                sentence=f"No Debian package is known that brings {library}.",
                advice="Name it in installer/release/debian.py.",
            )
        name = known[library]
        names.add(f"{name} | {name}t64" if name in _RENAMED else name)
    return ", ".join(sorted(names))


def _stage_program(sources: PackageSources, *, stage: Path) -> Path:
    shutil.copytree(sources.tree, stage / OPT, symlinks=True)
    shutil.rmtree(stage / OPT / MODEL_FOLDER)  # in the other package
    write_build(stage / OPT, kind="system")
    link = stage / "usr/bin/fireside"
    link.parent.mkdir(parents=True)
    link.symlink_to(f"/{OPT}/bin/fireside")
    share = stage / "usr/share"
    run = help_runner(sources.tree / "bin/fireside")
    commands = read_commands(run)
    page = manual_page(commands, main_help=run(("--help",)), version=sources.version)
    desktop = (sources.root / "installer/association/fireside.desktop").read_text(encoding="utf-8")
    files: dict[str, str | bytes] = {
        "applications/fireside.desktop": desktop.replace("@COMMAND@", "fireside").replace(
            "@PROGRAM@", "fireside"
        ),
        "mime/packages/fireside-gguf.xml": _text(sources.root / "installer/association/fireside-gguf.xml"),
        "metainfo/app.fireside.Fireside.metainfo.xml": _text(
            sources.root / "installer/association/app.fireside.Fireside.metainfo.xml"
        ),
        "icons/hicolor/scalable/apps/fireside.svg": _text(sources.root / "resources/icons/fireside.svg"),
        "man/man1/fireside.1.gz": _zipped(page),
        "bash-completion/completions/fireside": bash_completion(commands),
        "zsh/vendor-completions/_fireside": zsh_completion(commands),
        "fish/vendor_completions.d/fireside.fish": fish_completion(commands),
        "lintian/overrides/fireside": _OVERRIDES,
        "doc/fireside/copyright": _COPYRIGHT.format(notices=NOTICES),
        "doc/fireside/changelog.gz": _changelog("fireside", version=sources.version),
        "doc/fireside/NEWS.gz": _zipped(_text(sources.root / "resources/CHANGELOG.md")),
    }
    for name, content in files.items():
        _write(share / name, content)
    icons = draw_icons(
        sources.root / "resources/icons/fireside.svg", folder=stage.parent / "icons", python=sources.python
    )
    for size, icon in icons.items():
        _write(share / f"icons/hicolor/{size}x{size}/apps/fireside.png", icon.read_bytes())
    control = _CONTROL.format(
        version=sources.version,
        architecture=architecture(),
        maintainer=_MAINTAINER,
        size=_kilobytes(stage),
        depends=dependencies(system_libraries(sources.tree)),
    )
    _write(stage / "DEBIAN/control", control)
    return stage


def _stage_model(sources: PackageSources, *, stage: Path) -> Path:
    folder = stage / OPT / MODEL_FOLDER
    folder.mkdir(parents=True)
    for name in (starter_model.FILE, starter_model.LICENCE):
        shutil.copyfile(sources.tree / MODEL_FOLDER / name, folder / name)
    share = stage / "usr/share"
    notes = share / "doc/fireside-starter-model"
    _write(notes / "copyright", _MODEL_COPYRIGHT)
    _write(notes / "changelog.gz", _changelog("fireside-starter-model", version=sources.version))
    _write(
        share / "lintian/overrides/fireside-starter-model",
        "# Beside the program that reads it.\nfireside-starter-model: dir-or-file-in-opt *\n",
    )
    control = _MODEL_CONTROL.format(version=sources.version, maintainer=_MAINTAINER, size=_kilobytes(stage))
    _write(stage / "DEBIAN/control", control)
    return stage


def _pack(stage: Path, *, target: Path, level: int) -> None:
    """Pack a staged package reproducibly; ``level`` is xz's."""
    for path in (stage, *stage.rglob("*")):
        if not path.is_symlink():
            is_program = path.is_dir() or os.access(path, os.X_OK)
            path.chmod(0o755 if is_program else 0o644)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", stage, target],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)},
        stdout=subprocess.DEVNULL,
        check=True,
    )


def _changelog(package: str, *, version: str) -> bytes:
    date = formatdate(EPOCH)
    text = _CHANGELOG.format(package=package, version=version, maintainer=_MAINTAINER, date=date)
    return _zipped(text)


def _kilobytes(stage: Path) -> int:
    return sum(path.lstat().st_size + 1023 for path in stage.rglob("*") if not path.is_dir()) // 1024


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _zipped(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

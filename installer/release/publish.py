"""Make the files of a release: the layers of a version, and the manifest to be signed.

    .venv/bin/python installer/release/publish.py fireside-….tar.xz FOLDER --notes NOTES.md --runtime …
    .venv/bin/python installer/release/publish.py build/installers/windows/tree FOLDER --notes NOTES.md
    minisign -S -m FOLDER/fireside.json

A version is the archive for home folders, or the folder that `windows_tree.py` put together.

A layer is a part of the tree: an installed copy with the same files there does not download it. Runtimes are
the archives of `installer/runtimes/build.py`, for copies of this version without one for their GPU.
"""

from __future__ import annotations

import argparse
import json
import lzma
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fireside.files.digest import digest_of
from fireside.updates.manifest import FORMAT, MANIFEST_NAME
from fireside.updates.updater import layer_digest, layer_files
from provision.layout import version_in
from runtimes.packing import this_platform

VALID_DAYS = 180
"""After this a manifest is rejected: sign a new one before, with a new release or without."""


def publish(
    version: Path,
    *,
    folder: Path,
    notes: str,
    now: datetime,
    runtimes: Sequence[Path] = (),
    preset: int = 6,
) -> Path:
    """Write the layers of ``version``, the ``runtimes`` and a manifest into ``folder``; return the manifest.

    Entries for other platforms in an existing manifest of the same version stay. ``preset`` is xz's, 0 to 9.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if version.is_dir():
        tree = _windows_tree(version)
        layers = _layers(tree, folder=folder, preset=preset)
    else:
        with tempfile.TemporaryDirectory() as unpacked:
            with tarfile.open(version) as tar:
                tar.extractall(unpacked)  # noqa: S202  # our own, just built
            (top,) = Path(unpacked).iterdir()
            tree = _linux_tree(top)
            layers = _layers(tree, folder=folder, preset=preset)
    path = folder / MANIFEST_NAME
    previous = json.loads(path.read_text("utf-8")) if path.exists() else {}
    same_version = previous if previous.get("version") == tree.version else {}
    manifest = {
        "format": FORMAT,
        "version": tree.version,
        "released": now.date().isoformat(),
        "expires": (now + timedelta(days=VALID_DAYS)).isoformat(timespec="seconds"),
        "targets": same_version.get("targets", {}) | {tree.target: layers},
        "runtimes": same_version.get("runtimes", {}) | _published(runtimes, folder=folder),
        "notes": notes,
    }
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def main(arguments: Sequence[str]) -> int:
    """Publish the version of the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the layers and the manifest of a release.")
    parser.add_argument("version", type=Path, metavar="ARCHIVE_OR_TREE")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--runtime", type=Path, action="append", default=[], metavar="ARCHIVE")
    parsed = parser.parse_args(arguments)
    notes = parsed.notes.read_text("utf-8") if parsed.notes is not None else ""
    manifest = publish(
        parsed.version,
        folder=parsed.folder,
        notes=notes,
        now=datetime.now(UTC),
        runtimes=parsed.runtime,
    )
    sys.stdout.write(f"Now sign it: minisign -S -m {manifest}\n")
    return 0


@dataclass(frozen=True, kw_only=True)
class _Tree:
    """The tree of a version for the platform ``target``."""

    root: Path
    target: str
    version: str
    parts: dict[str, Path]
    """The folder of each layer. Those that change with each release are small: program and rest."""

    @property
    def has_modes(self) -> bool:
        return not self.target.startswith("windows-")

    def path(self, name: str) -> str:
        """Return the folder of a layer relative to the tree, as manifests have it."""
        part = self.parts[name]
        return "" if part == self.root else part.relative_to(self.root).as_posix()


def _linux_tree(root: Path) -> _Tree:
    (program,) = root.glob("lib/python3*/*-packages/fireside")
    parts = {"python": root / "bin", "packages": root / "lib", **_common(root, program), "rest": root}
    return _Tree(root=root, target=this_platform(), version=version_in(program), parts=parts)


def _windows_tree(root: Path) -> _Tree:
    program = root / "Lib" / "site-packages" / "fireside"
    parts = {
        "launcher": root / "bin",
        "packages": root / "Lib",
        **_common(root, program),
        "rest": root / "share",
        "python": root,  # at the top of the tree
    }
    return _Tree(root=root, target="windows-x86_64", version=version_in(program), parts=parts)


def _common(root: Path, program: Path) -> dict[str, Path]:
    return {
        "runtime": program.parent / "llama_cpp" / "lib",
        "model": root / "share" / "fireside" / "models",
        "program": program,
    }


def _layers(tree: _Tree, *, folder: Path, preset: int) -> list[dict[str, object]]:
    """Pack each layer into a file in ``folder``; return their entries of the manifest."""
    layers: list[dict[str, object]] = []
    for name in tree.parts:
        path = tree.path(name)
        others = [tree.path(other) for other in tree.parts if other != name]
        file = folder / f"{name}-{tree.version}-{tree.target}.tar.xz"
        _pack(tree.root, path, others=others, file=file, preset=preset)
        contents = layer_digest(tree.root, path, others=others, with_modes=tree.has_modes)
        layers.append({"name": name, "path": path, "contents": contents, **_file(file)})
    return layers


def _pack(tree: Path, path: str, *, others: Sequence[str], file: Path, preset: int) -> None:
    """Pack the folder ``path`` of ``tree`` without the folders ``others`` of other layers."""
    with lzma.open(file, "wb", preset=preset) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for name in layer_files(tree, path, others=others):
            source = tree / name
            member = tar.gettarinfo(source, arcname=source.relative_to(tree / path).as_posix())
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            if member.isreg():
                with source.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)


def _published(runtimes: Sequence[Path], *, folder: Path) -> dict[str, list[dict[str, object]]]:
    """Copy ``runtimes`` to ``folder``; return their entries of the manifest by platform."""
    published: dict[str, list[dict[str, object]]] = {}
    for archive in runtimes:
        with tarfile.open(archive) as tar:
            (member,) = (member for member in tar if member.name.endswith("/runtime.json"))
            content = tar.extractfile(member)
            assert content is not None
            manifest = json.load(content)
        file = folder / archive.name
        shutil.copyfile(archive, file)
        entry = {key: manifest[key] for key in ("name", "llama_cpp", "backends")}
        published.setdefault(manifest["platform"], []).append(entry | _file(file))
    return published


def _file(file: Path) -> dict[str, object]:
    return {"url": file.name, "n_bytes": file.stat().st_size, "sha256": digest_of(file)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

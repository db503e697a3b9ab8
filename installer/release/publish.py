"""Make of an archive for home folders what a release address offers: layers, and the manifest to be signed.

    python3 installer/release/publish.py fireside-….tar.xz --notes NOTES.md FOLDER
    minisign -S -m FOLDER/fireside.json

A layer is a part of the tree whose archive stays the same, byte for byte, while its files do: who has it does
not fetch it again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from runtimes.packing import this_platform

MANIFEST = "fireside.json"
DAYS = 180
"""So long a manifest is believed. Sign it anew before that, with a new release or without."""
_FORMAT = 1


def publish(archive: Path, *, folder: Path, notes: str, now: datetime, days: int = DAYS) -> Path:
    """Write the layers of ``archive`` and the manifest into ``folder``; return the manifest.

    Targets of other computers that a manifest of the same version names there already stay in it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked)  # noqa: S202  # our own, just built
        (tree,) = Path(unpacked).iterdir()
        (program,) = tree.glob("lib/python3*/*-packages/fireside")
        version = _version(program)
        # What changes with each release is small: the program, and what lies at the top.
        parts = {
            "python": tree / "bin",
            "packages": tree / "lib",
            "runtime": program.parent / "llama_cpp" / "lib",
            "model": tree / "share" / "fireside" / "models",
            "program": program,
            "rest": tree,
        }
        layers = [
            _layer(
                name,
                part,
                tree=tree,
                file=folder / f"{name}-{version}-{this_platform()}.tar.xz",
                leave_out=tuple(other for other in parts.values() if part in other.parents),
            )
            for name, part in parts.items()
        ]
    path = folder / MANIFEST
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    others = before.get("targets", {}) if before.get("version") == version else {}
    manifest = {
        "format": _FORMAT,
        "version": version,
        "released": now.date().isoformat(),
        "expires": (now + timedelta(days=days)).isoformat(timespec="seconds"),
        "targets": others | {this_platform(): layers},
        "notes": notes,
    }
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def main(arguments: Sequence[str]) -> int:
    """Publish what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the layers and the manifest of a release.")
    parser.add_argument("archive", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=Path)
    chosen = parser.parse_args(arguments)
    notes = chosen.notes.read_text("utf-8") if chosen.notes is not None else ""
    manifest = publish(chosen.archive, folder=chosen.folder, notes=notes, now=datetime.now(UTC))
    sys.stdout.write(f"Now sign it: minisign -S -m {manifest}\n")
    return 0


def _version(program: Path) -> str:
    text = (program / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def _layer(
    name: str, source: Path, *, tree: Path, file: Path, leave_out: tuple[Path, ...]
) -> dict[str, object]:
    with lzma.open(file, "wb", preset=6) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for each in _files(source, leave_out=leave_out):
            member = tar.gettarinfo(each, arcname=each.relative_to(source).as_posix())
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            if member.isreg():
                with each.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)
    return {
        "name": name,
        "path": "" if source == tree else source.relative_to(tree).as_posix(),
        "url": file.name,
        "n_bytes": file.stat().st_size,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }


def _files(source: Path, *, leave_out: tuple[Path, ...]) -> Iterator[Path]:
    for each in sorted(source.rglob("*")):
        is_left_out = any(part in (each, *each.parents) for part in leave_out)
        if not is_left_out and (each.is_file() or each.is_symlink()):
            yield each


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

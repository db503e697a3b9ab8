"""Make of an archive for home folders what a release address offers: layers, and the manifest to be signed.

    .venv/bin/python installer/release/publish.py fireside-….tar.xz FOLDER --notes NOTES.md --runtime …
    minisign -S -m FOLDER/fireside.json

A layer is a part of the tree: a copy that has the same files there does not fetch it again. Runtimes are the
archives of `installer/runtimes/build.py`, for copies of this version that lack one for their GPU.
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
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fireside.files.digest import digest_of
from fireside.updates.manifest import FORMAT, MANIFEST_NAME
from fireside.updates.tree_layers import contents_of, files_of
from runtimes.packing import this_platform

DAYS = 180
"""So long a manifest is believed. Sign it anew before that, with a new release or without."""


def publish(
    archive: Path,
    *,
    folder: Path,
    notes: str,
    now: datetime,
    runtimes: Sequence[Path] = (),
) -> Path:
    """Write the layers of ``archive``, the ``runtimes`` and a manifest into ``folder``; return the last.

    What a manifest of the same version says there already of other computers stays in it.
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
        paths = {
            name: "" if part == tree else part.relative_to(tree).as_posix() for name, part in parts.items()
        }
        layers = [
            _layer(
                tree,
                path,
                others=[other for other in paths.values() if other != path],
                file=folder / f"{name}-{version}-{this_platform()}.tar.xz",
            )
            | {"name": name}
            for name, path in paths.items()
        ]
    path = folder / MANIFEST_NAME
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    others = before if before.get("version") == version else {}
    manifest = {
        "format": FORMAT,
        "version": version,
        "released": now.date().isoformat(),
        "expires": (now + timedelta(days=DAYS)).isoformat(timespec="seconds"),
        "targets": others.get("targets", {}) | {this_platform(): layers},
        "runtimes": others.get("runtimes", {}) | _published(runtimes, folder=folder),
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
    parser.add_argument("--runtime", type=Path, action="append", default=[], metavar="ARCHIVE")
    chosen = parser.parse_args(arguments)
    notes = chosen.notes.read_text("utf-8") if chosen.notes is not None else ""
    manifest = publish(
        chosen.archive,
        folder=chosen.folder,
        notes=notes,
        now=datetime.now(UTC),
        runtimes=chosen.runtime,
    )
    sys.stdout.write(f"Now sign it: minisign -S -m {manifest}\n")
    return 0


def _version(program: Path) -> str:
    text = (program / "__init__.py").read_text("utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def _layer(tree: Path, path: str, *, others: Sequence[str], file: Path) -> dict[str, object]:
    """Pack what is in the folder ``path`` of ``tree`` and not in ``others``, those of other layers."""
    with lzma.open(file, "wb", preset=6) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for inside in files_of(tree, path, others=others):
            each = tree / inside
            member = tar.gettarinfo(each, arcname=each.relative_to(tree / path).as_posix())
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            if member.isreg():
                with each.open("rb") as content:
                    tar.addfile(member, content)
            else:
                tar.addfile(member)
    return {"path": path, "contents": contents_of(tree, path, others=others), **_file(file)}


def _published(runtimes: Sequence[Path], *, folder: Path) -> dict[str, list[dict[str, object]]]:
    """Copy ``runtimes`` to ``folder``; return what they are, by the computers that they are for."""
    published: dict[str, list[dict[str, object]]] = {}
    for archive in runtimes:
        with tarfile.open(archive) as tar:
            (said,) = (member for member in tar if member.name.endswith("/runtime.json"))
            content = tar.extractfile(said)
            assert content is not None
            known = json.load(content)
        file = folder / archive.name
        shutil.copyfile(archive, file)
        facts = {"name": known["name"], "llama_cpp": known["llama_cpp"], "backends": known["backends"]}
        published.setdefault(known["platform"], []).append(facts | _file(file))
    return published


def _file(file: Path) -> dict[str, object]:
    return {"url": file.name, "n_bytes": file.stat().st_size, "sha256": digest_of(file)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

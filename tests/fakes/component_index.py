"""A package index on the loopback as PEP 691 describes it, and a list of components for it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route, Timeouts
from fireside.settings.paths import resources_folder
from fireside.updates.component_store import LIST_NAME, ComponentStore
from fireside.updates.release_client import ReleaseClient

if TYPE_CHECKING:  # screenshots are taken without the installer's modules
    from fakes.release_harness import ReleaseHarness


def component_store(
    folder: Path,
    *,
    index: str = "http://127.0.0.1:9/",
    listed: Path | None = None,
    route: Callable[[], Route] = Route,
    log: ConnectionLog | None = None,
) -> ComponentStore:
    """Return the components of a data folder; ``listed`` replaces the list that comes with the program."""
    return ComponentStore(
        folder / "components",
        listed=listed or resources_folder() / LIST_NAME,
        client=ReleaseClient(
            route=route, log=log or ConnectionLog(), why="Component", timeouts=Timeouts(read_s=5.0)
        ),
        index=lambda: index,
    )


def wheel_of(files: Mapping[str, bytes]) -> bytes:
    """Return a wheel with ``files``."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def offer(server: ReleaseHarness, wheels: Mapping[str, bytes], *, listed: Path, id_: str = "media") -> None:
    """Serve ``wheels`` by name, each under its project as PyPI does, and write the list that names them."""
    rows = []
    for name, content in wheels.items():
        project, digest = name.partition("-")[0], hashlib.sha256(content).hexdigest()
        rows.append([name, digest, len(content)])
        server.files[f"files/{name}"] = content
        others = {"filename": "older.tar.gz", "url": "../older.tar.gz", "hashes": {"sha256": "0" * 64}}
        file = {"filename": name, "url": f"../files/{name}", "hashes": {"sha256": digest}}
        page = {"meta": {"api-version": "1.1"}, "name": project, "files": [others, file]}
        server.files[f"{project.replace('_', '-')}/"] = json.dumps(page).encode()
    made = {"format": 1, "components": {id_: {"version": "1.0", "wheels": rows}}}
    listed.write_text(json.dumps(made), encoding="utf-8")

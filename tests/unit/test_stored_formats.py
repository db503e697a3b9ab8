"""What is written to the disk keeps its format: renaming a field would lose what users have.

A hash covers names, types and defaults of all fields below a type, whatever its classes are called. Where one
differs, files of earlier versions must still be readable: add fields with a default, keep a stored name with
``msgspec.field(name=…)``, or write a migration. Then put the new hash here.
"""

from __future__ import annotations

import hashlib
import importlib
from typing import Any

import msgspec
import pytest

STORED = {
    "chat.token_scoring._scored": "a8a18ebcffc4abf5",
    "core.preset.Preset": "a00d98522c4c4383",
    "core.remote.RemoteEngine": "c54d60de5a43f3e7",
    "engine.planning.measurement_cache._File": "2b9dc5a3dabda04a",
    "engine.runtimes.manifest.RuntimeManifest": "8c22debbc99950c2",
    "engine.runtimes.runtime_history.RuntimeHistory": "8ae4c7468811be44",
    "engine.tuning.records._File": "58959b357af6e4c2",
    "files.data_key.KeyFile": "ef49a06f53f6fff6",
    "files.data_key.WrappedKey": "6723f2bdb786fdef",
    "hub.catalogue._File": "02dfa423254c5898",
    "hub.journal.JournalHeader": "f189634972d0fcd5",
    "hub.provenance.FileOrigin": "f58213813523a6d8",
    "hub.queue_file._Queue": "b9b1c80bef810170",
    "library.file_fingerprints._FileFacts": "3850babbdcb1c13d",
    "library.file_fingerprints._Origin": "c258ac678bc1d2b0",
    "library.folder_move.MoveJournal": "0668b5a767c5b844",
    "library.header_cache._CacheFile": "9cb71baeb91cdff4",
    "library.user_metadata.UserMetadata": "e1f0a8df0c4078ac",
    "library.user_metadata._File": "463a58c891479ccc",
    "retrieval.passage_rows.Location": "12c8de2d52d31cc1",
    "retrieval.sources._ERROR": "29d8a4ebb10dacdd",
    "runner.prompt_cache.file_format.StateFileHeader": "5fd9f1769ed670cd",
    "services.machine.read_speeds._File": "1d7e1d3bf5e5a991",
    "services.transfer.fireside_archive._Head": "b4080b7932598bb1",
    "services.transfer.fireside_archive._TRANSCRIPT": "61313f0e9eb00072",
    "settings.api_tokens.StoredToken": "3617405bd253448d",
    "settings.secrets._Content": "8e3165dddec4d007",
    "settings.servers_file._Stored": "66f53ce363a25677",
    "settings.window_state.WindowState": "ae45b817b02eff41",
    "storage.drafts.Attachment": "74bd478e968e225d",
    "storage.load_records.LoadRecord": "4d9a85a90d9ae2c8",
    "storage.rows.ErrorInfo": "b23c75462d145177",
    "storage.rows._PARTS": "104e41698839106a",
    "storage.rows.GenerationRecord": "83ec9d5903abbcfe",
    "storage.transcripts.RunParameters": "d2d86dd68e691967",
    "tool_host.sign_in.StoredSignIn": "a58ad7ab48ca92cf",
    "updates.build.BuildInfo": "b8680c2c0e94d4b7",
    "updates.manifest.Manifest": "bf35759d5a74e176",
}
"""Type, or decoder of one, to the hash of its format."""


def inlined(schema: Any, components: dict[str, Any], path: tuple[str, ...] = ()) -> Any:
    """Return ``schema`` without names of classes: each reference is replaced by what it refers to."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rsplit("/", 1)[-1]
            return "recursive" if name in path else inlined(components[name], components, (*path, name))
        case dict():
            kept = {
                key: value
                for key, value in schema.items()
                if key not in {"title", "description", "discriminator"}
            }
            return {key: inlined(value, components, path) for key, value in kept.items()}
        case list():
            return [inlined(value, components, path) for value in schema]
        case _:
            return schema


def format_hash(name: str) -> str:
    module, _, attribute = name.rpartition(".")
    stored = getattr(importlib.import_module(f"fireside.{module}"), attribute)
    if isinstance(stored, msgspec.json.Decoder | msgspec.msgpack.Decoder):
        stored = stored.type
    (schema,), components = msgspec.json.schema_components([stored], schema_hook=lambda _type: {})
    written = msgspec.json.encode(inlined(schema, components), order="deterministic")
    return hashlib.sha256(written).hexdigest()[:16]


@pytest.mark.parametrize("name", sorted(STORED))
def test_a_stored_format_is_as_it_was(name: str) -> None:
    assert format_hash(name) == STORED[name]

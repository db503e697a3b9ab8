"""A library of small files: one of each kind, with everything to be seen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fakes.fake_hub import Repo
from fakes.gguf_files import GgufFile, Tensor, Value, model_file
from fakes.library_harness import LibraryHarness, OllamaFolder, Trash
from fakes.library_models import DOWNLOADED_AT
from fireside.core.hub import FileOrigin
from fireside.core.ids import ModelId
from fireside.hub.download_disk import Disk
from fireside.hub.provenance import write_origin
from fireside.library.applications import ModelApplication
from fireside.library.library import Library

REPO, FILE = "Qwen/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf"
QWEN_ID = ModelId(f"{REPO}:Q4_K_M")
GEMMA_ID = ModelId("gemma3:4b")
BLOCK = 4096


@dataclass(frozen=True)
class LibraryFiles:
    """A large favourite with tags that was downloaded and is there twice, a model of another application that
    sees pictures, one that cannot chat in an added folder, and a file that cannot be read."""

    harness: LibraryHarness
    library: Library
    qwen: str
    qwen_again: str
    gemma: str
    embedder: str
    broken: str

    @property
    def all(self) -> tuple[str, ...]:
        """Their paths."""
        return (self.qwen, self.gemma, self.embedder, self.broken)


def library_files(root: Path) -> LibraryFiles:
    """Write them below ``root``."""
    trash = root / "trash"
    trash.mkdir()
    harness = LibraryHarness(root=root, trash=Trash(trash))
    qwen = harness.models / REPO / FILE
    again = harness.keep_in(ModelApplication.LM_STUDIO, "lmstudio") / "qwen/qwen/qwen.gguf"
    for path in (qwen, again):
        path.parent.mkdir(parents=True)
        path.write_bytes(qwen_bytes())
        write_origin(path, _origin(), disk=Disk())
    ollama = OllamaFolder(harness.keep_in(ModelApplication.OLLAMA, "ollama"))
    gemma = ollama.blob(_bytes("gemma3", "Gemma 3 4B", n_ctx=131_072, file_type=7))
    ollama.manifest(
        "registry.ollama.ai/library/gemma3/4b",
        model=gemma,
        projector=ollama.blob(_projector_bytes()),
        params=ollama.blob(json.dumps({"temperature": 0.7, "num_ctx": 4096, "stop": ["###"]}).encode()),
        system=ollama.blob(b"Be kind."),
    )
    embedder, broken = root / "added/nomic-embed-text.gguf", harness.models / "half.gguf"
    embedder.parent.mkdir()
    embedder.write_bytes(_bytes("nomic-bert", "nomic-embed-text", n_ctx=2048, file_type=1))
    broken.write_bytes(qwen_bytes()[:100])
    library = harness.library(embedder.parent)
    library.scan()
    library.set_tags(QWEN_ID, ("work", "fast"))
    library.set_favourite(QWEN_ID, favourite=True)
    return LibraryFiles(
        harness=harness,
        library=library,
        qwen=str(qwen),
        qwen_again=str(again),
        gemma=str(ollama.root / "blobs" / gemma.replace(":", "-")),
        embedder=str(embedder),
        broken=str(broken),
    )


def qwen_repo() -> Repo:
    """Return the repository that Qwen was downloaded from."""
    return Repo(files={FILE: qwen_bytes()})


def newer_qwen_repo() -> Repo:
    """Return the repository as it is after a new version."""
    return Repo(files={FILE: qwen_bytes() + bytes(8)}, commit="c" * 40)


@cache
def qwen_bytes() -> bytes:
    """Return the content of the largest of them."""
    return _bytes("qwen3", "Qwen3 8B", n_ctx=40_960, file_type=15, n_rows=200)


@cache
def _bytes(architecture: str, name: str, *, n_ctx: int, file_type: int, n_rows: int = 100) -> bytes:
    changes: dict[str, Value | None] = {
        "general.name": name,
        "general.license": "apache-2.0",
        "general.file_type": file_type,
        f"{architecture}.context_length": n_ctx,
    }
    model = model_file(architecture=architecture, changes=changes)
    return GgufFile(
        metadata=model.metadata, tensors=(Tensor("output.weight", (64, n_rows)), *model.tensors[1:])
    ).to_bytes()


@cache
def _projector_bytes() -> bytes:
    return GgufFile(
        metadata=[("general.architecture", "clip"), ("clip.has_vision_encoder", True)],
        tensors=(Tensor("v.x", (32,)),),
    ).to_bytes()


@cache
def _origin() -> FileOrigin:
    content = qwen_bytes()
    return FileOrigin(
        repo=REPO,
        commit="a" * 40,
        path=FILE,
        size_bytes=len(content),
        digest=sha256(content).hexdigest(),
        block_bytes=BLOCK,
        blocks=tuple(
            sha256(content[begin : begin + BLOCK]).hexdigest() for begin in range(0, len(content), BLOCK)
        ),
        downloaded_at=DOWNLOADED_AT,
    )

"""Write projectors of a few kilobytes with random weights, one for each way that images are laid out."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

N_EMBD = 32
N_HEAD = 4
N_FF = 48
N_LAYER = 2
PATCH = 14


class _Projector:
    """A file in the making. Random tensors, the same in every run."""

    def __init__(self, path: Path, kind: str, *, image_size: int, n_out: int) -> None:
        self._writer = writer = gguf.GGUFWriter(path, "clip")
        self._random = np.random.default_rng(11)
        writer.add_string("general.type", "mmproj")
        writer.add_bool("clip.has_vision_encoder", True)
        writer.add_string("clip.projector_type", kind)
        writer.add_bool("clip.use_gelu", True)
        counts = {
            "image_size": image_size,
            "patch_size": PATCH,
            "embedding_length": N_EMBD,
            "feed_forward_length": N_FF,
            "block_count": N_LAYER,
            "projection_dim": n_out,
            "attention.head_count": N_HEAD,
        }
        for name, value in counts.items():
            writer.add_uint32(f"clip.vision.{name}", value)
        writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
        writer.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
        writer.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])

    def add_count(self, name: str, value: int) -> None:
        self._writer.add_uint32(f"clip.vision.{name}", value)

    def add_sizes(self, name: str, values: list[int]) -> None:
        self._writer.add_array(f"clip.vision.{name}", values)

    def add(self, name: str, *shape: int) -> None:
        values = self._random.standard_normal(shape).astype(np.float32) * 0.3
        self._writer.add_tensor(name, values)

    def add_norm(self, name: str) -> None:
        self.add(f"{name}.weight", N_EMBD)
        self.add(f"{name}.bias", N_EMBD)

    def add_linear(self, name: str, n_out: int, n_in: int) -> None:
        self.add(f"{name}.weight", n_out, n_in)
        self.add(f"{name}.bias", n_out)

    def add_blocks(self) -> None:
        for layer in range(N_LAYER):
            block = f"v.blk.{layer}"
            for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
                self.add_linear(f"{block}.{part}", N_EMBD, N_EMBD)
            for part in ("ln1", "ln2"):
                self.add_norm(f"{block}.{part}")
            self.add_linear(f"{block}.ffn_up", N_FF, N_EMBD)
            self.add_linear(f"{block}.ffn_down", N_EMBD, N_FF)

    def write(self) -> None:
        self._writer.write_header_to_file()
        self._writer.write_kv_data_to_file()
        self._writer.write_tensors_to_file()
        self._writer.close()


def write_llava(path: Path, *, n_out: int, tiles: tuple[tuple[int, int], ...] = ()) -> Path:
    """Every image becomes 16 tokens, with nothing around them, and so does each of its tiles.

    Args:
        tiles: numbers of columns and rows that an image may be cut into, besides being shown as a whole.
    """
    projector = _Projector(path, "mlp", image_size=4 * PATCH, n_out=n_out)
    if tiles:
        projector.add_sizes("image_grid_pinpoints", [4 * PATCH * n for grid in tiles for n in grid])
    projector.add("v.class_embd", N_EMBD)
    projector.add("v.patch_embd.weight", N_EMBD, 3, PATCH, PATCH)
    projector.add("v.position_embd.weight", 4 * 4 + 1, N_EMBD)
    projector.add_norm("v.pre_ln")
    projector.add_blocks()
    projector.add_linear("mm.0", n_out, N_EMBD)
    projector.add_linear("mm.2", n_out, n_out)
    projector.write()
    return path


def write_tiled_llava(path: Path, *, n_out: int) -> Path:
    """An image becomes several spans, one behind the other."""
    return write_llava(path, n_out=n_out, tiles=((1, 2), (2, 1), (2, 2)))


def write_gemma(path: Path, *, n_out: int) -> Path:
    """Every image becomes 16 tokens between two of the model's own, and all of them see each other."""
    projector = _Projector(path, "gemma3", image_size=8 * PATCH, n_out=n_out)
    projector.add_count("projector.scale_factor", 2)
    projector.add("v.patch_embd.weight", N_EMBD, 3, PATCH, PATCH)
    projector.add("v.position_embd.weight", 8 * 8, N_EMBD)
    projector.add_norm("v.post_ln")
    projector.add_blocks()
    projector.add("mm.input_projection.weight", N_EMBD, n_out)
    projector.add("mm.soft_emb_norm.weight", N_EMBD)
    projector.write()
    return path


def write_qwen2vl(path: Path, *, n_out: int) -> Path:
    """An image becomes as many tokens as it has blocks of four patches, with positions in two dimensions."""
    projector = _Projector(path, "qwen2vl_merger", image_size=8 * PATCH, n_out=n_out)
    projector.add("v.patch_embd.weight", N_EMBD, 3, PATCH, PATCH)
    projector.add("v.patch_embd.weight.1", N_EMBD, 3, PATCH, PATCH)
    projector.add_norm("v.post_ln")
    projector.add_blocks()
    projector.add_linear("mm.0", 4 * N_EMBD, 4 * N_EMBD)
    projector.add_linear("mm.2", n_out, 4 * N_EMBD)
    projector.write()
    return path

"""Write projectors of a few kilobytes with random weights, one for each way that images or sound are laid
out."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

N_EMBD = 32
N_HEAD = 4
N_FF = 48
N_LAYER = 2
PATCH = 14
N_MELS = 16
N_WINDOW = 1500
"""Positions of Whisper's encoder: half of the frames in 30 seconds."""
N_CHANNELS = 24
STACK = 4
RAW_FRAME = 640
"""Samples for one token, where there is no encoder."""


class _Projector:
    """A file in the making. Random tensors, the same in every run."""

    def __init__(self, path: Path) -> None:
        self._writer = gguf.GGUFWriter(path, "clip")
        self._random = np.random.default_rng(11)
        self._writer.add_string("general.type", "mmproj")
        self._writer.add_bool("clip.use_gelu", True)

    def add_vision(self, kind: str, *, image_size: int, n_out: int) -> None:
        writer = self._writer
        writer.add_bool("clip.has_vision_encoder", True)
        writer.add_string("clip.vision.projector_type", kind)
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

    def add_audio(self, kind: str, *, n_mels: int, n_out: int, n_layer: int = N_LAYER) -> None:
        writer = self._writer
        writer.add_bool("clip.has_audio_encoder", True)
        writer.add_string("clip.audio.projector_type", kind)
        counts = {
            "num_mel_bins": n_mels,
            "embedding_length": N_EMBD,
            "feed_forward_length": N_FF,
            "block_count": n_layer,
            "projection_dim": n_out,
            "attention.head_count": N_HEAD,
            "projector.stack_factor": STACK,
        }
        for name, value in counts.items():
            writer.add_uint32(f"clip.audio.{name}", value)
        writer.add_float32("clip.audio.attention.layer_norm_epsilon", 1e-5)

    def add_whisper(self) -> None:
        for number, n_in in ((1, N_MELS), (2, N_EMBD)):
            self.add(f"a.conv1d.{number}.weight", N_EMBD, n_in, 3)
            self.add(f"a.conv1d.{number}.bias", N_EMBD, 1)
        self.add("a.position_embd.weight", N_WINDOW, N_EMBD)
        self.add_norm("a.post_ln")
        self.add_blocks("a", has_k_bias=False)

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

    def add_blocks(self, prefix: str = "v", *, has_k_bias: bool = True) -> None:
        for layer in range(N_LAYER):
            block = f"{prefix}.blk.{layer}"
            for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
                self.add(f"{block}.{part}.weight", N_EMBD, N_EMBD)
                if part != "attn_k" or has_k_bias:
                    self.add(f"{block}.{part}.bias", N_EMBD)
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
    projector = _Projector(path)
    projector.add_vision("mlp", image_size=4 * PATCH, n_out=n_out)
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
    projector = _Projector(path)
    projector.add_vision("gemma3", image_size=8 * PATCH, n_out=n_out)
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
    projector = _Projector(path)
    _add_qwen2vl(projector, n_out=n_out)
    projector.write()
    return path


def _add_qwen2vl(projector: _Projector, *, n_out: int) -> None:
    projector.add_vision("qwen2vl_merger", image_size=8 * PATCH, n_out=n_out)
    projector.add("v.patch_embd.weight", N_EMBD, 3, PATCH, PATCH)
    projector.add("v.patch_embd.weight.1", N_EMBD, 3, PATCH, PATCH)
    projector.add_norm("v.post_ln")
    projector.add_blocks()
    projector.add_linear("mm.0", 4 * N_EMBD, 4 * N_EMBD)
    projector.add_linear("mm.2", n_out, 4 * N_EMBD)


def write_ultravox(path: Path, *, n_out: int) -> Path:
    """Each begun 30 seconds of sound become 375 tokens, with nothing around them."""
    projector = _Projector(path)
    projector.add_audio("ultravox", n_mels=N_MELS, n_out=n_out)
    projector.add_whisper()
    projector.add("mm.a.norm_pre.weight", STACK * N_EMBD)
    projector.add("mm.a.mlp.1.weight", 2 * N_FF, STACK * N_EMBD)
    projector.add("mm.a.norm_mid.weight", N_FF)
    projector.add("mm.a.mlp.2.weight", n_out, N_FF)
    projector.write()
    return path


def write_qwen3a(path: Path, *, n_out: int) -> Path:
    """Each begun second of sound becomes 13 tokens, between two of the model's own. Convolutions as over an
    image."""
    projector = _Projector(path)
    projector.add_audio("qwen3a", n_mels=N_MELS, n_out=n_out)
    for number, n_in in ((1, 1), (2, N_CHANNELS), (3, N_CHANNELS)):
        projector.add(f"a.conv2d.{number}.weight", N_CHANNELS, n_in, 3, 3)
        projector.add(f"a.conv2d.{number}.bias", N_CHANNELS)
    projector.add("a.conv_out.weight", N_EMBD, N_CHANNELS * N_MELS // 8)
    projector.add("a.position_embd.weight", N_WINDOW, N_EMBD)
    projector.add_norm("a.post_ln")
    projector.add_blocks("a", has_k_bias=True)
    projector.add_linear("mm.a.mlp.1", N_EMBD, N_EMBD)
    projector.add_linear("mm.a.mlp.2", n_out, N_EMBD)
    projector.write()
    return path


def write_gemma4ua(path: Path, *, n_out: int) -> Path:
    """Each 40 milliseconds of sound become a token, with some of the model's own around all of them."""
    projector = _Projector(path)
    projector.add_audio("gemma4ua", n_mels=RAW_FRAME, n_out=n_out, n_layer=0)
    projector.add("mm.a.input_projection.weight", n_out, RAW_FRAME)
    projector.write()
    return path


def write_omni(path: Path, *, n_out: int) -> Path:
    """Images as those of ``write_qwen2vl``; sound between two of the model's own tokens, 750 for each begun
    30 seconds, with positions in one dimension of the four."""
    projector = _Projector(path)
    _add_qwen2vl(projector, n_out=n_out)
    projector.add_audio("qwen2a", n_mels=N_MELS, n_out=n_out)
    projector.add_whisper()
    projector.add_linear("mm.a.fc", n_out, N_EMBD)
    projector.write()
    return path

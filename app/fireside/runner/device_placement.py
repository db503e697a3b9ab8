"""Placement of a model's parts on devices, and metadata overrides, as ``llama_model_params``."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.options import MetadataOverride, SplitMode
from fireside.runner.devices import backend_name, device_handles
from fireside.runner.native import lib, symbol
from fireside.runner.parameter_checks import MAX_OVERRIDE_BYTES, ModelParams

_SPLIT_MODES: Final = {SplitMode.NONE: 0, SplitMode.LAYER: 1, SplitMode.ROW: 2, SplitMode.TENSOR: 3}
_GPU, _IGPU = 1, 2
_EXPERTS: Final = r"blk\.{layer}\.ffn_(gate|up|down|gate_up)_(ch|)exps"
_CPU: Final = "CPU"


class _Override(ctypes.Structure):
    """``llama_model_tensor_buft_override``."""

    _fields_ = (("pattern", ctypes.c_char_p), ("buffer_type", ctypes.c_void_p))


class DevicePlacement:
    """The arrays that ``llama_model_params`` points to; they must live until the model is loaded.

    Raises ``InvalidParameter`` for an unknown device.
    """

    def __init__(self, params: ModelParams) -> None:
        self._mode = params.split_mode
        self._devices = _selected_devices(params)
        self._main = _index_of_main(params, self._devices)
        if self._mode is SplitMode.NONE and self._devices:
            # Passing only this device avoids an index that backends count differently.
            self._devices = [self._devices[self._main]]
            self._mode, self._main = SplitMode.LAYER, 0
        names = (ctypes.c_void_p * (len(self._devices) + 1))(*(handle for _, handle in self._devices), None)
        self._device_array = names if _needs_list(params) else None
        self._tensor_split_array = _tensor_split_array(params, n_devices=len(self._devices))
        self._overrides = _tensor_overrides(params)
        self._metadata = _metadata_overrides(params)

    def apply_to(self, native: Any) -> None:
        """Set the placement fields of ``native``, a ``llama_model_params``."""
        native.split_mode = _SPLIT_MODES[self._mode]
        native.main_gpu = self._main
        if self._device_array is not None:
            native.devices = ctypes.cast(self._device_array, ctypes.c_void_p)
        if self._tensor_split_array is not None:
            native.tensor_split = self._tensor_split_array
        if self._overrides is not None:
            native.tensor_buft_overrides = ctypes.cast(self._overrides, ctypes.c_void_p)
        if self._metadata is not None:
            native.kv_overrides = self._metadata


def _needs_list(params: ModelParams) -> bool:
    """Whether llama.cpp gets a list of devices; otherwise it uses all, as by default."""
    return bool(params.excluded_devices) or params.split_mode is not SplitMode.LAYER


def gpu_handles() -> list[tuple[str, int]]:
    """Return name and handle of the devices that llama.cpp offloads layers to, in its order.

    It uses RPC devices first, then GPUs, and integrated GPUs only if there is nothing else.
    """
    kind_of = symbol("ggml_backend_dev_type", ctypes.c_int, [ctypes.c_void_p])
    name_of = symbol("ggml_backend_dev_name", ctypes.c_char_p, [ctypes.c_void_p])
    rpc: list[tuple[str, int]] = []
    by_kind: dict[int, list[tuple[str, int]]] = {_GPU: [], _IGPU: []}
    for handle in device_handles():
        entry = ((name_of(handle) or b"").decode("utf-8", "replace"), handle)
        kind = kind_of(handle)
        if kind == _GPU and backend_name(handle) == "RPC":
            rpc.append(entry)
        elif kind in by_kind:
            by_kind[kind].append(entry)
    return rpc + by_kind[_GPU] or by_kind[_IGPU]


def _selected_devices(params: ModelParams) -> list[tuple[str, int]]:
    return [entry for entry in gpu_handles() if entry[0] not in params.excluded_devices]


def _index_of_main(params: ModelParams, devices: list[tuple[str, int]]) -> int:
    if not params.main_gpu or params.split_mode is SplitMode.LAYER:
        return 0
    names = [name for name, _ in devices]
    if params.main_gpu not in names:
        raise InvalidParameter(
            name="main_gpu", reason=Phrase(tr_noop("there is no device “{name}”."), {"name": params.main_gpu})
        )
    return names.index(params.main_gpu)


def _tensor_split_array(params: ModelParams, *, n_devices: int) -> Any:
    if not params.tensor_split or n_devices < 2:
        return None
    n_max = int(lib.llama_max_devices())
    if len(params.tensor_split) != n_devices or n_devices > n_max:
        raise InvalidParameter(
            name="tensor_split",
            reason=Phrase(
                tr_noop("{n_shares} shares for {n_devices} devices."),
                {"n_shares": len(params.tensor_split), "n_devices": n_devices},
            ),
        )
    return (ctypes.c_float * n_max)(*params.tensor_split)


def _tensor_overrides(params: ModelParams) -> Any:
    """Return the tensor buffer overrides; of several matching patterns the first one applies."""
    placements = [(placement.pattern, placement.device) for placement in params.tensor_places]
    placements += [(_EXPERTS.format(layer=layer), _CPU) for layer in range(params.n_cpu_moe)]
    if not placements:
        return None
    buffer_types = {_CPU: symbol("ggml_backend_cpu_buffer_type", ctypes.c_void_p, [])()}
    type_of = symbol("ggml_backend_dev_buffer_type", ctypes.c_void_p, [ctypes.c_void_p])
    buffer_types |= {name: type_of(handle) for name, handle in gpu_handles()}
    overrides = (_Override * (len(placements) + 1))()
    for index, (pattern, device) in enumerate(placements):
        if device not in buffer_types:
            raise InvalidParameter(
                name="tensor_places",
                reason=Phrase(tr_noop("there is no device “{name}”."), {"name": device}),
            )
        # ctypes keeps the bytes alive with the array.
        overrides[index] = _Override(pattern.encode(), buffer_types[device])
    return overrides


def _metadata_overrides(params: ModelParams) -> Any:
    requested = list(params.metadata_overrides)
    dummy = params.dummy_vocab
    if dummy is not None:
        requested += [
            MetadataOverride(key="tokenizer.ggml.model", value="no_vocab"),
            MetadataOverride(key=f"{dummy.architecture}.vocab_size", value=dummy.n_tokens),
        ]
    requested = [override for override in requested if len(override.key.encode()) <= MAX_OVERRIDE_BYTES]
    if not requested:
        return None
    # One more, since an empty entry terminates the list.
    overrides: Any = (lib.llama_model_kv_override * (len(requested) + 1))()
    for native, override in zip(overrides, requested, strict=False):
        native.key = override.key.encode()
        match override.value:
            case bool(value):
                native.tag, native.value.val_bool = lib.LLAMA_KV_OVERRIDE_TYPE_BOOL, value
            case int(value):
                native.tag, native.value.val_i64 = lib.LLAMA_KV_OVERRIDE_TYPE_INT, value
            case float(value):
                native.tag, native.value.val_f64 = lib.LLAMA_KV_OVERRIDE_TYPE_FLOAT, value
            case str(value):
                native.tag, native.value.val_str = lib.LLAMA_KV_OVERRIDE_TYPE_STR, value.encode()
    return overrides

"""Checks that settings do not conflict with each other, and that texts can be parsed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.options import CacheType, FlashAttention, SettingValue, Speculation
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_load import CONTROL_SCALES_LABEL
from fireside.settings.load_lines import (
    read_cpus,
    read_layers,
    read_overrides,
    read_shares,
    read_strengths,
    read_tensor_placements,
)
from fireside.settings.sampling_lines import read_biases, read_samplers

FLASH_ATTN: Final = "load.flash_attn"
CACHE_TYPE_V: Final = "load.cache_type_v"
SPECULATION: Final = "load.speculation"
DRAFT_PATH: Final = "load.draft_path"
TEMPLATE_ARGUMENTS: Final = "answer.template_arguments"
N_BATCH: Final = "load.n_batch"
N_UBATCH: Final = "load.n_ubatch"
_SCHEMES: Final = ("http", "https")


def check_template_arguments(text: str) -> None:
    """Raise ``SettingInvalid`` unless ``text`` is empty or a JSON object."""
    try:
        is_object = not text.strip() or isinstance(decode_json(text, kind=object), dict)
    except JsonInvalid:
        is_object = False
    if not is_object:
        raise SettingInvalid(
            key=BY_KEY[TEMPLATE_ARGUMENTS].label,
            reason=tr_noop('Enter a JSON object, such as {"enable_thinking": false}.'),
        )


def check_address(key: str, text: str) -> None:
    """Raise ``SettingInvalid`` of the setting ``key`` unless ``text`` is empty or a valid address."""
    if not text:
        return
    try:
        address = urlsplit(text)
        is_valid = address.scheme in _SCHEMES and bool(address.hostname) and (address.port or 1) > 0
    except ValueError:
        is_valid = False
    if not is_valid:
        reason = tr("“{text}” is not a URL. It must start with “https://”.").format(text=text)
        raise SettingInvalid(key=BY_KEY[key].label, reason=reason)


_PARSERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "sampling.logit_bias": read_biases,
    "sampling.samplers": read_samplers,
    "load.lora_scales": read_strengths,
    "load.tensor_split": read_shares,
    "load.tensor_places": read_tensor_placements,
    "load.metadata_overrides": read_overrides,
    "load.cpus": read_cpus,
    "load.control_scales": lambda text: read_strengths(text, label=CONTROL_SCALES_LABEL),
    "load.control_layers": read_layers,
    TEMPLATE_ARGUMENTS: check_template_arguments,
    "hub.endpoint": lambda text: check_address("hub.endpoint", text),
    "hub.package_index": lambda text: check_address("hub.package_index", text),
    "hub.proxy": lambda text: check_address("hub.proxy", text),
}
"""Functions that parse the text of a setting, and raise ``SettingInvalid``."""
_UNQUANTISED: Final = frozenset({CacheType.F16.value, CacheType.BF16.value, CacheType.F32.value})


def check_together(values: Mapping[str, SettingValue], *, changed: str | None = None) -> None:
    """Raise ``SettingInvalid`` if the values in force conflict.

    ``changed`` is the key that the user has just set: its text is parsed, and the error says what to do about
    the other settings. A batch smaller than the micro-batch is allowed: ``load_options`` reduces the latter.
    """
    # A wrong text is refused when it is entered, rather than when an answer needs it.
    if changed is not None and changed in _PARSERS:
        _PARSERS[changed](values[changed])
    _check_draft_model(values, changed=changed)
    v_is_quantised = values[CACHE_TYPE_V] not in _UNQUANTISED
    if values[FLASH_ATTN] == FlashAttention.OFF.value and v_is_quantised:
        # llama.cpp refuses such a context: its plain attention reads the value cache transposed.
        if changed == FLASH_ATTN:
            raise SettingInvalid(
                key=BY_KEY[FLASH_ATTN].label,
                reason=tr_noop("Needed by the quantized V cache. Set the V cache to F16, BF16 or F32 first."),
            )
        raise SettingInvalid(
            key=BY_KEY[CACHE_TYPE_V].label,
            reason=tr_noop(
                "A quantized V cache needs flash attention. Set flash attention to Auto or On first."
            ),
        )
    n_batch, n_ubatch = values[N_BATCH], values[N_UBATCH]
    if changed == N_UBATCH and isinstance(n_batch, int) and isinstance(n_ubatch, int) and n_ubatch > n_batch:
        raise SettingInvalid(
            key=BY_KEY[N_UBATCH].label,
            reason=tr("Must not exceed the batch size ({n_batch} tokens).").format(n_batch=number(n_batch)),
        )


def _check_draft_model(values: Mapping[str, SettingValue], *, changed: str | None) -> None:
    if values[SPECULATION] != Speculation.DRAFT_MODEL.value or values[DRAFT_PATH]:
        return
    if changed is None:
        raise SettingInvalid(
            key=BY_KEY[SPECULATION].label,
            reason=tr(
                "No draft model chosen. Choose a file ({draft}), or turn this off ({speculation})."
            ).format(draft=DRAFT_PATH, speculation=SPECULATION),
        )
    if changed == SPECULATION:
        label = tr(BY_KEY[DRAFT_PATH].label)
        raise SettingInvalid(
            key=BY_KEY[SPECULATION].label,
            reason=tr("Choose a file under “{label}” first.").format(label=label),
        )
    if changed == DRAFT_PATH:
        label = tr(BY_KEY[SPECULATION].label)
        raise SettingInvalid(
            key=BY_KEY[DRAFT_PATH].label,
            reason=tr("Needed by “{label}”. Turn that off first.").format(label=label),
        )

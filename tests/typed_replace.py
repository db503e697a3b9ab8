"""A plugin of mypy: `msgspec.structs.replace` takes the fields of its struct, with their types.

mypy does that for `dataclasses.replace`, and prepares it for every `dataclass_transform` such as a struct.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import FunctionSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.types import FunctionLike


class TypedReplace(Plugin):
    """Checks the arguments of `msgspec.structs.replace`."""

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        return replace_function_sig_callback if fullname == "msgspec.structs.replace" else None


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin, as mypy asks for it."""
    return TypedReplace

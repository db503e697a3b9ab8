"""What of a slot's KV cache a new prompt can keep."""

from fireside.runner.prefix.cut import keep_prefix
from fireside.runner.prefix.memory import Memory
from fireside.runner.prefix.tokens import Tokens, common_prefix

__all__ = ["Memory", "Tokens", "common_prefix", "keep_prefix"]

"""How a process is started that does nothing but keep one core busy."""

from __future__ import annotations

from typing import Final

KEEP_BUSY: Final = "--keep-busy"
"""Computes until its standard input ends, which it does when whoever started it is gone."""

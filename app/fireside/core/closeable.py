"""Base class of resources that are closed by ``close`` or at the end of a ``with`` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closeable(ABC):
    """Context manager that returns itself and calls ``close`` however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Release the resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

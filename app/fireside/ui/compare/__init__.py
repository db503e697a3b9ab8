"""The same question to several models or settings, answered side by side."""

from fireside.ui.compare.desk import CompareDesk

__all__ = ["CompareDesk"]

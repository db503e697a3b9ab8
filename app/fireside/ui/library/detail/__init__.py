"""The page of one model file."""

from fireside.ui.library.detail.page import DetailPage

__all__ = ["DetailPage"]

"""The page of one model file."""

from fireside.ui.library.detail.detail_page import DetailPage

__all__ = ["DetailPage"]

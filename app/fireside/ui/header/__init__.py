"""The bar above the conversation: model picker, model status, chat settings."""

from fireside.ui.header.header import Header

__all__ = ["Header"]

"""The bar above the conversation: the model, what is known of it, parameters."""

from fireside.ui.header.header import Header

__all__ = ["Header"]

"""Conversations out of the window and into it, and bringing backups back."""

from fireside.ui.transfer.desk import TransferDesk

__all__ = ["TransferDesk"]

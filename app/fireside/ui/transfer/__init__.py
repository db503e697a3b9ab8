"""Conversations out of the window and into it, and bringing backups back."""

from fireside.ui.transfer.transfer_controller import TransferController

__all__ = ["TransferController"]

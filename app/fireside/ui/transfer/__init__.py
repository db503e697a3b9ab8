"""Export and import of conversations, and restoring backups."""

from fireside.ui.transfer.transfer_controller import TransferController

__all__ = ["TransferController"]

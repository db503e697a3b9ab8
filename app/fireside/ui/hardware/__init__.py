"""The page of this computer: its devices, who takes their memory, and what computes."""

from fireside.ui.hardware.hardware_page import HardwarePage

__all__ = ["HardwarePage"]

"""The page of this computer: its devices, who takes their memory, and what computes."""

from fireside.ui.hardware.desk import HardwareDesk
from fireside.ui.hardware.page import HardwarePage
from fireside.ui.hardware.runtimes_desk import show_runtimes

__all__ = ["HardwareDesk", "HardwarePage", "show_runtimes"]

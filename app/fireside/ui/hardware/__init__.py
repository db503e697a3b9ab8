"""The page of this computer: its devices, who takes their memory, and what computes."""

from fireside.ui.hardware.hardware_controller import HardwareController
from fireside.ui.hardware.hardware_page import HardwarePage
from fireside.ui.hardware.runtimes_controller import show_runtimes

__all__ = ["HardwareController", "HardwarePage", "show_runtimes"]

"""Download progress in the system's taskbar, dock or launcher."""

from fireside.ui.taskbar.choice import make_taskbar
from fireside.ui.taskbar.taskbar import Taskbar, TaskbarProgress

__all__ = ["Taskbar", "TaskbarProgress", "make_taskbar"]

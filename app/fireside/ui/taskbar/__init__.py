"""Show in the system's taskbar, dock or launcher how far the downloads are."""

from fireside.ui.taskbar.choice import make_taskbar
from fireside.ui.taskbar.taskbar import Taskbar, TaskbarProgress

__all__ = ["Taskbar", "TaskbarProgress", "make_taskbar"]

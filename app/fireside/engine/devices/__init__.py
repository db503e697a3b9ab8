"""Devices: list them, and measure their memory, load and temperature."""

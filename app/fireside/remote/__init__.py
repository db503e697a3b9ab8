"""Engines behind an address: found out, asked, and answering with the same events as the local one."""

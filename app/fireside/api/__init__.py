"""The local API: four dialects over HTTP for other programs. Imported only where it is on."""

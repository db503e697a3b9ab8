"""Which runner process answers a request, and the life of those processes. Plain asyncio, no Qt."""

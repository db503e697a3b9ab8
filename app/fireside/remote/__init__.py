"""Remote engines: detection, and answers with the same events as those of the local engine."""

"""The protocol between the engine and a runner process: messages and their frames."""

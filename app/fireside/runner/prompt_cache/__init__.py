"""Prompt cache: reuse KV states of earlier prompts, kept in slots, in memory and on disk."""

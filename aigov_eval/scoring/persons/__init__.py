"""Persons: who is spoken of, and whom a mention is told of."""

"""Tests of agent sessions."""

"""Findings that do not count: accepted by somebody, or known from an earlier run."""

"""The tools that people already use: each gets verdicts in its own shape; each module needs its tool, and nothing here needs another."""

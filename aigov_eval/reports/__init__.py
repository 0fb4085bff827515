"""Verdicts for readers: terminal, HTML, JUnit, SARIF, Markdown, CSV."""

"""
Transcripts of every known format, recognised by content, and scenario files.

Comes in: paths or bytes. Goes out: `Transcript`s and `Scenario`s. One module per format.
"""
